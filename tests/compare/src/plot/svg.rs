//! What the pictures are made of: the classes are those of the book's figures.

use std::fmt::Write;

/// The width of a picture, as of the widest figure.
pub(super) const WIDTH: f64 = 762.0;

/// A picture that is being drawn. Numbers are rounded, so that it is the same everywhere.
pub(super) struct Svg(String);

impl Svg {
    /// `says` is read aloud in its place.
    pub(super) fn new(name: &str, height: f64, says: &str) -> Svg {
        let mut svg = Svg(String::new());
        svg.line(&format!(
            "<svg class=\"fig plot\" role=\"img\" aria-labelledby=\"{name}\" \
             viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
             xmlns=\"http://www.w3.org/2000/svg\">"
        ));
        svg.line(&format!("<title id=\"{name}\">{says}</title>"));
        svg
    }

    fn line(&mut self, text: &str) {
        writeln!(self.0, "{text}").expect("a String takes it");
    }

    pub(super) fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.line(&format!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"
        ));
    }

    pub(super) fn dot(&mut self, class: &str, x: f64, y: f64) {
        self.line(&format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>"
        ));
    }

    pub(super) fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut d = String::new();
        for (place, (x, y)) in points.iter().enumerate() {
            let letter = if place == 0 { 'M' } else { 'L' };
            write!(d, "{letter}{x:.1} {y:.1}").expect("a String takes it");
        }
        self.line(&format!("<path class=\"{class}\" d=\"{d}\"/>"));
    }

    pub(super) fn end(mut self) -> String {
        self.line("</svg>");
        self.0
    }
}

/// The class of a crawler: ours have a color.
pub(super) fn class(crawler: &str) -> &'static str {
    if crawler.starts_with("stage") { "plot-ours" } else { "plot-other" }
}

/// With as many digits as tell small numbers apart.
pub(super) fn number(value: f64) -> String {
    match value {
        0.0 => "0".to_string(),
        _ if value < 10.0 => format!("{value:.2}"),
        _ => crate::numbers::grouped(value),
    }
}
