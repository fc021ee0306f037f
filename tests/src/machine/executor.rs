//! What an executor promises to its tasks, without a network.

use super::doors::{
    Bomb, Door, ENDS, STUCK, Story, Tells, bug, counted_waker, has_panicked,
    meddling_waker, poll, set_meddle, was_cancelled, yield_once,
};
use super::{Executor, JoinHandle, Machine, Reactor, Rule, Stuck};
use std::cell::{Cell, RefCell};
use std::future::{Future, pending, poll_fn, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Context, Poll};
use std::thread;

pub(super) fn rules<M: Machine>() -> Vec<Rule> {
    super::rules![M, "executor":
        19 block_on_returns_the_output,
        19 block_on_can_be_called_again,
        19 block_on_inside_of_block_on_panics,
        19 spawn_runs_nothing_yet_and_tasks_run_in_their_order,
        19 a_task_can_be_awaited_and_spawned_from_a_task,
        19 joining_a_task_twice_panics,
        19 a_handle_that_is_dropped_lets_its_task_run_on,
        19 a_handle_knows_whether_its_task_has_ended,
        19 a_wake_during_the_poll_is_not_lost,
        19 waking_twice_is_one_poll,
        19 a_waker_may_outlive_its_task_and_its_executor,
        19 a_stale_waker_wakes_no_other_task,
        19 the_latest_waker_is_woken,
        19 where_no_task_can_go_on_block_on_returns_stuck,
        20 a_wake_from_another_thread_ends_the_wait,
        20 a_wake_from_another_thread_reaches_a_task,
        19 a_panic_in_a_task_ends_that_task_alone,
        19 an_output_without_a_handle_is_dropped_with_nothing_borrowed,
        19 a_handle_wakes_with_nothing_borrowed,
        19 a_dropped_handle_leaves_no_waker_behind,
        24 a_cancelled_task_is_dropped_at_its_next_turn,
        24 cancelling_runs_no_destructor_inside_the_caller,
        24 a_task_that_is_cancelled_before_its_first_turn_never_runs,
        24 a_task_can_cancel_itself,
        24 the_first_end_of_a_task_counts,
        24 a_task_that_has_ended_is_not_cancelled,
        24 a_panic_while_a_task_is_dropped_ends_no_other_task,
        24 tasks_that_are_left_are_dropped_when_block_on_returns,
        24 tasks_are_dropped_when_the_main_future_panics,
        24 what_the_main_future_spawns_as_it_is_dropped_is_dropped_too,
        24 what_a_task_spawns_as_it_is_dropped_is_dropped_too,
    ]
}

fn block_on_returns_the_output<M: Machine>() {
    assert_eq!(M::executor().block_on(async { 7 }), Ok(7), "the output");
}

fn block_on_can_be_called_again<M: Machine>() {
    let executor = M::executor();
    let task = executor.spawn(yield_once());
    assert_eq!(executor.block_on(async { 1 }), Ok(1), "the output of the first run");
    drop(task);
    let task = executor.spawn(async { 2 });
    let ended = executor.block_on(task).expect(STUCK);
    assert_eq!(ended.expect(ENDS), 2, "the output of the second run");
}

fn block_on_inside_of_block_on_panics<M: Machine>() {
    let executor = M::executor();
    let inside = executor.clone();
    let ended = catch_unwind(AssertUnwindSafe(|| {
        executor.block_on(async move {
            let _ = inside.block_on(ready(()));
        })
    }));
    assert!(ended.is_err(), "the run inside must panic");
}

fn spawn_runs_nothing_yet_and_tasks_run_in_their_order<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let tell = |name| {
        let story = story.clone();
        executor.spawn(async move {
            story.borrow_mut().push(name);
            yield_once().await;
            story.borrow_mut().push(name);
        })
    };
    let (a, b) = (tell("a"), tell("b"));
    assert!(story.borrow().is_empty(), "`spawn` must poll nothing");
    let ended = executor.block_on(async { (a.await, b.await) }).expect(STUCK);
    assert!(ended.0.is_ok() && ended.1.is_ok(), "both tasks end");
    assert_eq!(*story.borrow(), ["a", "b", "a", "b"], "which task runs");
}

