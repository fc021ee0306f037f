//! The capstones that change a stage, `tests/exercises/capstones/NAME/`, and crates made of
//! a stage and such changes.

use crate::material::{quoted, read};
use crate::variants::{self, Variant};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The capstones, with the folders of their stages: where a task begins, and where the same
/// is to be done again.
const CAPSTONES: [(&str, &[&str]); 3] = [
    ("phase", &["stage1-callbacks", "stage3-async"]),
    ("deadlines", &["stage2-generators"]),
    ("hosts", &["stage3-async"]),
];

/// A stage with changes, as a crate.
pub struct Reworked {
    /// A name of its own, which is that of the crate, if it is not the stage itself.
    pub name: String,
    /// The name of the capstone.
    pub capstone: &'static str,
    /// The folder of the stage.
    pub stage: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Whether the capstone begins with another stage, and is done here again.
    pub is_again: bool,
    /// Its files, by their paths in it. None, if it is the stage itself.
    files: BTreeMap<String, String>,
}

/// What a crate is made of.
pub enum Kind {
    /// The stage as it is: no copy of it.
    Stage,
    /// The solution: the stage with changes.
    Solution,
    /// The solution, with a mistake.
    Wrong(Variant),
}

/// Returns all crates of all capstones.
pub fn all(root: &Path) -> Result<Vec<Reworked>, String> {
    let mut all = Vec::new();
    for (capstone, stages) in CAPSTONES {
        let folder = root.join("tests/exercises/capstones").join(capstone);
        for (number, stage) in stages.iter().enumerate() {
            let is_again = number > 0;
            let end = if is_again { format!("-{stage}") } else { String::new() };
            let file = |name: &str| folder.join(format!("{name}{end}.txt"));
            let crates = of_stage(root, capstone, stage, &file)?;
            all.extend(crates.into_iter().map(|it| Reworked { is_again, ..it }));
        }
    }
    Ok(all)
}

fn of_stage(
    root: &Path,
    capstone: &'static str,
    stage: &'static str,
    file: &dyn Fn(&str) -> PathBuf,
) -> Result<Vec<Reworked>, String> {
    let start = sources(&root.join(stage))?;
    let solution = variants::parse_any(&read(&file("solution"))?)?;
    let [solution] = &solution[..] else {
        return Err(format!("{capstone}: it has one solution"));
    };
    let mut solved = start.clone();
    let explained =
        |variant: &Variant, error| format!("{capstone}: {}: {error}", variant.name);
    solution.apply_to(&mut solved).map_err(|error| explained(solution, error))?;
    let mut all =
        vec![(Kind::Stage, BTreeMap::new()), (Kind::Solution, solved.clone())];
    let wrong = file("wrong");
    let wrong =
        if wrong.exists() { variants::parse(&read(&wrong)?)? } else { Vec::new() };
    for variant in wrong {
        let mut files = solved.clone();
        variant.apply_to(&mut files).map_err(|error| explained(&variant, error))?;
        all.push((Kind::Wrong(variant), files));
    }
    let crates = all.into_iter().enumerate().map(|(number, (kind, files))| {
        let name = format!("{capstone}-{stage}-{number}");
        Reworked { name, capstone, stage, kind, is_again: false, files }
    });
    Ok(crates.collect())
}

/// Returns the manifest and the sources of a stage, without its program.
fn sources(stage: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![stage.join("src")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder);
        let entries =
            entries.map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(stage).expect("it is in there");
                let name = name.to_string_lossy().replace('\\', "/");
                files.insert(name, read(&path)?);
            }
        }
    }
    files.remove("src/main.rs");
    files.insert("Cargo.toml".into(), read(&stage.join("Cargo.toml"))?);
    Ok(files)
}

impl Reworked {
    /// The name by which other crates call it.
    pub fn crate_name(&self) -> String {
        let package = if self.is_made() { &self.name } else { self.stage };
        package.replace('-', "_")
    }

    /// The call that judges it.
    pub fn judge(&self) -> String {
        let (name, capstone) = (self.crate_name(), self.capstone);
        // `phase` is about two stages.
        let is_full = if capstone == "phase" {
            format!(", {name}::PROGRAM.speaks_https")
        } else {
            String::new()
        };
        format!("conformance::capstones::{capstone}({name}::crawl{is_full})")
    }

    /// What it is, in words.
    pub fn title(&self) -> String {
        let kind = match &self.kind {
            Kind::Stage => "as it is",
            Kind::Solution => "the solution",
            Kind::Wrong(variant) => &format!("wrong: {}", variant.name),
        };
        format!("{}, {}: {kind}", self.capstone, self.stage)
    }

