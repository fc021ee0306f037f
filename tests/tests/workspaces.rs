//! The project has several workspaces. For a reader they are one: what two of them need is
//! compiled once, and after `cargo fetch` in the root no command needs a network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use step::root;

/// Those that a reader's commands build: `cargo fetch` in the root downloads what they need.
const READERS: &[&str] = &["book", "tests/compare", "tests/exercises"];

/// Those of contributors, who download what they alone need.
const CONTRIBUTORS: &[&str] = &["tests/fuzz", "tests/sim"];

fn read(workspace: &str, file: &str) -> String {
    let file = root().join(workspace).join(file);
    fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The packages of the registry in a lock file: name and version.
fn locked(text: &str) -> BTreeSet<(String, String)> {
    let value = |package: &str, key: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.strip_prefix(" = ")?.trim_matches('"').to_string())
    };
    let packages = text.split("[[package]]").skip(1);
    let packages = packages.filter(|package| value(package, "source").is_some());
    let of_package =
        |package| Some((value(package, "name")?, value(package, "version")?));
    packages.filter_map(of_package).collect()
}

#[test]
fn after_cargo_fetch_a_reader_has_the_packages_of_all_workspaces() {
    let ours = locked(&read("", "Cargo.lock"));
    assert!(ours.len() > 200, "{ours:?}");
    for workspace in READERS {
        let theirs = locked(&read(workspace, "Cargo.lock"));
        assert!(theirs.len() > 20, "{workspace}: {theirs:?}");
        let missing: Vec<_> = theirs.difference(&ours).collect();
        assert!(missing.is_empty(), "{workspace}: run .ci/lock: {missing:?}");
    }
}

#[test]
fn the_workspaces_of_contributors_have_the_same_versions() {
    let ours = locked(&read("", "Cargo.lock"));
    let names: BTreeSet<&String> = ours.iter().map(|(name, _)| name).collect();
    for workspace in CONTRIBUTORS {
        let theirs = locked(&read(workspace, "Cargo.lock"));
        let other: Vec<_> =
            theirs.difference(&ours).filter(|(name, _)| names.contains(name)).collect();
        assert!(other.is_empty(), "{workspace}: run .ci/lock: {other:?}");
    }
}

/// The lines of a manifest's profiles `dev` and `release`, by section.
fn profiles(manifest: &str) -> BTreeMap<&str, Vec<&str>> {
    let (mut section, mut all) = ("", BTreeMap::new());
    for line in
        manifest.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if line.starts_with('[') {
            section = line;
        } else if section.starts_with("[profile.dev") || section == "[profile.release]"
        {
            all.entry(section).or_insert(Vec::new()).push(line);
        }
    }
    all
}

#[test]
fn what_is_built_into_one_folder_is_built_with_one_profile() {
    let manifest = read("", "Cargo.toml");
    let ours = profiles(&manifest);
    assert!(ours.contains_key("[profile.dev]"), "{ours:?}");
    for workspace in READERS {
        assert_eq!(profiles(&read(workspace, "Cargo.toml")), ours, "{workspace}");
    }
}

/// Returns the version that a manifest gives to its packages.
fn version(manifest: &str) -> Option<&str> {
    let version = |line: &&str| line.starts_with("version = ");
    manifest.lines().find(version)?.split('"').nth(1)
}

#[test]
fn all_packages_have_the_version_of_the_newest_edition() {
    let (manifest, history) = (read("", "Cargo.toml"), read("", "CHANGELOG.md"));
    let ours = version(&manifest).expect("the workspace has a version");
    for workspace in READERS.iter().chain(CONTRIBUTORS) {
        assert_eq!(version(&read(workspace, "Cargo.toml")), Some(ours), "{workspace}");
    }
    let newest = history.lines().find_map(|line| line.strip_prefix("## "));
    let newest = newest.and_then(|line| line.split(',').next());
    assert_eq!(newest, Some(ours));
}

/// A folder of cargo's with no packages but those that the root's lock file names, which are
/// taken from this machine's own: all that `cargo fetch` would download.
fn fetched() -> Option<tempfile::TempDir> {
    let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let own = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let own = own.or(std::env::home_dir().map(|home| home.join(".cargo")));
    let own = own.expect("cargo has a folder").join("registry");
    if !own.is_dir() {
        return None; // all packages are from another source, as after `cargo vendor`
    }
    let packages = locked(&read("", "Cargo.lock"));
    let names: BTreeSet<&str> = packages.iter().map(|(name, _)| &**name).collect();
    let files: BTreeSet<String> = packages
        .iter()
        .map(|(name, version)| format!("{name}-{version}.crate"))
        .collect();
    copy(&own, &home.path().join("registry"), &|file| {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else {
            return false;
        };
        match file.extension() {
            Some(extension) if extension == "crate" => files.contains(name),
            _ => name == "config.json" || names.contains(name),
        }
    });
    // Cargo looks for a package's file before it looks whether it was unpacked. So it may
    // find all sources there: unpacking them again takes most of the time.
    #[cfg(unix)]
    std::os::unix::fs::symlink(own.join("src"), home.path().join("registry/src"))
        .expect("it is not there yet");
    Some(home)
}

/// Copies these files of a registry, without the sources that were unpacked.
fn copy(from: &Path, to: &Path, is_wanted: &dyn Fn(&Path) -> bool) {
    for entry in fs::read_dir(from).expect("cargo has downloaded packages") {
        let path = entry.expect("it can be read").path();
        let copied = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() && !path.ends_with("registry/src") {
            copy(&path, &copied, is_wanted);
        } else if path.is_file() && is_wanted(&path) {
            fs::create_dir_all(to).expect("it is ours");
            fs::copy(&path, &copied).expect("it is a file");
        }
    }
}

fn fetch(home: &Path, workspace: &str) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let output = Command::new(cargo)
        .env("CARGO_HOME", home)
        .args(["fetch", "--quiet", "--locked", "--offline", "--manifest-path"])
        .arg(root().join(workspace).join("Cargo.toml"))
        .output()
        .expect("cargo runs this test");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(said) }
}

#[test]
fn without_a_network_nothing_is_missing_after_cargo_fetch() {
    let Some(home) = fetched() else { return };
    for workspace in [""].iter().chain(READERS) {
        assert_eq!(fetch(home.path(), workspace), Ok(()), "{workspace}");
    }
    let missing =
        fetch(home.path(), "tests/fuzz").expect_err("its packages were not fetched");
    assert!(missing.contains("--offline"), "{missing}");
}
