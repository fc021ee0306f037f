//! What a trace says, and what the recorder must not change.

use crate::bench::{Bench, Boxed, Slot, forgetful, poll};
use recorder::Recorder;
use serde_json::json;
use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

#[test]
fn polls_pauses_wakes_and_the_end_are_recorded() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let wait = bench.recorder.wait("a letter", slot.leaf());
    let mut task: Boxed = Box::pin(bench.recorder.task("reader", wait));
    bench.pass(1);
    assert!(poll(&mut task).is_pending());
    let waker = slot.take().unwrap();
    waker.wake_by_ref();
    waker.wake();
    bench.pass(1);
    assert!(poll(&mut task).is_ready());

    let story = ["created", "resumed", "paused", "woken", "queued", "woken"];
    let story = story.iter().chain(&["resumed", "finished"]);
    assert_eq!(bench.story(), story.map(|it| format!("1 {it}")).collect::<Vec<_>>());
    assert_eq!(bench.values("us"), [0, 1000, 1000, 1000, 1000, 1000, 2000, 2000]);
    assert_eq!(bench.values("step"), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(bench.values("for"), ["reader"; 3]);
    assert_eq!(bench.values("state"), ["New", "a letter", "a letter"]);
    assert_eq!(bench.values("ready"), [0, 1, 0]);
    assert_eq!(bench.values("wakers"), [1]);
    assert_eq!(bench.events()[2]["waits"]["named"], "a letter");
    let line = bench.values("line")[0].to_string();
    assert!(line.starts_with("\"tests/records.rs:"), "{line}");
}

/// The waker of an executor, which `Waker::noop` is not: two clones of that may differ.
struct Executor;

impl Wake for Executor {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn a_leaf_gets_a_waker_that_equals_the_one_that_it_kept() {
    let bench = Bench::new();
    let (mut kept, mut equal) = (None::<Waker>, Vec::new());
    let mut task = Box::pin(bench.recorder.task(
        "leaf",
        poll_fn(|cx| {
            equal.extend(kept.as_ref().map(|kept| kept.will_wake(cx.waker())));
            kept = Some(cx.waker().clone());
            Poll::<()>::Pending
        }),
    ));
    // The last executor is another one: the kept waker would wake the wrong one.
    let executors = [Executor, Executor].map(|it| Waker::from(Arc::new(it)));
    for executor in [0, 0, 0, 1] {
        let mut cx = Context::from_waker(&executors[executor]);
        assert!(task.as_mut().poll(&mut cx).is_pending());
    }
    drop(task);
    assert_eq!(equal, [true, true, false]);
}

/// A task of an executor that keeps it only in its wakers.
struct InWakers(Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>);

impl Wake for InWakers {
    fn wake(self: Arc<Self>) {
        let mut future = self.0.lock().unwrap().take().expect("it is suspended");
        let waker = Waker::from(Arc::clone(&self));
        if future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending() {
            *self.0.lock().unwrap() = Some(future);
        }
    }
}

#[test]
fn a_task_that_only_its_wakers_keep_is_dropped_with_the_last() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let task = Box::pin(bench.recorder.task("task", slot.leaf()));
    Arc::new(InWakers(Mutex::new(Some(task)))).wake();
    assert_eq!(bench.story(), ["1 created", "1 resumed", "1 paused"]);
    drop(slot.take());
    assert_eq!(bench.story()[3..], ["1 orphaned", "1 cancelled"]);
}

#[test]
fn a_dropped_task_is_cancelled_and_not_lost() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let leaf = slot.leaf();
    // The future keeps its own waker, which is dropped with it.
    let mut task: Boxed = Box::pin(bench.recorder.task("task", async move {
        let _slot = slot;
        leaf.await;
    }));
    assert!(poll(&mut task).is_pending());
    drop(task);
    assert_eq!(bench.story(), ["1 created", "1 resumed", "1 paused", "1 cancelled"]);
    assert_eq!(bench.values("panicked"), [true; 0]);
}

#[test]
fn a_task_that_was_never_polled_is_cancelled_too() {
    let bench = Bench::new();
    drop(bench.recorder.task("task", forgetful()));
    assert_eq!(bench.story(), ["1 created", "1 cancelled"]);
}

