//! The rules of a crawl.
use crate::{Promise, promises};
/// All of them.
pub const ALL: &[(&str, Promise)] = promises![];
