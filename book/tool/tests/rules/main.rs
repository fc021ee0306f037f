//! Each rule sees a book that breaks it. Where it says so, and nothing else is wrong.

mod english;
mod exercises;
#[path = "../sample/mod.rs"]
mod sample;

use book::check;
use book::problem::Problem;
use sample::Sample;

const PIN: &str = "book/src/pin.md";
const STEP: &str = "stage3-async/examples/ch18_pin.rs";

/// An edit of the chapter, and what is said of it.
struct Case {
    from: &'static str,
    to: &'static str,
    says: &'static str,
}

const fn case(from: &'static str, to: &'static str, says: &'static str) -> Case {
    Case { from, to, says }
}

/// What is wrong with the chapter without a build, warnings apart.
fn faults(sample: &Sample) -> Vec<Problem> {
    check::pages(&sample.book(), &["pin".to_string()])
}

fn whole(sample: &Sample) -> Vec<Problem> {
    let (mut problems, _) = check::whole(&sample.book());
    problems.retain(|problem| !problem.is_warning);
    problems
}

#[track_caller]
fn assert_says(problems: &[Problem], says: &str) {
    let all: Vec<String> = problems.iter().map(|problem| problem.to_string()).collect();
    assert!(all.iter().any(|line| line.contains(says)), "no {says:?} in {all:#?}");
}

/// Makes each edit on a book of its own.
fn all_are_seen(cases: &[Case]) {
    for case in cases {
        let sample = Sample::new();
        sample.edit(PIN, case.from, case.to);
        assert_says(&faults(&sample), case.says);
    }
}

#[test]
fn a_book_that_keeps_the_rules_has_no_faults() {
    let sample = Sample::new();
    assert_eq!(faults(&sample), []);
    assert_eq!(whole(&sample), []);
}

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
    let built = std::fs::read_to_string(sample.place().built().join("pin.html"));
    let built = built.expect("the chapter is built");
    assert!(built.contains("println"));
    assert!(!built.contains("COUNTER_LEAF"));
}

