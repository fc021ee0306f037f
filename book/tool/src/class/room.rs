//! `cargo class check`: whether this machine is ready for a plan, a line for each thing.

use super::build::{State, all};
use super::needs::Needs;
use super::stored;
use crate::read::place::Place;
use crate::read::plan::{Plan, read};
use crate::read::project::Project;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

/// The port in the commands of the plans.
const PORT: u16 = 8000;

/// How long an answer of what is on that port may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the first page of the demo site says.
const OURS: &str = "A small web site to try a crawler on.";

/// How long the processor is tried.
const SPIN: Duration = Duration::from_millis(500);

/// Between two looks at the clock nothing is done. If they are this far apart, something
/// else had the processor.
const GAP: Duration = Duration::from_micros(200);

/// The part of a core that a spin has to get.
const IDLE: f64 = 0.9;

/// One thing that a class needs: fine, with what it is, or not, with the cure.
pub type Finding = (&'static str, Result<String, String>);

/// Looks at everything that the plan needs.
///
/// # Errors
/// There is no such plan, or it is not as it should be.
pub fn look(place: &Place, name: &str) -> Result<Vec<Finding>, String> {
    let plan = read(place, name)?;
    // The processor first: what the others start may still run a moment longer.
    let processor = processor(&spin(SPIN));
    let (libraries, built) = built(place, &plan, name);
    let site = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
    Ok(vec![
        ("Rust", rust()),
        ("libraries", libraries),
        ("built", built),
        ("port", port(site, PATIENCE)),
        ("descriptors", descriptors(plan.descriptors)),
        ("processor", processor),
        ("terminal", terminal(place, &plan)),
        ("system", system(cfg!(windows))),
    ])
}

/// A finding as a line.
pub fn line((name, result): &Finding) -> String {
    match result {
        Ok(text) => format!("ok     {name:12} {text}"),
        Err(text) => format!("WRONG  {name:12} {text}"),
    }
}

fn rust() -> Result<String, String> {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let cure = "`rustup update`, or https://rustup.rs";
    let output = Command::new("rustc").arg("--version").output();
    let said = output.map_err(|error| format!("rustc: {error}; {cure}"))?.stdout;
    let said = String::from_utf8_lossy(&said).trim().to_string();
    match version(&said) >= version(oldest) {
        true => Ok(format!("{said}; {oldest} or later is needed")),
        false => Err(format!("{said:?}, and {oldest} or later is needed: {cure}")),
    }
}

/// Returns 1 and 88 for `rustc 1.88.0 (…)`.
fn version(text: &str) -> Option<(u32, u32)> {
    let number = text.trim_start_matches("rustc ").split_whitespace().next()?;
    let mut parts = number.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Whether the libraries are there, and whether everything is built.
fn built(
    place: &Place,
    plan: &Plan,
    name: &str,
) -> (Result<String, String>, Result<String, String>) {
    let builds = all(&Needs::of(plan, &Project::read(&place.root)));
    let cure = format!("run `cargo class {name}`");
    let there = Ok("here: no network is needed".to_string());
    for build in &builds {
        match build.state() {
            State::Built => {}
            State::Missing(package) => {
                let what = &build.what;
                return (
                    there,
                    Err(format!("{what}: {package} is not compiled: {cure}")),
                );
            }
            State::Failed(why) => {
                let unknown = Err("not looked at".to_string());
                return (Err(format!("{why}: {cure}, with a network")), unknown);
            }
        }
    }
    (there, Ok(format!("all {} builds: nothing is left to compile", builds.len())))
}

/// On Windows the project was never run, and WSL 2 is Linux.
fn system(is_windows: bool) -> Result<String, String> {
    match is_windows {
        false => {
            Ok("students on Windows need WSL 2, which is Linux: nothing was tried on Windows itself".into())
        }
        true => Err("Windows: nothing was tried on it yet; teach from WSL 2".into()),
    }
}

/// Whether the port is free, or our own site is there.
fn port(site: SocketAddr, patience: Duration) -> Result<String, String> {
    if TcpListener::bind(site).is_ok() {
        return Ok(format!(
            "{site} is free: start `cargo lab` in a terminal of its own"
        ));
    }
    let cure =
        format!("end the program that has port {} (`lsof -i :{0}`)", site.port());
    match first_page(site, patience) {
        Ok(page) if page.contains(OURS) => Ok(format!("the demo site is on {site}")),
        Ok(_) => Err(format!("another program answers on {site}: {cure}")),
        Err(error) => Err(format!("{site} is taken, and {error}: {cure}")),
    }
}

fn first_page(site: SocketAddr, patience: Duration) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&site, patience)?;
    stream.set_read_timeout(Some(patience))?;
    // In one piece: a program may answer the first one and close.
    stream.write_all(format!("GET / HTTP/1.0\r\nHost: {site}\r\n\r\n").as_bytes())?;
    let mut page = Vec::new();
    stream.take(100_000).read_to_end(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Whether enough files and sockets can be open at the same time.
#[cfg(unix)]
fn descriptors(needed: u64) -> Result<String, String> {
    let limit = rlimit::Resource::NOFILE.get_soft();
    enough(limit.map_err(|error| error.to_string())?, needed)
}

/// Windows has no such limit.
#[cfg(not(unix))]
fn descriptors(_needed: u64) -> Result<String, String> {
    Ok("no limit on this system".to_string())
}

#[cfg_attr(not(unix), allow(dead_code))]
fn enough(limit: u64, needed: u64) -> Result<String, String> {
    match limit >= needed {
        true => Ok(format!("{limit}, and {needed} are needed")),
        false => Err(format!("{limit}, and {needed} are needed: `ulimit -n {needed}`")),
    }
}

/// Looks at the clock again and again for this time: how far apart the looks were.
fn spin(time: Duration) -> Vec<Duration> {
    let (began, mut last, mut gaps) = (Instant::now(), Instant::now(), Vec::new());
    while began.elapsed() < time {
        let now = Instant::now();
        // Those that count for something; the others add up to nearly all of the time.
        if now - last > GAP {
            gaps.push(now - last);
        }
        last = now;
    }
    gaps
}

/// Whether a spin gets nearly all of a core. `ch03_spin` shows that it takes one.
fn processor(gaps: &[Duration]) -> Result<String, String> {
    let lost: Duration = gaps.iter().sum();
    let share = 1.0 - lost.as_secs_f64() / SPIN.as_secs_f64();
    let text = format!("a spin gets {:.0} % of a core", 100.0 * share.max(0.0));
    match share >= IDLE {
        true => Ok(text),
        false => Err(format!(
            "{text}: end what is busy and plug the laptop in, or show `ch03_spin` with \
             `cargo show ch03_spin`"
        )),
    }
}

/// Whether what the commands print fits into the terminal.
fn terminal(place: &Place, plan: &Plan) -> Result<String, String> {
    match terminal_size::terminal_size() {
        None => Ok("not looked at: this output does not go to a terminal".to_string()),
        Some((width, _)) => {
            wide_enough(usize::from(width.0), stored::widest(place, plan))
        }
    }
}

fn wide_enough(
    width: usize,
    widest: Option<(usize, String)>,
) -> Result<String, String> {
    match widest {
        Some((needed, command)) if needed > width => Err(format!(
            "{width} columns, and `{command}` prints {needed}: make it wider, or its font \
             smaller"
        )),
        _ => Ok(format!("{width} columns, and every output fits")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use demo_site::DemoSite;
    use std::thread;

    #[test]
    fn a_port_is_free_or_ours_or_taken() {
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let server = thread::spawn(move || {
            let (mut client, _) = listener.accept().expect("it comes");
            let mut request = [0; 1000];
            let _ = client.read(&mut request).expect("it asks");
            client.write_all(b"HTTP/1.0 200 OK\r\n\r\nhello").expect("it reads");
            listener
        });
        let wrong = port(address, PATIENCE).expect_err("it is another program");
        assert!(wrong.starts_with("another program answers on 127.0.0.1:"), "{wrong}");
        assert!(wrong.contains(&format!("lsof -i :{}", address.port())), "{wrong}");
        let listener = server.join().expect("it has answered");
        let silent =
            port(address, Duration::from_millis(1)).expect_err("it says nothing");
        assert!(silent.contains("is taken, and "), "{silent}");
        drop(listener);
        let site = DemoSite::start().expect("a port is free");
        let ours = port(site.address(), PATIENCE).expect("it is ours");
        assert!(ours.starts_with("the demo site is on 127.0.0.1:"), "{ours}");
        let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        assert!(
            port(free, PATIENCE).expect("the system chooses one").contains("is free")
        );
    }

    #[test]
    fn a_version_is_compared_as_numbers() {
        assert_eq!(version("rustc 1.88.0 (6b00bc388 2025-06-23)"), Some((1, 88)));
        assert!(version("rustc 1.9.0") < version("1.88"));
        assert!(version("rustc 1.100.0-nightly (x)") > version("1.88"));
        assert!(version("no such program") < version("1.88"));
        assert!(rust().is_ok());
    }

    #[test]
    fn a_processor_that_is_shared_is_too_busy() {
        let gaps = |count, each| vec![Duration::from_millis(each); count];
        assert_eq!(processor(&[]), Ok("a spin gets 100 % of a core".to_string()));
        assert!(processor(&gaps(10, 4)).is_ok());
        let busy = processor(&gaps(50, 5)).expect_err("it had half of it");
        assert!(busy.starts_with("a spin gets 50 % of a core: "), "{busy}");
        assert!(processor(&gaps(1, 900)).expect_err("it had none").contains(" 0 %"));
        assert!(spin(GAP * 3).iter().all(|gap| *gap > GAP));
    }

    #[test]
    fn what_does_not_suffice_has_a_cure() {
        assert!(enough(256, 256).is_ok());
        let few = enough(256, 1024).expect_err("they are too few");
        assert_eq!(few, "256, and 1024 are needed: `ulimit -n 1024`");
        assert!(wide_enough(104, Some((104, "cargo run".to_string()))).is_ok());
        assert!(wide_enough(80, None).is_ok());
        let narrow = wide_enough(80, Some((104, "cargo run".to_string())));
        assert!(narrow.expect_err("it is narrow").contains("`cargo run` prints 104"));
        assert_eq!(line(&("port", Err("a".into()))), "WRONG  port         a");
        assert_eq!(line(&("port", Ok("a".into()))), "ok     port         a");
        assert!(system(false).is_ok_and(|it| it.contains("WSL 2")));
        assert!(system(true).is_err_and(|it| it.contains("WSL 2")));
    }
}
