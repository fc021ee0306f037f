//! How each kind of thing looks.

use super::geometry::{Area, Point, point};
use super::pen::{circle, n, path, rect, text};
use super::shapes::{Item, Kind, LINE, SMALL, State, TITLE, base_line, name_width};
use std::fmt::Write;

/// How far the lines of a hatching are apart.
const HATCH: f64 = 8.0;

/// Draws a thing with its name.
pub(super) fn draw_item(svg: &mut String, item: &Item) {
    let around = if item.holds { " fig-around" } else { "" };
    match &item.kind {
        Kind::Task(state) => draw_task(svg, item, *state, around),
        Kind::Code => rect(svg, &format!("fig-shape{around}"), &item.area, 2.0),
        Kind::Reactor => draw_reactor(svg, item, around),
        Kind::Os => draw_os(svg, item),
        Kind::Queue(items) => return draw_queue(svg, item, items),
        Kind::Frame(rows) => return draw_frame(svg, item, rows),
        _ => return draw_small(svg, item),
    }
    if item.holds {
        let at = point(item.area.x + 10.0, item.area.y + 17.0);
        return text(svg, "fig-head", at, &item.name);
    }
    let mut room = item.area;
    if matches!(item.kind, Kind::Task(Some(_))) {
        room.x += 20.0;
        room.w -= 20.0;
    }
    text(svg, "fig-middle", base_line(&room), &item.name);
}

fn draw_task(svg: &mut String, item: &Item, state: Option<State>, around: &str) {
    let class = match state {
        None => "",
        Some(State::Running) => " fig-running",
        Some(State::Ready) => " fig-ready",
        Some(State::Parked) => " fig-parked",
        Some(State::Done) => " fig-done",
    };
    let radius = 12.0_f64.min(item.area.h / 2.0);
    rect(svg, &format!("fig-shape{class}{around}"), &item.area, radius);
    let Some(state) = state else { return };
    // A mark shows the state as well, for readers who do not see colors.
    let x = item.area.x + 10.0;
    let y = if around.is_empty() { item.area.centre().y } else { item.area.y + 13.0 };
    let x = if around.is_empty() { x } else { item.area.right() - 18.0 };
    match state {
        State::Running => {
            path(svg, "fig-solid", &format!("M{} {}l9 5.5l-9 5.5z", n(x), n(y - 5.5)));
        }
        State::Ready => circle(svg, "fig-solid", point(x + 4.0, y), 4.0),
        State::Parked => path(
            svg,
            "fig-mark",
            &format!(
                "M{} {}v9M{} {}v9",
                n(x + 1.0),
                n(y - 4.5),
                n(x + 6.0),
                n(y - 4.5)
            ),
        ),
        State::Done => {
            path(svg, "fig-mark", &format!("M{} {}l3 4l6 -8", n(x), n(y)));
        }
    }
}

fn draw_reactor(svg: &mut String, item: &Item, around: &str) {
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
    path(svg, &format!("fig-shape{around}"), &d);
}

fn draw_os(svg: &mut String, item: &Item) {
    let area = item.area;
    rect(
        svg,
        if item.holds { "fig-shape fig-around" } else { "fig-shape" },
        &area,
        0.0,
    );
    let band = Area { h: if item.holds { TITLE } else { area.h }, ..area };
    path(svg, "fig-rule", &hatching(&band));
    let mut plate = Area::around(
        band.centre(),
        name_width(&item.name) + 12.0,
        LINE.min(band.h) + 3.0,
    );
    if item.holds {
        plate.x = area.x + 4.0;
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
    rect(svg, "fig-shape", &item.area, 4.0);
    let at = point(item.area.x + 8.0, item.area.y + 16.0);
    text(svg, "fig-head", at, &item.name);
    for (index, cell) in item.cells(items.len()).iter().enumerate() {
        rect(svg, "fig-shape fig-plate-line", cell, 0.0);
        if let Some(name) = items.get(index) {
            text(svg, "fig-middle", base_line(cell), name);
        }
    }
}

fn draw_frame(svg: &mut String, item: &Item, rows: &[String]) {
    rect(svg, "fig-shape", &item.area, 0.0);
    let title = Area { h: TITLE, ..item.area };
    rect(svg, "fig-band", &title.grown(-0.75), 0.0);
    text(svg, "fig-head", point(title.x + 8.0, title.y + 16.5), &item.name);
    for (index, name) in rows.iter().enumerate() {
        let row = item.row(index, rows.len());
        path(svg, "fig-rule", &format!("M{} {}h{}", n(row.x), n(row.y), n(row.w)));
        text(svg, "", point(row.x + 8.0, base_line(&row).y), name);
    }
}

fn draw_small(svg: &mut String, item: &Item) {
    let Point { x, y } = item.area.centre();
    match item.kind {
        Kind::Waker => {
            let bell = format!(
                "M{} {}c6 -4 3 -20 12 -20s6 16 12 20z",
                n(x - 12.0),
                n(y + 9.0)
            );
            path(svg, "fig-shape", &bell);
            path(svg, "fig-mark", &format!("M{} {}v-3", n(x), n(y - 11.0)));
            path(
                svg,
                "fig-mark",
                &format!("M{} {}a4 4 0 0 0 8 0", n(x - 4.0), n(y + 11.0)),
            );
        }
        Kind::Timer => {
            circle(svg, "fig-shape", point(x, y), SMALL);
            path(
                svg,
                "fig-mark",
                &format!("M{} {}v-9M{} {}l6 4", n(x), n(y), n(x), n(y)),
            );
        }
        Kind::Socket { lost: true } => {
            circle(svg, "fig-shape fig-lost", point(x, y), SMALL);
            let d = format!("M{} {}l12 12m0 -12l-12 12", n(x - 6.0), n(y - 6.0));
            path(svg, "fig-mark", &d);
        }
        _ => {
            circle(svg, "fig-shape", point(x, y), SMALL);
            circle(svg, "fig-solid", point(x, y), 3.5);
        }
    }
    text(svg, "fig-middle", point(x, y + SMALL + 13.5), &item.name);
}
