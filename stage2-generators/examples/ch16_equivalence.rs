//! A coroutine can be wrapped as a std future, and a std future as a coroutine: both
//! fetch the same page, on both executors.
//!
//! Read it in two halves: `AsStd` and `block_on` first, then `AsCoroutine`. The
//! compiler turns an `async fn` into an enum with `poll`; its `.await` is `yield from`.
//!
//! `cargo run -p stage2-generators --example ch16_equivalence`

use polling::{Event, Poller};
use shared::demo_site::DemoSite;
use shared::http::ConnectionOption;
use shared::{FetchError, Needs, Page, Response, ResponseParser, Stop, Trace, request};
use stage2_generators::{
    Connect, Coroutine, Fetch, Future, Interest, Loop, LoopError, RESOLVED, Result,
    Resume, Socket, Step, TaskId, yield_from,
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

// ANCHOR: shared
/// `poll` is handed a waker and nothing else. So all std futures that use our loop
/// share it.
struct Shared {
    event_loop: RefCell<Loop>,
    /// Wakers that are called when the loop is no longer borrowed.
    woken: RefCell<Vec<Waker>>,
}

impl Shared {
    fn new() -> io::Result<Rc<Shared>> {
        let event_loop = RefCell::new(Loop::new(&Stop::new(), Trace::off())?);
        Ok(Rc::new(Shared { event_loop, woken: RefCell::default() }))
    }
    // ANCHOR_END: shared

    // ANCHOR: with
    /// Lends the loop to `run`, and then calls the wakers. By then nothing is borrowed,
    /// because a waker may run any code, and even poll.
    fn with<T>(&self, run: impl FnOnce(&mut Loop) -> T) -> T {
        let value = run(&mut self.event_loop.borrow_mut());
        self.woken.take().into_iter().for_each(Waker::wake);
        value
    }

    /// Calls a waker: now, or at the end of `with`.
    fn wake(&self, waker: &Waker) {
        let is_lent = self.event_loop.try_borrow().is_err();
        if is_lent {
            self.woken.borrow_mut().push(waker.clone());
        } else {
            waker.wake_by_ref();
        }
    }
    // ANCHOR_END: with
}

// ANCHOR: as_std
/// One of our coroutines as a std future.
struct AsStd<C: Coroutine> {
    coroutine: C,
    shared: Rc<Shared>,
    /// `None` before the coroutine begins, and after it has returned.
    waits: Option<Waits>,
}

/// What the coroutine has yielded, and the task that calls the waker after that.
struct Waits {
    future: Future,
    task: TaskId,
}

impl<C: Coroutine> AsStd<C> {
    fn new(coroutine: C, shared: &Rc<Shared>) -> AsStd<C> {
        AsStd { coroutine, shared: Rc::clone(shared), waits: None }
    }
}

/// It may move between two calls, because each of our coroutines is a value like any
/// other. So `poll` may take it out of its `Pin`. (What the compiler makes of an `async
/// fn` must not move.)
impl<C: Coroutine> Unpin for AsStd<C> {}
// ANCHOR_END: as_std

// ANCHOR: poll
impl<C: Coroutine> std::future::Future for AsStd<C> {
    type Output = C::Return;

    /// Resumes the coroutine, unless what it has yielded is still pending.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<C::Return> {
        let AsStd { coroutine, shared, waits } = &mut *self;
        shared.with(|event_loop| {
            let future = match waits.take() {
                Some(Waits { future, task }) if is_pending(future, event_loop) => {
                    event_loop.throw(task, FetchError::Interrupted);
                    future
                }
                _ => match coroutine.resume(event_loop, Resume::Send) {
                    Step::Yield(future) => future,
                    Step::Return(value) => return Poll::Ready(value),
                },
            };
            let task = event_loop.spawn(wake_after(future, cx.waker(), shared)).task;
            *waits = Some(Waits { future, task });
            Poll::Pending
        })
    }
}
// ANCHOR_END: poll

// ANCHOR: wake_after
/// Waits for one of our futures, and then calls the waker of a std future.
fn wake_after(
    mut future: Future,
    waker: &Waker,
    shared: &Rc<Shared>,
) -> impl Coroutine<Return = Result<()>> + use<> {
    let (waker, shared) = (waker.clone(), Rc::clone(shared));
    move |event_loop: &mut Loop, resume: Resume| {
        let resolved = yield_from!(future, event_loop, resume);
        if resolved.is_ok() {
            shared.wake(&waker);
        }
        Step::Return(resolved)
    }
}
// ANCHOR_END: wake_after

