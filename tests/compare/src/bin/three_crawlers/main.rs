//! Three crawlers with one ledger, in Redis. Each is a process, and one of them is killed.
//!
//! `cargo run --manifest-path tests/compare/Cargo.toml --bin three_crawlers`, with `redis-server` (7.0 or
//! later) in the PATH. It starts a Redis of its own, which stores nothing.

mod crawler;
mod ledger;
// Those of the steps.
#[path = "../../../../../stage3-async/examples/crawlers/pages.rs"]
mod pages;
mod redis;
mod server;
mod site;

use server::Server;
use site::Site;
use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use url::Url;
use wait_timeout::ChildExt;

/// How long each wait for a crawler may take.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match &arguments[..] {
        [] => watch(),
        [port, me, root] => {
            crawler::run(port.parse()?, me.parse()?, &Url::parse(root)?)
        }
        _ => Err("it takes no arguments".into()),
    }
}

/// Crawls with three processes, kills one of them, and prints what has become of the pages.
fn watch() -> Result<(), Box<dyn Error>> {
    let (server, site) = (Server::start()?, Site::start()?);
    let mut crawlers = Crawlers::start(server.port, &site.root)?;
    println!("three processes crawl {} pages", pages::PAGES.len());
    let doomed = crawlers.doomed(&site)?;
    let end = crawlers.kill(doomed)?;
    println!("one requests {}, and is killed: {end}", site::DEADLY);
    crawlers.wait()?;

    let requests = site.requests();
    let answered: BTreeSet<&str> =
        requests.iter().filter(|it| it.is_answered).map(|it| it.page).collect();
    println!("the others end: {} pages were answered", answered.len());
    for (page, _) in pages::PAGES {
        let by: Vec<u32> =
            requests.iter().filter(|it| it.page == *page).map(|it| it.by).collect();
        match &by[..] {
            [_] => {}
            [first, second] if first != second => {
                println!("{page} was requested twice, by two of them");
            }
            other => println!("{page} was requested by {other:?}"),
        }
    }
    Ok(())
}

/// Three processes, of which none outlives this.
#[derive(Default)]
struct Crawlers {
    all: Vec<Child>,
    /// The place of the one that was killed.
    killed: Option<usize>,
}

impl Crawlers {
    fn start(port: u16, root: &Url) -> Result<Crawlers, Box<dyn Error>> {
        let mut crawlers = Crawlers::default();
        for me in 1..=3 {
            let mut command = Command::new(env::current_exe()?);
            command.args([&port.to_string(), &me.to_string(), root.as_str()]);
            crawlers.all.push(command.spawn()?);
        }
        Ok(crawlers)
    }

    /// Waits until one of them is to be killed. Returns its number.
    fn doomed(&mut self, site: &Site) -> Result<u32, Box<dyn Error>> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            if let Ok(doomed) = site.doomed.recv_timeout(Duration::from_millis(100)) {
                return Ok(doomed);
            }
            for crawler in &mut self.all {
                if let Some(status) = crawler.try_wait()? {
                    return Err(format!("a crawler has ended: {status}").into());
                }
            }
        }
        Err(format!("no crawler has requested {}", site::DEADLY).into())
    }

    /// Kills the crawler with this number, which then runs no destructor. Returns its end.
    fn kill(&mut self, me: u32) -> Result<String, Box<dyn Error>> {
        let place = usize::try_from(me)?.wrapping_sub(1);
        let crawler = self.all.get_mut(place).ok_or("there is no such crawler")?;
        crawler.kill()?;
        self.killed = Some(place);
        Ok(crawler.wait()?.to_string())
    }

    /// Waits until the others have ended.
    fn wait(&mut self) -> Result<(), Box<dyn Error>> {
        let killed = self.killed;
        let others = self.all.iter_mut().enumerate().filter(|it| Some(it.0) != killed);
        for (_, crawler) in others {
            match crawler.wait_timeout(PATIENCE)? {
                Some(status) if status.success() => {}
                Some(status) => {
                    return Err(format!("a crawler has ended: {status}").into());
                }
                None => return Err("a crawler does not end".into()),
            }
        }
        Ok(())
    }
}

impl Drop for Crawlers {
    fn drop(&mut self) {
        for crawler in &mut self.all {
            // One that has ended is no error, and about others nothing can be done.
            crawler.kill().and_then(|()| crawler.wait()).ok();
        }
    }
}
