//! Finds the links of a page in a tree, as browsers build one.
//!
//! The crawlers read a page as a stream of tags ([`shared::page::links`]), in linear
//! time. A tree builder may need time that grows with the square of the nesting, and a
//! hostile page could exploit that. But its code is short, so it is the reference with
//! which tests compare the stream. No crawler depends on this package: a first build
//! of a crawler does not compile scraper.
#![forbid(unsafe_code)]

pub use scraper;

use std::iter;
use std::sync::LazyLock;

use encoding_rs::UTF_8;
use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{QualName, ns};
use scraper::{ElementRef, Html, HtmlTreeSink, Selector};
use shared::Url;
use shared::page::links::{self, Extract};
use shared::page::refresh::refresh_target;

static LINK: LazyLock<Selector> = LazyLock::new(|| parsed("a, area, meta"));
static BASE: LazyLock<Selector> = LazyLock::new(|| parsed("base[href]"));

/// Returns the links of a page: absolute, sorted, without duplicates. They equal those
/// of [`shared::page::links::links`], except on broken pages that are listed there.
pub fn links_by_tree(html: &str, page: &Url) -> Vec<Url> {
    let sink = HtmlTreeSink::new(Html::new_document());
    let tree_builder =
        TreeBuilderOpts { scripting_enabled: false, ..Default::default() };
    let options = ParseOpts { tree_builder, ..Default::default() };
    let tree = parse_document(sink, options).one(html);
    let base = tree.select(&BASE).find_map(|base| base.attr("href"));
    let hrefs = tree.select(&LINK).filter_map(href);
    resolve(hrefs, base, page, links::room_for_links(html.len()))
}

/// Returns the target of an element, as written.
fn href(element: ElementRef<'_>) -> Option<&str> {
    let value = element.value();
    match value.name() {
        "meta" => refresh_target(value.attr("http-equiv")?, value.attr("content")?),
        "a" if value.name.ns == ns!(svg) => value.attr("href").or_else(|| {
            let is_xlink =
                |name: &QualName| name.ns == ns!(xlink) && &*name.local == "href";
            value.attrs.iter().find(|it| is_xlink(&it.0)).map(|it| &*it.1)
        }),
        _ => value.attr("href"),
    }
}

fn resolve<'a>(
    hrefs: impl Iterator<Item = &'a str> + Clone,
    base: Option<&str>,
    page: &Url,
    room: usize,
) -> Vec<Url> {
    let (nothing_else, extract) = (iter::empty(), Extract::default());
    links::resolve(hrefs, nothing_else, base, page, UTF_8, extract, room).links
}

fn parsed(selector: &str) -> Selector {
    Selector::parse(selector).expect("these selectors are well-formed")
}

/// Returns whether the two functions may find different links on this page: it has one
/// of the features that [`shared::page::links::links`] lists.
pub fn may_differ(html: &str) -> bool {
    let html = html.to_ascii_lowercase();
    let has = |names: &[&str]| names.iter().any(|name| html.contains(name));
    let text_or_tags = [
        "<script",
        "<style",
        "<title",
        "<textarea",
        "<noframes",
        "<noembed",
        "<iframe",
        "<xmp",
        "<plaintext",
        "<![cdata[",
    ];
    has(&["<frameset"])
        || has(&["<template"]) && has(&["<col"])
        || has(&["<svg", "<math"]) && (has(&text_or_tags) || has(&["xlink:href"]))
}
