//! `shared`, as the steps use it: with the demo site, which is in the simulated network.
#![forbid(unsafe_code)]

pub use shared::*;

/// The demo site.
pub mod demo_site {
    use demo_answers::{Counts, Demo};
    use std::net::{Ipv4Addr, SocketAddr};
    use std::time::Duration;
    use std::{env, io};

    /// Where it is.
    const ADDRESS: SocketAddr =
        SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8000);
    /// How long a connection takes: on one machine that is next to nothing.
    const LATENCY: Duration = Duration::from_micros(50);

    /// The demo site: with the names of the real one, as far as the steps use them.
    pub struct DemoSite(Counts);

    impl DemoSite {
        /// Puts the site into the simulated network, unless a script was put there.
        ///
        /// # Errors
        /// None: the real one has some.
        pub fn start() -> io::Result<DemoSite> {
            let site = Demo::new(Some(ADDRESS), LATENCY);
            let counts = site.counts();
            if env::var_os("SIM_SITE").is_none() {
                simulated_os::replace_site(site);
            }
            Ok(DemoSite(counts))
        }

        /// Returns where the site is.
        pub fn address(&self) -> SocketAddr {
            ADDRESS
        }

        /// Returns the whole URL of `path`, which begins with a slash.
        pub fn url(&self, path: &str) -> String {
            format!("http://{ADDRESS}{path}")
        }

        /// Returns how many requests for `path` have arrived.
        pub fn requests(&self, path: &str) -> usize {
            self.0.requests(path)
        }

        /// Returns how many requests have arrived.
        pub fn all_requests(&self) -> usize {
            self.0.all_requests()
        }

        /// Returns how many connections were accepted.
        pub fn connections(&self) -> usize {
            self.0.connections()
        }

        /// Returns the largest number of connections that were open at once.
        pub fn most_connections_at_once(&self) -> usize {
            self.0.most_connections_at_once()
        }
    }
}
