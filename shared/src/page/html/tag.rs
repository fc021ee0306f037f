//! A start tag of a page, reduced to what a crawler needs.

use std::mem;

/// A start tag.
#[derive(Default)]
pub(crate) struct Tag {
    pub(super) name: Vec<u8>,
    /// The attributes that were asked for. Of two with the same name, the first is
    /// kept.
    pub(super) attributes: Vec<(&'static str, String)>,
    pub(super) is_of_svg: bool,
    pub(super) is_in_template: bool,
}

impl Tag {
    /// The name, in lower case.
    pub(crate) fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns whether the element belongs to `svg`, and not to HTML inside an `svg`.
    pub(crate) fn is_of_svg(&self) -> bool {
        self.is_of_svg
    }

    /// Returns whether the element is in a `template`, and so not in the document.
    pub(crate) fn is_in_template(&self) -> bool {
        self.is_in_template
    }

    /// Takes the value of an attribute and leaves an empty value.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let mut named = self.attributes.iter_mut().filter(|(it, _)| *it == name);
        named.next().map(|(_, value)| mem::take(value))
    }

    /// Returns the value of an attribute, with its entities resolved.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let mut named = self.attributes.iter().filter(|(it, _)| *it == name);
        named.next().map(|(_, value)| value.as_str())
    }
}
