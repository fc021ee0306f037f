//! The server of the comparison, in a process of its own: the demo site.
//!
//! It prints where it is, serves until its standard input ends, and then prints what it saw.

use compare::{Seen, usage};
use shared::demo_site::DemoSite;
use std::io::{self, Read, Write};

fn main() -> io::Result<()> {
    let site = DemoSite::start()?;
    println!("{}", site.address());
    io::stdout().flush()?;
    io::stdin().read_to_end(&mut Vec::new())?;
    let seen = Seen {
        requests: site.all_requests(),
        connections: site.connections(),
        most_connections: site.most_connections_at_once(),
        cpu: usage::own().map(|usage| usage.cpu),
    };
    println!("{}", serde_json::to_string(&seen)?);
    Ok(())
}
