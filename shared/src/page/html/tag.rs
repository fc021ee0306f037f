//! A start tag of a page, as far as a crawler needs it.

use std::mem;

/// A start tag.
#[derive(Default)]
pub(crate) struct Tag {
    pub(super) name: Vec<u8>,
    /// The first attribute of each name.
    pub(super) attributes: Vec<(&'static str, String)>,
    pub(super) is_of_svg: bool,
}

impl Tag {
    /// The name, in lower case.
    pub(crate) fn name(&self) -> &[u8] {
        &self.name
    }

    /// Returns whether this is an element of `svg`, and not of HTML inside an `svg`.
    pub(crate) fn is_of_svg(&self) -> bool {
        self.is_of_svg
    }

    /// Takes the value of an attribute; then it is empty.
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
