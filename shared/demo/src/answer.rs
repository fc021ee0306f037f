//! Answers: a status, header fields and a body, as the server sends them.

use std::convert::Infallible;
use std::io;

use futures_util::{Stream, StreamExt};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use hyper::{Response, StatusCode};

use crate::page::frame;

/// A response body. If it fails, the connection is dropped.
pub(crate) type Body = UnsyncBoxBody<Bytes, io::Error>;

/// The response of a page.
pub(crate) type Answer = Response<Body>;

/// The content type of HTML pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// Makes a response with status 200.
pub(crate) fn answer(content_type: &'static str, body: Body) -> Answer {
    field(CONTENT_TYPE, content_type, Response::new(body))
}

/// Makes a response from the HTML of a complete page.
pub(crate) fn html(text: String) -> Answer {
    answer(HTML, whole(text))
}

/// Makes a page. `title` is plain text, `text` is HTML.
pub(crate) fn page(title: &str, text: &str) -> Answer {
    html(frame(title, text))
}

/// Makes a page that lists links after `text`, which is HTML.
pub(crate) fn list_page(
    title: &str,
    text: &str,
    links: impl Iterator<Item = (String, String)>,
) -> Answer {
    page(title, &format!("{text}\n{}", list(links)))
}

/// Returns a list of links in HTML. Each link is an address, escaped for an attribute,
/// and an HTML text.
pub(crate) fn list(links: impl Iterator<Item = (String, String)>) -> String {
    let mut list = "<ul>\n".to_string();
    for (address, name) in links {
        list.push_str(&format!("<li><a href=\"{address}\">{name}</a></li>\n"));
    }
    list + "</ul>"
}

/// Makes a 404 response. Its page shows `why`, which is HTML.
pub(crate) fn not_found(why: &str) -> Answer {
    status(StatusCode::NOT_FOUND, page("Not found", &format!("<p>{why}</p>")))
}

/// Makes a redirect to `location` with an empty body.
pub(crate) fn moved(code: StatusCode, location: &str) -> Answer {
    match HeaderValue::from_bytes(location.as_bytes()) {
        Ok(location) => {
            field(LOCATION, location, status(code, Response::new(whole(""))))
        }
        Err(_) => not_found("It has moved to an address that cannot be sent."),
    }
}

/// Replaces the status of a response.
pub(crate) fn status(code: StatusCode, mut answer: Answer) -> Answer {
    *answer.status_mut() = code;
    answer
}

/// Adds a header field to a response.
pub(crate) fn field<V>(name: HeaderName, value: V, mut answer: Answer) -> Answer
where
    V: TryInto<HeaderValue, Error: std::fmt::Debug>,
{
    let value = value.try_into().expect("the demo site has only valid fields");
    answer.headers_mut().insert(name, value);
    answer
}

/// Makes a body that is sent in one piece.
pub(crate) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never: Infallible| match never {}).boxed_unsync()
}

/// Makes a body of unknown length that is sent piece by piece.
pub(crate) fn pieces(
    pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
) -> Body {
    StreamBody::new(pieces.map(|piece| piece.map(Frame::data))).boxed_unsync()
}
