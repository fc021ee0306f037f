//! Lanes: what several things do at the same time. All lanes of a figure share an axis.

use super::geometry::{Area, Point, point};
use super::labels::DISC;
use super::pen::{circle, n, path, rect};
use super::role::Role;
use super::shapes::{Item, LINE, base_line};
use super::svg::step;
use super::text;
use super::words::Words;

/// Half of the height of a bar.
const HALF: f64 = 14.0;
/// How far a name is from the lane that it is of.
const BESIDE: f64 = 14.0;

/// What all lanes are measured with: seconds, bytes, or nothing but an order.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) line: usize,
    /// Its left end.
    at: Point,
    width: f64,
    from: f64,
    to: f64,
    /// How far its numbers are apart; 0, if it has none.
    step: f64,
    unit: String,
    ticks: Vec<(f64, String)>,
}

/// What a lane shows.
#[derive(Debug, PartialEq)]
pub(crate) struct Lane {
    bars: Vec<Bar>,
    marks: Vec<(Point, String)>,
}

/// A part of a lane.
#[derive(Debug, PartialEq)]
struct Bar {
    style: Style,
    area: Area,
    text: String,
    role: Option<Role>,
}

/// What a part of a lane means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Style {
    /// It runs: a line.
    Run,
    /// It waits: a wide bar with a dashed border.
    Wait,
    /// It holds something: a wide bar.
    Hold,
    /// It tries again and again: a line with many marks.
    Spin,
}

impl Axis {
    /// `X Y W FROM TO STEP "unit"`
    pub(super) fn read(line: usize, words: &mut Words) -> Result<Axis, String> {
        let at = point(words.number("X")?, words.number("Y")?);
        Ok(Axis {
            line,
            at,
            width: words.number("W")?,
            from: words.number("FROM")?,
            to: words.number("TO")?,
            step: words.number("STEP")?,
            unit: words.next("\"unit\"")?,
            ticks: Vec::new(),
        })
    }

    /// `AT "text"`: a tick with a text of its own.
    pub(super) fn read_tick(&mut self, words: &mut Words) -> Result<(), String> {
        let tick = (self.number("AT", words)?, words.next("\"text\"")?);
        self.ticks.push(tick);
        Ok(())
    }

    fn number(&self, what: &str, words: &mut Words) -> Result<f64, String> {
        let value = words.number(what)?;
        let why = || format!("{value} is not between {} and {}", self.from, self.to);
        (self.from..=self.to).contains(&value).then_some(value).ok_or_else(why)
    }

    /// Where this value is, from left to right.
    pub(crate) fn x(&self, value: f64) -> f64 {
        self.at.x + (value - self.from) / (self.to - self.from) * self.width
    }

    /// The whole row of a lane with its middle at this height.
    pub(super) fn row(&self, y: f64) -> Area {
        Area { x: self.at.x, y: y - HALF, w: self.width, h: 2.0 * HALF }
    }

    /// What its numbers and its texts take.
    pub(crate) fn room(&self) -> Area {
        let lines =
            f64::from(u8::from(self.has_texts()) + u8::from(!self.unit.is_empty()));
        Area { x: self.at.x, y: self.at.y, w: self.width, h: 10.0 + lines * LINE }
    }

    /// Whether there are texts below its ticks.
    fn has_texts(&self) -> bool {
        self.step > 0.0 || !self.ticks.is_empty()
    }

    /// All ticks, numbers first.
    fn all_ticks(&self) -> Vec<(f64, String)> {
        let count = match self.step > 0.0 {
            true => ((self.to - self.from) / self.step + 1e-6).floor() as u32 + 1,
            false => 0,
        };
        let number = |place| {
            let value = self.from + f64::from(place) * self.step;
            (value, format!("{}", (value * 1_000.0).round() / 1_000.0))
        };
        (0..count).map(number).chain(self.ticks.iter().cloned()).collect()
    }

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
    pub(super) fn new() -> Lane {
        Lane { bars: Vec::new(), marks: Vec::new() }
    }

    /// `FROM TO ["text"]`
    pub(super) fn read_bar(
        &mut self,
        axis: &Axis,
        row: &Area,
        style: Style,
        words: &mut Words,
        role: Option<Role>,
    ) -> Result<(), String> {
        let (from, to) = (axis.number("FROM", words)?, axis.number("TO", words)?);
        let text = words.optional().unwrap_or_default();
        let (x, right) = (axis.x(from), axis.x(to));
        let area = Area { x, w: right - x, ..*row };
        let need = text::width(&text) + 4.0;
        if style != Style::Run && style != Style::Spin && need > area.w {
            return Err(format!(
                "\"{text}\" needs {need} px, and there are {}",
                area.w
            ));
        }
        self.bars.push(Bar { style, area, text, role });
        Ok(())
    }

    /// `AT ["text"]`
    pub(super) fn read_mark(
        &mut self,
        axis: &Axis,
        row: &Area,
        words: &mut Words,
    ) -> Result<(), String> {
        let x = axis.x(axis.number("AT", words)?);
        let text = words.optional().unwrap_or_default();
        self.marks.push((point(x, row.centre().y), text));
        Ok(())
    }

    /// What is drawn of it: other texts may be beside that.
    pub(crate) fn covers(&self, area: &Area) -> bool {
        let is_on = |bar: &Bar| match bar.style {
            Style::Run => bar.area.grown(2.0 - HALF).overlaps(area),
            _ => bar.area.overlaps(area),
        };
        self.bars.iter().any(is_on)
            || self.marks.iter().any(|(at, _)| area.grown(DISC).has(*at))
    }

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

/// The name of a lane takes so much, on its left.
pub(crate) fn name_area(item: &Item) -> Area {
    let w = text::width(&item.name);
    Area { x: item.area.x - BESIDE - w, w, ..item.area }
}
