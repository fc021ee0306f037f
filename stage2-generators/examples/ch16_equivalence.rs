//! A coroutine can pass as a std future, and a std future as a coroutine: both fetch
//! the same page, on both executors.
//!
//! Read it in two halves: `AsStd` and `block_on` first, then `AsCoroutine`. An `async
//! fn` is a function of which the compiler makes an enum with `poll`; `.await` is
//! `yield from`.
//!
//! `cargo run -p stage2-generators --example ch16_equivalence`

use polling::Poller;
use shared::demo_site::DemoSite;
use shared::http::Connection;
use shared::watch::Waiting::{self, Readable, Writable};
use shared::{FetchError, Response, ResponseParser, Stop, Watch, digest, request};
use stage2_generators::{
    Connect, Coroutine, Executor, Fetch, Future, Futures, RESOLVED, Result, Resume,
    Socket, Step,
};
use std::cell::RefCell;
use std::error::Error;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};
use std::{mem, vec};
use url::Url;

const AGENT: &str = "a step of the book";
const MAX_BODY: u64 = 10 * 1024 * 1024;
const PATIENCE: Duration = Duration::from_millis(100);

/// `poll` is handed a waker and nothing else: who needs our futures brings them along.
type Shared = Rc<RefCell<Futures>>;

// ANCHOR: as_std
/// A coroutine of ours as a std future.
struct AsStd<C> {
    coroutine: C,
    futures: Shared,
    /// What the coroutine has yielded, and who is woken when that is resolved.
    waits: Option<(Future, Waker)>,
}

impl<C> AsStd<C> {
    fn new(coroutine: C, futures: &Shared) -> AsStd<C> {
        AsStd { coroutine, futures: Rc::clone(futures), waits: None }
    }
}

/// Between two calls it may move: the frame of a coroutine of ours is a value like any
/// other. So `poll` may take it out of its `Pin`. (Of what the compiler makes of an
/// `async fn` nobody could say that.)
impl<C> Unpin for AsStd<C> {}
// ANCHOR_END: as_std

// ANCHOR: poll
impl<C: Coroutine> std::future::Future for AsStd<C> {
    type Output = C::Return;

    /// Resumes the coroutine, unless what it has yielded is still pending.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Return> {
        let AsStd { coroutine, futures, waits } = &mut *self;
        let futures = &mut *futures.borrow_mut();
        let future = match waits {
            Some((future, waker)) if is_pending(*future, futures) => {
                if waker.will_wake(cx.waker()) {
                    return Poll::Pending; // who polls is registered already
                }
                *future
            }
            _ => match coroutine.resume(futures, Resume::Send) {
                Step::Yield(future) => future,
                Step::Return(value) => return Poll::Ready(value),
            },
        };
        let waker = cx.waker().clone();
        *waits = Some((future, waker.clone()));
        futures.when(future, Box::new(move |_| waker.wake()));
        Poll::Pending
    }
}
// ANCHOR_END: poll

// ANCHOR: dropped
/// A future of ours is a coroutine, too: it yields itself for as long as it is pending.
fn is_pending(mut future: Future, futures: &mut Futures) -> bool {
    matches!(future.resume(futures, Resume::Send), Step::Yield(_))
}

impl<C> Drop for AsStd<C> {
    /// Cancelled: nobody waits any more, so it counts as resolved.
    fn drop(&mut self) {
        if let Some((future, _)) = self.waits {
            self.futures.borrow_mut().resolve(future);
        }
    }
}
// ANCHOR_END: dropped

// ANCHOR: flag
/// The waker of `block_on`. It is called in the middle of `turn`, while the futures are
/// borrowed. So it does no more than to say that there is something to do.
struct Flag {
    is_set: AtomicBool,
    poller: Arc<Poller>,
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.is_set.store(true, Ordering::SeqCst);
        // It fails only where the selector is gone, and then nobody waits.
        let _ = self.poller.notify();
    }
}
// ANCHOR_END: flag

// ANCHOR: block_on
/// An executor for one std future. It waits here, so that `poll` never has to. (If
/// another thread is to wake it, put a future into `futures.armed`, as `rearm` does
/// below: else it counts as stuck.)
fn block_on<T>(
    future: impl std::future::Future<Output = Result<T>>,
    futures: &Shared,
) -> Result<T> {
    let mut future = pin!(future); // from here on it does not move
    let poller = Arc::clone(&futures.borrow().poller);
    let flag = Arc::new(Flag { is_set: AtomicBool::new(true), poller });
    let waker = Waker::from(Arc::clone(&flag));
    loop {
        // Taken down before the poll: who wakes during it, raises it again.
        if flag.is_set.swap(false, Ordering::SeqCst) {
            let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
            if let Poll::Ready(result) = poll {
                return result;
            }
        }
        if !flag.is_set.load(Ordering::SeqCst) && futures.borrow().is_stuck() {
            return Err(FetchError::Stuck("nothing can wake the std future".into()));
        }
        futures.borrow_mut().turn()?; // a flag that is up ends it at once
    }
}
// ANCHOR_END: block_on

