//! Draws the axis of a figure, and its lanes.

use super::geometry::{Area, Point, point};
use super::lanes::{Axis, Bar, HALF, Lane, Style};
use super::pen::{circle, n, path, rect, step};
use super::role::Role;
use super::shapes::{BESIDE, Item};
use super::sizes::{DISC, base_line};
use super::text;

impl Axis {
    /// Draws it, with a faint line from each tick up to the first lane.
    pub(super) fn draw(&self, svg: &mut String, top: f64) {
        let Point { x, y } = self.at;
        for (value, label) in self.all_ticks() {
            let at = self.x(value);
            path(svg, "fig-guide", &format!("M{} {}V{}", n(at), n(top), n(y + 5.0)));
            text::draw(svg, "fig-middle", point(at, y + 10.0 + 11.0), &label);
        }
        path(svg, "fig-mark", &format!("M{} {}h{}", n(x), n(y), n(self.width)));
        let end = point(x + self.width, self.room().bottom() - 5.0);
        text::draw(svg, "fig-note fig-end", end, &self.unit);
    }
}

impl Lane {
    pub(super) fn draw(&self, svg: &mut String, item: &Item) {
        let area = item.area;
        let name = point(area.x - BESIDE, base_line(&area).y);
        text::draw(svg, "fig-end", name, &item.name);
        for bar in &self.bars {
            bar.draw(svg, item.role);
        }
        for (at, label) in &self.marks {
            let step = step(label);
            if !step.is_empty() {
                circle(svg, &format!("fig-disc{step}"), *at, DISC);
                let number = format!("fig-number{step}");
                text::draw(svg, &number, *at + point(0.0, 4.5), label);
                continue;
            }
            let d = format!("M{} {}v{}", n(at.x), n(at.y - HALF), n(2.0 * HALF));
            path(svg, "fig-moment", &d);
            let above = *at + point(0.0, -HALF - 6.0);
            text::draw(svg, "fig-label fig-middle", above, label);
        }
    }
}

impl Bar {
    fn draw(&self, svg: &mut String, role: Role) {
        let role = self.role.unwrap_or(role).class();
        let Area { x, w, .. } = self.area;
        let centre = self.area.centre();
        match self.style {
            Style::Run | Style::Spin => {
                let d = format!("M{} {}h{}", n(x), n(centre.y), n(w));
                path(svg, &format!("fig-run {role}"), &d);
            }
            Style::Wait => rect(
                svg,
                &format!("fig-shape fig-parked {role}"),
                &self.area.grown(-1.0),
                5.0,
            ),
            Style::Hold => rect(
                svg,
                &format!("fig-shape fig-hold {role}"),
                &self.area.grown(-1.0),
                0.0,
            ),
        }
        if self.style == Style::Spin {
            let count = (w / 8.0) as u32;
            let mark = |place| {
                format!(
                    "M{} {}v12",
                    n(x + 4.0 + 8.0 * f64::from(place)),
                    n(centre.y - 6.0)
                )
            };
            let d: String = (0..count).map(mark).collect();
            path(svg, &format!("fig-run {role}"), &d);
        }
        let at = match self.style {
            Style::Run | Style::Spin => point(centre.x, self.area.y - 4.0),
            _ => base_line(&self.area),
        };
        text::draw(svg, "fig-middle", at, &self.text);
    }
}