    /// Returns whether it is a crate of its own, and no stage of the project.
    pub fn is_made(&self) -> bool {
        !matches!(self.kind, Kind::Stage)
    }

    /// The line of `[dependencies]` of a package that uses it, in the workspace of them all.
    pub fn dependency(&self) -> String {
        let Reworked { name, stage, .. } = self;
        if self.is_made() {
            format!("{name} = {{ path = \"../{name}\" }}\n")
        } else {
            format!("{stage}.workspace = true\n")
        }
    }

    /// The manifest of the stage as that of a library with another name: without programs
    /// and tests, and without what only tests need. Warnings about a mistake are of no interest.
    fn manifest(&self, text: &str) -> String {
        let is_of_library = |part: &&str| {
            !part.starts_with("[[") && !part.contains("dev-dependencies]")
        };
        let parts = sections(text).into_iter().filter(is_of_library);
        let name = |name: &str| format!("name = \"{name}\"");
        let text =
            parts.collect::<String>().replace(&name(self.stage), &name(&self.name));
        match self.kind {
            Kind::Stage | Kind::Solution => text,
            Kind::Wrong(_) => text.replace(
                "[lints]\nworkspace = true",
                "[lints.rust]\nwarnings = \"allow\"",
            ),
        }
    }

    /// Writes the crate into a folder of its own in `place`. Files that are the same
    /// already stay as they are, so that cargo does not build them again.
    pub fn write(&self, place: &Path) -> Result<(), String> {
        let folder = place.join(&self.name);
        for (name, text) in &self.files {
            let text = match name.as_str() {
                "Cargo.toml" => &self.manifest(text),
                _ => text,
            };
            write(&folder.join(name), text)?;
        }
        Ok(())
    }
}

/// Returns the manifest of a workspace like the one in `root`, with other members.
pub fn workspace(root: &Path, members: &[String]) -> Result<String, String> {
    let text = read(&root.join("Cargo.toml"))?;
    let parts = sections(&text);
    let kept: String =
        parts.into_iter().filter(|part| !part.starts_with("[workspace]\n")).collect();
    let absolute = |line: &str| match line.split_once("{ path = \"") {
        Some((before, rest)) => {
            let (path, after) = rest.split_once('"').unwrap_or_default();
            format!("{before}{{ path = {}{after}\n", quoted(&root.join(path)))
        }
        None => format!("{line}\n"),
    };
    let kept: String = kept.lines().map(absolute).collect();
    Ok(format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n{kept}"))
}

/// Returns the profiles of the workspace in `root`, for another manifest.
pub fn profiles(root: &Path) -> Result<String, String> {
    let text = read(&root.join("Cargo.toml"))?;
    let is_profile = |part: &&str| part.starts_with("[profile.");
    Ok(sections(&text).into_iter().filter(is_profile).collect())
}

/// Splits a manifest before each of its headings.
fn sections(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> =
        text.match_indices("\n[").map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    starts.push(text.len());
    starts.windows(2).map(|two| &text[two[0]..two[1]]).collect()
}

/// Writes a file, unless it has this text already: cargo looks at the time of the last
/// change. Returns whether it is another text now.
pub fn write(path: &Path, text: &str) -> Result<bool, String> {
    if fs::read_to_string(path).is_ok_and(|before| before == text) {
        return Ok(false);
    }
    let folder = path.parent().expect("it is in a folder");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map(|()| true)
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Project;

    /// Each change finds its old text in the stage of today, or in the solution.
    #[test]
    fn all_changes_fit_their_stages() {
        let all = all(&Project::new(None).root).expect("they fit");
        for (capstone, stages) in CAPSTONES {
            for stage in stages {
                let own =
                    |it: &&Reworked| it.capstone == capstone && it.stage == *stage;
                let kinds = all.iter().filter(own).map(|it| &it.kind);
                let wrong = kinds.filter(|it| matches!(it, Kind::Wrong(_))).count();
                assert!(
                    (2..=6).contains(&wrong),
                    "{capstone}, {stage}: {wrong} mistakes"
                );
            }
        }
    }

    #[test]
    fn a_manifest_is_split_before_its_headings() {
        assert_eq!(
            sections("# x\n[a]\nb = [\n]\n\n[[c]]\n"),
            ["# x\n", "[a]\nb = [\n]\n\n", "[[c]]\n"]
        );
    }
}