// ANCHOR: dropped
/// Each of our futures is a coroutine, too: while it is pending, it yields itself.
fn is_pending(mut future: Future, event_loop: &mut Loop) -> bool {
    matches!(future.resume(event_loop, Resume::Send), Step::Yield(_))
}

impl<C: Coroutine> Drop for AsStd<C> {
    /// Cancelled. The coroutine gives up its wait. What it waited for stays as it is,
    /// because other tasks may wait for it, too. (`gen.close()`)
    fn drop(&mut self) {
        let AsStd { coroutine, shared, waits } = self;
        let Some(Waits { task, .. }) = waits else { return };
        shared.with(|event_loop| {
            event_loop.throw(*task, FetchError::Interrupted);
            let _ =
                coroutine.resume(event_loop, Resume::Throw(FetchError::Interrupted));
        });
    }
}
// ANCHOR_END: dropped

// ANCHOR: flag
/// The waker of `block_on`: it notes that there is something to do, and ends the wait.
struct Flag {
    is_set: AtomicBool,
    poller: Arc<Poller>,
}

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.is_set.store(true, Ordering::SeqCst);
        // It fails only if the selector is gone, and then nothing waits.
        let _ = self.poller.notify();
    }
}
// ANCHOR_END: flag

// ANCHOR: block_on
/// An executor for one std future. It waits here, so that `poll` never has to.
/// (Something in `futures.external` must be able to wake it, or it counts as stuck.)
fn block_on<T>(
    future: impl std::future::Future<Output = T>,
    shared: &Shared,
) -> Result<T, LoopError> {
    let mut future = pin!(future); // from here on it does not move
    let poller = shared.with(|event_loop| Arc::clone(&event_loop.reactor.poller));
    let flag = Arc::new(Flag { is_set: AtomicBool::new(true), poller });
    let waker = Waker::from(Arc::clone(&flag));
    loop {
        // Cleared before the poll: a wake during the poll sets it again.
        if flag.is_set.swap(false, Ordering::SeqCst) {
            let mut cx = Context::from_waker(&waker);
            if let Poll::Ready(result) = future.as_mut().poll(&mut cx) {
                return Ok(result);
            }
        }
        shared.with(Loop::run_ready); // the tasks that call the waker
        if !flag.is_set.load(Ordering::SeqCst) && shared.with(|it| it.is_stuck()) {
            return Err(LoopError::Stuck("nothing can wake the std future".into()));
        }
        shared.with(Loop::poll_events)?; // a flag that is set ends it at once
    }
}
// ANCHOR_END: block_on

// ANCHOR: as_coroutine
/// A std future as one of our coroutines.
struct AsCoroutine<F> {
    /// `None` after an error was thrown in.
    future: Option<Pin<Box<F>>>,
    /// Where the std future finds the loop, while it runs.
    slot: Rc<Shared>,
    wakes: Arc<WakeTask>,
}

impl<F> AsCoroutine<F> {
    fn new(future: F, slot: &Rc<Shared>, event_loop: &Loop) -> AsCoroutine<F> {
        let sender = event_loop.reactor.sender.clone();
        let poller = Arc::clone(&event_loop.reactor.poller);
        let wakes = WakeTask { event: Mutex::new(RESOLVED), sender, poller };
        let future = Some(Box::pin(future));
        AsCoroutine { future, slot: Rc::clone(slot), wakes: Arc::new(wakes) }
    }
}
// ANCHOR_END: as_coroutine

// ANCHOR: resume
impl<T, F> Coroutine for AsCoroutine<F>
where
    F: std::future::Future<Output = Result<T>>,
{
    type Return = Result<T>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<T>> {
        let AsCoroutine { future, slot, wakes } = self;
        let event = wakes.rearm(event_loop);
        let result = if let Resume::Throw(error) = resume {
            lend(event_loop, slot, || *future = None); // dropped: it cannot catch this
            Err(error)
        } else {
            let future = future.as_mut().expect("a task drops what has returned");
            let waker = Waker::from(Arc::clone(wakes));
            let poll = || future.as_mut().poll(&mut Context::from_waker(&waker));
            match lend(event_loop, slot, poll) {
                Poll::Pending => return Step::Yield(event),
                Poll::Ready(result) => result,
            }
        };
        event_loop.resolve(event); // takes it out of the table
        Step::Return(result)
    }
}
// ANCHOR_END: resume

