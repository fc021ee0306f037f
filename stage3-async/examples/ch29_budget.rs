//! A budget for each turn: the executor fills it, and each leaf draws on it once.
//!
//! `cargo run -p stage3-async --example ch29_budget [each-poll]`

use stage3_async::{Either, race};
use std::cell::Cell;
use std::collections::VecDeque;
use std::env;
use std::future::{Future, poll_fn};
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker, ready};

// ANCHOR: left
const BUDGET: u32 = 16;

thread_local! {
    /// What is left for the turn that runs on this thread.
    static LEFT: Cell<u32> = const { Cell::new(0) };
}
// ANCHOR_END: left

/// When a leaf draws.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Charge {
    Once,
    /// Broken on purpose.
    EachPoll,
}

impl Charge {
    fn draw(self) -> Draw {
        Draw { charge: self, is_drawn: false }
    }
}

// ANCHOR: draw
/// One unit of the budget: each leaf draws it before it does anything else.
struct Draw {
    charge: Charge,
    is_drawn: bool,
}

impl Draw {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.is_drawn && self.charge == Charge::Once {
            return Poll::Ready(()); // a leaf that has waited has paid
        }
        self.is_drawn = true;
        let left = LEFT.get();
        if left == 0 {
            cx.waker().wake_by_ref(); // the turn is over, and the task still ready
            return Poll::Pending;
        }
        LEFT.set(left - 1);
        Poll::Ready(())
    }
}
// ANCHOR_END: draw

/// What the two tasks share: a clock, which only counts, and what is counted.
struct Tasks {
    charge: Charge,
    clock: Cell<u64>,
    ticks: Cell<u32>,
}

impl Tasks {
    // ANCHOR: next
    /// Takes the next item. All items have arrived, so this never has to wait.
    async fn next(&self, items: &mut Range<u32>) -> Option<u32> {
        let mut draw = self.charge.draw();
        poll_fn(|cx| {
            ready!(draw.poll(cx));
            Poll::Ready(items.next())
        })
        .await
    }
    // ANCHOR_END: next

    /// Waits until the clock shows this time. (It keeps no waker: here the other half
    /// of a race always wakes the task.)
    async fn sleep_until(&self, end: u64) {
        let mut draw = self.charge.draw();
        poll_fn(|cx| {
            ready!(draw.poll(cx));
            if self.clock.get() < end { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
    }

    /// Takes the ten items of each of a hundred feeds. Each is a millisecond of work.
    async fn drain(&self) {
        for _ in 0..100 {
            let mut items = 0..10;
            while self.next(&mut items).await.is_some() {
                self.clock.set(self.clock.get() + 1);
            }
        }
    }

    /// Another task, which takes items without end.
    async fn tick(&self) {
        while self.next(&mut (0..1)).await.is_some() {
            self.ticks.set(self.ticks.get() + 1);
        }
    }
}

// ANCHOR: waker
type ReadyQueue = Mutex<VecDeque<usize>>;

struct TaskWaker {
    id: usize,
    ready: Arc<ReadyQueue>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        let mut ready = self.ready.lock().expect(NOT_POISONED);
        if !ready.contains(&self.id) {
            ready.push_back(self.id); // once: two leaves may wake the same task
        }
    }
}

const NOT_POISONED: &str = "nothing panics while it holds the queue";
// ANCHOR_END: waker

type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

// ANCHOR: run
/// Polls tasks until the first of them is ready. Returns how many turns each had.
fn run(mut tasks: [Task<'_>; 2]) -> [u32; 2] {
    let ready = Arc::<ReadyQueue>::default();
    let wakers =
        [0, 1].map(|id| Waker::from(Arc::new(TaskWaker { id, ready: ready.clone() })));
    wakers.iter().for_each(Waker::wake_by_ref);
    let mut turns = [0; 2];
    let next = || ready.lock().expect(NOT_POISONED).pop_front();
    while let Some(id) = next() {
        turns[id] += 1;
        LEFT.set(BUDGET); // each turn begins with a full budget
        let poll = tasks[id].as_mut().poll(&mut Context::from_waker(&wakers[id]));
        if id == 0 && poll.is_ready() {
            break;
        }
    }
    turns
}
// ANCHOR_END: run

fn show(charge: Charge) {
    let tasks = Tasks { charge, clock: Cell::new(0), ticks: Cell::new(0) };
    let work = async {
        match race(tasks.drain(), tasks.sleep_until(50)).await {
            Either::First(()) => print!("  all items are taken"),
            Either::Second(()) => print!("  the time is over"),
        }
        println!(", after {} ms", tasks.clock.get());
    };
    let [first, second] = run([Box::pin(work), Box::pin(tasks.tick())]);
    println!("  turns of this task: {first}, of the other one: {second}");
    println!("  items that the other one has taken: {}", tasks.ticks.get());
}

fn main() {
    let (name, charge) = match env::args().nth(1).as_deref() {
        Some("each-poll") => ("each time it is polled", Charge::EachPoll),
        _ => ("once", Charge::Once),
    };
    println!("a leaf draws {name}");
    show(charge);
}
