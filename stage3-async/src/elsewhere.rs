//! What would block the loop is done elsewhere: names are looked up, and big pages are
//! read, on other threads. Nobody waits for those threads at the end.

use crate::Reactor;
use shared::resolve::{Found, HostOf, host_of, look_up, with_port};
use shared::watch::{Leaf, Waiting};
use shared::{FetchError, Url};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Poll, Waker};
use std::{iter, mem, thread};

static LOOK_UP: Leaf = Leaf::new(file!(), "resolve", Waiting::Named("a look-up"));
static HELPER: Leaf = Leaf::new(file!(), "run", Waiting::Named("a helper thread"));

/// A value that another thread will set; tasks await it. Clones are the same.
struct Remote<T>(Arc<Mutex<State<T>>>);

struct State<T> {
    value: Option<T>,
    waiters: Vec<Waker>,
}

impl<T> Remote<T> {
    fn new(value: Option<T>) -> Remote<T> {
        Remote(Arc::new(Mutex::new(State { value, waiters: Vec::new() })))
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().expect("nothing panics while it holds a value")
    }

    fn set(&self, value: T) {
        let mut state = self.state();
        state.value = Some(value);
        let waiters = mem::take(&mut state.waiters);
        drop(state); // collected under the lock, woken after it
        waiters.into_iter().for_each(Waker::wake);
    }

    /// Waits until the value is set, and takes it, or a copy.
    async fn get(
        &self,
        take: impl Fn(&mut Option<T>) -> Option<T>,
        reactor: &Reactor,
        leaf: &'static Leaf,
    ) -> T {
        let _outside = reactor.outside();
        poll_fn(|cx| {
            let mut state = self.state();
            let value = take(&mut state.value);
            if value.is_none() {
                state.waiters.push(cx.waker().clone());
            }
            drop(state);
            reactor.says().polled(leaf, value.map_or(Poll::Pending, Poll::Ready))
        })
        .await
    }
}

impl<T> Clone for Remote<T> {
    fn clone(&self) -> Self {
        Remote(Arc::clone(&self.0))
    }
}

/// Looks names up: one thread for each, which all who need that name wait for.
pub(crate) struct Resolver {
    look_ups: RefCell<HashMap<String, Remote<Found>>>,
    reactor: Reactor,
}

impl Resolver {
    /// A resolver that knows these hosts, and asks for all others.
    pub(crate) fn new(hosts: &[(String, Vec<IpAddr>)], reactor: &Reactor) -> Resolver {
        let known = hosts.iter().map(|(name, addresses)| {
            let addresses = addresses.iter().map(|address| (*address, 0).into());
            (name.clone(), Remote::new(Some(Ok(addresses.collect()))))
        });
        let look_ups = RefCell::new(known.collect());
        Resolver { look_ups, reactor: reactor.clone() }
    }

    /// The addresses of a URL's host, in the order in which they are to be tried: at
    /// least one. Only what was found is remembered. A look-up that nobody waits for
    /// any more goes on, and may serve a later try.
    pub(crate) async fn resolve(
        &self,
        url: &Url,
    ) -> Result<Vec<SocketAddr>, FetchError> {
        let (name, port) = match host_of(url) {
            HostOf::Address(address) => return Ok(vec![address]),
            HostOf::Name(name, port) => (name, port),
        };
        let look_up = self.look_up(name)?;
        let found = look_up.get(|value| value.clone(), &self.reactor, &LOOK_UP).await;
        if found.is_err() {
            let mut look_ups = self.look_ups.borrow_mut();
            // Another one may have begun since.
            if look_ups.get(name).is_some_and(|it| Arc::ptr_eq(&it.0, &look_up.0)) {
                look_ups.remove(name);
            }
        }
        found.map(|addresses| with_port(&addresses, port))
    }