#[test]
fn a_panic_ends_the_poll_and_the_task() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let mut task: Boxed =
        Box::pin(bench.recorder.task("task", async { panic!("on purpose") }));
    let polled = catch_unwind(AssertUnwindSafe(|| poll(&mut task)));
    assert!(polled.is_err());
    assert_eq!(bench.story(), ["1 created", "1 resumed", "1 cancelled"]);
    assert_eq!(bench.values("panicked"), [true]);
    // No task runs on this thread now, so none is blamed for a wake.
    let mut other: Boxed = Box::pin(bench.recorder.task("other", slot.leaf()));
    assert!(poll(&mut other).is_pending());
    slot.take().unwrap().wake();
    assert_eq!(bench.values("by"), ["runtime"]);
}

#[test]
fn a_wake_says_what_called_the_waker() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let sleeper = || {
        let mut task: Boxed = Box::pin(bench.recorder.task("sleeper", slot.leaf()));
        assert!(poll(&mut task).is_pending());
        task
    };
    let woken_by_task = sleeper();
    let waker = slot.take().unwrap();
    let mut task: Boxed =
        Box::pin(bench.recorder.task("caller", async { waker.wake() }));
    assert!(poll(&mut task).is_ready());

    let woken_by_runtime = sleeper();
    slot.take().unwrap().wake();

    let woken_by_thread = sleeper();
    let waker = slot.take().unwrap();
    let helper = thread::Builder::new().name("helper".into());
    helper.spawn(|| waker.wake()).unwrap().join().unwrap();

    let itself = poll_fn(|cx| {
        cx.waker().wake_by_ref();
        Poll::Pending
    });
    let mut woken_by_itself: Boxed = Box::pin(bench.recorder.task("itself", itself));
    assert!(poll(&mut woken_by_itself).is_pending());

    let by = [json!(2), json!("runtime"), json!("thread"), json!(5)];
    assert_eq!(bench.values("by"), by);
    let events = bench.events();
    let helped = events.iter().find(|it| it["by"] == "thread").unwrap();
    assert_eq!(helped["thread"], "helper");
    drop((woken_by_task, woken_by_runtime, woken_by_thread));
}

#[test]
fn a_wake_after_the_end_is_not_recorded() {
    let (bench, slot) = (Bench::new(), Slot::default());
    let mut task: Boxed = Box::pin(bench.recorder.task("task", slot.leaf()));
    assert!(poll(&mut task).is_pending());
    drop(task);
    slot.take().unwrap().wake();
    assert_eq!(bench.story().last().unwrap(), "1 cancelled");
}

#[test]
fn the_innermost_waits_name_the_state() {
    let bench = Bench::new();
    let recorder = &bench.recorder;
    let (left, right) = (recorder.wait("left", forgetful()), Slot::default());
    let right_wait = recorder.wait("right", right.leaf());
    let both = async {
        let (mut left, mut right) = (Box::pin(left), Box::pin(right_wait));
        poll_fn(|cx| match left.as_mut().poll(cx) {
            Poll::Pending => right.as_mut().poll(cx),
            ready => ready,
        })
        .await; // drops `left`, whose wait is not over
        drop((left, right));
        forgetful().await;
    };
    let mut task: Boxed =
        Box::pin(recorder.task("task", recorder.wait("either", both)));
    assert!(poll(&mut task).is_pending());
    assert!(poll(&mut task).is_pending());
    let paused = bench.events().into_iter().filter(|it| it["event"] == "paused");
    let states: Vec<_> = paused.map(|it| it["state"].clone()).collect();
    assert_eq!(states, ["left or right", "either"]);
}

#[test]
fn of_a_thousand_waits_a_line_names_three() {
    let bench = Bench::new();
    let waits =
        (0..1000).map(|n| bench.recorder.wait(&format!("part {n}"), forgetful()));
    let mut waits: Vec<_> = waits.map(Box::pin).collect();
    let all = poll_fn(move |cx| {
        let pending = waits.iter_mut().filter_map(|it| match it.as_mut().poll(cx) {
            Poll::Pending => Some(()),
            Poll::Ready(()) => None,
        });
        if pending.count() == 0 { Poll::Ready(()) } else { Poll::Pending }
    });
    let mut task: Boxed = Box::pin(bench.recorder.task("all", all));
    assert!(poll(&mut task).is_pending());
    assert_eq!(bench.values("state")[1], "part 0 or part 1 or part 2 or others");
}

