//! Lanes: what several things do at the same time. All lanes of a figure share an axis.

use super::geometry::{Area, Point};
use super::role::Role;
use super::sizes::{DISC, LINE};

/// Half of the height of a bar.
pub(super) const HALF: f64 = 14.0;
/// What all lanes are measured with: seconds, bytes, or nothing but an order.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) line: usize,
    /// Its left end.
    pub(super) at: Point,
    pub(super) width: f64,
    pub(super) from: f64,
    pub(super) to: f64,
    /// How far its numbers are apart; 0, if it has none.
    pub(super) step: f64,
    pub(super) unit: String,
    pub(super) ticks: Vec<(f64, String)>,
}

/// What a lane shows.
#[derive(Debug, PartialEq)]
pub(crate) struct Lane {
    pub(super) bars: Vec<Bar>,
    pub(super) marks: Vec<(Point, String)>,
}

/// A part of a lane.
#[derive(Debug, PartialEq)]
pub(super) struct Bar {
    pub(super) style: Style,
    pub(super) area: Area,
    pub(super) text: String,
    pub(super) role: Option<Role>,
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
    pub(super) fn all_ticks(&self) -> Vec<(f64, String)> {
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
}

impl Lane {
    pub(super) fn new() -> Lane {
        Lane { bars: Vec::new(), marks: Vec::new() }
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
}
