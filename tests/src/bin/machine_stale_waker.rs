//! A machine that is broken on purpose: a handle keeps the waker of its first poll. A
//! crawler does not notice, since each of its handles is polled by one task only.
//!
//! `tests/broken_machines.rs` runs this program, which must fail.
#![forbid(unsafe_code)]

/// Stage 3, with one line that is wrong.
mod broken {
    pub(super) use stage3_async::{
        Either, JoinError, Queue, Reactor, TcpStream, race, timeout,
    };

    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    #[derive(Clone)]
    pub(super) struct Executor(stage3_async::Executor);

    pub(super) struct JoinHandle<T> {
        inner: stage3_async::JoinHandle<T>,
        first: Option<Waker>,
    }

    impl Executor {
        pub(super) fn new() -> std::io::Result<Executor> {
            stage3_async::Executor::new().map(Executor)
        }

        pub(super) fn spawn<F: Future + 'static>(
            &self,
            future: F,
        ) -> JoinHandle<F::Output> {
            JoinHandle { inner: self.0.spawn(future), first: None }
        }

        pub(super) fn block_on<F: Future>(
            &self,
            future: F,
        ) -> Result<F::Output, stage3_async::Stuck> {
            self.0.block_on(future)
        }

        pub(super) fn reactor(&self) -> &Reactor {
            self.0.reactor()
        }
    }

    impl<T> JoinHandle<T> {
        pub(super) fn cancel(&self) {
            self.inner.cancel();
        }

        pub(super) fn is_finished(&self) -> bool {
            self.inner.is_finished()
        }
    }

    impl<T> Future for JoinHandle<T> {
        type Output = Result<T, JoinError>;

        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
            // Wrong: the latest waker counts, since each poll may come from another task.
            let waker = self.first.get_or_insert(cx.waker().clone()).clone();
            Pin::new(&mut self.inner).poll(&mut Context::from_waker(&waker))
        }
    }
}

conformance::machine_tests!(broken);
