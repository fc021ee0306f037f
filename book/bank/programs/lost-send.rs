//! A generic function knows only what the trait promises.

use std::future::Future;

// ANCHOR: shown
trait Client {
    async fn get(&self) -> u16;
}

struct Always(u16);

impl Client for Always {
    async fn get(&self) -> u16 {
        self.0
    }
}

fn spawn(_: impl Future + Send) {}

fn first(client: &Always) {
    spawn(client.get());
}

fn second<C: Client + Send + Sync>(client: &C) {
    spawn(client.get());
}
// ANCHOR_END: shown

fn main() {
    first(&Always(200));
    second(&Always(200));
}
