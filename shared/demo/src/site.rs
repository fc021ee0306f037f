//! The table of all demo pages. `pages/index.html` lists them for a person, but for
//! `many`, which is for programs that measure.

use axum::Router;
use axum::extract::RawQuery;
use axum::http::Uri;
use axum::response::Html;
use axum::routing::get;

use crate::page::{escape, page};
use crate::{
    charsets, many, media, redirects, sizes, slow, transfer, trouble, turns, wiki,
};

/// Makes all demo pages, each in the state in which a first crawl finds it.
pub(crate) fn router() -> Router {
    Router::new()
        .route("/", get(index))
        .route("/query", get(query))
        .merge(wiki::routes())
        .merge(slow::routes())
        .merge(turns::routes())
        .merge(redirects::routes())
        .merge(transfer::routes())
        .merge(trouble::routes())
        .merge(charsets::routes())
        .merge(media::routes())
        .merge(sizes::routes())
        .merge(many::routes())
        .fallback(missing)
}

async fn index() -> Html<String> {
    page("The demo site", include_str!("pages/index.html"))
}

/// Shows the query that arrived. A person sees there whether a crawler understood
/// `&amp;`.
async fn query(RawQuery(query): RawQuery) -> Html<String> {
    let query = query.unwrap_or_default();
    let pairs = query
        .split('&')
        .map(|pair| format!("<li><code>{}</code></li>\n", escape(pair)));
    page("What was asked", &format!("<ul>\n{}</ul>", pairs.collect::<String>()))
}

async fn missing(uri: Uri) -> axum::response::Response {
    trouble::not_found(&format!(
        "There is no page at <code>{}</code>.",
        escape(uri.path())
    ))
}
