//! The event loop by hand: what it promises to callbacks, without a crawler.

use mio::Token;
use shared::{Stop, Trace};
use stage1_callbacks::EventLoop;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

/// What was called, in its order.
type World = Vec<&'static str>;

fn event_loop(stop: &Stop) -> EventLoop<World> {
    EventLoop::new(stop, Trace::off()).expect("a selector can be made")
}

fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").expect("loopback has a free port")
}

/// Later than any test waits.
fn far() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

#[test]
fn with_nothing_to_wait_for_run_returns() {
    let mut world = World::new();
    event_loop(&Stop::new()).run(&mut world, None).expect("it runs");
    assert!(world.is_empty());
}

#[test]
fn an_event_calls_back_once_and_the_state_is_gone() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    let state = Rc::new("what the callback captures");
    let captured = state.clone();
    event_loop.on_event(token, "connected", move |_, world: &mut World| {
        assert!(!captured.is_empty());
        world.push("connected");
    });
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["connected"]);
    assert_eq!(Rc::strong_count(&state), 1, "FnOnce: its captures ended with it");
}

/// Stuck, not hung: no callback was saved, so nothing can happen any more.
#[test]
fn a_socket_without_a_callback_is_listed_and_not_waited_for() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    event_loop.observer.created(token, "http://a.example/");
    event_loop.run(&mut World::new(), None).expect("it runs");
    assert_eq!(
        event_loop.observer.waiters_report(),
        "http://a.example/: no callback waits for socket 1"
    );
}

#[test]
fn closing_drops_the_callback_that_waits() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    let state = Rc::new(());
    let captured = state.clone();
    event_loop.on_event(token, "never", move |_, world: &mut World| {
        drop(captured);
        world.push("never");
    });
    event_loop.close(token);
    event_loop.close(token); // closing twice is closing once
    assert_eq!(Rc::strong_count(&state), 1);
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert!(world.is_empty());
}

/// Two sockets have an event in one batch, and the callback of either closes both.
#[test]
fn a_late_event_for_a_closed_socket_is_ignored() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let one = event_loop.connect(address).expect("loopback connects");
    let two = event_loop.connect(address).expect("loopback connects");
    let _peers = [listener.accept(), listener.accept()].map(|peer| peer.expect("one"));
    for token in [one, two] {
        event_loop.on_event(token, "first", move |event_loop, world: &mut World| {
            event_loop.close(one);
            event_loop.close(two);
            world.push("first");
        });
    }
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["first"]);
}

#[test]
fn timers_fire_in_their_order_and_a_cleared_one_never() {
    let stop = Stop::new();
    let mut event_loop = event_loop(&stop);
    let now = Instant::now();
    event_loop.set_timer(now + Duration::from_millis(5), |_, world: &mut World| {
        world.push("second");
    });
    event_loop.set_timer(now, |_, world: &mut World| world.push("first"));
    let cleared =
        event_loop.set_timer(now, |_, world: &mut World| world.push("cleared"));
    event_loop.clear_timer(cleared);
    event_loop.clear_timer(cleared);
    event_loop.set_timer(far(), |_, world: &mut World| world.push("never"));
    event_loop.set_timer(
        now + Duration::from_millis(10),
        move |_, world: &mut World| {
            world.push("last");
            stop.request();
        },
    );
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["first", "second", "last"]);
}

#[test]
fn a_stop_from_another_thread_ends_the_wait() {
    let stop = Stop::new();
    let mut event_loop = event_loop(&stop);
    event_loop.set_timer(far(), |_, world: &mut World| world.push("never"));
    let requester = thread::spawn(move || stop.request());
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    requester.join().expect("it only requests the stop");
    assert!(world.is_empty());
}

/// A callback that has not read everything asks for the next tick, since no edge would
/// be reported.
#[test]
fn call_soon_needs_no_event() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    event_loop.on_event(token, "first", move |event_loop, world: &mut World| {
        world.push("an event");
        event_loop.call_soon(token);
        event_loop.on_event(token, "second", move |event_loop, world| {
            world.push("the next tick");
            event_loop.call_soon(token);
            event_loop.on_event(token, "third", |_, world| world.push("and another"));
        });
    });
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["an event", "the next tick", "and another"]);
}

/// What can be read wakes once it is read for; what can be written no longer does.
#[test]
fn a_socket_that_only_reads_has_an_event_for_data_and_for_the_end() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    let (mut peer, _) = listener.accept().expect("it connects");
    event_loop.on_event(token, "connected", move |event_loop, _| {
        event_loop.watch_reads_only(token).expect("it is registered");
        peer.write_all(b"x").expect("there is room for a byte");
        event_loop.on_event(token, "read", move |event_loop, world: &mut World| {
            let count = event_loop.stream(token).read(&mut [0; 9]).expect("a byte");
            world.push(if count == 1 { "a byte" } else { "something else" });
            drop(peer);
            event_loop.on_event(token, "read", move |event_loop, world| {
                let count =
                    event_loop.stream(token).read(&mut [0; 9]).expect("the end");
                world.push(if count == 0 { "the end" } else { "something else" });
            });
        });
    });
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["a byte", "the end"]);
}

