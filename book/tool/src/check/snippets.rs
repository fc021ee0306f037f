//! Short programs in the pages compile and run, or are refused as they say.

use crate::book::Book;
use crate::page::Page;
use crate::problem::Problem;
use crate::reading::Fence;
use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// What a short program may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Compiles and runs all `rust` blocks, and compiles all `rust,compile_fail`. What was fine
/// once is remembered below `target`.
pub fn check(book: &Book, pages: &[&Page]) -> Vec<Problem> {
    let known = book.place.target.join("book-snippets");
    let compiler = compiler();
    let mut fine = fine(&known);
    let mut problems = Vec::new();
    for page in pages {
        for fence in page.fences.iter().filter(|it| it.is_rust() && !it.is_listing()) {
            let key = key(&compiler, fence);
            if fine.contains(&key) {
                continue;
            }
            match try_out(fence) {
                Ok(()) => drop(fine.insert(key)),
                Err(why) => problems.push(page.problem(fence.line, why)),
            }
        }
    }
    let text: String = fine.iter().map(|key| format!("{key}\n")).collect();
    // If this cannot be stored, the program is compiled again.
    let _ =
        fs::create_dir_all(&book.place.target).and_then(|()| fs::write(known, text));
    problems
}

fn fine(known: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(known).unwrap_or_default();
    text.lines().map(String::from).collect()
}

fn key(compiler: &str, fence: &Fence) -> String {
    let mut hasher = DefaultHasher::new();
    (compiler, &fence.info, &fence.body).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
}

fn compiler() -> String {
    let output = rustc().arg("--version").output();
    output.map_or(String::new(), |it| String::from_utf8_lossy(&it.stdout).into_owned())
}

fn try_out(fence: &Fence) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, program) = (folder.path().join("main.rs"), folder.path().join("main"));
    fs::write(&source, whole(fence)).map_err(|error| error.to_string())?;
    let output = rustc()
        .args(["--edition", "2024", "--crate-name", "snippet", "-A", "warnings", "-o"])
        .args([&program, &source])
        .output()
        .map_err(|error| format!("rustc cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let must_fail = fence.info.contains("compile_fail");
    match (output.status.success(), must_fail) {
        (false, true) => Ok(()),
        (true, true) => Err("compiles, and should be refused".to_string()),
        (false, false) => Err(format!("does not compile:\n{said}")),
        (true, false) => run(&program),
    }
}

fn run(program: &Path) -> Result<(), String> {
    let mut child = Command::new(program)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot be run: {error}"))?;
    let Ok(Some(status)) = child.wait_timeout(LIMIT) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("still runs after {LIMIT:?}"));
    };
    if status.success() { Ok(()) } else { Err(format!("ends with {status}")) }
}

/// The program as rustdoc would make it: hidden lines are shown, and a `main` is put
/// around what has none.
fn whole(fence: &Fence) -> String {
    let show = |line: &String| match line.trim() {
        "#" => String::new(),
        hidden => hidden.strip_prefix("# ").map_or(line.clone(), String::from),
    };
    let text = fence.body.iter().map(show).collect::<Vec<_>>().join("\n");
    if text.contains("fn main(") { text } else { format!("fn main() {{\n{text}\n}}\n") }
}
