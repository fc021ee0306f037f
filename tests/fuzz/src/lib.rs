//! What holds for any bytes that a server may send: functions that panic where it does
//! not.
//!
//! The fuzzer calls them with bytes that it makes up (`fuzz_targets/`), and the test of
//! the seeds with bytes that are kept (`seeds/`).
#![forbid(unsafe_code)]

pub mod charset; // which encoding a page is read in
pub mod chunks; // the chunked coding
pub mod head; // what a head says, and which heads are refused
pub mod links; // where a page points, and what is asked for then
pub mod page; // the work of reading a response
pub mod response; // a whole answer, at any split
pub mod seeds; // the bytes that are kept

mod feed; // answers from bytes, in one piece or many
mod made_page; // a page made of parts, some of which name an encoding
mod plain_chunks; // the chunked coding, decoded the plain way
mod plain_head; // a head, read the plain way

/// A promise about any bytes.
pub type Check = fn(&[u8]);

/// The targets, and their checks.
pub const TARGETS: &[(&str, Check)] = &[
    ("head", head::check),
    ("response", response::check),
    ("chunks", chunks::check),
    ("links", links::check),
    ("page", page::check),
    ("charset", charset::check),
];
