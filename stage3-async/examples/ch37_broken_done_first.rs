//! A page is reported in two calls. Between them, its crawler may die.
//!
//! `cargo run -p stage3-async --example ch37_broken_done_first`

mod crawlers;

use crawlers::redis::{Redis, Server};
use crawlers::{Job, Ledger, NEVER, ROOT, Site, Url, run};
use std::error::Error;

struct Shared {
    me: u32,
    redis: Redis,
}

const LEASE: u64 = 100;

impl Ledger for Shared {
    async fn begin(&self) -> Option<Job> {
        let late = |redis: &mut Server| redis.xautoclaim("frontier", self.me, LEASE);
        let new = |redis: &mut Server| redis.xreadgroup("frontier", self.me);
        let taken = match self.redis.call(late).await {
            None => self.redis.call(new).await,
            taken => taken,
        };
        taken.map(|(id, url)| Job { id, url })
    }

    // ANCHOR: settle
    async fn settle(&self, job: Job, links: &[Url]) {
        let remove = |redis: &mut Server| {
            redis.xdel("frontier", job.id);
            redis.xack("frontier", job.id)
        };
        let add = |redis: &mut Server| {
            for url in links {
                if redis.sadd("seen", url) {
                    redis.xadd("frontier", url);
                }
            }
        };
        if self.redis.call(remove).await {
            self.redis.call(add).await;
        }
    }
    // ANCHOR_END: settle

    async fn is_done(&self) -> bool {
        self.redis.call(|redis| redis.xlen("frontier")).await == 0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let site = Site::new(None);
    let redis = Redis::new(&site.clock);
    redis.server_now(|redis| (redis.sadd("seen", ROOT), redis.xadd("frontier", ROOT)));
    let ledger = |me| Shared { me, redis: redis.clone() };
    run(&site, ledger, [58, NEVER, NEVER])?;
    site.print_pages();
    Ok(())
}
