//! A future that waits for a time, and the clock with its timers.

use checks::sleep::Clock;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct Inner {
    now: Cell<u64>,
    /// When each timer is due, and a number that no other timer has: two may be due at
    /// the same time.
    timers: RefCell<BTreeMap<(u64, u64), Waker>>,
    /// The number that was drawn last.
    latest: Cell<u64>,
}

#[derive(Clone)]
struct Mine(Rc<Inner>);

struct Sleep {
    clock: Mine,
    when: u64,
    /// The number of its timer. Set at the first poll that has to wait.
    timer: Option<u64>,
}

impl Clock for Mine {
    type Sleep = Sleep;

    fn new() -> Mine {
        Mine(Rc::default())
    }

    fn sleep_until(&self, when: u64) -> Sleep {
        Sleep { clock: self.clone(), when, timer: None }
    }

    fn timers(&self) -> usize {
        self.0.timers.borrow().len()
    }

    // ANCHOR: solution
    fn set(&self, now: u64) {
        self.0.now.set(now);
        // hole 2
        //| todo!("wake the tasks whose timers are due")
        let mut timers = self.0.timers.borrow_mut();
        let later = timers.split_off(&(now + 1, 0));
        let due = std::mem::replace(&mut *timers, later);
        // hole 1
        //| let _ = due;
        //| todo!("wake the tasks whose timers are due; what must end before?")
        drop(timers); // collected under the borrow, woken after it
        due.into_values().for_each(Waker::wake);
        // end hole
        // end hole
    }
}

impl Future for Sleep {
    type Output = ();

    // hole 2
    //| fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
    //|     todo!("look at the clock; if it is too early, set one timer")
    //| }
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let inner = Rc::clone(&self.clock.0);
        if self.when <= inner.now.get() {
            return Poll::Ready(());
        }
        let number = *self.timer.get_or_insert_with(|| {
            inner.latest.set(inner.latest.get() + 1);
            inner.latest.get()
        });
        // hole 1
        //| todo!("set timer {number}")
        inner.timers.borrow_mut().insert((self.when, number), cx.waker().clone());
        Poll::Pending
        // end hole
    }
    // end hole
}

impl Drop for Sleep {
    fn drop(&mut self) {
        // hole 2
        //| // Yours: a sleep that no longer exists leaves no timer behind.
        if let Some(number) = self.timer {
            self.clock.0.timers.borrow_mut().remove(&(self.when, number));
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::sleep::check::<Mine>()
}
