//! Which URLs belong to this crawl. Everything else is foreign: counted, never
//! contacted.

use crate::options::{Options, Stage};
use regex::Regex;
use std::collections::HashSet;
use url::{Host, Url};

/// The sites of the roots, less what the user excludes.
#[derive(Debug)]
pub struct Scope {
    sites: HashSet<Site>,
    lenient: bool,
    speaks_https: bool,
    exclude: Vec<Regex>,
}

/// A host and a port, with what counts as the same taken out.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Site {
    host: String,
    port: Port,
}

/// Port 80 of http and port 443 of https are one and the same door.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Port {
    Usual,
    Other(u16),
}

impl Scope {
    /// The scope of a crawl from `options.roots`, by a program that is `stage`.
    pub fn new(options: &Options, stage: &Stage) -> Scope {
        let sites = options.roots.iter().filter_map(|root| site(root, options.lenient));
        Scope {
            sites: sites.collect(),
            lenient: options.lenient,
            speaks_https: stage.speaks_https,
            exclude: options.exclude.clone(),
        }
    }

    /// May this URL be fetched? A root may be even where `--exclude` matches it:
    /// whoever names a page wants it.
    pub fn contains(&self, url: &Url) -> bool {
        self.speaks(url) && self.is_on_site(url) && !self.is_excluded(url)
    }

    fn is_excluded(&self, url: &Url) -> bool {
        self.exclude.iter().any(|regex| regex.is_match(url.as_str()))
    }

    /// Does this program speak the URL's scheme?
    pub fn speaks(&self, url: &Url) -> bool {
        url.scheme() == "http" || (self.speaks_https && url.scheme() == "https")
    }

    /// Is this one of the roots' sites, whether or not the scheme is spoken?
    pub fn is_on_site(&self, url: &Url) -> bool {
        site(url, self.lenient).is_some_and(|site| self.sites.contains(&site))
    }
}

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

/// The name without `www.`; with `--lenient` its registrable domain, where it has one
/// (the public suffix list: `example.co.uk`, but not `co.uk`).
fn plain_name(name: &str, lenient: bool) -> &str {
    let bare = name.strip_prefix("www.").unwrap_or(name);
    match lenient {
        true => psl::domain_str(bare).unwrap_or(bare),
        false => bare,
    }
}
