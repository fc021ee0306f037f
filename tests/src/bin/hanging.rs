//! A suite that hangs, in one of several ways: the tests run it to see how its watchdog
//! ends it.
//!
//! `hanging crawl|requests|program|both ADDRESS` is the suite; `hanging forever ADDRESS` a
//! program that connects to the address, and never ends.

use conformance::scripted::Site;
use conformance::{aiohttp_original, programs, watchdog};
use libtest_mimic::Arguments;
use std::net::TcpStream;
use std::process::Command;
use std::thread;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [way, address] = &words[..] else { panic!("a way to hang, and an address") };
    let mut forever = Command::new(std::env::current_exe().expect("it knows its file"));
    forever.args(["forever", address]);
    match way.as_str() {
        "forever" => {
            let _kept = TcpStream::connect(address).expect("the test listens");
            park_forever()
        }
        // A crawler that never returns, in a case of the real suite.
        "crawl" => run(|| aiohttp_original::ALL[0].1(|_, _| park_forever())),
        // A server that waits for requests, and a crawler that sends none.
        "requests" => run(|| Site::new().serve().wait_for_requests(7)),
        // A program that does not end.
        "program" => run(move || drop(programs::run(&mut forever))),
        // A program that does not end, and a case that waits for something else.
        "both" => run(move || {
            let _running = programs::start(&mut forever);
            park_forever()
        }),
        _ => panic!("{way} is not a way to hang"),
    }
}

/// Runs three cases one after the other. The second one hangs.
fn run(hangs: impl FnOnce() + Send + 'static) {
    let trials = vec![
        watchdog::trial("the_first".to_string(), || ()),
        watchdog::trial("the_second".to_string(), hangs),
        watchdog::trial("the_third".to_string(), || eprintln!("the third case runs")),
    ];
    let arguments = Arguments { test_threads: Some(1), ..Arguments::default() };
    libtest_mimic::run(&arguments, trials).exit()
}

fn park_forever() -> ! {
    loop {
        thread::park();
    }
}
