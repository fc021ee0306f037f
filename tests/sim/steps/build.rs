//! Makes a module of each step that `steps.txt` has for this program: its text, unchanged
//! but for the place of its modules, and after it a function that calls its `main`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const STAGES: [&str; 3] = ["stage1-callbacks", "stage2-generators", "stage3-async"];
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
    let folder =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let table = folder.join("steps.txt");
    println!("cargo::rerun-if-changed={}", table.display());
    let table = fs::read_to_string(table).expect("the table is there");
    let (mut modules, mut names) = (String::new(), String::new());
    for name in table.lines().filter_map(compiled) {
        let source = source(&folder.join("../../.."), name);
        println!("cargo::rerun-if-changed={}", source.display());
        let text = fs::read_to_string(&source).expect("it was found");
        let examples = source.parent().expect("it is in a folder");
        let text = placed(&text, examples);
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

/// The name of the step in this line, if it is compiled.
fn compiled(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once('|')?;
    let is_wanted = match rest.split('|').next()?.trim() {
        "steps" => true,
        "page" => env::var_os("CARGO_FEATURE_CRAWLING").is_some(),
        _ => false,
    };
    is_wanted.then_some(name.trim())
}

fn source(root: &Path, name: &str) -> PathBuf {
    let file = |stage| root.join(stage).join(format!("examples/{name}.rs"));
    let found = STAGES.map(file).into_iter().find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("no stage has a step {name}"))
}
