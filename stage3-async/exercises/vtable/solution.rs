//! The four functions behind a waker, over slots in place of pointers.

use checks::vtable::{Slots, Table};

struct Mine;

// ANCHOR: solution
impl Table for Mine {
    fn clone(slots: &mut Slots, slot: usize) -> usize {
        *slots.count(slot) += 1;
        slot
    }

    fn wake(slots: &mut Slots, slot: usize) {
        slots.queue(slot);
        Self::drop(slots, slot); // this waker is used up
    }

    fn wake_by_ref(slots: &mut Slots, slot: usize) {
        slots.queue(slot);
    }

    fn drop(slots: &mut Slots, slot: usize) {
        *slots.count(slot) -= 1;
        if *slots.count(slot) == 0 {
            slots.free(slot);
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::vtable::check::<Mine>()
}
