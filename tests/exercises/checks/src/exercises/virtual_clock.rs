//! A clock that jumps to the next timer when no task is ready.

use crate::{cases, story, waker_that};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::task::Waker;

/// A clock with timers. Clones are handles to the same clock.
pub trait VirtualClock: Clone + 'static {
    /// Returns a clock at time 0.
    fn new() -> Self;
    /// Returns the time.
    fn now(&self) -> u64;
    /// Sets a timer: when it is `when` or later, `waker` is called, once.
    fn set(&self, when: u64, waker: Waker);
    /// Runs the tasks until none is ready, no timer is set, and no work is outstanding.
    fn run(&self, tasks: &Tasks);
}

type Task = Box<dyn FnOnce()>;

/// Tasks, and work on other threads. Clones are handles to the same tasks.
#[derive(Clone, Default)]
pub struct Tasks(Rc<Inner>);

#[derive(Default)]
struct Inner {
    ready: RefCell<VecDeque<Task>>,
    elsewhere: RefCell<VecDeque<Task>>,
    calls: Cell<usize>,
}

/// More calls than any case needs.
const TOO_MANY: usize = 1_000;

impl Tasks {
    /// Polls the task that is first in the ready queue. Returns whether there was one.
    pub fn poll_one(&self) -> bool {
        self.count();
        let task = self.0.ready.borrow_mut().pop_front();
        let is_one = task.is_some();
        task.into_iter().for_each(|task| task());
        is_one
    }

    /// Returns whether work on another thread is outstanding, which will wake a task.
    pub fn has_work_elsewhere(&self) -> bool {
        self.count();
        !self.0.elsewhere.borrow().is_empty()
    }

    /// Waits until another thread has woken a task. This takes real time.
    pub fn wait(&self) {
        self.count();
        assert!(
            self.0.ready.borrow().is_empty(),
            "a task is ready, and it waits for another thread"
        );
        let task = self.0.elsewhere.borrow_mut().pop_front();
        let task = task.expect("no work is outstanding: this would wait for ever");
        story!("another thread has done its work, and wakes a task");
        self.0.ready.borrow_mut().push_back(task);
    }

    fn count(&self) {
        let calls = self.0.calls.get() + 1;
        self.0.calls.set(calls);
        assert!(
            calls < TOO_MANY,
            "{TOO_MANY} calls, and it is still running: does it spin?"
        );
    }

    /// A task that is ready.
    fn spawn(&self, task: impl FnOnce() + 'static) {
        self.0.ready.borrow_mut().push_back(Box::new(task));
    }

    /// Returns a waker that makes this task ready.
    fn waker(&self, task: impl FnOnce() + 'static) -> Waker {
        let tasks = self.clone();
        waker_that(move || tasks.spawn(task))
    }
}

cases! {
    VirtualClock:
    a_day_takes_no_time,
    the_clock_stands_still_while_a_task_is_ready,
    each_timer_sees_its_own_time,
    a_woken_task_runs_before_the_clock_jumps_again,
    a_timer_that_a_woken_task_sets_is_seen,
    timers_for_the_same_time_fire_in_the_order_of_their_setting,
    the_clock_never_goes_back,
    the_clock_stands_still_while_another_thread_works,
    a_waker_may_set_another_timer,
    it_may_run_again,
}

/// A clock, its tasks, and what they did: their names, and what time it was.
struct Case<C> {
    clock: C,
    tasks: Tasks,
    log: Rc<RefCell<Vec<(&'static str, u64)>>>,
}

impl<C: VirtualClock> Clone for Case<C> {
    fn clone(&self) -> Case<C> {
        let Case { clock, tasks, log } = self;
        Case { clock: clock.clone(), tasks: tasks.clone(), log: Rc::clone(log) }
    }
}

impl<C: VirtualClock> Case<C> {
    fn new() -> Case<C> {
        Case { clock: C::new(), tasks: Tasks::default(), log: Rc::default() }
    }

    fn note(&self, name: &'static str) {
        let now = self.clock.now();
        story!("it is {now}: {name} runs");
        self.log.borrow_mut().push((name, now));
    }

    /// Wakes a task at a time. It notes that it runs, and then does something.
    fn set(&self, name: &'static str, when: u64, then: impl FnOnce(&Self) + 'static) {
        let case = self.clone();
        story!("it is {}: a timer of {name} is set for {when}", self.clock.now());
        let task = move || {
            case.note(name);
            then(&case);
        };
        self.clock.set(when, self.tasks.waker(task));
    }

