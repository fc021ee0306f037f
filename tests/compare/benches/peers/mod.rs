//! Executors behind one small trait, so that the same code measures them all.

use futures::executor::{LocalPool, LocalSpawner};
use futures::future::RemoteHandle;
use futures::task::LocalSpawnExt;
use stage3_async::Executor;
use std::future::{Future, poll_fn};
use std::{rc::Rc, task::Poll};
use tokio::runtime;

/// A handle on an executor of this thread, as the task has it that spawns others.
pub(crate) trait Peer: Clone + 'static {
    /// As the tables have it.
    const NAME: &'static str;
    /// Whether it waits for sockets and timers, too, as a crawler needs it.
    const HAS_REACTOR: bool = true;
    /// What awaits a task.
    type Handle<T: 'static>: Future + 'static;

    /// Runs `main` on a new executor, and all that it spawns beside it.
    fn run<F: Future>(main: impl FnOnce(Self) -> F) -> F::Output;

    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T>;

    /// Spawns a task that will not be awaited, the cheapest way that there is.
    fn spawn_detached(&self, future: impl Future<Output = ()> + 'static);
}

impl Peer for Executor {
    const NAME: &'static str = "stage 3";
    type Handle<T: 'static> = stage3_async::JoinHandle<T>;

    fn run<F: Future>(main: impl FnOnce(Self) -> F) -> F::Output {
        let executor = Executor::new().expect("the system has a selector for us");
        executor.block_on(main(executor.clone())).expect("a task can be woken")
    }

    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        Executor::spawn(self, future)
    }

    fn spawn_detached(&self, future: impl Future<Output = ()> + 'static) {
        drop(Executor::spawn(self, future));
    }
}

/// Tokio's current-thread runtime, and a `LocalSet` in it.
#[derive(Clone)]
pub(crate) struct TokioSet;

impl Peer for TokioSet {
    const NAME: &'static str = "tokio LocalSet";
    type Handle<T: 'static> = tokio::task::JoinHandle<T>;

    fn run<F: Future>(main: impl FnOnce(Self) -> F) -> F::Output {
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("the system has a selector for Tokio");
        tokio::task::LocalSet::new().block_on(&runtime, main(TokioSet))
    }

    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        tokio::task::spawn_local(future)
    }

    fn spawn_detached(&self, future: impl Future<Output = ()> + 'static) {
        drop(tokio::task::spawn_local(future));
    }
}

/// Tokio's newer runtime for tasks that are not `Send`: without the set.
#[derive(Clone)]
pub(crate) struct TokioLocal;

impl Peer for TokioLocal {
    const NAME: &'static str = "tokio LocalRuntime";
    type Handle<T: 'static> = tokio::task::JoinHandle<T>;

    fn run<F: Future>(main: impl FnOnce(Self) -> F) -> F::Output {
        let mut builder = runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build_local(Default::default());
        runtime.expect("the system has a selector for Tokio").block_on(main(TokioLocal))
    }

    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        TokioSet.spawn(future)
    }

    fn spawn_detached(&self, future: impl Future<Output = ()> + 'static) {
        TokioSet.spawn_detached(future);
    }
}

/// smol's: async-executor under the `block_on` of async-io, which serves sockets and
/// timers in between.
#[derive(Clone)]
pub(crate) struct Smol(Rc<async_executor::LocalExecutor<'static>>);

impl Peer for Smol {
    const NAME: &'static str = "async-executor, async-io";
    type Handle<T: 'static> = async_executor::Task<T>;

    fn run<F: Future>(main: impl FnOnce(Self) -> F) -> F::Output {
        let smol = Smol(Rc::default());
        async_io::block_on(smol.0.run(main(smol.clone())))
    }

    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        self.0.spawn(future)
    }

    fn spawn_detached(&self, future: impl Future<Output = ()> + 'static) {
        self.0.spawn(future).detach();
    }
}

/// async-executor alone: no reactor asks the system for sockets, there is no clock.
#[derive(Clone)]
pub(crate) struct Bare(Smol);

impl Peer for Bare {
    const NAME: &'static str = "async-executor (no reactor)";
    const HAS_REACTOR: bool = false;
    type Handle<T: 'static> = async_executor::Task<T>;

    fn run<F: Future>(main: impl FnOnce(Self) -> F) -> F::Output {
        let bare = Bare(Smol(Rc::default()));
        futures_lite::future::block_on(bare.0.0.run(main(bare.clone())))
    }

    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        self.0.spawn(future)
    }

    fn spawn_detached(&self, future: impl Future<Output = ()> + 'static) {
        self.0.spawn_detached(future);
    }
}

impl Peer for LocalSpawner {
    const NAME: &'static str = "LocalPool (no reactor)";
    const HAS_REACTOR: bool = false;
    type Handle<T: 'static> = RemoteHandle<T>;

    fn run<F: Future>(main: impl FnOnce(Self) -> F) -> F::Output {
        let mut pool = LocalPool::new();
        let spawner = pool.spawner();
        pool.run_until(main(spawner))
    }

    fn spawn<T: 'static>(
        &self,
        future: impl Future<Output = T> + 'static,
    ) -> Self::Handle<T> {
        self.spawn_local_with_handle(future).expect("the pool is there")
    }

    fn spawn_detached(&self, future: impl Future<Output = ()> + 'static) {
        self.spawn_local(future).expect("the pool is there");
    }
}

/// Lets the others run first, once.
pub(crate) async fn yield_now() {
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

/// Was this flag given? (`cargo bench` gives one of its own.)
pub(crate) fn has_flag(flag: &str) -> bool {
    std::env::args().any(|arg| arg == flag)
}

/// An executor, and a function that measures it.
pub(crate) struct Measured<F> {
    pub(crate) name: &'static str,
    has_reactor: bool,
    pub(crate) measure: F,
}

impl<F> Measured<F> {
    pub(crate) const fn new<P: Peer>(measure: F) -> Measured<F> {
        Measured { name: P::NAME, has_reactor: P::HAS_REACTOR, measure }
    }
}

/// The head of a table of these executors, of which the first is ours.
pub(crate) fn table_head<F>(unit: &str, executors: &[Measured<F>]) -> String {
    let names: Vec<_> = executors.iter().map(|executor| executor.name).collect();
    let rule = "---:|".repeat(names.len() + 2);
    let names = names.join(" | ");
    format!("| {unit} | {names} | × best peer | × best with reactor |\n|---|{rule}")
}

/// One line of the table: a cell for each executor, and the ratio of our number to that of
/// the best peer, among all and among those with a reactor.
pub(crate) fn table_row<F>(
    what: &str,
    executors: &[Measured<F>],
    numbers: &[f64],
    cell: impl Fn(usize) -> String,
) -> String {
    let cells: String =
        (0..numbers.len()).map(|which| format!(" {} |", cell(which))).collect();
    let ratio = |counts: fn(&Measured<F>) -> bool| {
        let peers = executors.iter().zip(numbers).skip(1);
        let peers = peers.filter(|(peer, _)| counts(peer)).map(|(_, number)| *number);
        numbers[0] / peers.fold(f64::INFINITY, f64::min)
    };
    let (all, with_reactor) = (ratio(|_| true), ratio(|peer| peer.has_reactor));
    format!("| {what} |{cells} {all:.2} | {with_reactor:.2} |")
}
