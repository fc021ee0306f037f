//! What a crawler has to say of an answer: the parser is given all bytes at once,
//! without sockets and without waiting.

use super::site::{Reply, Then};
use shared::report;
use shared::{FetchError, HttpError, Outcome, Page, Response, ResponseParser, Url};
use std::io::ErrorKind;

/// The longest body that is taken.
pub(crate) const MAX_BODY: u64 = 300_000;

/// What is to be said of one URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) row: Row,
    /// Links, and where a redirect leads.
    pub(crate) found: Vec<Url>,
}

/// The part of a row that the answer alone decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) outcome: Outcome,
    pub(crate) status: Option<u16>,
    pub(crate) next_url: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) size: Option<u64>,
    pub(crate) num_links: usize,
}

impl Row {
    /// That part of a row of a report.
    pub(crate) fn of(row: &report::Row) -> Row {
        let row = row.clone();
        Row {
            outcome: row.outcome,
            status: row.status,
            next_url: row.next_url,
            content_type: row.content_type,
            encoding: row.encoding,
            size: row.size,
            num_links: row.num_links,
        }
    }

    fn failed(outcome: Outcome) -> Row {
        Row {
            outcome,
            status: None,
            next_url: None,
            content_type: None,
            encoding: None,
            size: None,
            num_links: 0,
        }
    }
}

fn feed(bytes: &[u8]) -> (ResponseParser, Result<Option<Response>, HttpError>) {
    let mut parser = ResponseParser::with_limit(MAX_BODY);
    let fed = if bytes.is_empty() { Ok(None) } else { parser.feed(bytes) };
    (parser, fed)
}

/// Returns whether these bytes decide what becomes of the response, whatever comes
/// after them.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    !matches!(feed(bytes).1, Ok(None))
}

/// Returns whether another request may follow on the connection. It may not if a byte
/// less would have been the whole response, too: then there are bytes behind its end.
pub(crate) fn may_go_on(bytes: &[u8]) -> bool {
    let is_reusable = matches!(feed(bytes).1, Ok(Some(response)) if response.reusable);
    is_reusable && !is_whole(&bytes[..bytes.len() - 1])
}

/// What is to be said of a URL that gives this reply.
pub(crate) fn expect(reply: &Reply, url: &Url) -> Expected {
    let (mut parser, fed) = feed(&reply.pieces.concat());
    let answer = match (fed, reply.then) {
        (Ok(Some(response)), _) => Ok(response),
        (Err(error), _) => Err(error.into()),
        (Ok(None), Then::Close | Then::Keep | Then::Listen) => close(&mut parser),
        (Ok(None), Then::Reset) => Err(FetchError::Network(ErrorKind::ConnectionReset)),
        (Ok(None), Then::Stall) => Err(FetchError::TimedOut(std::time::Duration::ZERO)),
    };
    match answer {
        Ok(response) => answered(Page::from_response(url, response)),
        Err(error) => Expected { row: Row::failed(error.outcome()), found: Vec::new() },
    }
}

fn close(parser: &mut ResponseParser) -> Result<Response, FetchError> {
    let response = parser.feed(&[])?;
    Ok(response.expect("the end of the bytes is the end of the answer"))
}

fn answered(page: Page) -> Expected {
    let target = page.redirect.as_ref().and_then(|target| target.as_ref().ok());
    let outcome = match page.status {
        _ if target.is_some() => Outcome::Redirect,
        200..300 => Outcome::Ok,
        _ => Outcome::HttpError,
    };
    let row = Row {
        status: Some(page.status),
        next_url: target.map(Url::to_string),
        content_type: page.content_type,
        encoding: page.encoding,
        size: page.size,
        num_links: page.links.len(),
        ..Row::failed(outcome)
    };
    let found = page.links.into_iter().chain(target.cloned()).collect();
    Expected { row, found }
}
