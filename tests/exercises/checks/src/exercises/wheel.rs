//! A timer wheel with 64 slots that counts how often it looks into one.

use crate::{cases, story};
use std::array;
use std::cell::Cell;
use std::fmt::Debug;

/// Timers in a wheel. The time is 0 at first, and each tick moves the hand by one slot.
pub trait Wheel: 'static {
    /// What identifies a timer, to clear it.
    type Id: Copy + Debug + PartialEq;
    /// Returns a wheel without timers, at time 0.
    fn new() -> Self;
    /// Sets a timer. If `when` is now or has passed, it fires at the next tick.
    fn set(&mut self, when: u64) -> Self::Id;
    /// Clears a timer. Returns whether it was set: it has neither fired nor been cleared.
    fn clear(&mut self, timer: Self::Id) -> bool;
    /// Moves the time to `now`, which is later than before. Returns the timers that fire:
    /// all that are due, in the order of their times. Of two timers with the same time, the
    /// older one comes first.
    fn advance(&mut self, now: u64) -> Vec<Self::Id>;
}

const SLOTS: usize = 64;
/// More looks than any case needs.
const TOO_MANY: usize = 10_000;

/// The slots of a wheel.
pub struct Slots<T>([Vec<T>; SLOTS]);

thread_local! {
    static LOOKS: Cell<usize> = const { Cell::new(0) };
    static SEEN: Cell<usize> = const { Cell::new(0) };
}

impl<T> Slots<T> {
    /// How many slots there are.
    pub const COUNT: u64 = SLOTS as u64;

    /// Returns the slot for a time: the hand reaches it at `when`, and once in each round.
    pub fn at(&mut self, when: u64) -> &mut Vec<T> {
        let looks = LOOKS.get() + 1;
        LOOKS.set(looks);
        assert!(looks < TOO_MANY, "{TOO_MANY} looks into slots: does the hand stop?");
        let slot = &mut self.0[(when % Self::COUNT) as usize];
        SEEN.set(SEEN.get() + slot.len());
        slot
    }
}

impl<T> Default for Slots<T> {
    fn default() -> Slots<T> {
        Slots(array::from_fn(|_| Vec::new()))
    }
}

cases! {
    Wheel:
    a_timer_fires_at_its_time_and_once,
    a_timer_of_a_later_round_does_not_fire_early,
    a_timer_of_a_later_round_fires_in_its_round,
    after_a_jump_all_that_are_due_fire,
    a_timer_whose_time_is_over_fires_at_the_next_tick,
    they_fire_in_the_order_of_their_times,
    of_two_with_the_same_time_the_older_one_is_first,
    a_timer_that_was_cleared_does_not_fire,
    the_others_of_the_slot_are_not_cleared,
    an_id_is_never_that_of_another_timer,
    a_timer_whose_time_is_over_keeps_its_time,
    to_clear_one_leaves_the_others_in_their_order,
    a_jump_looks_into_each_slot_at_most_once,
    a_tick_looks_into_one_slot,
    a_tick_looks_at_the_timers_of_its_slot,
    to_clear_is_one_look,
}

fn set<W: Wheel>(wheel: &mut W, when: u64) -> W::Id {
    let timer = wheel.set(when);
    story!("a timer is set for {when}: {timer:?}");
    timer
}

fn clear<W: Wheel>(wheel: &mut W, timer: W::Id) -> bool {
    let was_set = wheel.clear(timer);
    story!("{timer:?} is cleared: {was_set}");
    was_set
}

fn advance<W: Wheel>(wheel: &mut W, now: u64) -> Vec<W::Id> {
    looks();
    let fired = wheel.advance(now);
    if !fired.is_empty() {
        story!("it is {now}: {fired:?} fire");
    }
    fired
}

/// Lets the hand move tick by tick. Returns when the timers fired.
fn tick<W: Wheel>(wheel: &mut W, from: u64, to: u64) -> Vec<u64> {
    (from..=to).flat_map(|now| vec![now; advance(wheel, now).len()]).collect()
}

/// Returns how many looks there were since the last call.
fn looks() -> usize {
    LOOKS.replace(0)
}

fn a_timer_fires_at_its_time_and_once<W: Wheel>() {
    let mut wheel = W::new();
    let timer = set(&mut wheel, 10);
    assert_eq!(tick(&mut wheel, 1, 9), [], "times at which a timer for 10 fires");
    assert_eq!(advance(&mut wheel, 10), [timer], "it is 10");
    assert_eq!(tick(&mut wheel, 11, 200), [], "times at which it fires again");
}

fn a_timer_of_a_later_round_does_not_fire_early<W: Wheel>() {
    let mut wheel = W::new();
    set(&mut wheel, 200);
    let early = tick(&mut wheel, 1, 199);
    assert_eq!(early, [], "times before 200 at which a timer for 200 fires");
}

fn a_timer_of_a_later_round_fires_in_its_round<W: Wheel>() {
    let mut wheel = W::new();
    set(&mut wheel, 200);
    set(&mut wheel, 64);
    let fired = tick(&mut wheel, 1, 300);
    assert_eq!(fired, [64, 200], "times at which timers for 200 and 64 fire");
}

fn a_timer_whose_time_is_over_fires_at_the_next_tick<W: Wheel>() {
    let mut wheel = W::new();
    advance(&mut wheel, 100);
    story!("it is 100");
    set(&mut wheel, 100);
    set(&mut wheel, 7);
    let fired = tick(&mut wheel, 101, 300);
    assert_eq!(fired, [101, 101], "times at which timers for 100 and 7 fire");
}

