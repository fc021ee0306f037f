//! A pattern finds links quickly, but often wrong ones. Our reader is right.
//!
//! `cargo run -p stage3-async --example ch27_links_by_pattern`

use shared::page::links::links;
use std::error::Error;
use url::Url;

// ANCHOR: pages
/// The URL of each of these pages.
const URL: &str = "http://localhost/wiki/";

const PAGES: [(&str, &str); 11] = [
    ("a link", r#"<a href="/a">"#),
    ("in a comment", r#"<!-- <a href="/a"> -->"#),
    ("in a script", r#"<script>let link = '<a href="/a">';</script>"#),
    ("in a textarea", r#"<textarea><a href="/a"></textarea>"#),
    ("no link", r#"<link rel="icon" href="/a">"#),
    ("another attribute", r#"<p data-href="/a">"#),
    ("no quotes", "<a href=/a>"),
    ("other quotes", "<a href='/a'>"),
    ("capitals, blanks", r#"<A HREF = "/a">"#),
    ("an entity", r#"<a href="/a?b=1&amp;c=2">"#),
    ("a base", r#"<base href="/b/"><a href="c">"#),
];
// ANCHOR_END: pages

// ANCHOR: by_pattern
/// Finds what the pattern `href="([^"]*)"` would find.
fn by_pattern(html: &str, page: &Url) -> Vec<Url> {
    let parts = html.split(r#"href=""#).skip(1);
    let hrefs = parts.filter_map(|part| part.split_once('"'));
    hrefs.filter_map(|(href, _)| page.join(href).ok()).collect()
}
// ANCHOR_END: by_pattern

// ANCHOR: main
fn main() -> Result<(), Box<dyn Error>> {
    let page = Url::parse(URL)?;
    let mut right = 0;
    println!("found by the pattern | by our reader");
    for (name, html) in PAGES {
        let (pattern, reader) = (by_pattern(html, &page), links(html, &page));
        println!("{name}: {} | {}", show(&pattern), show(&reader));
        right += u32::from(pattern == reader);
    }
    println!("the pattern is right in {right} of {} pages", PAGES.len());
    Ok(())
}

/// The URLs without their server.
fn show(urls: &[Url]) -> String {
    let from_path = |url: &Url| url[url::Position::BeforePath..].to_string();
    let all: Vec<String> = urls.iter().map(from_path).collect();
    if all.is_empty() { "nothing".to_string() } else { all.join(" ") }
}
// ANCHOR_END: main
