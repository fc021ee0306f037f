//! What a reader types along compiles: packages without the lines that the book leaves out.

use crate::check::fine::Fine;
use crate::read::book::Book;
use crate::read::include::{is_observed, printed};
use crate::read::place::{Place, all_below, files_below};
use crate::read::problem::Problem;
use crate::read::project::shown_folders;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The folders of a package with listings.
const FOLDERS: [&str; 2] = ["src", "examples"];

/// What must not be left where lines were taken out of a listing.
const DENIED: [&str; 2] = ["unused_assignments", "unused_mut"];

/// The files of a workspace, by their paths in it.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Compiles the packages that have such lines, with their steps, unless they were fine
/// before.
pub fn check(book: &Book) -> Vec<Problem> {
    let folders = packages(book);
    if folders.is_empty() {
        return Vec::new();
    }
    let compiled = workspace(book, &folders).and_then(|files| {
        Fine::read(&book.place).unless_known(&files, || compile(&book.place, &files))
    });
    compiled.err().map(|said| problems(&said)).unwrap_or_default()
}

/// The folders, below the project's, of the packages with a line that no page prints.
fn packages(book: &Book) -> Vec<PathBuf> {
    let has_some = |file: &PathBuf| {
        fs::read_to_string(file).is_ok_and(|text| text.lines().any(is_observed))
    };
    let is_one = |folder: &&Path| {
        let folder = book.place.root.join(folder);
        let sources = FOLDERS.map(|it| files_below(&folder.join(it), "rs")).concat();
        folder.join("Cargo.toml").is_file() && sources.iter().any(has_some)
    };
    let folders = shown_folders().iter().map(Path::new).filter(is_one);
    folders.map(Path::to_path_buf).collect()
}

/// Returns a workspace of these packages as the book prints them. What they need besides,
/// they take from the project.
fn workspace(book: &Book, folders: &[PathBuf]) -> Result<Files, String> {
    let root = &book.place.root;
    let mut files = Files::new();
    for folder in folders {
        let mut manifest = table(&root.join(folder).join("Cargo.toml"))?;
        manifest.insert(
            "lints".into(),
            Table::from_iter([("workspace".to_string(), true.into())]).into(),
        );
        // Tests are not compiled.
        manifest.remove("test");
        files.insert(folder.join("Cargo.toml"), manifest.to_string().into());
        for file in FOLDERS.iter().flat_map(|it| all_below(&root.join(folder).join(it)))
        {
            let path = file.strip_prefix(root).expect("it was found there");
            files.insert(path.to_path_buf(), source(&file)?);
        }
    }
    let manifest = root_manifest(root, folders)?;
    files.insert("Cargo.toml".into(), manifest.to_string().into());
    if let Ok(lock) = fs::read(root.join("Cargo.lock")) {
        files.insert("Cargo.lock".into(), lock);
    }
    Ok(files)
}

/// A file, without what the book leaves out.
fn source(file: &Path) -> Result<Vec<u8>, String> {
    let bytes = fs::read(file).map_err(|error| failed(file, &error))?;
    match str::from_utf8(&bytes) {
        Ok(text) if file.extension().is_some_and(|it| it == "rs") => {
            Ok(printed(text).into_bytes())
        }
        _ => Ok(bytes),
    }
}

fn table(file: &Path) -> Result<Table, String> {
    let text = fs::read_to_string(file).map_err(|error| failed(file, &error))?;
    text.parse().map_err(|error| failed(file, &error))
}

fn failed(file: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", file.display())
}

/// The project's manifest, for these members and with lints of our own.
fn root_manifest(root: &Path, folders: &[PathBuf]) -> Result<Table, String> {
    let mut manifest = table(&root.join("Cargo.toml"))?;
    let workspace = manifest.entry("workspace").or_insert(Table::new().into());
    let workspace = workspace.as_table_mut().ok_or("[workspace] is no table")?;
    for key in ["exclude", "default-members"] {
        workspace.remove(key);
    }
    let names = folders.iter().map(|it| it.display().to_string());
    workspace.insert("members".into(), names.collect::<Vec<_>>().into());
    let denied = DENIED.map(|it| (it.to_string(), "deny".into()));
    let lints =
        Table::from_iter([("rust".to_string(), Table::from_iter(denied).into())]);
    workspace.insert("lints".into(), lints.into());
    let dependencies = workspace.get_mut("dependencies").and_then(Value::as_table_mut);
    for (_, dependency) in dependencies.into_iter().flatten() {
        let path = dependency.get_mut("path");
        if let Some(Value::String(path)) = path
            && !folders.contains(&PathBuf::from(&*path))
        {
            *path = root.join(&*path).display().to_string();
        }
    }
    Ok(manifest)
}

/// Compiles a workspace, with the libraries that the project's own build has compiled.
fn compile(place: &Place, files: &Files) -> Result<(), String> {
    let folder = place.target.join("book-typed");
    write(&folder, files)?;
    let output = step::cargo()
        .args(["check", "--workspace", "--bins", "--examples", "--offline"])
        .args(["--keep-going", "--quiet", "--message-format", "short"])
        .env("CARGO_TARGET_DIR", &place.target)
        .current_dir(&folder)
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(said) }
}

/// Makes the folder hold these files and no others. What has not changed is not touched, so
/// that it is not compiled again.
fn write(folder: &Path, files: &Files) -> Result<(), String> {
    for old in all_below(folder) {
        let path = old.strip_prefix(folder).expect("it was found there");
        if !files.contains_key(path) {
            fs::remove_file(&old).map_err(|error| failed(&old, &error))?;
        }
    }
    for (path, bytes) in files {
        let file = folder.join(path);
        if fs::read(&file).is_ok_and(|old| old == *bytes) {
            continue;
        }
        fs::create_dir_all(file.parent().unwrap_or(folder))
            .and_then(|()| fs::write(&file, bytes))
            .map_err(|error| failed(&file, &error))?;
    }
    Ok(())
}

/// A problem for each error, in the line that it names: `src/a.rs:1:5: error: …`. The lines
/// have the numbers that they have in the project.
fn problems(said: &str) -> Vec<Problem> {
    let one = |line: &str| {
        let (place, error) = line.split_once(": error")?;
        let mut place = place.splitn(3, ':');
        let (file, line) = (place.next()?, place.next()?.parse().ok()?);
        let text = format!(
            "without the lines that end in `// observe`, as a reader types it: error{error}"
        );
        Some(Problem::new(file, line, text))
    };
    let found: Vec<Problem> = said.lines().filter_map(one).collect();
    if found.is_empty() {
        let text = format!("the packages as printed are not compiled:\n{said}");
        return vec![Problem::new("book", 0, text)];
    }
    found
}
