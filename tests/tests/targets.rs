//! What cargo builds as a test, and what it does not: `test = false` saves a program to link,
//! and would hide a test that is written there later.

use regex::Regex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use step::{cargo, root};

/// The workspaces whose tests are run.
const WORKSPACES: &[&str] =
    &["", "book", "tests/compare", "tests/exercises", "tests/fuzz", "tests/sim"];

/// The packages of a workspace.
fn packages(workspace: &&str) -> Vec<Value> {
    let mut command = cargo();
    command.args(["metadata", "--format-version=1", "--offline", "--no-deps"]);
    command.arg("--manifest-path").arg(root().join(workspace).join("Cargo.toml"));
    let output = command.output().expect("cargo runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value =
        serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

/// The sources of all libraries and programs: of those that are built as tests, and of the
/// others.
fn sources() -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
    let packages: Vec<Value> = WORKSPACES.iter().flat_map(packages).collect();
    let targets =
        packages.iter().flat_map(|it| it["targets"].as_array().expect("a list"));
    let (mut tested, mut others) = (BTreeSet::new(), BTreeSet::new());
    for target in targets {
        let kind = target["kind"][0].as_str().expect("each target has a kind");
        let source = target["src_path"].as_str().expect("and a source");
        let source = fs::canonicalize(source).expect("which is there");
        match (kind, target["test"] == true) {
            ("lib" | "bin", true) => drop(tested.insert(source)),
            ("lib" | "bin", false) => drop(others.insert(source)),
            _ => {} // examples, tests and build scripts
        }
    }
    // One source may belong to two packages, of which one tests it.
    others.retain(|source| !tested.contains(source));
    (tested, others)
}

/// Adds a source and the modules that it declares.
fn add_modules(source: PathBuf, is_root: bool, all: &mut BTreeSet<PathBuf>) {
    let text = fs::read_to_string(&source).expect("a source is text");
    let folder = match is_root {
        true => source.with_file_name(""),
        false => source.with_extension(""),
    };
    let declaration = Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))? )?mod (\w+);");
    let declaration = declaration.expect("it is constant");
    for found in declaration.captures_iter(&text) {
        let module = &found[1];
        let file = folder.join(module).with_extension("rs");
        match file.exists() {
            true => add_modules(file, false, all),
            false => add_modules(folder.join(module).join("mod.rs"), true, all),
        }
    }
    all.insert(source);
}

#[test]
fn what_is_not_built_as_a_test_has_none() {
    let (tested, others) = sources();
    assert!(tested.len() > 3 && others.len() > 3, "{tested:?} {others:?}");
    let mut files = BTreeSet::new();
    for source in others {
        add_modules(source, true, &mut files);
    }
    let has_test = |file: &&PathBuf| {
        let text = fs::read_to_string(file).expect("it is text");
        text.lines().any(|line| line.trim() == "#[test]")
    };
    let hidden: Vec<&PathBuf> = files.iter().filter(has_test).collect();
    assert!(hidden.is_empty(), "remove `test = false` from their targets: {hidden:#?}");
}
