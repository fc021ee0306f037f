//! Broken on purpose: an accept is dropped, and the kernel accepts a connection for it.
//!
//! `cargo run -p stage3-async --example ch35_broken_accept`
//!
//! It does not run in a page: it uses threads and sockets of the system.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

type Completion = (u32, TcpStream);

/// A thread plays the kernel: it accepts one connection for each operation.
struct Ring {
    submissions: Sender<u32>,
    completions: Receiver<Completion>,
    /// The operations that something waits for.
    awaited: RefCell<BTreeSet<u32>>,
}

/// An accept in flight. (A future would poll; this one only shows when it is dropped.)
struct Accept<'a> {
    number: u32,
    ring: &'a Ring,
}

impl Drop for Accept<'_> {
    fn drop(&mut self) {
        self.ring.awaited.borrow_mut().remove(&self.number);
    }
}

impl Ring {
    fn accept(&self, number: u32) -> Accept<'_> {
        self.awaited.borrow_mut().insert(number);
        self.submissions.send(number).expect("the kernel runs");
        Accept { number, ring: self }
    }

    /// Takes a completion. Without a future, its connection is closed.
    fn wait(&self) -> Option<TcpStream> {
        let (number, stream) = self.completions.recv().expect("the kernel runs");
        println!("  operation {number} is done");
        self.awaited.borrow().contains(&number).then_some(stream)
    }
}

fn start() -> io::Result<(Ring, SocketAddr)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let (submissions, submitted) = channel();
    let (done, completions) = channel();
    thread::spawn(move || {
        for number in submitted {
            let Ok((stream, _)) = listener.accept() else { return };
            if done.send((number, stream)).is_err() {
                return;
            }
        }
    });
    Ok((Ring { submissions, completions, awaited: RefCell::default() }, address))
}

/// Says hello to a client, if there is a connection to it.
fn greet(connection: Option<TcpStream>) -> io::Result<()> {
    match connection {
        Some(mut connection) => connection.write_all(b"hello"),
        None => Ok(()),
    }
}

fn print_what_is_read(name: &str, client: &mut TcpStream) -> io::Result<()> {
    let mut text = String::new();
    client.read_to_string(&mut text)?;
    println!("  {name} reads {text:?}");
    Ok(())
}

// ANCHOR: dropped
fn dropped() -> io::Result<()> {
    let (ring, address) = start()?;
    drop(ring.accept(0)); // a time-out, say
    let mut alice = TcpStream::connect(address)?;
    greet(ring.wait())?;
    let _accept = ring.accept(1);
    let mut bob = TcpStream::connect(address)?;
    greet(ring.wait())?;
    print_what_is_read("alice", &mut alice)?;
    print_what_is_read("bob", &mut bob)
}
// ANCHOR_END: dropped

fn kept() -> io::Result<()> {
    let (ring, address) = start()?;
    let _accept = ring.accept(0); // the wait has given up, and the operation is kept
    let mut alice = TcpStream::connect(address)?;
    greet(ring.wait())?;
    print_what_is_read("alice", &mut alice)
}

fn main() -> io::Result<()> {
    println!("the accept is dropped:");
    dropped()?;
    println!("the accept is kept by the listener:");
    kept()
}
