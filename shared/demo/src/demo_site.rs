//! The handle of a running site: its address, its counters, its end.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use crate::http::{Site, serve};
use crate::place::Folder;
use crate::server::{self, Running};
use crate::site::DemoPages;
#[cfg(feature = "tls")]
use crate::tls;

/// A web site served by a thread of this process. Dropping it ends the server, closes
/// its connections, even those that wait, and joins the thread.
pub struct DemoSite {
    running: Running,
    /// The certificate of the site's authority; `None` if it is served without TLS.
    ca_pem: Option<String>,
}

impl DemoSite {
    /// Serves the demo pages on 127.0.0.1, on a port that the system chooses.
    ///
    /// # Errors
    /// When the system has no socket or no thread left.
    pub fn start() -> io::Result<DemoSite> {
        DemoSite::start_on(any_port())
    }

    /// Serves the demo pages on `address`.
    ///
    /// # Errors
    /// When the address cannot be used ([`io::ErrorKind::AddrInUse`] if another program
    /// listens there), or as in [`DemoSite::start`].
    pub fn start_on(address: SocketAddr) -> io::Result<DemoSite> {
        DemoSite::serve_on(DemoPages::default(), address)
    }

    /// Serves the files of `folder`, and nothing outside it, on 127.0.0.1, on a port
    /// that the system chooses. A folder without an `index.html` is shown as a list.
    ///
    /// # Errors
    /// When `folder` does not exist or is not a folder, or as in [`DemoSite::start`].
    pub fn serve_folder(folder: &Path) -> io::Result<DemoSite> {
        DemoSite::serve_folder_on(folder, any_port())
    }

    /// Serves the files of `folder` on `address`.
    ///
    /// # Errors
    /// As in [`DemoSite::serve_folder`] and [`DemoSite::start_on`].
    pub fn serve_folder_on(folder: &Path, address: SocketAddr) -> io::Result<DemoSite> {
        DemoSite::serve_on(Folder::open(folder)?, address)
    }

    fn serve_on(site: impl Site, address: SocketAddr) -> io::Result<DemoSite> {
        let site = Arc::new(site);
        let running = server::start(address, move |connection| {
            serve(connection.info.clone(), connection, site.clone())
        })?;
        Ok(DemoSite { running, ca_pem: None })
    }

    /// Serves the demo pages over https on 127.0.0.1, on a port that the system
    /// chooses. The certificate is made for this site, and so is the authority that
    /// signs it: clients have to trust [`DemoSite::ca_pem`].
    ///
    /// # Errors
    /// When no key can be made, or as in [`DemoSite::start`].
    #[cfg(feature = "tls")]
    pub fn start_https() -> io::Result<DemoSite> {
        DemoSite::start_https_on(any_port())
    }

    /// Serves the demo pages over https on `address`. The certificate is always for
    /// `localhost`, 127.0.0.1 and ::1.
    ///
    /// # Errors
    /// As in [`DemoSite::start_https`] and [`DemoSite::start_on`].
    #[cfg(feature = "tls")]
    pub fn start_https_on(address: SocketAddr) -> io::Result<DemoSite> {
        let (acceptor, ca_pem) = tls::new_acceptor()?;
        let site = Arc::new(DemoPages::default());
        let running = server::start(address, move |connection| {
            tls::serve(connection, acceptor.clone(), site.clone())
        })?;
        Ok(DemoSite { running, ca_pem: Some(ca_pem) })
    }

    /// Returns the address where the site listens, with the port that the system chose.
    pub fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// Returns the whole URL of `path`, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        let scheme = if self.ca_pem.is_some() { "https" } else { "http" };
        format!("{scheme}://{}{path}", self.running.address)
    }

    /// Returns the certificate, as PEM, of the authority that clients have to trust;
    /// `None` for a site without TLS.
    pub fn ca_pem(&self) -> Option<&str> {
        self.ca_pem.as_deref()
    }

    /// Returns how many requests for `path` have arrived, with any query, answered or
    /// not. The path is compared as it was sent, not decoded.
    pub fn requests(&self, path: &str) -> usize {
        self.running.counters.requests(path)
    }

    /// Returns how many requests have arrived for all paths together.
    pub fn all_requests(&self) -> usize {
        self.running.counters.all_requests()
    }

    /// Returns how many connections have been accepted.
    pub fn connections(&self) -> usize {
        self.running.counters.connections()
    }

    /// Returns the largest number of connections that were open at the same time.
    pub fn most_connections_at_once(&self) -> usize {
        self.running.counters.most_connections_at_once()
    }

    /// Blocks for as long as the server runs: in a program, until the process is
    /// killed.
    pub fn wait(self) {
        self.running.wait();
    }
}

fn any_port() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}
