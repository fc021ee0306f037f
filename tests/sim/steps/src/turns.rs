//! Two threads whose next operation is chosen: the executor's thread, which runs a step as it
//! is, and another one, which sends it a letter. A step whose `AtomicBool` is the one of this
//! module waits for its turn before each operation. (Loom does it so, too.)
//!
//! | variable | what it is |
//! |---|---|
//! | `SIM_CHOICES` | which thread goes on, each time: `0` the executor's, `1` the other one |
//! | `SIM_LOG` | the file for what the threads have done, as lines of JSON |
//!
//! At the end of the choices the program ends where it is.

use crate::ch19_broken_lost_wake_by_turns::by_turns;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::process::{ExitCode, exit};
use std::sync::atomic::{self, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::{env, fs, mem};

/// The name of the program, as `argv[0]` has it.
pub const NAME: &str = "lost-wake";

/// `std`'s, and each operation is a turn of the thread.
pub(crate) struct AtomicBool(atomic::AtomicBool);

impl AtomicBool {
    pub(crate) fn new(value: bool) -> AtomicBool {
        with(|threads| threads.flag = value);
        AtomicBool(atomic::AtomicBool::new(value))
    }

    pub(crate) fn load(&self, order: Ordering) -> bool {
        turn("look");
        self.0.load(order)
    }

    pub(crate) fn store(&self, value: bool, order: Ordering) {
        if !value {
            turn("lower"); // to raise it is the other thread's turn already
        }
        with(|threads| threads.flag = value);
        self.0.store(value, order);
    }
}

/// Room for one letter, and the waker of the task that waits for it.
#[derive(Default)]
struct LetterBox {
    letter: Option<&'static str>,
    waiter: Option<Waker>,
}

type Letters = Arc<Mutex<LetterBox>>;

const HELD: &str = "nothing panics while it holds the letter box";

/// What the leaf does with its waker.
#[derive(Clone, Copy)]
enum Leaf {
    Stores,
    Forgets,
    KeepsFirst,
}

/// Receives the letter: the task.
async fn receive(letters: Letters, leaf: Leaf) {
    poll_fn(|cx| {
        turn(if is_begun() { "poll" } else { "begin" });
        // ANCHOR: leaf
        let mut letters = letters.lock().expect(HELD);
        if letters.letter.take().is_some() {
            return Poll::Ready(());
        }
        let waker = cx.waker().clone();
        match leaf {
            Leaf::Stores => letters.waiter = Some(waker),
            Leaf::Forgets => drop(waker),
            Leaf::KeepsFirst => _ = letters.waiter.get_or_insert(waker),
        }
        Poll::Pending
        // ANCHOR_END: leaf
    })
    .await;
}

/// What the other thread does next.
#[derive(Default)]
enum Other {
    /// It puts the letter into the box, and takes the waker.
    #[default]
    Put,
    /// It calls the waker.
    Wake(Waker),
    /// Nothing: it has ended.
    Ended,
}

impl Other {
    fn name(&self) -> Option<&'static str> {
        match self {
            Other::Put => Some("put"),
            Other::Wake(_) => Some("wake"),
            Other::Ended => None,
        }
    }

    fn goes_on(self, letters: &Letters) -> Other {
        match self {
            // ANCHOR: other
            Other::Put => {
                let mut letters = letters.lock().expect(HELD);
                letters.letter = Some("hello");
                letters.waiter.take().map_or(Other::Ended, Other::Wake)
            }
            Other::Wake(waiter) => {
                waiter.wake();
                Other::Ended
            }
            // ANCHOR_END: other
            Other::Ended => Other::Ended,
        }
    }
}

#[derive(Default)]
struct Threads {
    choices: VecDeque<String>,
    other: Other,
    letters: Letters,
    /// Whether the executor's flag is up.
    flag: bool,
    /// Whether the task is the executor's. Before, another task may have polled its future.
    is_begun: bool,
    log: String,
}

