//! The exercises: `*/exercises/NAME/`, in the order of the book.

use crate::{bare, holes};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The parts of the project that have exercises.
const PARTS: [&str; 4] =
    ["shared", "stage1-callbacks", "stage2-generators", "stage3-async"];

/// Where the project and the learner's files are.
pub struct Project {
    /// The root of the repository.
    pub root: PathBuf,
    /// The learner's files, `NAME.rs`, and `progress.txt`.
    pub answers: PathBuf,
}

impl Project {
    /// The project that this program was built in. `answers` is where the learner's files
    /// are, if not in `checks/src/bin`.
    pub fn new(answers: Option<PathBuf>) -> Project {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.ancestors().nth(3).expect("the runner is below the root");
        let usual = || root.join("tests/exercises/checks/src/bin");
        Project { root: root.into(), answers: answers.unwrap_or_else(usual) }
    }

    /// Returns the path as seen from the root, if it is below it: short, and a link in the
    /// terminals of editors.
    pub fn short<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Returns the learner's file of an exercise.
    pub fn answer(&self, exercise: &Exercise) -> PathBuf {
        self.answers.join(format!("{}.rs", exercise.name))
    }

    /// Returns the folder in which programs are compiled.
    pub fn work(&self) -> PathBuf {
        self.root.join("target/solutions")
    }
}

/// One exercise. All but `name` and `folder` is in the first line of its `hints.md`.
#[derive(Debug, Clone)]
pub struct Exercise {
    /// The name of its folder, of its module in the checks, and of the learner's file.
    pub name: String,
    /// What it is about, as a title.
    pub title: String,
    /// The page of its chapter, without `.md`.
    pub chapter: String,
    /// The number of that chapter.
    pub number: usize,
    /// Its place among the exercises of the chapter.
    pub place: usize,
    /// How long a learner may need.
    pub minutes: usize,
    /// How many lines a learner writes.
    pub lines: usize,
    /// Exercises to do before this one.
    pub needs: Vec<String>,
    /// `solution.rs`, `wrong.txt` and `hints.md`; and `start.rs`, if the start is not made
    /// from the solution.
    pub folder: PathBuf,
}

impl Exercise {
    /// Returns the text of a file of this exercise, as [`source`] does.
    pub fn read(&self, file: &str) -> Result<String, String> {
        if [SOLUTION, "wrong.txt"].contains(&file) && !self.has_solution() {
            return Err("the tree of a class has no solutions: ask your teacher".into());
        }
        source(&self.folder.join(file))
    }

    /// Returns the start of this level.
    pub fn start(&self, root: &Path, level: u8) -> Result<String, String> {
        let kept = Exercise::kept_start(level);
        if level == holes::USUAL || self.folder.join(&kept).exists() {
            return self.read(&kept);
        }
        if !self.has_solution() {
            return Err(format!("the tree of a class has no starts of level {level}"));
        }
        let marked = read(&self.folder.join(SOLUTION))?;
        if level < holes::USUAL {
            return holes::open(&marked, level, &self.name);
        }
        bare::start(&self.name, &holes::filled(&marked)?, &self.checks(root)?)
    }

    /// Returns the text of its trait and cases.
    pub fn checks(&self, root: &Path) -> Result<String, String> {
        read(&root.join(CHECKS).join(format!("{}.rs", self.name)))
    }

    /// Returns whether its cases run in every order of their threads. Only these need loom.
    pub fn has_threads(&self, root: &Path) -> Result<bool, String> {
        Ok(self.checks(root)?.contains("crate::orders"))
    }

    /// The file with a start of this level, where starts are not made from solutions.
    pub fn kept_start(level: u8) -> String {
        match level {
            holes::USUAL => START.into(),
            _ => format!("start-{level}.rs"),
        }
    }

    /// Returns whether the solution is here. A class's tree has none.
    pub fn has_solution(&self) -> bool {
        self.folder.join(SOLUTION).exists()
    }

    /// Returns all its starts, each with its level.
    pub fn starts(&self, root: &Path) -> Result<Vec<(String, u8)>, String> {
        holes::LEVELS.map(|level| Ok((self.start(root, level)?, level))).collect()
    }

    /// Returns the file that its usual start is from.
    pub fn file_of_start(&self) -> &'static str {
        if self.folder.join(START).exists() { START } else { SOLUTION }
    }

    /// Returns the three hints.
    pub fn hints(&self) -> Result<Vec<String>, String> {
        let text = self.read("hints.md")?;
        let hint = |title: &str| {
            let (_, rest) = text.split_once(&format!("\n## {title}\n"))?;
            let hint = rest.split("\n## ").next().unwrap_or_default().trim();
            Some(hint.to_string()).filter(|hint| !hint.is_empty())
        };
        let missing = |title| format!("{}: hints.md has no `## {title}`", self.name);
        let titles = ["First", "Second", "Third"];
        titles.iter().map(|title| hint(title).ok_or_else(|| missing(title))).collect()
    }
}

/// The solution of an exercise, with its holes.
const SOLUTION: &str = "solution.rs";

/// The start, if it is not made from the solution.
const START: &str = "start.rs";

/// The traits and cases of all exercises, below the root.
pub const CHECKS: &str = "tests/exercises/checks/src/exercises";

