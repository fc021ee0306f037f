//! Sizes that several parts of a figure share, in pixels.

use super::geometry::{Area, Point, point};

/// How high the name of a box is that has others in it.
pub const TITLE: f64 = 26.0;
/// How high a line of text is.
pub(crate) const LINE: f64 = 17.0;
/// The radius of a numbered disc.
pub(crate) const DISC: f64 = 10.5;

/// The middle of a line of text that is centered in `area`, on its base line.
pub(crate) fn base_line(area: &Area) -> Point {
    let centre = area.centre();
    point(centre.x, centre.y + 5.0)
}
