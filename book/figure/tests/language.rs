//! What the figures' language refuses, and what is drawn.

use figure::draw;

const TWO: &str = "size 300 180\nalt Two.\ncode a 10 10 80 40 \"a\"\n\
                   code b 200 10 80 40 \"b\"\n";

/// What is said of [`TWO`] with these lines below.
fn said(lines: &str) -> Vec<String> {
    let text = format!("{TWO}{lines}");
    let troubles =
        draw("test", &text).map_or_else(|bad| bad, |drawing| drawing.troubles);
    troubles.into_iter().map(|it| format!("{}: {}", it.line, it.text)).collect()
}

#[test]
fn a_figure_that_is_fine_has_no_troubles() {
    let lines = "code c 10 120 80 40 \"c\"\narrow a b \"calls\"\n\
                 arrow b a \"1\" dashed\narrow c c \"2\"\n";
    assert_eq!(said(lines), [""; 0]);
}

#[test]
fn what_cannot_be_read_or_does_not_fit_is_told_with_its_line() {
    for (lines, says) in [
        ("box c 1 1 1 1 \"c\"", "5: `box` is not known"),
        ("code a 10 80 80 40 \"a\"", "5: there are two `a`"),
        ("code c 10 80 80 \"c\"", "5: `c` is no number: it should be H"),
        ("code c 10 80 80 40", "5: \"name\" is missing"),
        ("task c 10 80 80 40 \"c\" asleep", "5: `asleep`"),
        ("arrow a a", "5: the arrow from `a` to itself needs 28 px above it"),
        ("arrow a c", "5: nothing is called `c`"),
        ("frame f 10 80 80 60 \"f\" x|y\narrow f.3 a", "6: `f` has 2 rows"),
        ("code c 50 20 80 40 \"c\"", "5: `a` and `c` overlap"),
        ("code c 10 150 80 90 \"c\"", "5: `c` leaves the figure"),
        ("code c 10 80 80 40 \"c\"", "1: there is nothing below 120"),
        ("code c 10 80 40 40 \"`long_name`\"", "5: \"`long_name`\" needs"),
        ("code c 10 80 80 40 \"c\" as boss", "5: `boss`: a role is os, loop,"),
        ("queue c 10 80 80 30 \"c\" 1,2", "5: `c` is 30 px high"),
        ("lane l 80 \"l\"", "5: there is no axis above"),
        ("tick 1 \"l\"", "5: there is no axis above"),
        ("axis 80 90 200 0 5 1 \"s\"\nrun l 0 1", "6: `l` is no lane above"),
        ("axis 80 90 200 0 5 1 \"s\"\nrun a 0 1", "6: `a` is no lane above"),
        ("axis 80 160 200 0 5 1 \"s\"", "5: the axis leaves the figure"),
        (
            "axis 80 140 200 0 5 1 \"s\"\nlane l 90 \"l\"\nwait l 0 6",
            "7: 6 is not between 0 and 5",
        ),
        (
            "axis 80 140 200 0 5 1 \"s\"\nlane l 90 \"l\"\nwait l 0 1 \"too long for it\"",
            "7: \"too long for it\" needs",
        ),
        (
            "axis 30 140 200 0 5 1 \"s\"\nlane l 90 \"a name\"",
            "6: the name of `l` leaves the figure",
        ),
        ("note 250 100 \"much too long\"", "5: the note"),
        ("note 20 30 \"on a\"", "5: the note \"on a\" lies on something"),
        (
            "code c 120 10 40 40 \"c\"\narrow a b",
            "6: the arrow from `a` to `b` runs through",
        ),
        (
            "arrow a b \"a label that is longer than there is room for it\"",
            "5: the label",
        ),
        (
            "code o 5 100 200 90 \"o\"\ntask c 10 105 80 40 \"c\"",
            "6: `c` covers what `o` says",
        ),
    ] {
        let said = said(lines);
        assert!(said.iter().any(|line| line.starts_with(says)), "{lines}: {said:?}");
    }
    assert!(draw("test", "alt x").is_err(), "there is no size");
    assert!(draw("test", "size 800 10\nalt x").is_err(), "that is too wide");
    assert!(draw("test", "size 70 10").is_err(), "there is no alt");
}

