use std::sync::mpsc::Sender;

/// What a thread that plays the kernel gets.
struct Submission {
    buffer: &'static mut [u8],
}

/// As in chapter 34, the buffer is borrowed for the length of one call.
fn poll_read(kernel: &Sender<Submission>, buffer: &mut [u8]) {
    kernel.send(Submission { buffer }).unwrap();
}

fn main() {}
