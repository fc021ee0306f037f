//! Pages that wait before they respond, up to a hundred thousand of them.

use std::time::Duration;

use axum::Router;
use axum::extract::{Path, RawQuery};
use axum::response::Html;
use axum::routing::get;

use crate::page::{list_page, number, page};

const MOST_MILLISECONDS: u64 = 60_000;
const MOST_PAGES: u64 = 100_000;

/// Makes `/slow/N?ms=M`, which responds after M milliseconds, and `/slow?count=K&ms=M`,
/// which links to K of these.
pub(crate) fn routes() -> Router {
    Router::new().route("/slow", get(list)).route("/slow/{number}", get(slow_page))
}

async fn list(RawQuery(query): RawQuery) -> Html<String> {
    let count = number(query.as_deref(), "count", 10, MOST_PAGES);
    let wait = milliseconds(query.as_deref());
    let links =
        (1..=count).map(|page| (format!("/slow/{page}?ms={wait}"), page.to_string()));
    let text = format!("<p>Each of these {count} pages answers after {wait} ms.</p>");
    list_page("Slow pages", &text, links)
}

async fn slow_page(
    Path(page_number): Path<u64>,
    RawQuery(query): RawQuery,
) -> Html<String> {
    let wait = milliseconds(query.as_deref());
    tokio::time::sleep(Duration::from_millis(wait)).await;
    page(
        &format!("Slow page {page_number}"),
        &format!("<p>It took {wait} ms to say this.</p>"),
    )
}

fn milliseconds(query: Option<&str>) -> u64 {
    number(query, "ms", 1_000, MOST_MILLISECONDS)
}
