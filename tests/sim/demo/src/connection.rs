//! What a handler keeps until its connection has ended.

use std::any::Any;
use std::mem;
use std::sync::{Arc, Mutex};

/// Values that are dropped when their connection has ended.
#[derive(Clone, Default)]
pub(crate) struct UntilClosed(Arc<Mutex<Vec<Box<dyn Any + Send>>>>);

impl UntilClosed {
    /// Keeps `value` for as long as the connection is open.
    pub(crate) fn keep(&self, value: impl Any + Send) {
        self.list().push(Box::new(value));
    }

    /// Drops all values.
    pub(crate) fn closed(&self) {
        let kept = mem::take(&mut *self.list());
        drop(kept); // after the lock, since dropping a value may wake a task
    }

    fn list(&self) -> std::sync::MutexGuard<'_, Vec<Box<dyn Any + Send>>> {
        self.0.lock().expect("nothing panics while it holds the list")
    }
}
