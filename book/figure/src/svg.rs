//! Writes a figure as SVG.

use super::arrows::Way;
use super::build_up;
use super::figure::Figure;
use super::geometry::{Curve, Point, point};
use super::labels::Placed;
use super::pen::{circle, escaped, n, path, step};
use super::shapes::{Item, Kind};
use super::sizes::DISC;
use super::text;
use super::things::draw_item;

/// How long the head of an arrow is.
const HEAD: f64 = 9.0;

/// How much of a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// All of it.
    Whole,
    /// All of it. Arrows and their labels are in groups that a slide shows one by one.
    InSteps,
    /// The arrows have no labels.
    WithoutLabels,
    /// There are no arrows.
    WithoutArrows,
}

/// The figure, as much as its look shows. (The first line ends its tag, so that Markdown
/// takes it as HTML.)
pub(crate) fn write(
    name: &str,
    figure: &Figure,
    ways: &[Way],
    labels: &[Placed],
    look: Look,
) -> String {
    let (w, h) = (figure.size.w, figure.size.h);
    let mut svg = format!(
        "<svg class=\"fig\" role=\"img\" aria-labelledby=\"fig-{name}\" \
         viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n<title id=\"fig-{name}\">{}</title>\n",
        escaped(&figure.alt)
    );
    // A box is drawn before what is in it.
    let mut items: Vec<&Item> = figure.items.iter().collect();
    items.sort_by(|a, b| (b.area.w * b.area.h).total_cmp(&(a.area.w * a.area.h)));
    if let Some(axis) = &figure.axis {
        let lanes = items.iter().filter(|it| matches!(it.kind, Kind::Lane(_)));
        axis.draw(&mut svg, lanes.map(|it| it.area.y).fold(f64::MAX, f64::min) - 4.0);
    }
    for item in items {
        draw_item(&mut svg, item);
    }
    let turns = match look {
        Look::InSteps => build_up::steps(figure),
        _ => vec![None; figure.arrows.len()],
    };
    let arrows = if look == Look::WithoutArrows { &[][..] } else { &figure.arrows };
    for ((arrow, way), turn) in arrows.iter().zip(ways).zip(&turns) {
        build_up::open(&mut svg, *turn);
        let dashed = if arrow.dashed { " fig-dashed" } else { "" };
        let step = step(&arrow.label);
        match way {
            Way::Between(curve) => draw_arrow(&mut svg, curve, dashed, &step),
            Way::Loop(corner) => draw_loop(&mut svg, *corner, dashed, &step),
            Way::Nowhere(_) => {}
        }
        build_up::close(&mut svg, *turn);
    }
    for note in &figure.notes {
        text::draw(&mut svg, "fig-note", note.at, &note.text);
    }
    let has_labels = matches!(look, Look::Whole | Look::InSteps);
    for label in labels.iter().filter(|_| has_labels) {
        build_up::open(&mut svg, turns[label.arrow]);
        draw_label(&mut svg, label);
        build_up::close(&mut svg, turns[label.arrow]);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_arrow(svg: &mut String, curve: &Curve, dashed: &str, step: &str) {
    let (tip, along) = (curve.2, curve.direction(1.0));
    let end = tip - along * (HEAD - 1.0);
    let d = format!(
        "M{} {}Q{} {} {} {}",
        n(curve.0.x),
        n(curve.0.y),
        n(curve.1.x),
        n(curve.1.y),
        n(end.x),
        n(end.y)
    );
    path(svg, &format!("fig-arrow{dashed}{step}"), &d);
    head(svg, tip, along, step);
}

/// From the top near the right corner, up, and back to the top.
fn draw_loop(svg: &mut String, corner: Point, dashed: &str, step: &str) {
    let (x, y) = (corner.x, corner.y);
    let d = format!("M{} {}c-2 -32 24 -32 22 -8", n(x - 30.0), n(y));
    path(svg, &format!("fig-arrow{dashed}{step}"), &d);
    head(svg, point(x - 8.0, y), point(0.0, 1.0), step);
}

fn head(svg: &mut String, tip: Point, along: Point, step: &str) {
    let back = tip - along * HEAD;
    let side = along.left() * 4.2;
    let (a, b) = (back + side, back - side);
    let d = format!(
        "M{} {}L{} {}L{} {}z",
        n(tip.x),
        n(tip.y),
        n(a.x),
        n(a.y),
        n(b.x),
        n(b.y)
    );
    path(svg, &format!("fig-solid{step}"), &d);
}

fn draw_label(svg: &mut String, label: &Placed) {
    if label.is_disc {
        let step = step(&label.text);
        circle(svg, &format!("fig-disc{step}"), label.area.centre(), DISC);
        let at = label.area.centre() + point(0.0, 4.5);
        return text::draw(svg, &format!("fig-number{step}"), at, &label.text);
    }
    let at = label.area.centre() + point(0.0, 4.5);
    text::draw(svg, "fig-label fig-middle", at, &label.text);
}
