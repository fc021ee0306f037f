//! An executor: a table of futures, and a queue of the ids that were woken.

use checks::executor::{Boxed, Executor};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
// hole 2
//| use std::task::Wake; // and Context, Poll, Waker
use std::task::{Context, Poll, Wake, Waker};
// end hole

type ReadyQueue = Mutex<VecDeque<u32>>;

/// All that a waker knows about its task is the id.
struct TaskWaker {
    id: u32,
    ready: Arc<ReadyQueue>,
}

#[derive(Default)]
struct Mine {
    tasks: HashMap<u32, Boxed>,
    ready: Arc<ReadyQueue>,
    latest: u32,
}

// ANCHOR: solution
// ANCHOR: task
impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        // hole 1
        //| todo!("note which task to poll: a waker runs nothing")
        self.ready.lock().unwrap().push_back(self.id);
        // end hole
    }
}

impl Executor for Mine {
    fn new() -> Mine {
        Mine::default()
    }

    fn spawn(&mut self, future: Boxed) {
        self.latest += 1;
        self.tasks.insert(self.latest, future);
        // hole 1
        //| todo!("what polls the task for the first time?")
        self.ready.lock().unwrap().push_back(self.latest);
        // end hole
    }

    fn run(&mut self) -> usize {
        // hole 2
        //| todo!("poll the tasks that are ready, until there are none")
        while let Some(id) = self.next() {
            let Some(task) = self.tasks.get_mut(&id) else { continue };
            let ready = Arc::clone(&self.ready);
            let waker = Waker::from(Arc::new(TaskWaker { id, ready }));
            let poll = task.as_mut().poll(&mut Context::from_waker(&waker));
            if let Poll::Ready(()) = poll {
                self.tasks.remove(&id);
            }
        }
        self.tasks.len()
        // end hole
    }
}
// ANCHOR_END: task
// hole 2

impl Mine {
    /// Holds the lock for this one line only.
    fn next(&self) -> Option<u32> {
        self.ready.lock().unwrap().pop_front()
    }
}
// end hole
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::executor::check::<Mine>()
}
