//! What a page has to be for two readings of it to agree: the differences that
//! `shared::page::links::links` promises are the only ones.

/// May the stream and the tree find different links on this page?
pub(crate) fn may_differ(html: &str) -> bool {
    let html = html.to_ascii_lowercase();
    let has = |names: &[&str]| names.iter().any(|name| html.contains(name));
    let text_or_tags = [
        "<script",
        "<style",
        "<title",
        "<textarea",
        "<noscript",
        "<noframes",
        "<iframe",
        "<xmp",
        "<plaintext",
        "<noembed",
        "<![cdata[",
    ];
    has(&["<frameset"])
        || has(&["<template"]) && has(&["<col"])
        || has(&["<svg", "<math"]) && has(&text_or_tags)
        || has(&text_or_tags) && lacks_a_value(&html)
}

/// Is there an equals sign right before the end of a tag?
fn lacks_a_value(html: &str) -> bool {
    let mut parts = html.split('=').skip(1);
    parts.any(|part| part.trim_ascii_start().starts_with('>'))
}
