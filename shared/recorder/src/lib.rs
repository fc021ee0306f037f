//! Records the tasks of any async program, and reports those that are stuck.
//!
//! A recorder knows only [`Future`] and [`Waker`](std::task::Waker), and no executor. So it
//! works with every runtime. Wrap your tasks, name what they wait for, and let a thread
//! watch them:
//!
//! - [`Recorder::task`] wraps the future of a task.
//! - [`Recorder::wait`] names what a task waits for.
//! - [`Recorder::provides`] names what other tasks get only from this task.
//! - [`Recorder::stuck_after`] starts a thread that reports what is stuck.
//!
//! Two tasks on Tokio that wait for each other:
//!
//! ```
//! use recorder::Recorder;
//! use std::time::Duration;
//! use tokio::sync::oneshot::channel;
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let recorder = Recorder::new(std::io::sink()); // or `Recorder::to_file("trace.jsonl")?`
//! let (send, mut reports) = tokio::sync::mpsc::unbounded_channel();
//! recorder.stuck_after(Duration::from_millis(50), move |report| _ = send.send(report));
//!
//! let ((ask, asked), (answer, answered)) = (channel::<u32>(), channel::<u32>());
//! let r = recorder.clone();
//! tokio::spawn(recorder.task("client", async move {
//!     let _provider = r.provides("the question");
//!     let number = r.wait("the answer", answered).await;
//!     ask.send(number.unwrap())
//! }));
//! let r = recorder.clone();
//! tokio::spawn(recorder.task("server", async move {
//!     let _provider = r.provides("the answer");
//!     let number = r.wait("the question", asked).await;
//!     answer.send(number.unwrap())
//! }));
//!
//! let report = reports.recv().await.unwrap();
//! assert!(report.starts_with("stuck for 50ms: a circle of waits: task 1 \"client\" waits for"));
//! # });
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # The report
//!
//! The first line says which task is stuck, what it waits for, in which line, and why nothing
//! wakes it. What keeps other tasks from going on comes first, in this order:
//!
//! | first line | cause |
//! |---|---|
//! | `does not return from poll 1 on thread …` | the thread is blocked, or computes |
//! | `a circle of waits: …` | tasks wait for each other |
//! | `no waker is left that could wake it` | a future has not stored its waker, or has dropped it |
//! | `was never polled` | it was neither spawned nor awaited; if nothing else happens, the suspended tasks follow |
//! | `was woken by …, and is not polled` | its executor does not come to it |
//! | `no event: …` | none of these: each task waits, and nothing has called a waker |
//!
//! Then follows each task that has not ended: the stuck ones first, then those that were not
//! polled for the longest time, and last those that wait for another task. Equal tasks are
//! described once. `wakers alive` counts the clones of the task's waker, in timers, channels
//! and so on. With none, nothing can wake the task. If no `which task … must provide` follows
//! a wait, no living [`Provider`] has its name: perhaps a permit was lost, or a notification
//! came before the wait.
//!
//! # The trace
//!
//! A trace has the format of this project's crawlers (JSON Lines, `shared/src/tool/trace`).
//! Its events are `created`, `resumed`, `paused`, `woken`, `queued`, `finished` and
//! `cancelled`, and one of its own: `orphaned`, when the last waker of a suspended task is
//! dropped. These keys are its own, too:
//!
//! | key | event | value |
//! |---|---|---|
//! | `thread` | all | the name of the thread, with a number if another has the same name |
//! | `wakers` | `paused` | how many clones of the task's waker are alive |
//! | `took` | `paused`, `finished` | how long the poll took, in microseconds |
//! | `panicked` | `cancelled` | `true` if the poll panicked |
//!
//! `state` and `at` are the name of the wait, and `by` is what called a waker: a task's
//! number, `runtime` or `thread`. A waker is called by the `runtime` if no
//! recorded task runs on its thread, and the thread has polled one before.
//!
//! # What it cannot do
//!
//! - It cannot name the line that blocks inside a poll. For that you need the backtrace of
//!   the thread that the report names.
//! - It does not see futures outside of [`Recorder::task`] and [`Recorder::wait`]. Wakers are
//!   counted per task: if one of two leaves forgets the waker, the other hides it.
//! - A task that computes for long, or that blocks on purpose (Tokio's `block_in_place`),
//!   looks as if its poll did not return. A task that awaits `pending()` on purpose looks as
//!   if it was lost.
//! - `created` is the call of [`Recorder::task`], not of `spawn`. The order in the ready
//!   queue is that of the wakes: a runtime may choose another.
//! - It does not record sockets, timers, and the sleep of a runtime's threads.
//! - A server without requests has no events, and is reported as one that is stuck. A task
//!   that waits for ever is not reported if other tasks go on, and if it has a waker and is
//!   in no circle. [`Recorder::report`] has it near its beginning.
//! - A task that waits for several futures at once may go on with any of them, or need all.
//!   The recorder does not know which. So a circle of waits may have a way out that has no
//!   name, such as a time-out, and names that several tasks provide may have several.
//! - All threads share one lock, and the trace has no limit. Do not leave it on in a busy
//!   server. What an event costs was measured: `book/measured/recorder.md`.
//! - A program that is killed loses the lines that are buffered. Reports of
//!   [`Recorder::stuck_after`] write them.
//! - Which thread computes and which is blocked is known where `/proc` exists (Linux).

