//! Five hundred lines or less: the rule of the book's chapter, for each layer of the stages.
//!
//! `cargo test -p conformance --test project lines -- --nocapture` prints the lines of each file.

use std::fs;
use std::path::{Path, PathBuf};
use step::root;

/// Files that are read together.
struct Layer {
    name: &'static str,
    /// The folder below the workspace's.
    folder: &'static str,
    /// How the names of its files begin. A file counts in the first layer that it matches.
    files: &'static [&'static str],
    /// The most lines that it may have, if there is a limit.
    most: Option<usize>,
    /// Whether lines that observe count.
    counts_observation: bool,
}

const ALL: &[&str] = &[""];

/// A layer without a limit.
const fn layer(
    name: &'static str,
    folder: &'static str,
    files: &'static [&'static str],
) -> Layer {
    Layer { name, folder, files, most: None, counts_observation: false }
}

impl Layer {
    const fn at_most(self, lines: usize) -> Layer {
        Layer { most: Some(lines), ..self }
    }

    const fn with_observation(self) -> Layer {
        Layer { counts_observation: true, ..self }
    }
}

/// The machine of stage 3, without what observes it.
const MACHINE: &str = "stage3-async/src/machine";

/// A limit makes us think, and is no reason to put two thoughts into one line. Lines
/// that observe, and that the book leaves out, are printed and do not count, except in
/// stage 1.
///
/// Where a limit is higher than five hundred, or higher than it once was, the crawlers do
/// more: addresses share the time of an attempt, bodies in flight have a budget, a crawl has
/// a time limit, requests to one server keep a pause, TLS says goodbye, and any certificate
/// may be accepted.
///
/// The limit of a whole stage leaves room for fifty lines more than it has needed. What
/// is [read first](READ_FIRST) is limited more strictly.
const LAYERS: &[Layer] = &[
    layer("stage 1", "stage1-callbacks/src", ALL).at_most(550).with_observation(),
    layer("stage 2: observation", "stage2-generators/src", &["observe.rs"])
        .at_most(160),
    layer("stage 2", "stage2-generators/src", ALL).at_most(688),
    layer("stage 3: the machine", "stage3-async/src", &["machine/"]).at_most(510),
    layer(
        "stage 3: the crawler",
        "stage3-async/src",
        &["crawler.rs", "fetch.rs", "frontier.rs"],
    )
    .at_most(376),
    layer("stage 3: extra", "stage3-async/src", &["extra/"]).at_most(716),
    layer("stage 3: observation", "stage3-async/src", &["observe.rs", "observed.rs"])
        .at_most(250),
    layer("stage 3: on the machine", "stage3-async/src", ALL).at_most(530),
    layer("shared: a crawl's books", "shared/src", &["crawl"]),
    layer("shared: HTTP", "shared/src", &["http"]),
    layer("shared: pages", "shared/src", &["page"]),
    layer("shared: reports", "shared/src", &["report"]),
    layer("shared: the rest", "shared/src", ALL),
    layer("the demo site", "shared/demo/src", ALL),
    layer("the tests' library", "tests/src", ALL),
    layer("the comparison", "tests/compare/src", ALL),
    layer("the book's tool", "book/tool/src", ALL),
];

/// The files in which a reader looks for the idea of a stage. What a real program adds to
/// it is in other files.
const READ_FIRST: &[Layer] = &[
    layer(
        "stage 1, read first",
        "stage1-callbacks/src",
        &["event_loop.rs", "fetcher.rs", "crawler.rs"],
    )
    .at_most(360)
    .with_observation(),
    layer("stage 1: the fetcher", "stage1-callbacks/src", &["fetcher.rs"])
        .at_most(97)
        .with_observation(),
    layer(
        "stage 2, read first",
        "stage2-generators/src",
        &[
            "event_loop.rs",
            "coroutine.rs",
            "futures.rs",
            "scheduler.rs",
            "fetch.rs",
            "crawler.rs",
        ],
    )
    .at_most(453),
    layer("stage 3, read first", "stage3-async/src", &["crawler.rs", "fetch.rs"])
        .at_most(225),
];

#[test]
fn each_layer_is_as_short_as_it_promises() {
    are_as_short_as_they_promise(LAYERS, |number| &LAYERS[..number]);
}

#[test]
fn what_is_read_first_is_as_short_as_it_promises() {
    are_as_short_as_they_promise(READ_FIRST, |_| &[]);
}

