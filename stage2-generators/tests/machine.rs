//! The machine by hand: what it promises to coroutines, without network or clock.

use shared::{FetchError, Stop, Watch};
use stage2_generators::{
    Coroutine, Executor, Future, Futures, RESOLVED, Result, Resume, Step, yield_from,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What happened, in its order.
type Story = Rc<RefCell<Vec<&'static str>>>;

fn executor() -> Executor {
    Executor::new(&Stop::new(), Watch::off()).expect("a selector can be made")
}

fn futures() -> Futures {
    Futures::new(Watch::off()).expect("a selector can be made")
}

/// Runs until nobody is ready any more; then whoever asked for it is stuck.
fn run<T: 'static>(
    executor: &mut Executor,
    coroutine: impl Coroutine<Return = Result<T>> + 'static,
) -> Result<T> {
    let task = executor.futures.spawn("main", coroutine);
    executor.run_until_complete(task).expect("the selector works")
}

/// A coroutine that waits for each of these in turn, and tells so.
struct Waits {
    futures: Vec<Future>,
    story: Story,
    name: &'static str,
}

impl Coroutine for Waits {
    type Return = Result<&'static str>;

    fn resume(&mut self, futures: &mut Futures, how: Resume) -> Step<Self::Return> {
        self.story.borrow_mut().push(self.name);
        let mut how = Some(how);
        while let Some(next) = self.futures.first_mut() {
            let how = how.take().unwrap_or(Resume::Send);
            if let Err(error) = yield_from!(next, futures, how) {
                return Step::Return(Err(error));
            }
            self.futures.remove(0);
        }
        Step::Return(Ok(self.name))
    }
}

fn waits(name: &'static str, story: &Story, futures: &[Future]) -> Waits {
    Waits { futures: futures.to_vec(), story: story.clone(), name }
}

/// A coroutine that does something once, and returns.
fn once<T>(
    mut something: impl FnMut(&mut Futures) -> T,
) -> impl FnMut(&mut Futures, Resume) -> Step<Result<T>> {
    move |futures, how| match how {
        Resume::Send => Step::Return(Ok(something(futures))),
        Resume::Throw(error) => Step::Return(Err(error)),
    }
}

#[test]
fn resume_runs_to_the_next_yield_and_then_to_the_end() {
    let (mut futures, story) = (futures(), Story::default());
    let (first, second) = (futures.new_future(), futures.new_future());
    let mut coroutine = waits("it", &story, &[first, second]);
    assert!(story.borrow().is_empty(), "creating it runs nothing");
    assert_eq!(coroutine.resume(&mut futures, Resume::Send), Step::Yield(first));
    futures.resolve(first);
    assert_eq!(coroutine.resume(&mut futures, Resume::Send), Step::Yield(second));
    futures.resolve(second);
    assert_eq!(coroutine.resume(&mut futures, Resume::Send), Step::Return(Ok("it")));
}

#[test]
fn a_coroutine_that_is_resumed_too_early_waits_once_more() {
    let (mut futures, story) = (futures(), Story::default());
    let future = futures.new_future();
    let mut coroutine = waits("it", &story, &[future]);
    for _ in 0..3 {
        assert_eq!(coroutine.resume(&mut futures, Resume::Send), Step::Yield(future));
    }
}

#[test]
fn what_is_thrown_is_returned_by_the_wait_and_climbs() {
    let (mut futures, story) = (futures(), Story::default());
    let future = futures.new_future();
    let mut child = waits("it", &story, &[future]);
    let mut parent = move |futures: &mut Futures, how: Resume| -> Step<Result<()>> {
        Step::Return(yield_from!(child, futures, how).map(drop))
    };
    assert_eq!(parent.resume(&mut futures, Resume::Send), Step::Yield(future));
    let thrown = Resume::Throw(FetchError::Interrupted);
    let end = Step::Return(Err(FetchError::Interrupted));
    assert_eq!(parent.resume(&mut futures, thrown), end);
}

#[test]
fn yield_from_hands_the_value_of_the_child_to_the_parent() {
    let (mut futures, story) = (futures(), Story::default());
    let future = futures.new_future();
    let mut child = waits("child", &story, &[future]);
    let mut parent = move |futures: &mut Futures, how: Resume| -> Step<Result<usize>> {
        let value = yield_from!(child, futures, how);
        Step::Return(value.map(str::len))
    };
    assert_eq!(parent.resume(&mut futures, Resume::Send), Step::Yield(future));
    futures.resolve(future);
    assert_eq!(parent.resume(&mut futures, Resume::Send), Step::Return(Ok(5)));
}