#![forbid(unsafe_code)]

mod circle; // tasks that wait for each other
mod json; // strings of JSON
mod provider; // what only one task can provide
mod report; // the text of a report
mod state; // what is known of the tasks that have not ended
mod stuck; // which tasks are stuck, and since when
mod task; // a future that is recorded as a task
mod thread; // names of threads, and what they do
mod trace; // writes events as lines
mod wait; // a future whose wait has a name
mod waker; // a waker that records each wake

pub use provider::Provider;

use report::Report;
use state::{Name, State};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use stuck::Finding;
use task::RecordedTask;
use wait::NamedWait;

/// Records tasks. Clones share the trace.
#[derive(Clone)]
pub struct Recorder(Arc<Shared>);

struct Shared {
    /// Tells the recorders of a process apart. Each numbers its tasks from 1.
    number: u64,
    /// Returns the time since the recorder was created.
    clock: Box<dyn Fn() -> Duration + Send + Sync>,
    /// Locked only while an event is recorded. No waker is called or dropped, and no code
    /// of a task runs, while it is locked.
    state: Mutex<State>,
    /// What `stuck` has reported, as long as it lasts. Locked before `state`.
    reported: Mutex<BTreeSet<Finding>>,
}

static LAST_RECORDER: AtomicU64 = AtomicU64::new(0);

impl Recorder {
    /// Creates a file for the trace. Lines are buffered until [`Recorder::finish`].
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn to_file(path: impl AsRef<Path>) -> io::Result<Recorder> {
        let file = File::create(path)?;
        Ok(Recorder::new(BufWriter::with_capacity(1 << 16, file)))
    }

    /// Creates a recorder that writes its trace to `out`, line by line. Reports need no
    /// trace: use [`std::io::sink`].
    pub fn new(out: impl Write + Send + 'static) -> Recorder {
        let created = Instant::now();
        Recorder::with_clock(out, move || created.elapsed())
    }

    /// Like [`Recorder::new`], with a clock of your own. It returns the time since any
    /// fixed moment, and never less than before.
    pub fn with_clock(
        out: impl Write + Send + 'static,
        clock: impl Fn() -> Duration + Send + Sync + 'static,
    ) -> Recorder {
        let number = LAST_RECORDER.fetch_add(1, Relaxed);
        let state = Mutex::new(State::new(Box::new(out)));
        let (clock, reported) = (Box::new(clock), Mutex::default());
        Recorder(Arc::new(Shared { number, clock, state, reported }))
    }

    /// Records `future` as a task. Spawn the result, or poll it with a waker of its own, as
    /// `FuturesUnordered` does. Names longer than 200 characters are cut.
    #[track_caller]
    pub fn task<F: Future>(
        &self,
        name: &str,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        let task = RecordedTask::new(self, Name::new(name));
        async move {
            let mut future = pin!(future);
            // Declared after the future, so dropped before it: the end is recorded before
            // the future drops its wakers.
            let mut task = task;
            std::future::poll_fn(|cx| task.poll(future.as_mut(), cx)).await
        }
    }

