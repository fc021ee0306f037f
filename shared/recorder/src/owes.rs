//! What a task owes to others.

use crate::Recorder;
use crate::state::{Debt, Name};
use crate::trace::Place;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static LAST_DEBT: AtomicU64 = AtomicU64::new(0);

/// Something that a task owes to others. Returned by [`Recorder::owes`]. Its drop says that
/// others need not wait for it any more.
#[must_use = "when it is dropped, nothing is owed"]
pub struct Owed {
    recorder: Recorder,
    id: u64,
}

impl Owed {
    pub(crate) fn new(recorder: &Recorder, text: Arc<str>, place: Place) -> Owed {
        let id = LAST_DEBT.fetch_add(1, Relaxed);
        if let Some(task) = recorder.running() {
            let name = Name { text, place };
            recorder.change(|state, since| {
                state.debts.insert(id, Debt { task, name, since });
            });
        }
        Owed { recorder: recorder.clone(), id }
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        self.recorder.change(|state, _| state.debts.remove(&self.id));
    }
}