// ANCHOR: as_coroutine
/// A std future as a coroutine of ours.
struct AsCoroutine<F> {
    /// None, once an error was thrown in.
    future: Option<Pin<Box<F>>>,
    /// Where the std future finds the futures, while it runs.
    slot: Shared,
    wakes: Arc<WakeTask>,
}

impl<F> AsCoroutine<F> {
    fn new(future: F, slot: &Shared, futures: &Futures) -> AsCoroutine<F> {
        let (sender, poller) = (futures.woken.0.clone(), Arc::clone(&futures.poller));
        let wakes = WakeTask { event: Mutex::new(RESOLVED), sender, poller };
        let (future, slot) = (Some(Box::pin(future)), Rc::clone(slot));
        AsCoroutine { future, slot, wakes: Arc::new(wakes) }
    }
}
// ANCHOR_END: as_coroutine

// ANCHOR: resume
impl<T, F> Coroutine for AsCoroutine<F>
where
    F: std::future::Future<Output = Result<T>>,
{
    type Return = Result<T>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Result<T>> {
        let AsCoroutine { future, slot, wakes } = self;
        if let Resume::Throw(error) = how {
            lend(futures, slot, || *future = None); // dropped: it cannot catch that
            return Step::Return(Err(error));
        }
        let future = future.as_mut().expect("nobody resumes what has returned");
        let (event, waker) = (wakes.rearm(futures), Waker::from(Arc::clone(wakes)));
        let poll = || future.as_mut().poll(&mut Context::from_waker(&waker));
        match lend(futures, slot, poll) {
            Poll::Pending => Step::Yield(event),
            Poll::Ready(result) => {
                futures.resolve(event);
                Step::Return(result)
            }
        }
    }
}
// ANCHOR_END: resume

// ANCHOR: lend
/// `poll` has no parameter for the futures. So they are swapped into the slot while
/// `run` runs, and out again. (Not after a panic: then nobody goes on with them.)
fn lend<T>(futures: &mut Futures, slot: &Shared, run: impl FnOnce() -> T) -> T {
    mem::swap(futures, &mut slot.borrow_mut());
    let value = run(); // the slot is not borrowed now
    mem::swap(futures, &mut slot.borrow_mut());
    value
}
// ANCHOR_END: lend

// ANCHOR: wakes
/// The waker of an `AsCoroutine`: one for all polls, so `will_wake` knows it again.
struct WakeTask {
    /// The future of ours that the task waits for: "somebody has called the waker".
    event: Mutex<Future>,
    /// To the executor.
    sender: Sender<Future>,
    poller: Arc<Poller>,
}

impl Wake for WakeTask {
    /// Any thread may call this. So it resolves nothing: it asks the executor to.
    fn wake(self: Arc<Self>) {
        // They fail only where the executor is gone, and then nobody waits.
        let _ = self.sender.send(*self.event.lock().expect(HELD));
        let _ = self.poller.notify();
    }
}

const HELD: &str = "nothing panics while it holds the future";
// ANCHOR_END: wakes

// ANCHOR: rearm
impl WakeTask {
    /// The future to wait for, should the next poll say `Pending`. From now on the
    /// waker has that one resolved: not even a wake during the poll is lost.
    fn rearm(&self, futures: &mut Futures) -> Future {
        let event = futures.new_future();
        // Armed: somebody outside may wake us, so nobody may say that we are stuck.
        futures.armed.insert(event, futures.lives.running());
        let before = mem::replace(&mut *self.event.lock().expect(HELD), event);
        futures.resolve(before); // nobody waits for that one any more
        event
    }
}
// ANCHOR_END: rearm

// ANCHOR: attempt
/// The leaf: tries what may have to wait for a socket. Closures are coroutines, too.
fn attempt<T>(
    futures: &Shared,
    socket: &Socket,
    waits: (&'static str, Waiting<'static>),
    mut operation: impl FnMut(&socket2::Socket) -> io::Result<T>,
) -> impl std::future::Future<Output = Result<T>> {
    let coroutine = move |futures: &mut Futures, how: Resume| {
        futures.attempt(socket, waits, how, &mut operation)
    };
    AsStd::new(coroutine, futures)
}
// ANCHOR_END: attempt

