//! The machine by hand: what it promises to coroutines, without network or clock.

use shared::{FetchError, Stop, Trace};
use stage2_generators::{
    Coroutine, Future, Join, Loop, LoopError, RESOLVED, Result, Resume, Step,
    yield_from,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What happened, in its order.
type Story = Rc<RefCell<Vec<&'static str>>>;

fn event_loop() -> Loop {
    Loop::new(&Stop::new(), Trace::off()).expect("a selector can be made")
}

/// Runs a coroutine to its end.
fn run<T: 'static>(
    event_loop: &mut Loop,
    coroutine: impl Coroutine<Return = Result<T>> + 'static,
) -> Result<T> {
    let task = event_loop.spawn_named("main", coroutine);
    event_loop.run_until_complete(task).expect("the selector works")
}

/// A coroutine that waits for each of these in turn. It notes each time it is resumed.
struct Waits {
    futures: Vec<Future>,
    story: Story,
    name: &'static str,
}

impl Coroutine for Waits {
    type Return = Result<&'static str>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Self::Return> {
        self.story.borrow_mut().push(self.name);
        let mut resume = Some(resume);
        while let Some(next) = self.futures.first_mut() {
            let resume = resume.take().unwrap_or(Resume::Send);
            if let Err(error) = yield_from!(next, event_loop, resume) {
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
    mut something: impl FnMut(&mut Loop) -> T,
) -> impl FnMut(&mut Loop, Resume) -> Step<Result<T>> {
    move |event_loop, resume| match resume {
        Resume::Send => Step::Return(Ok(something(event_loop))),
        Resume::Throw(error) => Step::Return(Err(error)),
    }
}

/// A coroutine that ends with an error.
fn fails(_: &mut Loop, _: Resume) -> Step<Result<()>> {
    Step::Return(Err(FetchError::OutOfSockets))
}

/// A loop with one task, which is parked at this future.
fn parked() -> (Loop, Story, Future, Join<&'static str>) {
    let (mut event_loop, story) = (event_loop(), Story::default());
    let future = event_loop.new_future();
    let join = event_loop.spawn(waits("it", &story, &[future]));
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    (event_loop, story, future, join)
}

#[test]
fn resume_runs_to_the_next_yield_and_then_to_the_end() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let (first, second) = (event_loop.new_future(), event_loop.new_future());
    let mut coroutine = waits("it", &story, &[first, second]);
    assert!(story.borrow().is_empty(), "creating it runs nothing");
    assert_eq!(coroutine.resume(&mut event_loop, Resume::Send), Step::Yield(first));
    event_loop.resolve(first);
    assert_eq!(coroutine.resume(&mut event_loop, Resume::Send), Step::Yield(second));
    event_loop.resolve(second);
    assert_eq!(coroutine.resume(&mut event_loop, Resume::Send), Step::Return(Ok("it")));
}

#[test]
fn a_coroutine_that_is_resumed_too_early_waits_once_more() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    let mut coroutine = waits("it", &story, &[future]);
    for _ in 0..3 {
        assert_eq!(
            coroutine.resume(&mut event_loop, Resume::Send),
            Step::Yield(future)
        );
    }
}

#[test]
fn a_thrown_error_is_returned_by_the_wait_and_by_each_parent() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    let mut child = waits("it", &story, &[future]);
    let mut parent = move |event_loop: &mut Loop, resume: Resume| -> Step<Result<()>> {
        Step::Return(yield_from!(child, event_loop, resume).map(drop))
    };
    assert_eq!(parent.resume(&mut event_loop, Resume::Send), Step::Yield(future));
    let thrown = Resume::Throw(FetchError::Interrupted);
    let end = Step::Return(Err(FetchError::Interrupted));
    assert_eq!(parent.resume(&mut event_loop, thrown), end);
}

#[test]
fn yield_from_hands_the_value_of_the_child_to_the_parent() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    let mut child = waits("child", &story, &[future]);
    let mut parent =
        move |event_loop: &mut Loop, resume: Resume| -> Step<Result<usize>> {
            let value = yield_from!(child, event_loop, resume);
            Step::Return(value.map(str::len))
        };
    assert_eq!(parent.resume(&mut event_loop, Resume::Send), Step::Yield(future));
    event_loop.resolve(future);
    assert_eq!(parent.resume(&mut event_loop, Resume::Send), Step::Return(Ok(5)));
}

#[test]
fn a_future_that_was_resolved_before_it_is_awaited_resumes_its_waiter() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    event_loop.resolve(future);
    assert_eq!(run(&mut event_loop, waits("it", &story, &[future])), Ok("it"));
    // Even where it does not look first, and just yields it.
    let mut times = 0;
    let blind = move |_: &mut Loop, _: Resume| {
        times += 1;
        if times < 3 { Step::Yield(future) } else { Step::Return(Ok(times)) }
    };
    assert_eq!(run(&mut event_loop, blind), Ok(3));
}

