//! A worker that reports each order, whichever way it leaves.
//!
//! The types of `checks` are in `tests/exercises/checks/src/exercises/way_out.rs`.

use checks::way_out::{Boxed, Orders, Worker};
use std::num::ParseIntError;
use std::rc::Rc;

struct Mine;

impl Worker for Mine {
    fn work(orders: Rc<Orders>) -> Boxed {
        Box::pin(work(orders))
    }
}

// ANCHOR: task
async fn work(orders: Rc<Orders>) -> Result<(), ParseIntError> {
    loop {
        let order = orders.get().await;
        // There is a bug: some orders are never reported.
        let left = orders.share(&order).await?;
        if left > 0 {
            orders.put(left.to_string());
        }
        orders.task_done();
    }
}
// ANCHOR_END: task

fn main() -> std::process::ExitCode {
    checks::way_out::check::<Mine>()
}
