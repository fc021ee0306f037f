//! What this executor has beside the rules of every machine (`tests/src/machine`): handles
//! that only cancel, and stuck reports.

use stage3_async::{Executor, JoinError, yield_now};
use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
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
    let queue = Rc::new(stage3_async::Queue::<u32>::new());
    for _ in 0..2 {
        let theirs = queue.clone();
        drop(executor.spawn_named("worker", async move {
            stage3_async::set_label("worker", Some("/a"));
            theirs.get().await;
        }));
    }
    queue.put(1);
    queue.put(2);
    queue.put(3);
    let stuck = executor.block_on(queue.join()).expect_err("no item is done");
    let lines: Vec<&str> = stuck.0.lines().collect();
    assert!(lines[0].ends_with("join waits for all items to be done"), "{stuck}");
    let queue = stage3_async::Queue::<u32>::new();
    let queue = Rc::new(queue);
    for _ in 0..2 {
        let theirs = queue.clone();
        drop(executor.spawn_named("worker", async move { theirs.get().await }));
    }
    let stuck = executor.block_on(pending::<()>()).expect_err("no item is put");
    let workers = stuck.0.lines().nth(1).expect("they are one line");
    assert!(workers.starts_with("2 × worker, from executor.rs:"), "{stuck}");
    assert!(workers.ends_with(": get waits for an item"), "{stuck}");
}

#[test]
fn a_stuck_report_tells_the_join_of_a_task_from_the_join_of_a_queue() {
    let executor = executor();
    let queue = Rc::new(stage3_async::Queue::<u32>::new());
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
        stage3_async::set_label("still outer", None);
        pending::<()>().await;
        stuck
    });
    let stuck = outer.block_on(task).map(drop).expect_err("no waker is kept");
    assert!(stuck.0.contains("still outer, from executor.rs"), "{stuck}");
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
