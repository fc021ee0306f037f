//! A call that blocks, wrapped in four ways, beside a task that ticks.

use stage3_async::{Executor, Reactor, timeout, unblock};
use std::cell::Cell;
use std::error::Error;
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(5);

fn look_up() {
    thread::sleep(Duration::from_millis(200));
}

async fn look_up_async() {
    look_up();
}

async fn tick(reactor: Reactor, ticks: Rc<Cell<u32>>) {
    loop {
        reactor.sleep_until(Instant::now() + TICK).await;
        ticks.set(ticks.get() + 1);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for way in ["an async fn", "a time-out", "a task of its own", "a thread"] {
        let (executor, ticks) = (Executor::new()?, Rc::<Cell<u32>>::default());
        let reactor = executor.reactor();
        drop(executor.spawn(tick(reactor.clone(), ticks.clone())));
        let seen = executor.block_on(async {
            match way {
                "an async fn" => look_up_async().await,
                "a time-out" => drop(timeout(TICK, look_up_async(), reactor).await),
                "a thread" => unblock(look_up, reactor).await,
                _ => executor.spawn(look_up_async()).await.expect("it ends"),
            }
            ticks.get()
        })?;
        match seen {
            0 => println!("{way}: 0 ticks"),
            _ => println!("{way}: some ticks"),
        }
    }
    Ok(())
}
