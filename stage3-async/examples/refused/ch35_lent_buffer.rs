//! A buffer that is borrowed for one call, submitted for longer: refused.

use std::sync::mpsc::Sender;

/// What a thread that plays the kernel gets.
struct Submission {
    buffer: &'static mut [u8], // the thread may keep it for as long as it likes
}

/// As in chapter 34, the buffer is borrowed for the length of one call.
fn poll_read(kernel: &Sender<Submission>, buffer: &mut [u8]) {
    kernel.send(Submission { buffer }).unwrap();
}

fn main() {}
