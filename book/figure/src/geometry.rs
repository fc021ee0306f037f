//! Points, rectangles and curves, as far as figures need them.

use std::ops::{Add, Mul, Sub};

/// A place in a figure, in its pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

pub(crate) fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        point(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        point(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, factor: f64) -> Point {
        point(self.x * factor, self.y * factor)
    }
}

impl Point {
    pub(crate) fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The same direction, one pixel long.
    pub(crate) fn unit(self) -> Point {
        self * (1.0 / self.length().max(0.001))
    }

    /// Turned to the left, as one sees it: up, for an arrow that goes to the right.
    pub(crate) fn left(self) -> Point {
        point(self.y, -self.x)
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) w: f64,
    pub(crate) h: f64,
}

impl Area {
    pub(crate) fn around(centre: Point, w: f64, h: f64) -> Area {
        Area { x: centre.x - w / 2.0, y: centre.y - h / 2.0, w, h }
    }

    pub(crate) fn right(&self) -> f64 {
        self.x + self.w
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.h
    }

    pub(crate) fn centre(&self) -> Point {
        point(self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    pub(crate) fn grown(&self, by: f64) -> Area {
        Area {
            x: self.x - by,
            y: self.y - by,
            w: self.w + 2.0 * by,
            h: self.h + 2.0 * by,
        }
    }

    pub(crate) fn has(&self, it: Point) -> bool {
        (self.x..=self.right()).contains(&it.x)
            && (self.y..=self.bottom()).contains(&it.y)
    }

    pub(crate) fn contains(&self, other: &Area) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && self.right() >= other.right()
            && self.bottom() >= other.bottom()
    }

    pub(crate) fn overlaps(&self, other: &Area) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }
}

/// A curve with three points (quadratic Bézier); a straight line where the second is on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curve(pub(crate) Point, pub(crate) Point, pub(crate) Point);

impl Curve {
    /// The point at `t`, from 0 to 1.
    pub(crate) fn at(&self, t: f64) -> Point {
        let u = 1.0 - t;
        self.0 * (u * u) + self.1 * (2.0 * u * t) + self.2 * (t * t)
    }

    /// Where it goes at `t`, one pixel long.
    pub(crate) fn direction(&self, t: f64) -> Point {
        let along = (self.1 - self.0) * (1.0 - t) + (self.2 - self.1) * t;
        along.unit()
    }

    /// The part of it from one `t` to another.
    pub(crate) fn between(&self, from: f64, to: f64) -> Curve {
        let lerp = |a: Point, b: Point, t: f64| a * (1.0 - t) + b * t;
        let middle = lerp(lerp(self.0, self.1, from), lerp(self.1, self.2, from), to);
        Curve(self.at(from), middle, self.at(to))
    }

    /// Points on it, close together.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + '_ {
        (0..=100).map(|step| self.at(f64::from(step) / 100.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_curve_lies_on_it() {
        let curve = Curve(point(0.0, 0.0), point(10.0, 20.0), point(40.0, 0.0));
        let part = curve.between(0.2, 0.6);
        let (whole, half) = (curve.at(0.4), part.at(0.5));
        assert!((whole - half).length() < 1e-9, "{whole:?} {half:?}");
    }

    #[test]
    fn left_of_the_way_to_the_right_is_up() {
        assert_eq!(point(1.0, 0.0).left(), point(0.0, -1.0));
    }
}
