//! How much of a response an attempt needs.

/// Stands for this limit of a body and all larger ones.
const LARGEST: u64 = u64::MAX - 2;

/// How much of a response is needed, and by which method it is requested.
///
/// It has the size of a number, since each fetch that waits holds one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs(u64);

impl Needs {
    /// The head alone, requested by HEAD.
    pub const HEAD: Needs = Needs(u64::MAX);
    /// The head alone, requested by GET: for servers that refuse HEAD. The rest of the
    /// response is not read.
    pub const HEAD_OF_GET: Needs = Needs(u64::MAX - 1);

    /// All of it, requested by GET, with a body of at most so many bytes.
    pub fn whole(max_body: u64) -> Needs {
        Needs(max_body.min(LARGEST))
    }

    /// Returns whether the head is all that is needed.
    pub fn is_head(self) -> bool {
        self == Needs::HEAD || self == Needs::HEAD_OF_GET
    }

    /// Returns the longest body that is accepted, in bytes.
    pub(super) fn max_body(self) -> u64 {
        match self {
            Needs::HEAD | Needs::HEAD_OF_GET => 0,
            Needs(LARGEST) => u64::MAX,
            Needs(max_body) => max_body,
        }
    }

    /// Returns a request for it, made of a GET request for the same: but for the method a
    /// HEAD request does not differ (RFC 9110 §9.3.2).
    pub fn request(self, get: Vec<u8>) -> Vec<u8> {
        match self {
            Needs::HEAD => [b"HEAD", &get[b"GET".len()..]].concat(),
            _ => get,
        }
    }
}

impl From<u64> for Needs {
    fn from(max_body: u64) -> Needs {
        Needs::whole(max_body)
    }
}
