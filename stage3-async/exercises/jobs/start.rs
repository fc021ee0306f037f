//! A worker for which a redirect is a job, and which does not sleep during a pause.

use checks::jobs::{Answer, Boxed, Crawl, Job, PAUSE, TRIES, Worker, is_on_site, join};
use std::rc::Rc;

struct Mine;

impl Worker for Mine {
    fn work(crawl: Rc<Crawl>) -> Boxed {
        Box::pin(work(crawl))
    }
}

// ANCHOR: task
async fn work(crawl: Rc<Crawl>) {
    loop {
        let (mut job, _done) = crawl.get().await;
        // There are two bugs: it follows redirects itself, and sleeps between tries.
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
