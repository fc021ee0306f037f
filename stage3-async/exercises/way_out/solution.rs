//! A worker that reports each order, whichever way it leaves.

use checks::way_out::{Boxed, Orders, Worker};
use std::num::ParseIntError;
use std::rc::Rc;

struct Mine;

impl Worker for Mine {
    fn work(orders: Rc<Orders>) -> Boxed {
        Box::pin(work(orders))
    }
}

// ANCHOR: solution
/// A guard for an order that was taken: when it is dropped, the order is done.
struct Taken<'a>(&'a Orders);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // hole 1
        //| todo!("the order is done")
        self.0.task_done();
        // end hole
    }
}

async fn work(orders: Rc<Orders>) -> Result<(), ParseIntError> {
    loop {
        let order = orders.get().await;
        // hole 1
        //| // Yours: make a guard that lives until the order is done.
        let _taken = Taken(&orders);
        // end hole
        let left = orders.share(&order).await?;
        if left > 0 {
            orders.put(left.to_string());
        }
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::way_out::check::<Mine>()
}
