//! A thread that plays the kernel: it does what is submitted, and reports what is done.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

const RUNS: &str = "the kernel's thread runs as long as its handle lives";

// ANCHOR: queues
/// An entry of the submission queue: read from this stream into this buffer.
pub(crate) struct Submission {
    /// A number of the caller's choice, which comes back with the completion.
    pub(crate) user_data: u64,
    pub(crate) stream: u32,
    pub(crate) buffer: Vec<u8>,
}

/// An entry of the completion queue.
pub(crate) struct Completion {
    pub(crate) user_data: u64,
    /// How many bytes are in the buffer.
    pub(crate) result: Result<usize, Cancelled>,
    pub(crate) buffer: Vec<u8>,
}
// ANCHOR_END: queues

/// The operation was ended before it had read anything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cancelled;

/// All that the kernel gets to know, in one order.
enum News {
    Submitted(Submission),
    /// The number of an operation that is to be ended.
    CancelRequested(u64),
    /// From the network.
    Arrived(u32, Vec<u8>),
}

/// The program's side of the kernel.
pub(crate) struct Kernel {
    news: Sender<News>,
    completions: Receiver<Completion>,
}

impl Kernel {
    pub(crate) fn start() -> Kernel {
        let (news, inbox) = mpsc::channel();
        let (outbox, completions) = mpsc::channel();
        thread::spawn(move || Inside::new(outbox).run(inbox));
        Kernel { news, completions }
    }

    /// Puts an entry into the submission queue.
    pub(crate) fn submit(&self, submission: Submission) {
        self.news.send(News::Submitted(submission)).expect(RUNS);
    }

    /// Asks to end an operation. Its completion tells whether that was still possible.
    pub(crate) fn request_cancel(&self, user_data: u64) {
        self.news.send(News::CancelRequested(user_data)).expect(RUNS);
    }

    /// Takes the next entry of the completion queue. Sleeps until there is one.
    pub(crate) fn next(&self) -> Completion {
        self.completions.recv().expect(RUNS)
    }

    /// Plays the network: bytes arrive in a stream.
    pub(crate) fn arrive(&self, stream: u32, bytes: &str) {
        self.news.send(News::Arrived(stream, bytes.into())).expect(RUNS);
    }
}

/// The kernel's own side.
struct Inside {
    /// Operations in flight, oldest first.
    reads: Vec<Submission>,
    /// Bytes that have arrived, and that no read has taken.
    streams: HashMap<u32, VecDeque<u8>>,
    completions: Sender<Completion>,
}

impl Inside {
    fn new(completions: Sender<Completion>) -> Inside {
        Inside { reads: Vec::new(), streams: HashMap::new(), completions }
    }

    fn run(mut self, inbox: Receiver<News>) {
        for news in inbox {
            match news {
                News::Submitted(read) => self.begin(read),
                News::CancelRequested(number) => self.cancel(number),
                News::Arrived(stream, bytes) => self.arrived(stream, bytes),
            }
        }
    }

    fn begin(&mut self, mut read: Submission) {
        let bytes = self.streams.entry(read.stream).or_default();
        if bytes.is_empty() {
            return self.reads.push(read);
        }
        let count = bytes.len().min(read.buffer.len());
        for (place, byte) in read.buffer.iter_mut().zip(bytes.drain(..count)) {
            *place = byte;
        }
        self.complete(read, Ok(count));
    }

    fn arrived(&mut self, stream: u32, bytes: Vec<u8>) {
        self.streams.entry(stream).or_default().extend(bytes);
        let waiting = self.reads.iter().position(|read| read.stream == stream);
        if let Some(place) = waiting {
            let read = self.reads.remove(place);
            self.begin(read);
        }
    }

    /// Does nothing if the operation has been completed: the request was too late.
    fn cancel(&mut self, number: u64) {
        let read = self.reads.iter().position(|read| read.user_data == number);
        if let Some(place) = read {
            let read = self.reads.remove(place);
            self.complete(read, Err(Cancelled));
        }
    }

    fn complete(&self, read: Submission, result: Result<usize, Cancelled>) {
        let Submission { user_data, buffer, .. } = read;
        // The program may have ended.
        self.completions.send(Completion { user_data, result, buffer }).ok();
    }
}
