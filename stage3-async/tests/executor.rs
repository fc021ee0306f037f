//! What this executor has beside the rules of every machine (`tests/src/machine`): handles
//! that only cancel, and stuck reports.

use shared::trace::{Trace, TraceFormat};
use stage3_async::{Executor, JoinError, Leaf, Observer, Queue, set_label, yield_now};
use std::cell::RefCell;
use std::fs;
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::thread;

fn executor() -> Executor {
    Executor::new().expect("a selector can be made")
}

#[test]
fn a_task_can_be_cancelled_from_another_thread() {
    let executor = executor();
    let task = executor.spawn(pending::<()>());
    let cancel = task.cancel_handle();
    let _work = executor.reactor().work_guard();
    let ended = executor.block_on(async {
        yield_now().await;
        let thread = thread::spawn(move || cancel.cancel());
        let ended = task.await;
        thread.join().expect("it does not panic");
        ended
    });
    assert!(matches!(ended, Ok(Err(JoinError::Cancelled))));
}

#[test]
fn a_stuck_report_says_where_each_task_was_spawned() {
    let executor = executor();
    let line = line!() + 1;
    drop(executor.spawn(pending::<()>()));
    let stuck = executor.block_on(pending::<()>()).expect_err("no waker is kept");
    assert!(stuck.0.contains(&format!("a task, from executor.rs:{line}:")), "{stuck}");
}

#[test]
fn a_stuck_report_says_what_each_task_waits_for() {
    let executor = executor();
    let queue = Rc::new(Queue::<u32>::new());
    for _ in 0..2 {
        let items = queue.clone();
        drop(executor.spawn_named("worker", async move {
            set_label("worker", Some("/a"));
            items.get().await;
        }));
    }
    queue.put(1);
    queue.put(2);
    queue.put(3);
    let stuck = executor.block_on(queue.join()).expect_err("no item is done");
    let lines: Vec<&str> = stuck.0.lines().collect();
    assert!(lines[0].ends_with("join waits for all items to be done"), "{stuck}");
    let queue = Rc::new(Queue::<u32>::new());
    for _ in 0..2 {
        let items = queue.clone();
        drop(executor.spawn_named("worker", async move { items.get().await }));
    }
    let stuck = executor.block_on(pending::<()>()).expect_err("no item is put");
    let workers = stuck.0.lines().nth(1).expect("they are one line");
    assert!(workers.starts_with("2 × worker, from executor.rs:"), "{stuck}");
    assert!(workers.ends_with(": get waits for an item"), "{stuck}");
}

#[test]
fn a_stuck_report_tells_the_join_of_a_task_from_the_join_of_a_queue() {
    let executor = executor();
    let queue = Rc::new(Queue::<u32>::new());
    queue.put(1);
    let first = executor.spawn(async move { queue.join().await });
    let stuck = executor.block_on(first).expect_err("no item is done");
    let leaf = |line: &str| line.rsplit_once(": ").expect("a place").1.to_string();
    let leaves: Vec<String> = stuck.0.lines().map(leaf).collect();
    let both =
        ["JoinHandle waits for another task", "join waits for all items to be done"];
    assert_eq!(leaves, both);
}

#[test]
fn a_task_is_named_as_before_after_an_executor_ran_inside_of_it() {
    let outer = executor();
    let task = outer.spawn_named("outer", async {
        let stuck = executor().block_on(pending::<()>()).expect_err("no waker is kept");
        set_label("still outer", None);
        pending::<()>().await;
        stuck
    });
    let stuck = outer.block_on(task).map(drop).expect_err("no waker is kept");
    assert!(stuck.0.contains("still outer, from executor.rs"), "{stuck}");
}

#[test]
fn what_a_task_has_noted_outlasts_an_executor_that_runs_inside_of_it() {
    static PARKED: Leaf = Leaf::named("parked", "the end of this test");
    let outer = executor();
    let task = outer.spawn(poll_fn(|_| {
        set_label("outer", Some("/a"));
        PARKED.parked();
        executor().block_on(async {}).expect("it does not wait");
        Poll::<()>::Pending
    }));
    let stuck = outer.block_on(task).map(drop).expect_err("no waker is kept");
    let line = stuck.0.lines().nth(1).expect("the task is there");
    assert!(line.starts_with("outer (/a), from executor.rs:"), "{stuck}");
    assert!(line.ends_with(": parked waits for the end of this test"), "{stuck}");
}

#[test]
fn the_report_of_an_executor_inside_of_a_task_is_its_own() {
    static PARKED: Leaf = Leaf::named("parked", "the end of this test");
    let outer = executor();
    let inner = outer.block_on(async {
        set_label("outer", Some("/a"));
        PARKED.parked();
        executor().block_on(pending::<()>()).expect_err("no waker is kept").0
    });
    let inner = inner.expect("it does not wait");
    assert!(inner.starts_with("block_on, from executor.rs:"), "{inner}");
    assert!(
        inner.ends_with(": it waits for something that it does not name"),
        "{inner}"
    );
}