#[test]
fn a_listing_leads_to_its_lines_in_the_page_of_its_file() {
    let sample = Sample::new();
    let link = "[It](../../stage3-async/examples/ch18_pin.rs). See [the first]";
    sample.edit(PIN, "See [the first]", link);
    assert_eq!(whole(&sample), []);
    let page = "files/stage3-async.examples.ch18_pin.rs.html";
    let read = |file: &str| std::fs::read_to_string(sample.place().built().join(file));
    let chapter = read("pin.html").expect("the chapter is built");
    let caption = format!(
        "<a href=\"{page}#L3-9\">stage3-async/examples/ch18_pin.rs:3–9</a></div>"
    );
    assert!(chapter.contains(&caption), "{chapter}");
    assert!(chapter.contains(&format!("<a href=\"{page}\">It</a>")), "{chapter}");
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

#[test]
fn folded() {
    all_are_seen(&[
        case("pin-check-why", "check-why", "has to begin with pin-"),
        case(" id=\"pin-check-why\"", "", "has to begin with pin-"),
        case("<summary>Answer</summary>", "Answer", "no <summary>"),
        case("</details>", "", "is not closed"),
        case("Yes.", "</details>", "closes nothing"),
    ]);
    let sample = Sample::new();
    let again = "<details id=\"pin-check-why\">\n<summary>A</summary>\n</details>\n";
    sample.edit("book/src/last.md", "The end.", again);
    assert_says(
        &check::folded::unique(&sample.book()),
        "is in book/src/pin.md as well",
    );
}

/// The chapter with some code in its prediction, above the fold.
fn predicting(code: &str) -> Sample {
    let sample = Sample::new();
    sample.edit(PIN, "Does it?\n", &format!("Does it?\n\n{code}\n"));
    sample
}

#[test]
fn spoilers() {
    let cases = [
        ("```rust\nassert_eq!(1, 1);\n```", "print the value here"),
        ("```rust\n# assert!(true);\n```", "print the value here"),
        ("```rust\nlet one = 1; // the Mistake\n```", "says `Mistake`"),
        ("```rust\n/// Broken: one.\nfn one() {}\n```", "says `Broken`"),
        ("```rust,compile_fail\nlet one: u8 = \"\"; // E0308\n```", "says `E0308`"),
    ];
    for (code, says) in cases {
        assert_says(&faults(&predicting(code)), says);
        let checkpoint = Sample::new();
        checkpoint.edit(PIN, "**2.** How?\n", &format!("**2.** How?\n\n{code}\n"));
        assert_says(&faults(&checkpoint), says);
    }
    let sample = predicting(
        "```rust,ignore\n{{#include ../../stage3-async/examples/ch18_pin.rs:count}}\n```",
    );
    assert_eq!(faults(&sample), []);
    sample.edit(STEP, "counter.0 += 1;", "counter.0 += 1; // a wrong number");
    assert_says(&faults(&sample), "says `wrong`");
}

#[test]
fn what_does_not_give_the_answer_away_may_be_shown() {
    for code in [
        "```rust\nlet debug = 1; // for debugging\n```",
        "```rust\nlet bug = \"http://127.0.0.1/lost\";\n```",
        "<!-- no spoiler: it is asked why -->\n```rust\nlet one = 1; // a bug\n```",
        "```rust\nprintln!(\"1\"); // assert it in the answer\n```",
    ] {
        assert_eq!(faults(&predicting(code)), [], "{code}");
    }
    let sample = Sample::new();
    let answer = "Yes.\n\n```rust\nassert!(true); // not a bug\n```\n";
    sample.edit(PIN, "Yes.\n", answer);
    assert_eq!(faults(&sample), []);
}

#[test]
fn anatomy() {
    all_are_seen(&[
        case("<!-- id: pin;", "<!-- pin;", "no header"),
        case("id: pin;", "id: bin;", "the id is not pin"),
        case("minutes: 25+30;", "", "the header has no `minutes:`"),
        case("steps: ch18_pin;", "steps: ch18_bin;", "there is no step `ch18_bin`"),
        case("trace: none", "trace: pin-one", "include ../traces/pin-one.md"),
        case("## Recap", "## Recipe", "there is no part `## Recap`"),
        case("## Recap", "## Step 3: late", "comes after `Checkpoint`"),
        case("- It moves.", "- It moves.\n\n## More", "`More` comes after `Recap`"),
        case("## Step 1: move", "## Step 2: move", "begin with `Step 1: `"),
        case("## Step 2: help", "## Step 3: help", "begin with `Step 2: `"),
        case("## Step 2: help", "## Step", "begin with `Step 2: `"),
        case("## Where it breaks", "## Python ↔ Rust", "no part leads on"),
        case("## It moves", "## Step 1: it moves", "step 1 comes first"),
        case("{{#include ../figures/pin-moved.svg}}", "", "there is no figure"),
    ]);
    let sample = Sample::new();
    sample.edit(PIN, &"Some words teach.\n".repeat(320), "Few.\n");
    assert_says(&faults(&sample), "words teach: write 900 to 1,800");
}

#[test]
fn titles() {
    all_are_seen(&[case("Step 1: move", "Step 1: Move it", "small letter, `move`")]);
    for name in ["I/O", "Ctrl-C", "Python's `yield`", "a Pin", "`Pin`"] {
        let sample = Sample::new();
        sample.edit(PIN, "Step 1: move", &format!("Step 1: {name}"));
        assert_eq!(faults(&sample), [], "{name}");
    }
    let titles = |from: &str, to: &str| {
        let sample = Sample::new();
        sample.edit(PIN, from, to);
        check::titles::check(&sample.book())
    };
    assert_says(&titles("# Pin\n", "# Pins\n"), "`Pins`, and `Pin` in SUMMARY.md");
    assert_eq!(titles("# Pin\n", "# `Pin`\n"), []);
}

#[test]
fn needs() {
    all_are_seen(&[
        case(" needs: none;", "", "the header has no `needs:`"),
        case("needs: none", "needs: gone", "needs `gone`, which is no chapter"),
        case("needs: none", "needs: introduction", "which is no chapter"),
        case("needs: none", "needs: pin", "does not come before it"),
        case("needs: none", "needs: last", "does not come before it"),
        case("minutes: 25+30", "minutes: 25", "write `minutes: 25+30`"),
    ]);
    let sample = Sample::new();
    sample.edit("book/src/last.md", "needs: pin", "needs: pin,pin");
    let problems = check::pages(&sample.book(), &["last".to_string()]);
    assert_says(&problems, "needs `pin`: write each once, and in order");
}

#[test]
fn the_landing_page_takes_no_value_that_we_do_not_know() {
    let sample = Sample::new();
    sample.edit("book/src/index.md", "{{chapters}}", "{{pages}}");
    assert_says(&whole(&sample), "`{{pages}}` is no value");
}

#[test]
fn chapters_without_steps() {
    let sample = Sample::new();
    sample.edit(PIN, "## Step 1: move", "## One thing");
    sample.edit(PIN, "## Step 2: help", "## Another");
    assert_says(&faults(&sample), "there is no part `## Step 1: …`");
}

#[test]
fn text_without_a_heading_may_come_before_the_first_step() {
    let sample = Sample::new();
    sample.edit(PIN, "## It moves", "");
    sample.edit(PIN, "## The idea", "");
    assert_eq!(faults(&sample), []);
}

#[test]
fn questions() {
    all_are_seen(&[
        case("**1. Broken on purpose.**", "**Broken.**", "begin with `**1.** `"),
        case("**1.** Why?", "**One.** Why?", "begin with `**1.** `"),
        case("**1.** Why?", "1. Why?", "begin with `**1.** `"),
        case("**1.** Why?", "**2.** Why?", "question 2 should be number 1"),
        case("**2.** How?", "**1.** How?", "question 1 should be number 2"),
        case("**2.** How?", "How?", "begin with `**2.** `"),
    ]);
}

#[test]
fn notes() {
    all_are_seen(&[
        case("notes.md#pin", "notes.md#last", "[notes on this chapter]"),
        case("pin-check-why", "pin-teacher", "move this part to teaching/pin.md"),
    ]);
    const NOTE: &str = "book/teaching/pin.md";
    let notes = "book/src/teaching-notes.md";
    let cases = [
        (NOTE, "**Minutes.** 25.", "25 minutes.", "should begin with **Minutes.**"),
        (NOTE, "**Demo.**", "**Script.**", "book/teaching/pin.md:3: paragraphs begin"),
        (
            NOTE,
            "**Demo.** Run it.\n\n**Draw.** It.",
            "**Draw.** It.\n\n**Demo.** Run it.",
            "5: paragraphs begin",
        ),
        (notes, "\"pin\"", "\"bin\"", "below `<a id=\"pin\"></a>` write"),
        (
            notes,
            "teaching/pin.md",
            "teaching/last.md",
            "below `<a id=\"pin\"></a>` write",
        ),
    ];
    for (file, from, to, says) in cases {
        let sample = Sample::new();
        sample.edit(file, from, to);
        assert_says(&faults(&sample), says);
    }
    let sample = Sample::new();
    sample.delete(NOTE);
    assert_says(&faults(&sample), "book/teaching/pin.md: is not there");
    sample.write("book/teaching/stray.md", "**Minutes.** 5.\n");
    let stray = check::notes::without_chapter(&sample.book());
    assert_says(&stray, "book/teaching/stray.md: there is no chapter");
}

#[test]
fn steps() {
    let sample = Sample::new();
    sample.write("stage3-async/examples/ch18_other.rs", "fn main() {}\n");
    assert_says(&check::steps::check(&sample.book()), "no chapter runs it");
}

#[test]
fn coverage() {
    let sample = Sample::new();
    sample.edit(PIN, "covers: C27", "covers: C28");
    let problems = check::covered::check(&sample.book());
    assert_says(&problems, "no page covers C27");
    assert_says(&problems, "covers `C28`");
    assert_says(&problems, "cargo book matrix");
}

#[test]
fn figures() {
    let sample = Sample::new();
    sample.edit("book/figures/pin-moved.fig", "A task", "One task");
    assert_says(&faults(&sample), "is not what its .fig draws");
    sample.delete("book/figures/pin-moved.fig");
    assert_says(&faults(&sample), "no .fig draws it");
}

#[test]
fn the_summary() {
    let sample = Sample::new();
    sample.write("book/src/stray.md", "# Stray\n");
    sample.delete("book/src/last.md");
    let problems = check::summary::check(&sample.book());
    assert_says(&problems, "book/src/stray.md: SUMMARY.md does not list it");
    assert_says(&problems, "SUMMARY.md:9: last.md is not there");
}

#[test]
fn what_is_built() {
    let cases = [
        ("introduction.md#why", "gone.md#why", "`gone.html#why` leads to no file"),
        ("introduction.md#why", "gone.md#why", "a broken link"),
        (
            "introduction.md#why",
            "introduction.md#not",
            "leads to no place of that name",
        ),
        ("The end.", "<img alt=\"a\" src=\"http://h/a.png\">", "asked of another host"),
        ("The end.", "<script src=\"//h/a.js\"></script>", "asked of another host"),
        ("The end.", "\\{{#include a.rs}}", "`{{#` is left"),
        ("The end.", "[the folder](./)", "leads to no file"),
        ("The end.", "[a file](../../stage3-async/gone.rs)", "leads to no file"),
    ];
    for (from, to, says) in cases {
        let sample = Sample::new();
        let page = if from == "The end." { "book/src/last.md" } else { PIN };
        sample.edit(page, from, to);
        assert_says(&whole(&sample), says);
    }
}

#[test]
fn a_page_that_mdbook_leaves_out_is_missed() {
    let sample = Sample::new();
    sample.edit("book/src/SUMMARY.md", "---", "# Appendices");
    assert_says(&whole(&sample), "mdBook has left it out");
}

#[test]
fn style_sheets() {
    let sample = Sample::new();
    sample.edit(
        "book/theme/book.css",
        ":root {",
        "@import \"http://h/a.css\";\n:root {",
    );
    assert_says(&whole(&sample), "is not there, or elsewhere");
}

const PLAN: &str = "title = \"A\"\nminutes = 9\n[[part]]\n[[part.row]]\nfrom = 0\nto = 9\n\
    topic = \"[pin](pin.md)\"\nask = \"why?\"\n";

const SLIDES: &str = "# A\n\n## 0–9\n\n### A\n\n{{ask}}\n\n### B\n\n{{figure pin-moved}}\n\n\
    ### C\n\n{{listing stage3-async/examples/ch18_pin.rs:count 1|2-3}}\n\n\
    ### D\n\n{{output ch18_pin}}\n\n### E\n\nWords.\n";

#[test]
fn slides() {
    let says = |from: &str, to: &str| {
        let sample = Sample::new();
        sample.write("book/plans/90.toml", PLAN);
        sample.write("book/slides/90.md", &SLIDES.replace(from, to));
        let problems = book::slides::check::check(&sample.book());
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(says("", ""), Vec::<String>::new());
    let cases = [
        ("## 0–9", "## 0–8", "write slides for the plan's row `## 0–9`"),
        ("{{ask}}", "It.", "has a question: write {{ask}} or a vote"),
        ("figure pin-moved", "figure gone", "90.md:11: there is no figure `gone`"),
        ("ch18_pin.rs:count", "ch18_pin.rs:gone", "has no `ANCHOR: gone`"),
        ("ch18_pin.rs:count 1|2-3", "ch18_pin.rs", "at most 18 on a slide"),
        ("1|2-3", "1|2-30", "no line 30"),
        ("output ch18_pin", "output ch18_gone", "no step `ch18_gone`"),
        ("output ch18_pin", "output ch18_pin 1-7", "there are no such"),
        ("Words.", "{{vote gone}}", "there is no question `gone`"),
        ("Words.", "{{run gone}}", "there is no run `gone`"),
        ("### E", "{{terms gone}}\n### E", "`gone` is not in the glossary"),
        ("Words.", "```rust\na\n```", "a listing comes from a file"),
    ];
    for (from, to, expected) in cases {
        let all = says(from, to);
        assert!(
            all.iter().any(|it| it.contains(expected)),
            "no {expected:?} in {all:#?}"
        );
    }
}
