//! How each kind of thing looks: its border has the color of its role, and its state is
//! how it is filled.

use super::geometry::{Area, Point, point};
use super::pen::{circle, n, path, rect};
use super::role::Role;
use super::shapes::{Item, Kind, SMALL, State};
use super::sizes::{LINE, TITLE, base_line};
use super::text;
use std::fmt::Write;

/// How far the lines of a hatching are apart.
const HATCH: f64 = 8.0;
/// How wide the band at the left border is, in the color of the role.
const BAND: f64 = 5.0;

/// Draws a thing with its name.
pub(super) fn draw_item(svg: &mut String, item: &Item) {
    match &item.kind {
        Kind::Task(state) => draw_task(svg, item, *state),
        Kind::Code => draw_box(svg, item, 2.0),
        Kind::Place => rect(svg, "fig-shape fig-place", &item.area, 6.0),
        Kind::Reactor => draw_reactor(svg, item),
        Kind::Os => draw_os(svg, item),
        Kind::Queue(items) => return draw_queue(svg, item, items),
        Kind::Frame(rows) => return draw_frame(svg, item, rows),
        Kind::Lane(lane) => return lane.draw(svg, item),
        _ => return draw_small(svg, item),
    }
    if item.holds {
        let at = point(item.area.x + 12.0, item.area.y + 18.0);
        return text::draw(svg, "fig-head", at, &item.name);
    }
    let mut room = item.area;
    if matches!(item.kind, Kind::Task(Some(_))) {
        room.x += 20.0;
        room.w -= 20.0;
    }
    text::draw(svg, "fig-middle", base_line(&room), &item.name);
}

/// The classes of a thing's shape: what is around others is not filled.
fn shape(item: &Item) -> String {
    let around = if item.holds { " fig-around" } else { "" };
    format!("fig-shape {}{around}", item.role.class())
}

/// A box, with a band at its left border if it plays a part.
fn draw_box(svg: &mut String, item: &Item, radius: f64) {
    rect(svg, &shape(item), &item.area, radius);
    if item.role != Role::Data {
        let band = Area { w: BAND, ..item.area };
        rect(svg, &format!("fig-role {}", item.role.class()), &band, radius);
    }
}

fn draw_task(svg: &mut String, item: &Item, state: Option<State>) {
    let class = match state {
        None => "",
        Some(State::Running) => " fig-running",
        Some(State::Ready) => " fig-ready",
        Some(State::Parked) => " fig-parked",
        Some(State::Done) => " fig-done",
    };
    let radius = 12.0_f64.min(item.area.h / 2.0);
    rect(svg, &format!("{}{class}", shape(item)), &item.area, radius);
    let Some(state) = state else { return };
    // A mark shows the state as well, for readers who do not see colors.
    let (x, y) = match item.holds {
        false => (item.area.x + 10.0, item.area.centre().y),
        true => (item.area.right() - 18.0, item.area.y + 14.0),
    };
    match state {
        State::Running => {
            path(svg, "fig-solid", &format!("M{} {}l9 5.5l-9 5.5z", n(x), n(y - 5.5)));
        }
        State::Ready => circle(svg, "fig-solid", point(x + 4.0, y), 4.0),
        State::Parked => {
            let (a, b, top) = (n(x + 1.0), n(x + 6.0), n(y - 4.5));
            path(svg, "fig-mark", &format!("M{a} {top}v9M{b} {top}v9"));
        }
        State::Done => {
            path(svg, "fig-mark", &format!("M{} {}l3 4l6 -8", n(x), n(y)));
        }
    }
}

fn draw_reactor(svg: &mut String, item: &Item) {
    let (Area { x, y, w, h }, corner) = (item.area, item.corner());
    let d = format!(
        "M{} {}H{}L{} {}L{} {}H{}L{} {}z",
        n(x + corner),
        n(y),
        n(x + w - corner),
        n(x + w),
        n(y + h / 2.0),
        n(x + w - corner),
        n(y + h),
        n(x + corner),
        n(x),
        n(y + h / 2.0)
    );
    path(svg, &shape(item), &d);
}

