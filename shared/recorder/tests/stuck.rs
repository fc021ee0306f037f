//! What is reported as stuck, and what a report says.

use crate::bench::{Bench, Boxed, Slot, forgetful, poll, without_lines};
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
/// that follows, without its beginning. There is no second one.
fn stuck(bench: &Bench) -> String {
    bench.pass(499);
    assert_eq!(bench.recorder.stuck(TIME), None);
    bench.pass(1);
    let report = without_lines(&bench.recorder.stuck(TIME).expect("its time has come"));
    bench.pass(5000);
    assert_eq!(bench.recorder.stuck(TIME), None, "each finding is reported once");
    let first = report.lines().next().unwrap();
    first.strip_prefix("stuck for 500ms: ").unwrap().to_string()
}

#[test]
fn a_task_that_no_waker_can_wake() {
    let bench = Bench::new();
    let line = line!() + 1;
    let wait = bench.recorder.wait("the flag", forgetful());
    let mut task: Boxed = Box::pin(bench.recorder.task("task", wait));
    assert!(poll(&mut task).is_pending());
    let lost = ", and no waker is left that could wake it";
    assert_eq!(
        stuck(&bench),
        format!("task 1 \"task\" waits for \"the flag\" at LINE{lost}")
    );
    let report = bench.recorder.report();
    let wait = format!("has waited 5.5s for \"the flag\" at tests/stuck.rs:{line}\n");
    assert!(report.contains(&wait), "{report}");
    assert!(report.contains("wakers alive: 0, so nothing can wake it"), "{report}");
}

#[test]
fn a_wait_without_a_name() {
    let bench = Bench::new();
    let mut task: Boxed = Box::pin(bench.recorder.task("task", forgetful()));
    assert!(poll(&mut task).is_pending());
    let words = "task 1 \"task\", created at LINE, waits for a future without a name, and \
                 no waker is left that could wake it";
    assert_eq!(stuck(&bench), words);
}

#[test]
fn a_task_that_was_never_polled() {
    let bench = Bench::new();
    let _task = bench.recorder.task("task", forgetful());
    let words =
        "task 1 \"task\", created at LINE, was never polled, so it has not begun";
    assert_eq!(stuck(&bench), words);
}

#[test]
fn what_waits_beside_a_task_that_was_never_polled_is_named_if_nothing_else_happens() {
    let waits = "; meanwhile, task 2 \"victim\" waits for \"a letter\" at LINE";
    for (has_event, waits) in [(false, waits), (true, "")] {
        let (bench, slot) = (Bench::new(), Slot::default());
        let _task = bench.recorder.task("task", forgetful());
        let wait = bench.recorder.wait("a letter", slot.leaf());
        let mut victim: Boxed = Box::pin(bench.recorder.task("victim", wait));
        assert!(poll(&mut victim).is_pending());
        bench.pass(400);
        if has_event {
            drop(bench.recorder.task("event", forgetful()));
        }
        bench.pass(100);
        let report = without_lines(&bench.recorder.stuck(TIME).unwrap());
        let verdict = report.lines().next().unwrap();
        assert!(verdict.ends_with(&format!("so it has not begun{waits}")), "{report}");
        bench.pass(500);
        let later =
            bench.recorder.stuck(TIME).map_or(String::new(), |it| without_lines(&it));
        assert_eq!(
            later.contains("\"victim\" waits for \"a letter\""),
            has_event,
            "{later}"
        );
    }
}

#[test]
fn a_task_that_was_woken_and_is_not_polled() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let mut task: Boxed = Box::pin(bench.recorder.task("task", slot.leaf()));
    assert!(poll(&mut task).is_pending());
    slot.take().unwrap().wake();
    let words =
        "task 1 \"task\", created at LINE, was woken by the runtime, and is not polled";
    assert_eq!(stuck(&bench), words);
    let report = bench.recorder.report();
    assert!(report.contains("by the runtime, not polled since"), "{report}");
}

#[test]
fn a_poll_that_does_not_return_comes_before_what_it_keeps_from_being_polled() {
    let (bench, slot) = (Rc::new(Bench::new()), Slot::default());
    let mut victim: Boxed = Box::pin(bench.recorder.task("victim", slot.leaf()));
    assert!(poll(&mut victim).is_pending());
    let (in_task, recorder) = (Rc::clone(&bench), bench.recorder.clone());
    let mut task: Boxed = Box::pin(bench.recorder.task("greedy", async move {
        for _ in 0..3 {
            recorder.wait("an item", async {}).await;
        }
        slot.take().unwrap().wake();
        let blocked = async { in_task.recorder.stuck(TIME) };
        in_task.pass(500);
        let report = recorder.wait("the line that blocks", blocked).await.unwrap();
        let report = without_lines(&report);
        let (verdict, tasks) = report.split_once('\n').unwrap();
        let poll = "stuck for 500ms: task 2 \"greedy\", created at LINE, does not return \
                    from poll 1 on thread \"stuck::";
        assert!(verdict.starts_with(poll), "{report}");
        let waits = "; waits in this poll: 4, the last \"the line that blocks\" at LINE; \
                     task 1 \"victim\", created at LINE, was woken by task 2, and is not polled";
        assert!(verdict.ends_with(waits), "{report}");
        assert!(tasks.contains("    for 500.0ms in poll 1 on thread \"stuck::"), "{report}");
        assert!(tasks.find("\"greedy\"") < tasks.find("\"victim\""), "{report}");
    }));
    assert!(poll(&mut task).is_ready());
    assert!(poll(&mut victim).is_ready());
    assert_eq!(bench.recorder.stuck(TIME), None);
}