#[test]
fn a_future_that_was_resolved_before_it_is_awaited_resumes_its_waiter() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    executor.futures.resolve(future);
    assert_eq!(run(&mut executor, waits("it", &story, &[future])), Ok("it"));
    // Even where it does not look first, and just yields it.
    let mut times = 0;
    let blind = move |_: &mut Futures, _: Resume| {
        times += 1;
        if times < 3 { Step::Yield(future) } else { Step::Return(Ok(times)) }
    };
    assert_eq!(run(&mut executor, blind), Ok(3));
}

#[test]
fn resolving_twice_is_resolving_once() {
    let (mut executor, story) = (executor(), Story::default());
    let (first, second) =
        (executor.futures.new_future(), executor.futures.new_future());
    drop(executor.futures.spawn("waits", waits("it", &story, &[first, second])));
    let main = once(move |futures| {
        futures.resolve(first);
        futures.resolve(first);
    });
    // The task runs first: it is older.
    assert_eq!(run(&mut executor, main), Ok(()));
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    assert_eq!(*story.borrow(), ["it", "it"], "begun, and resumed once");
    executor.futures.resolve(second);
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    assert_eq!(story.borrow().len(), 3);
}

#[test]
fn all_who_wait_for_a_future_are_resumed_in_their_order() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    for name in ["a", "b", "c"] {
        drop(executor.futures.spawn(name, waits(name, &story, &[future])));
    }
    assert_eq!(run(&mut executor, once(|_| ())), Ok(()));
    executor.futures.resolve(future);
    assert_eq!(run(&mut executor, once(|_| ())), Ok(()));
    assert_eq!(*story.borrow(), ["a", "b", "c", "a", "b", "c"]);
}

/// A chain of 100,000 tasks, each of which resolves what the next one waits for: by
/// recursion this would need as many frames.
#[test]
fn resolving_resumes_through_the_queue_and_not_by_recursion() {
    let mut executor = executor();
    let inside = Rc::new(Cell::new(false));
    let first = executor.futures.new_future();
    let mut last = first;
    for _ in 0..100_000 {
        let (mine, next) = (last, executor.futures.new_future());
        let inside = inside.clone();
        let mut wait = mine;
        let link = move |futures: &mut Futures, how: Resume| -> Step<Result<()>> {
            let resolved = yield_from!(wait, futures, how);
            assert!(!inside.replace(true), "nobody is resumed while another one runs");
            futures.resolve(next);
            inside.set(false);
            Step::Return(resolved)
        };
        drop(executor.futures.spawn("a link", link));
        last = next;
    }
    executor.futures.resolve(first);
    assert_eq!(run(&mut executor, last), Ok(()));
}

#[test]
fn a_task_joins_a_task_and_gets_its_value() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    let mut join = executor.futures.spawn("child", waits("child", &story, &[future]));
    let mut is_begun = false;
    let main = move |futures: &mut Futures, how: Resume| -> Step<Result<&str>> {
        if !std::mem::replace(&mut is_begun, true) {
            futures
                .timers
                .set(std::time::Instant::now(), Box::new(move |it| it.resolve(future)));
        }
        Step::Return(yield_from!(join, futures, how))
    };
    assert_eq!(run(&mut executor, main), Ok("child"));
}

#[test]
fn a_task_that_has_ended_before_it_is_joined_gives_its_value_all_the_same() {
    let mut executor = executor();
    let join = executor.futures.spawn("child", once(|_| 7));
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    assert_eq!(run(&mut executor, join), Ok(7));
}

#[test]
fn an_error_of_a_task_comes_out_of_its_join() {
    let mut executor = executor();
    let fails = |_: &mut Futures, _: Resume| -> Step<Result<()>> {
        Step::Return(Err(FetchError::OutOfSockets))
    };
    let join = executor.futures.spawn("child", fails);
    assert_eq!(run(&mut executor, join), Err(FetchError::OutOfSockets));
    assert_eq!(executor.futures.lives.lost_errors(), [""; 0]);
}

#[test]
fn an_error_that_nobody_asks_for_is_told_with_its_task() {
    let mut executor = executor();
    let fails = |_: &mut Futures, _: Resume| -> Step<Result<()>> {
        Step::Return(Err(FetchError::OutOfSockets))
    };
    drop(executor.futures.spawn("the child", fails));
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    let lost = executor.futures.lives.lost_errors();
    assert_eq!(lost, ["the child: out of sockets on this machine"]);
}

