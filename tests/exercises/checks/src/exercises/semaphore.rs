//! A semaphore: permits that are acquired several at once, in the order of the requests.

use crate::{CountingWaker, cases, story, waker_that, waker_that_ends_with};
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Permits that tasks share. Clones are handles to the same semaphore.
pub trait Semaphore: Clone + 'static {
    /// Permits that a request has got. They are returned when this is dropped.
    type Permits: 'static;
    /// A request for permits. If it is dropped, it no longer waits, and takes none.
    type Acquire: Future<Output = Self::Permits> + Unpin + 'static;
    /// Returns a semaphore with this number of permits.
    fn new(permits: usize) -> Self;
    /// Waits for `count` permits, and takes all of them at once. First come, first
    /// served: a request waits as long as an earlier one does. No case requests more than
    /// there are in all, so the count need not be lowered as in the chapter.
    fn acquire(&self, count: usize) -> Self::Acquire;
    /// Returns how many permits are neither taken nor granted to a request.
    fn free(&self) -> usize;
}

cases! {
    Semaphore:
    permits_that_are_free_are_acquired_at_once,
    permits_that_are_dropped_are_free_again,
    a_request_for_more_than_is_free_waits,
    permits_that_return_are_granted_to_the_request_that_waits,
    a_new_request_does_not_overtake_one_that_waits,
    a_large_request_at_the_front_is_not_overtaken,
    permits_that_are_granted_are_not_free,
    permits_that_are_free_can_be_acquired_while_others_are_granted,
    all_requests_that_fit_are_woken,
    the_task_that_polled_last_is_woken,
    a_request_that_gives_up_leaves_no_waker,
    when_the_first_request_gives_up_those_behind_it_are_granted,
    a_request_that_was_granted_and_is_dropped_returns_its_permits,
    the_waker_may_use_the_semaphore,
    a_waker_that_goes_may_return_permits,
}

fn poll<F: Future + Unpin>(request: &mut F, waker: &Waker) -> Poll<F::Output> {
    let poll = Pin::new(request).poll(&mut Context::from_waker(waker));
    story!(
        "a request is polled: {}",
        if poll.is_ready() { "Ready" } else { "Pending" }
    );
    poll
}

/// Acquires permits that are free.
fn acquired<S: Semaphore>(semaphore: &S, count: usize) -> S::Permits {
    story!("{count} permits are requested, {} are free", semaphore.free());
    match poll(&mut semaphore.acquire(count), Waker::noop()) {
        Poll::Ready(permits) => permits,
        Poll::Pending => panic!("no request waits, and enough permits are free"),
    }
}

/// A request that has been polled and waits, and its task.
fn waits<S: Semaphore>(
    semaphore: &S,
    count: usize,
) -> (S::Acquire, Arc<CountingWaker>) {
    let (mut request, task) =
        (semaphore.acquire(count), CountingWaker::new("the task"));
    story!("{count} permits are requested, {} are free", semaphore.free());
    assert!(poll(&mut request, &task.waker()).is_pending(), "this request has to wait");
    (request, task)
}

/// The permits of a request that was woken.
fn granted<S: Semaphore>(
    (mut request, task): (S::Acquire, Arc<CountingWaker>),
) -> S::Permits {
    assert_eq!(task.wakes(), 1, "wakes of a task whose permits are there");
    match poll(&mut request, &task.waker()) {
        Poll::Ready(permits) => permits,
        Poll::Pending => panic!("it was woken for its permits"),
    }
}

fn returned(permits: impl Sized) {
    story!("permits return");
    drop(permits);
}

fn permits_that_are_free_are_acquired_at_once<S: Semaphore>() {
    let semaphore = S::new(5);
    let _two = acquired(&semaphore, 2);
    assert_eq!(semaphore.free(), 3, "permits that are free when two of five are taken");
    let _three = acquired(&semaphore, 3);
    assert_eq!(semaphore.free(), 0, "permits that are free when all five are taken");
}