// ANCHOR: lend
/// `poll` has no parameter for the loop. So the loop is swapped into the slot while
/// `run` runs, and out again afterwards.
fn lend<T>(event_loop: &mut Loop, slot: &Shared, run: impl FnOnce() -> T) -> T {
    mem::swap(event_loop, &mut slot.event_loop.borrow_mut());
    let value = run(); // the slot is not borrowed now
    mem::swap(event_loop, &mut slot.event_loop.borrow_mut());
    value
}
// ANCHOR_END: lend

// ANCHOR: wakes
/// The waker of an `AsCoroutine`: one for all polls.
struct WakeTask {
    /// The stage's own future that the task waits for: it means "the waker was called".
    event: Mutex<Future>,
    /// Sends futures to the loop, which resolves them.
    sender: Sender<Future>,
    poller: Arc<Poller>,
}

impl Wake for WakeTask {
    /// Any thread may call this, so it asks the loop to resolve the future.
    fn wake(self: Arc<Self>) {
        // They fail only if the loop is gone, and then nothing waits.
        let _ = self.sender.send(*self.event.lock().expect(NOT_POISONED));
        let _ = self.poller.notify();
    }
}

const NOT_POISONED: &str = "nothing panics while it holds the future";
// ANCHOR_END: wakes

// ANCHOR: rearm
impl WakeTask {
    /// Makes the future to wait for if the next poll returns `Pending`. From now on the
    /// waker resolves this one, so a wake during the poll is not lost either.
    fn rearm(&self, event_loop: &mut Loop) -> Future {
        let event = event_loop.new_future();
        // Another thread may wake us, so the loop is not stuck.
        event_loop.futures.external.insert(event, None);
        let before = mem::replace(&mut *self.event.lock().expect(NOT_POISONED), event);
        event_loop.resolve(before); // takes it out of the table
        event
    }
}
// ANCHOR_END: rearm

// ANCHOR: attempt
/// The leaf: tries an operation that may have to wait for a socket. (Closures are
/// coroutines, too.)
fn attempt<T>(
    shared: &Rc<Shared>,
    socket: &Socket,
    interest: Interest,
    mut operation: impl FnMut(&socket2::Socket) -> io::Result<T>,
) -> impl std::future::Future<Output = Result<T>> {
    let coroutine = move |event_loop: &mut Loop, resume: Resume| {
        event_loop.attempt(socket, interest, resume, &mut operation)
    };
    AsStd::new(coroutine, shared)
}
// ANCHOR_END: attempt

// ANCHOR: fetch
/// The same fetch as `Fetch`. Its enum is written by the compiler.
async fn fetch(shared: Rc<Shared>, to: SocketAddr, url: Url) -> Result<Response> {
    let request = request(&url, AGENT, ConnectionOption::Close);
    let connect = Connect::to(vec![to], Instant::now());
    let socket = AsStd::new(connect, &shared).await?; // a coroutine, awaited
    let mut sent = 0;
    let send = |mut socket: &socket2::Socket| {
        while sent < request.len() {
            sent += socket.write(&request[sent..])?;
        }
        Ok(())
    };
    attempt(&shared, &socket, Event::writable, send).await?;
    let mut parser = ResponseParser::with_limit(MAX_BODY);
    loop {
        let chunk = attempt(&shared, &socket, Event::readable, read).await?;
        if let Some(response) = parser.feed(&chunk)? {
            return Ok(response);
        }
    }
}
// ANCHOR_END: fetch

// ANCHOR: read
fn read(mut socket: &socket2::Socket) -> io::Result<Vec<u8>> {
    let mut chunk = [0; 4096]; // on the stack: no task holds it while waiting
    let count = socket.read(&mut chunk)?;
    Ok(chunk[..count].to_vec())
}
// ANCHOR_END: read

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let site = DemoSite::start()?;
    same_page(site.address(), &Url::parse(&site.url("/drip"))?)?;
    time_out(site.address(), Url::parse(&site.url("/slow/1?ms=60000"))?)?;
    let shared = Shared::new()?;
    let never = AsStd::new(shared.with(Loop::new_future), &shared);
    println!("a future is never resolved: {:?}", block_on(never, &shared));
    one_of_two(&shared);
    Ok(())
}

