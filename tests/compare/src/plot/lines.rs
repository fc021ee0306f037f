//! Lines over the number of connections; both axes are logarithmic.

use super::svg::{Svg, class, number};

const HEIGHT: f64 = 400.0;
/// The corners of what the axes enclose.
const LEFT: f64 = 66.0;
const RIGHT: f64 = 540.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 346.0;
/// The names begin here, and are so far apart at least.
const NAMES: f64 = 574.0;
const APART: f64 = 20.0;
/// Room that is left around the values.
const MARGIN: f64 = 1.35;

/// A crawler, and its points.
pub(super) type Line = (String, Vec<(f64, f64)>);

/// What is drawn of several jobs.
pub(super) struct Lines {
    pub(super) name: &'static str,
    /// How what is read aloud begins.
    pub(super) says: &'static str,
    pub(super) unit: &'static str,
    pub(super) lines: Vec<Line>,
    /// No crawler can do better than this; empty, if there is no such limit.
    pub(super) best: Vec<(f64, f64)>,
}

impl Lines {
    /// Without a line of two points there is no picture.
    pub(super) fn draw(self) -> Option<String> {
        if !self.lines.iter().any(|line| line.1.len() > 1) {
            return None;
        }
        let points = || self.lines.iter().flat_map(|line| &line.1).chain(&self.best);
        let (x, y) =
            (Axis::of(points().map(|it| it.0)), Axis::of(points().map(|it| it.1)));
        let at = |point: &(f64, f64)| {
            let right = LEFT + x.share(point.0) * (RIGHT - LEFT);
            (right, BOTTOM - y.share(point.1) * (BOTTOM - TOP))
        };
        let mut svg = Svg::new(self.name, HEIGHT, &self.text());
        self.draw_axes(&mut svg, at, &y);
        if !self.best.is_empty() {
            let best: Vec<_> = self.best.iter().map(at).collect();
            svg.path("plot-best", &best);
        }
        let mut ends = Vec::new();
        // Ours are drawn last, on top.
        let ours = |line: &&Line| class(&line.0) == "plot-ours";
        let (others, own): (Vec<&Line>, Vec<&Line>) = (
            self.lines.iter().filter(|it| !ours(it)).collect(),
            self.lines.iter().filter(ours).collect(),
        );
        for (crawler, points) in others.into_iter().chain(own) {
            let class = class(crawler);
            let points: Vec<_> = points.iter().map(at).collect();
            svg.path(&format!("plot-line {class}"), &points);
            points
                .iter()
                .for_each(|it| svg.dot(&format!("plot-dot {class}"), it.0, it.1));
            ends.extend(points.last().map(|it| (crawler.as_str(), *it)));
        }
        ends.extend(self.best.last().map(|it| ("nothing but the wait", at(it))));
        draw_names(&mut svg, ends);
        Some(svg.end())
    }

    fn draw_axes(
        &self,
        svg: &mut Svg,
        at: impl Fn(&(f64, f64)) -> (f64, f64),
        y: &Axis,
    ) {
        for value in y.marks() {
            let height = at(&(1.0, value)).1;
            svg.path("fig-guide", &[(LEFT, height), (RIGHT, height)]);
            svg.text("fig-end", LEFT - 8.0, height + 5.0, &short(value));
        }
        for value in self.connections() {
            let x = at(&(value, 1.0)).0;
            svg.path("fig-guide", &[(x, TOP), (x, BOTTOM + 5.0)]);
            svg.text("fig-middle", x, BOTTOM + 21.0, &short(value));
        }
        svg.path("fig-mark", &[(LEFT, BOTTOM), (RIGHT, BOTTOM)]);
        let below = "connections at once, at the most";
        svg.text("fig-note fig-end", RIGHT, BOTTOM + 42.0, below);
        svg.text("fig-note", 10.0, TOP - 16.0, self.unit);
    }

    /// The places of all points, from left to right.
    fn connections(&self) -> Vec<f64> {
        let mut all: Vec<f64> =
            self.lines.iter().flat_map(|line| line.1.iter().map(|it| it.0)).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    fn text(&self) -> String {
        let list = |texts: Vec<String>| texts.join(", ");
        let all = self.connections();
        let line = |(crawler, points): &Line| {
            let value = |at: &f64| {
                let point = points.iter().find(|point| point.0 == *at);
                point.map_or("–".to_string(), |point| short(point.1))
            };
            format!("{crawler} {}", list(all.iter().map(value).collect()))
        };
        let lines: Vec<_> = self.lines.iter().map(line).collect();
        let places = list(all.iter().map(|it| short(*it)).collect());
        format!("{}, at {places} connections: {}.", self.says, lines.join("; "))
    }
}

fn short(value: f64) -> String {
    if value < 1.0 { number(value) } else { crate::numbers::grouped(value) }
}

/// The names beside the ends of their lines, from the top, moved apart.
fn draw_names(svg: &mut Svg, mut ends: Vec<(&str, (f64, f64))>) {
    ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let wanted: Vec<f64> = ends.iter().map(|it| it.1.1).collect();
    for ((name, (x, y)), place) in ends.into_iter().zip(apart(&wanted)) {
        let class = class(name);
        svg.path(
            &format!("plot-leader {class}"),
            &[(x + 7.0, y), (NAMES - 6.0, place)],
        );
        svg.text(&format!("plot-name {class}"), NAMES, place + 5.0, name);
    }
}

/// Heights near these, and far enough from each other: groups that are too close share
/// the room around their middle.
fn apart(wanted: &[f64]) -> Vec<f64> {
    let mut groups: Vec<(f64, usize)> = Vec::new(); // the sum of the heights, and how many
    let half = |count: usize| APART * count as f64 / 2.0;
    for height in wanted {
        groups.push((*height, 1));
        while let [.., (above, m), (below, n)] = groups[..] {
            let (high, low) = (above / m as f64 + half(m), below / n as f64 - half(n));
            if high <= low {
                break;
            }
            groups.truncate(groups.len() - 2);
            groups.push((above + below, m + n));
        }
    }
    let places = groups.into_iter().flat_map(|(sum, count)| {
        let first = sum / count as f64 - half(count) + APART / 2.0;
        (0..count).map(move |place| first + APART * place as f64)
    });
    places.collect()
}

/// A logarithmic axis.
struct Axis {
    least: f64,
    most: f64,
}

impl Axis {
    /// From a little below the values to a little above them.
    fn of(values: impl Iterator<Item = f64>) -> Axis {
        let (mut least, mut most) = (f64::INFINITY, 0.0);
        for value in values {
            (least, most) = (value.min(least), value.max(most));
        }
        Axis { least: least / MARGIN, most: most * MARGIN }
    }

    fn share(&self, value: f64) -> f64 {
        (value / self.least).ln() / (self.most / self.least).ln()
    }

    /// Each power of ten; 2 and 5 times those, too, if they are few.
    fn marks(&self) -> Vec<f64> {
        let steps: &[f64] =
            if self.most / self.least < 300.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers =
            self.least.log10().floor() as i32..=self.most.log10().ceil() as i32;
        let marks =
            powers.flat_map(|it| steps.iter().map(move |step| step * 10f64.powi(it)));
        marks.filter(|mark| (self.least..=self.most).contains(mark)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_too_close_share_the_room_around_their_middle() {
        assert_eq!(apart(&[10.0, 100.0]), [10.0, 100.0]);
        assert_eq!(apart(&[50.0, 50.0, 200.0]), [40.0, 60.0, 200.0]);
        let three = apart(&[100.0, 101.0, 102.0]);
        assert_eq!(three, [81.0, 101.0, 121.0]);
    }
}
