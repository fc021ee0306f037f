//! Each host belongs to a partition, and each partition to one crawler at a time.
//!
//! `cargo run -p stage3-async --example ch37_owners`

mod crawlers;

use crawlers::redis::{Id, Redis, Server};
use crawlers::{Job, Ledger, NEVER, ROOT, Site, Url, host, run};
use std::error::Error;

/// The frontier in three parts, and the keys that say whose they are.
const FRONTIER: [&str; 3] = ["frontier:0", "frontier:1", "frontier:2"];
const OWNER: [&str; 3] = ["owner:0", "owner:1", "owner:2"];

/// How long a partition, and a page, belong to a crawler, in milliseconds.
const LEASE: u64 = 100;

// ANCHOR: partition
/// The partition of a URL: all URLs of a host are in the same. (std's hashes may differ
/// between two versions of Rust, and so between two machines.)
fn partition(url: Url) -> usize {
    let sum: usize = host(url).bytes().map(usize::from).sum();
    sum % FRONTIER.len()
}

/// Takes a page of a partition, if this crawler owns that, or may own it now.
fn take(redis: &mut Server, partition: usize, me: u32) -> Option<(Id, Url)> {
    let owner = redis.get(OWNER[partition]);
    if owner.is_some_and(|owner| owner != me) {
        return None;
    }
    redis.set_px(OWNER[partition], me, LEASE); // for another lease, from now on
    let key = FRONTIER[partition];
    redis.xautoclaim(key, me, LEASE).or_else(|| redis.xreadgroup(key, me))
}
// ANCHOR_END: partition

struct Owned {
    me: u32,
    redis: Redis,
}

impl Ledger for Owned {
    // ANCHOR: begin
    async fn begin(&self) -> Option<Job> {
        for other in 0..FRONTIER.len() {
            let partition = (self.me as usize - 1 + other) % FRONTIER.len();
            let taken = self.redis.call(|redis| take(redis, partition, self.me)).await;
            if let Some((id, url)) = taken {
                return Some(Job { id, url });
            }
        }
        None
    }
    // ANCHOR_END: begin

    async fn settle(&self, job: Job, links: &[Url]) {
        let script = |redis: &mut Server| {
            for url in links {
                if redis.sadd("seen", url) {
                    redis.xadd(FRONTIER[partition(url)], url);
                }
            }
            let key = FRONTIER[partition(job.url)];
            redis.xdel(key, job.id);
            redis.xack(key, job.id);
        };
        self.redis.call(script).await;
    }

    // ANCHOR: done
    async fn is_done(&self) -> bool {
        let unfinished = |redis: &mut Server| FRONTIER.map(|key| redis.xlen(key));
        self.redis.call(unfinished).await == [0; 3]
    }
    // ANCHOR_END: done
}

fn main() -> Result<(), Box<dyn Error>> {
    let site = Site::new(None);
    let redis = Redis::new(&site.clock);
    redis.server_now(|redis| {
        redis.sadd("seen", ROOT);
        redis.xadd(FRONTIER[partition(ROOT)], ROOT);
    });
    let ledger = |me| Owned { me, redis: redis.clone() };
    run(&site, ledger, [40, NEVER, NEVER])?;
    site.print_pages();
    site.print_nearest();
    Ok(())
}
