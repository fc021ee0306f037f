//! An executor: a table of futures, and a queue of the ids that were woken.

use crate::{cases, story};
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// The future of a task.
pub type Boxed = Pin<Box<dyn Future<Output = ()>>>;

/// An executor for many tasks on one thread.
pub trait Executor: 'static {
    /// Makes an executor without tasks.
    fn new() -> Self;
    /// Adds a task. None of its code runs yet.
    fn spawn(&mut self, future: Boxed);
    /// Polls ready tasks until no task is ready. Returns how many tasks still wait.
    fn run(&mut self) -> usize;
}

cases! {
    Executor:
    spawn_runs_nothing_and_run_runs_it,
    a_task_that_has_ended_is_dropped_at_once,
    a_wake_during_the_poll_is_not_lost,
    a_task_that_waits_is_not_polled_until_it_is_woken,
    each_task_gets_its_turn,
    a_waker_may_outlive_its_task,
    a_new_task_replaces_no_other,
    a_task_that_is_dropped_may_wake_another,
    all_tasks_that_wait_are_counted,
}

/// The polls after which the door panics. No case wakes a task at the door more than twice.
const MOST_POLLS: u32 = 100;

/// A door that tasks wait at until it is opened.
#[derive(Default)]
struct Door {
    is_open: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    polls: Cell<u32>,
}

impl Door {
    async fn pass(self: Rc<Self>) {
        poll_fn(|cx| {
            self.polls.set(self.polls.get() + 1);
            story!("the task at the door is polled");
            assert!(
                self.polls.get() <= MOST_POLLS,
                "a task that waits is polled again and again, and nothing has woken it"
            );
            self.waker.replace(Some(cx.waker().clone()));
            if self.is_open.get() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    fn open(&self) {
        story!("the door is opened");
        self.is_open.set(true);
        let waker = self.waker.borrow().clone();
        waker.into_iter().for_each(Waker::wake);
    }
}

/// Lets the other tasks run first.
async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(|cx| {
        if has_yielded {
            return Poll::Ready(());
        }
        has_yielded = true;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

fn spawn_runs_nothing_and_run_runs_it<E: Executor>() {
    let (mut executor, has_run) = (E::new(), Rc::new(Cell::new(false)));
    let of_task = Rc::clone(&has_run);
    executor.spawn(Box::pin(async move { of_task.set(true) }));
    assert!(!has_run.get(), "spawn has run it");
    executor.run();
    assert!(has_run.get(), "no leaf has its waker yet: what would poll a new task?");
}

struct SetOnDrop(Rc<Cell<bool>>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.set(true);
    }
}

fn a_task_that_has_ended_is_dropped_at_once<E: Executor>() {
    let (mut executor, is_dropped) = (E::new(), Rc::new(Cell::new(false)));
    let guard = SetOnDrop(Rc::clone(&is_dropped));
    // A future that is ready, and still holds what it has captured.
    executor.spawn(Box::pin(poll_fn(move |_| {
        let _ = &guard;
        Poll::Ready(())
    })));
    assert_eq!(executor.run(), 0, "tasks that wait");
    assert!(is_dropped.get(), "the task has ended, and its future is still there");
}

fn a_wake_during_the_poll_is_not_lost<E: Executor>() {
    let (mut executor, turns) = (E::new(), Rc::new(Cell::new(0)));
    let of_task = Rc::clone(&turns);
    executor.spawn(Box::pin(async move {
        for turn in 1..=100 {
            of_task.set(turn);
            story!("turn {turn}: the task wakes itself");
            yield_now().await;
        }
    }));
    assert_eq!(
        executor.run(),
        0,
        "tasks that wait, although this one has woken itself each time"
    );
    assert_eq!(turns.get(), 100, "turns of the task");
}

fn a_task_that_waits_is_not_polled_until_it_is_woken<E: Executor>() {
    let (mut executor, door) = (E::new(), Rc::new(Door::default()));
    executor.spawn(Box::pin(Rc::clone(&door).pass()));
    executor.spawn(Box::pin(async {
        for _ in 0..5 {
            yield_now().await;
        }
    }));
    assert_eq!(executor.run(), 1, "tasks that wait: one is at the door");
    assert_eq!(executor.run(), 1, "tasks that wait: it is still at the door");
    assert_eq!(door.polls.get(), 1, "polls of a task that nothing has woken");
    let opener = Rc::clone(&door);
    executor.spawn(Box::pin(async move { opener.open() }));
    assert_eq!(
        executor.run(),
        0,
        "tasks that wait: another task has woken the only one"
    );
}

fn each_task_gets_its_turn<E: Executor>() {
    let (mut executor, turns) = (E::new(), Rc::new(RefCell::new(String::new())));
    for name in ['a', 'b', 'c'] {
        let turns = Rc::clone(&turns);
        executor.spawn(Box::pin(async move {
            for _ in 0..3 {
                turns.borrow_mut().push(name);
                yield_now().await;
            }
        }));
    }
    executor.run();
    assert_eq!(*turns.borrow(), "abcabcabc", "the tasks, in the order of their turns");
}

fn a_waker_may_outlive_its_task<E: Executor>() {
    let (mut executor, door) = (E::new(), Rc::new(Door::default()));
    executor.spawn(Box::pin(Rc::clone(&door).pass()));
    executor.run();
    door.open();
    assert_eq!(executor.run(), 0, "tasks that wait, although the door is open");
    story!("the task has ended, and its waker is called once more");
    door.open();
    executor.spawn(Box::pin(async {}));
    let waiting = executor.run();
    assert_eq!(
        waiting, 0,
        "tasks that wait: an id without a task is skipped, and the next task runs"
    );
    assert_eq!(door.polls.get(), 2, "polls of the task");
}

fn a_new_task_replaces_no_other<E: Executor>() {
    let (mut executor, door) = (E::new(), Rc::new(Door::default()));
    executor.spawn(Box::pin(async {}));
    executor.spawn(Box::pin(Rc::clone(&door).pass()));
    assert_eq!(
        executor.run(),
        1,
        "tasks that wait, when task 1 has ended and task 2 is at the door"
    );
    executor.spawn(Box::pin(async {}));
    assert_eq!(
        executor.run(),
        1,
        "tasks that wait, when task 3 has ended and task 2 is at the door"
    );
    door.open();
    assert_eq!(executor.run(), 0, "tasks that wait, although the door is open");
    assert_eq!(door.polls.get(), 2, "polls of task 2");
}

struct OpenOnDrop(Rc<Door>);

impl Drop for OpenOnDrop {
    fn drop(&mut self) {
        self.0.open();
    }
}

fn a_task_that_is_dropped_may_wake_another<E: Executor>() {
    let (mut executor, door) = (E::new(), Rc::new(Door::default()));
    executor.spawn(Box::pin(Rc::clone(&door).pass()));
    let guard = OpenOnDrop(door);
    executor.spawn(Box::pin(poll_fn(move |_| {
        let _ = &guard;
        Poll::Ready(())
    })));
    assert_eq!(executor.run(), 0, "tasks that wait: the other has opened the door");
}

fn all_tasks_that_wait_are_counted<E: Executor>() {
    let mut executor = E::new();
    let doors: [Rc<Door>; 3] = Default::default();
    for door in &doors {
        executor.spawn(Box::pin(Rc::clone(door).pass()));
    }
    assert_eq!(executor.run(), 3, "three tasks wait, each at its own door");
    doors[1].open();
    assert_eq!(executor.run(), 2, "tasks that wait: one of the three doors is open");
}
