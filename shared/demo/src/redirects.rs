//! Pages that have moved: the redirects of the original chapter's figure, and redirects
//! that go wrong.

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::page::page;

const LONGEST_CHAIN: u32 = 1_000;

/// Makes all redirects of the demo site, and the pages at their ends.
pub(crate) fn routes() -> Router {
    let found =
        |location: &'static str| get(async move || moved(StatusCode::FOUND, location));
    Router::new()
        .route("/foo", found("/baz"))
        .route("/bar", found("/baz"))
        .route(
            "/baz",
            end("Baz", "Both <code>/foo</code> and <code>/bar</code> lead here."),
        )
        .route("/353", get(async || moved(StatusCode::MOVED_PERMANENTLY, "/353/")))
        .route("/353/", end("353", "Its address ends in a slash."))
        .route("/chain/{left}", get(chain))
        .route("/loop/a", found("/loop/b"))
        .route("/loop/b", found("/loop/a"))
        .route("/away", found("http://example.com/"))
        .route("/relative/start", found("end"))
        .route(
            "/relative/end",
            end("Relative", "The way here was not a whole address."),
        )
}

/// Makes a redirect to `location`, without a body.
fn moved(status: StatusCode, location: &str) -> Response {
    (status, [(header::LOCATION, location)]).into_response()
}

/// Makes a page that a redirect leads to.
fn end(title: &'static str, text: &'static str) -> axum::routing::MethodRouter {
    get(async move || page(title, &format!("<p>{text}</p>")))
}

/// Responds to `/chain/N`, which is N redirects away from a page.
async fn chain(Path(left): Path<u32>) -> Response {
    match left.min(LONGEST_CHAIN).checked_sub(1) {
        Some(next) => moved(StatusCode::FOUND, &format!("/chain/{next}")),
        None => {
            page("The end of the chain", "<p>No more redirects.</p>").into_response()
        }
    }
}