fn a_task_can_be_awaited_and_spawned_from_a_task<M: Machine>() {
    let executor = M::executor();
    let inside = executor.clone();
    let outer = executor.spawn(async move {
        let inner = inside.spawn(async { 3 });
        inner.await.expect(ENDS) + 4
    });
    let ended = executor.block_on(outer).expect(STUCK);
    assert_eq!(ended.expect(ENDS), 7, "the output");
}

fn joining_a_task_twice_panics<M: Machine>() {
    let executor = M::executor();
    let mut task = executor.spawn(async {});
    let joined = executor.block_on(&mut task).expect(STUCK);
    joined.expect(ENDS);
    let again = catch_unwind(AssertUnwindSafe(|| executor.block_on(&mut task)));
    assert!(again.is_err(), "the output is gone: that is a mistake");
}

fn a_handle_that_is_dropped_lets_its_task_run_on<M: Machine>() {
    let (executor, door) = (M::executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    drop(executor.spawn(async move { theirs.open() }));
    executor.block_on(door.pass()).expect(STUCK);
}

fn a_handle_knows_whether_its_task_has_ended<M: Machine>() {
    let executor = M::executor();
    let tasks = [0, 1, 2, 3].map(|number| {
        executor.spawn(async move {
            match number {
                0 => {}
                1 => bug(),
                _ => pending().await,
            }
        })
    });
    let are_finished = || [0, 1, 2, 3].map(|number: usize| tasks[number].is_finished());
    assert_eq!(are_finished(), [false; 4], "no run has begun");
    let run = async {
        tasks[2].cancel();
        assert_eq!(are_finished(), [true, true, false, false], "2 has no turn yet");
        yield_once().await;
        assert_eq!(are_finished(), [true, true, true, false], "2 has had its turn");
    };
    executor.block_on(run).expect(STUCK);
    assert_eq!(are_finished(), [true; 4], "the last one was dropped at the end");
}

fn a_wake_during_the_poll_is_not_lost<M: Machine>() {
    let run = async {
        for _ in 0..1000 {
            yield_once().await
        }
    };
    assert_eq!(M::executor().block_on(run), Ok(()), "{STUCK}");
}

fn waking_twice_is_one_poll<M: Machine>() {
    let (executor, door) = (M::executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    let task = executor.spawn(async move { theirs.pass().await });
    let run = async {
        yield_once().await;
        assert_eq!(door.polls.get(), 1, "polls before a wake");
        door.ring();
        door.ring();
        yield_once().await;
        assert_eq!(door.polls.get(), 2, "one more");
        yield_once().await;
        assert_eq!(door.polls.get(), 2, "and no other one later");
        door.open();
        task.await.expect(ENDS);
    };
    executor.block_on(run).expect(STUCK);
}

fn a_waker_may_outlive_its_task_and_its_executor<M: Machine>() {
    let (executor, door) = (M::executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    let task = executor.spawn(async move { theirs.pass().await });
    let run = async {
        yield_once().await;
        door.open();
        task.await.expect(ENDS);
    };
    executor.block_on(run).expect(STUCK);
    let polls = door.polls.get();
    door.ring();
    assert_eq!(executor.block_on(yield_once()), Ok(()), "{STUCK}");
    assert_eq!(door.polls.get(), polls, "polls after its end");
    drop(executor);
    door.ring();
}

fn a_stale_waker_wakes_no_other_task<M: Machine>() {
    let (executor, door) = (M::executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    let first = executor.spawn(async move { theirs.pass().await });
    let polls = Rc::new(Cell::new(0));
    let (count, inside) = (polls.clone(), executor.clone());
    let run = async move {
        yield_once().await;
        first.cancel();
        assert!(first.await.is_err(), "a cancelled task has no output");
        // This one may be stored where the first one was.
        let counts = poll_fn(move |_: &mut Context<'_>| {
            count.set(count.get() + 1);
            Poll::<()>::Pending
        });
        drop(inside.spawn(counts));
        yield_once().await;
        door.ring();
        yield_once().await;
    };
    executor.block_on(run).expect(STUCK);
    assert_eq!(polls.get(), 1, "polls: the waker was the first task's");
}

fn the_latest_waker_is_woken<M: Machine>() {
    let (executor, door) = (M::executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    let mut task = Box::pin(executor.spawn(async move { theirs.pass().await }));
    // Polled with a waker that wakes nothing; and then by another task.
    assert!(poll(&mut task).is_pending(), "it has not run");
    let ended = executor.block_on(async move {
        yield_once().await;
        door.open();
        task.await.expect(ENDS);
    });
    assert_eq!(ended, Ok(()), "the handle has kept an old waker");
}

fn where_no_task_can_go_on_block_on_returns_stuck<M: Machine>() {
    let executor = M::executor();
    let task = executor.spawn(pending::<()>());
    assert!(executor.block_on(task).is_err(), "a task that nothing can wake");
    assert_eq!(executor.block_on(pending::<()>()), Err(Stuck), "nothing wakes it");
}

/// Ready when a thread has woken it that it has started.
fn from_a_thread() -> impl Future<Output = ()> {
    let (is_done, mut thread) = (Arc::new(AtomicBool::new(false)), None);
    poll_fn(move |cx| {
        if is_done.load(SeqCst) {
            return Poll::Ready(());
        }
        let (waker, is_done) = (cx.waker().clone(), is_done.clone());
        thread.get_or_insert_with(|| {
            thread::spawn(move || {
                is_done.store(true, SeqCst);
                waker.wake();
            })
        });
        Poll::Pending
    })
}

fn a_wake_from_another_thread_ends_the_wait<M: Machine>() {
    let executor = M::executor();
    let _guard = executor.reactor().work_guard();
    for _ in 0..100 {
        assert_eq!(executor.block_on(from_a_thread()), Ok(()), "{STUCK}");
    }
}

fn a_wake_from_another_thread_reaches_a_task<M: Machine>() {
    let executor = M::executor();
    let _guard = executor.reactor().work_guard();
    for _ in 0..100 {
        let task = executor.spawn(from_a_thread());
        let ended = executor.block_on(task).expect(STUCK);
        ended.expect(ENDS);
    }
}

fn a_panic_in_a_task_ends_that_task_alone<M: Machine>() {
    let executor = M::executor();
    let panics = executor.spawn(async { bug() });
    let goes_on = executor.spawn(yield_once());
    let ended = executor.block_on(async { (panics.await, goes_on.await) });
    let (panicked, went_on): (Result<(), _>, _) = ended.expect(STUCK);
    has_panicked(panicked);
    assert!(went_on.is_ok(), "the other task ends");
}

fn an_output_without_a_handle_is_dropped_with_nothing_borrowed<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let spawns = Spawns::<M>(executor.clone(), story.clone());
    drop(executor.spawn(async move { spawns }));
    assert_eq!(executor.block_on(yield_once()), Ok(()), "{STUCK}");
    let spawns = Spawns::<M>(executor.clone(), story.clone());
    drop(executor.spawn(async move { spawns }));
    assert_eq!(executor.block_on(async {}), Ok(()), "it was never polled");
    assert_eq!(*story.borrow(), ["dropped"; 2], "each output has spawned a task");
}

fn a_handle_wakes_with_nothing_borrowed<M: Machine>() {
    let executor = M::executor();
    let inside = executor.clone();
    set_meddle(move || {
        let task = inside.spawn(pending::<()>());
        task.cancel();
        let _ = poll(&mut Box::pin(task));
    });
    let mut task = executor.spawn(yield_once());
    for _ in 0..2 {
        let waker = meddling_waker();
        let mut cx = Context::from_waker(&waker);
        assert!(Pin::new(&mut task).poll(&mut cx).is_pending(), "it has not run");
    }
    let run = async {
        yield_once().await;
        yield_once().await;
    };
    assert_eq!(executor.block_on(run), Ok(()), "{STUCK}");
    set_meddle(|| ());
}

fn a_dropped_handle_leaves_no_waker_behind<M: Machine>() {
    let executor = M::executor();
    let mut task = executor.spawn(pending::<()>());
    let (waker, count) = counted_waker();
    let mut cx = Context::from_waker(&waker);
    assert!(Pin::new(&mut task).poll(&mut cx).is_pending(), "it has not run");
    drop(task);
    assert_eq!(count(), 1, "wakers that are left: the handle's is dropped with it");
}

fn a_cancelled_task_is_dropped_at_its_next_turn<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let guard = Tells(story.clone(), "dropped");
    let task = executor.spawn(async move {
        let _guard = guard;
        pending::<()>().await;
    });
    let run = async {
        yield_once().await;
        task.cancel();
        assert!(story.borrow().is_empty(), "not inside of the call");
        task.cancel();
        let ended = task.await;
        assert_eq!(*story.borrow(), ["dropped"], "before its handle is woken");
        was_cancelled(ended);
    };
    executor.block_on(run).expect(STUCK);
}

fn cancelling_runs_no_destructor_inside_the_caller<M: Machine>() {
    /// Borrows the books when it is dropped.
    struct Books(Rc<RefCell<u32>>);
    impl Drop for Books {
        fn drop(&mut self) {
            *self.0.borrow_mut() += 1;
        }
    }
    let (executor, books) = (M::executor(), Rc::new(RefCell::new(0)));
    let guard = Books(books.clone());
    let task = executor.spawn(async move {
        let _guard = guard;
        pending::<()>().await;
    });
    let ended = executor.block_on(async {
        yield_once().await;
        {
            let mut borrowed = books.borrow_mut();
            task.cancel();
            *borrowed += 1;
        }
        task.await
    });
    let ended = ended.expect(STUCK);
    was_cancelled(ended);
    assert_eq!(*books.borrow(), 2, "1 was added here, and 1 by the destructor");
}

fn a_task_that_is_cancelled_before_its_first_turn_never_runs<M: Machine>() {
    let executor = M::executor();
    let task = executor.spawn(async { panic!("it is polled") });
    task.cancel();
    let ended: Result<(), _> = executor.block_on(task).expect(STUCK);
    was_cancelled(ended);
}

/// Runs a task that cancels itself and goes on like this: what its handle returns.
fn cancel_itself<M: Machine, T: 'static>(
    then: impl Future<Output = T> + 'static,
) -> Result<T, M::JoinError> {
    let executor = M::executor();
    let handle: Rc<RefCell<Option<M::JoinHandle<T>>>> = Rc::default();
    let own = handle.clone();
    let task = executor.spawn(async move {
        own.borrow().as_ref().expect("it is there").cancel();
        then.await
    });
    *handle.borrow_mut() = Some(task);
    let run = async {
        yield_once().await;
        let task = handle.borrow_mut().take();
        task.expect("it is there").await
    };
    executor.block_on(run).expect(STUCK)
}

fn a_task_can_cancel_itself<M: Machine>() {
    let story = Story::default();
    let guard = Tells(story.clone(), "dropped");
    let ended = cancel_itself::<M, _>(async move {
        guard.0.borrow_mut().push("runs to its next await");
        yield_once().await;
        guard.0.borrow_mut().push("never");
    });
    was_cancelled(ended);
    assert_eq!(*story.borrow(), ["runs to its next await", "dropped"], "what happened");
}

fn the_first_end_of_a_task_counts<M: Machine>() {
    let ended = cancel_itself::<M, _>(async { 7 });
    assert_eq!(ended.expect("it was ready before its next turn"), 7, "the output");
}

fn a_task_that_has_ended_is_not_cancelled<M: Machine>() {
    let executor = M::executor();
    let task = executor.spawn(async { 7 });
    let run = async {
        yield_once().await;
        assert!(task.is_finished(), "it has ended");
        task.cancel();
        task.await.expect("it had ended")
    };
    assert_eq!(executor.block_on(run), Ok(7), "the output was there first");
}

fn a_panic_while_a_task_is_dropped_ends_no_other_task<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let bomb = executor.spawn(async {
        let _bomb = Bomb;
        pending::<()>().await;
    });
    for name in ["a", "b"] {
        let (guard, inside) = (Tells(story.clone(), name), executor.clone());
        drop(executor.spawn(async move {
            let _guard = (guard, inside);
            pending::<()>().await;
        }));
    }
    let ended = executor.block_on(async {
        yield_once().await;
        bomb.cancel();
        bomb.await
    });
    let ended = ended.expect(STUCK);
    has_panicked(ended);
    assert_eq!(*story.borrow(), ["a", "b"], "which futures were dropped");
}

