//! What the rules wait with: futures that are opened by hand, and wakers that do more than
//! to wake.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

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
            *self.waker.borrow_mut() = Some(cx.waker().clone());
            if self.is_open.get() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Wakes the task that waits, though the door stays as it is.
    pub(super) fn ring(&self) {
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
        self.0.borrow_mut().push(self.1);
    }
}

/// Panics when it is dropped.
pub(super) struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
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
    let meddle = MEDDLE.with_borrow(Rc::clone);
    meddle();
}
