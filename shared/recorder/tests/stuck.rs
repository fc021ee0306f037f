//! What is reported as stuck, and what a report says.

use crate::bench::{Bench, Boxed, Slot, forgetful, poll};
use recorder::Recorder;
use std::future::poll_fn;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::mpsc::{Sender, channel};
use std::task::Poll;
use std::time::Duration;

/// How long a task may be stuck.
const TIME: Duration = Duration::from_millis(500);

/// Expects that nothing is stuck before its time, and returns the first line of the report
/// that follows. There is no second one.
fn stuck(bench: &Bench) -> String {
    bench.pass(499);
    assert_eq!(bench.recorder.stuck(TIME), None);
    bench.pass(1);
    let report = bench.recorder.stuck(TIME).expect("its time has come");
    bench.pass(5000);
    assert_eq!(bench.recorder.stuck(TIME), None, "each finding is reported once");
    report.lines().next().unwrap().to_string()
}

#[test]
fn a_task_that_no_waker_can_wake() {
    let bench = Bench::new();
    let mut task: Boxed = Box::pin(bench.recorder.task("task", forgetful()));
    assert!(poll(&mut task).is_pending());
    assert_eq!(
        stuck(&bench),
        "stuck for 500ms: no waker can wake it: task 1; no event"
    );
    assert!(
        bench.recorder.report().contains("wakers alive: 0, so nothing can wake it")
    );
}

#[test]
fn a_task_that_was_never_polled() {
    let bench = Bench::new();
    let _task = bench.recorder.task("task", forgetful());
    assert_eq!(stuck(&bench), "stuck for 500ms: never polled: task 1; no event");
}

#[test]
fn a_task_that_was_woken_and_is_not_polled() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let mut task: Boxed = Box::pin(bench.recorder.task("task", slot.leaf()));
    assert!(poll(&mut task).is_pending());
    slot.take().unwrap().wake();
    assert_eq!(
        stuck(&bench),
        "stuck for 500ms: woken, but not polled: task 1; no event"
    );
    let report = bench.recorder.report();
    assert!(report.contains("by runtime, not polled since"), "{report}");
}

#[test]
fn a_poll_that_does_not_return() {
    let bench = Rc::new(Bench::new());
    let (in_task, recorder) = (Rc::clone(&bench), bench.recorder.clone());
    let mut task: Boxed = Box::pin(bench.recorder.task("greedy", async move {
        for _ in 0..3 {
            recorder.wait("an item", async {}).await;
        }
        let words = stuck(&in_task);
        assert_eq!(words, "stuck for 500ms: a poll does not return: task 1; no event");
        let report = recorder.report();
        let over = "waits that were over in it: 3, the last \"an item\"";
        assert!(report.contains(over), "{report}");
        assert!(report.contains("poll 1 began 5.5s ago on thread \""), "{report}");
    }));
    assert!(poll(&mut task).is_ready());
    assert_eq!(bench.recorder.stuck(TIME), None);
}

#[test]
fn a_task_that_waits_for_a_waker_is_only_a_program_without_events() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let mut task: Boxed = Box::pin(bench.recorder.task("task", slot.leaf()));
    assert!(poll(&mut task).is_pending());
    assert_eq!(stuck(&bench), "stuck for 500ms: no event");
}

#[test]
fn a_program_without_tasks_is_not_stuck() {
    let bench = Bench::new();
    let mut task: Boxed = Box::pin(bench.recorder.task("task", async {}));
    assert!(poll(&mut task).is_ready());
    bench.pass(5000);
    assert_eq!(bench.recorder.stuck(TIME), None);
}

#[test]
fn what_is_stuck_again_is_reported_again() {
    let bench = Bench::new();
    let mut task: Boxed = Box::pin(bench.recorder.task("task", forgetful()));
    assert!(poll(&mut task).is_pending());
    for _ in 0..2 {
        bench.pass(500);
        assert!(bench.recorder.stuck(TIME).is_some());
        assert!(poll(&mut task).is_pending());
    }
}

/// A task that owes `owed` and waits for `name`. Its waker is stored in `slot`.
fn debtor(recorder: &Recorder, slot: &Slot, owed: String, name: String) -> Boxed {
    let (recorder, leaf) = (recorder.clone(), slot.leaf());
    let mut task: Boxed = Box::pin(recorder.clone().task("debtor", async move {
        let _owed = recorder.owes(&owed);
        recorder.wait(&name, leaf).await;
    }));
    assert!(poll(&mut task).is_pending());
    task
}

#[test]
fn tasks_that_wait_for_each_other_are_a_circle_even_beside_a_ticker() {
    let (bench, slots) = (Bench::new(), [Slot::default(), Slot::default()]);
    let task = |slot, owed: &str, name: &str| {
        debtor(&bench.recorder, slot, owed.to_string(), name.to_string())
    };
    let ticks = poll_fn(|cx| {
        cx.waker().wake_by_ref();
        Poll::<()>::Pending
    });
    let mut ticker: Boxed = Box::pin(bench.recorder.task("ticker", ticks));
    let left = task(&slots[0], "left's answer", "right's answer");
    let mut right = task(&slots[1], "right's answer", "left's answer");
    bench.pass(500);
    assert!(poll(&mut ticker).is_pending());
    let report = bench.recorder.stuck(TIME).expect("a circle");
    assert!(
        report.starts_with("stuck for 500ms: a circle of waits: task 2\n"),
        "{report}"
    );
    let circle = "  circle: task 2 waits for \"right's answer\", which task 3 owes; \
                  task 3 waits for \"left's answer\", which task 2 owes\n";
    assert!(report.ends_with(circle), "{report}");
    // The wait is over, and the task drops what it owes.
    assert!(poll(&mut right).is_ready());
    assert!(!bench.recorder.report().contains("circle"));
    drop(left);
}