/// Returns the text of a file of an exercise: a `solution.rs` without the marks of its holes,
/// and a `start.rs` that is not there made from the solution.
pub fn source(path: &Path) -> Result<String, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let in_it = |why| format!("{}: {why}", folder.display());
    match path.file_name().and_then(|it| it.to_str()) {
        Some(SOLUTION) => holes::filled(&read(path)?).map_err(in_it),
        Some(START) if !path.exists() => {
            let solution = read(&folder.join(SOLUTION))?;
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            holes::open(&solution, holes::USUAL, &name).map_err(in_it)
        }
        _ => read(path),
    }
}

/// Returns the list of the modules of the checks, `exercises.rs`.
pub fn modules(exercises: &[Exercise], root: &Path) -> Result<String, String> {
    let line = |it: &Exercise| {
        let condition =
            it.has_threads(root)?.then_some("#[cfg(feature = \"orders\")]\n");
        Ok(format!("{}pub mod {};\n", condition.unwrap_or_default(), it.name))
    };
    let mut sorted: Vec<&Exercise> = exercises.iter().collect();
    sorted.sort_unstable_by_key(|it| &it.name);
    let lines = sorted.into_iter().map(line).collect::<Result<String, String>>()?;
    Ok(format!(
        "//! All exercises, sorted: `cargo exercise prove --update NAME` adds one.\n\
         //! The order in which they are taught is in the first line of each `hints.md`.\n\n\
         {lines}"
    ))
}

/// Returns the text of a file, with the line ends of Unix.
pub fn read(path: &Path) -> Result<String, String> {
    let text = fs::read_to_string(path);
    text.map(|text| text.replace('\r', ""))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns a part of a file, named `FILE:ANCHOR` as pages of the book name it.
pub fn anchored(root: &Path, name: &str) -> Result<String, String> {
    let none = || format!("{name}: no such listing");
    let (file, anchor) = name.rsplit_once(':').ok_or_else(none)?;
    let text = read(&root.join(file))?;
    let (begin, end) =
        (format!("// ANCHOR: {anchor}\n"), format!("// ANCHOR_END: {anchor}\n"));
    let part = text.split_once(&begin).and_then(|it| it.1.split_once(&end));
    Ok(without_anchors(part.ok_or_else(none)?.0))
}

/// Leaves out the lines that say which part the book prints.
pub fn without_anchors(text: &str) -> String {
    let is_anchor = |line: &&str| line.trim_start().starts_with("// ANCHOR");
    text.split_inclusive('\n').filter(|line| !is_anchor(line)).collect()
}

/// Returns a path as a string of TOML. Strings of JSON are such, too.
pub(crate) fn quoted(path: &Path) -> Value {
    Value::from(path.to_string_lossy())
}

/// A chapter of the book.
pub struct Chapter {
    /// Its page, without `.md`.
    pub page: String,
    /// Its title.
    pub title: String,
}

/// Returns all chapters, in their order.
pub fn chapters(root: &Path) -> Result<Vec<Chapter>, String> {
    let summary = read(&root.join("book/src/SUMMARY.md"))?;
    let chapter = |line: &str| {
        let (title, page) = line.strip_prefix("- [")?.split_once("](")?;
        Some(Chapter { page: page.strip_suffix(".md)")?.into(), title: title.into() })
    };
    Ok(summary.lines().filter_map(chapter).collect())
}

/// Returns the number of a chapter and the chapter, if one has this page.
pub fn chapter<'a>(
    chapters: &'a [Chapter],
    page: &str,
) -> Option<(usize, &'a Chapter)> {
    (1..).zip(chapters).find(|it| it.1.page == page)
}

/// Returns all exercises, by chapter and place.
pub fn exercises(root: &Path) -> Result<Vec<Exercise>, String> {
    let chapters = chapters(root)?;
    let mut all = Vec::new();
    for part in PARTS {
        // A part may have no exercises.
        let Ok(folders) = fs::read_dir(root.join(part).join("exercises")) else {
            continue;
        };
        for folder in folders.flatten().filter(|entry| entry.path().is_dir()) {
            all.push(exercise(folder.path(), &chapters)?);
        }
    }
    all.sort_by_key(|it| (it.number, it.place, it.name.clone()));
    Ok(all)
}

fn exercise(folder: PathBuf, chapters: &[Chapter]) -> Result<Exercise, String> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = read(&folder.join("hints.md"))?;
    let first = text.lines().next().unwrap_or_default();
    let fields = first.strip_prefix("<!-- ").and_then(|it| it.strip_suffix(" -->"));
    let fields =
        fields.ok_or(format!("{name}: hints.md does not begin with its fields"))?;
    let field = |key: &str| {
        let fields = fields.split(';').filter_map(|field| field.trim().split_once(':'));
        let value = fields.clone().find(|(found, _)| *found == key);
        value.map(|it| it.1.trim()).ok_or(format!("{name}: hints.md has no `{key}:`"))
    };
    let number = |key: &str| {
        let value = field(key)?;
        value.parse().map_err(|_| format!("{name}: `{key}: {value}` is no number"))
    };
    let page = field("chapter")?;
    let none = || format!("{name}: `{page}` is not in SUMMARY.md");
    let (at, _) = chapter(chapters, page).ok_or_else(none)?;
    let needs = field("needs")?.split(',').map(str::trim).filter(|it| !it.is_empty());
    Ok(Exercise {
        title: field("title")?.into(),
        chapter: page.into(),
        number: at,
        place: number("place")?,
        minutes: number("minutes")?,
        lines: number("lines")?,
        needs: needs.map(String::from).collect(),
        name,
        folder,
    })
}
