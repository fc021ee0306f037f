//! A worker for which a redirect is a job, and which does not sleep during a pause.

use checks::jobs::{Answer, Boxed, Crawl, Job, PAUSE, TRIES, Worker, is_on_site, join};
use std::rc::Rc;

struct Mine;

impl Worker for Mine {
    fn work(crawl: Rc<Crawl>) -> Boxed {
        Box::pin(work(crawl))
    }
}

// ANCHOR: solution
async fn work(crawl: Rc<Crawl>) {
    loop {
        let (mut job, done) = crawl.get().await;
        match crawl.fetch(&job.url).await {
            Answer::Redirect(location) if job.redirects > 0 => {
                let url = join(&job.url, &location);
                if is_on_site(&url) && crawl.mark(&url) {
                    // hole 1
                    //| todo!("{url} is a job of its own: how many redirects may follow?")
                    let redirects = job.redirects - 1;
                    crawl.put(Job { url, redirects, tries: 0 });
                    // end hole
                }
            }
            Answer::Busy if job.tries + 1 < TRIES => {
                job.tries += 1;
                let again = Rc::clone(&crawl);
                crawl.spawn(async move {
                    // hole 1
                    //| let _ = (&again, &job, &done);
                    //| todo!("pause, put the job again, and then it is done")
                    again.clock.sleep(PAUSE).await;
                    again.put(job);
                    drop(done); // not before: the job is not done while it pauses
                    // end hole
                });
            }
            _ => {}
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::jobs::check::<Mine>()
}