    /// Runs, and returns what the tasks did.
    fn run(&self) -> Vec<(&'static str, u64)> {
        self.clock.run(&self.tasks);
        story!("it is {}: run has returned", self.clock.now());
        self.log.take()
    }
}

fn nothing<C>(_: &Case<C>) {}

fn a_day_takes_no_time<C: VirtualClock>() {
    let case = Case::<C>::new();
    assert_eq!(case.clock.now(), 0, "the time at first");
    case.set("a", 86_400, nothing);
    assert_eq!(case.run(), [("a", 86_400)], "tasks, and when they ran");
}

fn the_clock_stands_still_while_a_task_is_ready<C: VirtualClock>() {
    let case = Case::<C>::new();
    case.set("late", 10, nothing);
    fn turns<C: VirtualClock>(case: &Case<C>, left: usize) {
        let again = case.clone();
        case.tasks.spawn(move || {
            again.note("busy");
            if left > 1 {
                turns(&again, left - 1);
            }
        });
    }
    turns(&case, 3);
    let busy = ("busy", 0);
    assert_eq!(
        case.run(),
        [busy, busy, busy, ("late", 10)],
        "tasks, and when they ran"
    );
}

fn each_timer_sees_its_own_time<C: VirtualClock>() {
    let case = Case::<C>::new();
    case.set("c", 30, nothing);
    case.set("a", 10, nothing);
    case.set("b", 20, nothing);
    let right = [("a", 10), ("b", 20), ("c", 30)];
    assert_eq!(case.run(), right, "tasks, and when they ran");
}

fn a_woken_task_runs_before_the_clock_jumps_again<C: VirtualClock>() {
    let case = Case::<C>::new();
    case.set("a", 10, |case| {
        let again = case.clone();
        case.tasks.spawn(move || again.note("a again"));
    });
    case.set("b", 11, nothing);
    let right = [("a", 10), ("a again", 10), ("b", 11)];
    assert_eq!(case.run(), right, "tasks, and when they ran");
}

fn a_timer_that_a_woken_task_sets_is_seen<C: VirtualClock>() {
    let case = Case::<C>::new();
    case.set("a", 10, |case| case.set("soon", 12, nothing));
    case.set("b", 20, |case| case.set("last", 30, nothing));
    let right = [("a", 10), ("soon", 12), ("b", 20), ("last", 30)];
    assert_eq!(case.run(), right, "tasks, and when they ran");
}

fn timers_for_the_same_time_fire_in_the_order_of_their_setting<C: VirtualClock>() {
    let case = Case::<C>::new();
    for (name, when) in [("a", 10), ("b", 10), ("first", 5), ("c", 10), ("d", 10)] {
        case.set(name, when, nothing);
    }
    let names: Vec<_> = case.run().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["first", "a", "b", "c", "d"], "a to d are due at the same time");
}

fn the_clock_never_goes_back<C: VirtualClock>() {
    let case = Case::<C>::new();
    case.set("a", 10, |case| case.set("over", 3, nothing));
    case.set("b", 20, nothing);
    let right = [("a", 10), ("over", 10), ("b", 20)];
    assert_eq!(case.run(), right, "tasks, and when they ran");
}

fn the_clock_stands_still_while_another_thread_works<C: VirtualClock>() {
    let case = Case::<C>::new();
    case.set("time-out", 10, nothing);
    for answer in ["answer 1", "answer 2"] {
        let done = case.clone();
        let task: Task = Box::new(move || done.note(answer));
        case.tasks.0.elsewhere.borrow_mut().push_back(task);
    }
    story!("two threads work, and a task is ready");
    let ready = case.clone();
    case.tasks.spawn(move || ready.note("ready"));
    let right = [("ready", 0), ("answer 1", 0), ("answer 2", 0), ("time-out", 10)];
    assert_eq!(case.run(), right, "tasks, and when they ran");
}

fn a_waker_may_set_another_timer<C: VirtualClock>() {
    let case = Case::<C>::new();
    let of_waker = case.clone();
    case.clock.set(
        10,
        waker_that(move || {
            story!("the waker sets another timer at once");
            of_waker.set("a", of_waker.clock.now() + 5, nothing);
        }),
    );
    assert_eq!(case.run(), [("a", 15)], "tasks, and when they ran");
}

fn it_may_run_again<C: VirtualClock>() {
    let case = Case::<C>::new();
    assert_eq!(case.run(), [], "there is nothing to run");
    case.set("a", 10, nothing);
    case.run();
    case.set("b", 5, nothing);
    assert_eq!(case.run(), [("b", 10)], "it was 10 before: tasks, and when they ran");
}
