//! A farewell that has to wait: a drop can only try once, `close` can wait, and so can
//! a task that closes what others drop.
//!
//! `cargo run -p stage3-async --example ch31_close`

use stage3_async::{Executor, Queue, yield_now};
use std::error::Error;
use std::future::pending;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Waker};

/// A connection, as its two ends see it. There is room for one message at a time.
struct Wire {
    room: Queue<()>,
    messages: Queue<&'static str>,
}

impl Wire {
    /// Sends a message. Waits until there is room for it.
    async fn send(&self, message: &'static str) {
        self.room.get().await;
        self.messages.put(message);
    }
}

/// Reads slowly, and never ends.
async fn serve(wire: Rc<Wire>) {
    loop {
        let message = wire.messages.get().await;
        turns(3).await;
        println!("  the server reads {message}");
        wire.room.put(());
    }
}

const FAREWELL: &str = "close_notify";

// ANCHOR: connection
/// A client's end of a wire, as long as it is open.
struct Connection {
    wire: Option<Rc<Wire>>,
    /// What closes the wire if this is dropped. With `None`, the drop tries.
    closer: Option<Closer>,
}

impl Connection {
    /// Sends the farewell, and waits until there is room for it.
    async fn close(mut self) {
        let Some(wire) = &self.wire else { return };
        wire.send(FAREWELL).await;
        self.wire = None; // not before: if this is cancelled, the drop needs the wire
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        match (self.wire.take(), &self.closer) {
            (Some(wire), Some(closer)) => closer.put(wire),
            (Some(wire), None) => try_once(wire.send(FAREWELL)),
            (None, _) => {} // closed
        }
    }
}
// ANCHOR_END: connection

// ANCHOR: closer
/// Polls a future once. If it has to wait, it is dropped. (A turn whose budget is
/// used up counts as no room.)
fn try_once(future: impl Future<Output = ()>) {
    let _ = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
}

/// The wires of connections that were dropped.
type Closer = Rc<Queue<Rc<Wire>>>;

/// A task that waits where a drop cannot.
async fn close_all(closer: Closer) {
    loop {
        closer.get().await.send(FAREWELL).await;
        closer.task_done();
    }
}
// ANCHOR_END: closer

/// Is cancelled while it waits for a response that never comes.
async fn cancelled(executor: &Executor, connection: Connection) {
    let request = executor.spawn(async move {
        connection.send("GET /").await;
        pending::<()>().await;
        connection.close().await;
    });
    yield_now().await;
    request.cancel();
    request.await.ok();
}

impl Connection {
    async fn send(&self, message: &'static str) {
        if let Some(wire) = &self.wire {
            wire.send(message).await;
        }
    }
}

fn connect(executor: &Executor, closer: Option<&Closer>) -> Connection {
    let wire = Rc::new(Wire { room: Queue::new(), messages: Queue::new() });
    wire.room.put(());
    drop(executor.spawn(serve(Rc::clone(&wire))));
    Connection { wire: Some(wire), closer: closer.cloned() }
}

fn main() -> Result<(), Box<dyn Error>> {
    let executor = Executor::new()?;
    executor.block_on(async {
        println!("closed:");
        let connection = connect(&executor, None);
        connection.send("GET /").await;
        connection.close().await;
        turns(9).await; // for the server

        println!("cancelled before it is closed:");
        cancelled(&executor, connect(&executor, None)).await;
        turns(9).await;

        println!("cancelled, with a closer:");
        let closer = Closer::default();
        let closes = executor.spawn(close_all(Rc::clone(&closer)));
        cancelled(&executor, connect(&executor, Some(&closer))).await;
        closer.join().await; // until the closer has closed what was dropped
        closes.cancel();
        turns(9).await;
    })?;
    Ok(())
}

async fn turns(count: u32) {
    for _ in 0..count {
        yield_now().await;
    }
}
