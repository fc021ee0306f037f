//! A task in one allocation: its future, its wakers, and its handle.

use crate::{cases, story};
use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// A task, as its handle sees it.
pub trait Join<T> {
    /// Takes the output, once; `None` if there is none yet, or no longer.
    fn take(&self) -> Option<T>;
}

/// Runs tasks on this thread.
pub trait Executor: 'static {
    /// An executor without tasks.
    fn new() -> Self;
    /// Makes a task, in one allocation, and puts it into the ready queue. It runs on if
    /// the handle is dropped.
    fn spawn<F>(&self, future: F) -> Arc<dyn Join<F::Output>>
    where
        F: Future<Output: Send> + Unpin + Send + 'static;
    /// Polls tasks, in the order in which they were woken, until none is ready.
    fn run(&self);
}

cases! {
    Executor:
    a_task_that_is_ready_has_an_output_once,
    wakers_and_the_handle_point_to_one_allocation,
    the_future_is_in_that_allocation,
    a_task_that_waits_is_polled_once_for_each_wake,
    tasks_run_in_the_order_in_which_they_were_woken,
    to_take_too_early_changes_nothing,
    a_task_that_wakes_itself_is_polled_again,
    a_future_is_dropped_when_it_ends,
    a_late_wake_polls_nothing,
    a_task_that_nothing_can_wake_is_freed,
    a_queued_task_is_freed_with_its_executor,
    a_wake_after_the_end_of_the_executor_does_nothing,
}

/// What a case sees of a future.
#[derive(Default)]
struct Seen {
    polls: AtomicUsize,
    drops: AtomicUsize,
    /// The address of the future at its latest poll.
    address: AtomicUsize,
    wakers: Mutex<Vec<Waker>>,
    /// Whether each poll wakes the task at once.
    wakes_itself: bool,
}

/// Is ready with 7 at this poll.
struct Parked {
    ready_at: usize,
    seen: Arc<Seen>,
}

impl Seen {
    fn wake(&self) {
        story!("the task is woken");
        let wakers = mem::take(&mut *self.wakers.lock().expect("no panic"));
        wakers.into_iter().for_each(Waker::wake);
    }

    fn polls(&self) -> usize {
        self.polls.load(SeqCst)
    }
}

impl Future for Parked {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let poll = self.seen.polls.fetch_add(1, SeqCst) + 1;
        story!("poll {poll}");
        assert!(poll <= 20, "20 polls: it polls a task that nothing has woken");
        self.seen.address.store(&raw const *self as usize, SeqCst);
        if poll >= self.ready_at {
            return Poll::Ready(7);
        }
        match self.seen.wakes_itself {
            true => cx.waker().wake_by_ref(),
            false => {
                self.seen.wakers.lock().expect("no panic").push(cx.waker().clone())
            }
        }
        Poll::Pending
    }
}

impl Drop for Parked {
    fn drop(&mut self) {
        story!("the future is dropped");
        self.seen.drops.fetch_add(1, SeqCst);
    }
}

/// A task that is ready at this poll, and what is seen of it.
fn spawn<E: Executor>(
    executor: &E,
    ready_at: usize,
) -> (Arc<dyn Join<u32>>, Arc<Seen>) {
    let seen = Arc::<Seen>::default();
    (executor.spawn(Parked { ready_at, seen: Arc::clone(&seen) }), seen)
}

fn run(executor: &impl Executor) {
    story!("run");
    executor.run();
}

fn take(handle: &Arc<dyn Join<u32>>) -> Option<u32> {
    let output = handle.take();
    story!("take: {output:?}");
    output
}

fn a_task_that_is_ready_has_an_output_once<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 1);
    assert_eq!(seen.polls(), 0, "polls of the task, which was only spawned");
    run(&executor);
    assert_eq!(take(&handle), Some(7), "the task has ended");
    assert_eq!(take(&handle), None, "an output is taken once");
}

fn wakers_and_the_handle_point_to_one_allocation<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 2);
    run(&executor);
    let wakers = seen.wakers.lock().expect("no panic");
    let waker = wakers.first().expect("a waker was left at the first poll");
    // std does not promise this address, but a waker made of an `Arc` has it.
    let is_one = waker.data() == Arc::as_ptr(&handle).cast();
    assert!(is_one, "the waker points to one allocation, the handle to another");
}