    /// Names what the running task waits for until `future` is done or dropped. Waits may
    /// be nested: reports show the innermost.
    #[track_caller]
    pub fn wait<F: Future>(
        &self,
        name: &str,
        future: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        let mut wait = NamedWait::new(self, Name::new(name));
        async move {
            let mut future = pin!(future);
            std::future::poll_fn(|cx| wait.poll(future.as_mut(), cx)).await
        }
    }

    /// Names what other tasks get only from the running task, until the result is dropped:
    /// a lock that it holds, an answer that it will send, room in a queue. Use the name
    /// under which the others [wait](Recorder::wait) for it. A report then says "which task
    /// 2 must provide" of such a wait, and finds circles of waits. Outside of a task this
    /// has no effect.
    #[track_caller]
    pub fn provides(&self, name: &str) -> Provider {
        Provider::new(self, Name::new(name))
    }

    /// Starts a thread that calls `tell` with a report, and writes the buffered lines of the
    /// trace, when something has been [stuck](Recorder::stuck) for this time. The thread
    /// ends after the last clone of the recorder was dropped.
    pub fn stuck_after(
        &self,
        time: Duration,
        mut tell: impl FnMut(String) + Send + 'static,
    ) {
        let shared = Arc::downgrade(&self.0);
        std::thread::spawn(move || {
            while let Some(recorder) = shared.upgrade().map(Recorder) {
                if let Some(mut report) = recorder.stuck(time) {
                    if let Err(error) = recorder.finish() {
                        report += &format!("the trace could not be written: {error}\n");
                    }
                    tell(report);
                }
                drop(recorder);
                std::thread::sleep((time / 4).max(Duration::from_millis(1)));
            }
        });
    }

    /// Returns a report if something has been stuck for this time and was not reported
    /// before:
    ///
    /// - a poll that does not return,
    /// - a task that was woken, and is not polled,
    /// - a task that was never polled,
    /// - a suspended task that no waker can wake,
    /// - a circle of waits,
    /// - a program without any event.
    pub fn stuck(&self, time: Duration) -> Option<String> {
        let (time_us, mut reported) = (micros(time), locked(&self.0.reported));
        if self.change(|state, now| state.stuck(now, time_us, &mut reported)).is_empty()
        {
            return None;
        }
        let doing = self.doing();
        self.change(|state, now| {
            let findings = state.stuck(now, time_us, &mut reported);
            if findings.is_empty() {
                return None; // it has gone on in the meantime
            }
            reported.extend(&findings);
            if state.is_silent(now, time_us) {
                reported.insert(state.no_event()); // that report would repeat this one
            }
            let report = Report::new(state, now, &doing, &findings);
            Some(format!("stuck for {time:?}: {}\n{report}", report.verdict(time_us)))
        })
    }

    /// Describes the tasks that have not ended. Equal ones are grouped.
    pub fn report(&self) -> String {
        let doing = self.doing();
        self.change(|state, now| Report::new(state, now, &doing, &[]).to_string())
    }

    /// Returns what the threads do that poll a task, by its number.
    fn doing(&self) -> BTreeMap<u64, String> {
        let polling = self.change(|state, _| state.polling());
        // Without the lock: a thread that waits for it would look blocked.
        polling.into_iter().map(|(id, thread)| (id, thread.doing())).collect()
    }

    /// Writes the lines that are still buffered.
    ///
    /// # Errors
    /// The first error of all writes. After it nothing is written.
    pub fn finish(&self) -> io::Result<()> {
        self.state().trace.finish()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.0.state)
    }

    /// Calls `change` with the state and the time in microseconds.
    fn change<R>(&self, change: impl FnOnce(&mut State, u64) -> R) -> R {
        let mut state = self.state(); // first, so that times never decrease in a trace
        let now = micros((self.0.clock)());
        change(&mut state, now)
    }

    /// Returns the recorded task that runs on this thread.
    fn running(&self) -> Option<u64> {
        let running = thread::RUNNING.get();
        running.filter(|it| it.recorder == self.0.number).map(|it| it.task)
    }
}

/// A clock or a writer that panics while the state is locked leaves it usable.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
