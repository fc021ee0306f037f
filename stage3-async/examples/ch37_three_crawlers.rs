//! Three crawlers with one ledger. One of them dies, and another takes its page over.
//!
//! `cargo run -p stage3-async --example ch37_three_crawlers [slow]`

mod crawlers;

use crawlers::redis::{Redis, Server};
use crawlers::{Job, Ledger, NEVER, ROOT, Site, Url, run};
use std::env;
use std::error::Error;

struct Shared {
    me: u32,
    redis: Redis,
}

/// How long a page belongs to the crawler that has taken it, in milliseconds.
const LEASE: u64 = 100;

impl Ledger for Shared {
    // ANCHOR: begin
    async fn begin(&self) -> Option<Job> {
        let late = |redis: &mut Server| redis.xautoclaim("frontier", self.me, LEASE);
        let new = |redis: &mut Server| redis.xreadgroup("frontier", self.me);
        let taken = match self.redis.call(late).await {
            None => self.redis.call(new).await,
            taken => taken,
        };
        taken.map(|(id, url)| Job { id, url })
    }
    // ANCHOR_END: begin

    // ANCHOR: settle
    async fn settle(&self, job: Job, links: &[Url]) {
        let script = |redis: &mut Server| {
            for url in links {
                if redis.sadd("seen", url) {
                    redis.xadd("frontier", url);
                }
            }
            redis.xdel("frontier", job.id);
            redis.xack("frontier", job.id)
        };
        if !self.redis.call(script).await {
            println!("  {}: crawler {} is too late", job.url, self.me);
        }
    }

    async fn is_done(&self) -> bool {
        self.redis.call(|redis| redis.xlen("frontier")).await == 0
    }
    // ANCHOR_END: settle
}

fn main() -> Result<(), Box<dyn Error>> {
    let is_slow = env::args().nth(1).is_some_and(|argument| argument == "slow");
    let site = Site::new(is_slow.then_some((2, 150)));
    let redis = Redis::new(&site.clock);
    redis.server_now(|redis| (redis.sadd("seen", ROOT), redis.xadd("frontier", ROOT)));
    let ledger = |me| Shared { me, redis: redis.clone() };
    run(&site, ledger, [if is_slow { NEVER } else { 40 }, NEVER, NEVER])?;
    site.print_pages();
    site.print_nearest();
    Ok(())
}