#[test]
fn resolving_twice_is_resolving_once() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let (first, second) = (event_loop.new_future(), event_loop.new_future());
    drop(event_loop.spawn(waits("it", &story, &[first, second])));
    let main = once(move |event_loop| {
        event_loop.resolve(first);
        event_loop.resolve(first);
    });
    // The task runs first: it is older.
    assert_eq!(run(&mut event_loop, main), Ok(()));
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    assert_eq!(*story.borrow(), ["it", "it"], "begun, and resumed once");
    event_loop.resolve(second);
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    assert_eq!(story.borrow().len(), 3);
}

#[test]
fn all_tasks_that_wait_for_a_future_are_resumed_in_order() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    for name in ["a", "b", "c"] {
        drop(event_loop.spawn(waits(name, &story, &[future])));
    }
    assert_eq!(run(&mut event_loop, once(|_| ())), Ok(()));
    event_loop.resolve(future);
    assert_eq!(run(&mut event_loop, once(|_| ())), Ok(()));
    assert_eq!(*story.borrow(), ["a", "b", "c", "a", "b", "c"]);
}

/// A chain of 100,000 tasks, each of which resolves what the next one waits for: by
/// recursion this would need as many frames.
#[test]
fn resolving_resumes_through_the_queue_and_not_by_recursion() {
    let mut event_loop = event_loop();
    let inside = Rc::new(Cell::new(false));
    let first = event_loop.new_future();
    let mut last = first;
    for _ in 0..100_000 {
        let (mine, next) = (last, event_loop.new_future());
        let inside = inside.clone();
        let mut wait = mine;
        let link = move |event_loop: &mut Loop, resume: Resume| -> Step<Result<()>> {
            let resolved = yield_from!(wait, event_loop, resume);
            assert!(!inside.replace(true), "no task is resumed while another one runs");
            event_loop.resolve(next);
            inside.set(false);
            Step::Return(resolved)
        };
        drop(event_loop.spawn(link));
        last = next;
    }
    event_loop.resolve(first);
    assert_eq!(run(&mut event_loop, last), Ok(()));
}

#[test]
fn a_task_joins_a_task_and_gets_its_value() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    let mut join = event_loop.spawn(waits("child", &story, &[future]));
    let mut is_begun = false;
    let main = move |event_loop: &mut Loop, resume: Resume| -> Step<Result<&str>> {
        if !std::mem::replace(&mut is_begun, true) {
            event_loop
                .reactor
                .timers
                .set(std::time::Instant::now(), Box::new(move |it| it.resolve(future)));
        }
        Step::Return(yield_from!(join, event_loop, resume))
    };
    assert_eq!(run(&mut event_loop, main), Ok("child"));
}

#[test]
fn a_task_that_ends_before_it_is_joined_still_gives_its_value() {
    let mut event_loop = event_loop();
    let join = event_loop.spawn(once(|_| 7));
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    assert_eq!(run(&mut event_loop, join), Ok(7));
}

#[test]
fn an_error_of_a_task_comes_out_of_its_join() {
    let mut event_loop = event_loop();
    let join = event_loop.spawn(fails);
    assert_eq!(run(&mut event_loop, join), Err(FetchError::OutOfSockets));
    assert_eq!(event_loop.lost_errors(), [""; 0]);
}

#[test]
fn an_error_that_is_never_taken_is_listed_with_its_task() {
    let mut event_loop = event_loop();
    drop(event_loop.spawn_named("the child", fails));
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    let lost = event_loop.lost_errors();
    assert_eq!(lost, [format!("the child: {}", FetchError::OutOfSockets)]);
}

#[test]
fn a_coroutine_can_spawn_a_task() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let inner = story.clone();
    let mut child = None;
    let main = move |event_loop: &mut Loop, resume: Resume| -> Step<Result<&str>> {
        let join = child.get_or_insert_with(|| {
            inner.borrow_mut().push("spawns");
            let join = event_loop.spawn(waits("child", &inner, &[]));
            inner.borrow_mut().push("has spawned");
            join
        });
        Step::Return(yield_from!(join, event_loop, resume))
    };
    assert_eq!(run(&mut event_loop, main), Ok("child"));
    assert_eq!(*story.borrow(), ["spawns", "has spawned", "child"]);
}

