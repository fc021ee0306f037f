//! A program of the reader's crate and of the promises, in `target/capstones/NAME`.
//!
//! It is a package of its own, with the repository's profile, its `Cargo.lock` beside it and
//! in its `target`: so nothing needs the network, and compiled libraries are used. All crates
//! that are judged for a capstone take turns in its folder, which is locked meanwhile.

use super::{Capstone, Start, packages};
use crate::lock::Lock;
use crate::material::{Project, quoted, read};
use crate::mutants::is_of_a_name;
use crate::reworked::{profiles, write};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use step::cargo;

/// What came of a build.
pub enum Built {
    /// The compiler refuses it, and has said why.
    Refused,
    /// The program that judges. It stays what it is while this lives.
    Program(PathBuf, Lock),
}

/// Builds the judge of the crate at this path.
pub fn build(
    project: &Project,
    capstone: &Capstone,
    folder: &Path,
) -> Result<Built, String> {
    let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let manifest = folder.join("Cargo.toml");
    if !manifest.exists() {
        return Err(format!(
            "{}: no such file; `cargo exercise capstone {} --new {}` makes a crate",
            manifest.display(),
            capstone.name,
            folder.display()
        ));
    }
    let package = package(&manifest)?;
    let all = project.root.join("target/capstones");
    if !all.exists() {
        anstream::eprintln!(
            "The suite is built first, once: about 80 seconds of work for one core."
        );
    }
    let name = format!("judge-{}", capstone.name);
    let place = all.join(capstone.name);
    let lock = Lock::of(&place, || {
        anstream::eprintln!(
            "Another crate is judged for this capstone: this one waits."
        );
    });
    let lock = lock.map_err(|error| format!("{}: {error}", place.display()))?;
    let text = manifest_of(project, &name, &package, &folder)?;
    let is_another = write(&place.join("Cargo.toml"), &text)?;
    write(&place.join("src/main.rs"), &main_of(capstone, &folder))?;
    copy_lock(project, &place, is_another)
        .map_err(|error| format!("{}: {error}", place.display()))?;
    run_cargo(project, &place, &name, lock)
}

/// Returns the name of the reader's package.
fn package(manifest: &Path) -> Result<String, String> {
    let is_here = |it: &&Value| {
        let path = it["manifest_path"].as_str().map(Path::new);
        path.is_some_and(|path| is_same(path, manifest))
    };
    let all = packages(manifest)?;
    let name = all.iter().find(is_here).and_then(|it| it["name"].as_str());
    Ok(name.ok_or(format!("{}: it is no package", manifest.display()))?.into())
}

/// Returns whether these are one file, though links may lead there.
fn is_same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    a == b || (real(a).is_some() && real(a) == real(b))
}

fn manifest_of(
    project: &Project,
    name: &str,
    package: &str,
    folder: &Path,
) -> Result<String, String> {
    let suite = project.root.join("tests");
    Ok(format!(
        "# Made by `cargo exercise capstone`.\n\
         [package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [workspace]\n\n\
         [dependencies]\n\
         conformance = {{ path = {} }}\n\
         mine = {{ path = {}, package = \"{package}\" }}\n\n\
         # As in the repository: so compiled libraries are used.\n{}",
        quoted(&suite),
        quoted(folder),
        profiles(&project.root)?,
    ))
}

/// The judge itself: a call of one function.
fn main_of(capstone: &Capstone, folder: &Path) -> String {
    let head = "//! Made by `cargo exercise capstone`.\n\n";
    let judge = "conformance::capstones";
    let library = read(&folder.join("src/lib.rs")).unwrap_or_default();
    // Whether it keeps connections and speaks https.
    let is_full = match exports(&library, "PROGRAM") {
        true => "mine::PROGRAM.speaks_https",
        false => "false",
    };
    match (capstone.name, capstone.start) {
        ("executor", _) => {
            let crawl = match exports(&library, "crawl") {
                true => format!("Some((mine::crawl, {is_full}))"),
                false => "None".into(),
            };
            format!(
                "{head}conformance::machine!(Machine, mine);\n\n\
                 fn main() {{\n    {judge}::executor::<Machine>({crawl})\n}}\n"
            )
        }
        // `phase` is about two stages.
        (name @ "phase", _) | (name, Start::Template(_)) => {
            format!(
                "{head}fn main() {{\n    {judge}::{name}(mine::crawl, {is_full})\n}}\n"
            )
        }
        (name, Start::CopyOf(_)) => {
            format!("{head}fn main() {{\n    {judge}::{name}(mine::crawl)\n}}\n")
        }
    }
}

