//! What a recorder costs: a task beside the same one that is recorded.
//!
//! `cargo measure recorder [--quick] [--json]`
//! Each task yields: it wakes itself and is polled again, which is four events (a wake, a
//! place in the queue, a poll and its pause). The ways take turns, round by round, so that
//! whatever else the machine does hits all of them. The table has the medians, how far the
//! middle half of the rounds is from them, and the ratio to the median without a recorder.

use compare::{machine::Machine, results::Spread};
use recorder::Recorder;
use std::io::sink;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};
use tokio::task::yield_now;

/// How the tasks of a sample are recorded.
const WAYS: [&str; 4] = ["no recorder", "task", "task and wait", "task, to a file"];

/// How many yields one sample has. It takes about a millisecond, so that most samples are
/// not interrupted by what else the machine does.
const YIELDS: usize = 1_000;

/// How many events a recorded yield has.
const EVENTS: f64 = 4.0;

fn main() {
    let has_flag = |flag| std::env::args().any(|argument| argument == flag);
    let rounds = if has_flag("--quick") { 9 } else { 201 };
    let machine = Machine::this();
    let one = Builder::new_current_thread().build().expect("a runtime");
    let two = Builder::new_multi_thread().worker_threads(2).build().expect("a runtime");
    let cases = [
        ("1 thread, 1 task", &one, 1),
        ("1 thread, 10 tasks", &one, 10),
        ("2 threads, 2 tasks", &two, 2),
        ("2 threads, 10 tasks", &two, 10),
    ];
    let mut samples = cases.map(|_| WAYS.map(|_| Vec::new()));
    // The first round warms up.
    for round in 0..=rounds {
        for ((_, runtime, tasks), row) in cases.iter().zip(&mut samples) {
            for turn in 0..WAYS.len() {
                let way = (round + turn) % WAYS.len();
                let nanoseconds = sample(runtime, WAYS[way], *tasks, YIELDS / tasks);
                if round > 0 {
                    row[way].push(nanoseconds);
                }
            }
        }
    }
    let spread = |samples| Spread::of(samples).expect("there are rounds");
    let rows = samples.map(|row| row.map(spread));
    let names = cases.map(|(name, ..)| name);
    match has_flag("--json") {
        true => print_json(&names, &rows),
        false => print_table(&machine, rounds, &names, &rows),
    }
}

/// Nanoseconds of one case, by way.
type Row = [Spread; WAYS.len()];

fn print_table(machine: &Machine, rounds: usize, names: &[&str], rows: &[Row]) {
    println!("<!-- $ cargo measure recorder -->");
    println!("{machine}; medians of {rounds} rounds and their spread\n");
    println!("| ns for each yield | {} | an event |", WAYS.join(" | "));
    println!("|---|{}", "---:|".repeat(WAYS.len() + 1));
    for (name, row) in names.iter().zip(rows) {
        let base = row[0].median;
        let cells = row.map(|it| {
            format!(
                "{:.0} ±{:.0} % (× {:.1})",
                it.median,
                it.percent(),
                it.median / base
            )
        });
        let event = (row[1].median - base) / EVENTS;
        println!("| {name} | {} | {event:.0} |", cells.join(" | "));
    }
}

fn print_json(names: &[&str], rows: &[Row]) {
    for (name, row) in names.iter().zip(rows) {
        for (way, it) in WAYS.iter().zip(row) {
            let (ns, spread) = (it.median, it.percent());
            let row =
                serde_json::json!({ "case": name, "way": way, "ns": ns, "±%": spread });
            println!("{row}");
        }
    }
}

/// Returns the nanoseconds of a yield. A runtime of several threads polls several at a time.
fn sample(runtime: &Runtime, way: &str, tasks: usize, yields: usize) -> f64 {
    let file = (way == "task, to a file").then(tempfile::NamedTempFile::new);
    let recorder = match &file {
        Some(file) => Recorder::to_file(file.as_ref().expect("a file").path()),
        None => Ok(Recorder::new(sink())),
    };
    let recorder = recorder.expect("the file can be written");
    let begun = Instant::now();
    runtime.block_on(async {
        let spawn = |_| {
            let r = recorder.clone();
            match way {
                "no recorder" => tokio::spawn(yield_often(yields)),
                "task and wait" => tokio::spawn(recorder.task("yields", async move {
                    for _ in 0..yields {
                        r.wait("its turn", yield_now()).await;
                    }
                })),
                _ => tokio::spawn(recorder.task("yields", yield_often(yields))),
            }
        };
        let tasks: Vec<_> = (0..tasks).map(spawn).collect();
        for task in tasks {
            task.await.expect("it does not panic");
        }
    });
    recorder.finish().expect("the file can be written");
    begun.elapsed().as_nanos() as f64 / (tasks * yields) as f64
}

async fn yield_often(yields: usize) {
    for _ in 0..yields {
        yield_now().await;
    }
}
