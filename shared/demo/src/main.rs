//! The demo site as a program of its own, or a folder served the same way.

#![forbid(unsafe_code)]

use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use demo_site::DemoSite;

/// Serves the demo site, or the files of a folder, until Ctrl-C.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The port to listen on; 0 lets the system choose one
    #[arg(long, value_name = "N", default_value_t = 8000)]
    port: u16,
    /// The address to listen on; 127.0.0.1 is reached from this machine alone
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Serve the files of this folder instead
    #[arg(long, value_name = "DIR")]
    serve: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match start(&options) {
        Ok(site) => {
            // Nobody may be reading this; the site is there all the same.
            let _ = writeln!(
                io::stdout(),
                "demo site on {}  (Ctrl-C ends it)",
                site.url("/")
            );
            site.wait();
            ExitCode::SUCCESS
        }
        Err(why) => {
            let _ = writeln!(io::stderr(), "demo-site: {why}");
            ExitCode::from(2)
        }
    }
}

fn start(options: &Options) -> Result<DemoSite, String> {
    let address = SocketAddr::new(options.host, options.port);
    match &options.serve {
        None => DemoSite::start_on(address).map_err(|error| no_socket(address, &error)),
        Some(folder) if !folder.is_dir() => {
            Err(format!("{} is not a folder", folder.display()))
        }
        Some(folder) => DemoSite::serve_folder_on(folder, address)
            .map_err(|error| no_socket(address, &error)),
    }
}

fn no_socket(address: SocketAddr, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::AddrInUse => {
            format!("{address} is taken by another program; choose another --port")
        }
        ErrorKind::AddrNotAvailable => {
            format!("{} is not an address of this machine", address.ip())
        }
        ErrorKind::PermissionDenied => {
            format!("listening on {address} is not allowed; try a --port above 1023")
        }
        kind => format!("cannot listen on {address} ({kind})"),
    }
}
