//! What only one task can provide.

use crate::Recorder;
use crate::state::{MustProvide, Name};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static LAST_PROVIDER: AtomicU64 = AtomicU64::new(0);

/// Marks a task as the one that must provide something. Returned by
/// [`Recorder::provides`]. Drop it when the task has provided it.
#[must_use = "when it is dropped, no task is known to provide it"]
pub struct Provider {
    recorder: Recorder,
    id: u64,
}

impl Provider {
    pub(crate) fn new(recorder: &Recorder, name: Name) -> Provider {
        let id = LAST_PROVIDER.fetch_add(1, Relaxed);
        if let Some(task) = recorder.running() {
            recorder.change(|state, since| {
                state.must_provide.insert(id, MustProvide { task, name, since });
            });
        }
        Provider { recorder: recorder.clone(), id }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.recorder.change(|state, _| state.must_provide.remove(&self.id));
    }
}