/// The numbers of the first arrow's path.
fn arrow(text: &str) -> Vec<f64> {
    let svg = draw("test", text).expect("it can be read").svg;
    let line = svg.lines().find(|line| line.contains("fig-arrow")).expect("an arrow");
    let path = line.split("d=\"").nth(1).expect("a path").trim_end_matches("\"/>");
    let numbers = path.split(|it: char| "MQ ".contains(it)).filter(|it| !it.is_empty());
    numbers.map(|number| number.parse().expect("a number")).collect()
}

#[test]
fn an_arrow_goes_from_border_to_border() {
    let level = arrow(&format!("{TWO}arrow a b\n"));
    assert_eq!((level[0].round(), level[1]), (90.0, 30.0));
    // Its head takes the last pixels.
    assert_eq!((level[4].round(), level[5]), (192.0, 30.0));
}

#[test]
fn a_bend_of_an_arrow_to_the_right_goes_up() {
    let bent = arrow(&format!("{TWO}arrow a b bend 20\n"));
    assert!(bent[3] < bent[1], "{bent:?}");
}

#[test]
fn a_lane_is_measured_with_the_axis_and_an_arrow_goes_to_a_moment_of_it() {
    let lanes = "axis 80 140 200 0 5 1 \"s\"\nlane l 60 \"l\"\nlane m 110 \"m\"\n\
                 wait l 1 2\nrun m 2 2.5\narrow m@2 l@2\n";
    let text = format!("size 300 185\nalt Lanes.\n{lanes}");
    assert_eq!(draw("test", &text).expect("it can be read").troubles, []);
    let svg = draw("test", &text).expect("it can be read").svg;
    let wait =
        "class=\"fig-shape fig-parked role-data\" x=\"121\" y=\"47\" width=\"38\"";
    assert!(svg.contains(wait), "{svg}");
    assert!(svg.contains("class=\"fig-run role-data\" d=\"M160 110h20\""), "{svg}");
    let up = arrow(&text);
    assert_eq!((up[0], up[1].round(), up[4]), (160.0, 96.0, 160.0), "{up:?}");
}

#[test]
fn the_kind_of_a_thing_or_its_line_decides_its_role_and_backticks_are_code() {
    let lines = "os o 10 100 80 40 \"OS\"\ncode c 110 100 80 40 \"`run`\" as loop\n\
                 task t 200 100 80 40 \"a `task`\" parked\n";
    let svg = draw("test", &format!("{TWO}{lines}")).expect("it can be read").svg;
    assert!(svg.contains("fig-shape role-os"), "{svg}");
    assert!(svg.contains("fig-role role-loop"), "{svg}");
    assert!(svg.contains("fig-shape role-task fig-parked"), "{svg}");
    assert!(svg.contains("<text class=\"fig-code fig-middle\""), "{svg}");
    assert!(svg.contains(">a <tspan class=\"fig-code\">task</tspan></text>"), "{svg}");
    assert!(svg.contains("<text class=\"fig-middle\""), "{svg}");
}

#[test]
fn the_svg_can_stand_in_markdown_and_be_read_aloud() {
    let text = format!("{TWO}note 10 100 \"<b> & c\"\n");
    let svg = draw("pin-moved", &text).expect("it can be read").svg;
    assert!(svg.lines().all(|line| !line.trim().is_empty()), "no blank lines");
    let first = svg.lines().next().expect("it has lines");
    assert!(first.starts_with("<svg ") && first.ends_with('>'), "{first}");
    assert!(first.contains("role=\"img\" aria-labelledby=\"fig-pin-moved\""));
    assert!(svg.contains("<title id=\"fig-pin-moved\">Two.</title>"));
    assert!(svg.contains("&lt;b&gt; &amp; c"));
    assert!(!svg.contains('#') && !svg.contains("style="), "colours are the page's");
}

#[test]
fn what_has_a_number_has_a_class_by_which_it_is_found() {
    let text = format!("{TWO}arrow a b \"12\"\narrow b a \"back\" bend 40\n");
    let svg = draw("test", &text).unwrap().svg;
    let of_step: Vec<&str> =
        svg.lines().filter(|line| line.contains("fig-step-12\"")).collect();
    assert_eq!(of_step.len(), 4, "the line, its head, the disc and the number: {svg}");
    assert_eq!(svg.matches("fig-step-").count(), 4);
}