fn permits_that_are_dropped_are_free_again<S: Semaphore>() {
    let semaphore = S::new(5);
    for count in [2, 5, 3, 5] {
        let permits = acquired(&semaphore, count);
        assert_eq!(
            semaphore.free(),
            5 - count,
            "permits that are free: {count} of five are taken"
        );
        returned(permits);
        assert_eq!(
            semaphore.free(),
            5,
            "permits that are free, once all have returned"
        );
    }
}

fn a_request_for_more_than_is_free_waits<S: Semaphore>() {
    let semaphore = S::new(5);
    let _three = acquired(&semaphore, 3);
    let (mut request, task) = waits(&semaphore, 4);
    assert!(poll(&mut request, &task.waker()).is_pending(), "two of four are free");
    assert_eq!(
        task.wakes(),
        0,
        "wakes of the task, although its permits are not there"
    );
    assert_eq!(
        semaphore.free(),
        2,
        "permits that are free: a request takes all of its permits, or none"
    );
}

fn permits_that_return_are_granted_to_the_request_that_waits<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let request = waits(&semaphore, 4);
    returned(all);
    let four = granted::<S>(request);
    assert_eq!(
        semaphore.free(),
        1,
        "permits that are free when four of five are taken"
    );
    returned(four);
    assert_eq!(semaphore.free(), 5, "permits that are free, once all have returned");
}

fn a_new_request_does_not_overtake_one_that_waits<S: Semaphore>() {
    let semaphore = S::new(5);
    let three = acquired(&semaphore, 3);
    let large = waits(&semaphore, 4);
    let small = waits(&semaphore, 1);
    returned(three);
    returned(granted::<S>(large));
    let _one = granted::<S>(small);
}

fn a_large_request_at_the_front_is_not_overtaken<S: Semaphore>() {
    let semaphore = S::new(5);
    let [one, two] = [1, 4].map(|count| acquired(&semaphore, count));
    let (large, task) = waits(&semaphore, 4);
    let (mut small, small_task) = waits(&semaphore, 1);
    returned(one);
    story!("the small one is polled again, without a reason");
    assert!(poll(&mut small, &small_task.waker()).is_pending(), "it is the second one");
    let wakes = (task.wakes(), small_task.wakes());
    assert_eq!(
        wakes,
        (0, 0),
        "one permit is free: wakes of the large and the small one"
    );
    returned(two);
    returned(granted::<S>((large, task)));
    let _one = granted::<S>((small, small_task));
}

fn all_requests_that_fit_are_woken<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let requests = [2, 1, 1, 2].map(|count| waits(&semaphore, count));
    returned(all);
    let wakes = requests.each_ref().map(|(_, task)| task.wakes());
    assert_eq!(
        wakes,
        [1, 1, 1, 0],
        "wakes of the tasks that request 2, 1, 1 and 2 of five permits"
    );
    assert_eq!(
        semaphore.free(),
        1,
        "permits that are free when four of five are granted"
    );
}

fn permits_that_are_granted_are_not_free<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let first = waits(&semaphore, 4);
    returned(all);
    assert_eq!(
        semaphore.free(),
        1,
        "permits that are free: four were granted, and not taken yet"
    );
    let mut second = waits(&semaphore, 2);
    story!("the second request is polled again, without a reason");
    let is_pending = poll(&mut second.0, &second.1.waker()).is_pending();
    assert!(is_pending, "what was granted belongs to the first request");
    returned(granted::<S>(first));
    let _two = granted::<S>(second);
    assert_eq!(semaphore.free(), 3, "permits that are free when two of five are taken");
}

fn permits_that_are_free_can_be_acquired_while_others_are_granted<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let request = waits(&semaphore, 4);
    returned(all);
    let _one = acquired(&semaphore, 1);
    let _four = granted::<S>(request);
}

