//! The project that the book shows: its packages, examples and names.

use crate::read::names;
use crate::read::place::{files, files_below, stem};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What `cargo run` runs when no package is named.
pub const DEFAULT_PACKAGE: &str = "stage3-async";

/// Where there may be a workspace whose packages the book names.
const WORKSPACES: &[&str] = &["", "book", "tests/compare"];

/// Packages and what can be run in them.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// Each package's folder.
    pub packages: BTreeMap<String, PathBuf>,
    /// Each example's package.
    pub examples: BTreeMap<String, String>,
    /// What cargo is called with besides its own commands: `book`, `compare`.
    pub aliases: BTreeSet<String>,
}

impl Project {
    /// Looks at the manifests of the workspaces in this folder.
    pub fn read(root: &Path) -> Project {
        let mut project = Project::default();
        let folders = WORKSPACES.iter().map(|workspace| root.join(workspace));
        for folder in folders.flat_map(|workspace| members(&workspace)) {
            let manifest = fs::read_to_string(folder.join("Cargo.toml"));
            let Some(name) = manifest.ok().and_then(|text| value(&text, "name")) else {
                continue;
            };
            for example in files_below(&folder.join("examples"), "rs") {
                if is_example(&example) {
                    project.examples.insert(stem(&example).to_string(), name.clone());
                }
            }
            project.packages.insert(name, folder);
        }
        let config = fs::read_to_string(root.join(".cargo/config.toml"));
        let aliases = config.unwrap_or_default();
        let aliases = aliases.lines().filter_map(|line| line.split_once(" = "));
        project.aliases = aliases.map(|(name, _)| name.to_string()).collect();
        project
    }

    /// The file with what a step has printed in a real run. `None`: there is no such step, or
    /// nothing is stored of it.
    pub fn output(&self, step: &str) -> Option<PathBuf> {
        let folder = self.packages.get(self.examples.get(step)?)?.join("examples");
        files_below(&folder, "out").into_iter().find(|file| stem(file) == step)
    }

    /// What the crate that a source names defines in `src`: `shared`, `stage3_async`, or,
    /// for `crate` and `super`, the crate of the source.
    pub fn defined_in(&self, name: &str, source: &Path) -> BTreeSet<String> {
        let is_it = |(package, folder): &(&String, &PathBuf)| match name {
            "crate" | "super" => source.starts_with(folder),
            _ => package.replace('-', "_") == name,
        };
        let Some((_, folder)) = self.packages.iter().find(is_it) else {
            return BTreeSet::new();
        };
        let sources = files_below(&folder.join("src"), "rs").into_iter();
        let texts = sources.filter_map(|source| fs::read_to_string(source).ok());
        texts.flat_map(|text| names::defined(&text)).collect()
    }

    /// The methods and fields that are ours and that a listing of this source may use: those
    /// of its crate, or of the example with its modules, and of the crates that it names.
    pub fn members_for(&self, source: &Path) -> BTreeSet<String> {
        let text = fs::read_to_string(source).unwrap_or_default();
        let mut members = names::has_members(&text, false);
        for (folder, only_public) in self.folders_for(source, &text) {
            let sources = files_below(&folder, "rs").into_iter();
            let texts = sources.filter_map(|source| fs::read_to_string(source).ok());
            members.extend(texts.flat_map(|it| names::has_members(&it, only_public)));
        }
        members
    }

    /// The folders with what a source may use, and whether it may use only what is public.
    fn folders_for(&self, source: &Path, text: &str) -> Vec<(PathBuf, bool)> {
        let folder = source.parent().unwrap_or(source);
        let mut crates = self.packages.values().map(|package| package.join("src"));
        let own: Vec<PathBuf> = match folder.ends_with("examples") {
            true => {
                names::module_folders(text).iter().map(|it| folder.join(it)).collect()
            }
            false => {
                let its_crate = crates.find(|it| source.starts_with(it));
                vec![its_crate.unwrap_or(folder.to_path_buf())]
            }
        };
        let own = own.into_iter().map(|folder| (folder, false));
        let named = names::crates(text).into_iter();
        let named = named.filter_map(|name| {
            let is_it = |it: &(&String, &PathBuf)| it.0.replace('-', "_") == name;
            self.packages.iter().find(is_it).map(|(_, folder)| folder.join("src"))
        });
        own.chain(named.map(|folder| (folder, true))).collect()
    }
}

/// Programs that must not compile are none.
fn is_example(file: &Path) -> bool {
    !file.components().any(|part| part.as_os_str() == "refused")
        && fs::read_to_string(file).is_ok_and(|text| text.contains("fn main("))
}

