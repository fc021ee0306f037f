//! The promises of the capstone `deadlines`, a change of stage 2: connecting has a shorter limit inside of the whole time-out.

use crate::{Rule, rules};

/// All promises, each a rule for the changed crawler.
pub const ALL: &[(&str, Rule)] = rules![];
