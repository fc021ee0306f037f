//! Wakers by hand: a pointer, and a table of four functions.
//!
//! `cargo run -p stage3-async --example ch32_vtable`
//!
//! The only step with unsafe code, because its subject is a contract that the compiler
//! cannot check. `.ci/miri` checks it.
//!
//! It does not run in a page: it has unsafe code, which the program with the steps
//! forbids.
#![expect(unsafe_code, reason = "std fills in this table for us; here it is by hand")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{RawWaker, RawWakerVTable, Waker};
use std::{mem, ptr};

/// What all wakers of one task share. A real one would put itself into a ready queue.
struct Task {
    id: u32,
}

impl Task {
    fn wake(&self) {
        print!(" task {} is woken,", self.id);
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        print!(" task {} is freed,", self.id);
    }
}

// ANCHOR: waker
/// A `static` has one address, and `Waker::will_wake` compares addresses.
static COUNTED: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop);

/// Makes a waker that owns one count of the task.
fn counted(task: Arc<Task>) -> Waker {
    let data: *const Task = Arc::into_raw(task);
    // SAFETY: the four functions expect a pointer that owns one count of a `Task`, and
    // this is one. They may run on any thread, because `Task` is `Send` and `Sync`.
    unsafe { Waker::new(data.cast(), &COUNTED) }
}

const _: () = {
    const fn is_for_any_thread<T: Send + Sync>() {}
    is_for_any_thread::<Task>(); // else this does not compile
};
// ANCHOR_END: waker

// ANCHOR: clone
unsafe fn clone(data: *const ()) -> RawWaker {
    print!("clone:");
    // SAFETY: the waker that is cloned owns a count, so the task is alive.
    unsafe { Arc::increment_strong_count(data.cast::<Task>()) };
    RawWaker::new(data, &COUNTED) // it owns the new count
}

unsafe fn drop(data: *const ()) {
    print!("drop:");
    // SAFETY: the waker owns a count, gives it up here, and is not used again.
    mem::drop(unsafe { Arc::from_raw(data.cast::<Task>()) });
}
// ANCHOR_END: clone

// ANCHOR: wake
unsafe fn wake(data: *const ()) {
    print!("wake:");
    // SAFETY: `Waker::wake` consumes the waker, so we may give up its count.
    let task = unsafe { Arc::from_raw(data.cast::<Task>()) };
    task.wake();
}

unsafe fn wake_by_ref(data: *const ()) {
    print!("wake_by_ref:");
    // SAFETY: the waker owns a count, and keeps it: the task is only borrowed.
    let task = unsafe { &*data.cast::<Task>() };
    task.wake();
}
// ANCHOR_END: wake

// ANCHOR: static
/// All tasks that this program will ever have: for each, whether it was woken.
static WOKEN: [AtomicBool; 4] = [const { AtomicBool::new(false) }; 4];
static UNCOUNTED: RawWakerVTable = RawWakerVTable::new(same, set, set, nothing);

/// Makes a waker of the task with this number. It owns nothing.
fn in_place(number: usize) -> Waker {
    assert!(number < WOKEN.len());
    // SAFETY: these functions may run on any thread, and never follow the "pointer".
    unsafe { Waker::new(ptr::without_provenance(number), &UNCOUNTED) }
}

fn same(data: *const ()) -> RawWaker {
    RawWaker::new(data, &UNCOUNTED)
}

fn set(data: *const ()) {
    WOKEN[data.addr()].store(true, SeqCst);
}

fn nothing(_: *const ()) {}
// ANCHOR_END: static

// ANCHOR: main
fn main() {
    let task = Arc::new(Task { id: 1 });
    let count = Arc::downgrade(&task);
    let waker = counted(task);
    println!("a waker: count {}", count.strong_count());
    let cloned = waker.clone();
    println!(" count {}", count.strong_count());
    waker.wake_by_ref();
    println!(" count {}", count.strong_count());
    cloned.wake();
    println!(" count {}", count.strong_count());
    mem::drop(count); // from here on, only wakers keep the task's memory
    mem::drop(waker);
    println!(" and so is its memory");
    // ANCHOR_END: main
    // ANCHOR: main_static
    let size = size_of::<Waker>() / size_of::<&()>();
    println!("a waker is as large as {size} pointers");
    let waker = in_place(2);
    let cloned = waker.clone();
    mem::drop(waker);
    cloned.wake(); // it does not need the other
    println!("in place, woken: {:?}", WOKEN.each_ref().map(|it| it.load(SeqCst)));
}
// ANCHOR_END: main_static
