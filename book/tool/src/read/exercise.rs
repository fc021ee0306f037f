//! What pages and rules need to know of an exercise. The material is that of `cargo exercise`,
//! read by its own reader, so that page and check cannot disagree.

use runner::material::Exercise;
use runner::mistakes::{self, Mistake};

/// The heading before which a chapter's exercises come.
pub const BEFORE: &str = "## Python ↔ Rust";

/// The id of an exercise in its page.
pub fn id(exercise: &Exercise) -> String {
    format!("{}-exercise-{}", exercise.chapter, exercise.name)
}

/// What the check says about each recorded mistake. Without a record: nothing.
///
/// # Errors
/// A file cannot be read.
pub fn recorded(exercise: &Exercise) -> Result<Vec<Mistake>, String> {
    if !exercise.folder.join(mistakes::FILE).is_file() {
        return Ok(Vec::new());
    }
    mistakes::parse(&exercise.read(mistakes::FILE)?)
}
