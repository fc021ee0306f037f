//! The servers of a crawl. A server is a host and a port, so http and https are two
//! servers. Each URL stores the number of its server, which saves look-ups by name.

use super::limit::Server;
use indexmap::{Equivalent, IndexMap};
use std::ops::{Index, IndexMut};
use url::Url;

/// The number of a server in this crawl's ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerId(u32);

/// What is known of the servers of all known URLs.
#[derive(Debug, Default)]
pub(super) struct Servers {
    table: IndexMap<(Box<str>, u16), Server>,
    bytes: usize,
}

/// A borrowed host and port, to search without allocation.
#[derive(Hash)]
struct Address<'a>(&'a str, u16);

impl Equivalent<(Box<str>, u16)> for Address<'_> {
    fn equivalent(&self, (host, port): &(Box<str>, u16)) -> bool {
        (self.0, self.1) == (host, *port)
    }
}

impl Servers {
    /// Returns the number of a URL's server. A new server is added.
    pub(super) fn intern(&mut self, url: &Url) -> ServerId {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let known = self.table.get_index_of(&Address(host, port));
        let add = || {
            self.bytes += size_of::<((Box<str>, u16), Server)>() + host.len();
            self.table.insert_full((host.into(), port), Server::default()).0
        };
        // The number fits: there are at most as many servers as URLs.
        ServerId(known.unwrap_or_else(add) as u32)
    }

    /// Returns how many bytes the servers take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Index<ServerId> for Servers {
    type Output = Server;

    fn index(&self, id: ServerId) -> &Server {
        &self.table[id.0 as usize]
    }
}

impl IndexMut<ServerId> for Servers {
    fn index_mut(&mut self, id: ServerId) -> &mut Server {
        &mut self.table[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_a_host_and_the_port_that_its_scheme_implies() {
        let mut servers = Servers::default();
        for (url, host, port) in [
            ("http://a.test/x:1", "a.test", 80),
            ("https://a.test/", "a.test", 443),
            ("http://a.test:443/", "a.test", 443),
            ("https://a.test:8443/", "a.test", 8443),
            ("http://[::1]/", "[::1]", 80),
            ("https://[::1]/", "[::1]", 443),
            ("http://[::1]:81/", "[::1]", 81),
        ] {
            let id = servers.intern(&Url::parse(url).expect("a URL"));
            let (name, _) =
                servers.table.get_index(id.0 as usize).expect("it is known");
            assert_eq!(*name, (host.into(), port), "{url}");
        }
        assert_eq!(servers.table.len(), 6, "two ways to write one of them");
        assert!(servers.bytes() >= 3 * "a.test".len() + 3 * "[::1]".len());
    }
}
