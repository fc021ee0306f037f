//! The four functions behind a waker, over slots in place of pointers.

use checks::vtable::{Slots, Table};

struct Mine;

// ANCHOR: task
impl Table for Mine {
    fn clone(slots: &mut Slots, slot: usize) -> usize {
        todo!("count one more waker, and return its slot")
    }

    fn wake(slots: &mut Slots, slot: usize) {
        todo!("queue the task; this waker is used up")
    }

    fn wake_by_ref(slots: &mut Slots, slot: usize) {
        todo!("queue the task; this waker is kept")
    }

    fn drop(slots: &mut Slots, slot: usize) {
        todo!("give up this waker's count; the last one frees the task")
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::vtable::check::<Mine>()
}