fn draw_os(svg: &mut String, item: &Item) {
    let area = item.area;
    rect(svg, &shape(item), &area, 0.0);
    let band = Area { h: if item.holds { TITLE } else { area.h }, ..area };
    path(svg, &format!("fig-hatch {}", item.role.class()), &hatching(&band));
    let width = text::width(&item.name) + 14.0;
    let mut plate = Area::around(band.centre(), width, LINE.min(band.h) + 3.0);
    if item.holds {
        plate.x = area.x + 5.0;
    }
    rect(svg, "fig-plate", &plate, 3.0);
}

/// Lines from bottom left to top right, cut at the borders.
fn hatching(area: &Area) -> String {
    let mut d = String::new();
    let mut start = HATCH;
    while start < area.w + area.h {
        // x - area.x + bottom - y == start
        let low = point(
            area.x + start.min(area.w),
            area.bottom() - (start - area.w).max(0.0),
        );
        let high = point(
            area.x + (start - area.h).max(0.0),
            area.bottom() - start.min(area.h),
        );
        write!(d, "M{} {}L{} {}", n(low.x), n(low.y), n(high.x), n(high.y))
            .expect("a String takes it");
        start += HATCH;
    }
    d
}

fn draw_queue(svg: &mut String, item: &Item, items: &[String]) {
    draw_box(svg, item, 4.0);
    let at = point(item.area.x + 10.0, item.area.y + 16.5);
    text::draw(svg, "fig-head", at, &item.name);
    for (index, cell) in item.cells(items.len()).iter().enumerate() {
        rect(svg, "fig-cell", cell, 0.0);
        if let Some(name) = items.get(index) {
            text::draw_code(svg, "fig-middle", base_line(cell), name);
        }
    }
}

fn draw_frame(svg: &mut String, item: &Item, rows: &[String]) {
    let role = item.role.class();
    rect(svg, &format!("fig-shape {role}"), &item.area, 0.0);
    let title = Area { h: TITLE, ..item.area };
    rect(svg, &format!("fig-band {role}"), &title.grown(-0.75), 0.0);
    text::draw(svg, "fig-head", point(title.x + 9.0, title.y + 18.0), &item.name);
    for (index, name) in rows.iter().enumerate() {
        let row = item.row(index, rows.len());
        path(svg, "fig-rule", &format!("M{} {}h{}", n(row.x), n(row.y), n(row.w)));
        text::draw_code(svg, "", point(row.x + 9.0, base_line(&row).y), name);
    }
}

fn draw_small(svg: &mut String, item: &Item) {
    let (Point { x, y }, shape) = (item.area.centre(), shape(item));
    match item.kind {
        Kind::Waker => {
            let bell = format!(
                "M{} {}c7 -4 3 -22 13 -22s6 18 13 22z",
                n(x - 13.0),
                n(y + 9.0)
            );
            path(svg, &shape, &bell);
            let d = format!(
                "M{} {}v-3M{} {}a4 4 0 0 0 8 0",
                n(x),
                n(y - 13.0),
                n(x - 4.0),
                n(y + 11.0)
            );
            path(svg, "fig-mark", &d);
        }
        Kind::Timer => {
            circle(svg, &shape, point(x, y), SMALL);
            let d = format!("M{} {}v-10M{} {}l6 4", n(x), n(y), n(x), n(y));
            path(svg, "fig-mark", &d);
        }
        Kind::Socket { lost } => {
            let class = if lost { " fig-lost" } else { "" };
            circle(svg, &format!("{shape}{class}"), point(x, y), SMALL);
            // Two slots, as in a wall; or a cross, where nothing is left.
            let (left, top) = (x - 6.0, y - 6.0);
            let d = match lost {
                true => format!("M{} {}l12 12m0 -12l-12 12", n(left), n(top)),
                false => format!("M{} {}v12m12 -12v12", n(left), n(top)),
            };
            path(svg, if lost { "fig-mark" } else { "fig-slot" }, &d);
        }
        _ => {}
    }
    text::draw(svg, "fig-middle", point(x, y + SMALL + 14.5), &item.name);
}
