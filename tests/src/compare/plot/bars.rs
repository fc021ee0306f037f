//! A bar for each crawler: how long a crowd of slow pages took.

use super::look::Look;
use super::{FONT, Failure, GREY, MIDDLE, NAMES, SIZE, TEXT, TITLE};
use crate::compare::results::{Compared, Spread};
use plotters::prelude::*;
use std::path::Path;

/// Pixels of a bar and the space around it, and of what is above and below them all.
const BAR: u32 = 42;
const REST: u32 = 110;

/// Draws the seconds of each crawler, and what it waits for one page.
pub(super) fn draw_times(file: &Path, crowd: &Compared) -> Result<(), Failure> {
    let bars: Vec<(&str, Spread)> = crowd
        .rows
        .iter()
        .filter_map(|row| Some((row.crawler, row.figures.as_ref()?.seconds)))
        .collect();
    let rows = bars.len() as f64;
    let wait = crowd.job.ms as f64 / 1_000.0;
    let longest = bars.iter().map(|bar| bar.1.most).fold(wait, f64::max) * 1.15;
    let size = (SIZE.0, REST + BAR * bars.len() as u32);
    let root = SVGBackend::new(file, size).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(&crowd.job.title, (FONT, TITLE))
        .margin(12)
        .x_label_area_size(50)
        .y_label_area_size(NAMES)
        .build_cartesian_2d(0.0..longest, 0.0..rows)?;
    let number = |value: &f64| format!("{value:.1}");
    let mut mesh = chart.configure_mesh();
    mesh.disable_y_mesh().y_labels(0).light_line_style(WHITE);
    mesh.x_desc(
        "seconds, from the program's start until its end; dashed: one page's wait",
    );
    mesh.x_label_formatter(&number).label_style((FONT, TEXT));
    mesh.axis_desc_style((FONT, TEXT)).draw()?;
    for (place, (name, seconds)) in bars.iter().enumerate() {
        let middle = rows - 0.5 - place as f64;
        let corners = [(0.0, middle - 0.3), (seconds.median, middle + 0.3)];
        let colour = Look::of(name).colour;
        chart.draw_series([Rectangle::new(corners, colour.filled())])?;
        let ends = [(seconds.least, middle), (seconds.most, middle)];
        chart.draw_series([PathElement::new(ends, GREY.stroke_width(3))])?;
        let (x, y) = chart.backend_coord(&(seconds.most, middle));
        let text = format!("{:.2} s", seconds.median);
        root.draw(&Text::new(text, (x + 6, y - MIDDLE), (FONT, TEXT)))?;
        root.draw(&Text::new(*name, (20, y - MIDDLE), (FONT, TEXT)))?;
    }
    let wait = [(wait, 0.0), (wait, rows)];
    chart.draw_series(DashedLineSeries::new(wait, 6, 4, WHITE.stroke_width(3)))?;
    chart.draw_series(DashedLineSeries::new(wait, 6, 4, BLACK.into()))?;
    root.present()?;
    Ok(())
}
