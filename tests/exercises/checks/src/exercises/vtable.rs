//! The four functions behind a waker, over slots in place of pointers.

use crate::{cases, story};

/// The memory of tasks, and the ready queue. Slots that are free must not be touched.
pub struct Slots {
    /// For each slot the count, and whether it was freed.
    counts: Vec<(usize, bool)>,
    queue: Vec<usize>,
}

impl Slots {
    /// The count of the task in this slot, which is the number of its wakers. The queue is
    /// not counted.
    pub fn count(&mut self, slot: usize) -> &mut usize {
        &mut self.alive(slot).0
    }

    /// Puts the task of this slot into the ready queue.
    pub fn queue(&mut self, slot: usize) {
        story!("the task in slot {slot} is queued");
        self.alive(slot);
        self.queue.push(slot);
    }

    /// Frees the task in this slot.
    pub fn free(&mut self, slot: usize) {
        story!("slot {slot} is freed");
        self.alive(slot).1 = true;
    }

    fn alive(&mut self, slot: usize) -> &mut (usize, bool) {
        let memory = &mut self.counts[slot];
        assert!(!memory.1, "slot {slot} is used after it was freed");
        memory
    }
}

/// The table behind a waker. Each function gets the slot of the waker's task.
pub trait Table {
    /// The waker is cloned. Returns the slot for the new waker.
    fn clone(slots: &mut Slots, slot: usize) -> usize;
    /// The waker is woken, and used up: `drop` will not be called.
    fn wake(slots: &mut Slots, slot: usize);
    /// The waker is woken, and kept.
    fn wake_by_ref(slots: &mut Slots, slot: usize);
    /// The waker is dropped. The last one frees its task.
    fn drop(slots: &mut Slots, slot: usize);
}

cases! {
    Table:
    a_clone_is_one_more_waker_of_the_same_task,
    a_waker_that_is_dropped_gives_up_its_count,
    the_last_waker_that_is_dropped_frees_the_task,
    wake_by_ref_queues_the_task_and_keeps_the_waker,
    wake_queues_the_task_and_uses_the_waker_up,
    the_last_waker_that_is_woken_frees_the_task,
}

/// Three tasks, each with one waker. The cases use the one in slot 1.
fn slots() -> Slots {
    story!("three tasks, each with one waker");
    Slots { counts: vec![(1, false); 3], queue: Vec::new() }
}

const SLOT: usize = 1;

fn clone<T: Table>(slots: &mut Slots) {
    story!("a waker of slot {SLOT} is cloned");
    let slot = T::clone(slots, SLOT);
    assert_eq!(slot, SLOT, "a clone wakes the same task");
}

fn drop<T: Table>(slots: &mut Slots) {
    story!("a waker of slot {SLOT} is dropped");
    T::drop(slots, SLOT);
}

fn wake<T: Table>(slots: &mut Slots) {
    story!("a waker of slot {SLOT} is woken, and used up");
    T::wake(slots, SLOT);
}

fn wake_by_ref<T: Table>(slots: &mut Slots) {
    story!("a waker of slot {SLOT} is woken, and kept");
    T::wake_by_ref(slots, SLOT);
}

fn assert_wakers(slots: &Slots, wakers: usize) {
    let (count, is_free) = slots.counts[SLOT];
    assert!(!is_free, "the task is freed, and {wakers} wakers have its slot");
    assert_eq!(count, wakers, "the count, which is the number of wakers");
}

fn assert_freed(slots: &Slots) {
    assert!(slots.counts[SLOT].1, "no waker is left, and the task is never freed");
}

fn a_clone_is_one_more_waker_of_the_same_task<T: Table>() {
    let mut slots = slots();
    clone::<T>(&mut slots);
    assert_wakers(&slots, 2);
    clone::<T>(&mut slots);
    assert_wakers(&slots, 3);
    assert_eq!(slots.queue, [], "a clone wakes no task");
}

fn a_waker_that_is_dropped_gives_up_its_count<T: Table>() {
    let mut slots = slots();
    (0..3).for_each(|_| clone::<T>(&mut slots));
    for wakers in [3, 2, 1] {
        drop::<T>(&mut slots);
        assert_wakers(&slots, wakers);
    }
    assert_eq!(slots.queue, [], "a waker that is dropped wakes no task");
}

fn the_last_waker_that_is_dropped_frees_the_task<T: Table>() {
    let mut slots = slots();
    clone::<T>(&mut slots);
    drop::<T>(&mut slots);
    drop::<T>(&mut slots);
    assert_freed(&slots);
}

fn wake_by_ref_queues_the_task_and_keeps_the_waker<T: Table>() {
    let mut slots = slots();
    clone::<T>(&mut slots);
    wake_by_ref::<T>(&mut slots);
    assert_eq!(slots.queue, [SLOT], "a wake puts the task into the queue");
    assert_wakers(&slots, 2);
    drop::<T>(&mut slots);
    wake_by_ref::<T>(&mut slots);
    assert_wakers(&slots, 1);
    drop::<T>(&mut slots);
    assert_freed(&slots);
}

fn wake_queues_the_task_and_uses_the_waker_up<T: Table>() {
    let mut slots = slots();
    clone::<T>(&mut slots);
    wake::<T>(&mut slots);
    assert_eq!(slots.queue, [SLOT], "a wake puts the task into the queue");
    assert_wakers(&slots, 1);
}

fn the_last_waker_that_is_woken_frees_the_task<T: Table>() {
    let mut slots = slots();
    clone::<T>(&mut slots);
    wake::<T>(&mut slots);
    wake::<T>(&mut slots);
    assert_eq!(slots.queue, [SLOT, SLOT], "each wake puts the task into the queue");
    assert_freed(&slots);
}