fn the_task_that_polled_last_is_woken<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let (mut request, old) = waits(&semaphore, 2);
    let _behind = waits(&semaphore, 5);
    let new = CountingWaker::new("the new task");
    story!("the request is moved to another task");
    assert!(poll(&mut request, &new.waker()).is_pending(), "nothing has returned");
    returned(all);
    let wakes = (old.wakes(), new.wakes());
    assert_eq!(wakes, (0, 1), "wakes of the old task and of the new");
    assert!(
        poll(&mut request, &new.waker()).is_ready(),
        "it was woken for its permits"
    );
}

fn a_request_that_gives_up_leaves_no_waker<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let (request, task) = waits(&semaphore, 2);
    let second = waits(&semaphore, 1);
    story!("the first request is dropped");
    drop(request);
    assert_eq!(task.held(), 0, "wakers of its task that are still held");
    let third = waits(&semaphore, 1);
    returned(all);
    assert_eq!(task.wakes(), 0, "wakes of a task that no longer waits");
    assert_eq!(
        semaphore.free(),
        3,
        "permits that are free: only the other two requests have taken any"
    );
    let _ones = [second, third].map(granted::<S>);
}

fn when_the_first_request_gives_up_those_behind_it_are_granted<S: Semaphore>() {
    let semaphore = S::new(5);
    let _three = acquired(&semaphore, 3);
    let (large, _task) = waits(&semaphore, 4);
    let small = [1, 1].map(|count| waits(&semaphore, count));
    story!("the large request is dropped");
    drop(large);
    let _small = small.map(granted::<S>);
    assert_eq!(semaphore.free(), 0, "permits that are free when all five are taken");
}

fn a_request_that_was_granted_and_is_dropped_returns_its_permits<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let (request, task) = waits(&semaphore, 4);
    let behind = waits(&semaphore, 3);
    returned(all);
    assert_eq!(task.wakes(), 1, "wakes of the task, once its permits are there");
    story!("the request is dropped, and has not taken them");
    drop(request);
    returned(granted::<S>(behind));
    assert_eq!(semaphore.free(), 5, "permits that are free, once all have returned");
}

/// A waker may run any code: this one takes its permits and requests one more.
fn the_waker_may_use_the_semaphore<S: Semaphore>() {
    let semaphore = S::new(5);
    let all = acquired(&semaphore, 5);
    let request = Rc::new(RefCell::new(semaphore.acquire(2)));
    let (found, waking) = (Rc::new(Cell::new(None)), semaphore.clone());
    let (request_of_waker, found_by_waker) = (Rc::clone(&request), Rc::clone(&found));
    let waker = waker_that(move || {
        story!("the waker polls the request at once, and makes another");
        let two = poll(&mut *request_of_waker.borrow_mut(), Waker::noop());
        let one = poll(&mut waking.acquire(1), Waker::noop());
        found_by_waker.set(Some((two.is_ready(), one.is_ready())));
    });
    assert!(poll(&mut *request.borrow_mut(), &waker).is_pending());
    returned(all);
    let right = Some((true, true));
    assert_eq!(found.get(), right, "grant the permits, end the borrow, then wake");
}

/// The last waker of a task may own the task, and so what the task has.
fn a_waker_that_goes_may_return_permits<S: Semaphore>() {
    for is_dropped in [false, true] {
        story::begin();
        let semaphore = S::new(5);
        let permits = acquired(&semaphore, 3);
        let waker = waker_that_ends_with(move || {
            story!("the last waker of the old task goes, and with it its permits");
            drop(permits);
        });
        let mut request = semaphore.acquire(4);
        assert!(poll(&mut request, &waker).is_pending(), "two of five are free");
        drop(waker);
        if is_dropped {
            story!("the request is dropped");
            drop(request);
            assert_eq!(
                semaphore.free(),
                5,
                "permits that are free, once all have returned"
            );
        } else {
            let task = CountingWaker::new("the new task");
            story!("the request is moved to another task");
            let is_ready = poll(&mut request, &task.waker()).is_ready();
            let is_granted = is_ready || task.wakes() == 1;
            assert!(is_granted, "all five are free, and the request waits");
        }
    }
}
