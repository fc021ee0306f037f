//! A visit that holds 16 KB for no longer than it uses them.

use checks::small_frame::{Page, Visit};

struct Mine;

// ANCHOR: solution
impl Visit for Mine {
    async fn visit(page: Page) -> usize {
        page.arrives().await;
        let (bytes, links) = {
            let chunk = page.read();
            (chunk.size(), chunk.links())
        };
        page.turn().await;
        page.report(bytes, links).await;
        links
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::small_frame::check::<Mine>()
}
