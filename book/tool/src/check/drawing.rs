//! The figures of a book: each `NAME.fig`, and `NAME.svg` beside it.

use crate::read::place::{Place, files, stem};
use crate::read::problem::Problem;
use std::fs;
use std::path::{Path, PathBuf};

/// A figure, and what is wrong with it.
struct Drawn {
    svg_file: PathBuf,
    svg: Option<String>,
    problems: Vec<Problem>,
}

/// Draws all figures. Those that look wrong are drawn as well: to look at.
pub fn draw_all(place: &Place) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files(&place.book.join("figures"), "fig") {
        let drawn = draw(place, &file);
        problems.extend(drawn.problems);
        let Some(svg) = drawn.svg else { continue };
        let before = fs::read_to_string(&drawn.svg_file).unwrap_or_default();
        if before == svg {
            continue;
        }
        if let Err(error) = fs::write(&drawn.svg_file, svg) {
            let text = format!("cannot be written: {error}");
            problems.push(Problem::new(place.shown(&drawn.svg_file), 0, text));
        }
    }
    problems
}

/// What is wrong with these figures, and whether what is stored is what they draw. No
/// names: all of them, and pictures without a figure.
pub fn check(place: &Place, names: Option<&[String]>) -> Vec<Problem> {
    let folder = place.book.join("figures");
    let mut problems = Vec::new();
    let wanted = |file: &PathBuf| {
        names.is_none_or(|names| names.iter().any(|name| name == stem(file)))
    };
    for file in files(&folder, "fig").into_iter().filter(wanted) {
        let drawn = draw(place, &file);
        problems.extend(drawn.problems);
        let stored = fs::read_to_string(&drawn.svg_file).unwrap_or_default();
        if drawn.svg.is_some_and(|svg| svg != stored) {
            let text = "is not what its .fig draws: run `cargo book figures`";
            problems.push(Problem::new(place.shown(&drawn.svg_file), 0, text));
        }
    }
    for svg in files(&folder, "svg").into_iter().filter(wanted) {
        if !svg.with_extension("fig").is_file() {
            let text = "no .fig draws it: write one, or delete it";
            problems.push(Problem::new(place.shown(&svg), 0, text));
        }
    }
    problems
}

fn draw(place: &Place, file: &Path) -> Drawn {
    let shown = place.shown(file);
    let svg_file = file.with_extension("svg");
    let result = match fs::read_to_string(file) {
        Ok(text) => figure::draw(stem(file), &text),
        Err(error) => {
            let text = format!("cannot be read: {error}");
            Err(vec![figure::Trouble { line: 0, text }])
        }
    };
    let (svg, troubles) = match result {
        Ok(drawing) => (Some(drawing.svg), drawing.troubles),
        Err(troubles) => (None, troubles),
    };
    let problem =
        |trouble: figure::Trouble| Problem::new(&shown, trouble.line, trouble.text);
    Drawn { svg_file, svg, problems: troubles.into_iter().map(problem).collect() }
}
