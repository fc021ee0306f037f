//! A dot for each crawler, its median, and a line through it: its spread.

use super::svg::{Svg, WIDTH, class, number};
use super::tables::Measured;

/// Pixels of a row, of what is above and below all rows, of the names and of the numbers.
const ROW: f64 = 30.0;
const ABOVE: f64 = 24.0;
const BELOW: f64 = 50.0;
const NAMES: f64 = 190.0;
const NUMBERS: f64 = 80.0;

/// What is drawn of a job.
pub(super) struct Dots {
    pub(super) name: &'static str,
    /// How what is read aloud begins.
    pub(super) says: &'static str,
    pub(super) unit: &'static str,
    pub(super) dots: Vec<(String, Measured)>,
    /// No crawler can do better than this.
    pub(super) best: Option<(f64, &'static str)>,
}

impl Dots {
    /// The best crawler first. Without any there is no picture.
    pub(super) fn draw(mut self) -> Option<String> {
        self.dots.sort_by(|a, b| a.1.median.total_cmp(&b.1.median));
        let longest = self.dots.iter().map(|it| it.1.high()).reduce(f64::max)?;
        let step = step(longest);
        let marks = (longest / step).ceil();
        let x = |value: f64| NAMES + value / (marks * step) * (WIDTH - NAMES - NUMBERS);
        let bottom = ABOVE + ROW * self.dots.len() as f64;
        let mut svg = Svg::new(self.name, bottom + BELOW, &self.text());
        for mark in 0..=marks as u32 {
            let value = f64::from(mark) * step;
            svg.path("fig-guide", &[(x(value), ABOVE), (x(value), bottom + 5.0)]);
            svg.text("fig-middle", x(value), bottom + 21.0, &mark_text(value));
        }
        svg.path("fig-mark", &[(NAMES, bottom), (x(marks * step), bottom)]);
        svg.text("fig-note fig-end", x(marks * step), bottom + 41.0, self.unit);
        if let Some((best, label)) = self.best {
            svg.path("plot-best", &[(x(best), ABOVE), (x(best), bottom)]);
            svg.text("fig-note fig-middle", x(best), ABOVE - 8.0, label);
        }
        for (place, (crawler, it)) in self.dots.iter().enumerate() {
            let y = ABOVE + ROW * (place as f64 + 0.5);
            let class = class(crawler);
            svg.text("fig-end", NAMES - 14.0, y + 5.0, crawler);
            svg.path(
                &format!("plot-line {class}"),
                &[(x(it.low()), y), (x(it.high()), y)],
            );
            svg.dot(&format!("plot-dot {class}"), x(it.median), y);
            let beside = x(it.high()).max(x(it.median) + 5.0) + 8.0;
            svg.text("fig-label", beside, y + 5.0, &number(it.median));
        }
        Some(svg.end())
    }

    fn text(&self) -> String {
        let each = self.dots.iter().map(|(crawler, it)| {
            format!("{crawler} {} ±{:.0} %", number(it.median), it.percent)
        });
        let each = each.collect::<Vec<_>>().join("; ");
        let best = self.best.map_or(String::new(), |(best, label)| {
            format!(" A dashed line at {}: {label}.", number(best))
        });
        format!("{}: {each}.{best}", self.says)
    }
}

/// A number of the axis, without zeros that say nothing.
fn mark_text(value: f64) -> String {
    if value < 10.0 { format!("{value}") } else { number(value) }
}

/// 1, 2 or 5 times a power of ten, so that there are at most seven marks.
fn step(longest: f64) -> f64 {
    let power = 10f64.powf((longest / 7.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * power);
    steps.into_iter().find(|step| longest / step <= 7.0).unwrap_or(10.0 * power)
}