/// Returns whether a library has a public item of this name, or passes one on. What is
/// public and not at the beginning of a line is in a module.
fn exports(library: &str, name: &str) -> bool {
    let code = |line: &str| line.split("//").next().unwrap_or_default().to_string();
    let text: Vec<String> = library.lines().map(code).collect();
    let text = text.join("\n");
    let begins = |(at, _): &(usize, &str)| *at == 0 || text[..*at].ends_with('\n');
    let items =
        text.match_indices("pub ").filter(begins).map(|(at, _)| &text[at + 4..]);
    let is_name =
        |item: &str| item.split(|it| !is_of_a_name(it)).any(|word| word == name);
    items.into_iter().any(|item| match item.split_once(' ') {
        Some(("use", rest)) => is_name(rest.split(';').next().unwrap_or_default()),
        Some((_, rest)) => rest.split(|it| !is_of_a_name(it)).next() == Some(name),
        None => false,
    })
}

/// Copies the repository's `Cargo.lock`, if it is newer, or if another crate was judged
/// before: cargo adds what the reader's crate needs, and removes what it does not need.
fn copy_lock(project: &Project, place: &Path, is_another: bool) -> std::io::Result<()> {
    let (from, to) = (project.root.join("Cargo.lock"), place.join("Cargo.lock"));
    let when = |path: &Path| fs::metadata(path).and_then(|it| it.modified());
    let is_there =
        when(&to).is_ok_and(|copied| when(&from).is_ok_and(|it| it <= copied));
    if is_there && !is_another {
        return Ok(());
    }
    // Not `fs::copy`: that may copy the time of the last change, too.
    fs::write(to, fs::read(from)?)
}

fn run_cargo(
    project: &Project,
    place: &Path,
    name: &str,
    lock: Lock,
) -> Result<Built, String> {
    let mut offline = cargo();
    offline.current_dir(place).args(["tree", "--offline", "--quiet"]);
    offline.stdout(Stdio::null()).stderr(Stdio::null());
    let has_all = offline.status().is_ok_and(|status| status.success());

    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or(project.root.join("target"));
    let mut cargo = cargo();
    // What is compiled is shown: the suite takes a minute, also after a change of it.
    cargo
        .current_dir(place)
        .args(["build", "--message-format=json-render-diagnostics"]);
    cargo.arg("--target-dir").arg(target).stderr(Stdio::inherit());
    if has_all {
        cargo.arg("--offline");
    }
    let output = cargo.output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Ok(Built::Refused);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let program = text.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_judge = message["target"]["name"] == name;
        is_judge.then(|| message["executable"].as_str().map(PathBuf::from)).flatten()
    });
    let program = program.ok_or("cargo has built no program")?;
    Ok(Built::Program(program, lock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_have_any_quotes() {
        let folder = Path::new("/it's/\"mine\"");
        let text = manifest_of(&Project::new(None), "judge", "reader", folder);
        let text = text.expect("the root has a manifest");
        assert!(
            text.contains(r#"mine = { path = "/it's/\"mine\"", package"#),
            "{text}"
        );
    }

    #[test]
    fn a_judge_has_the_profile_of_the_repository() {
        let project = Project::new(None);
        let text = manifest_of(&project, "judge", "reader", Path::new("mine"));
        let text = text.expect("the root has a manifest");
        let root = read(&project.root.join("Cargo.toml")).expect("it is there");
        let (_, dev) = root.split_once("[profile.dev]\n").expect("it has this profile");
        let first = dev.lines().next().expect("and something in it");
        assert!(text.contains(&format!("\n[profile.dev]\n{first}\n")), "{text}");
    }

    #[test]
    fn a_library_exports_what_it_defines_or_passes_on() {
        for text in [
            "pub fn crawl(options: &Options) {}",
            "mod crawler;\npub use crawler::{PROGRAM, crawl};",
            "pub use crawler::{\n    PROGRAM,\n    crawl, // the crawl\n};",
            "pub const crawl: Crawl = go;",
            "pub use other::go as crawl;",
        ] {
            assert!(exports(text, "crawl"), "{text}");
        }
        for text in [
            "",
            "// pub fn crawl(options: &Options) {}",
            "//! pub fn crawl(options: &Options) {}",
            "pub fn crawler() {}",
            "pub fn go(crawl: u32) {}",
            "fn crawl() {}",
            "mod inner {\n    pub fn crawl() {}\n}",
            "pub use inner::crawler;\nuse inner::crawl;",
        ] {
            assert!(!exports(text, "crawl"), "{text}");
        }
    }
}
