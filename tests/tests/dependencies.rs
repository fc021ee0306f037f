//! What this project depends on: each with its reason, and none that asks for a newer Rust
//! than we do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("the workspace is around this package")
}

/// The manifests of all packages in this workspace.
fn manifests() -> Vec<PathBuf> {
    let packages = metadata(&["--no-deps"]);
    let packages = packages["packages"].as_array().expect("a list").clone();
    let path = |package: &serde_json::Value| {
        package["manifest_path"].as_str().expect("a path").into()
    };
    packages.iter().map(path).collect()
}

fn metadata(arguments: &[&str]) -> serde_json::Value {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(["metadata", "--format-version=1", "--locked"]);
    let output = command.args(arguments).output().expect("cargo runs this test");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo writes JSON")
}

/// The dependencies for which no comment gives a reason. One comment may stand for
/// several lines below it, up to a blank one.
fn without_reason(manifest: &str) -> Vec<&str> {
    let (mut is_section, mut has_reason, mut all) = (false, false, Vec::new());
    for line in manifest.lines() {
        match line {
            _ if line.starts_with('[') => {
                is_section = line.trim_end_matches(']').ends_with("dependencies");
                has_reason = false;
            }
            "" => has_reason = false,
            _ if line.starts_with('#') => has_reason = true,
            _ if is_section && !has_reason => all.push(line),
            _ => {}
        }
    }
    all
}

#[test]
fn every_dependency_has_a_reason() {
    for file in manifests() {
        let text = fs::read_to_string(&file).expect("cargo has read it, too");
        assert_eq!(without_reason(&text), [""; 0], "{}", file.display());
    }
}

#[test]
fn a_dependency_without_a_reason_is_found() {
    let text = "[package]\nname = 'x'\n[dependencies]\n# Why.\na = '1'\n\nb = '2'\n\
                [dev-dependencies]\nc = '3'\n# Why.\nd = '4'\n";
    assert_eq!(without_reason(text), ["b = '2'", "c = '3'"]);
}

/// The names of the dependencies in a manifest's sections of this name.
fn names<'a>(manifest: &'a str, section: &str) -> Vec<&'a str> {
    let mut is_section = false;
    let line = |line: &'a str| {
        is_section = if line.starts_with('[') { line == section } else { is_section };
        let name = line.split([' ', '.', '=']).next()?;
        (is_section && line.contains('=') && !line.starts_with('#')).then_some(name)
    };
    manifest.lines().filter_map(line).collect()
}

#[test]
fn every_version_in_the_workspace_is_used() {
    let read =
        |file: &PathBuf| fs::read_to_string(file).expect("cargo has read it, too");
    let all = manifests().iter().map(read).collect::<String>();
    let root = read(&root().join("Cargo.toml"));
    let declared = names(&root, "[workspace.dependencies]");
    assert!(declared.len() > 30, "{declared:?}");
    let is_used = |name: &&str| {
        let inherited =
            [format!("\n{name}.workspace"), format!("\n{name} = {{ workspace")];
        inherited.iter().any(|line| all.contains(line))
    };
    let unused: Vec<_> = declared.iter().filter(|name| !is_used(name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

/// Which version this compiler is does not matter: packages say what they need.
#[test]
fn no_package_asks_for_a_newer_rust_than_we_do() {
    let all = metadata(&[]);
    let all = all["packages"].as_array().expect("a list");
    let needs =
        |package: &serde_json::Value| package["rust_version"].as_str().map(version);
    let ours = all.iter().find(|package| package["name"] == "conformance");
    let ours = ours.and_then(needs).expect("we say which Rust we need");
    let newer: Vec<_> = all
        .iter()
        .filter(|package| needs(package).is_some_and(|needed| needed > ours))
        .map(|package| (&package["name"], &package["rust_version"]))
        .collect();
    assert!(newer.is_empty(), "{newer:?}");
}

/// `1.88` is `1.88.0`.
fn version(text: &str) -> [u32; 3] {
    let mut parts = text.split('.').map(|part| part.parse().expect("a number"));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[test]
fn versions_are_numbers() {
    assert!(version("1.88") < version("1.100") && version("1.88") == version("1.88.0"));
}
