//! A URL that is taken belongs to the crawler that took it, until that crawler dies.
//!
//! `cargo run -p stage3-async --example ch37_broken_no_lease`

mod crawlers;

use crawlers::redis::Redis;
use crawlers::{Job, Ledger, NEVER, ROOT, Site, Url, run};
use std::error::Error;

struct Shared {
    me: u32,
    redis: Redis,
    /// Whether a URL is taken off the frontier when it is taken, or when it is done.
    is_off_when_taken: bool,
}

impl Ledger for Shared {
    // ANCHOR: begin
    async fn begin(&self) -> Option<Job> {
        let (me, is_off) = (self.me, self.is_off_when_taken);
        self.redis
            .call(|redis| {
                let (id, url) = redis.xreadgroup("frontier", me)?;
                if is_off {
                    redis.xdel("frontier", id);
                    redis.xack("frontier", id);
                }
                Some(Job { id, url })
            })
            .await
    }
    // ANCHOR_END: begin

    async fn settle(&self, job: Job, links: &[Url]) {
        self.redis
            .call(|redis| {
                for url in links {
                    if redis.sadd("seen", url) {
                        redis.xadd("frontier", url);
                    }
                }
                redis.xdel("frontier", job.id);
                redis.xack("frontier", job.id);
            })
            .await;
    }

    async fn is_done(&self) -> bool {
        self.redis.call(|redis| redis.xlen("frontier")).await == 0
    }
}

fn show(is_off_when_taken: bool) -> Result<(), Box<dyn Error>> {
    let site = Site::new(None);
    let redis = Redis::new(&site.clock);
    redis.server_now(|redis| (redis.sadd("seen", ROOT), redis.xadd("frontier", ROOT)));
    let ledger = |me| Shared { me, redis: redis.clone(), is_off_when_taken };
    run(&site, ledger, [40, NEVER, NEVER])?;
    site.print_pages();
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("off the frontier when it is taken:");
    show(true)?;
    println!("off the frontier when it is done:");
    show(false)
}
