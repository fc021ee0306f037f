//! The handle of a running site.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use crate::http::{Site, serve};
use crate::place::Folder;
use crate::server::{self, Server};
use crate::site::DemoPages;
#[cfg(feature = "tls")]
use crate::tls;

/// A web site, served by a thread of this process. Dropping it stops the server,
/// closes all connections, even those in use, and joins the thread.
pub struct DemoSite {
    server: Server,
    /// The certificate of the site's authority, as PEM; `None` for a site without TLS.
    ca_pem: Option<String>,
}

impl DemoSite {
    /// Serves the demo pages on 127.0.0.1, on a port that the system chooses.
    ///
    /// # Errors
    /// The system has no free socket or cannot start a thread.
    pub fn start() -> io::Result<DemoSite> {
        DemoSite::start_on(any_port())
    }

    /// Serves the demo pages on `address`.
    ///
    /// # Errors
    /// The address cannot be used ([`io::ErrorKind::AddrInUse`] if another program
    /// listens there), or an error of [`DemoSite::start`].
    pub fn start_on(address: SocketAddr) -> io::Result<DemoSite> {
        DemoSite::serve_on(Arc::new(DemoPages::default()), address)
    }

    /// Serves the files of `folder`, and nothing outside it, on 127.0.0.1, on a port
    /// that the system chooses. A folder without an `index.html` is shown as a
    /// listing.
    ///
    /// # Errors
    /// `folder` does not exist or is not a folder, or an error of [`DemoSite::start`].
    pub fn serve_folder(folder: &Path) -> io::Result<DemoSite> {
        DemoSite::serve_folder_on(folder, any_port())
    }

    /// Serves a folder that is open, as [`DemoSite::serve_folder`] does.
    ///
    /// # Errors
    /// The errors of [`DemoSite::start`].
    pub fn serve(folder: &Arc<Folder>) -> io::Result<DemoSite> {
        DemoSite::serve_on(Arc::clone(folder), any_port())
    }

    /// Serves the files of `folder` on `address`.
    ///
    /// # Errors
    /// The errors of [`DemoSite::serve_folder`] and [`DemoSite::start_on`].
    pub fn serve_folder_on(folder: &Path, address: SocketAddr) -> io::Result<DemoSite> {
        DemoSite::serve_on(Arc::new(Folder::open(folder)?), address)
    }

    fn serve_on(site: Arc<impl Site>, address: SocketAddr) -> io::Result<DemoSite> {
        let server = server::start(address, move |connection| {
            serve(connection.info.clone(), connection, site.clone())
        })?;
        Ok(DemoSite { server, ca_pem: None })
    }

    /// Serves the demo pages over https on 127.0.0.1, on a port that the system
    /// chooses. The certificate and the authority that signs it are created for this
    /// site, so clients have to trust [`DemoSite::ca_pem`].
    ///
    /// # Errors
    /// No key can be created, or an error of [`DemoSite::start`].
    #[cfg(feature = "tls")]
    pub fn start_https() -> io::Result<DemoSite> {
        DemoSite::start_https_on(any_port())
    }

    /// Serves the demo pages over https on `address`. The certificate is valid for
    /// `localhost`, 127.0.0.1 and ::1, whatever the address.
    ///
    /// # Errors
    /// The errors of [`DemoSite::start_https`] and [`DemoSite::start_on`].
    #[cfg(feature = "tls")]
    pub fn start_https_on(address: SocketAddr) -> io::Result<DemoSite> {
        let (acceptor, ca_pem) = tls::new_acceptor()?;
        let site = Arc::new(DemoPages::default());
        let server = server::start(address, move |connection| {
            tls::serve(connection, acceptor.clone(), site.clone())
        })?;
        Ok(DemoSite { server, ca_pem: Some(ca_pem) })
    }

    /// Returns the address where the site listens, with the port that the system chose.
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Returns the complete URL of `path`, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        let scheme = if self.ca_pem.is_some() { "https" } else { "http" };
        format!("{scheme}://{}{path}", self.server.address)
    }

    /// Returns the certificate of the authority that clients have to trust, as PEM;
    /// `None` for a site without TLS.
    pub fn ca_pem(&self) -> Option<&str> {
        self.ca_pem.as_deref()
    }

    /// Returns how many requests for `path` have arrived, with any query, including
    /// unanswered ones. The path is compared as sent, without decoding.
    pub fn requests(&self, path: &str) -> usize {
        self.server.counters.requests(path)
    }

    /// Returns how many requests have arrived for all paths together.
    pub fn all_requests(&self) -> usize {
        self.server.counters.all_requests()
    }

    /// Returns how many connections have been accepted.
    pub fn connections(&self) -> usize {
        self.server.counters.connections()
    }

    /// Returns the largest number of connections that were open at the same time.
    pub fn most_connections_at_once(&self) -> usize {
        self.server.counters.most_connections_at_once()
    }

    /// Blocks while the server runs. The server is not stopped, so a program blocks
    /// until the process is killed.
    pub fn wait(self) {
        self.server.wait();
    }
}

fn any_port() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}
