//! The executor by hand: what it promises to tasks, without a network.

use stage3_async::{Executor, JoinError, JoinHandle};
use std::cell::{Cell, RefCell};
use std::future::{Future, pending, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

/// What happened, in its order.
type Story = Rc<RefCell<Vec<&'static str>>>;

fn executor() -> Executor {
    Executor::new().expect("a selector can be made")
}

/// Ready at the second poll: it wakes itself during the first.
fn give_way() -> impl Future<Output = ()> {
    let mut is_second = false;
    poll_fn(move |cx| {
        if std::mem::replace(&mut is_second, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

/// A door: closed until somebody opens it.
#[derive(Default)]
struct Door {
    is_open: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    polls: Cell<u32>,
}

impl Door {
    async fn pass(&self) {
        poll_fn(|cx| {
            self.polls.set(self.polls.get() + 1);
            *self.waker.borrow_mut() = Some(cx.waker().clone());
            if self.is_open.get() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    fn ring(&self) {
        let waker = self.waker.borrow().clone();
        waker.into_iter().for_each(Waker::wake);
    }

    fn open(&self) {
        self.is_open.set(true);
        self.ring();
    }
}

/// Tells when it is dropped.
struct Tells(Story, &'static str);

impl Drop for Tells {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}

#[test]
fn block_on_returns_the_output() {
    assert_eq!(executor().block_on(async { 7 }), Ok(7));
}

#[test]
fn spawn_runs_nothing_yet_and_tasks_run_in_their_order() {
    let (executor, story) = (executor(), Story::default());
    let tell = |name| {
        let story = story.clone();
        executor.spawn(async move {
            story.borrow_mut().push(name);
            give_way().await;
            story.borrow_mut().push(name);
        })
    };
    let (a, b) = (tell("a"), tell("b"));
    assert!(story.borrow().is_empty());
    executor
        .block_on(async { (a.await, b.await) })
        .expect("not stuck")
        .0
        .expect("it ends");
    assert_eq!(*story.borrow(), ["a", "b", "a", "b"]);
}

#[test]
fn a_task_can_be_awaited_and_spawned_from_a_task() {
    let executor = executor();
    let inside = executor.clone();
    let outer = executor.spawn(async move {
        let inner = inside.spawn(async { 3 });
        inner.await.expect("it ends") + 4
    });
    assert!(matches!(executor.block_on(outer), Ok(Ok(7))));
}

#[test]
fn a_handle_that_is_dropped_lets_its_task_run_on() {
    let (executor, door) = (executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    drop(executor.spawn(async move { theirs.open() }));
    executor.block_on(async { door.pass().await }).expect("not stuck");
}

#[test]
fn a_wake_during_the_poll_is_not_lost() {
    assert_eq!(
        executor().block_on(async {
            for _ in 0..1000 {
                give_way().await
            }
        }),
        Ok(())
    );
}

#[test]
fn waking_twice_is_one_poll() {
    let (executor, door) = (executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    let task = executor.spawn(async move { theirs.pass().await });
    executor
        .block_on(async {
            give_way().await;
            assert_eq!(door.polls.get(), 1);
            door.ring();
            door.ring();
            give_way().await;
            assert_eq!(door.polls.get(), 2, "one more");
            door.open();
            task.await.expect("it ends");
        })
        .expect("not stuck");
    // The task is gone: its waker finds nobody.
    door.ring();
    assert_eq!(executor.block_on(give_way()), Ok(()));
    assert_eq!(door.polls.get(), 3);
    drop(executor);
    door.ring();
}

#[test]
fn an_old_waker_does_not_wake_the_task_that_stands_in_its_place() {
    let (executor, door) = (executor(), Rc::new(Door::default()));
    let theirs = door.clone();
    let first = executor.spawn(async move { theirs.pass().await });
    let polls = Rc::new(Cell::new(0));
    let count = polls.clone();
    let inside = executor.clone();
    executor
        .block_on(async move {
            give_way().await;
            first.cancel();
            let counts = poll_fn(move |_: &mut Context<'_>| {
                count.set(count.get() + 1);
                Poll::<()>::Pending
            });
            drop(inside.spawn(counts));
            give_way().await;
            door.ring();
            give_way().await;
        })
        .expect("not stuck");
    assert_eq!(polls.get(), 1);
}

#[test]
fn a_wake_from_another_thread_ends_the_wait() {
    let executor = executor();
    let outside = executor.reactor().outside();
    let mut thread = None;
    let done = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let wait = poll_fn(move |cx| {
        if done.load(std::sync::atomic::Ordering::SeqCst) {
            return Poll::Ready(());
        }
        let (waker, done) = (cx.waker().clone(), done.clone());
        thread.get_or_insert_with(|| {
            thread::spawn(move || {
                done.store(true, std::sync::atomic::Ordering::SeqCst);
                waker.wake();
            })
        });
        Poll::Pending
    });
    assert_eq!(executor.block_on(wait), Ok(()));
    drop(outside);
}

#[test]
fn a_task_that_is_cancelled_is_dropped_where_it_stands() {
    let (executor, story) = (executor(), Story::default());
    let guard = Tells(story.clone(), "dropped");
    let task = executor.spawn(async move {
        let _guard = guard;
        pending::<()>().await;
    });
    executor
        .block_on(async {
            give_way().await;
            task.cancel();
            assert_eq!(*story.borrow(), ["dropped"], "at once");
            task.cancel();
            assert!(matches!(task.await, Err(JoinError::Cancelled)));
        })
        .expect("not stuck");
}

#[test]
fn a_task_can_cancel_itself() {
    let (executor, story) = (executor(), Story::default());
    let handle: Rc<RefCell<Option<JoinHandle<()>>>> = Rc::default();
    let (own, guard) = (handle.clone(), Tells(story.clone(), "dropped"));
    let task = executor.spawn(async move {
        let guard = guard;
        own.borrow().as_ref().expect("it is there").cancel();
        guard.0.borrow_mut().push("runs to its next await");
        pending::<()>().await;
    });
    *handle.borrow_mut() = Some(task);
    executor.block_on(give_way()).expect("not stuck");
    assert_eq!(*story.borrow(), ["runs to its next await", "dropped"]);
    let task = handle.borrow_mut().take().expect("it is there");
    assert!(matches!(executor.block_on(task), Ok(Err(JoinError::Cancelled))));
}

#[test]
fn a_panic_in_a_task_ends_that_task_alone() {
    let executor = executor();
    let panics = executor.spawn(async { panic!("a bug") });
    let goes_on = executor.spawn(async { give_way().await });
    let (panicked, went_on): (Result<(), _>, _) =
        executor.block_on(async { (panics.await, goes_on.await) }).expect("not stuck");
    assert!(matches!(panicked, Err(JoinError::Panicked(_))));
    assert!(went_on.is_ok());
}

#[test]
fn what_is_left_is_dropped_when_block_on_returns() {
    let (executor, story) = (executor(), Story::default());
    for name in ["a", "b"] {
        let guard = Tells(story.clone(), name);
        let inside = executor.clone();
        drop(executor.spawn(async move {
            let _handle = inside;
            let _guard = guard;
            pending::<()>().await;
        }));
    }
    executor.block_on(give_way()).expect("not stuck");
    assert_eq!(*story.borrow(), ["a", "b"]);
}

#[test]
fn who_is_stuck_is_told_where_each_task_was_spawned() {
    let executor = executor();
    drop(executor.spawn(pending::<()>()));
    let stuck = executor.block_on(pending::<()>()).expect_err("nobody wakes it");
    assert!(stuck.0.contains("a task, from executor.rs:266:"), "{stuck}");
}

#[test]
fn sleepers_wake_in_the_order_of_their_times() {
    let (executor, story) = (executor(), Story::default());
    let now = Instant::now();
    let sleep = |name, ms| {
        let (story, reactor) = (story.clone(), executor.reactor().clone());
        executor.spawn(async move {
            reactor.sleep_until(now + Duration::from_millis(ms)).await;
            assert!(Instant::now() >= now + Duration::from_millis(ms));
            story.borrow_mut().push(name);
        })
    };
    let (late, soon) = (sleep("late", 30), sleep("soon", 10));
    executor
        .block_on(async { (late.await, soon.await) })
        .expect("not stuck")
        .1
        .expect("ends");
    assert_eq!(*story.borrow(), ["soon", "late"]);
}

#[test]
fn a_sleep_that_is_dropped_is_waited_for_no_longer() {
    let executor = executor();
    let reactor = executor.reactor().clone();
    let stuck = executor.block_on(async {
        let far = Instant::now() + Duration::from_secs(3600);
        let mut sleep = Box::pin(reactor.sleep_until(far));
        poll_fn(|cx| {
            assert!(Pin::as_mut(&mut sleep).poll(cx).is_pending());
            Poll::Ready(())
        })
        .await;
        drop(sleep);
        pending::<()>().await;
    });
    assert!(stuck.is_err());
}

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a bug in a Drop");
    }
}

#[test]
fn a_panic_while_a_task_is_dropped_ends_nobody_else() {
    let (executor, story) = (executor(), Story::default());
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
        give_way().await;
        bomb.cancel();
        bomb.await
    });
    assert!(matches!(ended, Ok(Err(JoinError::Panicked(_)))));
    assert_eq!(*story.borrow(), ["a", "b"]);
}

#[test]
fn tasks_are_dropped_when_the_main_future_panics() {
    let (executor, story) = (executor(), Story::default());
    let (guard, inside) = (Tells(story.clone(), "dropped"), executor.clone());
    drop(executor.spawn(async move {
        let _guard = (guard, inside);
        pending::<()>().await;
    }));
    let run = std::panic::AssertUnwindSafe(|| {
        executor.block_on(async {
            give_way().await;
            panic!("a bug")
        })
    });
    let ended: Result<Result<(), _>, _> = std::panic::catch_unwind(run);
    assert!(ended.is_err());
    assert_eq!(*story.borrow(), ["dropped"]);
    assert_eq!(executor.block_on(async { 1 }), Ok(1), "and it can be used again");
}

/// Spawns a task when it is dropped.
struct Spawns(Executor, Story);
impl Drop for Spawns {
    fn drop(&mut self) {
        let guard = Tells(self.1.clone(), "dropped");
        drop(self.0.spawn(async move {
            let _guard = guard;
            pending::<()>().await;
        }));
    }
}

#[test]
fn what_the_main_future_spawns_as_it_is_dropped_is_dropped_too() {
    let (executor, story) = (executor(), Story::default());
    let spawns = Spawns(executor.clone(), story.clone());
    let stuck = executor.block_on(async move {
        let _spawns = spawns;
        pending::<()>().await;
    });
    assert!(stuck.is_err());
    assert_eq!(*story.borrow(), ["dropped"]);
}

#[test]
#[should_panic(expected = "block_on inside of block_on")]
fn a_run_inside_of_a_run_is_a_mistake_that_is_told() {
    let executor = executor();
    let inside = executor.clone();
    let _ = executor.block_on(async move {
        let _ = inside.block_on(async {});
    });
}

#[test]
fn the_first_end_of_a_task_counts() {
    let executor = executor();
    let handle: Rc<RefCell<Option<JoinHandle<u32>>>> = Rc::default();
    let own = handle.clone();
    let task = executor.spawn(async move {
        own.borrow().as_ref().expect("it is there").cancel();
        7 // ready all the same, but too late
    });
    *handle.borrow_mut() = Some(task);
    executor.block_on(give_way()).expect("not stuck");
    let task = handle.borrow_mut().take().expect("it is there");
    assert!(matches!(executor.block_on(task), Ok(Err(JoinError::Cancelled))));
}

#[test]
#[should_panic(expected = "a task is joined once")]
fn a_task_whose_output_was_taken_is_not_waited_for() {
    let executor = executor();
    let mut task = executor.spawn(async {});
    let _ = executor.block_on(async {
        (&mut task).await.expect("it ends");
        (&mut task).await.expect("never");
    });
}

#[test]
fn whoever_polls_last_is_woken() {
    let (executor, door) = (executor(), Rc::new(Door::default()));
    let reactor = executor.reactor().clone();
    let theirs = door.clone();
    let passes = executor.spawn(async move { theirs.pass().await });
    let when = Instant::now() + Duration::from_millis(20);
    // Two leaves, polled once with a waker that wakes nobody.
    let mut leaves = (passes, Box::pin(reactor.sleep_until(when)));
    let mut nobody = Context::from_waker(Waker::noop());
    assert!(Pin::new(&mut leaves.0).poll(&mut nobody).is_pending());
    assert!(leaves.1.as_mut().poll(&mut nobody).is_pending());
    let ended = executor.block_on(async move {
        give_way().await;
        door.open();
        leaves.0.await.expect("it ends");
        leaves.1.await;
    });
    assert_eq!(ended, Ok(()));
}

#[test]
fn tasks_that_are_always_ready_do_not_stop_the_clock() {
    let executor = executor();
    for _ in 0..3 {
        drop(executor.spawn(async {
            loop {
                give_way().await;
            }
        }));
    }
    let reactor = executor.reactor().clone();
    let soon = Instant::now() + Duration::from_millis(10);
    assert_eq!(executor.block_on(reactor.sleep_until(soon)), Ok(()));
}

#[test]
fn who_is_stuck_is_told_who_waits_for_what() {
    let executor = executor();
    let queue = Rc::new(stage3_async::Queue::<u32>::new(executor.reactor().says()));
    for _ in 0..2 {
        let (theirs, says) = (queue.clone(), executor.reactor().says().clone());
        drop(executor.spawn_named("worker", async move {
            says.works_for("/a");
            theirs.get().await;
        }));
    }
    queue.put(1);
    queue.put(2);
    queue.put(3);
    let stuck = executor.block_on(queue.join()).expect_err("nobody is done");
    let lines: Vec<&str> = stuck.0.lines().collect();
    assert!(lines[0].ends_with("join waits for all items to be done"), "{stuck}");
    let queue = stage3_async::Queue::<u32>::new(executor.reactor().says());
    let queue = Rc::new(queue);
    for _ in 0..2 {
        let theirs = queue.clone();
        drop(executor.spawn_named("worker", async move { theirs.get().await }));
    }
    let stuck = executor.block_on(pending::<()>()).expect_err("nobody puts");
    let workers = stuck.0.lines().nth(1).expect("they are one line");
    assert!(workers.starts_with("2 × worker, from executor.rs:"), "{stuck}");
    assert!(workers.ends_with(": get waits for an item"), "{stuck}");
}

#[test]
fn a_handle_wakes_with_nothing_borrowed() {
    thread_local! {
        static EXECUTOR: Executor = executor();
    }
    /// Spawns, cancels and awaits while it is woken, and while it is dropped.
    struct Meddles;
    fn meddle() {
        let executor = EXECUTOR.with(Executor::clone);
        let mut task = executor.spawn(pending::<()>());
        task.cancel();
        let mut nobody = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut task).poll(&mut nobody).is_ready());
        executor.who_waits();
    }
    impl std::task::Wake for Meddles {
        fn wake(self: std::sync::Arc<Self>) {
            meddle();
        }
    }
    impl Drop for Meddles {
        fn drop(&mut self) {
            meddle();
        }
    }
    let executor = EXECUTOR.with(Executor::clone);
    let waker = || Waker::from(std::sync::Arc::new(Meddles));
    let mut task = executor.spawn(give_way());
    let mut sleep = Box::pin(executor.reactor().sleep_until(Instant::now()));
    for _ in 0..2 {
        assert!(
            Pin::new(&mut task).poll(&mut Context::from_waker(&waker())).is_pending()
        );
        assert!(sleep.as_mut().poll(&mut Context::from_waker(&waker())).is_pending());
    }
    let later = Instant::now() + Duration::from_millis(5);
    let reactor = executor.reactor().clone();
    assert_eq!(executor.block_on(reactor.sleep_until(later)), Ok(()));
}

#[test]
fn what_a_task_spawns_as_it_is_dropped_is_dropped_too() {
    let (executor, story) = (executor(), Story::default());
    let spawns = Spawns(executor.clone(), story.clone());
    let task = executor.spawn(async move {
        let _spawns = spawns;
        pending::<()>().await;
    });
    executor.block_on(give_way()).expect("not stuck");
    assert_eq!(*story.borrow(), ["dropped"]);
    assert!(matches!(executor.block_on(task), Ok(Err(JoinError::Cancelled))));
}

#[test]
fn an_output_that_nobody_joins_is_dropped_with_nothing_borrowed() {
    /// Spawns when it is dropped, and panics.
    struct Output(Executor);
    impl Drop for Output {
        fn drop(&mut self) {
            drop(self.0.spawn(async {}));
            panic!("a bug in a Drop");
        }
    }
    let executor = executor();
    let inside = executor.clone();
    drop(executor.spawn(async move { Output(inside) }));
    assert_eq!(executor.block_on(give_way()), Ok(()));
    let inside = executor.clone();
    drop(executor.spawn(async move { Output(inside) }));
    assert_eq!(executor.block_on(async {}), Ok(()), "it was never polled");
}