#[test]
fn a_task_that_is_cancelled_while_it_is_parked_leaves_its_future() {
    let (mut event_loop, story, future, join) = parked();
    event_loop.throw(join.task, FetchError::Interrupted);
    // The future is resolved before the task has its turn: what was thrown counts.
    event_loop.resolve(future);
    assert_eq!(run(&mut event_loop, join), Err(FetchError::Interrupted));
    assert_eq!(*story.borrow(), ["it", "it"]);
}

#[test]
fn cancelling_twice_is_cancelling_once() {
    let (mut event_loop, story, _, join) = parked();
    event_loop.throw(join.task, FetchError::Interrupted);
    event_loop.throw(join.task, FetchError::Interrupted);
    let task = join.task;
    assert_eq!(run(&mut event_loop, join), Err(FetchError::Interrupted));
    assert_eq!(story.borrow().len(), 2);
    event_loop.throw(task, FetchError::Interrupted);
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    assert_eq!(story.borrow().len(), 2, "it has ended");
}

#[test]
fn a_task_that_is_cancelled_before_it_has_begun_gets_the_error_first() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    let join = event_loop.spawn(waits("it", &story, &[future]));
    event_loop.throw(join.task, FetchError::Interrupted);
    assert_eq!(run(&mut event_loop, join), Err(FetchError::Interrupted));
    assert_eq!(*story.borrow(), ["it"]);
}

/// What is thrown can be caught by a coroutine on the way. It may go on, and wait for
/// something else; no second error comes for that.
#[test]
fn a_task_that_catches_a_thrown_error_goes_on() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let (never, later) = (event_loop.new_future(), event_loop.new_future());
    let mut wait = Some(waits("first", &story, &[never]));
    let mut second = waits("second", &story, &[later]);
    let catches = move |event_loop: &mut Loop, resume: Resume| -> Step<Result<&str>> {
        let mut resume = resume;
        if let Some(first) = &mut wait {
            let caught = yield_from!(first, event_loop, resume);
            assert_eq!(caught, Err(FetchError::Interrupted));
            (wait, resume) = (None, Resume::Send);
        }
        Step::Return(yield_from!(second, event_loop, resume))
    };
    let join = event_loop.spawn(catches);
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    event_loop.throw(join.task, FetchError::Interrupted);
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    event_loop.resolve(never);
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    event_loop.resolve(later);
    assert_eq!(run(&mut event_loop, join), Ok("second"));
    assert_eq!(*story.borrow(), ["first", "first", "second", "second"]);
}

#[test]
fn a_task_that_is_always_ready_does_not_starve_the_others() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let spins = |_: &mut Loop, _: Resume| -> Step<Result<()>> { Step::Yield(RESOLVED) };
    drop(event_loop.spawn(spins));
    let future = event_loop.new_future();
    let soon = std::time::Instant::now();
    event_loop
        .reactor
        .timers
        .set(soon, Box::new(move |event_loop| event_loop.resolve(future)));
    assert_eq!(run(&mut event_loop, waits("it", &story, &[future])), Ok("it"));
}

#[test]
fn a_stuck_loop_lists_what_each_task_waits_for() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let never = event_loop.new_future();
    let join = event_loop.spawn_named("a", waits("a", &story, &[never]));
    let main = event_loop.spawn_named("main", join);
    let stuck = event_loop.run_until_complete(main).expect_err("nothing can happen");
    assert!(matches!(stuck, LoopError::Stuck(_)));
    assert_eq!(
        stuck.to_string(),
        "stuck: a: task waits for a future\nmain: task waits for a future"
    );
}

/// The loop runs on a thread of its own: if it waited for ever, the test would still end.
#[test]
fn a_loop_whose_last_timer_wakes_no_task_is_stuck() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut event_loop = event_loop();
        let never = event_loop.new_future();
        let story = Story::default();
        event_loop.reactor.timers.set(Instant::now(), Box::new(|_| ()));
        let main = event_loop.spawn_named("main", waits("main", &story, &[never]));
        let stuck = event_loop.run_until_complete(main).expect_err("no task can run");
        sender.send(stuck.to_string()).expect("the test waits");
    });
    let stuck = receiver.recv_timeout(Duration::from_secs(60));
    assert_eq!(stuck.as_deref(), Ok("stuck: main: task waits for a future"));
}

fn resolve_from_a_thread(event_loop: &Loop, future: Future) -> JoinHandle<()> {
    let sender = event_loop.reactor.sender.clone();
    let poller = event_loop.reactor.poller.clone();
    thread::spawn(move || {
        sender.send(future).expect("the loop is there");
        poller.notify().expect("the selector is there");
    })
}

