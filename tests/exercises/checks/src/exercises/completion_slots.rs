//! Slots of operations: a slot and its buffer stay until the completion has come.

use crate::{CountingWaker, cases, story, waker_that};
use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// Memory for one read. The kernel gets its address, and so it must not be dropped before
/// the read is done.
pub struct Buffer(Rc<Memory>);

struct Memory {
    name: &'static str,
    text: RefCell<String>,
    is_freed: Cell<bool>,
}

impl Buffer {
    fn new(name: &'static str) -> (Buffer, Rc<Memory>) {
        let (text, is_freed) = (RefCell::default(), Cell::new(false));
        let memory = Rc::new(Memory { name, text, is_freed });
        (Buffer(Rc::clone(&memory)), memory)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            story!("  {} is freed", self.0.name);
        }
        self.0.is_freed.set(true);
    }
}

/// The submission queue.
#[derive(Clone, Default)]
pub struct Kernel(Rc<RefCell<Reads>>);

/// The reads in flight: their numbers, and where the kernel writes to.
type Reads = Vec<(usize, Rc<Memory>)>;

impl Kernel {
    /// Starts a read into this buffer. The kernel keeps its address, and this number.
    pub fn submit(&self, user_data: usize, buffer: &Buffer) {
        story!("  operation {user_data} is submitted, with {}", buffer.0.name);
        let mut reads = self.0.borrow_mut();
        let is_in_flight = reads.iter().any(|(number, _)| *number == user_data);
        assert!(!is_in_flight, "operation {user_data} is in flight, and is used again");
        reads.push((user_data, Rc::clone(&buffer.0)));
    }

    /// Writes to the buffer of a read. Returns the number of the operation.
    fn write(&self, memory: &Rc<Memory>, text: &str) -> usize {
        let mut reads = self.0.borrow_mut();
        let place = reads.iter().position(|(_, other)| Rc::ptr_eq(other, memory));
        let (number, memory) = reads.remove(place.expect("it was submitted"));
        story!("the kernel writes {text:?} to {}: operation {number}", memory.name);
        let name = memory.name;
        assert!(!memory.is_freed.get(), "the kernel writes to {name}, which is freed");
        memory.text.replace(text.to_string());
        number
    }
}

/// The reads in flight. Clones are handles to the same ring, which outlives its reads: a
/// runtime that ends earlier has to wait for the kernel.
pub trait Ring: Clone + 'static {
    /// A ring without operations.
    fn new(kernel: Kernel) -> Self;
    /// Submits a read under the number of its slot, and returns it as a future, which
    /// gives the buffer back. If the future is dropped, the read goes on.
    fn read(&self, buffer: Buffer) -> Pin<Box<dyn Future<Output = Buffer>>>;
    /// A completion has come: the read with this number is done.
    fn complete(&self, user_data: usize);
}

cases! {
    Ring:
    a_read_waits_for_its_completion,
    a_completion_before_the_first_poll_is_kept,
    completions_may_come_in_any_order,
    the_task_that_polled_last_is_woken,
    a_dropped_read_keeps_its_buffer_until_the_completion,
    a_slot_in_flight_is_not_used_again,
    the_completion_of_a_dropped_read_frees_its_buffer,
    the_completion_of_a_dropped_read_frees_its_slot,
    a_read_that_is_dropped_after_its_end_frees_its_slot,
    a_read_that_has_ended_leaves_its_slot_to_the_next,
    a_dropped_read_wakes_no_task,
    a_waker_may_use_the_ring,
}

/// A ring, the kernel of the case, and the completion of each read.
struct World<R> {
    ring: R,
    kernel: Kernel,
}

/// A read, and the memory that the kernel writes to.
struct Reading {
    future: Option<Pin<Box<dyn Future<Output = Buffer>>>>,
    memory: Rc<Memory>,
}

impl<R: Ring> World<R> {
    fn new() -> World<R> {
        let kernel = Kernel::default();
        World { ring: R::new(kernel.clone()), kernel }
    }