fn tasks_that_are_left_are_dropped_when_block_on_returns<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    for name in ["a", "b"] {
        let (guard, inside) = (Tells(story.clone(), name), executor.clone());
        drop(executor.spawn(async move {
            let _guard = (guard, inside);
            pending::<()>().await;
        }));
    }
    executor.block_on(yield_once()).expect(STUCK);
    assert_eq!(*story.borrow(), ["a", "b"], "which futures were dropped");
}

fn tasks_are_dropped_when_the_main_future_panics<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let (guard, inside) = (Tells(story.clone(), "dropped"), executor.clone());
    drop(executor.spawn(async move {
        let _guard = (guard, inside);
        pending::<()>().await;
    }));
    // One that panics as well, in its drop.
    drop(executor.spawn(async {
        let _bomb = Bomb;
        pending::<()>().await;
    }));
    let run = AssertUnwindSafe(|| {
        executor.block_on(async {
            yield_once().await;
            panic!("a bug")
        })
    });
    let ended: Result<Result<(), _>, _> = catch_unwind(run);
    assert!(ended.is_err(), "the main future panics");
    assert_eq!(*story.borrow(), ["dropped"], "what happened to the task");
    assert_eq!(executor.block_on(async { 1 }), Ok(1), "and it can be used again");
}

