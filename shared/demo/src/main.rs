//! The demo site as a program, which can also serve a folder.

#![forbid(unsafe_code)]

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use demo_site_tls::DemoSite;

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
    /// Serve the demo site over TLS, with a certificate made for this run
    #[arg(long, conflicts_with = "serve")]
    https: bool,
    /// Write the certificate (PEM) that clients have to trust there
    #[arg(long, value_name = "FILE", requires = "https")]
    ca_out: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match start(&options) {
        Ok(site) => {
            // If standard output is closed, the site keeps running.
            let _ = writeln!(
                io::stdout(),
                "demo site on {}  (Ctrl-C ends it)",
                site.url("/")
            );
            if options.https {
                let _ = writeln!(io::stdout(), "{}", how_to_trust(&site, &options));
            }
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
    let started = match &options.serve {
        None if options.https => start_https_on(address),
        None => DemoSite::start_on(address),
        Some(folder) if !folder.is_dir() => {
            return Err(format!("{} is not a folder", folder.display()));
        }
        Some(folder) => DemoSite::serve_folder_on(folder, address),
    };
    let site = started.map_err(|error| no_socket(address, &error))?;
    if let (Some(file), Some(pem)) = (&options.ca_out, site.ca_pem()) {
        fs::write(file, pem).map_err(|error| {
            format!("cannot write {} ({})", file.display(), error.kind())
        })?;
    }
    Ok(site)
}

#[cfg(feature = "tls")]
fn start_https_on(address: SocketAddr) -> io::Result<DemoSite> {
    DemoSite::start_https_on(address)
}

#[cfg(not(feature = "tls"))]
fn start_https_on(_: SocketAddr) -> io::Result<DemoSite> {
    Err(ErrorKind::Unsupported.into())
}

/// Returns the command that crawls this site with its certificate.
fn how_to_trust(site: &DemoSite, options: &Options) -> String {
    let port = site.address().port();
    let crawl = |file| {
        format!(
            "crawl it with  cargo run -- --ca-file {file} https://localhost:{port}/"
        )
    };
    match &options.ca_out {
        Some(file) => crawl(file.display().to_string()),
        None => crawl("FILE".to_owned()) + "  (--ca-out FILE writes that file)",
    }
}

/// Returns an error message for a site that could not start.
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
        ErrorKind::Unsupported => "built without its feature tls".to_owned(),
        kind => format!("cannot listen on {address} ({kind})"),
    }
}
