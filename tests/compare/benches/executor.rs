//! What one step of a task costs: ours beside Tokio's, smol's and futures' executors.
//!
//! `cargo measure executor [--quick] [--json]`
//! They take turns, round by round, so that whatever else the machine does hits all of
//! them. The table has the medians, and how far the middle half of the rounds is from
//! them. Its last two columns have the ratio of our median to that of the best peer: among
//! all of them, and among those that have a reactor. What a task weighs is in `parked.rs`: a
//! counting allocator would count here, too.

mod peers;

use compare::machine::Machine;
use compare::results::Spread;
use futures::executor::LocalSpawner;
use peers::{Bare, Measured, Peer, Smol, TokioLocal, TokioSet, yield_now};
use stage3_async::Executor;
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// What is measured.
#[derive(Clone, Copy, Debug)]
enum Case {
    /// A task that does nothing, from its spawn until it was awaited; so many
    /// are spawned before the first is awaited.
    Join { batch: usize },
    /// A task wakes itself, and is polled again; so many tasks do.
    Yield { tasks: usize },
    /// One task wakes another, and that one the first.
    RoundTrip,
    /// A waker is kept outside of the task: from the wake until the task was polled,
    /// and then the task that woke it. So many tasks at once.
    Wake { tasks: usize },
}

/// Each with its name and how many operations are one sample: some milliseconds.
const CASES: [(&str, Case, usize); 7] = [
    ("spawn one task, join it", Case::Join { batch: 1 }, 20_000),
    ("spawn 1,000 tasks, join them", Case::Join { batch: 1_000 }, 20_000),
    ("yield, 1 task", Case::Yield { tasks: 1 }, 100_000),
    ("yield, 100 tasks", Case::Yield { tasks: 100 }, 100_000),
    ("round trip of 2 tasks", Case::RoundTrip, 40_000),
    ("wake 1 task, polled", Case::Wake { tasks: 1 }, 40_000),
    ("wake 1,000 tasks, polled", Case::Wake { tasks: 1_000 }, 100_000),
];

/// Takes a sample of so many operations: nanoseconds for each.
type Sample = fn(Case, usize) -> f64;

/// Ours, and then the others.
const EXECUTORS: [Measured<Sample>; 6] = [
    Measured::new::<Executor>(sample::<Executor>),
    Measured::new::<TokioSet>(sample::<TokioSet>),
    Measured::new::<TokioLocal>(sample::<TokioLocal>),
    Measured::new::<Smol>(sample::<Smol>),
    Measured::new::<Bare>(sample::<Bare>),
    Measured::new::<LocalSpawner>(sample::<LocalSpawner>),
];

/// Nanoseconds of one case, by executor.
type Row = [Spread; EXECUTORS.len()];

fn main() {
    let (rounds, share) = if peers::has_flag("--quick") { (5, 10) } else { (41, 1) };
    let machine = Machine::this();
    let mut samples = vec![[const { Vec::new() }; EXECUTORS.len()]; CASES.len()];
    // The first round warms up.
    for round in 0..=rounds {
        for (case, row) in CASES.iter().zip(&mut samples) {
            for turn in 0..EXECUTORS.len() {
                let which = (round + turn) % EXECUTORS.len();
                let nanoseconds = (EXECUTORS[which].measure)(case.1, case.2 / share);
                if round > 0 {
                    row[which].push(nanoseconds);
                }
            }
        }
    }
    let spread = |samples| Spread::of(samples).expect("there are rounds");
    let rows: Vec<Row> = samples.into_iter().map(|row| row.map(spread)).collect();
    match peers::has_flag("--json") {
        true => print_json(&rows),
        false => print_table(&machine, &rows, rounds),
    }
}

fn print_table(machine: &Machine, rows: &[Row], rounds: usize) {
    println!("<!-- $ cargo measure executor -->");
    println!("{machine}; medians of {rounds} rounds and their spread\n");
    println!("{}", peers::table_head("ns", &EXECUTORS));
    for ((what, ..), row) in CASES.iter().zip(rows) {
        let medians = row.map(|spread| spread.median);
        let cell = |which: usize| {
            format!("{:.1} ±{:.0} %", medians[which], row[which].percent())
        };
        println!("{}", peers::table_row(what, &EXECUTORS, &medians, cell));
    }
}