    fn read(&self, name: &'static str) -> Reading {
        let (buffer, memory) = Buffer::new(name);
        let future = self.ring.read(buffer);
        let was_submitted =
            self.kernel.0.borrow().iter().any(|(_, it)| Rc::ptr_eq(it, &memory));
        assert!(was_submitted, "the read into {name} was not submitted");
        Reading { future: Some(future), memory }
    }

    /// Lets the kernel finish this read. Returns its number.
    fn finish(&self, reading: &Reading, text: &str) -> usize {
        let number = self.kernel.write(&reading.memory, text);
        story!("the ring takes the completion of operation {number}");
        self.ring.complete(number);
        number
    }
}

impl Reading {
    fn poll(&mut self, waker: &Waker) -> Poll<String> {
        let future = self.future.as_mut().expect("it was not dropped");
        let poll = future.as_mut().poll(&mut Context::from_waker(waker));
        let name = self.memory.name;
        let poll = poll.map(|buffer| {
            assert_eq!(buffer.0.name, name, "the buffer that the read gives back");
            buffer.0.text.borrow().clone()
        });
        story!("the read into {name} is polled: {poll:?}");
        poll
    }

    fn drop(&mut self) {
        story!("the read into {} is dropped", self.memory.name);
        drop(self.future.take());
    }
}

fn ready(text: &str) -> Poll<String> {
    Poll::Ready(text.to_string())
}

fn a_read_waits_for_its_completion<R: Ring>() {
    let (world, task) = (World::<R>::new(), CountingWaker::new("the task"));
    let mut read = world.read("buffer a");
    assert_eq!(read.poll(&task.waker()), Poll::Pending, "the kernel has not finished");
    assert_eq!(task.wakes(), 0, "wakes before the completion");
    world.finish(&read, "a page");
    assert_eq!(task.wakes(), 1, "wakes after the completion");
    assert_eq!(read.poll(&task.waker()), ready("a page"));
}

fn a_completion_before_the_first_poll_is_kept<R: Ring>() {
    let world = World::<R>::new();
    let mut read = world.read("buffer a");
    world.finish(&read, "a page");
    let mut other = world.read("buffer b");
    assert_eq!(other.poll(Waker::noop()), Poll::Pending, "only the first is done");
    assert_eq!(read.poll(Waker::noop()), ready("a page"), "it was done before");
    world.finish(&other, "another page");
}

fn completions_may_come_in_any_order<R: Ring>() {
    let world = World::<R>::new();
    let mut first = world.read("buffer a");
    let mut second = world.read("buffer b");
    let task = CountingWaker::new("the first task");
    assert_eq!(first.poll(&task.waker()), Poll::Pending);
    assert_eq!(second.poll(Waker::noop()), Poll::Pending);
    world.finish(&second, "the second");
    assert_eq!(task.wakes(), 0, "wakes of the first task, whose read is not done");
    assert_eq!(first.poll(Waker::noop()), Poll::Pending, "only the second is done");
    assert_eq!(second.poll(Waker::noop()), ready("the second"));
    world.finish(&first, "the first");
    assert_eq!(first.poll(Waker::noop()), ready("the first"));
}

fn the_task_that_polled_last_is_woken<R: Ring>() {
    let world = World::<R>::new();
    let (old, new) =
        (CountingWaker::new("the old task"), CountingWaker::new("the new task"));
    let mut read = world.read("buffer a");
    assert_eq!(read.poll(&old.waker()), Poll::Pending);
    assert_eq!(read.poll(&new.waker()), Poll::Pending);
    world.finish(&read, "a page");
    let wakes = (old.wakes(), new.wakes());
    assert_eq!(wakes, (0, 1), "wakes of the old task and of the new");
}

/// The same if it was never polled.
fn a_dropped_read_keeps_its_buffer_until_the_completion<R: Ring>() {
    for polls in [1, 0] {
        story::begin();
        let world = World::<R>::new();
        let mut read = world.read("buffer a");
        for _ in 0..polls {
            assert_eq!(read.poll(Waker::noop()), Poll::Pending);
        }
        read.drop();
        assert!(
            !read.memory.is_freed.get(),
            "buffer a is freed, and the kernel has it"
        );
        world.finish(&read, "too late");
    }
}