#[test]
fn a_task_that_waits_for_a_waker_is_only_a_program_without_events() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let wait = bench.recorder.wait("a letter", slot.leaf());
    let mut task: Boxed = Box::pin(bench.recorder.task("task", wait));
    assert!(poll(&mut task).is_pending());
    let words = "no event: task 1 \"task\" waits for \"a letter\" at LINE, and no other \
                 recorded task is left to wake it";
    assert_eq!(stuck(&bench), words);
}

#[test]
fn a_task_that_must_provide_something_comes_before_those_that_wait_for_it() {
    let bench = Bench::new();
    let slots = [Slot::default(), Slot::default()];
    let wait = bench.recorder.wait("the lock", slots[0].leaf());
    let mut task: Boxed = Box::pin(bench.recorder.task("victim", wait));
    assert!(poll(&mut task).is_pending());
    let _holder = provider(&bench.recorder, &slots[1], "the lock", "a letter");
    let words = "no event: task 2 \"provider\" waits for \"a letter\" at LINE; task 1 \
                 \"victim\" waits for \"the lock\" at LINE, which task 2 \"provider\" \
                 must provide";
    assert_eq!(stuck(&bench), words);
}

#[test]
fn the_task_that_has_waited_longest_comes_first() {
    let (bench, slots) = (Bench::new(), [Slot::default(), Slot::default()]);
    let mut ticks: Boxed = Box::pin(bench.recorder.task("ticks", slots[0].leaf()));
    let mut waits: Boxed = Box::pin(bench.recorder.task("waits", slots[1].leaf()));
    assert!(poll(&mut waits).is_pending());
    bench.pass(1);
    assert!(poll(&mut ticks).is_pending());
    let report = bench.recorder.report();
    assert!(report.find("\"waits\"") < report.find("\"ticks\""), "{report}");
}

#[test]
fn of_many_tasks_that_must_provide_something_three_are_named() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let worker = |_| provider(&bench.recorder, &slot, "a worker's end", "a signal");
    let _workers: Vec<Boxed> = (0..10_000).map(worker).collect();
    let wait = bench.recorder.wait("a worker's end", Slot::default().leaf());
    let mut task: Boxed = Box::pin(bench.recorder.task("joins", wait));
    assert!(poll(&mut task).is_pending());
    let words = "which task 1 \"provider\" or task 2 \"provider\" or task 3 \"provider\" or \
                 9997 more must provide\n";
    let report = bench.recorder.report();
    assert!(report.contains(words), "{report}");
}

#[test]
fn a_task_that_has_ended_can_provide_nothing() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let recorder = bench.recorder.clone();
    let mut task: Boxed = Box::pin(bench.recorder.task("leaks", async move {
        std::mem::forget(recorder.provides("a permit"));
    }));
    assert!(poll(&mut task).is_ready());
    let wait = bench.recorder.wait("a permit", slot.leaf());
    let mut task: Boxed = Box::pin(bench.recorder.task("waits", wait));
    assert!(poll(&mut task).is_pending());
    let words = "no event: task 2 \"waits\" waits for \"a permit\" at LINE, which task 1, \
                 which has ended, must provide, and no other recorded task is left to wake it";
    assert_eq!(stuck(&bench), words);
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

/// A task that must provide `own` and waits for `name`. Its waker is stored in `slot`.
fn provider(recorder: &Recorder, slot: &Slot, own: &str, name: &str) -> Boxed {
    let (recorder, leaf) = (recorder.clone(), slot.leaf());
    let (own, name) = (own.to_string(), name.to_string());
    let mut task: Boxed = Box::pin(recorder.clone().task("provider", async move {
        let _provider = recorder.provides(&own);
        recorder.wait(&name, leaf).await;
    }));
    assert!(poll(&mut task).is_pending());
    task
}

/// The circle of waits that holds now and was not reported before.
fn circle_of(bench: &Bench) -> Option<String> {
    let report = without_lines(&bench.recorder.stuck(Duration::ZERO)?);
    let circle = report.lines().next()?.split_once("a circle of waits: ")?.1;
    Some(circle.to_string())
}