/// `earlier` returns the layers whose files do not count in the layer of this number.
fn are_as_short_as_they_promise(
    layers: &[Layer],
    earlier: fn(usize) -> &'static [Layer],
) {
    let mut wrong = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let (lines, observed) = layer.count(earlier(number));
        let limit = layer.most.map_or(String::new(), |most| format!(" of {most}"));
        println!("{lines:5}{limit}  {}; {observed} of them observe\n", layer.name);
        let counted = if layer.counts_observation { lines } else { lines - observed };
        if lines == 0 || layer.most.is_some_and(|most| counted > most) {
            wrong.push(format!("{}: {counted} lines{limit}", layer.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

impl Layer {
    /// Prints and adds up the lines of its files, but for those that an earlier layer has:
    /// all, and those that the book leaves out.
    fn count(&self, earlier: &[Layer]) -> (usize, usize) {
        let folder = root().join(self.folder);
        let has = |layer: &Layer, file: &str| {
            layer.folder == self.folder
                && layer.files.iter().any(|start| file.starts_with(start))
        };
        let mut sum = (0, 0);
        for path in sources(&folder) {
            let file = path.strip_prefix(&folder).expect("it is below");
            let file = file.to_str().expect("text").replace('\\', "/");
            if has(self, &file) && !earlier.iter().any(|layer| has(layer, &file)) {
                let text = read(&path);
                let lines = source_lines(&text).count();
                println!("{lines:5}  {}/{file}", self.folder);
                sum = (sum.0 + lines, sum.1 + observed_lines(program(&text)));
            }
        }
        sum
    }
}

/// The machine could run any program: it knows nothing of crawling, traces, TLS, helper
/// threads and reports. What observes it takes a few lines, which the book leaves out.
#[test]
fn the_machine_knows_nothing_of_what_runs_on_it() {
    const ALLOWED: &[&str] = &["machine", "observe", "TimerId", "Timers"];
    const MOST_OBSERVED: usize = 25;
    let mut observed = 0;
    for path in sources(&root().join(MACHINE)) {
        let text = read(&path);
        for name in imported(program(&text)) {
            assert!(ALLOWED.contains(&name), "{}: {name}", path.display());
        }
        observed += observed_lines(program(&text));
    }
    println!("{observed} lines of the machine are for observation");
    assert!((1..=MOST_OBSERVED).contains(&observed), "{observed} lines");
}

/// Everything else is passed to constructors.
#[test]
fn thread_locals_are_only_in_observation_and_in_the_budget() {
    let folder = root().join("stage3-async/src");
    let files = sources(&folder).into_iter();
    let with = files.filter(|path| program(&read(path)).contains("thread_local!"));
    let with: Vec<PathBuf> = with.collect();
    let expected = ["machine/budget.rs", "observe.rs"].map(|file| folder.join(file));
    assert_eq!(with, expected);
}

/// The names that a text takes from its own crate and from `shared`.
fn imported(text: &str) -> Vec<&str> {
    let code = source_lines(text).collect::<Vec<_>>();
    let paths = code.iter().flat_map(|line| {
        let parts = line.split("crate::").skip(1);
        parts.chain(line.split("shared::").skip(1))
    });
    let is_end = |char: char| !char.is_alphanumeric() && char != '_';
    let names = paths.flat_map(|path| match path.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap_or(list).split(", ").collect(),
        None => vec![path],
    });
    names.map(|name| name.split(is_end).next().unwrap_or(name)).collect()
}

/// Counts the lines that the book leaves out: those that end in `// observe`.
fn observed_lines(text: &str) -> usize {
    text.lines().filter(|line| is_observed(line)).count()
}

fn is_observed(line: &str) -> bool {
    is_source(line) && line.ends_with("// observe")
}

/// All Rust files in a folder and below, sorted.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|why| panic!("{folder:?}: {why}"));
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("a folder of ours can be read").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a source is text")
}

/// A file without its tests, which are at its end.
fn program(text: &str) -> &str {
    text.split_once("\n#[cfg(test)]\nmod tests {").map_or(text, |(program, _)| program)
}

/// The lines that count.
fn source_lines(text: &str) -> impl Iterator<Item = &str> {
    program(text).lines().filter(|line| is_source(line))
}

/// Neither blank nor a comment. (There are no block comments in this workspace.)
fn is_source(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

#[test]
fn tests_do_not_count() {
    let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
    assert_eq!(source_lines(text).count(), 1);
}

#[test]
fn blanks_and_comments_do_not_count() {
    let lines =
        ["", "  ", "// why", "    /// What.", "//! Idea.", "let x = 1; // why", "}"];
    assert_eq!(lines.map(is_source), [false, false, false, false, false, true, true]);
}

#[test]
fn imports_are_found_wherever_they_are() {
    let text = "use crate::{observe, queue::Get};\n// crate::pool\nlet a = crate::tls::b();\n\
                pub(crate) fn f() {}\nuse shared::{TimerId, Timers};\n";
    assert_eq!(imported(text), ["observe", "queue", "tls", "TimerId", "Timers"]);
}

#[test]
fn observation_is_counted_by_its_marks() {
    let text = "use a; // observe\nlet b; // observed\n// observe\nc();\n    d(); // observe\n";
    assert_eq!(observed_lines(text), 2);
}