// ANCHOR: fetch
/// The same fetch as `Fetch`. Its enum is written by the compiler.
async fn fetch(futures: Shared, to: SocketAddr, url: Url) -> Result<Response> {
    let request = request(&url, AGENT, Connection::Close);
    let connect = Connect::To(vec![to].into_iter());
    let socket = AsStd::new(connect, &futures).await?; // a coroutine, awaited
    let mut sent = 0;
    let send = |mut socket: &socket2::Socket| {
        while sent < request.len() {
            sent += socket.write(&request[sent..])?;
        }
        Ok(())
    };
    attempt(&futures, &socket, ("send", Writable), send).await?;
    let mut parser = ResponseParser::new(MAX_BODY);
    loop {
        let chunk = attempt(&futures, &socket, ("read", Readable), read).await?;
        if let Some(response) = parser.feed(&chunk)? {
            return Ok(response);
        }
    }
}
// ANCHOR_END: fetch

// ANCHOR: read
fn read(mut socket: &socket2::Socket) -> io::Result<Vec<u8>> {
    let mut chunk = [0; 4096]; // on the stack: nobody holds it while waiting
    let count = socket.read(&mut chunk)?;
    Ok(chunk[..count].to_vec())
}
// ANCHOR_END: read

// ANCHOR: main
fn main() -> std::result::Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    same_page(site.address(), &Url::parse(&site.url("/drip"))?)?;
    time_out(site.address(), Url::parse(&site.url("/slow/1?ms=60000"))?)?;
    let futures = shared()?;
    let never = AsStd::new(futures.borrow_mut().new_future(), &futures);
    println!("nobody resolves it: {:?}", block_on(never, &futures));
    Ok(())
}

/// Runs a coroutine on our executor, to its end.
fn run<T: 'static>(
    executor: &mut Executor,
    coroutine: impl Coroutine<Return = Result<T>> + 'static,
) -> Result<T> {
    let task = executor.futures.spawn("a fetch", coroutine);
    executor.run_until_complete(task)?
}

fn shared() -> io::Result<Shared> {
    Ok(Rc::new(RefCell::new(Futures::new(Watch::off())?)))
}
// ANCHOR_END: main

// ANCHOR: same_page
fn same_page(to: SocketAddr, url: &Url) -> std::result::Result<(), Box<dyn Error>> {
    let ours = || {
        let request = request(url, AGENT, Connection::Close);
        Fetch::Connecting(Connect::To(vec![to].into_iter()), request, MAX_BODY)
    };
    let std = |futures: &Shared| fetch(Rc::clone(futures), to, url.clone());
    let mut executor = Executor::new(&Stop::new(), Watch::off())?;
    let (futures, slot) = (shared()?, shared()?);
    let std_as_ours = AsCoroutine::new(std(&slot), &slot, &executor.futures);
    let ours_as_std = AsStd::new(ours(), &futures);
    let responses = [
        ("Fetch on our executor", run(&mut executor, ours())?),
        ("Fetch on block_on", block_on(ours_as_std, &futures)?),
        ("async fn on block_on", block_on(std(&futures), &futures)?),
        ("async fn on our executor", run(&mut executor, std_as_ours)?),
    ];
    let pages = responses.map(|(name, response)| tell(name, url, response));
    if pages.iter().any(|page| *page != pages[0]) {
        return Err("they are not the same page".into());
    }
    println!("four times the same page");
    Ok(())
}
// ANCHOR_END: same_page

// ANCHOR: tell
/// Prints what came of a fetch, and returns what has to be the same: the status, the
/// body and the links.
fn tell(name: &str, url: &Url, response: Response) -> (u16, Vec<u8>, Vec<Url>) {
    let body = response.body.clone();
    let page = digest(url, response);
    let (status, size, links) = (page.status, body.len(), page.links);
    println!("{name}: status {status}, {size} bytes, links: {}", links.len());
    (status, body, links)
}
// ANCHOR_END: tell

// ANCHOR: time_out
/// Throws a time-out into an async block. A generator could catch it. This is dropped.
fn time_out(to: SocketAddr, url: Url) -> std::result::Result<(), Box<dyn Error>> {
    let mut executor = Executor::new(&Stop::new(), Watch::off())?;
    let slot = shared()?;
    let fetch = fetch(Rc::clone(&slot), to, url);
    let visit = async move {
        let _guard = Guard;
        fetch.await
    };
    let visit = AsCoroutine::new(visit, &slot, &executor.futures);
    let task = executor.futures.spawn("a slow page", visit);
    let (id, late) = (task.task, FetchError::TimedOut(PATIENCE));
    let throw = move |futures: &mut Futures| futures.throw(id, late);
    executor.futures.timers.set(Instant::now() + PATIENCE, Box::new(throw));
    let error = executor.run_until_complete(task)?.err().ok_or("it is not so slow")?;
    println!("the task has ended: {error}");
    println!("sockets that somebody waits for: {}", executor.futures.armed.len());
    Ok(())
}
// ANCHOR_END: time_out

// ANCHOR: guard
/// The first local of an async block is the last to be dropped.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        println!("the async block is dropped, and its socket is closed");
    }
}
// ANCHOR_END: guard
