//! What this project depends on: each with its reason, none that asks for a newer Rust
//! than we do, and each compiled once.

use conformance::outputs::COMPILER;
use serde_json::Value;
use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;
use step::root;

/// The manifests of all packages here, also of those that other workspaces have and this one
/// knows.
fn manifests() -> Vec<PathBuf> {
    let packages = metadata(&[]);
    let packages = packages["packages"].as_array().expect("a list").iter();
    let packages = packages.filter(|package| package["source"].is_null());
    let path =
        |package: &Value| package["manifest_path"].as_str().expect("a path").into();
    packages.map(path).collect()
}

fn metadata(arguments: &[&str]) -> Value {
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
    for other in ["book/tool", "tests/compare", "tests/exercises/runner"] {
        assert!(
            manifests().contains(&root().join(other).join("Cargo.toml")),
            "{other}"
        );
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
    let needs = |package: &Value| package["rust_version"].as_str().map(version);
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

/// What a newcomer builds, in the order of README, and the folder of the workspace that it
/// is in. (The checks of the exercises have nothing but loom, with what loom alone asks for.)
const COMMANDS: &[(&str, &str)] = &[
    ("", "build"),
    ("", "build -p stage1-callbacks --bins --examples"),
    ("", "build -p stage2-generators --bins --examples"),
    ("", "build -p stage3-async --examples"),
    ("", "build -p step"),
    ("", "build -p launch"),
    ("", "build -p lab"),
    ("", "build -p demo-site"),
    ("book", "build -p book"),
    ("tests/exercises", "build -p runner"),
    ("", "build -p page-tree --examples"),
    ("", "test -p conformance --no-run"),
    ("", "test --workspace --no-run"),
];

/// What `cargo compare` and `cargo measure` build: with another profile, with which
/// everything is compiled again, and with what the other crawlers ask of the same libraries.
const OPTIMISED: &[(&str, &str)] = &[
    ("tests/compare", "build --release --bin compare"),
    (
        "tests/compare",
        "build --release --bins -p compare -p stage1-callbacks -p stage2-generators \
         -p stage3-async",
    ),
    ("tests/compare", "build --release --benches"),
];

/// How many compilations and build scripts `cargo run` may need on a fresh clone.
const FIRST_BUILD: usize = 156;

/// Something that cargo compiles or runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Unit {
    /// The package, its version, and what of it.
    name: String,
    /// Another number stands for other features, another profile, or a dependency that
    /// is another unit.
    identity: u64,
}

/// Returns what a command compiles, as cargo plans it; nothing is built. `None`: this
/// cargo has another format for its plans, which are not stable.
fn plan(workspace: &str, command: &str) -> Option<HashSet<Unit>> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .current_dir(root())
        .env("RUSTC_BOOTSTRAP", "1")
        .args(command.split(' '))
        .arg("--manifest-path")
        .arg(root().join(workspace).join("Cargo.toml"))
        .args(["--unit-graph", "-Zunstable-options", "--locked", "--offline"])
        .output()
        .expect("cargo runs this test");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {text}");
    let graph: Value =
        serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let units = graph["units"].as_array().filter(|_| graph["version"] == 1)?;
    let mut known = HashMap::new();
    let read = |index| unit(workspace, units, index, &mut known);
    Some((0..units.len()).map(read).collect())
}

fn unit(
    workspace: &str,
    units: &[Value],
    index: usize,
    known: &mut HashMap<usize, Unit>,
) -> Unit {
    if let Some(unit) = known.get(&index) {
        return unit.clone();
    }
    let it = &units[index];
    let package = it["pkg_id"].as_str().expect("a string");
    let mut hasher = DefaultHasher::new();
    // `dev` and `test` are two names for one profile.
    let profile = it["profile"].as_object().expect("an object").iter();
    for (key, value) in profile.filter(|(key, _)| *key != "name") {
        (key, value.to_string()).hash(&mut hasher);
    }
    it["features"].to_string().hash(&mut hasher);
    let needed = it["dependencies"].as_array().expect("a list").iter();
    let needed = needed.filter_map(|it| it["index"].as_u64());
    let needed =
        needed.map(|index| unit(workspace, units, index as usize, known).identity);
    let mut needed: Vec<u64> = needed.collect();
    needed.sort();
    let target = &it["target"];
    let name =
        format!("{package} {} {} {}", target["kind"], target["name"], it["mode"]);
    // Cargo compiles packages that lie here once for each workspace, always.
    let is_ours = package.starts_with("path+");
    let name = if is_ours { format!("{workspace}: {name}") } else { name };
    (&name, needed).hash(&mut hasher);
    let unit = Unit { name: name.replace('"', ""), identity: hasher.finish() };
    known.insert(index, unit.clone());
    unit
}

/// Returns what a command compiles again, though an earlier one has compiled it: with
/// other features, or on another compilation of what it needs.
fn again(earlier: &HashSet<Unit>, now: &HashSet<Unit>) -> Vec<String> {
    let names: HashSet<&str> = earlier.iter().map(|unit| &*unit.name).collect();
    let is_again = |unit: &&Unit| names.contains(&*unit.name);
    let again = now.difference(earlier).filter(is_again);
    let mut again: Vec<String> = again.map(|unit| unit.name.clone()).collect();
    again.sort();
    again
}

#[test]
fn no_command_of_a_newcomer_compiles_anything_again() {
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version =
        Command::new(compiler).arg("--version").output().expect("it built this");
    // Plans are unstable, and dependencies differ between systems.
    if !version.stdout.starts_with(COMPILER.as_bytes()) || !cfg!(target_os = "linux") {
        return;
    }
    for commands in [COMMANDS, OPTIMISED] {
        let mut earlier = HashSet::new();
        for (workspace, command) in commands {
            let now = plan(workspace, command).expect("the format is known");
            if earlier.is_empty() && workspace.is_empty() {
                assert!(now.len() <= FIRST_BUILD, "{command}: {} units", now.len());
                let tree = now.iter().find(|unit| unit.name.contains("#scraper@"));
                assert_eq!(tree, None, "no crawler makes trees of pages");
            }
            assert_eq!(
                again(&earlier, &now),
                [""; 0],
                "{command}: see shared/features"
            );
            earlier.extend(now);
        }
    }
}

#[test]
fn what_is_compiled_again_is_found() {
    let unit = |name: &str, identity| Unit { name: name.to_string(), identity };
    let earlier = HashSet::from([unit("a", 1), unit("b", 2)]);
    let now = HashSet::from([unit("a", 3), unit("b", 2), unit("c", 4)]);
    assert_eq!(again(&earlier, &now), ["a"]);
    assert_eq!(again(&earlier, &earlier), [""; 0]);
}
