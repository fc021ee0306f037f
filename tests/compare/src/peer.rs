//! What the peers on Tokio share: their options, which page is next, and what they report.

use clap::Parser;
use serde::Serialize;
use std::collections::{HashSet, VecDeque};
use std::io::{self, BufWriter, Write};
use std::time::Duration;
use url::Url;

/// The time for one page, as in our crawlers.
pub const TIMEOUT: Duration = Duration::from_secs(30);

/// What a server prefers to send us, as in our crawlers.
pub const ACCEPT: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Crawls a site, breadth first, and prints a line of JSON for each page.
#[derive(Parser)]
pub struct Options {
    /// Where to start: an http URL
    pub url: Url,
    /// Pages asked for at once
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub max_tasks: usize,
}

/// Which pages are known, which one is next, and what became of the others.
pub struct Books {
    root: Url,
    seen: HashSet<Url>,
    queue: VecDeque<Url>,
    rows: Vec<Row>,
}

/// What a page gave. Nothing, if there was no whole answer.
#[derive(Default)]
pub struct Visited {
    /// The HTTP status.
    pub status: Option<u16>,
    /// Bytes of the body.
    pub size: Option<usize>,
    /// All that it points to, each once, on the site or not.
    pub links: Vec<Url>,
}

#[derive(Serialize)]
struct Row {
    url: String,
    outcome: &'static str,
    status: Option<u16>,
    size: Option<usize>,
    num_links: usize,
}

impl Books {
    /// The books of a crawl that begins here.
    pub fn new(root: Url) -> Books {
        let (seen, queue) = ([root.clone()].into(), [root.clone()].into());
        Books { root, seen, queue, rows: Vec::new() }
    }

    /// The next page to be asked for.
    pub fn next_page(&mut self) -> Option<Url> {
        self.queue.pop_front()
    }

    /// Books what a page gave: what it points to on the site, and was not seen, follows.
    pub fn settle(&mut self, url: Url, visited: Visited) {
        let outcome = match visited.status {
            Some(200..300) => "ok",
            Some(300..400) if !visited.links.is_empty() => "redirect",
            Some(_) => "http-error",
            None => "failed",
        };
        let Visited { status, size, links } = visited;
        let url = String::from(url);
        self.rows.push(Row { url, outcome, status, size, num_links: links.len() });
        for link in links {
            if link.origin() == self.root.origin() && !self.seen.contains(&link) {
                self.seen.insert(link.clone());
                self.queue.push_back(link);
            }
        }
    }

    /// Prints a line for each page, sorted by URL.
    ///
    /// # Errors
    /// Standard output takes no more.
    pub fn print(mut self) -> io::Result<()> {
        self.rows.sort_unstable_by(|a, b| a.url.cmp(&b.url));
        let mut out = BufWriter::new(io::stdout().lock());
        for row in &self.rows {
            serde_json::to_writer(&mut out, row)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("tests write valid URLs")
    }

    #[test]
    fn a_page_of_the_site_is_next_once_and_others_never() {
        let mut books = Books::new(url("http://a.example/"));
        let root = books.next_page().expect("the root");
        let links = ["http://a.example/1", "http://b.example/", "http://a.example/"];
        let links = links.map(url).to_vec();
        books.settle(root, Visited { status: Some(200), size: Some(9), links });
        assert_eq!(books.next_page(), Some(url("http://a.example/1")));
        assert_eq!(books.next_page(), None);
        let row = &books.rows[0];
        assert_eq!((row.outcome, row.num_links), ("ok", 3));
    }

    #[test]
    fn no_answer_is_no_page() {
        let mut books = Books::new(url("http://a.example/"));
        let root = books.next_page().expect("the root");
        books.settle(root, Visited::default());
        assert_eq!(books.rows[0].outcome, "failed");
    }
}