#[test]
fn a_wait_that_another_task_polls_moves_there() {
    let bench = Bench::new();
    let wait: Boxed = Box::pin(bench.recorder.wait("it", forgetful()));
    let wait = Rc::new(RefCell::new(wait));
    let borrow = |name| -> Boxed {
        let wait = Rc::clone(&wait);
        let future = poll_fn(move |cx| wait.borrow_mut().as_mut().poll(cx));
        Box::pin(bench.recorder.task(name, future))
    };
    let (mut first, mut second) = (borrow("first"), borrow("second"));
    assert!(poll(&mut first).is_pending() && poll(&mut second).is_pending());
    assert!(poll(&mut first).is_pending());
    let report = bench.recorder.report();
    assert_eq!(report.matches("has waited").count(), 1, "{report}");
    let of_first = report.split("\"second\"").next().unwrap();
    assert!(of_first.contains("has waited 0.0ns for \"it\""), "{report}");
}

#[test]
fn a_wait_outside_of_a_task_is_not_recorded() {
    let bench = Bench::new();
    let mut wait: Boxed = Box::pin(bench.recorder.wait("it", Slot::default().leaf()));
    assert!(poll(&mut wait).is_pending() && poll(&mut wait).is_ready());
    assert_eq!(bench.story(), [""; 0]);
}

#[test]
fn two_recorders_do_not_see_each_other() {
    let (outer, inner, slot) = (Bench::new(), Bench::new(), Slot::default());
    let mut part: Boxed = Box::pin(inner.recorder.task("part", slot.leaf()));
    let mut whole: Boxed = Box::pin(outer.recorder.task(
        "whole",
        poll_fn(move |cx| {
            let polled = part.as_mut().poll(cx);
            slot.take().unwrap().wake();
            polled
        }),
    ));
    assert!(poll(&mut whole).is_pending());
    assert_eq!(inner.story()[..3], ["1 created", "1 resumed", "1 paused"]);
    assert_eq!(inner.values("by"), ["runtime"]);
    assert_eq!(outer.values("by"), [1]);
}

#[test]
fn any_name_is_valid_in_a_trace() {
    let bench = Bench::new();
    let name = "\"a\"\\\n\u{1}é";
    let wait = bench.recorder.wait(name, forgetful());
    let mut task: Boxed = Box::pin(bench.recorder.task(name, wait));
    assert!(poll(&mut task).is_pending());
    assert_eq!(bench.values("for"), [name; 2]);
    assert_eq!(bench.events()[2]["waits"]["named"], name);
    assert_eq!(bench.recorder.report().lines().count(), 6, "a name stays in its line");
}

#[test]
fn a_long_name_is_cut() {
    let bench = Bench::new();
    drop(bench.recorder.task(&"é".repeat(1000), forgetful()));
    assert_eq!(bench.values("for"), ["é".repeat(200) + "…"]);
}

#[test]
fn the_first_error_of_a_write_is_returned_by_finish() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "no room"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let recorder = Recorder::new(Full);
    let mut task: Boxed = Box::pin(recorder.task("task", Slot::default().leaf()));
    assert!(poll(&mut task).is_pending() && poll(&mut task).is_ready());
    for _ in 0..2 {
        let error = recorder.finish().unwrap_err();
        assert_eq!(
            (error.kind(), &*error.to_string()),
            (io::ErrorKind::StorageFull, "no room")
        );
    }
}

#[test]
fn a_trace_that_is_finished_is_in_its_file() {
    let path =
        std::env::temp_dir().join(format!("recorder-{}.jsonl", std::process::id()));
    let recorder = Recorder::to_file(&path).unwrap();
    drop(recorder.task("task", forgetful()));
    recorder.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.starts_with("{\"trace\":4,\"program\":\"recorder\"}\n"), "{text}");
}
