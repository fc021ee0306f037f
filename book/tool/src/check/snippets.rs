//! Short programs in the pages compile and run, or are refused as they say.

use crate::check::fine::{Fine, run, rustc};
use crate::read::book::Book;
use crate::read::page::Page;
use crate::read::problem::Problem;
use crate::read::text::Fence;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What a short program may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Compiles and runs all `rust` blocks, and compiles all `rust,compile_fail`, unless they
/// were fine before.
pub fn check(book: &Book, pages: &[&Page]) -> Vec<Problem> {
    let mut fine = Fine::read(&book.place);
    let mut problems = Vec::new();
    for page in pages {
        for fence in page.fences.iter().filter(|it| it.is_rust() && !it.is_listing()) {
            let what = (&fence.info, &fence.body);
            let tried = fine.unless_known(what, || try_out(fence));
            problems.extend(tried.err().map(|why| page.problem(fence.line, why)));
        }
    }
    problems
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
        (true, false) => {
            let mut program = Command::new(&program);
            run(program.stdout(Stdio::null()).stderr(Stdio::null()), LIMIT)
        }
    }
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
