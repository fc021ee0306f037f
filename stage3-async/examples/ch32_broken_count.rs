//! A count given up too rarely is a leak; too often, and the wrong task is woken.
//!
//! `cargo run -p stage3-async --example ch32_broken_count`
//!
//! Safe: what a pointer would do to memory is done to the slots of a table.

// ANCHOR: slots
/// Memory for tasks. A slot whose count is zero is free.
#[derive(Default)]
struct Slots(Vec<Slot>);

struct Slot {
    task: &'static str,
    count: u32,
}

impl Slots {
    /// Gives a task the first free slot, whose number is in its first waker.
    fn allocate(&mut self, task: &'static str) -> usize {
        let free = self.0.iter().position(|slot| slot.count == 0);
        let number = free.unwrap_or(self.0.len());
        self.0.truncate(number); // in this program, the slots after a free one are free
        self.0.push(Slot { task, count: 1 });
        number
    }
}
// ANCHOR_END: slots

impl Slots {
    /// Calls one function of a table, after which `left` wakers are left.
    fn call(&mut self, name: &str, function: fn(&mut Slot), waker: usize, left: u32) {
        print!("  {name}: ");
        let slot = &mut self.0[waker];
        function(slot);
        println!("count {}, wakers {left}", slot.count);
    }
}

// ANCHOR: table
/// What `RawWakerVTable` is, for the number of a slot in place of a pointer.
struct Table {
    clone: fn(&mut Slot),
    wake: fn(&mut Slot),
    wake_by_ref: fn(&mut Slot),
    drop: fn(&mut Slot),
}

const RIGHT: Table = Table {
    clone: |slot| slot.count += 1,
    wake: |slot| {
        print!("wakes {}, ", slot.task);
        slot.count -= 1;
    },
    wake_by_ref: |slot| print!("wakes {}, ", slot.task),
    drop: |slot| slot.count -= 1,
};

/// Gives up counts too rarely: `drop` does nothing.
const TOO_RARELY: Table = Table { drop: |_| {}, ..RIGHT };
/// Gives up counts too often: `wake_by_ref` does what `wake` does.
const TOO_OFTEN: Table = Table { wake_by_ref: RIGHT.wake, ..RIGHT };
// ANCHOR_END: table

// ANCHOR: run
/// Lets two wakers of task 1 live and die by this table.
fn run(name: &str, table: &Table) {
    println!("{name}");
    let mut slots = Slots::default();
    let waker = slots.allocate("task 1");
    (table.clone)(&mut slots.0[waker]);
    let cloned = waker; // a clone has the same number
    slots.call("wake_by_ref", table.wake_by_ref, waker, 2);
    slots.call("drop", table.drop, cloned, 1);
    println!("  task 2 gets slot {}", slots.allocate("task 2"));
    slots.call("wake", table.wake, waker, 0);
}
// ANCHOR_END: run

fn main() {
    run("RIGHT", &RIGHT);
    run("TOO_RARELY", &TOO_RARELY);
    run("TOO_OFTEN", &TOO_OFTEN);
}
