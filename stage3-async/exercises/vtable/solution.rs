//! The four functions behind a waker, over slots in place of pointers.

use checks::vtable::{Slots, Table};

struct Mine;

// ANCHOR: solution
impl Table for Mine {
    fn clone(slots: &mut Slots, slot: usize) -> usize {
        // hole 1
        //| todo!("count one more waker, and return its slot")
        *slots.count(slot) += 1;
        slot
        // end hole
    }

    fn wake(slots: &mut Slots, slot: usize) {
        // hole 1
        //| todo!("queue the task; this waker is used up")
        slots.queue(slot);
        Self::drop(slots, slot); // this waker is used up
        // end hole
    }

    fn wake_by_ref(slots: &mut Slots, slot: usize) {
        // hole 2
        //| todo!("queue the task; this waker is kept")
        slots.queue(slot);
        // end hole
    }

    fn drop(slots: &mut Slots, slot: usize) {
        // hole 2
        //| todo!("give up this waker's count; the last one frees the task")
        *slots.count(slot) -= 1;
        if *slots.count(slot) == 0 {
            slots.free(slot);
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::vtable::check::<Mine>()
}