fn after_a_jump_all_that_are_due_fire<W: Wheel>() {
    for now in [1_000, 1_024, 1_030] {
        let mut wheel = W::new();
        advance(&mut wheel, 960);
        story!("it is 960");
        let due = [961, 985, 1_000].map(|when| set(&mut wheel, when));
        let later = set(&mut wheel, 5_000);
        let fired = advance(&mut wheel, now);
        for timer in due {
            assert!(fired.contains(&timer), "it is {now}: {timer:?} does not fire");
        }
        assert!(!fired.contains(&later), "it is {now}: a timer for 5000 fires");
        assert_eq!(fired.len(), 3, "timers that fire");
        assert_eq!(advance(&mut wheel, 5_000), [later], "it is 5000");
    }
}

fn they_fire_in_the_order_of_their_times<W: Wheel>() {
    let mut wheel = W::new();
    let [late, early, middle] = [70, 10, 68].map(|when| set(&mut wheel, when));
    let fired = advance(&mut wheel, 500);
    assert_eq!(fired, [early, middle, late], "timers for 10, 68, and 70");
}

fn of_two_with_the_same_time_the_older_one_is_first<W: Wheel>() {
    let mut wheel = W::new();
    let timers = [10, 10, 74, 10].map(|when| set(&mut wheel, when));
    let [first, second, other, third] = timers;
    let fired = advance(&mut wheel, 10);
    assert_eq!(fired, [first, second, third], "timers for 10, in their order");
    assert_eq!(advance(&mut wheel, 74), [other], "it is 74");
}

fn a_timer_that_was_cleared_does_not_fire<W: Wheel>() {
    let mut wheel = W::new();
    let timer = set(&mut wheel, 10);
    assert!(clear(&mut wheel, timer), "it was set");
    assert!(!clear(&mut wheel, timer), "it was cleared before, and is cleared again");
    assert_eq!(tick(&mut wheel, 1, 100), [], "times at which a cleared timer fires");
    let timer = set(&mut wheel, 110);
    advance(&mut wheel, 110);
    assert!(!clear(&mut wheel, timer), "it has fired, and is cleared");
}

fn the_others_of_the_slot_are_not_cleared<W: Wheel>() {
    let mut wheel = W::new();
    let timers = [10, 74, 10].map(|when| set(&mut wheel, when));
    clear(&mut wheel, timers[2]);
    assert_eq!(advance(&mut wheel, 10), timers[..1], "it is 10");
    assert_eq!(advance(&mut wheel, 74), timers[1..2], "it is 74");
}

fn an_id_is_never_that_of_another_timer<W: Wheel>() {
    let mut wheel = W::new();
    let old = set(&mut wheel, 10);
    let cleared = set(&mut wheel, 10);
    clear(&mut wheel, cleared);
    advance(&mut wheel, 10);
    let new = [74, 74].map(|when| set(&mut wheel, when));
    for late in [old, cleared] {
        assert!(!clear(&mut wheel, late), "a timer that is over was set");
    }
    let fired = advance(&mut wheel, 74);
    assert_eq!(fired, new, "timers that fire after old ids were cleared");
}

fn a_timer_whose_time_is_over_keeps_its_time<W: Wheel>() {
    let mut wheel = W::new();
    advance(&mut wheel, 10);
    story!("it is 10");
    let [next, over] = [11, 5].map(|when| set(&mut wheel, when));
    assert_eq!(advance(&mut wheel, 11), [over, next], "timers for 5 and 11");
}

fn to_clear_one_leaves_the_others_in_their_order<W: Wheel>() {
    let mut wheel = W::new();
    let timers = [10; 4].map(|when| set(&mut wheel, when));
    clear(&mut wheel, timers[0]);
    assert_eq!(advance(&mut wheel, 10), timers[1..], "the rest, in their order");
}

fn a_tick_looks_at_the_timers_of_its_slot<W: Wheel>() {
    let mut wheel = W::new();
    story!("timers are set for 1 to 63");
    for when in 1..64 {
        wheel.set(when);
    }
    SEEN.set(0);
    advance(&mut wheel, 1);
    let seen = SEEN.get();
    assert!(seen <= 1, "{seen} timers are in the slot of the first tick");
}

fn a_jump_looks_into_each_slot_at_most_once<W: Wheel>() {
    let mut wheel = W::new();
    let far = set(&mut wheel, 1_000_000);
    assert_eq!(advance(&mut wheel, 1_000_000), [far], "it is 1000000");
    let looks = looks();
    assert!(looks <= SLOTS, "{looks} looks into {SLOTS} slots for one jump");
}

fn a_tick_looks_into_one_slot<W: Wheel>() {
    let mut wheel = W::new();
    advance(&mut wheel, 1_000);
    story!("it is 1000, and then 1001");
    advance(&mut wheel, 1_001);
    let looks = looks();
    assert!(looks <= 1, "{looks} looks into slots in one tick");
}

fn to_clear_is_one_look<W: Wheel>() {
    let mut wheel = W::new();
    let timers = [1_000, 2_000, 3_000].map(|when| set(&mut wheel, when));
    looks();
    clear(&mut wheel, timers[1]);
    let looks = looks();
    assert!(looks <= 1, "{looks} looks into slots to clear one timer");
}
