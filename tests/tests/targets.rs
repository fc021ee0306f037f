//! What cargo builds as a test, and what it does not: `test = false` saves a program to link,
//! and would hide a test that is written there later.

use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The sources of all libraries and programs of the workspace: of those that are built as
/// tests, and of the others.
fn sources() -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--locked", "--no-deps"]);
    let output = command.output().expect("cargo runs this test");
    let metadata: Value =
        serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list").iter();
    let targets = packages.flat_map(|it| it["targets"].as_array().expect("a list"));
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

/// The files of a library or program: its source, and the modules below the folder if no
/// target in that folder is tested.
fn files(source: &Path, tested: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let folder = source.parent().expect("a file is in a folder");
    let is_root =
        matches!(source.file_stem().and_then(OsStr::to_str), Some("lib" | "main"));
    let mut all = vec![source.to_path_buf()];
    if is_root && !tested.iter().any(|it| it.parent() == Some(folder)) {
        modules(folder, &mut all);
    }
    all
}

fn modules(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("it has the source") {
        let path = entry.expect("readable").path();
        // Programs of their own.
        if path.is_dir() && path.file_name() != Some(OsStr::new("bin")) {
            modules(&path, all);
        } else if path.extension() == Some(OsStr::new("rs")) {
            all.push(path);
        }
    }
}

#[test]
fn what_is_not_built_as_a_test_has_none() {
    let (tested, others) = sources();
    assert!(tested.len() > 3 && others.len() > 3, "{tested:?} {others:?}");
    let files: BTreeSet<PathBuf> =
        others.iter().flat_map(|source| files(source, &tested)).collect();
    let has_test = |file: &&PathBuf| {
        let text = fs::read_to_string(file).expect("it is text");
        text.lines().any(|line| line.trim() == "#[test]")
    };
    let hidden: Vec<&PathBuf> = files.iter().filter(has_test).collect();
    assert!(hidden.is_empty(), "remove `test = false` from their targets: {hidden:#?}");
}
