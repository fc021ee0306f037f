//! Figures: a small language for what happens between tasks, queues, reactor and OS, and
//! the SVG that is drawn of it. It knows nothing of the book.
//!
//! `words` and `parse` read a text; `figure`, `shapes` and `lanes` are what it says. `arrows`
//! and `labels` find places, and `layout` what does not fit. `svg` draws, with `things`,
//! `draw_lanes`, `text` and `pen`.
//!
//! One thing a line; `#` begins a comment line. Sizes are in the figure's own pixels, the
//! origin is top left. In a text, code is between backticks, as in Markdown; rows and the
//! items of queues are all code.
//!
//! ```text
//! size 640 260                          at most 762 wide
//! alt What the figure says, in one or two sentences.
//! task    ID X Y W H "name" [running|ready|parked|done]     rounded box
//! queue   ID X Y W H "name" a,b,c                           a row of cells with the items
//! reactor ID X Y W H "name"                                 hexagon
//! os      ID X Y W H "name"                                 hatched bar
//! frame   ID X Y W H "name" row|row|row                     title bar and rows
//! code    ID X Y W H "name"                                 plain box
//! place   ID X Y W H "name"                                 dotted box, for something
//! socket  ID X Y "name" [lost]                              circle, X Y its centre
//! waker   ID X Y "name"                                     bell
//! timer   ID X Y "name"                                     clock
//! arrow   FROM TO ["label"] [dashed] [bend N]
//! note    X Y "text"                                        X Y where the text begins
//! ```
//! Each thing has a role, and each role a color in the whole book: `os`, `loop` (executors
//! and reactors, too), `task`, `waker`, `future` (whatever remembers the next step: frames,
//! callbacks), and `data`, which has none. The kind of a thing decides its role, unless the
//! line ends in `as ROLE`. A border shows the role; a task's filling and its mark show its
//! state.
//!
//! Lanes show what happens at the same time, along one axis:
//!
//! ```text
//! axis X Y W FROM TO STEP "unit"         before the lanes; STEP 0: it has no numbers
//! tick AT "text"                         a text of its own below the axis
//! lane ID Y "name"                       Y its middle
//! run  LANE FROM TO ["text"]             it runs: a line
//! spin LANE FROM TO ["text"]             a line with strokes: it tries again and again
//! wait LANE FROM TO ["text"]             it waits: a wide bar, dashed
//! hold LANE FROM TO ["text"] [as ROLE]   it holds something: a wide bar
//! mark LANE AT ["text"]                  a moment; digits are a numbered disc
//! ```
//! An arrow goes to a moment of a lane as `lane@2.5`.
//!
//! Boxes may be in boxes: the name of the outer one moves to its top left, and takes
//! [`TITLE`] pixels there. An arrow goes to a row of a frame as `frame.2`, and from a thing
//! to itself as a loop. `bend 30` moves its middle 30 pixels to the left of its way, and
//! `bend -30` to the right. A label of digits is a numbered disc.
//!
//! Why a language of our own? Three of the figures were tried in `pikru` 1.2 (`pikchr` in Rust):
//! executor-waker, no-locks-race, and two columns of introduction-three-ways. It places
//! things well, but it writes colors into each element instead of classes, has no title for
//! screen readers, and checks nothing: two of its three labels beside arrows touched
//! their lines. Frames with rows, queues, hatching, bells and hexagons would be macros, and
//! an axis arithmetic. The checks (`layout`, `labels`) would have to stay, so the tool would
//! not shrink by half; and `pikru` needs Rust 1.89 and 26 packages that are not here yet.
//!
//! What has the number 3 (an arrow, its head and its disc, or a mark of a lane) has the class
//! `fig-step-3`: the player of a trace lights it.
//!
//! The SVG has no colors of its own: its classes are colored by `theme/figures.css`, for
//! light and dark pages and for paper. Nothing in it is referred to by an id, so that many
//! figures may be on one page.

#![forbid(unsafe_code)]

mod arrows;
mod build_up;
mod draw_lanes;
mod figure;
mod geometry;
mod labels;
mod lanes;
mod layout;
mod parse;
mod pen;
mod read_lanes;
mod role;
mod shapes;
mod sizes;
mod svg;
mod text;
mod things;
mod trouble;
mod words;

pub use sizes::TITLE;
pub use svg::Look;
pub use trouble::Trouble;

/// A figure, drawn.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The SVG: several lines, none of them blank.
    pub svg: String,
    /// What does not look as it should.
    pub troubles: Vec<Trouble>,
}

/// Draws what `text` says; `name` is the figure's, for the ids in it.
///
/// # Errors
/// A line cannot be read. What can be read and looks wrong is a trouble of the drawing.
pub fn draw(name: &str, text: &str) -> Result<Drawing, Vec<Trouble>> {
    draw_as(name, text, Look::Whole)
}

/// Draws as much of what `text` says as `look` shows.
///
/// # Errors
/// A line cannot be read.
pub fn draw_as(name: &str, text: &str, look: Look) -> Result<Drawing, Vec<Trouble>> {
    let figure = parse::figure(text)?;
    let ways = arrows::ways(&figure);
    let labels = labels::place(&figure, &ways);
    let mut troubles = layout::troubles(&figure, &ways);
    troubles.extend(labels.troubles);
    troubles.sort_by_key(|trouble| trouble.line);
    Ok(Drawing {
        svg: svg::write(name, &figure, &ways, &labels.placed, look),
        troubles,
    })
}
