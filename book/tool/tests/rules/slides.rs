//! Slides, beside their plan.

use crate::sample::Sample;

const PLAN: &str = "title = \"A\"\nminutes = 9\n[[part]]\n[[part.row]]\nfrom = 0\nto = 9\n\
    topic = \"[pin](pin.md)\"\nask = \"why?\"\n";

const SLIDES: &str = "# A\n\n## 0–9\n\n### A\n\n{{ask}}\n\n### B\n\n{{figure pin-moved}}\n\n1. It moves.\n\n\
    ### C\n\n{{listing stage3-async/examples/ch18_pin.rs:count 1|2-3}}\n\n\
    ### D\n\n{{output ch18_pin}}\n\n### E\n\nWords.\n";

const HANDOUT: &str = "# A\n\n{{address}}\n\n{{lines 3}}\n";

#[test]
fn slides() {
    let says = |from: &str, to: &str| {
        let sample = Sample::new();
        sample.write("book/plans/90.toml", PLAN);
        sample.write("book/slides/90.md", &SLIDES.replace(from, to));
        sample.write("book/slides/90-handout.md", &HANDOUT.replace(from, to));
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
        ("Words.", "{{terms a}}", "90.md:25: `{{terms a}}`: write one of"),
        ("{{lines 3}}", "{{lines 99}}", "90-handout.md:5: `{{lines 99}}`: write one"),
        ("{{lines 3}}", "{{vote gone}}", "90-handout.md:5: it cannot be here"),
        ("1. It moves.", "It.", "has 1 numbers, and the list below it explains 0"),
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
