//! Decides which URLs belong to a crawl. All others are foreign: they are counted, but
//! not requested unless `--external` is given.

use crate::options::{Options, Program};
use regex_lite::Regex;
use std::collections::HashSet;
use url::{Host, Url};

/// The sites of the roots, and what the user excludes.
#[derive(Debug)]
pub struct Scope {
    /// The sites of the roots.
    sites: HashSet<Site>,
    /// Whether all hosts of a registrable domain are one site (`--lenient`).
    lenient: bool,
    /// Whether foreign URLs are requested, too (`--external`).
    external: bool,
    /// Whether the program speaks https.
    speaks_https: bool,
    /// Patterns of URLs that are not fetched. Roots are always fetched.
    exclude: Vec<Regex>,
}

/// A host and a port, without irrelevant differences such as `www.`.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Site {
    host: String,
    port: Port,
}

/// A port. The default ports of http and https (80 and 443) count as equal.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Port {
    Usual,
    Other(u16),
}

impl Scope {
    /// Creates the scope of a crawl by `program` with the roots in `options`.
    pub fn new(options: &Options, program: &Program) -> Scope {
        let sites = options.roots.iter().filter_map(|root| site(root, options.lenient));
        Scope {
            sites: sites.collect(),
            lenient: options.lenient,
            external: options.external,
            speaks_https: program.speaks_https,
            exclude: options.exclude.clone(),
        }
    }

    /// Returns whether a link to this URL may be followed. (Roots are fetched even if
    /// `--exclude` matches them, because the user has named them.)
    pub fn contains(&self, url: &Url) -> bool {
        self.speaks(url) && self.is_on_site(url) && !self.is_excluded(url.as_str())
    }

    /// Returns whether this URL is requested when it is found, unless it is excluded: it
    /// is on a root's site, or `--external` is given.
    pub(super) fn covers(&self, url: &Url) -> bool {
        self.speaks(url) && (self.external || self.is_on_site(url))
    }

    /// Returns whether the user excludes anything.
    pub(super) fn has_exclusions(&self) -> bool {
        !self.exclude.is_empty()
    }

    /// Returns whether the user excludes this text: a URL, or a link that is no URL.
    pub(super) fn is_excluded(&self, text: &str) -> bool {
        self.exclude.iter().any(|regex| regex.is_match(text))
    }

    /// Returns whether this program speaks the URL's scheme.
    pub fn speaks(&self, url: &Url) -> bool {
        url.scheme() == "http" || (self.speaks_https && url.scheme() == "https")
    }

    /// Returns whether the URL is on the site of a root. The scheme does not matter.
    pub fn is_on_site(&self, url: &Url) -> bool {
        site(url, self.lenient).is_some_and(|site| self.sites.contains(&site))
    }
}

/// Returns the site of a URL; `None` if it has no host or no port.
fn site(url: &Url, lenient: bool) -> Option<Site> {
    let port = match (url.scheme(), url.port_or_known_default()?) {
        ("http", 80) | ("https", 443) => Port::Usual,
        (_, port) => Port::Other(port),
    };
    let host = match url.host()? {
        Host::Domain(name) => plain_name(name, lenient).to_string(),
        address => address.to_string(),
    };
    Some(Site { host, port })
}

/// Returns the name without `www.`. With `--lenient`, returns the registrable domain
/// if there is one (public suffix list: `example.co.uk`, but not `co.uk`).
fn plain_name(name: &str, lenient: bool) -> &str {
    let bare = name.strip_prefix("www.").unwrap_or(name);
    match lenient {
        true => {
            psl2::lookup(bare).and_then(|it| it.registrable_domain()).unwrap_or(bare)
        }
        false => bare,
    }
}
