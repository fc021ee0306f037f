//! A buffer that is only lent to the kernel, and used again while the kernel has it.
//!
//! `cargo run -p stage3-async --example ch35_broken_reused_buffer`
//!
//! It does not run in a page: it uses threads.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

const RUNS: &str = "the kernel's thread runs as long as this program";
const NOT_POISONED: &str = "nothing panics while it holds the memory";

/// The buffers. The kernel can write to all of them: all that it is given is a number,
/// as a real one is given an address.
type Memory = Arc<Mutex<[[u8; 16]; 2]>>;

enum News {
    Submitted { user_data: u64, stream: u32, buffer: usize },
    Arrived { stream: u32, bytes: &'static str },
}

// ANCHOR: kernel
/// Writes what arrives to the buffer that a read has named, and reports the read.
fn kernel(inbox: Receiver<News>, memory: Memory, completions: Sender<(u64, usize)>) {
    let mut reads = HashMap::new();
    for news in inbox {
        match news {
            News::Submitted { user_data, stream, buffer } => {
                reads.insert(stream, (user_data, buffer));
            }
            News::Arrived { stream, bytes } => {
                let Some((user_data, buffer)) = reads.remove(&stream) else { continue };
                let count = bytes.len();
                memory.lock().expect(NOT_POISONED)[buffer][..count]
                    .copy_from_slice(bytes.as_bytes());
                completions.send((user_data, count)).ok();
            }
        }
    }
}
// ANCHOR_END: kernel

struct Program {
    memory: Memory,
    /// The buffers that nothing uses.
    free: RefCell<Vec<usize>>,
    news: Sender<News>,
    completions: Receiver<(u64, usize)>,
    /// Bytes in the buffer of each operation that is done.
    done: RefCell<HashMap<u64, usize>>,
}

// ANCHOR: lease
/// A buffer, for as long as its future lives.
struct Lease<'a> {
    buffer: usize,
    free: &'a RefCell<Vec<usize>>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        self.free.borrow_mut().push(self.buffer);
    }
}

impl Program {
    async fn read(&self, user_data: u64, stream: u32) -> String {
        let buffer = self.free.borrow_mut().pop().expect("two are enough");
        let lease = Lease { buffer, free: &self.free };
        println!("operation {user_data} reads stream {stream} into buffer {buffer}");
        self.submit(News::Submitted { user_data, stream, buffer });
        let count = poll_fn(|_| self.poll(user_data)).await;
        let memory = self.memory.lock().expect(NOT_POISONED);
        String::from_utf8_lossy(&memory[lease.buffer][..count]).into_owned()
    }
}
// ANCHOR_END: lease

impl Program {
    fn start() -> Program {
        let memory = Memory::default();
        let (news, inbox) = mpsc::channel();
        let (outbox, completions) = mpsc::channel();
        let memory_of_kernel = Arc::clone(&memory);
        thread::spawn(move || kernel(inbox, memory_of_kernel, outbox));
        let free = RefCell::new(vec![1, 0]);
        Program { memory, free, news, completions, done: RefCell::default() }
    }

    fn submit(&self, news: News) {
        self.news.send(news).expect(RUNS);
    }

    fn poll(&self, user_data: u64) -> Poll<usize> {
        self.done.borrow_mut().remove(&user_data).map_or(Poll::Pending, Poll::Ready)
    }

    /// Takes a completion. It wakes nothing, because `main` polls by hand.
    fn wait(&self) {
        let (user_data, count) = self.completions.recv().expect(RUNS);
        println!("operation {user_data} is done: {count} bytes");
        self.done.borrow_mut().insert(user_data, count);
    }
}

fn poll<F: Future>(future: &mut Pin<Box<F>>) -> Poll<F::Output> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

// ANCHOR: main
fn main() {
    let program = Program::start();
    let mut alice = Box::pin(program.read(0, 7));
    assert!(poll(&mut alice).is_pending());
    println!("Alice's time is up: her future is dropped");
    drop(alice);

    let mut bob = Box::pin(program.read(1, 8));
    assert!(poll(&mut bob).is_pending());
    program.submit(News::Arrived { stream: 8, bytes: "Bob's page" });
    program.submit(News::Arrived { stream: 7, bytes: "Alice's key" });
    program.wait();
    program.wait();
    println!("Bob's future: {:?}", poll(&mut bob));
}
// ANCHOR_END: main
