//! The handle of a running site: where it is, what it counted, and its end.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use crate::counters::Counters;
use crate::server::serve;
#[cfg(feature = "tls")]
use crate::tls::{self, TlsListener};
use crate::{folder, site};

/// A web site served by a thread of this process. Dropping it ends the server, closes
/// its connections, whatever they wait for, and joins the thread.
pub struct DemoSite {
    pub(crate) address: SocketAddr,
    /// There if the site is served over TLS.
    pub(crate) ca_pem: Option<String>,
    pub(crate) counters: Arc<Counters>,
    pub(crate) running: Option<Running>,
}

/// A server that runs.
pub(crate) struct Running {
    /// Dropped to end the server.
    pub(crate) stop: oneshot::Sender<()>,
    pub(crate) thread: JoinHandle<()>,
}

impl DemoSite {
    /// Serves the demo pages on 127.0.0.1, on a port that the system chooses.
    ///
    /// # Errors
    /// When the system gives no socket or no thread.
    pub fn start() -> io::Result<DemoSite> {
        DemoSite::start_on(any_port())
    }

    /// Serves the demo pages on `address`.
    ///
    /// # Errors
    /// When the address cannot be had ([`io::ErrorKind::AddrInUse`] when somebody else
    /// listens there), or as in [`DemoSite::start`].
    pub fn start_on(address: SocketAddr) -> io::Result<DemoSite> {
        serve(site::router(), address, |listener| listener)
    }

    /// Serves the files of `folder`, and nothing outside it, on 127.0.0.1, on a port
    /// that the system chooses. A folder without an `index.html` answers with a list.
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
        serve(folder::router(folder)?, address, |listener| listener)
    }

    /// Serves the demo pages over https on 127.0.0.1, on a port that the system
    /// chooses. The certificate is made for this site and is signed by an authority
    /// made for it too: clients have to trust [`DemoSite::ca_pem`].
    ///
    /// # Errors
    /// When no key can be made, or as in [`DemoSite::start`].
    #[cfg(feature = "tls")]
    pub fn start_https() -> io::Result<DemoSite> {
        DemoSite::start_https_on(any_port())
    }

    /// Serves the demo pages over https on `address`. Whatever that is, the certificate
    /// is for `localhost`, 127.0.0.1 and ::1.
    ///
    /// # Errors
    /// As in [`DemoSite::start_https`] and [`DemoSite::start_on`].
    #[cfg(feature = "tls")]
    pub fn start_https_on(address: SocketAddr) -> io::Result<DemoSite> {
        let (acceptor, ca_pem) = tls::new_acceptor()?;
        let wrap = |listener| TlsListener::new(listener, acceptor);
        let mut site = serve(site::router(), address, wrap)?;
        site.ca_pem = Some(ca_pem);
        Ok(site)
    }

    /// Where the site listens, with the port that the system chose.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The whole URL of `path`, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        let scheme = if self.ca_pem.is_some() { "https" } else { "http" };
        format!("{scheme}://{}{path}", self.address)
    }

    /// The certificate, as PEM, of the authority that clients have to trust; none for a
    /// site without TLS.
    pub fn ca_pem(&self) -> Option<&str> {
        self.ca_pem.as_deref()
    }

    /// How many requests for `path` have arrived, whatever their query was and whether
    /// or not they have been answered. The path is compared as it was sent, not
    /// decoded.
    pub fn requests(&self, path: &str) -> usize {
        self.counters.requests(path)
    }

    /// How many requests have arrived for all paths together.
    pub fn all_requests(&self) -> usize {
        self.counters.all_requests()
    }

    /// How many connections have been accepted.
    pub fn connections(&self) -> usize {
        self.counters.connections()
    }

    /// The most connections that were open at the same time.
    pub fn most_connections_at_once(&self) -> usize {
        self.counters.most_connections_at_once()
    }

    /// Blocks for as long as the server runs, which for a program is until it is
    /// killed.
    pub fn wait(mut self) {
        if let Some(Running { stop, thread }) = self.running.take() {
            join(thread);
            drop(stop); // only now: the server ends when this is dropped
        }
    }
}

impl Drop for DemoSite {
    fn drop(&mut self) {
        if let Some(Running { stop, thread }) = self.running.take() {
            drop(stop);
            join(thread);
        }
    }
}

fn join(thread: JoinHandle<()>) {
    // A panic of that thread has already been printed by it, and a panic inside `drop`
    // would end the process.
    let _ = thread.join();
}

fn any_port() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}
