//! How tasks end where destructors panic, spawn or cancel.

use super::doors::{Bomb, STUCK, has_panicked, was_cancelled, yield_once};
use super::{Executor, JoinHandle, Machine, Rule};
use std::cell::{Cell, RefCell};
use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

pub(super) fn rules<M: Machine>() -> Vec<Rule> {
    super::rules![M, "ends":
        24 a_panic_of_the_main_future_is_not_lost_if_a_task_panics_as_it_is_dropped,
        24 a_destructor_may_cancel_another_task,
        24 a_future_whose_destructor_panics_at_its_end_is_a_task_that_panicked,
        24 an_output_whose_destructor_panics_ends_no_other_task,
        24 an_executor_that_is_kept_by_its_own_tasks_is_freed_by_an_empty_run,
        24 the_end_of_a_run_ends_even_if_each_destructor_spawns_another_task,
    ]
}

/// Counts how often one of its kind is dropped.
struct Counts(Rc<Cell<u32>>);

impl Drop for Counts {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// A task that holds this until it is dropped.
fn holds<M: Machine>(
    executor: &M::Executor,
    held: impl Sized + 'static,
) -> M::JoinHandle<()> {
    executor.spawn(async move {
        let _held = held;
        pending::<()>().await;
    })
}

fn a_panic_of_the_main_future_is_not_lost_if_a_task_panics_as_it_is_dropped<
    M: Machine,
>() {
    let (executor, count) = (M::executor(), Rc::new(Cell::new(0)));
    drop(holds::<M>(&executor, Counts(count.clone())));
    drop(holds::<M>(&executor, Bomb));
    drop(holds::<M>(&executor, Counts(count.clone())));
    let run = AssertUnwindSafe(|| {
        executor.block_on(async {
            yield_once().await;
            panic!("main")
        })
    });
    let panicked: Result<Result<(), _>, _> = catch_unwind(run);
    let message = panicked.expect_err("it panics").downcast::<&str>();
    assert_eq!(*message.expect("a text"), "main", "the panic of the main future");
    assert_eq!(count.get(), 2, "the others were dropped all the same");
}

fn a_destructor_may_cancel_another_task<M: Machine>() {
    struct Cancels<M: Machine>(Rc<RefCell<Option<M::JoinHandle<()>>>>);
    impl<M: Machine> Drop for Cancels<M> {
        fn drop(&mut self) {
            self.0.borrow().iter().for_each(JoinHandle::cancel);
        }
    }
    let (executor, victim) = (M::executor(), Rc::default());
    let first = holds::<M>(&executor, Cancels::<M>(Rc::clone(&victim)));
    *victim.borrow_mut() = Some(holds::<M>(&executor, ()));
    let ended = executor.block_on(async {
        yield_once().await;
        first.cancel();
        was_cancelled(first.await);
        let victim = victim.borrow_mut().take();
        victim.expect("it is there").await
    });
    was_cancelled(ended.expect(STUCK));
}

fn a_future_whose_destructor_panics_at_its_end_is_a_task_that_panicked<M: Machine>() {
    /// Ready at once; its destructor panics, and that of its output as well.
    struct Ends(#[allow(dead_code, reason = "it is dropped")] Bomb);
    impl Future for Ends {
        type Output = Bomb;
        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Bomb> {
            Poll::Ready(Bomb)
        }
    }
    let executor = M::executor();
    let ended = executor.block_on(executor.spawn(Ends(Bomb))).expect(STUCK);
    has_panicked(ended.map(std::mem::forget));
}

fn an_output_whose_destructor_panics_ends_no_other_task<M: Machine>() {
    let executor = M::executor();
    // Without a handle; with one that is dropped later; of a task that cancels itself.
    drop(executor.spawn(async { Bomb }));
    let kept = executor.spawn(async { Bomb });
    let own = Rc::new(RefCell::new(None::<M::JoinHandle<Bomb>>));
    let theirs = Rc::clone(&own);
    *own.borrow_mut() = Some(executor.spawn(async move {
        theirs.borrow().iter().for_each(JoinHandle::cancel);
        Bomb
    }));
    let ended = executor.block_on(async {
        yield_once().await;
        drop(kept);
        drop(own.borrow_mut().take());
        yield_once().await;
        1
    });
    assert_eq!(ended, Ok(1), "the main future's output");
}

fn an_executor_that_is_kept_by_its_own_tasks_is_freed_by_an_empty_run<M: Machine>() {
    let (executor, count) = (M::executor(), Rc::new(Cell::new(0)));
    drop(holds::<M>(&executor, (executor.clone(), Counts(count.clone()))));
    assert_eq!(executor.block_on(async {}), Ok(()), "{STUCK}");
    assert_eq!(count.get(), 1, "futures that were dropped");
}

/// The handles of the tasks that destructors have spawned.
type Handles<M> = Rc<RefCell<Vec<<M as Machine>::JoinHandle<()>>>>;

fn the_end_of_a_run_ends_even_if_each_destructor_spawns_another_task<M: Machine>() {
    /// Spawns a task that holds one of these, when it is dropped.
    struct Spawns<M: Machine>(M::Executor, Handles<M>);
    impl<M: Machine> Drop for Spawns<M> {
        fn drop(&mut self) {
            // An end, for an executor that has none.
            if self.1.borrow().len() < 1_000 {
                let held = Spawns::<M>(self.0.clone(), Rc::clone(&self.1));
                let handle = holds::<M>(&self.0, held);
                self.1.borrow_mut().push(handle);
            }
        }
    }
    let (executor, handles) = (M::executor(), Handles::<M>::default());
    let spawns = Spawns::<M>(executor.clone(), Rc::clone(&handles));
    drop(holds::<M>(&executor, spawns));
    assert_eq!(executor.block_on(async {}), Ok(()), "{STUCK}");
    let handles = handles.take();
    assert!(handles.len() < 1_000, "some time they are refused");
    for handle in handles {
        assert!(handle.is_finished(), "a task that was dropped has ended");
        let ended = executor.block_on(handle).expect(STUCK);
        was_cancelled(ended);
    }
}