#[test]
fn a_task_that_waits_for_itself_is_a_circle() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let _task = debtor(&bench.recorder, &slot, "room".into(), "room".into());
    let report = bench.recorder.report();
    assert!(report.contains("circle: task 1 waits for \"room\", which task 1 owes\n"));
}

#[test]
fn a_circle_is_found_behind_any_of_several_debtors() {
    let bench = Bench::new();
    let slots = [Slot::default(), Slot::default(), Slot::default()];
    let task = |slot, owed: &str, name: &str| {
        debtor(&bench.recorder, slot, owed.to_string(), name.to_string())
    };
    // The first that owes a permit waits for nothing that anything owes.
    let _free = task(&slots[0], "a permit", "a letter");
    let _held = task(&slots[1], "a permit", "an answer");
    let _asks = task(&slots[2], "an answer", "a permit");
    let report = bench.recorder.report();
    assert!(report.contains("circle: task 2 waits for \"an answer\""), "{report}");
}

#[test]
fn a_chain_of_ten_thousand_waits_is_no_circle_until_it_is_closed() {
    let bench = Bench::new();
    let slots: Vec<Slot> = (0..10_000).map(|_| Slot::default()).collect();
    let task = |(n, slot): (usize, &Slot)| {
        debtor(
            &bench.recorder,
            slot,
            format!("answer {n}"),
            format!("answer {}", n + 1),
        )
    };
    let _chain: Vec<Boxed> = slots.iter().enumerate().map(task).collect();
    assert!(!bench.recorder.report().contains("circle"));
    let slot = Slot::default();
    let _last =
        debtor(&bench.recorder, &slot, "answer 10000".into(), "answer 9999".into());
    let report = bench.recorder.report();
    assert!(report.contains("circle: task 10000 waits for \"answer 10000\""));
}

#[test]
fn what_was_dropped_is_not_owed() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let recorder = bench.recorder.clone();
    let leaf = slot.leaf();
    let mut task: Boxed = Box::pin(recorder.clone().task("task", async move {
        drop(recorder.owes("lock"));
        recorder.wait("lock", leaf).await;
    }));
    assert!(poll(&mut task).is_pending());
    let report = bench.recorder.report();
    assert!(!report.contains("owes") && !report.contains("circle"), "{report}");
}

#[test]
fn outside_of_a_task_nothing_is_owed() {
    let bench = Bench::new();
    let _owed = bench.recorder.owes("lock");
    assert_eq!(bench.recorder.report(), "  live tasks: 0, last event 0.0ns ago\n");
}

#[test]
fn equal_tasks_are_one_group_in_a_report() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let worker = |name| -> Boxed {
        let wait = bench.recorder.wait("an item", forgetful());
        Box::pin(bench.recorder.task(name, wait))
    };
    let mut workers: Vec<Boxed> = (0..10_000).map(|_| worker("worker")).collect();
    let mut other = worker("other");
    for task in workers.iter_mut().chain([&mut other]) {
        assert!(poll(task).is_pending());
    }
    let mut woken: Boxed = Box::pin(bench.recorder.task("worker", slot.leaf()));
    assert!(poll(&mut woken).is_pending());
    let report = bench.recorder.report();
    let heads = report.lines().filter(|line| line.starts_with("  task"));
    let heads: Vec<_> = heads.map(|line| line.split(" in ").next().unwrap()).collect();
    let expected = [
        "  tasks 1, 2, 3 and 9997 more \"worker\"",
        "  task 10001 \"other\"",
        "  task 10002 \"worker\"",
    ];
    assert_eq!(heads, expected);
    assert!(report.contains("10000 equal tasks; of the first:\n"), "{report}");
    assert_eq!(report.matches("waits for \"an item\"").count(), 2, "{report}");
    bench.pass(500);
    let report = bench.recorder.stuck(TIME).unwrap();
    let first = "stuck for 500ms: no waker can wake it: tasks 1, 2, 3 and 9998 more; no event\n";
    assert!(report.starts_with(first), "{report}");
}

/// A trace that says when it is flushed and when it is dropped.
struct Heard(Sender<&'static str>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.send("flushed");
        Ok(())
    }
}

impl Drop for Heard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[test]
fn a_thread_reports_what_is_stuck_and_ends_with_the_recorder() {
    /// Ends a wait that would have no end. No result depends on it.
    const PATIENCE: Duration = Duration::from_secs(300);
    let (send, heard) = channel();
    let recorder = Recorder::new(Heard(send));
    let mut task: Boxed = Box::pin(recorder.task("task", forgetful()));
    assert!(poll(&mut task).is_pending());
    let (tell, reports) = channel();
    recorder.stuck_after(Duration::from_millis(1), move |it| _ = tell.send(it));
    assert_eq!(heard.recv_timeout(PATIENCE), Ok("flushed"), "before the report");
    let report = reports.recv_timeout(PATIENCE).expect("the task is stuck");
    assert!(report.starts_with("stuck for 1ms: no waker can wake it"), "{report}");
    drop((task, recorder));
    let rest = std::iter::from_fn(|| heard.recv_timeout(PATIENCE).ok());
    assert_eq!(rest.last(), Some("dropped"), "the thread holds it no longer");
    assert!(heard.try_recv().is_err());
}
