//! Reads a page tag by tag (html5gum), in linear time and without a tree.

use super::foreign::{FOREIGN_ATTRIBUTES, Foreign};
use super::tag::Tag;
use html5gum::{Emitter, Error, ForwardingEmitter, Readable, Reader, State, Tokenizer};
use memchr::memchr;
use std::cell::Cell;
use std::convert::Infallible;
use std::mem;
use std::ops::ControlFlow;

/// Calls `visit` with the start tags of a page, in the page's order. Each has the attributes
/// in `names`, which are in lower case. Most tags without any attribute are left out. If
/// `visit` breaks off, the rest of the page is not read.
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
        kept: None,
        value: Vec::new(),
        last_start: Vec::new(),
        foreign: Foreign::default(),
    };
    let page = Rest { html, skips_tags: &skips_tags, is_over: &is_over };
    let mut reader = Tokenizer::new_with_emitter(page, Lent(&mut tags));
    while reader.next().is_some() {}
}

/// Assembles tags of what the tokenizer reports.
struct Tags<'a, V> {
    names: &'static [&'static str],
    /// Tells the reader whether it may skip tags now.
    skips_tags: &'a Cell<bool>,
    /// Tells the reader that the rest of the page is not needed.
    is_over: &'a Cell<bool>,
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

impl<V: FnMut(&mut Tag) -> ControlFlow<()>> Tags<'_, V> {
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
        let value = match String::from_utf8(mem::take(&mut self.value)) {
            Ok(value) => value,
            // Only while the encoding is not known, see `charset.rs`.
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
        if self.kept.is_some() {
            self.value.extend(value);
        }
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.end_attribute();
        let mut content = None;
        if self.is_end {
            self.foreign.end(&self.tag.name);
        } else {
            self.tag.is_of_svg = self.foreign.is_of_svg(&self.tag);
            self.is_over.set((self.visit)(&mut self.tag).is_break());
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

/// What is left of a page, for the tokenizer. It never sees what cannot matter: the text
/// between tags, and most tags without attributes.
struct Rest<'a> {
    html: &'a [u8],
    /// Whether a tag may be skipped: not in `svg` and `math`, nor where `</b>` may be text.
    skips_tags: &'a Cell<bool>,
    /// Whether all that matters was read.
    is_over: &'a Cell<bool>,
}

impl<'a> Rest<'a> {
    #[inline]
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, left) = self.html.split_at(count);
        self.html = left;
        taken
    }

    /// Goes on to the next `<` that may matter.
    fn skip(&mut self) {
        if self.is_over.get() {
            self.html = &[];
        }
        while let Some(text) = memchr(b'<', self.html) {
            self.take(text);
            match bare_tag(self.html).filter(|_| self.skips_tags.get()) {
                Some(length) => self.take(length),
                None => return,
            };
        }
        self.html = &[];
    }
}

/// Returns the length of the tag that comes next, if it has no attributes and does not change
/// how the rest of the page is read.
fn bare_tag(html: &[u8]) -> Option<usize> {
    let is_of_name = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let tag = html.strip_prefix(b"<")?;
    let name_on = tag.strip_prefix(b"/").unwrap_or(tag);
    let length = name_on.iter().position(|byte| !is_of_name(byte))?;
    let (name, after) = name_on.split_at(length);
    let matters = name_on.len() == tag.len()
        && (name == b"frameset" || Foreign::is_changed_by(name));
    (after.starts_with(b">") && !matters).then(|| html.len() - after.len() + 1)
}

// All of it is inlined: each search is compiled for its own bytes.
impl Reader for Rest<'_> {
    type Error = Infallible;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Infallible> {
        Ok(self.html.split_off_first().copied())
    }

    #[inline(always)]
    fn try_read_string(
        &mut self,
        text: &[u8],
        cased: bool,
    ) -> Result<bool, Infallible> {
        let is_next = self.html.to_reader().try_read_string(text, cased)?;
        self.take(if is_next { text.len() } else { 0 });
        Ok(is_next)
    }

    /// Returns bytes up to one in `needle`, or that byte. The tokenizer searches for these
    /// four bytes in text, and for all but the first in scripts and styles.
    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Infallible> {
        let count = match needle {
            b"&<\0\r" | b"<\0\r" => {
                self.skip();
                self.html.len().min(1)
            }
            _ => {
                self.html.to_reader().read_until(needle, buffer)?.map_or(0, <[u8]>::len)
            }
        };
        Ok(Some(self.take(count)).filter(|bytes| !bytes.is_empty()))
    }
}

/// Lends the emitter to the tokenizer, which keeps what it is given.
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

    /// The names of the tags that are visited.
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