fn the_future_is_in_that_allocation<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 2);
    run(&executor);
    let begin = Arc::as_ptr(&handle).addr();
    let task = begin..begin + size_of_val(&*handle);
    let future = seen.address.load(SeqCst);
    assert!(task.contains(&future), "the future is in an allocation of its own");
}

fn a_task_that_waits_is_polled_once_for_each_wake<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 3);
    for polls in [1, 2] {
        run(&executor);
        assert_eq!(
            seen.polls(),
            polls,
            "polls of the task: one when it is new, and one after each wake"
        );
        seen.wake();
        assert_eq!(seen.polls(), polls, "polls of the task, which a wake only queues");
    }
    run(&executor);
    assert_eq!(take(&handle), Some(7));
}

fn tasks_run_in_the_order_in_which_they_were_woken<E: Executor>() {
    let (executor, order) = (E::new(), Arc::<Mutex<Vec<usize>>>::default());
    let wakers = Arc::new(Mutex::new([const { None::<Waker> }; 3]));
    for task in 0..3 {
        let (order, wakers) = (Arc::clone(&order), Arc::clone(&wakers));
        drop(executor.spawn(poll_fn(move |cx| {
            story!("task {task} is polled");
            order.lock().expect("no panic").push(task);
            let waker = &mut wakers.lock().expect("no panic")[task];
            let is_first = waker.is_none();
            *waker = Some(cx.waker().clone());
            if is_first { Poll::Pending } else { Poll::Ready(()) }
        })));
    }
    run(&executor);
    for task in [1, 2, 0] {
        story!("task {task} is woken");
        let waker = wakers.lock().expect("no panic")[task].clone();
        waker.expect("it was polled").wake();
    }
    run(&executor);
    let order = mem::take(&mut *order.lock().expect("no panic"));
    assert_eq!(order, [0, 1, 2, 1, 2, 0], "the queue is a queue, not a stack");
}

fn to_take_too_early_changes_nothing<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 2);
    assert_eq!(take(&handle), None, "the task has not begun");
    run(&executor);
    assert_eq!(take(&handle), None, "the task waits");
    seen.wake();
    run(&executor);
    assert_eq!(
        take(&handle),
        Some(7),
        "a handle that looked too early took the future"
    );
}

fn a_task_that_wakes_itself_is_polled_again<E: Executor>() {
    let executor = E::new();
    let seen = Arc::new(Seen { wakes_itself: true, ..Seen::default() });
    let handle = executor.spawn(Parked { ready_at: 3, seen: Arc::clone(&seen) });
    run(&executor);
    assert_eq!(seen.polls(), 3, "polls of the task, which has woken itself twice");
    assert_eq!(take(&handle), Some(7));
}

fn a_future_is_dropped_when_it_ends<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 1);
    run(&executor);
    let drops = seen.drops.load(SeqCst);
    assert_eq!(drops, 1, "futures that were dropped, once the task has ended");
    assert_eq!(take(&handle), Some(7));
}

fn a_late_wake_polls_nothing<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 2);
    run(&executor);
    let late = seen.wakers.lock().expect("no panic")[0].clone();
    seen.wake();
    run(&executor);
    story!("a waker of the task is woken after its end");
    late.wake();
    run(&executor);
    assert_eq!(seen.polls(), 2, "polls of the task, none of them after its end");
    assert_eq!(take(&handle), Some(7), "the output is still there");
}

fn a_task_that_nothing_can_wake_is_freed<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 2);
    run(&executor);
    story!("the handle and the waker are dropped");
    drop(handle);
    seen.wakers.lock().expect("no panic").clear();
    let drops = seen.drops.load(SeqCst);
    assert_eq!(
        drops, 1,
        "futures that were dropped, once no queue, waker or handle is left"
    );
}

fn a_queued_task_is_freed_with_its_executor<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 1);
    story!("the handle and the executor are dropped");
    drop((handle, executor));
    let drops = seen.drops.load(SeqCst);
    assert_eq!(
        drops, 1,
        "futures that were dropped, once the executor and the handle are gone"
    );
}

fn a_wake_after_the_end_of_the_executor_does_nothing<E: Executor>() {
    let executor = E::new();
    let (handle, seen) = spawn(&executor, 2);
    run(&executor);
    story!("the executor is dropped");
    drop(executor);
    seen.wake();
    assert_eq!(seen.polls(), 1, "nothing polls a task without an executor");
    assert_eq!(take(&handle), None);
}
