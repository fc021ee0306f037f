//! How a crawler is drawn: colors that the color-blind tell apart (Okabe and Ito), and
//! shapes that all do.

use super::{Area, Failure};
use crate::compare::crawlers::CRAWLERS;
use plotters::prelude::*;

/// A color and a shape.
pub(super) struct Look {
    pub(super) color: RGBColor,
    corners: u32,
    /// In degrees.
    turned: f64,
    is_filled: bool,
}

const fn look(rgb: (u8, u8, u8), corners: u32, turned: f64, is_filled: bool) -> Look {
    Look { color: RGBColor(rgb.0, rgb.1, rgb.2), corners, turned, is_filled }
}

/// In the order of `CRAWLERS`.
const LOOKS: [Look; CRAWLERS.len()] = [
    look((0, 0, 0), 4, 45.0, true),
    look((230, 159, 0), 3, 0.0, true),
    look((86, 180, 233), 3, 180.0, true),
    look((0, 114, 178), 16, 0.0, true),
    look((0, 158, 115), 16, 0.0, false),
    look((213, 94, 0), 4, 0.0, true),
    look((204, 121, 167), 5, 0.0, false),
];

impl Look {
    /// Of the crawler with this name.
    pub(super) fn of(crawler: &str) -> &'static Look {
        let place = CRAWLERS.iter().position(|it| it.name == crawler);
        &LOOKS[place.expect("a crawler of ours")]
    }

    /// Draws its mark.
    pub(super) fn draw(&self, area: &Area<'_>, at: (i32, i32)) -> Result<(), Failure> {
        let fill = if self.is_filled { self.color } else { WHITE };
        area.draw(&Polygon::new(self.outline(at), fill.filled()))?;
        area.draw(&PathElement::new(self.outline(at), self.color.stroke_width(2)))?;
        Ok(())
    }

    fn outline(&self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let radius = if self.corners == 3 { 7.0 } else { 6.0 };
        let corner = |number: u32| {
            let share = f64::from(number) / f64::from(self.corners);
            let angle = (share * 360.0 + self.turned).to_radians();
            let (right, up) = (angle.sin() * radius, angle.cos() * radius);
            (x + right.round() as i32, y - up.round() as i32)
        };
        (0..=self.corners).map(corner).collect()
    }
}