#[test]
fn a_task_can_be_spawned_from_inside_of_a_coroutine() {
    let (mut executor, story) = (executor(), Story::default());
    let inner = story.clone();
    let mut child = None;
    let main = move |futures: &mut Futures, how: Resume| -> Step<Result<&str>> {
        let join = child.get_or_insert_with(|| {
            inner.borrow_mut().push("spawns");
            let join = futures.spawn("child", waits("child", &inner, &[]));
            inner.borrow_mut().push("has spawned");
            join
        });
        Step::Return(yield_from!(join, futures, how))
    };
    assert_eq!(run(&mut executor, main), Ok("child"));
    assert_eq!(*story.borrow(), ["spawns", "has spawned", "child"]);
}

#[test]
fn a_task_that_is_cancelled_while_it_is_parked_leaves_its_future() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    let join = executor.futures.spawn("waits", waits("it", &story, &[future]));
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    executor.futures.throw(join.task, FetchError::Interrupted);
    // The future is resolved before the task has its turn: what was thrown counts.
    executor.futures.resolve(future);
    assert_eq!(run(&mut executor, join), Err(FetchError::Interrupted));
    assert_eq!(*story.borrow(), ["it", "it"]);
}

#[test]
fn cancelling_twice_is_cancelling_once() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    let join = executor.futures.spawn("waits", waits("it", &story, &[future]));
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    executor.futures.throw(join.task, FetchError::Interrupted);
    executor.futures.throw(join.task, FetchError::Interrupted);
    let task = join.task;
    assert_eq!(run(&mut executor, join), Err(FetchError::Interrupted));
    assert_eq!(story.borrow().len(), 2);
    executor.futures.throw(task, FetchError::Interrupted);
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    assert_eq!(story.borrow().len(), 2, "it has ended, and feels nothing");
}

#[test]
fn a_task_that_is_cancelled_before_it_has_begun_gets_the_error_first() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    let join = executor.futures.spawn("waits", waits("it", &story, &[future]));
    executor.futures.throw(join.task, FetchError::Interrupted);
    assert_eq!(run(&mut executor, join), Err(FetchError::Interrupted));
    assert_eq!(*story.borrow(), ["it"]);
}

/// What is thrown can be caught by a coroutine on the way. It may go on, and wait for
/// something else; no second error comes for that.
#[test]
fn a_thrown_error_that_is_caught_ends_nobody() {
    let (mut executor, story) = (executor(), Story::default());
    let (never, later) = (executor.futures.new_future(), executor.futures.new_future());
    let mut wait = Some(waits("first", &story, &[never]));
    let mut second = waits("second", &story, &[later]);
    let catches = move |futures: &mut Futures, how: Resume| -> Step<Result<&str>> {
        let mut how = how;
        if let Some(first) = &mut wait {
            let caught = yield_from!(first, futures, how);
            assert_eq!(caught, Err(FetchError::Interrupted));
            (wait, how) = (None, Resume::Send);
        }
        Step::Return(yield_from!(second, futures, how))
    };
    let join = executor.futures.spawn("catches", catches);
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    executor.futures.throw(join.task, FetchError::Interrupted);
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    executor.futures.resolve(never);
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    executor.futures.resolve(later);
    assert_eq!(run(&mut executor, join), Ok("second"));
    assert_eq!(*story.borrow(), ["first", "first", "second", "second"]);
}

#[test]
fn a_task_that_is_always_ready_starves_nobody() {
    let (mut executor, story) = (executor(), Story::default());
    let spins =
        |_: &mut Futures, _: Resume| -> Step<Result<()>> { Step::Yield(RESOLVED) };
    drop(executor.futures.spawn("spins", spins));
    let future = executor.futures.new_future();
    let soon = std::time::Instant::now();
    executor.futures.timers.set(soon, Box::new(move |futures| futures.resolve(future)));
    assert_eq!(run(&mut executor, waits("it", &story, &[future])), Ok("it"));
}

#[test]
fn who_is_stuck_is_told_who_waits_on_what() {
    let (mut executor, story) = (executor(), Story::default());
    let never = executor.futures.new_future();
    let join = executor.futures.spawn("a", waits("a", &story, &[never]));
    let stuck = Err(FetchError::Stuck(
        "a: task waits for a future\nmain: task waits for a future".to_string(),
    ));
    assert_eq!(run(&mut executor, join), stuck.map(|()| ""));
}

/// A callback of a future may be a waker: so std futures wait for ours.
#[test]
fn a_waker_waits_for_a_future() {
    struct Flag(std::sync::atomic::AtomicBool);
    impl std::task::Wake for Flag {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.store(true, std::sync::atomic::Ordering::SeqCst);
        }
    }
    let mut futures = futures();
    let flag = std::sync::Arc::new(Flag(false.into()));
    let waker = std::task::Waker::from(flag.clone());
    let future = futures.new_future();
    futures.when(future, Box::new(move |_| waker.wake()));
    let is_woken = || flag.0.load(std::sync::atomic::Ordering::SeqCst);
    assert!(!is_woken());
    futures.resolve(future);
    assert!(is_woken());
}