/// Runs a coroutine on our loop, to its end.
fn run<T: 'static>(
    event_loop: &mut Loop,
    coroutine: impl Coroutine<Return = Result<T>> + 'static,
) -> Result<Result<T>, LoopError> {
    let task = event_loop.spawn(coroutine);
    event_loop.run_until_complete(task)
}
// ANCHOR_END: main

// ANCHOR: same_page
fn same_page(to: SocketAddr, url: &Url) -> Result<(), Box<dyn Error>> {
    let by_hand = || Fetch::Connecting {
        connect: Connect::to(vec![to], Instant::now()),
        request: request(url, AGENT, ConnectionOption::Close),
        needs: Needs::Whole { max_body: MAX_BODY },
    };
    let std = |shared: &Rc<Shared>| fetch(Rc::clone(shared), to, url.clone());
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let (shared, slot) = (Shared::new()?, Shared::new()?);
    let std_as_coroutine = AsCoroutine::new(std(&slot), &slot, &event_loop);
    let by_hand_as_std = AsStd::new(by_hand(), &shared);
    let responses = [
        ("Fetch on our executor", run(&mut event_loop, by_hand())??),
        ("Fetch on block_on", block_on(by_hand_as_std, &shared)??),
        ("async fn on block_on", block_on(std(&shared), &shared)??),
        ("async fn on our executor", run(&mut event_loop, std_as_coroutine)??),
    ];
    let pages = responses.map(|(name, response)| show(name, url, response));
    if pages.iter().any(|page| *page != pages[0]) {
        return Err("they are not the same page".into());
    }
    println!("four times the same page");
    Ok(())
}
// ANCHOR_END: same_page

// ANCHOR: show
/// Prints the result of a fetch, and returns what has to be the same each time: the
/// status, the body and the links.
fn show(name: &str, url: &Url, response: Response) -> (u16, Vec<u8>, Vec<Url>) {
    let body = response.body.clone();
    let page = Page::from_response(url, response);
    let (status, size, links) = (page.status, body.len(), page.links);
    println!("{name}: status {status}, {size} bytes, links: {}", links.len());
    (status, body, links)
}
// ANCHOR_END: show

// ANCHOR: time_out
/// Throws a time-out into an async block. A generator could catch it. The block cannot:
/// it is dropped.
fn time_out(to: SocketAddr, url: Url) -> Result<(), Box<dyn Error>> {
    let mut event_loop = Loop::new(&Stop::new(), Trace::off())?;
    let slot = Shared::new()?;
    let fetch = fetch(Rc::clone(&slot), to, url);
    let visit = async move {
        let _guard = Guard;
        fetch.await
    };
    let visit = AsCoroutine::new(visit, &slot, &event_loop);
    let join = event_loop.spawn(visit);
    let task = join.task;
    let late = FetchError::TimedOut(PATIENCE);
    let throw = move |event_loop: &mut Loop| event_loop.throw(task, late);
    event_loop.reactor.timers.set(Instant::now() + PATIENCE, Box::new(throw));
    let error =
        event_loop.run_until_complete(join)?.err().ok_or("it is not so slow")?;
    println!("the task has ended: {error}");
    println!("sockets that are still armed: {}", event_loop.futures.external.len());
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

// ANCHOR: one_of_two
/// Two std futures wait for one of our futures, and the first of them is dropped.
fn one_of_two(shared: &Rc<Shared>) {
    let future = shared.with(Loop::new_future);
    let mut first = AsStd::new(future, shared);
    let mut second = AsStd::new(future, shared);
    let mut cx = Context::from_waker(Waker::noop());
    assert!(pin!(&mut first).poll(&mut cx).is_pending());
    assert!(pin!(&mut second).poll(&mut cx).is_pending());
    drop(first);
    println!(
        "one of two is dropped: the other is {:?}",
        pin!(&mut second).poll(&mut cx)
    );
    shared.with(|event_loop| event_loop.resolve(future));
    println!(
        "the future is resolved: the other is {:?}",
        pin!(&mut second).poll(&mut cx)
    );
}
// ANCHOR_END: one_of_two
