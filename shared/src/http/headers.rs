//! The header fields of a response, and the lists inside their values.

/// The names and values of a head's fields, in the order in which they were sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Headers(Vec<(String, Vec<u8>)>);

impl Headers {
    pub(super) fn new(fields: &[httparse::Header<'_>]) -> Self {
        let fields = fields.iter();
        Self(fields.map(|field| (field.name.into(), unfold(field.value))).collect())
    }

    /// Returns the values of all fields of that name, in upper or lower case.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let named = move |field: &&(String, _)| field.0.eq_ignore_ascii_case(name);
        self.0.iter().filter(named).map(|(_, value)| value.as_slice())
    }

    /// Returns whether there is a field of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Returns the list elements in the values of all fields of that name (RFC 9110
    /// §5.6.1).
    pub(super) fn elements(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let split = |value| <[u8]>::split(value, |byte| *byte == b',');
        self.all(name).flat_map(split).map(<[u8]>::trim_ascii)
    }

    /// Returns whether any element of these fields names a coding that changes the
    /// body.
    pub(super) fn has_coding(&self, name: &str) -> bool {
        self.elements(name).any(is_coding)
    }
}

/// Returns whether a list element names a coding. Both `identity` and an empty element
/// mean that there is none.
pub(super) fn is_coding(element: &[u8]) -> bool {
    !element.is_empty() && !element.eq_ignore_ascii_case(b"identity")
}

/// Joins a value that is folded over several lines (RFC 9112 §5.2).
fn unfold(value: &[u8]) -> Vec<u8> {
    let lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(&b' ')
}
