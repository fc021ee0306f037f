//! The files of a class: each folder is a student's. A file in a folder below it counts, too,
//! with a warning.

use crate::material::Exercise;
use anstream::eprintln;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A student, and a file for each exercise. `None`: there is none.
pub(super) struct Student {
    pub(super) name: String,
    pub(super) files: Vec<Option<PathBuf>>,
}

/// Returns the students, in the natural order of their names: 2 before 10. Warnings go to
/// standard error.
///
/// # Errors
/// None of the folders has a file of an exercise.
pub(super) fn students(
    folders: &[PathBuf],
    exercises: &[Exercise],
) -> Result<Vec<Student>, String> {
    let mut students = Vec::new();
    for folder in folders {
        // So that `.` has a name, which may have any characters.
        let folder = folder.canonicalize().unwrap_or(folder.clone());
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
        let warn = |text: &str, files: &[PathBuf]| {
            let shown = |it: &PathBuf| {
                it.strip_prefix(&folder).unwrap_or(it).display().to_string()
            };
            let files: Vec<String> = files.iter().map(shown).collect();
            eprintln!("warning: {}: {text}{}", folder.display(), files.join(", "));
        };
        if !folder.is_dir() {
            warn("no such folder", &[]);
            continue;
        }
        let mut all = programs(&folder, MOST_DEEP);
        let (mut files, mut misplaced) = (Vec::new(), Vec::new());
        for exercise in exercises {
            let file = format!("{}.rs", exercise.name);
            let (places, own) =
                (all.remove(&file).unwrap_or_default(), folder.join(file));
            files.push(match &places[..] {
                _ if places.contains(&own) => Some(own),
                [only] => {
                    misplaced.push(only.clone());
                    Some(only.clone())
                }
                [] => None,
                several => {
                    warn("which is it? None is graded of ", several);
                    None
                }
            });
        }
        if !misplaced.is_empty() {
            warn("graded, but in the wrong place: ", &misplaced);
        } else if files.iter().all(Option::is_none) {
            warn("no file to grade; its name would be that of an exercise", &[]);
        }
        let student = Student { name: name.replace(char::is_control, "?"), files };
        students.push(student);
    }
    if students.iter().flat_map(|it| &it.files).flatten().next().is_none() {
        return Err("none of these folders has a file of these exercises".into());
    }
    students.sort_by_cached_key(|it| natural(&it.name));
    Ok(students)
}

/// Returns the parts of a name, with its numbers as numbers.
fn natural(name: &str) -> Vec<(String, Option<u64>)> {
    let is_digit = |it: char| it.is_ascii_digit();
    let (mut parts, mut rest) = (Vec::new(), name);
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(is_digit).unwrap_or(rest.len()));
        let end = after.find(|it| !is_digit(it)).unwrap_or(after.len());
        // A number that is too large is the last of all.
        let number = (end > 0).then(|| after[..end].parse().unwrap_or(u64::MAX));
        parts.push((word.to_lowercase(), number));
        rest = &after[end..];
    }
    parts
}

/// How far below a folder its files are looked for: as far as they are in a clone.
const MOST_DEEP: usize = 5;

/// Programs by their names: where they are.
type Places = BTreeMap<String, Vec<PathBuf>>;

/// Returns the programs below a folder. Links to folders, hidden folders, and what cargo has
/// built or the runner has kept are left out.
fn programs(folder: &Path, depth: usize) -> Places {
    let mut all = Places::new();
    // A folder that cannot be read has no files for us.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<fs::DirEntry> = entries.collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_left_out =
            name.starts_with('.') || ["target", "old"].contains(&name.as_str());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if depth > 0 && !is_left_out {
                for (name, mut places) in programs(&entry.path(), depth - 1) {
                    all.entry(name).or_default().append(&mut places);
                }
            }
        } else if entry.path().is_file() {
            all.entry(name).or_default().push(entry.path());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_comes_before_ten() {
        let mut names = ["b", "a10", "a2", "a", "A1b", "a99999999999999999999"];
        names.sort_by_cached_key(|it| natural(it));
        assert_eq!(names, ["a", "A1b", "a2", "a10", "a99999999999999999999", "b"]);
    }
}
