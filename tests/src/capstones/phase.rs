//! The promises of the capstone `phase`, a change of stage 1: the report says in which phase a page was too slow.

use crate::{Rule, rules};

/// All promises, each a rule for the changed crawler.
pub const ALL: &[(&str, Rule)] = rules![];
