//! The things in a figure, and how much room they and their names take.

use super::geometry::{Area, Point};
use super::lanes::Lane;
use super::role::Role;
use super::sizes::{LINE, TITLE};
use super::text;

/// The radius of a socket, a waker, a timer.
pub(crate) const SMALL: f64 = 18.0;
/// How far a name is from the lane that it is of.
pub(crate) const BESIDE: f64 = 14.0;
/// How high a row of a frame is that holds others; elsewhere rows share the room.
const ROW: f64 = 22.0;
/// What the corners of a hexagon take from its width, at the most.
const CORNER: f64 = 18.0;

/// A thing with a name and a place.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) line: usize,
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) area: Area,
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Whether others are in it.
    pub(crate) holds: bool,
}

/// What kind of thing it is.
#[derive(Debug, PartialEq)]
pub(crate) enum Kind {
    Task(Option<State>),
    Queue(Vec<String>),
    Reactor,
    Os,
    Frame(Vec<String>),
    Code,
    Socket {
        lost: bool,
    },
    Waker,
    Timer,
    /// A place for something: empty, or with others in it.
    Place,
    /// A row of what happens, along the axis.
    Lane(Lane),
}

impl Kind {
    /// The role of a thing that says nothing else.
    pub(crate) fn role(&self) -> Role {
        match self {
            Kind::Os | Kind::Socket { .. } => Role::Os,
            Kind::Reactor => Role::Loop,
            Kind::Task(_) => Role::Task,
            Kind::Waker => Role::Waker,
            Kind::Frame(_) => Role::Future,
            Kind::Queue(_) | Kind::Code | Kind::Place | Kind::Timer | Kind::Lane(_) => {
                Role::Data
            }
        }
    }
}

/// How a task is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum State {
    Running,
    Ready,
    Parked,
    Done,
}

impl Item {
    pub(crate) fn is_small(&self) -> bool {
        matches!(self.kind, Kind::Socket { .. } | Kind::Waker | Kind::Timer)
    }

    /// All that it covers: the name of a small one is below it.
    pub(crate) fn room(&self) -> Area {
        if !self.is_small() {
            return self.area;
        }
        let centre = self.area.centre();
        let w = text::width(&self.name).max(self.area.w);
        let h = self.area.h + if self.name.is_empty() { 0.0 } else { LINE + 2.0 };
        Area { x: centre.x - w / 2.0, y: self.area.y, w, h }
    }

    /// Is this point of the figure inside its border?
    pub(crate) fn covers(&self, it: Point) -> bool {
        match self.kind {
            Kind::Reactor => self.area.has(it) && self.is_in_hexagon(it),
            _ if self.is_small() => {
                let is_on_name = it.y > self.area.bottom() && self.room().has(it);
                (it - self.area.centre()).length() <= SMALL + 1.0 || is_on_name
            }
            _ => self.area.has(it),
        }
    }

    /// How far the corners of a reactor are set in.
    pub(crate) fn corner(&self) -> f64 {
        CORNER.min(self.area.h / 3.0)
    }

    fn is_in_hexagon(&self, it: Point) -> bool {
        let centre = self.area.centre();
        let high = (it.y - centre.y).abs() / (self.area.h / 2.0);
        (it.x - centre.x).abs() <= self.area.w / 2.0 - self.corner() * high
    }

    /// A row of a frame, below its title.
    pub(crate) fn row(&self, index: usize, rows: usize) -> Area {
        let h = if self.holds { ROW } else { (self.area.h - TITLE) / rows as f64 };
        Area { y: self.area.y + TITLE + h * index as f64, h, ..self.area }
    }

    /// What lies below its name, and its rows: others may be there.
    pub(crate) fn inside(&self) -> Area {
        let high = TITLE + ROW * row_count(&self.kind) as f64;
        Area { y: self.area.y + high, h: self.area.h - high, ..self.area }
    }

    /// The cells of a queue; an empty one has three.
    pub(crate) fn cells(&self, count: usize) -> Vec<Area> {
        let count = if count == 0 { 3 } else { count };
        let inner = Area {
            x: self.area.x + 6.0,
            y: self.area.y + 22.0,
            w: (self.area.w - 12.0) / count as f64,
            h: self.area.h - 28.0,
        };
        let cell = |index| Area { x: inner.x + inner.w * index as f64, ..inner };
        (0..count).map(cell).collect()
    }

    /// Of a lane what its name takes, on its left.
    pub(crate) fn name_area(&self) -> Area {
        let w = text::width(&self.name);
        Area { x: self.area.x - BESIDE - w, w, ..self.area }
    }

    /// What does not fit into it.
    pub(crate) fn too_small(&self) -> Option<String> {
        let Area { w, h, .. } = self.area;
        let fits = |text: &str, need: f64, room: f64| {
            let why = format!("\"{text}\" needs {need} px, and there are {room}");
            (need > room).then_some(why)
        };
        let low = |least: f64| {
            (h < least)
                .then(|| format!("`{}` is {h} px high: make it {least}", self.id))
        };
        let (name, wide) = (self.name.as_str(), text::width(&self.name));
        match &self.kind {
            Kind::Task(state) => {
                let mark = if state.is_some() { 20.0 } else { 0.0 };
                low(26.0).or(fits(name, wide, w - 12.0 - mark))
            }
            Kind::Queue(items) => {
                let cell = self.cells(items.len())[0];
                let fits_cell =
                    |it: &String| fits(it, text::code_width(it), cell.w - 6.0);
                let items = || items.iter().find_map(fits_cell);
                low(45.0).or(fits(name, wide, w - 14.0)).or_else(items)
            }
            Kind::Frame(rows) => {
                let fits_row =
                    |row: &String| fits(row, text::code_width(row), w - 16.0);
                let rows = || rows.iter().find_map(fits_row);
                let least = TITLE + 20.0 * row_count(&self.kind) as f64;
                low(least).or(fits(name, wide, w - 16.0)).or_else(rows)
            }
            Kind::Reactor => {
                low(30.0).or(fits(name, wide, w - 2.0 * self.corner() - 4.0))
            }
            Kind::Os | Kind::Code | Kind::Place => {
                low(26.0).or(fits(name, wide, w - 14.0))
            }
            _ => None,
        }
    }
}

fn row_count(kind: &Kind) -> usize {
    if let Kind::Frame(rows) = kind { rows.len() } else { 0 }
}

/// Where a note is; its place is where its text begins, on the line.
pub(crate) fn note_area(at: Point, text: &str) -> Area {
    Area { x: at.x, y: at.y - 12.0, w: text::note_width(text), h: LINE }
}
