//! `cargo lab PROGRAM-OR-STEP` serves the demo site while that program runs, so that the
//! commands of the book need no second terminal. `cargo lab` alone serves it until
//! Ctrl-C, for a browser.
#![forbid(unsafe_code)]

mod play; // `cargo lab play FILE`

use demo_site::DemoSite;
use std::env::{self, args_os};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, ExitCode};
use step::{find, print, root, run, typed};

/// The port in the commands of the book, unless the environment names another one.
const PORT: u16 = 8000;
const PORT_VARIABLE: &str = "LAB_PORT";

/// What runs if the arguments name nothing.
const DEFAULT: &str = "stage3-async";
const CRAWLERS: [&str; 3] = ["stage1-callbacks", "stage2-generators", DEFAULT];

const USAGE: &str = "\
Usage: cargo lab [PROGRAM-OR-STEP] [ARGUMENTS…]
       cargo lab play FILE

Serves the demo site on http://127.0.0.1:8000/, and beside it runs a crawler (stage1,
stage2, or stage3, which is the default) or a step of the book. When that ends, so does
the site. Without arguments the site is served until Ctrl-C. LAB_PORT in the environment
is the port, if it should be another one. A program that gets no URL starts a demo site
of its own instead.

`play` opens the book's page that plays a trace, with this file.

  cargo lab --max-depth 1 http://127.0.0.1:8000/wiki/
  cargo lab stage1 'http://127.0.0.1:8000/slow?count=5'
  cargo lab ch02_blocking http://127.0.0.1:8000/
";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = args_os().skip(1).collect();
    let result = match arguments.first().and_then(|first| first.to_str()) {
        Some("-h" | "--help") => print(USAGE),
        Some(option) if option.split('=').next() == Some("--port") => {
            Err(format!("the port is set by {PORT_VARIABLE}=N before `cargo lab`"))
        }
        Some("play") => play::act(&arguments[1..]),
        None if arguments.is_empty() => serve(),
        _ => command(&arguments).and_then(run_beside_site),
    };
    result.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::from(2)
    })
}

/// Returns the command that the arguments ask for.
fn command(arguments: &[OsString]) -> Result<Vec<Command>, String> {
    let first = arguments[0].to_string_lossy();
    if first.starts_with('-') || first.contains("://") {
        return Ok(vec![crawler(DEFAULT, arguments)]);
    }
    let rest = &arguments[1..];
    let is_it =
        |name: &&&str| **name == first || name.split('-').next() == Some(&first);
    if let Some(name) = CRAWLERS.iter().find(is_it) {
        return Ok(vec![crawler(name, rest)]);
    }
    let steps = step::all(root()).map_err(|error| format!("the steps: {error}"))?;
    let step = find(&steps, &first)
        .map_err(|why| format!("{why}; the crawlers are {}", CRAWLERS.join(", ")))?;
    Ok(step.commands(rest))
}

fn crawler(name: &str, arguments: &[OsString]) -> Command {
    let mut command = step::cargo_run(name);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    command
}

/// Returns where the site is served.
fn address() -> Result<SocketAddr, String> {
    let port = match env::var_os(PORT_VARIABLE).filter(|text| !text.is_empty()) {
        None => PORT,
        Some(text) => match text.to_str().and_then(|text| text.parse().ok()) {
            Some(port @ 1..) => port,
            _ => return Err(format!("{PORT_VARIABLE}: not a port: {text:?}")),
        },
    };
    Ok((Ipv4Addr::LOCALHOST, port).into())
}

/// Serves the site until Ctrl-C.
fn serve() -> Result<ExitCode, String> {
    let address = address()?;
    let site = DemoSite::start_on(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => format!(
            "{address} is taken: perhaps another `cargo lab` serves it; \
             {PORT_VARIABLE}=N takes another port"
        ),
        _ => format!("{address}: {error}"),
    })?;
    print(&format!("the demo site is on {}  (Ctrl-C ends it)\n", site.url("/")))?;
    site.wait();
    Ok(ExitCode::SUCCESS)
}

/// Runs the commands, one after the other, while the site is served.
fn run_beside_site(commands: Vec<Command>) -> Result<ExitCode, String> {
    let address = address()?;
    let site = match DemoSite::start_on(address) {
        Ok(site) => Some(site),
        Err(error) if error.kind() == ErrorKind::AddrInUse => None,
        Err(error) => return Err(format!("{address}: {error}")),
    };
    match &site {
        Some(site) => eprintln!("the demo site is on {}", site.url("/")),
        None => eprintln!("{address} is taken: what is served there is used"),
    }
    leave_signals_to_the_program().map_err(|error| format!("signals: {error}"))?;
    let mut code = ExitCode::SUCCESS;
    for mut command in commands {
        eprintln!("$ {}", typed(&command));
        code = run(command.current_dir(root()))?;
        if code != ExitCode::SUCCESS {
            break;
        }
    }
    Ok(code)
}

/// From now on Ctrl-C does not end this process. The program beside the site gets it as
/// well, and ends; then so do we.
#[cfg(unix)]
fn leave_signals_to_the_program() -> std::io::Result<()> {
    use signal_hook::{consts::SIGINT, flag::register};
    use std::sync::{Arc, atomic::AtomicBool};
    register(SIGINT, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

#[cfg(not(unix))]
fn leave_signals_to_the_program() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| ())
}