    fn look_up(&self, name: &str) -> Result<Remote<Found>, FetchError> {
        if let Some(known) = self.look_ups.borrow().get(name) {
            return Ok(known.clone());
        }
        let (remote, owned) = (Remote::new(None), name.to_string());
        let theirs = remote.clone();
        let thread = thread::Builder::new().name(format!("look-up {name}"));
        // A machine without room for a thread is short of sockets, too.
        let started = thread.spawn(move || theirs.set(look_up(&owned)));
        started.map_err(|_| FetchError::OutOfSockets)?;
        self.look_ups.borrow_mut().insert(name.to_string(), remote.clone());
        Ok(remote)
    }
}

/// Pieces of work for each helper: one that it does, and some that wait, since whoever
/// gives it the next one may compute just now.
const ENOUGH: usize = 3;

type Work = Box<dyn FnOnce() + Send>;

/// A few threads that compute for the loop.
pub(crate) struct Helpers {
    count: u32,
    /// Started with the first piece of work; none, if no thread can be had.
    threads: OnceCell<Option<Sender<Work>>>,
    /// Each piece of work that is not done has a clone.
    under_way: Arc<()>,
    reactor: Reactor,
}

impl Helpers {
    /// So many threads; if nothing is said one less than this machine has cores.
    pub(crate) fn new(count: Option<u32>, reactor: &Reactor) -> Helpers {
        let cores = || thread::available_parallelism().map_or(1, |cores| cores.get());
        let count = count.unwrap_or_else(|| cores() as u32 - 1);
        let (threads, under_way) = Default::default();
        Helpers { count, threads, under_way, reactor: reactor.clone() }
    }

    /// Has each something to do, and some more that waits for it?
    pub(crate) fn have_enough(&self) -> bool {
        Arc::strong_count(&self.under_way) > ENOUGH * self.count as usize
    }

    // ANCHOR: helpers
    /// What `work` returns, which one of the threads runs; without any it runs here.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> T {
        let threads = self.threads.get_or_init(|| start(self.count));
        let Some(threads) = threads else { return work() };
        let remote = Remote::new(None);
        let (theirs, under_way) = (remote.clone(), Arc::clone(&self.under_way));
        let work = move || {
            let done = catch_unwind(AssertUnwindSafe(work));
            drop(under_way);
            theirs.set(done);
        };
        threads.send(Box::new(work)).expect("the threads live as long as this");
        let done = remote.get(Option::take, &self.reactor, &HELPER).await;
        done.unwrap_or_else(|panic| resume_unwind(panic))
    }
    // ANCHOR_END: helpers
}

/// Starts so many threads, or as many as can be had, and returns how they are given
/// work.
fn start(count: u32) -> Option<Sender<Work>> {
    let (sender, receiver) = channel::<Work>();
    let receiver = Arc::new(Mutex::new(receiver));
    let next = move || receiver.lock().expect("nothing panics while it waits").recv();
    let started = (1..=count).map_while(|number| {
        let (next, name) = (next.clone(), format!("helper {number}"));
        let helper = move || iter::from_fn(|| next().ok()).for_each(|work| work());
        thread::Builder::new().name(name).spawn(helper).ok()
    });
    (started.count() > 0).then_some(sender)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;
    use std::task::Context;

    #[test]
    fn helpers_have_enough_as_long_as_work_waits_for_them() {
        let executor = Executor::new().expect("a selector");
        let helpers = Helpers::new(Some(1), executor.reactor());
        let (begin, gate) = channel();
        let gate = Arc::new(Mutex::new(gate));
        let work = || {
            let gate = Arc::clone(&gate);
            move || gate.lock().expect("a gate").recv()
        };
        let mut tasks: Vec<_> =
            (0..ENOUGH).map(|_| Box::pin(helpers.run(work()))).collect();
        for task in &mut tasks {
            assert!(!helpers.have_enough());
            let mut nobody = Context::from_waker(Waker::noop());
            assert!(task.as_mut().poll(&mut nobody).is_pending());
        }
        drop(tasks.remove(0));
        assert!(
            helpers.have_enough(),
            "nobody waits for the first any more: it is work"
        );
        (0..ENOUGH).for_each(|_| begin.send(()).expect("work that waits"));
        let rest = async {
            for task in tasks {
                task.await.expect("it may begin");
            }
        };
        executor.block_on(rest).expect("the helper is at work");
        assert!(!helpers.have_enough());
    }
}
