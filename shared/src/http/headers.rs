//! The header fields of an answer, and the lists in them.

/// The fields of a head in the order in which they came; values are bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Headers(Vec<(String, Vec<u8>)>);

impl Headers {
    pub(super) fn new(fields: &[httparse::Header<'_>]) -> Self {
        let fields = fields.iter();
        Self(fields.map(|field| (field.name.into(), unfold(field.value))).collect())
    }

    /// The values of all fields of that name, in any case.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let named = move |field: &&(String, _)| field.0.eq_ignore_ascii_case(name);
        self.0.iter().filter(named).map(|(_, value)| value.as_slice())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// The elements of all these values, which are lists (RFC 9110 §5.6.1).
    pub(super) fn elements(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let split = |value| <[u8]>::split(value, |byte| *byte == b',');
        self.all(name).flat_map(split).map(<[u8]>::trim_ascii)
    }

    /// Is any of these elements a coding that changes the body?
    pub(super) fn has_coding(&self, name: &str) -> bool {
        self.elements(name).any(is_coding)
    }
}

/// "identity" and an empty element name no coding.
pub(super) fn is_coding(element: &[u8]) -> bool {
    !element.is_empty() && !element.eq_ignore_ascii_case(b"identity")
}

/// A value that was folded over several lines, on one (RFC 9112 §5.2).
fn unfold(value: &[u8]) -> Vec<u8> {
    let lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(&b' ')
}
