//! A leaf that returns `Pending` and keeps no waker.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

/// The ids of the tasks to poll. There is one task, 1.
#[derive(Default)]
struct ReadyQueue(Mutex<Vec<u32>>);

impl Wake for ReadyQueue {
    fn wake(self: Arc<Self>) {
        self.0.lock().expect("one thread").push(1);
    }
}

/// What has arrived, and the waker that is to be called when something arrives.
#[derive(Default)]
struct Socket {
    data: Cell<Option<u32>>,
    waiter: Cell<Option<Waker>>,
}

impl Socket {
    fn deliver(&self, data: u32) {
        self.data.set(Some(data));
        println!("the data is here");
        self.waiter.take().into_iter().for_each(Waker::wake);
    }
}

fn main() {
    let (ready, socket) = (Arc::<ReadyQueue>::default(), Rc::<Socket>::default());
    let leaf = {
        let socket = socket.clone();
        poll_fn(move |_cx| {
            match socket.data.take() {
                Some(data) => Poll::Ready(data),
                None => Poll::Pending, // `_cx` is not touched
            }
        })
    };
    let mut task = pin!(async move { println!("it has {}", leaf.await) });
    let waker = Waker::from(ready.clone());
    let mut cx = Context::from_waker(&waker);
    let mut number = 0;
    let mut poll = || {
        number += 1;
        let is_pending = task.as_mut().poll(&mut cx).is_pending();
        println!("poll {number}: {}", if is_pending { "pending" } else { "ready" });
    };
    poll();
    socket.deliver(7);
    let woken = std::mem::take(&mut *ready.0.lock().expect("one thread"));
    println!("tasks to poll: {}", woken.len());
    woken.into_iter().for_each(|_| poll());
}
