//! How much of a response an attempt needs.

/// How much of a response is needed, and the method of its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The head alone, requested by HEAD.
    Head,
    /// The head alone, requested by GET, for servers that refuse HEAD. The body is not
    /// read.
    HeadOfGet,
    /// The whole response, requested by GET.
    Whole {
        /// The longest body that is accepted, in bytes.
        max_body: u64,
    },
}

impl Needs {
    /// Returns whether only the head is needed.
    pub fn is_head(self) -> bool {
        !matches!(self, Needs::Whole { .. })
    }

    /// Turns a GET request into the request for these needs. A HEAD request differs
    /// from it in the method only (RFC 9110 §9.3.2).
    pub fn request(self, get: Vec<u8>) -> Vec<u8> {
        match self {
            Needs::Head => [b"HEAD", &get[b"GET".len()..]].concat(),
            _ => get,
        }
    }
}
