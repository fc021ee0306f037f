//! Broken on purpose: a task is woken while it is polled, and a second thread takes it.
//!
//! `cargo run -p stage3-async --example ch30_broken_two_pollers`
//!
//! It does not run in a page: it uses threads.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Barrier, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

// ANCHOR: task
/// A task as in chapter 19, but any thread may poll it, so its future has a lock.
struct Task {
    future: Mutex<Pin<Box<dyn Future<Output = ()> + Send>>>,
    queue: Arc<Mutex<VecDeque<Arc<Task>>>>,
}

impl Wake for Task {
    fn wake(self: Arc<Self>) {
        let queue = Arc::clone(&self.queue);
        queue.lock().expect(NOT_POISONED).push_back(self);
    }
}

/// Polls the task, unless another thread is polling it.
fn run(task: Arc<Task>) {
    let Ok(mut future) = task.future.try_lock() else {
        return println!("{}: another thread polls this task", name());
    };
    println!("{}: polls the task", name());
    let waker = Waker::from(Arc::clone(&task));
    let poll = future.as_mut().poll(&mut Context::from_waker(&waker));
    println!("{}: the poll returns {poll:?}", name());
}
// ANCHOR_END: task

const NOT_POISONED: &str = "nothing panics while it holds the queue";

// ANCHOR: main
#[derive(Default)]
struct Letters {
    letter: Option<&'static str>,
    waiter: Option<Waker>,
}

/// A leaf in the middle of whose poll a letter arrives: the barrier sees to that.
async fn receive(letters: Arc<Mutex<Letters>>, moment: Arc<Barrier>) {
    poll_fn(|cx| {
        let mut inside = letters.lock().expect(NOT_POISONED);
        let poll =
            if inside.letter.is_some() { Poll::Ready(()) } else { Poll::Pending };
        inside.waiter = Some(cx.waker().clone());
        drop(inside);
        moment.wait(); // now the letter is put
        moment.wait(); // now it has been put, and the task was woken
        poll
    })
    .await;
}
// ANCHOR_END: main

fn main() {
    let (letters, moment) =
        (Arc::<Mutex<Letters>>::default(), Arc::new(Barrier::new(2)));
    let queue = Arc::<Mutex<VecDeque<Arc<Task>>>>::default();
    let future =
        Mutex::new(Box::pin(receive(Arc::clone(&letters), Arc::clone(&moment))) as _);
    let task = Arc::new(Task { future, queue: Arc::clone(&queue) });
    let builder = thread::Builder::new().name("thread a".to_string());
    let first = builder.spawn(move || run(task)).expect("a thread");
    moment.wait();
    let mut inside = letters.lock().expect(NOT_POISONED);
    inside.letter = Some("hello");
    let waiter = inside.waiter.take().expect("the task has left its waker");
    drop(inside);
    waiter.wake();
    println!("{}: puts a letter, and wakes the task", name());
    let next = queue.lock().expect(NOT_POISONED).pop_front();
    run(next.expect("the wake has queued it"));
    moment.wait();
    first.join().expect("it has panicked already");
    let left = queue.lock().expect(NOT_POISONED).len();
    println!("in the queue: {left} tasks; in the box: {:?}", {
        letters.lock().expect(NOT_POISONED).letter
    });
}

fn name() -> String {
    thread::current().name().unwrap_or("a thread").to_string()
}
