//! What an SVG is made of: rectangles, circles, paths. Colors belong to the page.

use super::geometry::{Area, Point};

pub(super) fn rect(svg: &mut String, class: &str, area: &Area, radius: f64) {
    let Area { x, y, w, h } = *area;
    let (x, y, w, h, radius) = (n(x), n(y), n(w), n(h), n(radius));
    line(
        svg,
        &format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{radius}\"/>"
        ),
    );
}

pub(super) fn circle(svg: &mut String, class: &str, centre: Point, radius: f64) {
    let (x, y, r) = (n(centre.x), n(centre.y), n(radius));
    line(svg, &format!("<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>"));
}

pub(super) fn path(svg: &mut String, class: &str, d: &str) {
    line(svg, &format!("<path class=\"{class}\" d=\"{d}\"/>"));
}

pub(super) fn line(svg: &mut String, text: &str) {
    svg.push_str(text);
    svg.push('\n');
}

/// A number with at most one digit behind the point.
pub(super) fn n(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), String::from)
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The class of what has a number, by which a script finds it: ` fig-step-3`. Other texts
/// have none.
pub(super) fn step(label: &str) -> String {
    let is_number = !label.is_empty() && label.chars().all(|it| it.is_ascii_digit());
    if is_number { format!(" fig-step-{label}") } else { String::new() }
}
