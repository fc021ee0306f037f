//! Chapter 37's ledger in a real Redis, with one owner for each partition.

use crate::redis::Redis;
use redis_protocol::resp2::types::{OwnedFrame, Resp2Frame};
use std::error::Error;
use url::Url;

/// How long a page belongs to the crawler that has taken it, and how long a partition has its
/// owner, in milliseconds. It is longer than a delay and a time-out.
const LEASE: &str = "3000";

const SEEN: &str = "seen";
const FRONTIER: [&str; 3] = ["frontier:0", "frontier:1", "frontier:2"];
const OWNER: [&str; 3] = ["owner:0", "owner:1", "owner:2"];

/// KEYS: the frontier and the owner of a partition. ARGV: a crawler, the lease. Returns an
/// entry, or nothing.
const TAKE: &str = "
    local owner = redis.call('GET', KEYS[2])
    if owner and owner ~= ARGV[1] then return false end
    redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
    local late = redis.call('XAUTOCLAIM', KEYS[1], 'crawlers', ARGV[1], ARGV[2], 0, 'COUNT', 1)
    if late[2][1] then return late[2][1] end
    local new = redis.call('XREADGROUP', 'GROUP', 'crawlers', ARGV[1],
        'COUNT', 1, 'STREAMS', KEYS[1], '>')
    return new and new[1][2][1]";

/// KEYS: the seen-set and the frontiers. ARGV: a partition, counted from 1, and an entry of it
/// that is done, or 0 and anything; then pairs of a partition and a URL. First it adds.
const SETTLE: &str = "
    for i = 3, #ARGV, 2 do
        if redis.call('SADD', KEYS[1], ARGV[i + 1]) == 1 then
            redis.call('XADD', KEYS[1 + ARGV[i]], '*', 'url', ARGV[i + 1])
        end
    end
    if ARGV[1] ~= '0' then
        redis.call('XDEL', KEYS[1 + ARGV[1]], ARGV[2])
        redis.call('XACK', KEYS[1 + ARGV[1]], 'crawlers', ARGV[2])
    end";

/// KEYS: the frontiers. Returns how many pages are queued or in flight.
const LENGTH: &str = "
    return redis.call('XLEN', KEYS[1]) + redis.call('XLEN', KEYS[2])
        + redis.call('XLEN', KEYS[3])";

/// What a crawler asks of a ledger, wherever that is.
pub(crate) trait Ledger {
    /// Takes a URL to be fetched. `None`: at the moment, there is none.
    async fn begin(&mut self) -> Result<Option<Job>, Box<dyn Error>>;
    /// Reports the links of its page. The job is done.
    async fn settle(&mut self, job: Job, links: &[Url]) -> Result<(), Box<dyn Error>>;
    /// Returns whether nothing is queued or in flight: the crawl is over.
    async fn is_done(&mut self) -> Result<bool, Box<dyn Error>>;
}

/// A page that this crawler has taken.
pub(crate) struct Job {
    partition: usize,
    id: String,
    pub(crate) url: Url,
}

/// One crawler's handle to the ledger.
pub(crate) struct Shared {
    /// Which crawler: the number is new for each process.
    me: u32,
    redis: Redis,
}

impl Shared {
    /// Joins the other crawlers. The first of all adds the root.
    pub(crate) async fn join(
        me: u32,
        mut redis: Redis,
        root: &Url,
    ) -> Result<Shared, Box<dyn Error>> {
        for key in FRONTIER {
            let create = ["XGROUP", "CREATE", key, "crawlers", "0", "MKSTREAM"];
            match redis.call(&create).await {
                Err(error) if error.to_string().starts_with("BUSYGROUP") => {} // it exists
                other => drop(other?),
            }
        }
        let mut ledger = Shared { me, redis };
        ledger.report("0", "", std::slice::from_ref(root)).await?;
        Ok(ledger)
    }

    async fn report(
        &mut self,
        partition: &str,
        entry: &str,
        links: &[Url],
    ) -> Result<(), Box<dyn Error>> {
        let mut arguments = vec![partition.to_string(), entry.to_string()];
        for url in links {
            arguments.push((partition_of(url) + 1).to_string());
            arguments.push(url.to_string());
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let [first, second, third] = FRONTIER;
        self.redis.eval(SETTLE, &[SEEN, first, second, third], &arguments).await?;
        Ok(())
    }
}

impl Ledger for Shared {
    async fn begin(&mut self) -> Result<Option<Job>, Box<dyn Error>> {
        let me = self.me.to_string();
        for partition in 0..FRONTIER.len() {
            let partition = (partition + self.me as usize) % FRONTIER.len();
            let keys = [FRONTIER[partition], OWNER[partition]];
            let entry = self.redis.eval(TAKE, &keys, &[&me, LEASE]).await?;
            if !matches!(entry, OwnedFrame::Null) {
                return Ok(Some(job(partition, entry).ok_or("this is no entry")?));
            }
        }
        Ok(None)
    }

    async fn settle(&mut self, job: Job, links: &[Url]) -> Result<(), Box<dyn Error>> {
        self.report(&(job.partition + 1).to_string(), &job.id, links).await
    }

    async fn is_done(&mut self) -> Result<bool, Box<dyn Error>> {
        match self.redis.eval(LENGTH, &FRONTIER, &[]).await? {
            OwnedFrame::Integer(length) => Ok(length == 0),
            other => Err(format!("this is no length: {other:?}").into()),
        }
    }
}

/// Returns the partition of a URL's host: the same in each process.
fn partition_of(url: &Url) -> usize {
    let bytes = url.authority().bytes().map(usize::from);
    bytes.sum::<usize>() % FRONTIER.len()
}

/// Reads an entry: its id, and a list of the name `url` and a URL.
fn job(partition: usize, entry: OwnedFrame) -> Option<Job> {
    let OwnedFrame::Array(entry) = entry else { return None };
    let [id, OwnedFrame::Array(fields)] = &entry[..] else { return None };
    let [_, url] = &fields[..] else { return None };
    let url = Url::parse(&url.to_string()?).ok()?;
    Some(Job { partition, id: id.to_string()?, url })
}
