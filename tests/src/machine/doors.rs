//! What the rules wait with: futures that are opened by hand, and wakers that do more than
//! to wake.

use super::{JoinError, story::tell};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

/// Why a run that is not over must not end.
pub(super) const STUCK: &str =
    "`block_on` is stuck, although a wake-up has come or will";
/// What a task does that is neither cancelled nor panics.
pub(super) const ENDS: &str = "the task ends with its output";

/// Asserts that a task has ended because it was cancelled.
#[track_caller]
pub(super) fn was_cancelled<T, E: JoinError>(ended: Result<T, E>) {
    let is_right = ended.is_err_and(|error| error.is_cancelled());
    assert!(is_right, "the task was cancelled, and its handle does not say so");
}

/// Asserts that a task has ended with a panic.
#[track_caller]
pub(super) fn has_panicked<T, E: JoinError>(ended: Result<T, E>) {
    let is_right = ended.is_err_and(|error| error.has_panicked());
    assert!(is_right, "the task has panicked, and its handle does not say so");
}

/// Ends a task.
pub(super) fn bug() -> ! {
    panic!("the promise has a task that panics: catch that, and run the other tasks")
}

/// What happened, in its order.
pub(super) type Story = Rc<RefCell<Vec<&'static str>>>;

/// Ready at the second poll: it wakes itself during the first.
pub(super) fn yield_once() -> impl Future<Output = ()> {
    let mut is_second = false;
    poll_fn(move |cx| {
        if mem::replace(&mut is_second, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Polls once, with a waker that does nothing.
pub(super) fn poll<F: Future + ?Sized>(future: &mut Pin<Box<F>>) -> Poll<F::Output> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

/// A door that is closed until it is opened by hand. It keeps the latest waker.
#[derive(Default)]
pub(super) struct Door {
    is_open: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    pub(super) polls: Cell<u32>,
}

impl Door {
    pub(super) async fn pass(&self) {
        poll_fn(|cx| {
            self.polls.set(self.polls.get() + 1);
            tell(format_args!("poll {} of the task at the door", self.polls.get()));
            *self.waker.borrow_mut() = Some(cx.waker().clone());
            if self.is_open.get() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Wakes the task that waits, though the door stays as it is.
    pub(super) fn ring(&self) {
        tell(format_args!("the waker of the task at the door is called"));
        let waker = self.waker.borrow().clone();
        waker.into_iter().for_each(Waker::wake);
    }

    pub(super) fn open(&self) {
        self.is_open.set(true);
        self.ring();
    }
}

/// Adds a line to the story when it is dropped.
pub(super) struct Tells(pub(super) Story, pub(super) &'static str);

impl Drop for Tells {
    fn drop(&mut self) {
        tell(format_args!("a value of a task is dropped"));
        self.0.borrow_mut().push(self.1);
    }
}

/// Panics when it is dropped.
pub(super) struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        tell(format_args!("a value is dropped whose destructor panics"));
        panic!("the promise has a destructor that panics: catch it, as a task's panic");
    }
}

/// A waker that does nothing, and what counts how many clones of it there are.
pub(super) fn counted_waker() -> (Waker, impl Fn() -> usize) {
    struct Nothing;
    impl Wake for Nothing {
        fn wake(self: Arc<Self>) {}
    }
    let nothing = Arc::new(Nothing);
    let waker = Waker::from(Arc::clone(&nothing));
    (waker, move || Arc::strong_count(&nothing) - 1)
}

thread_local! {
    static MEDDLE: RefCell<Rc<dyn Fn()>> = RefCell::new(Rc::new(|| ()));
}

/// From here on, this thread's meddling wakers call this function.
pub(super) fn set_meddle(meddle: impl Fn() + 'static) {
    MEDDLE.set(Rc::new(meddle));
}

/// A waker that uses the machine while it is woken, and while it is dropped: so it finds
/// what is still borrowed then.
pub(super) fn meddling_waker() -> Waker {
    Waker::from(Arc::new(Meddles))
}

struct Meddles;

impl Wake for Meddles {
    fn wake(self: Arc<Self>) {
        meddle();
    }
}

impl Drop for Meddles {
    fn drop(&mut self) {
        meddle();
    }
}

fn meddle() {
    tell(format_args!("a waker is called or dropped, and uses the machine"));
    let meddle = MEDDLE.with_borrow(Rc::clone);
    meddle();
}