#[test]
fn a_label_counts_at_once_and_outside_of_a_task_for_none() {
    set_label("before the run", None);
    let executor = executor();
    let handle = executor.clone();
    let task = executor.spawn(async move {
        let before = handle.observer().waiters_report();
        set_label("named", Some("/a"));
        (before, handle.observer().waiters_report())
    });
    let (before, after) = executor.block_on(task).expect("it ends").expect("it ends");
    set_label("after the run", None);
    let names = |report: &str| {
        let name = |line: &str| line.split(", from").next().map(String::from);
        report.lines().filter_map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&before), ["block_on", "a task"]);
    assert_eq!(names(&after), ["block_on", "named (/a)"]);
    let stuck = executor.block_on(pending::<()>()).expect_err("no waker is kept");
    assert_eq!(names(&stuck.0), ["block_on"]);
}

/// A destructor that spawns a task with such a destructor, and so on.
struct Spawns(Executor, usize);

impl Drop for Spawns {
    fn drop(&mut self) {
        if self.1 > 0 {
            let next = Spawns(self.0.clone(), self.1 - 1);
            drop(self.0.spawn(holds(next)));
        }
    }
}

async fn holds<T>(_it: T) {
    pending().await
}

#[test]
fn a_task_that_was_refused_at_the_end_of_a_run_is_in_no_report() {
    let executor = executor();
    drop(executor.spawn(holds(Spawns(executor.clone(), 3))));
    executor.block_on(async {}).expect("it does not wait");
    assert_eq!(executor.observer().waiters_report(), "");
    let stuck = executor.block_on(pending::<()>()).expect_err("no waker is kept");
    assert_eq!(stuck.0.lines().count(), 1, "{stuck}");
}

#[test]
fn no_task_is_left_for_the_report_of_the_next_run() {
    let executor = executor();
    drop(executor.spawn(pending::<()>()));
    let run = AssertUnwindSafe(|| {
        executor.block_on(async {
            yield_now().await;
            panic!("a bug")
        })
    });
    let panicked: Result<Result<(), _>, _> = catch_unwind(run);
    assert!(panicked.is_err());
    let stuck = executor.block_on(pending::<()>()).expect_err("no waker is kept");
    assert_eq!(stuck.0.lines().count(), 1, "{stuck}");
}

#[test]
fn at_the_end_of_a_run_the_oldest_task_is_dropped_first() {
    struct Tells(u32, Rc<RefCell<Vec<u32>>>);
    impl Drop for Tells {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0);
        }
    }
    let (executor, dropped) = (executor(), Rc::default());
    let first = executor.spawn(async {});
    drop(executor.spawn(holds(Tells(2, Rc::clone(&dropped)))));
    let handle = executor.clone();
    let run = async {
        first.await.expect("it ends");
        // Wherever the executor keeps its tasks, the first one has left room there.
        drop(handle.spawn(holds(Tells(3, Rc::clone(&dropped)))));
        drop(handle.spawn(holds(Tells(4, Rc::clone(&dropped)))));
    };
    executor.block_on(run).expect("it ends");
    assert_eq!(*dropped.borrow(), [2, 3, 4]);
}

/// Calls a waker when it is dropped.
struct WakesAtItsEnd(Waker);

impl Drop for WakesAtItsEnd {
    fn drop(&mut self) {
        self.0.wake_by_ref();
    }
}

#[test]
fn a_trace_says_that_a_task_wakes_another_while_it_is_dropped() {
    let name = format!("wakes-at-its-end-{}.jsonl", std::process::id());
    let file = std::env::temp_dir().join(name);
    let trace = Trace::open(Some(&file), TraceFormat::Jsonl, "test").expect("a file");
    let executor = executor().observed(Observer::new(trace.clone()));
    let ended = executor.block_on(async {
        let waker = poll_fn(|cx| Poll::Ready(cx.waker().clone())).await;
        let held = WakesAtItsEnd(waker);
        let task = executor.spawn(async move {
            let _held = held;
            pending::<()>().await;
        });
        yield_now().await;
        task.cancel();
        task.await
    });
    assert!(matches!(ended, Ok(Err(JoinError::Cancelled))));
    trace.finish().expect("it is written");
    let text = fs::read_to_string(&file).expect("it is there");
    fs::remove_file(file).expect("it is there");
    let woken = text.lines().filter(|line| line.contains(r#""event":"woken""#));
    let by = woken.map(|line| line.split_once(r#""by":"#).expect("it has one").1);
    let by: Vec<&str> = by.map(|rest| &rest[..1]).collect();
    assert_eq!(by, ["1", "1", "2", "2"], "itself, cancel, destructor, handle: {text}");
}
