//! What a reader would stumble over: things that leave the figure or cover each other,
//! names that do not fit, arrows that run through what they do not mean.

use super::arrows::{Way, end};
use super::figure::{Arrow, Figure};
use super::geometry::Area;
use super::shapes::{Item, Kind, note_area};
use super::sizes::TITLE;
use super::trouble::Trouble;

/// How far a loop rises above its box.
const LOOP: f64 = 28.0;
/// How much room below everything is too much.
const NOTHING: f64 = 26.0;

pub(crate) fn troubles(figure: &Figure, ways: &[Way]) -> Vec<Trouble> {
    let mut troubles = Vec::new();
    let mut add = |line: usize, text: String| troubles.push(Trouble { line, text });
    for item in &figure.items {
        if !figure.size.contains(&item.room()) {
            add(item.line, format!("`{}` leaves the figure", item.id));
        }
        if let Some(why) = item.too_small() {
            add(item.line, why);
        }
        let is_lane = matches!(item.kind, Kind::Lane(_));
        if is_lane && !figure.size.contains(&item.name_area()) {
            add(item.line, format!("the name of `{}` leaves the figure", item.id));
        }
    }
    if let Some(axis) =
        figure.axis.as_ref().filter(|it| !figure.size.contains(&it.room()))
    {
        add(axis.line, "the axis leaves the figure".to_string());
    }
    let lowest = lowest(figure, ways);
    if lowest + NOTHING < figure.size.h {
        let high = lowest + 10.0;
        add(1, format!("there is nothing below {lowest}: make it {high} px high"));
    }
    for (index, item) in figure.items.iter().enumerate() {
        for other in &figure.items[index + 1..] {
            if let Some(why) = cover(item, other) {
                add(other.line, why);
            }
        }
    }
    for note in &figure.notes {
        if let Some(why) = bad_note(figure, &note_area(note.at, &note.text)) {
            add(note.line, format!("the note \"{}\" {why}", note.text));
        }
    }
    for (arrow, way) in figure.arrows.iter().zip(ways) {
        match way {
            Way::Nowhere(why) => add(arrow.line, why.clone()),
            Way::Loop(corner) if corner.y < LOOP => {
                let id = &arrow.from;
                let why =
                    format!("the arrow from `{id}` to itself needs {LOOP} px above it");
                add(arrow.line, why);
            }
            _ => crossed(figure, arrow, way).for_each(|why| add(arrow.line, why)),
        }
    }
    troubles
}

/// Where the last thing ends.
fn lowest(figure: &Figure, ways: &[Way]) -> f64 {
    let items = figure.items.iter().map(|item| item.room().bottom());
    let notes = figure.notes.iter().map(|it| note_area(it.at, &it.text).bottom());
    let axis = figure.axis.iter().map(|axis| axis.room().bottom());
    let arrows = ways.iter().filter_map(|way| match way {
        Way::Between(curve) => Some(curve.points().map(|it| it.y).fold(0.0, f64::max)),
        _ => None,
    });
    items.chain(notes).chain(axis).chain(arrows).fold(0.0, f64::max).ceil()
}

/// Two things are apart, or one is in the other.
fn cover(one: &Item, other: &Item) -> Option<String> {
    let (a, b) = (one.room(), other.room());
    let is_lane = |item: &Item| matches!(item.kind, Kind::Lane(_));
    if !a.overlaps(&b) || is_lane(one) != is_lane(other) {
        return None;
    }
    let (outer, inner) = if a.contains(&b) { (one, other) } else { (other, one) };
    let is_box = !outer.is_small() && !matches!(outer.kind, Kind::Queue(_));
    if !outer.room().contains(&inner.room()) || !is_box {
        return Some(format!("`{}` and `{}` overlap: move one", one.id, other.id));
    }
    let inside = outer.inside();
    let is_nameless = outer.name.is_empty() && inside.y <= outer.area.y + TITLE;
    (inner.area.y < inside.y && !is_nameless).then(|| {
        let (inner, outer) = (&inner.id, &outer.id);
        format!("`{inner}` covers what `{outer}` says: move it below {}", inside.y)
    })
}

fn bad_note(figure: &Figure, area: &Area) -> Option<&'static str> {
    if !figure.size.contains(area) {
        return Some("leaves the figure: move or shorten it");
    }
    let is_on = |item: &&Item| {
        if let Kind::Lane(lane) = &item.kind {
            return lane.covers(area) || item.name_area().overlaps(area);
        }
        item.room().overlaps(area) && !(item.holds && item.inside().contains(area))
    };
    let on = figure.items.iter().find(is_on);
    on.map(|_| "lies on something: move it")
}

/// What an arrow runs through and does not mean.
fn crossed<'a>(
    figure: &'a Figure,
    arrow: &'a Arrow,
    way: &'a Way,
) -> impl Iterator<Item = String> + 'a {
    let ends = [end(figure, &arrow.from), end(figure, &arrow.to)];
    let ends: Vec<&Item> = ends.into_iter().flatten().map(|end| end.item).collect();
    figure.items.iter().filter_map(move |item| {
        let Way::Between(curve) = way else { return None };
        let is_its_own = ends.iter().any(|end| {
            end.id == item.id
                || item.area.contains(&end.area)
                || end.area.contains(&item.area)
        });
        // What is in the box at one end is crossed all the same.
        let inside =
            ends.iter().any(|end| end.id != item.id && end.area.contains(&item.area));
        if is_its_own && !inside || matches!(item.kind, Kind::Lane(_)) {
            return None;
        }
        let room = item.area.grown(-1.0);
        let (from, to) = (&arrow.from, &arrow.to);
        curve.points().any(|it| room.has(it)).then(|| {
            format!(
                "the arrow from `{from}` to `{to}` runs through `{}`: bend it",
                item.id
            )
        })
    })
}
