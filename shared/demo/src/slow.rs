//! Pages that wait before they respond.

use std::time::Duration;

use crate::answer::{Answer, list_page, page};
use crate::page::number;

const MAX_MILLISECONDS: u64 = 60_000;
const MAX_PAGES: u64 = 100_000;

/// Responds to `/slow?count=K&ms=M`, which links to K slow pages.
pub(crate) fn list(query: Option<&str>) -> Answer {
    let count = number(query, "count", 10, MAX_PAGES);
    let wait = milliseconds(query);
    let links =
        (1..=count).map(|page| (format!("/slow/{page}?ms={wait}"), page.to_string()));
    let text = format!("<p>Each of these {count} pages answers after {wait} ms.</p>");
    list_page("Slow pages", &text, links)
}

/// Responds to `/slow/N?ms=M` after M milliseconds.
pub(crate) async fn slow_page(page_number: u64, query: Option<&str>) -> Answer {
    let wait = milliseconds(query);
    tokio::time::sleep(Duration::from_millis(wait)).await;
    page(
        &format!("Slow page {page_number}"),
        &format!("<p>It took {wait} ms to say this.</p>"),
    )
}

fn milliseconds(query: Option<&str>) -> u64 {
    number(query, "ms", 1_000, MAX_MILLISECONDS)
}