#[test]
fn tasks_that_wait_for_each_other_are_a_circle_even_beside_a_ticker() {
    let (bench, slots) = (Bench::new(), [Slot::default(), Slot::default()]);
    let task = |slot, own, name| provider(&bench.recorder, slot, own, name);
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
    let circle = "stuck for 500ms: a circle of waits: \
                  task 2 \"provider\" waits for \"right's answer\" at LINE, which task 3 \
                  \"provider\" must provide; \
                  task 3 \"provider\" waits for \"left's answer\" at LINE, which task 2 \
                  \"provider\" must provide\n";
    assert!(without_lines(&report).starts_with(circle), "{report}");
    // The wait is over, and the task drops its `Provider`.
    assert!(poll(&mut right).is_ready());
    assert_eq!(circle_of(&bench), None);
    drop(left);
}

#[test]
fn a_task_that_waits_for_itself_is_a_circle() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let _task = provider(&bench.recorder, &slot, "room", "room");
    let circle = "task 1 \"provider\" waits for \"room\" at LINE, which task 1 \"provider\" \
                  must provide";
    assert_eq!(circle_of(&bench).as_deref(), Some(circle));
}

#[test]
fn a_circle_is_found_behind_any_of_several_providers() {
    let bench = Bench::new();
    let slots = [Slot::default(), Slot::default(), Slot::default()];
    let task = |slot, own, name| provider(&bench.recorder, slot, own, name);
    // What the first one waits for comes from no task.
    let _free = task(&slots[0], "a permit", "a letter");
    let _held = task(&slots[1], "a permit", "an answer");
    let _asks = task(&slots[2], "an answer", "a permit");
    let circle = circle_of(&bench).unwrap();
    assert!(
        circle.starts_with("task 2 \"provider\" waits for \"an answer\""),
        "{circle}"
    );
}

#[test]
fn a_chain_of_ten_thousand_waits_is_no_circle_until_it_is_closed() {
    let bench = Bench::new();
    let slots: Vec<Slot> = (0..10_000).map(|_| Slot::default()).collect();
    let (names, slot) = (|n| format!("answer {n}"), Slot::default());
    let task =
        |n: usize, slot, next| provider(&bench.recorder, slot, &names(n), &names(next));
    let chain = slots.iter().enumerate().map(|(n, slot)| task(n, slot, n + 1));
    let _chain: Vec<Boxed> = chain.collect();
    assert_eq!(circle_of(&bench), None);
    let _last = task(10_000, &slot, 0);
    let circle = circle_of(&bench).unwrap();
    assert!(
        circle.starts_with("task 1 \"provider\" waits for \"answer 1\""),
        "{circle}"
    );
    assert!(circle.ends_with(" and 9998 more"), "{circle}");
}

#[test]
fn what_was_dropped_is_not_provided() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let recorder = bench.recorder.clone();
    let leaf = slot.leaf();
    let mut task: Boxed = Box::pin(recorder.clone().task("task", async move {
        drop(recorder.provides("lock"));
        recorder.wait("lock", leaf).await;
    }));
    assert!(poll(&mut task).is_pending());
    let report = bench.recorder.report();
    assert!(!report.contains("provide"), "{report}");
    assert_eq!(circle_of(&bench), None);
}

#[test]
fn outside_of_a_task_nothing_is_provided() {
    let bench = Bench::new();
    let _provider = bench.recorder.provides("lock");
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
    let heads: Vec<_> =
        heads.map(|line| line.split(", created").next().unwrap()).collect();
    let expected = [
        "  tasks 1, 2, 3 and 9997 more \"worker\"",
        "  task 10001 \"other\"",
        "  task 10002 \"worker\"",
    ];
    assert_eq!(heads, expected);
    assert!(report.contains("10000 equal tasks; of the first:\n"), "{report}");
    assert_eq!(report.matches("for \"an item\"").count(), 2, "{report}");
    let lost = ", and no waker is left that could wake it";
    let words = format!(
        "task 1 \"worker\" (one of 10000 equal tasks) waits for \"an item\" at LINE{lost}; \
         task 10001 \"other\" waits for \"an item\" at LINE{lost}; \
         task 10002 \"worker\", created at LINE, waits for a future without a name{lost}"
    );
    drop(slot.take());
    assert_eq!(stuck(&bench), words);
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
    assert!(report.starts_with("stuck for 1ms: task 1 \"task\""), "{report}");
    drop((task, recorder));
    let rest = std::iter::from_fn(|| heard.recv_timeout(PATIENCE).ok());
    assert_eq!(rest.last(), Some("dropped"), "the thread holds it no longer");
    assert!(heard.try_recv().is_err());
}
