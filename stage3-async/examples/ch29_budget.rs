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

// ANCHOR: draw
/// One unit of the budget: each leaf draws it before it does anything else.
#[derive(Default)]
struct Draw {
    is_drawn: bool,
}

impl Draw {
    fn poll(&mut self, cx: &mut Context<'_>, once: bool) -> Poll<()> {
        if once && self.is_drawn {
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

// ANCHOR: next
/// Takes the next item. All items have arrived, so this never has to wait.
async fn next(items: &mut Range<u32>, once: bool) -> Option<u32> {
    let mut draw = Draw::default();
    poll_fn(|cx| {
        ready!(draw.poll(cx, once));
        Poll::Ready(items.next())
    })
    .await
}
// ANCHOR_END: next

/// Waits until the clock, which only counts, shows this time. (It keeps no waker: here
/// the other half of a race always wakes the task.)
async fn sleep_until(end: u64, clock: &Cell<u64>, once: bool) {
    let mut draw = Draw::default();
    poll_fn(|cx| {
        ready!(draw.poll(cx, once));
        if clock.get() < end { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

/// Takes the ten items of each of a hundred feeds. Each means a millisecond of work.
async fn drain(clock: &Cell<u64>, once: bool) {
    for _ in 0..100 {
        let mut items = 0..10;
        while next(&mut items, once).await.is_some() {
            clock.set(clock.get() + 1);
        }
    }
}

/// Another task, which takes items without end.
async fn tick(ticks: &Cell<u32>, once: bool) {
    while next(&mut (0..1), once).await.is_some() {
        ticks.set(ticks.get() + 1);
    }
}

// ANCHOR: waker
#[derive(Default)]
struct ReadyQueue(Mutex<VecDeque<usize>>);

struct TaskWaker(usize, Arc<ReadyQueue>);

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        let mut ready = self.1.0.lock().expect(HELD);
        if !ready.contains(&self.0) {
            ready.push_back(self.0); // once: two leaves may wake the same task
        }
    }
}

const HELD: &str = "nothing panics while it holds the queue";
// ANCHOR_END: waker

type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

// ANCHOR: run
/// Polls tasks until the first of them is ready. Returns how many turns each had.
fn run(mut tasks: [Task<'_>; 2]) -> [u32; 2] {
    let ready = Arc::<ReadyQueue>::default();
    let wakers = [0, 1].map(|id| Waker::from(Arc::new(TaskWaker(id, ready.clone()))));
    wakers.iter().for_each(Waker::wake_by_ref);
    let mut turns = [0; 2];
    let next = || ready.0.lock().expect(HELD).pop_front();
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

fn show(once: bool) {
    let (clock, ticks) = (Cell::new(0), Cell::new(0));
    let work = async {
        match race(drain(&clock, once), sleep_until(50, &clock, once)).await {
            Either::First(()) => print!("  all items are taken"),
            Either::Second(()) => print!("  the time is over"),
        }
        println!(", after {} ms", clock.get());
    };
    let [ours, others] = run([Box::pin(work), Box::pin(tick(&ticks, once))]);
    println!("  turns of this task: {ours}, of the other one: {others}");
    println!("  items that the other one has taken: {}", ticks.get());
}

fn main() {
    let once = env::args().nth(1).is_none_or(|argument| argument != "each-poll");
    println!("a leaf draws {}", if once { "once" } else { "each time it is polled" });
    show(once);
}
