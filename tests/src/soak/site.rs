//! The site: page N links to the 25 pages after 25 N and to two others; of the pages at
//! the end, which lead to no new ones, each 24th is bad. That is one in 25 of all.

use crate::scripted::{Act, Asked, answer, html};
use std::collections::HashSet;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::sync::Mutex;

const FAN_OUT: usize = 25;
const EACH_BAD: usize = 24;
/// One bad page in so many never answers.
const EACH_SILENT: usize = 256;

/// A site of so many pages.
#[derive(Debug)]
pub struct Site {
    pages: usize,
    /// Those that fail at first, and have.
    have_failed: Mutex<HashSet<usize>>,
}

/// What is wrong with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// 404.
    Missing,
    /// 500.
    ServerError,
    /// Closed before its length is reached.
    Cut,
    /// Closed in a chunk.
    CutChunk,
    /// Closed without an answer.
    NoAnswer,
    /// Two lengths that differ.
    TwoLengths,
    /// No HTTP.
    Noise,
    /// Longer than is allowed.
    TooLarge,
    /// It has moved, to another page.
    Moved,
    /// It has moved, and the target is unusable.
    MovedNowhere,
    /// Reset in the middle.
    Reset,
    /// Cut off at first, and whole when it is asked for again.
    CutOnce,
    /// It never answers.
    Silent,
}

const BAD: [Bad; 12] = [
    Bad::Missing,
    Bad::ServerError,
    Bad::Cut,
    Bad::CutChunk,
    Bad::NoAnswer,
    Bad::TwoLengths,
    Bad::Noise,
    Bad::TooLarge,
    Bad::Moved,
    Bad::MovedNowhere,
    Bad::Reset,
    Bad::CutOnce,
];

impl Site {
    /// A site of so many pages.
    pub fn new(pages: usize) -> Site {
        Site { pages, have_failed: Mutex::default() }
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.pages
    }

    /// The path of a page. The root is page 0.
    pub fn path(page: usize) -> String {
        format!("/page/{page}")
    }

    /// Returns the page that has this path.
    pub fn page(path: &str) -> Option<usize> {
        path.strip_prefix("/page/")?.parse().ok()
    }

    /// What is wrong with a page, if anything.
    pub fn bad(&self, page: usize) -> Option<Bad> {
        let is_last = FAN_OUT * page + 1 >= self.pages;
        let number = page / EACH_BAD;
        let kind = match number % EACH_SILENT {
            40 => Bad::Silent,
            _ => BAD[number % BAD.len()],
        };
        (is_last && page % EACH_BAD == 7).then_some(kind)
    }

    /// The pages that a page links to, some of them twice. One link more leads
    /// elsewhere.
    pub fn links(&self, page: usize) -> impl Iterator<Item = usize> {
        let first = FAN_OUT * page + 1;
        let next = (first..first + FAN_OUT).filter(|next| *next < self.pages);
        next.chain([self.other(page), 0])
    }

    /// Where a page that has moved is now; each page links there, too.
    pub fn other(&self, page: usize) -> usize {
        (page * 7 + 3) % self.pages
    }

    /// The HTML of a page: some kilobytes, and now and then a hundred of them.
    pub fn html(&self, page: usize) -> String {
        let words = if page % 500 == 77 { 20_000 } else { page * 7919 % 3000 };
        let mut text = format!("<!doctype html><title>{page}</title>");
        text.push_str(&"word ".repeat(words));
        for link in self.links(page) {
            writeln!(text, "<a href='{}'>x</a>", Site::path(link)).expect("a String");
        }
        text.push_str("<a href=http://foreign.invalid/>elsewhere</a>");
        text
    }

    /// How often a page is asked for, by a crawler that tries twice. What is no answer,
    /// or none that arrives, costs no try where it comes on a connection that was kept.
    pub fn requests(&self, page: usize) -> RangeInclusive<usize> {
        match self.bad(page) {
            Some(Bad::Cut | Bad::CutChunk | Bad::CutOnce | Bad::Silent) => 2..=2,
            Some(Bad::NoAnswer | Bad::Reset) => 2..=3,
            Some(Bad::Noise | Bad::TwoLengths) => 1..=2,
            _ => 1..=1,
        }
    }

    /// What the server does about a request.
    pub fn acts(&self, asked: &Asked) -> Vec<Act> {
        let mut acts = self.answer(&asked.target);
        if asked.wants_close {
            acts.retain(|act| *act != Act::Keep);
        }
        acts
    }

    fn answer(&self, path: &str) -> Vec<Act> {
        let Some(page) = Site::page(path).filter(|page| *page < self.pages) else {
            return whole(answer("404 Not Found", "", b"no such page"));
        };
        let bad = self.bad(page).filter(|bad| {
            let mut have_failed =
                self.have_failed.lock().expect("no thread panics with the lock");
            *bad != Bad::CutOnce || have_failed.insert(page)
        });
        let Some(bad) = bad else { return self.good(page) };
        let moved = |to| answer("302 Found", to, b"moved");
        let bytes = match bad {
            Bad::Missing => return whole(answer("404 Not Found", "", b"gone")),
            Bad::ServerError => return whole(answer("500 Oops", "", b"an error")),
            Bad::Moved => {
                let to = Site::path(self.other(page));
                return whole(moved(&format!("Location: {to}\r\n")));
            }
            Bad::MovedNowhere => return whole(moved("Location: mailto:a@b.c\r\n")),
            Bad::Cut | Bad::CutOnce => head("Content-Length: 5000", "begin"),
            Bad::CutChunk => head("Transfer-Encoding: chunked", "3e8\r\nbegin"),
            Bad::TwoLengths => head("Content-Length: 3\r\nContent-Length: 4", "abcd"),
            Bad::Noise => b"\x16\x03\x01 this is no HTTP\r\n\r\n".to_vec(),
            Bad::TooLarge => head("Content-Length: 1000001", "begin"),
            Bad::Reset => head("X: y", "begin"),
            Bad::NoAnswer | Bad::Silent => Vec::new(),
        };
        let then = match bad {
            Bad::Reset => Some(Act::Reset),
            Bad::Silent => Some(Act::Stall),
            _ => None,
        };
        [Act::Send(bytes)].into_iter().chain(then).collect()
    }

    /// A good page, sent in one of three ways.
    fn good(&self, page: usize) -> Vec<Act> {
        let text = self.html(page);
        match page % 8 {
            0..4 => whole(html(&text)),
            4..7 => {
                let chunk = format!("{:x}\r\n{text}\r\n0\r\n\r\n", text.len());
                whole(head("Transfer-Encoding: chunked", &chunk))
            }
            _ => vec![Act::Send(head("X: y", &text))],
        }
    }
}

fn head(field: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{field}\r\n\r\n{body}")
        .into()
}

fn whole(bytes: Vec<u8>) -> Vec<Act> {
    vec![Act::Send(bytes), Act::Keep]
}
