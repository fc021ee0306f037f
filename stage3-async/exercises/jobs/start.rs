//! A worker for which a redirect is a job, and which does not sleep during a pause.
//!
//! `Crawl`, `Job` and `Answer` are in `tests/exercises/checks/src/toy/crawl.rs`. The
//! other types are in `tests/exercises/checks/src/exercises/jobs.rs`.

use checks::jobs::{Answer, Boxed, Crawl, Job, PAUSE, TRIES, Worker, is_on_site, join};
use std::rc::Rc;

struct Mine;

impl Worker for Mine {
    fn work(crawl: Rc<Crawl>) -> Boxed {
        Box::pin(work(crawl))
    }
}

// ANCHOR: task
// What you need of `Crawl`: `mark(&url)` marks a URL and returns whether it was new,
// `put(job)` adds a job, and `spawn(future)` starts a task. A `Job` has the fields
// `url`, `redirects` (how many it may still follow), and `tries`. The second value that
// `get` returns is a guard: the job is done when the guard is dropped.
async fn work(crawl: Rc<Crawl>) {
    loop {
        let (mut job, _done) = crawl.get().await;
        // Two bugs: some pages are fetched twice, and a busy page delays others.
        loop {
            match crawl.fetch(&job.url).await {
                Answer::Redirect(location) if job.redirects > 0 => {
                    job.url = join(&job.url, &location);
                    job.redirects -= 1;
                }
                Answer::Busy if job.tries + 1 < TRIES => {
                    job.tries += 1;
                    crawl.clock.sleep(PAUSE).await;
                }
                _ => break,
            }
        }
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::jobs::check::<Mine>()
}
