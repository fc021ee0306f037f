//! An executor: a table of futures, a queue of ids, and a waker that adds an id to it.
//!
//! `cargo run -p stage3-async --example ch19_executor`

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};

// ANCHOR: waker
/// The tasks to poll next. Any thread may add one, because wakers may go anywhere.
type ReadyQueue = Mutex<VecDeque<TaskId>>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct TaskId(u32);

// ANCHOR: wake
/// All that a waker knows about a task is its id, so the future stays where it is, and
/// need not be `Send`.
struct TaskWaker {
    id: TaskId,
    ready: Arc<ReadyQueue>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        println!("  task {} is woken", self.id.0);
        self.ready.lock().expect(NOT_POISONED).push_back(self.id);
    }
}
// ANCHOR_END: wake

const NOT_POISONED: &str = "nothing panics while it holds the queue";
// ANCHOR_END: waker

// ANCHOR: executor
/// Owns the futures. Each is stored here, pinned, from `spawn` until it is ready.
#[derive(Default)]
struct Executor {
    tasks: HashMap<TaskId, Pin<Box<dyn Future<Output = ()>>>>,
    ready: Arc<ReadyQueue>,
    latest: u32,
}

impl Executor {
    /// Adds a task. It is queued at once: no leaf has its waker yet.
    fn spawn(&mut self, future: impl Future<Output = ()> + 'static) {
        self.latest += 1;
        let id = TaskId(self.latest);
        self.tasks.insert(id, Box::pin(future));
        self.ready.lock().expect(NOT_POISONED).push_back(id);
    }
    // ANCHOR_END: executor

    // ANCHOR: run
    // ANCHOR: loop
    /// Polls ready tasks until there are none. Returns the tasks that still wait.
    fn run(&mut self) -> Vec<TaskId> {
        while let Some(id) = self.next() {
            let Some(task) = self.tasks.get_mut(&id) else { continue };
            println!("task {} is polled", id.0);
            let waker = TaskWaker { id, ready: Arc::clone(&self.ready) };
            let waker = Waker::from(Arc::new(waker));
            match task.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Pending => println!("  task {} waits", id.0),
                Poll::Ready(()) => drop(self.tasks.remove(&id)),
            }
        }
        self.tasks.keys().copied().collect()
    }
    // ANCHOR_END: loop

    /// Holds the lock for this one line only: a poll may wake a task, which takes the
    /// lock again.
    fn next(&self) -> Option<TaskId> {
        self.ready.lock().expect(NOT_POISONED).pop_front()
    }
    // ANCHOR_END: run
}

// ANCHOR: letter_box
/// One letter, and the task that waits for it. Both tasks run on this thread, so there
/// is no lock.
#[derive(Default)]
struct LetterBox {
    letter: Option<&'static str>,
    waiter: Option<Waker>,
}

async fn receive(letter_box: Rc<RefCell<LetterBox>>) -> &'static str {
    poll_fn(|cx| {
        let mut letter_box = letter_box.borrow_mut();
        if let Some(letter) = letter_box.letter.take() {
            return Poll::Ready(letter);
        }
        // Store the waker before returning `Pending`: otherwise nothing could wake
        // this task.
        letter_box.waiter = Some(cx.waker().clone());
        Poll::Pending
    })
    .await
}
// ANCHOR_END: letter_box

// ANCHOR: send
fn send(letter_box: &RefCell<LetterBox>, letter: &'static str) {
    let mut letter_box = letter_box.borrow_mut();
    letter_box.letter = Some(letter);
    let waiter = letter_box.waiter.take();
    drop(letter_box); // nothing is borrowed now: a waker may run any code
    waiter.into_iter().for_each(Waker::wake);
}
// ANCHOR_END: send

// ANCHOR: main
fn main() {
    let letter_box: Rc<RefCell<LetterBox>> = Rc::default();
    let mut executor = Executor::default();
    let first_box = letter_box.clone();
    executor.spawn(async move {
        let letter = receive(first_box).await;
        println!("  task 1 has received {letter:?}");
    });
    executor.spawn(async move {
        println!("  task 2 sends a letter");
        send(&letter_box, "hello");
        println!("  task 2 has sent it");
    });
    println!("two tasks are spawned, and nothing has run");
    let waiting = executor.run();
    println!("no task is ready, {} tasks wait", waiting.len());
}
// ANCHOR_END: main