fn a_slot_in_flight_is_not_used_again<R: Ring>() {
    let world = World::<R>::new();
    let mut dropped = world.read("buffer a");
    assert_eq!(dropped.poll(Waker::noop()), Poll::Pending);
    dropped.drop();
    let mut read = world.read("buffer b"); // the kernel compares the numbers
    assert_eq!(read.poll(Waker::noop()), Poll::Pending);
    world.finish(&dropped, "for the dropped read");
    assert_eq!(read.poll(Waker::noop()), Poll::Pending, "another read was done");
    world.finish(&read, "a page");
    assert_eq!(read.poll(Waker::noop()), ready("a page"));
}

fn the_completion_of_a_dropped_read_frees_its_buffer<R: Ring>() {
    let world = World::<R>::new();
    let mut read = world.read("buffer a");
    read.drop();
    world.finish(&read, "too late");
    assert!(read.memory.is_freed.get(), "the read is done, and buffer a is kept");
}

/// How many reads a case makes one after the other.
const READS: usize = 100;

fn the_completion_of_a_dropped_read_frees_its_slot<R: Ring>() {
    let world = World::<R>::new();
    let mut highest = 0;
    for _ in 0..READS {
        let mut read = world.read("a buffer");
        read.drop();
        highest = highest.max(world.finish(&read, "too late"));
    }
    story::begin();
    assert!(highest < 2, "one read at a time, and the highest number is {highest}");
}

fn a_read_that_is_dropped_after_its_end_frees_its_slot<R: Ring>() {
    let world = World::<R>::new();
    let mut highest = 0;
    for _ in 0..READS {
        let mut read = world.read("a buffer");
        assert_eq!(read.poll(Waker::noop()), Poll::Pending);
        highest = highest.max(world.finish(&read, "not taken"));
        read.drop();
        assert!(read.memory.is_freed.get(), "the read is done, and its buffer is kept");
    }
    story::begin();
    assert!(highest < 2, "one read at a time, and the highest number is {highest}");
}

fn a_read_that_has_ended_leaves_its_slot_to_the_next<R: Ring>() {
    let world = World::<R>::new();
    let mut ended = world.read("buffer a");
    world.finish(&ended, "a page");
    assert_eq!(ended.poll(Waker::noop()), ready("a page"));
    let mut next = world.read("buffer b");
    ended.drop();
    assert_eq!(next.poll(Waker::noop()), Poll::Pending, "the next read is in flight");
    let mut highest = world.finish(&next, "the next page");
    assert_eq!(next.poll(Waker::noop()), ready("the next page"));
    for _ in 0..READS {
        let mut read = world.read("a buffer");
        highest = highest.max(world.finish(&read, "a page"));
        assert_eq!(read.poll(Waker::noop()), ready("a page"));
        read.drop();
    }
    story::begin();
    assert!(highest < 3, "two reads at a time, and the highest number is {highest}");
}

fn a_dropped_read_wakes_no_task<R: Ring>() {
    let (world, task) = (World::<R>::new(), CountingWaker::new("the task"));
    let mut read = world.read("buffer a");
    assert_eq!(read.poll(&task.waker()), Poll::Pending);
    read.drop();
    assert_eq!(task.held(), 0, "wakers that are held for a task that is gone");
    world.finish(&read, "too late");
    assert_eq!(task.wakes(), 0, "wakes of a task that no longer waits");
}

/// A waker may run any code: this one polls the read.
fn a_waker_may_use_the_ring<R: Ring>() {
    let world = World::<R>::new();
    let read = Rc::new(RefCell::new(world.read("buffer a")));
    let (read_of_waker, found) = (Rc::clone(&read), Rc::new(RefCell::new(None)));
    let found_by_waker = Rc::clone(&found);
    let waker = waker_that(move || {
        story!("the waker polls the read at once");
        let poll = read_of_waker.borrow_mut().poll(Waker::noop());
        found_by_waker.replace(Some(poll));
    });
    assert_eq!(read.borrow_mut().poll(&waker), Poll::Pending);
    let number = world.kernel.write(&read.borrow().memory, "a page");
    world.ring.complete(number);
    assert_eq!(found.take(), Some(ready("a page")), "store the end, then wake");
}
