//! The promises of the capstone `hosts`, a change of stage 3: at most two requests at a time for one host.

use crate::{Rule, rules};

/// All promises, each a rule for the changed crawler.
pub const ALL: &[(&str, Rule)] = rules![];
