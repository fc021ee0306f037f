//! A machine that is broken on purpose: a wake from another thread does not reach it.
//!
//! `tests/broken_machines.rs` runs this program, which must fail.
#![forbid(unsafe_code)]

/// Stage 3, but each task has a waker that only works on the executor's thread.
mod broken {
    pub(super) use stage3_async::{
        Either, JoinError, JoinHandle, Queue, Reactor, TcpStream, race, timeout,
    };

    use std::future::poll_fn;
    use std::pin::pin;
    use std::sync::Arc;
    use std::task::{Context, Wake, Waker};
    use std::thread::{self, ThreadId};

    #[derive(Clone)]
    pub(super) struct Executor(stage3_async::Executor);

    impl Executor {
        pub(super) fn new() -> std::io::Result<Executor> {
            stage3_async::Executor::new().map(Executor)
        }

        pub(super) fn spawn<F: Future + 'static>(
            &self,
            future: F,
        ) -> JoinHandle<F::Output> {
            self.0.spawn(deaf(future))
        }

        pub(super) fn block_on<F: Future>(
            &self,
            future: F,
        ) -> Result<F::Output, stage3_async::Stuck> {
            self.0.block_on(deaf(future))
        }

        pub(super) fn reactor(&self) -> &Reactor {
            self.0.reactor()
        }
    }

    async fn deaf<F: Future>(future: F) -> F::Output {
        let mut future = pin!(future);
        poll_fn(|cx| {
            let (home, inner) = (thread::current().id(), cx.waker().clone());
            let waker = Waker::from(Arc::new(DeafWaker { home, inner }));
            future.as_mut().poll(&mut Context::from_waker(&waker))
        })
        .await
    }

    struct DeafWaker {
        home: ThreadId,
        inner: Waker,
    }

    impl Wake for DeafWaker {
        fn wake(self: Arc<Self>) {
            // Wrong: the executor waits for the system, and nothing ends that wait.
            if thread::current().id() == self.home {
                self.inner.wake_by_ref();
            }
        }
    }
}

conformance::machine_tests!(broken);
