//! What an editor, a container and CI are told about this project is true of it, and so
//! is what the READMEs and CONTRIBUTING say.

use conformance::outputs::{COMPILER, normalise};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use step::root;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> serde_json::Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

#[test]
fn the_editor_asks_for_what_its_tasks_need() {
    let asked = read(".vscode/tasks.json");
    let asked =
        asked.split("${input:").skip(1).filter_map(|rest| rest.split('}').next());
    let tasks = json(".vscode/tasks.json");
    let inputs = tasks["inputs"].as_array().expect("a list");
    let inputs = inputs.iter().filter_map(|input| input["id"].as_str());
    assert_eq!(asked.collect::<BTreeSet<_>>(), inputs.collect());
}

#[test]
fn the_other_files_for_editors_are_json() {
    for file in ["settings", "extensions", "launch"] {
        assert!(json(&format!(".vscode/{file}.json")).is_object());
    }
    assert!(json(".devcontainer/devcontainer.json").is_object());
}

/// Other compilers word and draw their messages differently from those in the book.
#[test]
fn the_container_and_ci_have_the_compiler_whose_messages_are_stored() {
    let version = COMPILER.trim_start_matches("rustc ").trim_end_matches('.');
    let docker = read(".devcontainer/Dockerfile");
    assert!(docker.contains(&format!("\nFROM rust:{version}\n")), "{docker}");
    for workflow in ["ci", "release"] {
        let text = read(&format!(".github/workflows/{workflow}.yml"));
        let set = text.split("RUSTUP_TOOLCHAIN: ").skip(1);
        let set: BTreeSet<&str> = set.filter_map(|rest| rest.lines().next()).collect();
        assert_eq!(set, BTreeSet::from([&*format!("\"{version}\"")]), "{workflow}");
    }
}

#[test]
fn the_readme_names_the_oldest_rust_that_works() {
    let manifest = read("Cargo.toml");
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.expect("the workspace declares it");
    assert!(read("README.md").contains(&format!("Rust {version} or later")));
}

#[test]
fn the_readme_counts_the_exercises() {
    let parts = ["shared", "stage1-callbacks", "stage2-generators", "stage3-async"];
    let folders = parts.map(|part| fs::read_dir(root().join(part).join("exercises")));
    let entries = folders.into_iter().flat_map(|folder| folder.expect("exercises"));
    let is_one = |path: &PathBuf| path.join("hints.md").exists();
    let count =
        entries.map(|entry| entry.expect("an entry").path()).filter(is_one).count();
    assert!(read("README.md").contains(&format!("\nThere are {count}, ")), "{count}");
}

/// Its end, with what went wrong and the totals; `…` stands for lines that are left out.
#[test]
fn the_report_in_the_readme_is_the_end_of_a_real_run() {
    let readme = normalise(&read("README.md"));
    let shown = readme.split("```console\n$ cargo run\n").nth(1).expect("a report");
    let shown = shown.split("```").next().expect("the block ends");
    let stored = normalise(&read("book/runs/introduction-cargo-run.out"));
    let mut rest = &*stored;
    for part in shown.split("…\n").filter(|part| !part.is_empty()) {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("invented: {part}")).1;
    }
    assert!(shown.contains("\nFinished "), "{shown}");
    // What follows the report is on standard error.
    assert!(rest.starts_with("\nThat was the demo site."), "{rest}");
}

/// A README is read in five minutes, and CONTRIBUTING in six: what is longer has a place of its
/// own.
#[test]
fn the_two_front_doors_are_short() {
    for (page, most) in [("README.md", 1000), ("CONTRIBUTING.md", 1300)] {
        let words = read(page).split_whitespace().count();
        assert!(words <= most, "{page}: {words} words");
    }
}

/// A recipe that names an older release would install that.
#[test]
fn the_recipes_for_a_site_name_the_newest_version() {
    let recipes = read("shared/CHECKING.md");
    let words = recipes.split([' ', '\n', '/', '-', '`']);
    let versions = words.filter(|it| it.starts_with('v') && it.contains('.'));
    let versions: BTreeSet<&str> =
        versions.filter(|it| it.ends_with(char::is_numeric)).collect();
    assert_eq!(versions, BTreeSet::from([concat!("v", env!("CARGO_PKG_VERSION"))]));
}

/// The README of each folder that a newcomer opens.
fn readmes() -> Vec<String> {
    let folders = ["", "tests/"].map(|above| {
        let entries = fs::read_dir(root().join(above)).expect("it is here");
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_ours = |folder: &PathBuf| {
            ["Cargo.toml", "package.json"].iter().any(|it| folder.join(it).is_file())
        };
        let names = folders.filter(is_ours).map(|folder| {
            let name = folder.file_name().expect("it has a name").to_string_lossy();
            format!("{above}{name}/README.md")
        });
        names.collect::<Vec<_>>()
    });
    folders.concat()
}

/// What lives there, what to run, and what never to touch: on one screen.
#[test]
fn each_folder_that_a_newcomer_opens_says_what_it_is() {
    let all = readmes();
    assert!(all.len() > 8, "{all:?}");
    for readme in all {
        let text = read(&readme);
        let screen = text.lines().take(45).collect::<Vec<_>>().join("\n");
        for part in ["**Here:** ", "**Run:** ", "**Never touch:** "] {
            assert!(screen.contains(&format!("\n{part}")), "{readme}: no {part}");
        }
    }
}

#[test]
fn every_file_that_a_readme_or_contributing_links_to_is_there() {
    let pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "shared/CHECKING.md"];
    for page in readmes().into_iter().chain(pages.map(String::from)) {
        let text = read(&page);
        let folder = root().join(&page);
        let folder = folder.parent().expect("it is in a folder");
        let targets =
            text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        // A page of the book is written `other.md`.
        let is_file = |it: &&str| {
            !it.contains("://") && !it.starts_with('#') && !it.starts_with("other.md")
        };
        let files =
            targets.filter(is_file).map(|it| it.split('#').next().unwrap_or(it));
        let missing: Vec<&str> = files.filter(|it| !folder.join(it).exists()).collect();
        assert!(missing.is_empty(), "{page}: {missing:?}");
    }
}

/// A test program that was renamed would send a contributor to an error.
#[test]
fn every_package_and_test_program_that_a_readme_names_is_there() {
    let manifests =
        ["shared/", "shared/tree/", "shared/demo/program/", "stage1-callbacks/"];
    let more = ["stage2-generators/", "stage3-async/", "tests/"];
    let known: String = manifests
        .iter()
        .chain(&more)
        .map(|folder| read(&format!("{folder}Cargo.toml")))
        .collect();
    let text = readmes()
        .iter()
        .fold(read("CONTRIBUTING.md") + &read("README.md"), |text, readme| {
            text + &read(readme)
        });
    let words: Vec<&str> = text.split_whitespace().collect();
    // `node --test` takes a file.
    let of_cargo = |it: &&[&str]| it[0] != "node" && ["-p", "--test"].contains(&it[1]);
    let named = words.windows(3).filter(of_cargo);
    let named: BTreeSet<&str> =
        named.map(|it| it[2].trim_end_matches(['`', ',', '.', ';', ')'])).collect();
    let is_known = |name: &&str| known.contains(&format!("name = \"{name}\"\n"));
    let (there, missing): (Vec<&str>, Vec<&str>) =
        named.into_iter().partition(is_known);
    assert_eq!(missing, [""; 0]);
    assert!(there.len() > 3, "{there:?}");
}
