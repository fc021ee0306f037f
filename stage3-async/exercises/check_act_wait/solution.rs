//! A visit that checks and acts, and then waits.

use checks::check_act_wait::{Boxed, Crawl, Failed, Seen, Site};
use std::rc::Rc;

struct Mine;

impl Crawl for Mine {
    fn visit(page: u32, seen: Seen, site: Rc<Site>) -> Boxed {
        Box::pin(visit(page, seen, site))
    }
}

// ANCHOR: solution
/// The mark of a page that is being fetched. Its `Drop` takes the mark back, unless the
/// page was fetched.
struct Mark {
    page: u32,
    seen: Seen,
    is_fetched: bool,
}

impl Drop for Mark {
    fn drop(&mut self) {
        // hole 1
        //| // Yours: take the mark back, unless the page was fetched.
        if !self.is_fetched {
            self.seen.borrow_mut().remove(&self.page);
        }
        // end hole
    }
}

async fn visit(page: u32, seen: Seen, site: Rc<Site>) -> Result<bool, Failed> {
    let is_new = seen.borrow_mut().insert(page);
    if !is_new {
        return Ok(false);
    }
    let mut mark = Mark { page, seen, is_fetched: false };
    site.fetch(page).await?;
    // hole 1
    //| // Yours: the page was fetched.
    mark.is_fetched = true;
    // end hole
    Ok(true)
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::check_act_wait::check::<Mine>()
}
