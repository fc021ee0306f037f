//! The server of the comparison, in a process of its own: the demo site; or, with a folder
//! as its argument, nginx.
//!
//! It prints where it is, serves until its standard input ends, and then prints what it saw.

use compare::nginx::Nginx;
use compare::{Seen, usage};
use shared::demo_site::DemoSite;
use std::error::Error;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let seen = match std::env::args_os().nth(1) {
        Some(folder) => {
            let nginx = Nginx::start(Path::new(&folder))?;
            serve(nginx.address)?;
            nginx.end()?
        }
        None => {
            let site = DemoSite::start()?;
            serve(site.address())?;
            Seen {
                requests: site.all_requests(),
                connections: site.connections(),
                most_connections: Some(site.most_connections_at_once()),
                cpu: usage::own().map(|usage| usage.cpu),
            }
        }
    };
    println!("{}", serde_json::to_string(&seen)?);
    Ok(())
}

/// Says where the site is, and waits until it is no longer needed.
fn serve(address: SocketAddr) -> io::Result<()> {
    println!("{address}");
    io::stdout().flush()?;
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
