//! The flag of a stop, and its callbacks.

use shared::Stop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

/// A callback that counts its calls.
fn counter() -> (Arc<AtomicUsize>, impl Fn() + Clone + Send + Sync + 'static) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let call = move || {
        counted.fetch_add(1, Ordering::SeqCst);
    };
    (count, call)
}

fn calls(count: &AtomicUsize) -> usize {
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
fn a_request_calls_every_callback_once_and_a_second_one_none() {
    let stop = Stop::new();
    let (one, call_one) = counter();
    let (two, call_two) = counter();
    let _callbacks = (stop.on_stop(call_one), stop.on_stop(call_two));
    assert_eq!((calls(&one), calls(&two)), (0, 0));
    stop.request();
    assert_eq!((calls(&one), calls(&two)), (1, 1));
    stop.request();
    assert_eq!((calls(&one), calls(&two)), (1, 1));
}

#[test]
fn a_callback_sees_that_it_was_requested() {
    let stop = Stop::new();
    let (send, receive) = channel();
    let seen = stop.clone();
    let _callback = stop.on_stop(move || send.send(seen.is_requested()).unwrap());
    stop.request();
    assert_eq!(receive.recv(), Ok(true));
}

#[test]
fn callbacks_are_called_in_the_order_of_registration() {
    let stop = Stop::new();
    let order = Arc::new(Mutex::new(Vec::new()));
    let register = |number| {
        let order = Arc::clone(&order);
        stop.on_stop(move || order.lock().unwrap().push(number))
    };
    let _callbacks: Vec<_> = (0..20).map(register).collect();
    stop.request();
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
}

#[test]
fn a_callback_registered_after_the_request_is_called_at_once() {
    let stop = Stop::new();
    stop.request();
    let (count, call) = counter();
    let callback = stop.on_stop(call);
    assert_eq!(calls(&count), 1);
    stop.request();
    drop(callback);
    assert_eq!(calls(&count), 1);
}

#[test]
fn dropping_a_callback_removes_it_and_no_other_with_what_it_holds() {
    let stop = Stop::new();
    let (one, call_one) = counter();
    let (two, call_two) = counter();
    let callback = stop.on_stop(call_one);
    let _other = stop.on_stop(call_two);
    assert_eq!(Arc::strong_count(&one), 2);
    drop(callback);
    assert_eq!(Arc::strong_count(&one), 1);
    stop.request();
    assert_eq!((calls(&one), calls(&two)), (0, 1));
}

#[test]
fn it_may_be_requested_from_another_thread_which_calls() {
    let stop = Stop::new();
    let (send, receive) = channel();
    let _callback = stop.on_stop(move || send.send(thread::current().id()).unwrap());
    let requester = thread::spawn({
        let stop = stop.clone();
        move || stop.request()
    });
    let requester_id = requester.thread().id();
    assert_eq!(receive.recv(), Ok(requester_id));
    requester.join().unwrap();
}

#[test]
fn a_callback_registered_during_a_request_is_called_exactly_once() {
    for _ in 0..200 {
        let stop = Stop::new();
        let (count, call) = counter();
        let request = || {
            thread::spawn({
                let stop = stop.clone();
                move || stop.request()
            })
        };
        let requesters = [request(), request()];
        let _callback = stop.on_stop(call);
        for requester in requesters {
            requester.join().unwrap();
        }
        assert_eq!(calls(&count), 1);
    }
}

#[test]
fn a_callback_may_request_register_and_drop() {
    let stop = Stop::new();
    let (count, call) = counter();
    let other = Mutex::new(Some(stop.on_stop(|| ())));
    let _callback = stop.on_stop({
        let stop = stop.clone();
        move || {
            stop.request();
            drop(other.lock().unwrap().take());
            drop(stop.on_stop(call.clone()));
        }
    });
    stop.request();
    assert_eq!(calls(&count), 1);
}

#[test]
fn a_callback_that_is_called_at_once_may_do_so() {
    let stop = Stop::new();
    stop.request();
    let (count, call) = counter();
    let inner = stop.clone();
    let _callback = stop.on_stop(move || {
        inner.request();
        drop(inner.on_stop(call.clone()));
    });
    assert_eq!(calls(&count), 1);
}

#[test]
fn a_callback_may_hold_another_one() {
    let stop = Stop::new();
    let (count, call) = counter();
    let inner = stop.on_stop(call);
    let held = Mutex::new(inner);
    let outer = stop.on_stop(move || drop(held.lock()));
    drop(outer);
    stop.request();
    assert_eq!(calls(&count), 0);
}

#[test]
fn a_callback_that_panics_spoils_nothing() {
    let stop = Stop::new();
    let _callback = stop.on_stop(|| panic!("a callback that panics"));
    let requester = thread::spawn({
        let stop = stop.clone();
        move || stop.request()
    });
    assert!(requester.join().is_err());
    let (count, call) = counter();
    let _late = stop.on_stop(call);
    assert_eq!(calls(&count), 1);
}

#[test]
fn a_callback_may_outlive_its_stop() {
    let stop = Stop::new();
    let (count, call) = counter();
    let callback = stop.on_stop(call);
    drop(stop);
    drop(callback);
    assert_eq!(calls(&count), 0);
}

/// If the waker were dropped after its call, its event could be lost.
#[test]
fn what_a_callback_holds_lives_as_long_as_its_registration() {
    let stop = Stop::new();
    let (count, call) = counter();
    let callback = stop.on_stop(call);
    stop.request();
    assert_eq!(Arc::strong_count(&count), 2);
    drop(callback);
    assert_eq!(Arc::strong_count(&count), 1);
}
