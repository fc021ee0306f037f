//! Reads a figure: lines of words, of which some are quoted.

use super::figure::{Arrow, Figure, Note};
use super::geometry::{Area, point};
use super::lanes::{Axis, Lane, Style};
use super::role::Role;
use super::shapes::{Item, Kind, SMALL, State};
use super::trouble::Trouble;
use super::words::Words;

/// The widest figure that fits between the margins of the page.
const WIDEST: f64 = 762.0;

/// Reads all lines.
pub(crate) fn figure(text: &str) -> Result<Figure, Vec<Trouble>> {
    let mut figure = Figure {
        size: Area { x: 0.0, y: 0.0, w: 0.0, h: 0.0 },
        alt: String::new(),
        items: Vec::new(),
        arrows: Vec::new(),
        notes: Vec::new(),
        axis: None,
    };
    let mut troubles = Vec::new();
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Err(text) = one_line(&mut figure, line, text) {
            troubles.push(Trouble { line, text });
        }
    }
    if troubles.is_empty() {
        troubles.extend(missing(&figure).map(|text| Trouble { line: 1, text }));
    }
    for index in 0..figure.items.len() {
        let area = figure.items[index].area;
        let others =
            figure.items.iter().enumerate().filter(|(other, _)| *other != index);
        let holds = others.into_iter().any(|(_, other)| area.contains(&other.area));
        figure.items[index].holds = holds;
    }
    if troubles.is_empty() { Ok(figure) } else { Err(troubles) }
}

fn missing(figure: &Figure) -> Option<String> {
    if figure.size.w == 0.0 {
        return Some("there is no size: begin with `size 640 260`".to_string());
    }
    let why = "there is no alt: say in a sentence what the figure shows";
    figure.alt.is_empty().then(|| why.to_string())
}

fn one_line(figure: &mut Figure, line: usize, text: &str) -> Result<(), String> {
    let (kind, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    if kind == "alt" {
        figure.alt = unquoted(rest.trim()).to_string();
        return Ok(());
    }
    let mut words = Words::of(rest);
    let role = words.role()?;
    match kind {
        "size" => figure.size = size(&mut words)?,
        "arrow" => figure.arrows.push(arrow(line, &mut words)?),
        "note" => {
            let at = point(words.number("X")?, words.number("Y")?);
            figure.notes.push(Note { line, at, text: words.next("text")? });
        }
        "axis" => figure.axis = Some(Axis::read(line, &mut words)?),
        "tick" => axis(&mut figure.axis)?.read_tick(&mut words)?,
        "run" | "wait" | "hold" | "spin" | "mark" => {
            on_lane(figure, kind, &mut words, role)?;
        }
        _ => {
            let mut item = match kind {
                "lane" => lane(line, axis(&mut figure.axis)?, &mut words)?,
                _ => item(line, kind, &mut words)?,
            };
            item.role = role.unwrap_or(item.role);
            if figure.items.iter().any(|other| other.id == item.id) {
                return Err(format!("there are two `{}`: rename one", item.id));
            }
            figure.items.push(item);
        }
    }
    words.end()
}

fn axis(axis: &mut Option<Axis>) -> Result<&mut Axis, String> {
    axis.as_mut().ok_or("there is no axis above: write one".to_string())
}

/// `ID Y "name"`
fn lane(line: usize, axis: &Axis, words: &mut Words) -> Result<Item, String> {
    let (id, y) = (words.next("ID")?, words.number("Y")?);
    let (name, kind) = (words.next("\"name\"")?, Kind::Lane(Lane::new()));
    Ok(Item { line, id, kind, area: axis.row(y), name, role: Role::Data, holds: false })
}

/// `LANE` and what is there.
fn on_lane(
    figure: &mut Figure,
    kind: &str,
    words: &mut Words,
    role: Option<Role>,
) -> Result<(), String> {
    let axis = axis(&mut figure.axis)?;
    let id = words.next("LANE")?;
    let item = figure.items.iter_mut().find(|item| item.id == id);
    let row = item.as_ref().map(|item| item.area);
    let (Some(Item { kind: Kind::Lane(lane), .. }), Some(row)) = (item, row) else {
        return Err(format!("`{id}` is no lane above: write one"));
    };
    match kind {
        "mark" => lane.read_mark(axis, &row, words),
        "run" => lane.read_bar(axis, &row, Style::Run, words, role),
        "wait" => lane.read_bar(axis, &row, Style::Wait, words, role),
        "spin" => lane.read_bar(axis, &row, Style::Spin, words, role),
        _ => lane.read_bar(axis, &row, Style::Hold, words, role),
    }
}

fn size(words: &mut Words) -> Result<Area, String> {
    let (w, h) = (words.number("width")?, words.number("height")?);
    if w > WIDEST {
        return Err(format!("{w} is too wide: at most {WIDEST}"));
    }
    Ok(Area { x: 0.0, y: 0.0, w, h })
}

fn arrow(line: usize, words: &mut Words) -> Result<Arrow, String> {
    let (from, to) = (words.next("FROM")?, words.next("TO")?);
    let mut arrow =
        Arrow { line, from, to, label: String::new(), dashed: false, bend: None };
    while let Some(word) = words.0.pop() {
        match word.text.as_str() {
            _ if word.quoted => arrow.label = word.text,
            "dashed" => arrow.dashed = true,
            "bend" => arrow.bend = Some(words.number("N after bend")?),
            other => {
                return Err(format!("`{other}`: write a \"label\", dashed or bend N"));
            }
        }
    }
    Ok(arrow)
}

fn item(line: usize, kind: &str, words: &mut Words) -> Result<Item, String> {
    let is_small = matches!(kind, "socket" | "waker" | "timer");
    let is_box =
        ["task", "queue", "reactor", "os", "frame", "code", "place"].contains(&kind);
    if !is_small && !is_box {
        return Err(format!(
            "`{kind}` is not known: see the list in book/figure/src/lib.rs"
        ));
    }
    let id = words.next("ID")?;
    let at = point(words.number("X")?, words.number("Y")?);
    let area = if is_small {
        Area::around(at, 2.0 * SMALL, 2.0 * SMALL)
    } else {
        Area { x: at.x, y: at.y, w: words.number("W")?, h: words.number("H")? }
    };
    let name = words.next("\"name\"")?;
    let kind = match kind {
        "task" => Kind::Task(state(words.optional().as_deref())?),
        "queue" => Kind::Queue(words.list(',')),
        "frame" => Kind::Frame(words.list('|')),
        "reactor" => Kind::Reactor,
        "os" => Kind::Os,
        "code" => Kind::Code,
        "place" => Kind::Place,
        "waker" => Kind::Waker,
        "timer" => Kind::Timer,
        _ => match words.optional().as_deref() {
            None => Kind::Socket { lost: false },
            Some("lost") => Kind::Socket { lost: true },
            Some(other) => return Err(format!("`{other}`: a socket may be lost")),
        },
    };
    let role = kind.role();
    Ok(Item { line, id, kind, area, name, role, holds: false })
}

fn state(word: Option<&str>) -> Result<Option<State>, String> {
    Ok(match word {
        None => None,
        Some("running") => Some(State::Running),
        Some("ready") => Some(State::Ready),
        Some("parked") => Some(State::Parked),
        Some("done") => Some(State::Done),
        Some(other) => {
            return Err(format!("`{other}`: a task is running, ready, parked or done"));
        }
    })
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}
