//! A worker reports each item that it has taken, whichever way it leaves.

use crate::{cases, expect_panic, story};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::num::ParseIntError;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// A worker in a box. It ends if an order is not a number.
pub type Boxed = Pin<Box<dyn Future<Output = Result<(), ParseIntError>>>>;

/// Takes orders for cakes, without end.
pub trait Worker: 'static {
    /// Takes one order after the other: shares a cake among its guests, puts an order
    /// for the guests that got nothing, and reports the order as done. Each order that
    /// was taken is reported once, whichever way the worker leaves.
    fn work(orders: Rc<Orders>) -> Boxed;
}

/// A queue of orders, and the kitchen. An order is a number of guests.
#[derive(Default)]
pub struct Orders {
    waiting: RefCell<VecDeque<String>>,
    /// Whether the cake is still in the oven: sharing it has to wait.
    is_baking: Cell<bool>,
    done: Cell<usize>,
    /// How many orders were done when the latest one was put.
    done_at_put: Cell<usize>,
}

impl Orders {
    /// Waits for an order, and takes it.
    pub async fn get(&self) -> String {
        poll_fn(|_| match self.waiting.borrow_mut().pop_front() {
            Some(order) => {
                story!("the order for {order} guests is taken");
                Poll::Ready(order)
            }
            None => Poll::Pending,
        })
        .await
    }

    /// Shares a cake of twelve pieces, and returns how many guests have got nothing.
    /// Panics if there are no guests at all.
    pub async fn share(&self, order: &str) -> Result<u32, ParseIntError> {
        poll_fn(|_| if self.is_baking.get() { Poll::Pending } else { Poll::Ready(()) })
            .await;
        let guests: u32 = order.parse()?;
        assert_ne!(guests, 0, "a cake for 0 guests cannot be shared");
        Ok(guests.saturating_sub(12))
    }

    /// Adds an order.
    pub fn put(&self, order: String) {
        story!("an order for {order} guests is put");
        self.waiting.borrow_mut().push_back(order);
        self.done_at_put.set(self.done.get());
    }

    /// Reports an order as done.
    pub fn task_done(&self) {
        story!("an order is done");
        self.done.set(self.done.get() + 1);
    }
}

cases! {
    Worker:
    what_is_left_is_put_before_its_order_is_done,
    each_order_is_done_once,
    an_error_reports_its_order_and_is_returned,
    a_panic_reports_its_order,
    a_worker_that_is_cancelled_reports_its_order,
    a_worker_that_waits_for_an_order_has_none_to_report,
}

/// A worker, and its orders.
fn worker<W: Worker>(orders: &[&str]) -> (Boxed, Rc<Orders>) {
    let queue = Rc::<Orders>::default();
    orders.iter().for_each(|order| queue.put(order.to_string()));
    (W::work(Rc::clone(&queue)), queue)
}

fn poll(worker: &mut Boxed) -> Poll<Result<(), ParseIntError>> {
    story!("the worker is polled");
    worker.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

fn what_is_left_is_put_before_its_order_is_done<W: Worker>() {
    let (mut worker, orders) = worker::<W>(&["20"]);
    assert!(poll(&mut worker).is_pending(), "the worker never ends by itself");
    assert_eq!(
        orders.done_at_put.get(),
        0,
        "orders that were done when the one for 8 was put: with none left, `join` returns"
    );
    assert!(orders.done.get() > 0, "two orders were taken, and none is done");
}

fn each_order_is_done_once<W: Worker>() {
    let (mut worker, orders) = worker::<W>(&["3", "13", "20", "12"]);
    assert!(poll(&mut worker).is_pending(), "the worker never ends by itself");
    assert_eq!(
        orders.done.get(),
        6,
        "how many times `task_done` was called for six orders"
    );
}

fn an_error_reports_its_order_and_is_returned<W: Worker>() {
    let (mut worker, orders) = worker::<W>(&["three"]);
    let end = poll(&mut worker);
    assert_eq!(
        orders.done.get(),
        1,
        "calls of `task_done` for one order, which is not a number"
    );
    assert!(
        matches!(end, Poll::Ready(Err(_))),
        "\"three\" is not a number, which must end the worker with an error: {end:?}"
    );
    assert!(orders.waiting.borrow().is_empty(), "the bad order is put again");
}

fn a_panic_reports_its_order<W: Worker>() {
    let (mut worker, orders) = worker::<W>(&["0"]);
    let panic = expect_panic(|| drop(poll(&mut worker)));
    assert!(panic.is_some(), "nothing may hide a panic: it is a bug");
    drop(worker);
    assert_eq!(
        orders.done.get(),
        1,
        "how many times `task_done` was called for one order, whose sharing panicked"
    );
}

fn a_worker_that_is_cancelled_reports_its_order<W: Worker>() {
    let (mut worker, orders) = worker::<W>(&["3"]);
    orders.is_baking.set(true);
    assert!(poll(&mut worker).is_pending(), "the cake is in the oven");
    assert_eq!(
        orders.done.get(),
        0,
        "how many times `task_done` was called while the cake is in the oven"
    );
    story!("the worker is cancelled");
    drop(worker);
    assert_eq!(
        orders.done.get(),
        1,
        "how many times `task_done` was called for one order"
    );
}

fn a_worker_that_waits_for_an_order_has_none_to_report<W: Worker>() {
    let (mut worker, orders) = worker::<W>(&[]);
    assert!(poll(&mut worker).is_pending());
    story!("the worker is cancelled");
    drop(worker);
    assert_eq!(
        orders.done.get(),
        0,
        "how many times `task_done` was called, although no order was taken"
    );
}
