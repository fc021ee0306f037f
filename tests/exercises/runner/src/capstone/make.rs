//! `--new`: a crate to begin with. It never writes into a folder that has something in it.

use super::{Capstone, Start, packages};
use crate::material::{Project, quoted};
use crate::show::NAME;
use anstream::println;
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Makes a crate at this path, and says what to do next.
pub fn make(
    project: &Project,
    capstone: &Capstone,
    folder: &Path,
) -> Result<bool, String> {
    let is_empty = fs::read_dir(folder).is_ok_and(|mut it| it.next().is_none());
    if folder.exists() && !is_empty {
        return Err(format!(
            "{}: there is something already, and nothing is overwritten",
            folder.display()
        ));
    }
    let package = package_name(project, folder)?;
    let (source, manifest) = match capstone.start {
        Start::CopyOf(name) => (
            project.root.join(name).join("src"),
            copied_manifest(project, name, &package)?,
        ),
        Start::Template(uses) => (
            capstone.folder(project).join("src"),
            template_manifest(project, capstone.name, uses, &package)?,
        ),
    };
    let written = copy(&source, &folder.join("src"))
        .and_then(|()| fs::write(folder.join("Cargo.toml"), manifest))
        .and_then(|()| fs::write(folder.join(".gitignore"), "/target\n"));
    let written = written.and_then(|()| {
        // The versions that are here already: so it builds without a network.
        fs::copy(project.root.join("Cargo.lock"), folder.join("Cargo.lock")).map(drop)
    });
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    let (name, at) = (capstone.name, for_a_shell(folder));
    println!(
        "made:     {NAME}{at}{NAME:#}\n\
         task:     {NAME}cargo exercise capstone {name}{NAME:#}\n\
         judge:    {NAME}cargo exercise capstone {name} --path {at}{NAME:#}"
    );
    Ok(true)
}

/// Returns a path as a shell takes it, in quotes where it has blanks and the like.
fn for_a_shell(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |it: char| it.is_alphanumeric() || r"/\:._-+~".contains(it);
    if text.chars().all(is_plain) { text } else { format!("\"{text}\"") }
}

/// Copies a folder, with all that is in it.
pub fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// Returns the name of the folder, if a package may have it.
fn package_name(project: &Project, folder: &Path) -> Result<String, String> {
    let folder = std::path::absolute(folder).map_err(|error| error.to_string())?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(is_plain);
    let is_taken = package(project, &name).is_ok();
    Ok(if is_name && !is_taken { name } else { "mine".into() })
}

fn package(project: &Project, name: &str) -> Result<Value, String> {
    let all = packages(&project.root.join("Cargo.toml"))?;
    let found = all.into_iter().find(|it| it["name"] == name);
    found.ok_or(format!("there is no package {name}"))
}

/// The beginning of each manifest.
fn head(package: &str, of: &Value) -> String {
    let (edition, rust) = (&of["edition"], &of["rust_version"]);
    format!(
        "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = {edition}\n\
         rust-version = {rust}\npublish = false\n\n\
         # A workspace of its own, wherever it is.\n[workspace]\n"
    )
}

/// The manifest of a template: these dependencies in the versions of stage 3.
fn template_manifest(
    project: &Project,
    library: &str,
    uses: &[&str],
    name: &str,
) -> Result<String, String> {
    let stage = &package(project, "stage3-async")?;
    let mut text = head(name, stage);
    let library = format!("\n[lib]\nname = \"{library}\"\n\n[dependencies]\n");
    text.push_str(&library);
    for dependency in dependencies(stage).filter(|it| {
        it["target"].is_null()
            && uses.contains(&it["name"].as_str().unwrap_or_default())
    }) {
        text.push_str(&line(project, dependency));
    }
    Ok(text)
}

/// The manifest of a copy: that of the package without its steps and tests.
fn copied_manifest(
    project: &Project,
    name: &str,
    package_name: &str,
) -> Result<String, String> {
    let stage = &package(project, name)?;
    let mut text = head(package_name, stage);
    let library = name.replace('-', "_");
    write!(
        text,
        "\n# Its name in code stays as it was.\n[lib]\nname = \"{library}\"\n\n[features]\n"
    )
    .expect("a string takes all text");
    for (feature, of) in stage["features"].as_object().into_iter().flatten() {
        writeln!(text, "{feature} = {of}").expect("a string takes all text");
    }
    text.push_str("\n[dependencies]\n");
    for dependency in dependencies(stage).filter(|it| it["target"].is_null()) {
        text.push_str(&line(project, dependency));
    }
    for dependency in dependencies(stage) {
        if let Some(target) = dependency["target"].as_str() {
            let line = line(project, dependency);
            write!(text, "\n[target.'{target}'.dependencies]\n{line}")
                .expect("a string takes all text");
        }
    }
    text.push_str(
        "\n[lints.rust]\nunexpected_cfgs = { level = \"warn\", check-cfg = [\"cfg(loom)\"] }\n",
    );
    Ok(text)
}

/// Returns what a package needs to be built.
fn dependencies(package: &Value) -> impl Iterator<Item = &Value> {
    let all = package["dependencies"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter(|it| it["kind"].is_null())
}

/// A line of `[dependencies]`.
fn line(project: &Project, dependency: &Value) -> String {
    let name = dependency["name"].as_str().unwrap_or_default();
    let mut fields = match dependency["path"].as_str() {
        // Also if cargo knows the repository by another path.
        Some(_) => vec![format!("path = {}", quoted(&project.root.join(name)))],
        None => {
            let version = dependency["req"].as_str().unwrap_or_default();
            vec![format!("version = \"{}\"", version.trim_start_matches('^'))]
        }
    };
    if dependency["uses_default_features"] == false {
        fields.push("default-features = false".into());
    }
    if dependency["features"].as_array().is_some_and(|it| !it.is_empty()) {
        fields.push(format!("features = {}", dependency["features"]));
    }
    if dependency["optional"] == true {
        fields.push("optional = true".into());
    }
    format!("{name} = {{ {} }}\n", fields.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_blanks_is_printed_in_quotes() {
        assert_eq!(for_a_shell(Path::new("../mine")), "../mine");
        assert_eq!(
            for_a_shell(Path::new("../my crates/mine")),
            "\"../my crates/mine\""
        );
    }
}
