//! The results as pictures: SVG, for the book.

mod bars;
mod lines;
mod look;

use crate::compare::jobs::Kind;
use crate::compare::results::Results;
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, RGBColor, SVGBackend};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Why there is no picture.
pub type Failure = Box<dyn Error + Send + Sync>;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Pixels of a picture, and of that the names beside it.
const SIZE: (u32, u32) = (800, 440);
const NAMES: u32 = 220;

/// Whatever the reader's system has. Sizes are in pixels; a line's middle is so far below
/// its top.
const FONT: &str = "sans-serif";
const TITLE: u32 = 22;
const TEXT: u32 = 17;
const MIDDLE: i32 = 8;

const GREY: RGBColor = RGBColor(110, 110, 110);

/// Writes all pictures that the results are enough for into a folder: their names.
///
/// # Errors
/// The folder cannot be written to.
pub fn draw(results: &Results, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(folder)?;
    let of = |kinds: &[Kind]| {
        let jobs = results.jobs.iter().filter(|job| kinds.contains(&job.job.kind));
        jobs.collect::<Vec<_>>()
    };
    let mut drawn = Vec::new();
    let file = folder.join("throughput.svg");
    if lines::draw_throughput(&file, &of(&[Kind::Slow]))? {
        drawn.push(file);
    }
    let file = folder.join("memory.svg");
    if lines::draw_memory(&file, &of(&[Kind::Slow, Kind::Crowd]))? {
        drawn.push(file);
    }
    for crowd in of(&[Kind::Crowd]) {
        let file = folder.join("crowd.svg");
        bars::draw_times(&file, crowd)?;
        drawn.push(file);
    }
    let kept = of(&[Kind::Fast]).into_iter().find(|job| job.job.name == "fast-kept");
    if let Some(kept) = kept.filter(|job| bars::know_cpu(job)) {
        let file = folder.join("cpu.svg");
        bars::draw_cpu(&file, kept)?;
        drawn.push(file);
    }
    Ok(drawn)
}
