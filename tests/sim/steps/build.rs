//! Makes a module of each step that this program runs: its text, unchanged but for the
//! place of its modules, and after it a function that calls its `main`. What a step says
//! about pages in its first lines decides whether it is here.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};
use step::{InPage, Step};

const START: &str = "
pub(crate) fn start_of_the_step() -> impl std::process::Termination {
    main()
}
";

/// The step that also runs with chosen turns (`src/turns.rs`). Only its `AtomicBool` is
/// another one.
const BY_TURNS: &str = "ch19_broken_lost_wake";
const ATOMIC: [&str; 2] = [
    "use std::sync::atomic::{AtomicBool, Ordering};",
    "use {crate::turns::AtomicBool, std::sync::atomic::Ordering};",
];
const START_BY_TURNS: &str = "
pub(crate) fn by_turns(task: Pin<&mut impl Future<Output = ()>>, is_fixed: bool) {
    run(task, is_fixed);
}
";

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let (mut modules, mut names) = (String::new(), String::new());
    let steps = step::all(step::root()).expect("the steps can be read");
    for Step { name, file, .. } in steps.iter().filter(|step| is_compiled(step)) {
        let source = step::root().join(file);
        // A new step, or one that says something else about pages now.
        let folder = source.parent().expect("it is in a folder");
        println!("cargo::rerun-if-changed={}", folder.display());
        let text = fs::read_to_string(&source).expect("it was found");
        let text = placed(&text, folder);
        let file = out.join(format!("{name}.rs"));
        if name == BY_TURNS {
            let text = by_turns(&text);
            let file = out.join(format!("{name}_by_turns.rs"));
            fs::write(&file, text).expect("the folder is ours");
            writeln!(
                modules,
                "#[allow(dead_code)]\n#[path = {file:?}]\nmod {name}_by_turns;"
            )
            .expect("it is a string");
        }
        fs::write(&file, text + START).expect("the folder is ours");
        writeln!(modules, "#[path = {file:?}]\nmod {name};").expect("it is a string");
        writeln!(names, "    ({name:?}, || {name}::start_of_the_step().report()),")
            .expect("it is a string");
    }
    let steps = format!("{modules}const STEPS: &[(&str, Start)] = &[\n{names}];\n");
    fs::write(out.join("steps.rs"), steps).expect("the folder is ours");
}

/// The text of a step, whose modules in folders of their own are found from elsewhere, too.
fn placed(text: &str, examples: &Path) -> String {
    let mut placed = String::new();
    for line in text.lines() {
        let name = line.strip_prefix("mod ").and_then(|it| it.strip_suffix(';'));
        let path =
            line.strip_prefix("#[path = \"").and_then(|it| it.strip_suffix("\"]"));
        let has_path = placed.lines().last().is_some_and(|it| it.starts_with("#[path"));
        let file = match (name, path) {
            (Some(name), _) if !has_path => Some(examples.join(name).join("mod.rs")),
            // Without a folder it is another step, which is written beside this one.
            (_, Some(path)) if path.contains('/') => Some(examples.join(path)),
            _ => None,
        };
        let file = file.filter(|file| file.is_file());
        if let Some(file) = &file {
            let folder = file.parent().expect("it is in a folder");
            println!("cargo::rerun-if-changed={}", folder.display());
            writeln!(placed, "#[path = {file:?}]").expect("it is a string");
        }
        if file.is_none() || name.is_some() {
            writeln!(placed, "{line}").expect("it is a string");
        }
    }
    placed
}

/// The step with the `AtomicBool` whose operations are turns.
fn by_turns(text: &str) -> String {
    let [from, to] = ATOMIC;
    assert_eq!(text.matches(from).count(), 1, "{BY_TURNS} has one `{from}`");
    text.replace(from, to) + START_BY_TURNS
}

/// Returns whether this program has the step.
fn is_compiled(step: &Step) -> bool {
    let has_crawlers = env::var_os("CARGO_FEATURE_CRAWLING").is_some();
    step.package().is_some()
        && !matches!(step.in_a_page, InPage::Not(_))
        && (has_crawlers || !step.needs_crawlers)
}
