//! Gives an executor its observer. `observe.rs` cannot: the executor depends on it.

use crate::machine::executor::Executor;
use crate::observe::Observer;
use shared::Timers;
use std::rc::Rc;

impl Executor {
    /// Reports to `observer` what its tasks do.
    ///
    /// # Panics
    /// The executor was cloned before, or something was spawned on it.
    pub fn observed(mut self, observer: Observer) -> Executor {
        assert!(self.observer().records.borrow().is_empty(), "nothing was spawned yet");
        self.reactor().0.timers.replace(Timers::with_trace(observer.trace.clone()));
        self.reactor().0.trace.replace(observer.trace.clone()); // observe
        let inner = Rc::get_mut(&mut self.0).expect("it has one handle");
        inner.observer = Rc::new(observer);
        self
    }

    /// What is known of its tasks.
    pub fn observer(&self) -> &Observer {
        &self.0.observer
    }
}
