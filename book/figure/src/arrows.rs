//! Where arrows run: from border to border, straight where they can.

use super::figure::{Arrow, Figure};
use super::geometry::{Area, Curve, Point, point};
use super::shapes::{Item, Kind};

/// How far two arrows between the same things are apart.
const APART: f64 = 18.0;

/// The way of an arrow.
#[derive(Debug)]
pub(crate) enum Way {
    /// It goes from one thing to another.
    Between(Curve),
    /// It comes back to where it began: the right and the top of this place.
    Loop(Point),
    /// There is no such thing, or it is none of its rows.
    Nowhere(String),
}

/// One end of an arrow: a thing, or a row of it.
#[derive(Clone, Copy)]
pub(crate) struct End<'a> {
    pub(crate) item: &'a Item,
    area: Area,
}

impl End<'_> {
    fn covers(&self, it: Point) -> bool {
        self.area.has(it) && self.item.covers(it)
            || self.item.is_small() && self.item.covers(it)
    }
}

/// The ways of all arrows.
pub(crate) fn ways(figure: &Figure) -> Vec<Way> {
    figure.arrows.iter().enumerate().map(|(index, _)| way(figure, index)).collect()
}

fn way(figure: &Figure, index: usize) -> Way {
    let arrow = &figure.arrows[index];
    let (from, to) = match (end(figure, &arrow.from), end(figure, &arrow.to)) {
        (Ok(from), Ok(to)) => (from, to),
        (Err(why), _) | (_, Err(why)) => return Way::Nowhere(why),
    };
    if arrow.from == arrow.to {
        return Way::Loop(point(from.area.right(), from.area.y));
    }
    let aside = if arrow.bend.is_some() { 0.0 } else { aside(figure, index) };
    let (start, stop) = ends(&from.area, &to.area);
    let across = (stop - start).unit().left();
    let (start, stop) = (start + across * aside, stop + across * aside);
    let middle = (start + stop) * 0.5 + across * (2.0 * arrow.bend.unwrap_or(0.0));
    Way::Between(cut(Curve(start, middle, stop), &from, &to))
}

/// What an arrow names.
pub(crate) fn end<'a>(figure: &'a Figure, name: &str) -> Result<End<'a>, String> {
    let find = |id: &str| figure.items.iter().find(|item| item.id == id);
    if let Some(item) = find(name) {
        return Ok(End { item, area: item.area });
    }
    if let Some(end) = on_lane(figure, name) {
        return Ok(end);
    }
    let unknown = || format!("nothing is called `{name}`: name one of the ids above");
    let (id, row) = name.rsplit_once('.').ok_or_else(unknown)?;
    let item = find(id).ok_or_else(unknown)?;
    let Kind::Frame(rows) = &item.kind else { return Err(unknown()) };
    match row.parse::<usize>() {
        Ok(row) if (1..=rows.len()).contains(&row) => {
            Ok(End { item, area: item.row(row - 1, rows.len()) })
        }
        _ => Err(format!("`{id}` has {} rows, and `{row}` is none", rows.len())),
    }
}

/// `LANE@AT`, a moment of a lane.
fn on_lane<'a>(figure: &'a Figure, name: &str) -> Option<End<'a>> {
    let (id, at) = name.split_once('@')?;
    let item = figure.items.iter().find(|item| item.id == id)?;
    let x = figure.axis.as_ref()?.x(at.parse().ok()?);
    let area = Area { x: x - 1.0, w: 2.0, ..item.area };
    matches!(item.kind, Kind::Lane(_)).then_some(End { item, area })
}

/// Several arrows between the same two things run side by side.
fn aside(figure: &Figure, index: usize) -> f64 {
    let arrow = &figure.arrows[index];
    let same = |other: &Arrow| {
        other.bend.is_none()
            && ((&other.from, &other.to) == (&arrow.from, &arrow.to)
                || (&other.from, &other.to) == (&arrow.to, &arrow.from))
    };
    let before = figure.arrows[..index].iter().filter(|other| same(other)).count();
    let all = figure.arrows.iter().filter(|other| same(other)).count();
    let place = before as f64 - (all - 1) as f64 / 2.0;
    // An arrow in the other direction counts the sides the other way round.
    let first = figure.arrows.iter().find(|other| same(other)).unwrap_or(arrow);
    if first.from == arrow.from { place * APART } else { -place * APART }
}

/// From where to where, before the borders cut it: level or upright where both allow it.
fn ends(from: &Area, to: &Area) -> (Point, Point) {
    if to.contains(from) {
        return (from.centre(), nearest_side(from, to));
    }
    if from.contains(to) {
        return (nearest_side(to, from), to.centre());
    }
    let (a, b) = (from.centre(), to.centre());
    if let Some(x) = common((from.x, from.right()), (to.x, to.right())) {
        (point(x, a.y), point(x, b.y))
    } else if let Some(y) = common((from.y, from.bottom()), (to.y, to.bottom())) {
        (point(a.x, y), point(b.x, y))
    } else {
        (a, b)
    }
}

/// The middle of what two ranges have in common, if that is enough for an arrow.
fn common(one: (f64, f64), other: (f64, f64)) -> Option<f64> {
    let (from, to) = (one.0.max(other.0), one.1.min(other.1));
    (to - from >= 14.0).then_some((from + to) / 2.0)
}

/// The point of the outer border that is next to a box inside it.
fn nearest_side(inner: &Area, outer: &Area) -> Point {
    let centre = inner.centre();
    let sides = [
        (inner.x - outer.x, point(outer.x, centre.y)),
        (outer.right() - inner.right(), point(outer.right(), centre.y)),
        (inner.y - outer.y, point(centre.x, outer.y)),
        (outer.bottom() - inner.bottom(), point(centre.x, outer.bottom())),
    ];
    let nearest = sides.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.expect("there are four").1
}

/// What of the curve lies between the two borders.
fn cut(curve: Curve, from: &End<'_>, to: &End<'_>) -> Curve {
    const STEPS: u32 = 1000;
    let at = |step: u32| f64::from(step) / f64::from(STEPS);
    // A box around the other end is left or entered where the curve itself ends.
    let leaves = |step: &u32| from.covers(curve.at(at(*step)));
    let enters = |step: &u32| to.covers(curve.at(at(*step)));
    let first = match from.area.contains(&to.area) {
        true => 0,
        false => (0..STEPS).rev().find(leaves).unwrap_or(0),
    };
    let last = match to.area.contains(&from.area) {
        true => STEPS,
        false => (first..=STEPS).find(enters).unwrap_or(STEPS),
    };
    curve.between(at(first), at(last.max(first + 1)))
}
