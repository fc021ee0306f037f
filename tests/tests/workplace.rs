//! What an editor, a container and CI are told about this project is true of it, and so
//! is what the README and CONTRIBUTING say.

use conformance::outputs::{COMPILER, normalise};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the workspace is around this package")
}

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

/// Some of the lines, so that the report's shape can be seen.
#[test]
fn the_report_in_the_readme_is_from_a_real_run() {
    let readme = normalise(&read("README.md"));
    let shown = readme.split("```console\n$ cargo run\n").nth(1).expect("a report");
    let shown = shown.split("…\n```").next().expect("it ends with more to come");
    let stored = normalise(&read("book/runs/introduction-cargo-run.out"));
    let stored: BTreeSet<&str> = stored.lines().collect();
    let invented: Vec<&str> =
        shown.lines().filter(|line| !stored.contains(line)).collect();
    assert!(shown.lines().count() > 3 && invented.is_empty(), "{invented:#?}");
}

#[test]
fn every_file_that_the_readme_and_contributing_link_to_is_there() {
    for page in ["README.md", "CONTRIBUTING.md"] {
        let text = read(page);
        let targets =
            text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let files = targets.filter(|it| !it.contains("://") && !it.starts_with('#'));
        let files = files.map(|it| it.split('#').next().unwrap_or(it));
        let missing: Vec<&str> = files.filter(|it| !root().join(it).exists()).collect();
        assert!(missing.is_empty(), "{page}: {missing:?}");
    }
}

/// CONTRIBUTING has a numbered list that begins each line with the name in bold.
#[test]
fn contributing_lists_the_checks_of_ci_in_their_order() {
    let script = read(".ci/run");
    let run = script.lines().filter_map(|line| {
        line.strip_prefix("say \"")?.strip_suffix('"').map(String::from)
    });
    let text = read("CONTRIBUTING.md");
    let listed = text.lines().filter_map(|line| {
        let (number, rest) = line.split_once(". **")?;
        number.parse::<u32>().ok()?;
        Some(rest.split("**").next()?.trim_end_matches('.').to_string())
    });
    let run: Vec<String> = run.collect();
    assert!(run.len() > 10, "{run:?}");
    assert_eq!(listed.collect::<Vec<_>>(), run);
}