/// Spawns a task when it is dropped.
struct Spawns<M: Machine>(M::Executor, Story);

impl<M: Machine> Drop for Spawns<M> {
    fn drop(&mut self) {
        let guard = Tells(self.1.clone(), "dropped");
        drop(self.0.spawn(async move {
            let _guard = guard;
            pending::<()>().await;
        }));
    }
}

fn what_the_main_future_spawns_as_it_is_dropped_is_dropped_too<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let spawns = Spawns::<M>(executor.clone(), story.clone());
    let stuck = executor.block_on(async move {
        let _spawns = spawns;
        pending::<()>().await;
    });
    assert!(stuck.is_err(), "no task can go on");
    assert_eq!(*story.borrow(), ["dropped"], "what happened to the last task");
}

fn what_a_task_spawns_as_it_is_dropped_is_dropped_too<M: Machine>() {
    let (executor, story) = (M::executor(), Story::default());
    let spawns = Spawns::<M>(executor.clone(), story.clone());
    let task = executor.spawn(async move {
        let _spawns = spawns;
        pending::<()>().await;
    });
    executor.block_on(yield_once()).expect(STUCK);
    assert_eq!(*story.borrow(), ["dropped"], "what happened to the task");
    let ended = executor.block_on(task).expect(STUCK);
    was_cancelled(ended);
}