#[test]
fn a_future_that_another_thread_resolves_ends_the_wait() {
    let mut executor = executor();
    let future = executor.futures.new_future();
    executor.futures.armed.insert(future, executor.futures.lives.running());
    let (woken, poller) =
        (executor.futures.woken.0.clone(), executor.futures.poller.clone());
    let thread = std::thread::spawn(move || {
        woken.send(future).expect("the futures are there");
        poller.notify().expect("the selector is there");
    });
    assert_eq!(run(&mut executor, future), Ok(()));
    thread.join().expect("it does not panic");
}

/// Whoever is thrown at leaves what others wait for as it is.
#[test]
fn throwing_at_one_who_waits_for_another_thread_leaves_the_others_waiting() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    executor.futures.armed.insert(future, executor.futures.lives.running());
    let thrown = executor.futures.spawn("a", waits("a", &story, &[future]));
    let other = executor.futures.spawn("b", waits("b", &story, &[future]));
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    executor.futures.throw(thrown.task, FetchError::Interrupted);
    assert_eq!(run(&mut executor, thrown), Err(FetchError::Interrupted));
    let (woken, poller) =
        (executor.futures.woken.0.clone(), executor.futures.poller.clone());
    std::thread::spawn(move || woken.send(future).map(|()| poller.notify()));
    assert_eq!(run(&mut executor, other), Ok("b"));
}

#[test]
fn an_error_that_is_thrown_at_a_deadline_is_thrown_once() {
    let (mut executor, story) = (executor(), Story::default());
    let (never, later) = (executor.futures.new_future(), executor.futures.new_future());
    let (mut first, mut is_begun) = (Some(waits("first", &story, &[never])), false);
    let mut second = waits("second", &story, &[later]);
    let catches = move |futures: &mut Futures, how: Resume| -> Step<Result<&str>> {
        let mut how = how;
        if !std::mem::replace(&mut is_begun, true) {
            futures.throw_at(std::time::Instant::now(), FetchError::OutOfSockets);
        }
        if let Some(wait) = &mut first {
            assert_eq!(yield_from!(wait, futures, how), Err(FetchError::OutOfSockets));
            (first, how) = (None, Resume::Send);
            futures.timers.set(
                std::time::Instant::now(),
                Box::new(move |futures| futures.resolve(later)),
            );
        }
        Step::Return(yield_from!(second, futures, how))
    };
    assert_eq!(run(&mut executor, catches), Ok("second"));
    assert!(executor.futures.timers.next().is_none());
}

#[test]
fn throwing_at_a_deadline_outside_of_any_task_hits_nobody() {
    let (mut executor, story) = (executor(), Story::default());
    let future = executor.futures.new_future();
    let task = executor.futures.spawn("it", waits("it", &story, &[future]));
    assert_eq!(run(&mut executor, RESOLVED), Ok(()));
    let now = std::time::Instant::now();
    executor.futures.throw_at(now, FetchError::OutOfSockets);
    executor.futures.timers.set(now, Box::new(move |futures| futures.resolve(future)));
    assert_eq!(run(&mut executor, task), Ok("it"));
}

#[test]
fn a_stop_throws_into_each_task_once() {
    let stop = Stop::new();
    let mut executor = Executor::new(&stop, Watch::off()).expect("a selector");
    let (story, never) = (Story::default(), executor.futures.new_future());
    drop(executor.futures.spawn("a", waits("a", &story, &[never])));
    // It catches what is thrown, and goes on waiting: it is not asked again.
    let seen = story.clone();
    let stubborn = move |_: &mut Futures, how: Resume| -> Step<Result<()>> {
        seen.borrow_mut().push(if how == Resume::Send { "begins" } else { "catches" });
        Step::Yield(never)
    };
    drop(executor.futures.spawn("stubborn", stubborn));
    let main = waits("main", &story, &[never]);
    let main = executor.futures.spawn("main", main);
    let soon = std::time::Instant::now();
    let pull = stop.clone();
    executor.futures.timers.set(soon, Box::new(move |_| pull.pull()));
    let end = executor.run_until_complete(main).expect("the selector works");
    assert_eq!(end, Err(FetchError::Interrupted));
    let story = story.borrow();
    assert_eq!(story[..3], ["a", "begins", "main"]);
    let mut after = story[3..].to_vec();
    after.sort_unstable();
    assert_eq!(after, ["a", "catches", "main"]);
}
