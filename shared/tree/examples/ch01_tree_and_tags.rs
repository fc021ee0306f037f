//! The links of a page, found by a pattern, in a tree, and tag by tag.
//!
//! `cargo run -p page-tree --example ch01_tree_and_tags`
//!
//! It does not run in a page: the page's programs have no crate that builds a tree.

use regex_lite::Regex;
use scraper::{Html, Selector};
use shared::Url;
use shared::page::links::links;

// ANCHOR: ways
const PAGE: &str = r#"
<!-- <a href="/old">moved</a> -->
<script>print('<a href="/' + name + '">');</script>
<a href="/search?q=rust&amp;p=2">page 2</a> <A HREF=/new>new</A>"#;

/// Takes the page for a line of characters.
fn by_pattern(html: &str) -> Vec<String> {
    let link = Regex::new(r#"<a href="(.*?)""#).expect("it is a valid pattern");
    link.captures_iter(html).map(|found| found[1].to_string()).collect()
}

/// Builds the whole page as a tree, as a browser does, and then asks for its links.
fn by_tree(html: &str, page: &Url) -> Vec<Url> {
    let tree = Html::parse_document(html);
    let link = Selector::parse("a, area").expect("it is a valid selector");
    let hrefs = tree.select(&link).filter_map(|element| element.attr("href"));
    hrefs.filter_map(|href| page.join(href).ok()).collect()
}
// ANCHOR_END: ways

/// Returns how many elements the tree has.
fn count_elements(html: &str) -> usize {
    let all = Selector::parse("*").expect("it is a valid selector");
    Html::parse_document(html).select(&all).count()
}

fn main() {
    let page = Url::parse("http://example.com/").expect("it is a valid URL");
    println!("by pattern: {:?}", by_pattern(PAGE));
    for (way, found) in [("tree", by_tree(PAGE, &page)), ("tags", links(PAGE, &page))] {
        let found: Vec<&str> = found.iter().map(Url::as_str).collect();
        println!("by {way}:    {found:?}");
    }
    // No `b` is closed, so each paragraph begins with a copy of all of them.
    let open: String = (0..200).map(|n| format!("<b id={n}>")).collect();
    let elements = count_elements(&format!("<p>{open}{}", "<p>.".repeat(200)));
    println!("401 tags make a tree of {elements} elements");
}
