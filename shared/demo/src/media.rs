//! Files that are not pages: a picture, a feed, plain text.

use axum::Router;
use axum::http::header;
use axum::routing::{MethodRouter, get};

use crate::page::page;

/// Makes `/image.png`, `/plain.txt`, `/feed.xml` and the page that only the feed links
/// to.
pub(crate) fn routes() -> Router {
    Router::new()
        .route("/image.png", file("image/png", include_bytes!("pages/image.png")))
        .route(
            "/plain.txt",
            file("text/plain; charset=utf-8", include_bytes!("pages/plain.txt")),
        )
        .route("/feed.xml", file("application/xml", include_bytes!("pages/feed.xml")))
        .route(
            "/feed/entry",
            get(async || page("An entry", "<p>Only the feed leads here.</p>")),
        )
}

fn file(content_type: &'static str, bytes: &'static [u8]) -> MethodRouter {
    get(async move || ([(header::CONTENT_TYPE, content_type)], bytes))
}
