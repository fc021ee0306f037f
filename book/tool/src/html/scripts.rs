//! The scripts of players and boards: where they are, and several as one file.

use std::fs;
use std::path::Path;

/// The folder of the scripts and of the data, below the theme's and the built book's.
pub(super) const FOLDER: &str = "player";

/// Joins scripts of the theme. What makes the first one strict holds for all.
pub(super) fn joined(folder: &Path, names: &[&str]) -> Result<String, String> {
    let read = |name: &&str| {
        let file = folder.join(name).with_extension("js");
        fs::read_to_string(&file).map_err(|error| super::why(&file, &error))
    };
    names.iter().map(read).collect::<Result<Vec<_>, _>>().map(|it| it.concat())
}