thread_local! { static THREADS: RefCell<Threads> = RefCell::default() }

fn with<T>(of: impl FnOnce(&mut Threads) -> T) -> T {
    THREADS.with_borrow_mut(of)
}

fn is_begun() -> bool {
    with(|threads| threads.is_begun)
}

/// The executor's thread is about to do this: the other one goes on until it may.
fn turn(what: &str) {
    loop {
        let choice = with(|threads| {
            let choice = threads.choices.pop_front();
            threads.note(what, choice.as_deref());
            choice
        });
        let Some(choice) = choice else {
            write_log();
            exit(0);
        };
        let other = match &*choice {
            "0" => return,
            "1" => with(|threads| mem::replace(&mut threads.other, Other::Ended)),
            _ => Other::Ended,
        };
        if other.name().is_none() {
            eprintln!("error: nothing has the number {choice} here");
            exit(2);
        }
        let letters = with(|threads| Arc::clone(&threads.letters));
        // Nothing is borrowed here: a waker may run any code.
        let other = other.goes_on(&letters);
        with(|threads| threads.other = other);
    }
}

impl Threads {
    /// Notes what may happen now, what is chosen, and what is so before it happens.
    fn note(&mut self, what: &str, choice: Option<&str>) {
        let choices: Vec<String> = [Some(what), self.other.name()]
            .into_iter()
            .flatten()
            .map(|what| format!("{{\"what\":\"{what}\"}}"))
            .collect();
        let chosen = choice.map_or(String::new(), |it| format!(",\"chosen\":{it}"));
        let asked = format!("\"asked\",\"choices\":[{}]{chosen}", choices.join(","));
        self.write(&asked);
    }

    /// Writes a line of the log, with what is so now.
    fn write(&mut self, what: &str) {
        let letters = self.letters.lock().expect(HELD);
        let waker = match &letters.waiter {
            None => "null",
            Some(waker) if waker.will_wake(Waker::noop()) => "\"another task's\"",
            Some(_) => "\"the task's\"",
        };
        let _ = writeln!(
            self.log,
            "{{\"os\":{what},\"flag\":{},\"letter\":{},\"waker\":{waker}}}",
            self.flag,
            letters.letter.is_some(),
        );
    }
}

fn write_log() {
    let log = with(|threads| mem::take(&mut threads.log));
    if let Ok(file) = env::var("SIM_LOG") {
        fs::write(file, log).expect("the log can be written");
    }
}

/// Runs the step with the chosen turns. The first argument is what is wrong: `broken`, the
/// executor; `forgotten` or `stale`, the leaf's waker; nothing in `fixed`, and in `handed`.
/// With a stale waker, and in `handed`, another task has polled the future before.
pub fn run() -> ExitCode {
    let choices = env::var("SIM_CHOICES").unwrap_or_default();
    let choices = choices.split_whitespace().map(str::to_string).collect();
    let threads = Threads { choices, ..Threads::default() };
    let letters = Arc::clone(&threads.letters);
    with(|it| *it = threads);
    let what = env::args().nth(1).unwrap_or_default();
    let (leaf, is_fixed, is_handed) = match &*what {
        "broken" => (Leaf::Stores, false, false),
        "fixed" => (Leaf::Stores, true, false),
        "handed" => (Leaf::Stores, true, true),
        "forgotten" => (Leaf::Forgets, true, false),
        "stale" => (Leaf::KeepsFirst, true, true),
        _ => {
            eprintln!("error: no such program: {what:?}");
            return ExitCode::from(2);
        }
    };
    let mut task = pin!(receive(letters, leaf));
    let mut first = Context::from_waker(Waker::noop());
    let is_done = is_handed && task.as_mut().poll(&mut first).is_ready();
    with(|threads| threads.is_begun = true);
    if is_done {
        println!("  the task is ready");
    } else {
        by_turns(task, is_fixed);
    }
    with(|threads| threads.write("\"ended\""));
    write_log();
    ExitCode::SUCCESS
}
