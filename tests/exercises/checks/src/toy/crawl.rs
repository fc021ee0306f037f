//! A small crawl: a queue that counts, a site that redirects or is busy, a clock, and
//! an executor that the case runs.

use crate::story;
use crate::toy::clock::Clock;
use std::cell::{Cell, RefCell};
use std::collections::{HashSet, VecDeque};
use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The site that is crawled.
pub const SITE: &str = "http://here";
/// How many redirects in a row are followed.
pub const REDIRECTS: u32 = 3;
/// How often a page is tried, if the server is busy.
pub const TRIES: u32 = 3;
/// How long to wait before another try.
pub const PAUSE: u64 = 10;

/// What a worker takes from the queue.
#[derive(Clone)]
pub struct Job {
    /// The page to fetch.
    pub url: String,
    /// How many redirects may still be followed.
    pub redirects: u32,
    /// How often it was tried before.
    pub tries: u32,
}

/// What the server has answered.
pub enum Answer {
    /// The page.
    Page,
    /// A redirect, with its `Location`. It may be relative.
    Redirect(String),
    /// The server is busy: another try may help.
    Busy,
}

/// The count of the queue.
#[derive(Default)]
struct Count {
    unfinished: Cell<usize>,
    /// How often it has reached zero.
    rounds: Cell<usize>,
}

/// Reports a job as done when it is dropped.
pub struct Done(Rc<Count>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.unfinished.update(|it| it - 1);
        if self.0.unfinished.get() == 0 {
            self.0.rounds.update(|it| it + 1);
        }
    }
}

type Boxed = Pin<Box<dyn Future<Output = ()>>>;

/// What the workers of a crawl share.
#[derive(Default)]
pub struct Crawl {
    /// What tells the time.
    pub clock: Clock,
    queue: RefCell<VecDeque<(Job, Done)>>,
    count: Rc<Count>,
    seen: RefCell<HashSet<String>>,
    tasks: RefCell<Vec<Boxed>>,
    requests: RefCell<Vec<String>>,
}

impl Crawl {
    /// Waits for a job, and takes it. The job is done when its guard is dropped.
    pub async fn get(&self) -> (Job, Done) {
        poll_fn(|_| {
            self.queue.borrow_mut().pop_front().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Adds a job.
    pub fn put(&self, job: Job) {
        self.count.unfinished.update(|it| it + 1);
        self.queue.borrow_mut().push_back((job, Done(Rc::clone(&self.count))));
    }

    /// Marks a URL as seen. Returns whether it is new.
    pub fn mark(&self, url: &str) -> bool {
        self.seen.borrow_mut().insert(url.to_string())
    }

    /// Requests a page.
    pub async fn fetch(&self, url: &str) -> Answer {
        let path = url.strip_prefix(SITE);
        assert!(path.is_some(), "{url} is requested, which is not on the site {SITE}");
        story!("{url} is requested at {}", self.clock.now());
        self.requests.borrow_mut().push(url.to_string());
        assert!(self.requests.borrow().len() < 100, "it requests pages without end");
        let chain = path.and_then(|it| it.strip_prefix("/chain/")?.parse::<u32>().ok());
        match (path.unwrap_or_default(), chain) {
            ("/foo" | "/bar", _) => Answer::Redirect("/baz".into()),
            ("/old/page" | "/other/page", _) => Answer::Redirect("new".into()),
            ("/away", _) => Answer::Redirect("http://elsewhere/".into()),
            ("/busy", _) => Answer::Busy,
            ("/late", _) if self.requests("/late") == 1 => Answer::Busy,
            ("/late", _) => Answer::Redirect("/busy".into()),
            (_, Some(left @ 1..)) => Answer::Redirect(format!("/chain/{}", left - 1)),
            _ => Answer::Page,
        }
    }

    /// Runs a task beside the workers.
    pub fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        self.tasks.borrow_mut().push(Box::pin(task));
    }

    /// Sets the time, and polls all tasks until nothing happens any more.
    pub fn run_at(&self, now: u64) {
        self.clock.set(now);
        for _ in 0..8 {
            let mut tasks = mem::take(&mut *self.tasks.borrow_mut());
            let mut cx = Context::from_waker(Waker::noop());
            tasks.retain_mut(|task| task.as_mut().poll(&mut cx).is_pending());
            self.tasks.borrow_mut().append(&mut tasks);
        }
    }

    /// Returns how often this page was requested.
    pub fn requests(&self, path: &str) -> usize {
        let requests = self.requests.borrow();
        requests.iter().filter(|url| **url == format!("{SITE}{path}")).count()
    }

    /// Returns how many jobs are not done.
    pub fn unfinished(&self) -> usize {
        self.count.unfinished.get()
    }

    /// Returns how often all jobs were done.
    pub fn rounds(&self) -> usize {
        self.count.rounds.get()
    }
}

/// Returns the URL to which a `Location` refers, on a page with the URL `base`.
pub fn join(base: &str, location: &str) -> String {
    if location.starts_with("http://") {
        location.to_string()
    } else if location.starts_with('/') {
        format!("{SITE}{location}")
    } else {
        let folder = base.rfind('/').map_or(base, |it| &base[..it]);
        format!("{folder}/{location}")
    }
}

/// Returns whether a URL is on the site that is crawled.
pub fn is_on_site(url: &str) -> bool {
    url.starts_with("http://here/")
}
