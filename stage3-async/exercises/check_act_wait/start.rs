//! A visit that checks and acts, and then waits.
//!
//! The types of `checks` are in
//! `tests/exercises/checks/src/exercises/check_act_wait.rs`.

use checks::check_act_wait::{Boxed, Crawl, Failed, Seen, Site};
use std::rc::Rc;

struct Mine;

impl Crawl for Mine {
    fn visit(page: u32, seen: Seen, site: Rc<Site>) -> Boxed {
        Box::pin(visit(page, seen, site))
    }
}

// ANCHOR: task
/// Returns whether this call has fetched the page. A page that was not fetched must not
/// stay in `seen`, however the visit ends. The bug: some pages are fetched twice.
async fn visit(page: u32, seen: Seen, site: Rc<Site>) -> Result<bool, Failed> {
    if seen.borrow().contains(&page) {
        return Ok(false);
    }
    site.fetch(page).await?;
    seen.borrow_mut().insert(page);
    Ok(true)
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::check_act_wait::check::<Mine>()
}