fn print_json(rows: &[Row]) {
    for ((what, ..), row) in CASES.iter().zip(rows) {
        for (executor, ns) in EXECUTORS.iter().zip(row) {
            let (peer, ns, spread) = (executor.name, ns.median, ns.percent());
            let row = serde_json::json!({ "case": what, "peer": peer, "ns": ns, "±%": spread });
            println!("{row}");
        }
    }
}

/// Nanoseconds for each of so many operations, on a new executor. A task measures,
/// too: the future that `block_on` polls is treated in another way, by Tokio above all.
fn sample<P: Peer>(case: Case, count: usize) -> f64 {
    let time = Rc::new(Cell::new(Duration::ZERO));
    let measured = Rc::clone(&time);
    P::run(|peer| async move {
        let inside = peer.clone();
        let measurer = peer.spawn(async move {
            measured.set(match case {
                Case::Join { batch } => join(inside, batch, count / batch).await,
                Case::Yield { tasks } => yields(inside, tasks, count / tasks).await,
                Case::RoundTrip => round_trips(inside, count).await,
                Case::Wake { tasks } => wakes(inside, tasks, count / tasks).await,
            });
        });
        measurer.await;
    });
    time.get().as_secs_f64() * 1e9 / count as f64
}

async fn join(peer: impl Peer, batch: usize, times: usize) -> Duration {
    let mut handles = Vec::with_capacity(batch);
    let began = Instant::now();
    for _ in 0..times {
        handles.extend((0..batch).map(|_| peer.spawn(async {})));
        for handle in handles.drain(..) {
            handle.await;
        }
    }
    began.elapsed()
}

async fn yields(peer: impl Peer, tasks: usize, times: usize) -> Duration {
    let task = |_| {
        peer.spawn(async move {
            for _ in 0..times {
                yield_now().await;
            }
        })
    };
    let began = Instant::now();
    let handles: Vec<_> = (0..tasks).map(task).collect();
    for handle in handles {
        handle.await;
    }
    began.elapsed()
}

/// A ball that two players have in turn.
#[derive(Default)]
struct Ball {
    holder: Cell<usize>,
    waits: [Cell<Option<Waker>>; 2],
}

impl Ball {
    async fn caught_by(&self, player: usize) {
        poll_fn(|cx| {
            if self.holder.get() == player {
                return Poll::Ready(());
            }
            self.waits[player].set(Some(cx.waker().clone()));
            Poll::Pending
        })
        .await;
    }

    fn throw_to(&self, player: usize) {
        self.holder.set(player);
        self.waits[player].take().into_iter().for_each(Waker::wake);
    }
}

async fn round_trips(peer: impl Peer, times: usize) -> Duration {
    let ball = Rc::new(Ball::default());
    let player = |number| {
        let ball = Rc::clone(&ball);
        peer.spawn(async move {
            for _ in 0..times {
                ball.caught_by(number).await;
                ball.throw_to(1 - number);
            }
        })
    };
    let began = Instant::now();
    let (first, second) = (player(0), player(1));
    first.await;
    second.await;
    began.elapsed()
}

/// Tasks that leave their wakers here, and count how often they are polled again.
#[derive(Default)]
struct Parked {
    wakers: RefCell<Vec<Waker>>,
    polls: Cell<usize>,
}

async fn wakes(peer: impl Peer, tasks: usize, times: usize) -> Duration {
    let parked = Rc::new(Parked::default());
    for _ in 0..tasks {
        let (parked, mut is_here) = (Rc::clone(&parked), false);
        peer.spawn_detached(poll_fn(move |cx| {
            match is_here {
                true => parked.polls.set(parked.polls.get() + 1),
                false => parked.wakers.borrow_mut().push(cx.waker().clone()),
            }
            is_here = true;
            Poll::Pending
        }));
    }
    while parked.wakers.borrow().len() < tasks {
        yield_now().await;
    }
    let wakers = parked.wakers.take();
    let began = Instant::now();
    for round in 1..=times {
        wakers.iter().for_each(Waker::wake_by_ref);
        while parked.polls.get() < round * tasks {
            yield_now().await;
        }
    }
    began.elapsed()
}
