//! Finds a place for each label: near its arrow, and on nothing else.

use super::arrows::Way;
use super::figure::Figure;
use super::geometry::{Area, Point, point};
use super::shapes::{Item, Kind, note_area};
use super::sizes::{DISC, LINE};
use super::text;
use super::trouble::Trouble;

/// How far a text is from the border of a thing.
const BORDER: f64 = 3.0;

/// Where on its arrow a label may be, the best place first.
const ALONG: [f64; 11] =
    [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.2, 0.8, 0.14, 0.86];

/// A label with its place.
#[derive(Debug)]
pub(crate) struct Placed {
    /// The number of its arrow, from 0.
    pub(crate) arrow: usize,
    pub(crate) text: String,
    pub(crate) area: Area,
    /// On the line itself, in a disc.
    pub(crate) is_disc: bool,
}

/// All labels that have found a place, and what to do about the others.
#[derive(Default)]
pub(crate) struct Labels {
    pub(crate) placed: Vec<Placed>,
    pub(crate) troubles: Vec<Trouble>,
}

pub(crate) fn place(figure: &Figure, ways: &[Way]) -> Labels {
    let mut labels = Labels::default();
    let is_disc = |text: &str| text.chars().all(|letter| letter.is_ascii_digit());
    for (index, arrow) in figure.arrows.iter().enumerate() {
        if arrow.label.is_empty() {
            continue;
        }
        let disc = is_disc(&arrow.label);
        let places = places(&ways[index], &arrow.label, disc);
        let own = disc.then_some(index);
        let free = |area: &&Area| is_free(figure, ways, &labels.placed, own, area);
        let found = places.iter().find(free).or(places.first()).copied();
        let Some(area) = found else { continue };
        if !is_free(figure, ways, &labels.placed, own, &area) {
            let text = format!(
                "the label \"{}\" has no room: move things apart, or shorten it",
                arrow.label
            );
            labels.troubles.push(Trouble { line: arrow.line, text });
        }
        labels.placed.push(Placed {
            arrow: index,
            text: arrow.label.clone(),
            area,
            is_disc: disc,
        });
    }
    labels
}

/// Where this label could be.
fn places(way: &Way, label: &str, is_disc: bool) -> Vec<Area> {
    let (w, h) = match is_disc {
        true => (2.0 * DISC, 2.0 * DISC),
        false => (text::width(label), LINE),
    };
    let curve = match way {
        Way::Between(curve) => curve,
        Way::Loop(at) => {
            let above = *at + point(-18.0, -24.0);
            let beside = point(at.x + w / 2.0 - 2.0, at.y - 12.0);
            let places = if is_disc { [above, above] } else { [beside, above] };
            return places.map(|centre| Area::around(centre, w, h)).to_vec();
        }
        Way::Nowhere(_) => return Vec::new(),
    };
    let mut places = Vec::new();
    for t in ALONG {
        let (at, along) = (curve.at(t), curve.direction(t));
        if is_disc {
            places.push(Area::around(at, w, h));
            continue;
        }
        for side in sides(along) {
            let far = side.x.abs() * w / 2.0 + side.y.abs() * h / 2.0 + 5.0;
            places.push(Area::around(at + side * far, w, h));
        }
    }
    places
}

/// Above a level arrow, and on the right of an upright one: there first.
fn sides(along: Point) -> [Point; 2] {
    let left = along.left();
    let is_first =
        if left.y.abs() > left.x.abs() { left.y < 0.0 } else { left.x > 0.0 };
    if is_first { [left, left * -1.0] } else { [left * -1.0, left] }
}

fn is_free(
    figure: &Figure,
    ways: &[Way],
    placed: &[Placed],
    own: Option<usize>,
    area: &Area,
) -> bool {
    let is_line = |(index, way): (usize, &Way)| match way {
        Way::Between(curve) if own != Some(index) => {
            curve.points().any(|it| area.grown(2.0).has(it))
        }
        _ => false,
    };
    let notes = figure.notes.iter().map(|note| note_area(note.at, &note.text));
    figure.size.contains(area)
        && !figure.items.iter().any(|item| is_on(item, area))
        && !notes.into_iter().any(|note| note.overlaps(area))
        && !placed.iter().any(|other| other.area.overlaps(area))
        && !ways.iter().enumerate().any(is_line)
}

/// Does it cover what is drawn of an item? Inside a box with others there is room.
fn is_on(item: &Item, area: &Area) -> bool {
    if let Kind::Lane(lane) = &item.kind {
        return lane.covers(area) || item.name_area().overlaps(area);
    }
    let (area, room) = (area.grown(BORDER), item.room());
    room.overlaps(&area) && !(item.holds && item.inside().contains(&area))
}
