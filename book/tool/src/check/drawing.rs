//! The figures of a book: each `NAME.fig`, and `NAME.svg` beside it; and the picture of the
//! README.

use super::waits;
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

impl Drawn {
    /// Writes it, if it is not what is stored.
    fn store(self, place: &Place) -> Vec<Problem> {
        let Drawn { svg_file, svg, mut problems } = self;
        let stored = fs::read_to_string(&svg_file).unwrap_or_default();
        let written = match svg {
            Some(svg) if svg != stored => fs::write(&svg_file, svg),
            _ => Ok(()),
        };
        if let Err(error) = written {
            let text = format!("cannot be written: {error}");
            problems.push(Problem::new(place.shown(&svg_file), 0, text));
        }
        problems
    }

    /// Compares it with what is stored.
    fn compare(self, place: &Place) -> Vec<Problem> {
        let Drawn { svg_file, svg, mut problems } = self;
        let stored = fs::read_to_string(&svg_file).unwrap_or_default();
        if svg.is_some_and(|svg| svg != stored) {
            let text = "is not what is drawn today: run `cargo book figures`";
            problems.push(Problem::new(place.shown(&svg_file), 0, text));
        }
        problems
    }
}

/// Draws all figures. Those that look wrong are drawn as well: to look at.
pub fn draw_all(place: &Place) -> Vec<Problem> {
    let all = files(&place.book.join("figures"), "fig");
    let all = all.iter().map(|file| draw(place, file)).chain(of_readme(place));
    all.flat_map(|drawn| drawn.store(place)).collect()
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
        problems.extend(draw(place, &file).compare(place));
    }
    if names.is_none() {
        problems.extend(of_readme(place).into_iter().flat_map(|it| it.compare(place)));
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
    let result = match fs::read_to_string(file) {
        Ok(text) => figure::draw(stem(file), &text),
        Err(error) => {
            let text = format!("cannot be read: {error}");
            Err(vec![figure::Trouble { line: 0, text }])
        }
    };
    drawn(place, file, file.with_extension("svg"), result)
}

/// Draws the picture of the README. `None` for a book without one.
fn of_readme(place: &Place) -> Option<Drawn> {
    let svg_file = place.book.join(waits::FILE);
    let has_one = svg_file.is_file() || waits::has_a_trace(place);
    has_one.then(|| drawn(place, &svg_file.clone(), svg_file, waits::draw(place)))
}

fn drawn(
    place: &Place,
    source: &Path,
    svg_file: PathBuf,
    result: Result<figure::Drawing, Vec<figure::Trouble>>,
) -> Drawn {
    let shown = place.shown(source);
    let (svg, troubles) = match result {
        Ok(drawing) => (Some(drawing.svg), drawing.troubles),
        Err(troubles) => (None, troubles),
    };
    let problem =
        |trouble: figure::Trouble| Problem::new(&shown, trouble.line, trouble.text);
    Drawn { svg_file, svg, problems: troubles.into_iter().map(problem).collect() }
}