/// The folders of a workspace's packages.
fn members(workspace: &Path) -> Vec<PathBuf> {
    pattern!(MEMBERS, r"(?s)\nmembers = \[(.*?)\]");
    let manifest = fs::read_to_string(workspace.join("Cargo.toml")).unwrap_or_default();
    let Some(found) = MEMBERS.captures(&manifest) else {
        return vec![workspace.to_path_buf()]; // one package
    };
    let names = found[1].split(',').map(|name| name.trim().trim_matches('"'));
    let names = names.filter(|name| !name.is_empty());
    // `test[s]` is a pattern that matches one name.
    names.map(|name| workspace.join(name.replace(['[', ']'], ""))).collect()
}

fn value(manifest: &str, key: &str) -> Option<String> {
    let line = manifest.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().strip_prefix('=')?.trim().trim_matches('"').to_string())
}

/// What cargo is asked to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The package that is named.
    pub package: Option<String>,
    /// The example that is named.
    pub example: Option<String>,
    /// What the program gets.
    pub arguments: Vec<String>,
}

impl Run {
    /// Reads `… cargo run …`, `cargo step NAME …`, `cargo lab NAME …`,
    /// `cargo show NAME …`, or `rustc …` of an example. `None`: the command is another one.
    pub fn parse(command: &str) -> Option<Run> {
        let words: Vec<&str> = command.split_whitespace().collect();
        if words.first() == Some(&"rustc") {
            let source = words.iter().find(|word| word.ends_with(".rs"))?;
            let example = Some(stem(Path::new(source)).to_string());
            return Some(Run { example, ..Run::default() });
        }
        let cargo = words.iter().position(|word| *word == "cargo")?;
        let mut words = words[cargo + 1..].iter();
        match *words.next()? {
            "run" => {}
            "step" | "lab" => {
                let all: Vec<String> = words.map(|word| word.to_string()).collect();
                return Some(Run::of_a_step(&all));
            }
            "show" => {
                let mut words = words.filter(|word| !word.starts_with("--"));
                let example = words.next()?.to_string();
                let arguments = words.map(|word| word.to_string()).collect();
                return Some(Run { example: Some(example), arguments, package: None });
            }
            _ => return None,
        }
        let mut run = Run::default();
        while let Some(word) = words.next() {
            match *word {
                "-p" | "--package" => {
                    run.package = words.next().map(|it| it.to_string())
                }
                "--example" => run.example = words.next().map(|it| it.to_string()),
                "--features" | "--bin" => drop(words.next()),
                "--" => break,
                word if word.starts_with('-') => {}
                word => run.arguments.push(word.to_string()),
            }
        }
        run.arguments.extend(words.map(|word| word.to_string()));
        Some(run)
    }
}

impl Run {
    /// What follows `cargo step` or `cargo lab`: a step, or a crawler, or what the crawler
    /// of stage 3 gets.
    fn of_a_step(words: &[String]) -> Run {
        let (package, example, skipped) = match words.first().map(String::as_str) {
            Some("list" | "next") => (None, None, 1),
            Some("stage1") => (Some("stage1-callbacks"), None, 1),
            Some("stage2") => (Some("stage2-generators"), None, 1),
            Some("stage3") => (Some(DEFAULT_PACKAGE), None, 1),
            Some(word) if !word.starts_with('-') && !word.contains("://") => {
                (None, Some(word.to_string()), 1)
            }
            _ => (Some(DEFAULT_PACKAGE), None, 0),
        };
        let arguments = words[skipped..].to_vec();
        Run { package: package.map(String::from), example, arguments }
    }
}

/// All files with figures, listings and so on lie below these folders.
pub fn shown_folders() -> &'static [&'static str] {
    &["stage1-callbacks", "stage2-generators", "stage3-async", "shared", "tests"]
}

/// The files of a folder that are pages.
pub fn pages(folder: &Path) -> BTreeSet<String> {
    let pages = files(folder, "md").into_iter().map(|file| stem(&file).to_string());
    pages.filter(|name| name != "SUMMARY").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::place::Place;

    #[test]
    fn the_output_of_a_step_is_beside_its_source() {
        let place = Place::new(None, None);
        let project = Project::read(&place.root);
        let output = |step: &str| {
            let file = project.output(step)?;
            let file = file.strip_prefix(&place.root).expect("it is in the project");
            Some(file.display().to_string().replace('\\', "/"))
        };
        let beside = "stage3-async/examples/ch19_executor.out";
        assert_eq!(output("ch19_executor").as_deref(), Some(beside));
        let nightly = "stage2-generators/examples/nightly/ch09_nightly.out";
        assert_eq!(output("ch09_nightly").as_deref(), Some(nightly));
        assert_eq!(output("ch99_none"), None);
    }
}
