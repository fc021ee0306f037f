//! Reads a page tag by tag (html5gum), in linear time and without a tree.

use super::foreign::{FOREIGN_ATTRIBUTES, Foreign};
use super::rest::Rest;
use super::tag::Tag;
use html5gum::{Emitter, Error, ForwardingEmitter, State, Tokenizer};
use std::cell::Cell;
use std::mem;
use std::ops::ControlFlow;

/// Calls `visit` for the start tags of a page, in their order. Each tag has the
/// attributes that are listed in `names`, in lower case. Most tags without attributes
/// are skipped. If `visit` breaks, the rest of the page is not read.
pub(crate) fn read_tags(
    html: &[u8],
    names: &'static [&'static str],
    visit: impl FnMut(&mut Tag) -> ControlFlow<()>,
) {
    let (skips_tags, is_over) = (Cell::new(true), Cell::new(false));
    let mut tags = Tags {
        names,
        skips_tags: &skips_tags,
        is_over: &is_over,
        visit,
        tag: Tag::default(),
        is_end: false,
        is_self_closing: false,
        attribute: Vec::new(),
        name_to_keep: None,
        value: Vec::new(),
        last_start: Vec::new(),
        foreign: Foreign::default(),
        open_templates: 0,
    };
    let page = Rest { html, skips_tags: &skips_tags, is_over: &is_over };
    let mut reader = Tokenizer::new_with_emitter(page, Lent(&mut tags));
    while reader.next().is_some() {}
}

/// Builds tags from what the tokenizer reports.
struct Tags<'a, V> {
    names: &'static [&'static str],
    /// Whether the reader may skip tags now. Set after each tag.
    skips_tags: &'a Cell<bool>,
    /// Whether the reader may skip the rest of the page. Set if `visit` breaks.
    is_over: &'a Cell<bool>,
    visit: V,
    tag: Tag,
    is_end: bool,
    is_self_closing: bool,
    /// The name of the current attribute. Cleared when the name is complete.
    attribute: Vec<u8>,
    /// The name of the current attribute if its value is kept. Set at the end of the
    /// name, taken at the end of the value.
    name_to_keep: Option<&'static str>,
    value: Vec<u8>,
    /// The name of the last start tag. In a script or a title, only its end tag ends
    /// the text.
    last_start: Vec<u8>,
    foreign: Foreign,
    /// How many `template` elements are open.
    open_templates: usize,
}

impl<V: FnMut(&mut Tag) -> ControlFlow<()>> Tags<'_, V> {
    /// Decides whether to keep the attribute, whose name is now complete.
    fn end_attribute_name(&mut self) {
        let foreign = if self.foreign.is_in_html() { &[] } else { FOREIGN_ATTRIBUTES };
        let mut names = self.names.iter().chain(foreign);
        let name = names.find(|name| name.as_bytes() == self.attribute).copied();
        self.name_to_keep =
            name.filter(|name| !self.is_end && self.tag.get(name).is_none());
        self.attribute.clear();
    }

    fn end_attribute(&mut self) {
        if !self.attribute.is_empty() {
            self.end_attribute_name(); // the attribute has no value
        }
        let Some(name) = self.name_to_keep.take() else { return };
        let value = match String::from_utf8(mem::take(&mut self.value)) {
            Ok(value) => value,
            // Only the prescan of `charset.rs` passes bytes that may not be UTF-8.
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
        self.tag.attributes.push((name, value));
    }

    fn begin_tag(&mut self, is_end: bool) {
        if !self.is_end {
            mem::swap(&mut self.tag.name, &mut self.last_start);
        }
        self.tag.name.clear();
        self.tag.attributes.clear();
        (self.is_end, self.is_self_closing) = (is_end, false);
    }
}

impl<V: FnMut(&mut Tag) -> ControlFlow<()>> Emitter for Tags<'_, V> {
    type Token = ();

    fn init_start_tag(&mut self) {
        self.begin_tag(false);
    }

    fn init_end_tag(&mut self) {
        self.begin_tag(true);
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        self.tag.name.extend(name);
    }

    fn init_attribute(&mut self) {
        self.end_attribute();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        self.attribute.extend(name);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if !self.attribute.is_empty() {
            self.end_attribute_name();
        }
        if self.name_to_keep.is_some() {
            self.value.extend(value);
        }
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        let mut content = None;
        let is_template = self.foreign.is_in_html() && self.tag.name == b"template";
        if self.is_end {
            let ended = usize::from(is_template);
            self.open_templates = self.open_templates.saturating_sub(ended);
            self.foreign.end(&self.tag.name);
        } else {
            self.tag.is_of_svg = self.foreign.is_of_svg(&self.tag);
            self.tag.is_in_template = self.open_templates > 0;
            self.is_over.set((self.visit)(&mut self.tag).is_break());
            self.open_templates += usize::from(is_template);
            content = self.foreign.start(&self.tag, self.is_self_closing);
        }
        self.skips_tags.set(content.is_none() && self.foreign.is_empty());
        content
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start = name.unwrap_or_default().to_vec();
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.is_end && self.tag.name == self.last_start
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        !self.foreign.is_in_html()
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<()> {
        None
    }

    // Everything but tags is skipped.
    fn emit_eof(&mut self) {}
    fn emit_error(&mut self, _: Error) {}
    fn emit_string(&mut self, _: &[u8]) {}
    fn init_comment(&mut self) {}
    fn push_comment(&mut self, _: &[u8]) {}
    fn emit_current_comment(&mut self) {}
    fn init_doctype(&mut self) {}
    fn push_doctype_name(&mut self, _: &[u8]) {}
    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}
    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}
    fn set_force_quirks(&mut self) {}
    fn emit_current_doctype(&mut self) {}
}

/// A borrowed emitter, because the tokenizer takes ownership of its emitter.
struct Lent<'a, V>(&'a mut Tags<'a, V>);

impl<V: FnMut(&mut Tag) -> ControlFlow<()>> ForwardingEmitter for Lent<'_, V> {
    type Token = ();

    fn inner(&mut self) -> &mut impl Emitter<Token = ()> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the visited tags.
    fn visited(html: &str) -> Vec<String> {
        let mut names = Vec::new();
        let name = |tag: &Tag| String::from_utf8(tag.name().to_vec()).expect("text");
        read_tags(html.as_bytes(), &["href"], |tag| {
            names.push(name(tag));
            ControlFlow::Continue(())
        });
        names
    }

    #[test]
    fn a_tag_without_attributes_is_skipped_unless_it_changes_what_follows() {
        for (html, names) in [
            ("<p>text</p><b>1 < 2</b><a href=1>", "a"),
            ("<P></P><p ><p/><h1>", "p p p"),
            ("</b foo=\"><a href=1>\"><a href=2>", "a"),
            ("<b<a href=1><><3></3></><a href=2>", "b<a a"),
            ("<template><b></template></b><a href=1>", "template a"),
            ("<title></b foo </title><a href=1>", "title a"),
            ("<script></b '</script></b><a href=1>", "script a"),
            ("<STYLE></b <b x='</STYLE><b>\0&amp;\r<a href=1>", "style a"),
            ("<svg><p></p><svg><path></svg></p></svg><p>", "svg p svg path"),
            ("<math><mi></b></mi></math><p>", "math mi"),
            ("<frameset><frame><!-- <b> --><b", "frameset"),
            ("<plaintext></plaintext><a href=1>", "plaintext"),
        ] {
            assert_eq!(visited(html).join(" "), names, "{html}");
        }
    }
}