/// A callback may take long. What has happened meanwhile is served before what is due.
#[test]
fn an_event_in_time_comes_before_the_timer_that_a_long_callback_made_late() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    let (mut peer, _) = listener.accept().expect("it connects");
    let deadline = Instant::now() + Duration::from_millis(50);
    event_loop.set_timer(deadline, |_, world: &mut World| world.push("the timer"));
    event_loop.on_event(token, "connected", move |event_loop, world: &mut World| {
        event_loop.watch_reads_only(token).expect("it is registered");
        peer.write_all(b"an answer").expect("there is room");
        event_loop.on_event(token, "read", |_, world| world.push("the answer"));
        while Instant::now() < deadline {
            std::hint::spin_loop();
        }
        world.push("a long callback");
    });
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["a long callback", "the answer", "the timer"]);
}

#[test]
fn a_stop_is_noticed_between_two_callbacks_of_a_tick() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let stop = Stop::new();
    let mut event_loop = event_loop(&stop);
    for name in ["one", "two"] {
        let token = event_loop.connect(address).expect("loopback connects");
        listener.accept().expect("it connects");
        let pull = stop.clone();
        event_loop.on_event(token, name, move |_, world: &mut World| {
            world.push("a callback");
            pull.request();
        });
    }
    event_loop.set_timer(Instant::now(), |_, world: &mut World| world.push("a timer"));
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["a callback"]);
}

/// The callback of a socket stops early each time, and its peer writes each time: so in
/// each tick the socket has an event, and is in the ready list as well.
#[test]
fn a_socket_with_an_event_that_is_ready_anyway_is_called_once_a_tick() {
    const TICKS: usize = 50;

    /// How often each socket was called.
    #[derive(Default)]
    struct Calls {
        busy: usize,
        other: usize,
    }

    fn busy(token: Token, mut peer: TcpStream, event_loop: &mut EventLoop<Calls>) {
        peer.write_all(b"x").expect("there is room for a byte");
        event_loop.call_soon(token);
        event_loop.on_event(token, "busy", move |event_loop, calls| {
            calls.busy += 1;
            busy(token, peer, event_loop);
        });
    }

    fn other(token: Token, stop: Stop, event_loop: &mut EventLoop<Calls>) {
        event_loop.call_soon(token);
        event_loop.on_event(token, "other", move |event_loop, calls| {
            calls.other += 1;
            if calls.other < TICKS {
                other(token, stop, event_loop)
            } else {
                stop.request()
            }
        });
    }

    let (listener, stop) = (listener(), Stop::new());
    let address = listener.local_addr().expect("bound");
    let mut event_loop =
        EventLoop::new(&stop, Trace::off()).expect("a selector can be made");
    let one = event_loop.connect(address).expect("loopback connects");
    let (peer, _) = listener.accept().expect("it connects");
    let two = event_loop.connect(address).expect("loopback connects");
    event_loop.watch_reads_only(one).expect("it is registered");
    busy(one, peer, &mut event_loop);
    other(two, stop, &mut event_loop);
    let mut calls = Calls::default();
    event_loop.run(&mut calls, None).expect("it runs");
    assert_eq!((calls.busy, calls.other), (TICKS, TICKS));
}

#[test]
fn a_callback_that_waits_is_called_soon_without_an_event() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    event_loop.watch_reads_only(token).expect("it is registered");
    event_loop.on_event(token, "read", |_, world: &mut World| world.push("called"));
    event_loop.call_soon(token);
    event_loop.call_soon(token);
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert_eq!(world, ["called"]);
}

/// No callback is called for it, and it keeps the loop from nothing.
#[test]
fn a_closed_socket_is_not_called_soon() {
    let listener = listener();
    let address = listener.local_addr().expect("bound");
    let mut event_loop = event_loop(&Stop::new());
    let token = event_loop.connect(address).expect("loopback connects");
    event_loop.on_event(token, "never", |_, world: &mut World| world.push("never"));
    event_loop.call_soon(token);
    event_loop.close(token);
    event_loop.call_soon(token);
    let mut world = World::new();
    event_loop.run(&mut world, None).expect("it runs");
    assert!(world.is_empty());
}

/// The deadline is no timer: it does not keep a loop running that is done.
#[test]
fn a_deadline_ends_a_run_and_does_not_prolong_it() {
    let mut event_loop = event_loop(&Stop::new());
    let mut world = World::new();
    event_loop.run(&mut world, Some(far())).expect("it runs");
    event_loop.set_timer(far(), |_, world: &mut World| world.push("never"));
    let soon = Instant::now() + Duration::from_millis(5);
    event_loop.set_timer(soon, |_, world: &mut World| world.push("in time"));
    event_loop.run(&mut world, Some(soon)).expect("it runs");
    assert_eq!(world, ["in time"]);
    assert!(Instant::now() >= soon);
}
