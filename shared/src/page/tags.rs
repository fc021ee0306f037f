//! Reads a page tag by tag (html5gum), in linear time and without a tree.

use super::foreign::{FOREIGN_ATTRIBUTES, Foreign};
use html5gum::{Emitter, Error, ForwardingEmitter, State, Tokenizer};
use std::mem;

/// Calls `visit` with each start tag of a page, in the page's order. It has the attributes
/// in `names`, which are in lower case.
pub(super) fn read_tags(
    html: &str,
    names: &'static [&'static str],
    visit: impl FnMut(&mut Tag),
) {
    let mut tags = Tags {
        names,
        visit,
        tag: Tag::default(),
        is_end: false,
        is_self_closing: false,
        attribute: Vec::new(),
        kept: None,
        value: Vec::new(),
        last_start: Vec::new(),
        foreign: Foreign::default(),
    };
    let mut reader = Tokenizer::new_with_emitter(html, Lent(&mut tags));
    while reader.next().is_some() {}
}

/// A start tag.
#[derive(Default)]
pub(super) struct Tag {
    name: Vec<u8>,
    /// The first attribute of each name.
    attributes: Vec<(&'static str, String)>,
    is_of_svg: bool,
}

impl Tag {
    /// The name, in lower case.
    pub(super) fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns whether it is an element of `svg`, and not of HTML in it.
    pub(super) fn is_of_svg(&self) -> bool {
        self.is_of_svg
    }

    /// Takes the value of an attribute; then it is empty.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let mut named = self.attributes.iter_mut().filter(|(it, _)| *it == name);
        named.next().map(|(_, value)| mem::take(value))
    }

    /// Returns the value of an attribute, with its entities resolved.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut named = self.attributes.iter().filter(|(it, _)| *it == name);
        named.next().map(|(_, value)| value.as_str())
    }
}

/// Assembles tags of what the tokenizer reports.
struct Tags<V> {
    names: &'static [&'static str],
    visit: V,
    tag: Tag,
    is_end: bool,
    is_self_closing: bool,
    /// The name of the current attribute.
    attribute: Vec<u8>,
    /// The same, if its value is kept. Set when the value begins.
    kept: Option<&'static str>,
    value: Vec<u8>,
    /// The name of the last start tag, whose end tag ends text.
    last_start: Vec<u8>,
    foreign: Foreign,
}

impl<V: FnMut(&mut Tag)> Tags<V> {
    /// Sets whether the attribute whose name is complete is kept.
    fn end_attribute_name(&mut self) {
        let foreign = if self.foreign.is_in_html() { &[] } else { FOREIGN_ATTRIBUTES };
        let mut names = self.names.iter().chain(foreign);
        let name = names.find(|name| name.as_bytes() == self.attribute).copied();
        self.kept = name.filter(|name| !self.is_end && self.tag.get(name).is_none());
        self.attribute.clear();
    }

    fn end_attribute(&mut self) {
        if !self.attribute.is_empty() {
            self.end_attribute_name(); // it has no value
        }
        let Some(name) = self.kept.take() else { return };
        let value = String::from_utf8(mem::take(&mut self.value));
        // The page is text, so its parts are.
        self.tag.attributes.push((name, value.unwrap_or_default()));
    }

    fn begin_tag(&mut self, is_end: bool) {
        self.tag.name.clear();
        self.tag.attributes.clear();
        (self.is_end, self.is_self_closing) = (is_end, false);
    }
}

impl<V: FnMut(&mut Tag)> Emitter for Tags<V> {
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
        if self.kept.is_some() {
            self.value.extend(value);
        }
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        if self.is_end {
            self.foreign.end(&self.tag.name);
            return None;
        }
        self.tag.is_of_svg = self.foreign.is_of_svg(&self.tag);
        (self.visit)(&mut self.tag);
        self.last_start.clone_from(&self.tag.name);
        self.foreign.start(&self.tag, self.is_self_closing)
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

    // What is no tag is skipped.
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

/// Lends the emitter to the tokenizer, which keeps what it is given.
struct Lent<'a, V>(&'a mut Tags<V>);

impl<V: FnMut(&mut Tag)> ForwardingEmitter for Lent<'_, V> {
    type Token = ();

    fn inner(&mut self) -> &mut impl Emitter<Token = ()> {
        self.0
    }
}
