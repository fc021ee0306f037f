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
        // So that `.` has a name.
        let folder = folder.canonicalize().unwrap_or(folder.clone());
        let mut student = Student { name: name_of(&folder), files: Vec::new() };
        let warn = |text: &str| eprintln!("warning: {}: {text}", folder.display());
        if !folder.is_dir() {
            warn("no such folder");
            continue;
        }
        let all = programs(&folder, MOST_DEEP);
        let mut misplaced = Vec::new();
        for exercise in exercises {
            let places = all.get(&file_of(exercise));
            let file = match places.map_or(&[][..], Vec::as_slice) {
                [] => None,
                several if several.iter().any(|it| it.parent() == Some(&folder)) => {
                    Some(folder.join(file_of(exercise)))
                }
                [only] => {
                    misplaced.push(shown(&folder, only));
                    Some(only.clone())
                }
                several => {
                    let list: Vec<_> =
                        several.iter().map(|it| shown(&folder, it)).collect();
                    warn(&format!(
                        "which is it? None is graded of {}",
                        list.join(", ")
                    ));
                    None
                }
            };
            student.files.push(file);
        }
        if !misplaced.is_empty() {
            warn(&format!("graded, but in the wrong place: {}", misplaced.join(", ")));
        }
        if !exercises.iter().any(|it| all.contains_key(&file_of(it))) {
            let example = exercises.first().map_or("leaf.rs".into(), file_of);
            warn(&format!("no file has the name of an exercise, such as {example}"));
        }
        students.push(student);
    }
    if students.iter().flat_map(|it| &it.files).flatten().next().is_none() {
        return Err("none of these folders has a file of these exercises".into());
    }
    students.sort_by_cached_key(|it| natural(&it.name));
    Ok(students)
}

/// Returns the name of a folder as a line: a name may have any characters.
fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    name.replace(char::is_control, "?")
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

fn file_of(exercise: &Exercise) -> String {
    format!("{}.rs", exercise.name)
}

fn shown(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).display().to_string()
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
