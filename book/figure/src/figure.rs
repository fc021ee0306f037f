//! What a figure consists of.

use super::geometry::{Area, Point};
use super::lanes::Axis;
use super::shapes::Item;

/// What a `.fig` file says.
#[derive(Debug)]
pub(crate) struct Figure {
    pub(crate) size: Area,
    pub(crate) alt: String,
    pub(crate) items: Vec<Item>,
    pub(crate) arrows: Vec<Arrow>,
    pub(crate) notes: Vec<Note>,
    pub(crate) axis: Option<Axis>,
}

/// An arrow between two items, or rows of frames.
#[derive(Debug)]
pub(crate) struct Arrow {
    pub(crate) line: usize,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) label: String,
    pub(crate) dashed: bool,
    /// How far its middle is moved to the left of its way.
    pub(crate) bend: Option<f64>,
}

/// A small text.
#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) line: usize,
    pub(crate) at: Point,
    pub(crate) text: String,
}
