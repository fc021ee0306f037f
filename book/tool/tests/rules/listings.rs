//! What is shown: listings, outputs, commands, snippets, pictures.

use crate::sample::Sample;
use crate::{PIN, all_are_seen, assert_says, case, faults, whole};

#[test]
fn includes() {
    all_are_seen(&[
        case("ch18_pin.rs:count", "ch18_gone.rs:count", "ch18_gone.rs is not there"),
        case("ch18_pin.rs:count", "ch18_pin.rs:gone", "has no `ANCHOR: gone`"),
        case("ch18_pin.rs:count", "ch18_pin.rs:nothing", "is empty"),
        case("pin-help.out:2:", "pin-help.out:2:9", "has 2 lines, not 2 to 9"),
        case("Some words", "{{#playground a.rs}} words", "write {{#include"),
    ]);
}

#[test]
fn fences() {
    all_are_seen(&[
        case("```rust\n", "```\n", "a code block of ``"),
        case("```rust\n", "```rust,no_run\n", "a code block of `rust,no_run`"),
        case(
            "```rust\n",
            "```python\n1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "lines of Python: shorten",
        ),
    ]);
}

#[test]
fn listings() {
    all_are_seen(&[
        case(
            "```rust,ignore\n",
            "```rust,ignore\nlet a = 1;\n",
            "one line, an include",
        ),
        case("ch18_pin.rs:count", "ch18_pin.rs", "at most 25, so anchor a part"),
        case("ch18_pin.rs:count", "ch18_pin.rs:wide", "wider than 88 columns"),
        case("ch18_pin.rs:count", "ch18_pin.out", "listings are ../../STAGE/"),
        case("ch18_pin.rs:count", "ch18_pin.rs:observed", "`Leaf` is for traces"),
    ]);
}

#[test]
fn lines_that_serve_traces_are_not_printed() {
    let sample = Sample::new();
    assert_eq!(whole(&sample), []);
    let built = std::fs::read_to_string(sample.built().join("pin.html"));
    let built = built.expect("the chapter is built");
    assert!(built.contains("println"));
    assert!(!built.contains("COUNTER_LEAF"));
}

#[test]
fn a_listing_leads_to_its_lines_in_the_page_of_its_file() {
    let sample = Sample::new();
    let path = "`stage3-async/examples/ch18_pin.rs`, not `stage3-async/gone.rs`";
    let link = format!("{path}. See [the first]");
    sample.edit(PIN, "See [the first]", &link);
    assert_eq!(whole(&sample), []);
    let page = "files/stage3-async.examples.ch18_pin.rs.html";
    let read = |file: &str| std::fs::read_to_string(sample.built().join(file));
    let chapter = read("pin.html").expect("the chapter is built");
    let caption = format!(
        "<a href=\"{page}#L3-9\">stage3-async/examples/ch18_pin.rs:3–9</a></div>"
    );
    assert!(chapter.contains(&caption), "{chapter}");
    assert!(
        chapter.contains(&format!(
            "<a href=\"{page}\"><code>stage3-async/examples/ch18_pin.rs</code></a>, \
         not <code>stage3-async/gone.rs</code>"
        )),
        "{chapter}"
    );
    let file = read(page).expect("the page of the file is built");
    assert!(file.contains("<i id=\"L3-9\"></i>"), "{file}");
    assert!(file.contains("COUNTER_LEAF"), "{file}");
    assert!(!file.contains("ANCHOR"), "{file}");
}

#[test]
fn pointers() {
    all_are_seen(&[
        case(
            "See [the first]",
            "Look at line 2 of `ch18_pin`'s output. See [the first]",
            "`line 2` points at a listing that ends with line 1",
        ),
        case(
            "See [the first]",
            "Look at the second line. See [the first]",
            "`the second line` points at no listing: say which",
        ),
    ]);
}

#[test]
fn members() {
    let unknown = "`.is_full` is ours, and no page up to here shows it";
    all_are_seen(&[case("ch18_pin.rs:count", "ch18_pin.rs:member", unknown)]);
    let sample = Sample::new();
    sample.edit(PIN, "ch18_pin.rs:count", "ch18_pin.rs:member");
    sample.edit(PIN, "Some words", "What `is_full` returns is said here. Words");
    let is_found =
        || faults(&sample).iter().any(|fault| fault.to_string().contains("is_full"));
    assert!(!is_found(), "the prose names it");
    sample.edit(PIN, "`is_full`", "the method");
    sample.edit(PIN, "ch18_pin.rs:use", "ch18_pin.rs:leaf");
    assert!(!is_found(), "a listing defines it");
}

#[test]
fn names() {
    all_are_seen(&[
        case("ch18_pin.rs:count", "ch18_pin.rs:forgotten", "`Other` is ours"),
        case("ch18_pin.rs:count", "ch18_pin.rs:forgotten", "`hidden` is ours"),
        case("names: none", "names: Other", "names `Other`, and no prose has it"),
    ]);
    let sample = Sample::new();
    sample.edit(PIN, "ch18_pin.rs:count}}\n```", "ch18_pin.rs:forgotten}}\n```\n");
    sample.edit(PIN, "ch18_pin.rs:use", "ch18_pin.rs:count");
    sample.edit(PIN, "names: none", "names: Other, hidden");
    sample.edit(
        PIN,
        "Some words",
        "What `Other` and `hidden(it)` are is told here. Words",
    );
    assert_eq!(faults(&sample), []);
}

#[test]
fn runs() {
    all_are_seen(&[
        case("$ cargo run -- --help\n", "", "begin with the command"),
        case("{{#include ../runs/pin-help.out:2:}}", "help", "never typed"),
        case("pin-help.out:2:", "pin-help.out", "shows its command as well"),
        case("run -- --help", "run -- --version", "has to be this command"),
        case("$ cargo run --example ch18_pin\n", "$ cargo run\n", "store the output"),
        case("--example ch18_pin\n", "--example ch18_pin -- 1\n", "without arguments"),
        case("$ cargo run -- --help\n", "$ ls\n$ cargo run -- --help\n", "one command"),
    ]);
}

#[test]
fn probes() {
    let sample = Sample::new();
    sample.write("book/probes/a.out", "1\n");
    sample.edit(PIN, "../runs/pin-help.out:2:", "../probes/a.out");
    assert_says(&faults(&sample), "is the output of `python3 book/probes/a.py`");
    sample.edit(PIN, "cargo run -- --help", "python3 book/probes/a.py");
    assert_eq!(faults(&sample), []);
}

#[test]
fn commands() {
    all_are_seen(&[
        case(
            "run --example ch18_pin",
            "run --example ch18_bin",
            "no example `ch18_bin`",
        ),
        case("run -- --help", "run -p stage4 -- --help", "no package `stage4`"),
        case("cargo run -- --help", "cargo walk", "`cargo walk` is no command"),
    ]);
}

#[test]
fn snippets() {
    all_are_seen(&[
        case("let one = 1;", "let one: u8 = \"\";", "does not compile"),
        case("let one = 1;", "let one = 2;", "ends with"),
        case("let one = 1;", "let one = 1; loop {}", "still runs"),
        case("let one: u8 = \"1\";", "let one: u8 = 1;", "should be refused"),
    ]);
}

#[test]
fn images() {
    all_are_seen(&[
        case("Some words", "![](a.png) words", "a picture without alt text"),
        case("Some words", "<img src=\"a.png\"> words", "a picture without alt text"),
        case(
            "Some words",
            "<figcaption>Some `words`.</figcaption>",
            "a caption is HTML",
        ),
        case("Some words", "<svg></svg> words", "SVG in a page"),
    ]);
}
