//! The flag of a stop, and its callbacks.

use shared::Stop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

/// A bell that counts how often it was rung.
fn counter() -> (Arc<AtomicUsize>, impl Fn() + Clone + Send + Sync + 'static) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let ring = move || {
        counted.fetch_add(1, Ordering::SeqCst);
    };
    (count, ring)
}

fn rung(count: &AtomicUsize) -> usize {
    count.load(Ordering::SeqCst)
}

#[test]
fn it_is_not_requested_at_first_and_clones_share_the_flag() {
    let stop = Stop::new();
    let clone = stop.clone();
    assert!(!stop.is_requested() && !clone.is_requested());
    clone.request();
    assert!(stop.is_requested() && clone.is_requested());
    assert!(!Stop::new().is_requested());
}

#[test]
fn pulling_rings_every_bell_once_and_pulling_twice_is_pulling_once() {
    let stop = Stop::new();
    let (one, ring_one) = counter();
    let (two, ring_two) = counter();
    let _bells = (stop.on_stop(ring_one), stop.on_stop(ring_two));
    assert_eq!((rung(&one), rung(&two)), (0, 0));
    stop.request();
    assert_eq!((rung(&one), rung(&two)), (1, 1));
    stop.request();
    assert_eq!((rung(&one), rung(&two)), (1, 1));
}

#[test]
fn a_callback_sees_that_it_was_requested() {
    let stop = Stop::new();
    let (send, receive) = channel();
    let seen = stop.clone();
    let _bell = stop.on_stop(move || send.send(seen.is_requested()).unwrap());
    stop.request();
    assert_eq!(receive.recv(), Ok(true));
}

#[test]
fn bells_ring_in_the_order_in_which_they_were_hung() {
    let stop = Stop::new();
    let order = Arc::new(Mutex::new(Vec::new()));
    let hang = |number| {
        let order = Arc::clone(&order);
        stop.on_stop(move || order.lock().unwrap().push(number))
    };
    let _bells: Vec<_> = (0..20).map(hang).collect();
    stop.request();
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
}

#[test]
fn a_bell_hung_after_the_pull_rings_at_once() {
    let stop = Stop::new();
    stop.request();
    let (count, ring) = counter();
    let bell = stop.on_stop(ring);
    assert_eq!(rung(&count), 1);
    stop.request();
    drop(bell);
    assert_eq!(rung(&count), 1);
}

#[test]
fn dropping_a_bell_takes_it_and_no_other_down_with_what_it_holds() {
    let stop = Stop::new();
    let (one, ring_one) = counter();
    let (two, ring_two) = counter();
    let bell = stop.on_stop(ring_one);
    let _other = stop.on_stop(ring_two);
    assert_eq!(Arc::strong_count(&one), 2);
    drop(bell);
    assert_eq!(Arc::strong_count(&one), 1);
    stop.request();
    assert_eq!((rung(&one), rung(&two)), (0, 1));
}

#[test]
fn it_may_be_pulled_from_another_thread_which_does_the_ringing() {
    let stop = Stop::new();
    let (send, receive) = channel();
    let _bell = stop.on_stop(move || send.send(thread::current().id()).unwrap());
    let puller = thread::spawn({
        let stop = stop.clone();
        move || stop.request()
    });
    let puller_id = puller.thread().id();
    assert_eq!(receive.recv(), Ok(puller_id));
    puller.join().unwrap();
}

#[test]
fn a_bell_hung_while_others_pull_rings_exactly_once() {
    for _ in 0..200 {
        let stop = Stop::new();
        let (count, ring) = counter();
        let pull = || {
            thread::spawn({
                let stop = stop.clone();
                move || stop.request()
            })
        };
        let pullers = [pull(), pull()];
        let _bell = stop.on_stop(ring);
        for puller in pullers {
            puller.join().unwrap();
        }
        assert_eq!(rung(&count), 1);
    }
}

#[test]
fn a_ring_may_pull_hang_and_drop_bells() {
    let stop = Stop::new();
    let (count, ring) = counter();
    let other = Mutex::new(Some(stop.on_stop(|| ())));
    let _bell = stop.on_stop({
        let stop = stop.clone();
        move || {
            stop.request();
            drop(other.lock().unwrap().take());
            drop(stop.on_stop(ring.clone()));
        }
    });
    stop.request();
    assert_eq!(rung(&count), 1);
}

#[test]
fn a_ring_may_do_so_where_it_is_rung_at_once() {
    let stop = Stop::new();
    stop.request();
    let (count, ring) = counter();
    let inner = stop.clone();
    let _bell = stop.on_stop(move || {
        inner.request();
        drop(inner.on_stop(ring.clone()));
    });
    assert_eq!(rung(&count), 1);
}

#[test]
fn a_bell_may_be_what_another_bell_holds() {
    let stop = Stop::new();
    let (count, ring) = counter();
    let inner = stop.on_stop(ring);
    let held = Mutex::new(inner);
    let outer = stop.on_stop(move || drop(held.lock()));
    drop(outer);
    stop.request();
    assert_eq!(rung(&count), 0);
}

#[test]
fn a_ring_that_panics_spoils_nothing() {
    let stop = Stop::new();
    let _bell = stop.on_stop(|| panic!("a ring that panics"));
    let puller = thread::spawn({
        let stop = stop.clone();
        move || stop.request()
    });
    assert!(puller.join().is_err());
    let (count, ring) = counter();
    let _late = stop.on_stop(ring);
    assert_eq!(rung(&count), 1);
}

#[test]
fn a_bell_may_outlive_the_stop_that_it_hangs_on() {
    let stop = Stop::new();
    let (count, ring) = counter();
    let bell = stop.on_stop(ring);
    drop(stop);
    drop(bell);
    assert_eq!(rung(&count), 0);
}

/// If the waker were dropped after its call, its event could be lost.
#[test]
fn what_a_ring_holds_lives_as_long_as_its_bell() {
    let stop = Stop::new();
    let (count, ring) = counter();
    let bell = stop.on_stop(ring);
    stop.request();
    assert_eq!(Arc::strong_count(&count), 2);
    drop(bell);
    assert_eq!(Arc::strong_count(&count), 1);
}