#[test]
fn a_future_that_another_thread_resolves_ends_the_wait() {
    let mut event_loop = event_loop();
    let future = event_loop.new_future();
    event_loop.futures.external.insert(future, None);
    let thread = resolve_from_a_thread(&event_loop, future);
    assert_eq!(run(&mut event_loop, future), Ok(()));
    thread.join().expect("it does not panic");
}

#[test]
fn throwing_into_one_task_leaves_the_others_waiting_for_another_thread() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let future = event_loop.new_future();
    event_loop.futures.external.insert(future, None);
    let thrown = event_loop.spawn(waits("a", &story, &[future]));
    let other = event_loop.spawn(waits("b", &story, &[future]));
    assert_eq!(run(&mut event_loop, RESOLVED), Ok(()));
    event_loop.throw(thrown.task, FetchError::Interrupted);
    assert_eq!(run(&mut event_loop, thrown), Err(FetchError::Interrupted));
    let thread = resolve_from_a_thread(&event_loop, future);
    assert_eq!(run(&mut event_loop, other), Ok("b"));
    thread.join().expect("it does not panic");
}

#[test]
fn an_error_that_is_thrown_at_a_deadline_is_thrown_once() {
    let mut event_loop = event_loop();
    let story = Story::default();
    let (never, later) = (event_loop.new_future(), event_loop.new_future());
    let (mut first, mut is_begun) = (Some(waits("first", &story, &[never])), false);
    let mut second = waits("second", &story, &[later]);
    let catches = move |event_loop: &mut Loop, resume: Resume| -> Step<Result<&str>> {
        let mut resume = resume;
        if !std::mem::replace(&mut is_begun, true) {
            event_loop.throw_at(std::time::Instant::now(), FetchError::OutOfSockets);
        }
        if let Some(wait) = &mut first {
            assert_eq!(
                yield_from!(wait, event_loop, resume),
                Err(FetchError::OutOfSockets)
            );
            (first, resume) = (None, Resume::Send);
            event_loop.reactor.timers.set(
                std::time::Instant::now(),
                Box::new(move |event_loop| event_loop.resolve(later)),
            );
        }
        Step::Return(yield_from!(second, event_loop, resume))
    };
    assert_eq!(run(&mut event_loop, catches), Ok("second"));
    assert!(event_loop.is_stuck(), "no timer is left");
}

/// A stop in the middle of a round: the tasks that were ready are cancelled, too.
#[test]
fn a_stop_by_a_task_cancels_the_tasks_that_are_ready() {
    let stop = Stop::new();
    let mut event_loop = Loop::new(&stop, Trace::off()).expect("a selector");
    let (story, never) = (Story::default(), event_loop.new_future());
    let pull = stop.clone();
    let main = move |_: &mut Loop, resume: Resume| -> Step<Result<()>> {
        pull.request();
        match resume {
            Resume::Send => Step::Yield(never),
            Resume::Throw(error) => Step::Return(Err(error)),
        }
    };
    let main = event_loop.spawn(main);
    let seen = story.clone();
    let other = move |_: &mut Loop, resume: Resume| -> Step<Result<()>> {
        seen.borrow_mut().push(match resume {
            Resume::Send => "begins",
            Resume::Throw(_) => "is cancelled",
        });
        Step::Return(Ok(()))
    };
    drop(event_loop.spawn(other));
    let end = event_loop.run_until_complete(main).expect("a stop is not stuck");
    assert_eq!(end, Err(FetchError::Interrupted));
    assert_eq!(*story.borrow(), ["is cancelled"]);
}

#[test]
fn a_stop_throws_into_each_task_once() {
    let stop = Stop::new();
    let mut event_loop = Loop::new(&stop, Trace::off()).expect("a selector");
    let (story, never) = (Story::default(), event_loop.new_future());
    drop(event_loop.spawn_named("a", waits("a", &story, &[never])));
    // It catches what is thrown, and goes on waiting: it is not asked again.
    let seen = story.clone();
    let stubborn = move |_: &mut Loop, resume: Resume| -> Step<Result<()>> {
        seen.borrow_mut().push(if resume == Resume::Send {
            "begins"
        } else {
            "catches"
        });
        Step::Yield(never)
    };
    drop(event_loop.spawn(stubborn));
    let main = waits("main", &story, &[never]);
    let main = event_loop.spawn(main);
    let soon = std::time::Instant::now();
    let pull = stop.clone();
    event_loop.reactor.timers.set(soon, Box::new(move |_| pull.request()));
    let end = event_loop.run_until_complete(main).expect("the selector works");
    assert_eq!(end, Err(FetchError::Interrupted));
    let story = story.borrow();
    assert_eq!(story[..3], ["a", "begins", "main"]);
    let mut after = story[3..].to_vec();
    after.sort_unstable();
    assert_eq!(after, ["a", "catches", "main"]);
}
