//! A visit that holds 16 KB for no longer than it uses them.
//!
//! With this visit, ten thousand tasks need 160 MB.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/small_frame.rs`.

use checks::small_frame::{Page, Visit};

struct Mine;

// ANCHOR: task
impl Visit for Mine {
    async fn visit(page: Page) -> usize {
        page.arrives().await;
        let chunk = page.read(); // 16 KB
        page.turn().await; // the other tasks run
        page.report(chunk.size(), chunk.links()).await;
        chunk.links()
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::small_frame::check::<Mine>()
}
