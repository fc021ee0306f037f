//! A visit that holds 16 KB for no longer than it uses them.

use checks::small_frame::{Page, Visit};

struct Mine;

// ANCHOR: solution
impl Visit for Mine {
    async fn visit(page: Page) -> usize {
        page.arrives().await;
        // hole 1
        //| let chunk = page.read();
        //| let (bytes, links) = (chunk.size(), chunk.links());
        //| // Yours: end `chunk` before the next line, which waits.
        let (bytes, links) = {
            let chunk = page.read();
            (chunk.size(), chunk.links())
        };
        // end hole
        page.turn().await;
        page.report(bytes, links).await;
        links
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::small_frame::check::<Mine>()
}
