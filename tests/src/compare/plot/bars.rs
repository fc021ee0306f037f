//! A bar for each crawler: its median, and a gray line for the middle half of its rounds.

use super::look::Look;
use super::{FONT, Failure, GREY, MIDDLE, NAMES, SIZE, TEXT, TITLE};
use crate::compare::results::{Compared, Figures, Row, Spread};
use crate::compare::table::grouped;
use plotters::prelude::*;
use std::path::Path;

/// Pixels of a bar and the space around it, and of what is above and below them all.
const BAR: u32 = 42;
const REST: u32 = 110;

/// What is drawn of a job.
struct Bars {
    value: fn(&Figures) -> Option<Spread>,
    /// What the axis says.
    unit: &'static str,
    /// What stands beside a bar.
    label: fn(f64) -> String,
    /// No crawler can do better than this.
    best: Option<f64>,
}

/// Draws the seconds of each crawler, and what it waits for one page.
pub(super) fn draw_times(file: &Path, crowd: &Compared) -> Result<(), Failure> {
    let bars = Bars {
        value: |figures| Some(figures.seconds),
        unit: "seconds, from the program's start until its end; dashed: one page's wait",
        label: |seconds| format!("{seconds:.2} s"),
        best: Some(crowd.job.ms as f64 / 1_000.0),
    };
    bars.draw(file, crowd)
}

/// Does the system tell of processor time?
pub(super) fn know_cpu(fast: &Compared) -> bool {
    let figures = fast.rows.iter().filter_map(|row| row.figures.as_ref());
    figures.map(|figures| figures.cpu_per_page).any(|cpu| cpu.is_some())
}

/// Draws the processor time that a page costs each crawler.
pub(super) fn draw_cpu(file: &Path, fast: &Compared) -> Result<(), Failure> {
    let bars = Bars {
        value: |figures| figures.cpu_per_page,
        unit: "the crawler's processor time for a page, in microseconds",
        label: |micros| format!("{} µs", grouped(micros)),
        best: None,
    };
    bars.draw(file, fast)
}

impl Bars {
    fn draw(&self, file: &Path, job: &Compared) -> Result<(), Failure> {
        let bar =
            |row: &'_ Row| Some((row.crawler, (self.value)(row.figures.as_ref()?)?));
        let bars: Vec<(&str, Spread)> = job.rows.iter().filter_map(bar).collect();
        let rows = bars.len() as f64;
        let best = self.best.unwrap_or(0.0);
        let longest = bars.iter().map(|bar| bar.1.high).fold(best, f64::max) * 1.15;
        let size = (SIZE.0, REST + BAR * bars.len() as u32);
        let root = SVGBackend::new(file, size).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(&job.job.title, (FONT, TITLE))
            .margin(12)
            .x_label_area_size(50)
            .y_label_area_size(NAMES)
            .build_cartesian_2d(0.0..longest, 0.0..rows)?;
        let number = |value: &f64| match longest < 10.0 {
            true => format!("{value:.1}"),
            false => grouped(*value),
        };
        let mut mesh = chart.configure_mesh();
        mesh.disable_y_mesh().y_labels(0).light_line_style(WHITE).x_desc(self.unit);
        mesh.x_label_formatter(&number).label_style((FONT, TEXT));
        mesh.axis_desc_style((FONT, TEXT)).draw()?;
        for (place, (name, spread)) in bars.iter().enumerate() {
            let middle = rows - 0.5 - place as f64;
            let corners = [(0.0, middle - 0.3), (spread.median, middle + 0.3)];
            let color = Look::of(name).color;
            chart.draw_series([Rectangle::new(corners, color.filled())])?;
            let ends = [(spread.low, middle), (spread.high, middle)];
            // On white, so that it is seen on each color.
            for style in [WHITE.stroke_width(7), GREY.stroke_width(3)] {
                chart.draw_series([PathElement::new(ends, style)])?;
            }
            let (x, y) = chart.backend_coord(&(spread.high, middle));
            let text = (self.label)(spread.median);
            root.draw(&Text::new(text, (x + 6, y - MIDDLE), (FONT, TEXT)))?;
            root.draw(&Text::new(*name, (20, y - MIDDLE), (FONT, TEXT)))?;
        }
        if let Some(best) = self.best {
            let line = [(best, 0.0), (best, rows)];
            let style = [WHITE.stroke_width(3), BLACK.into()];
            for style in style {
                chart.draw_series(DashedLineSeries::new(line, 6, 4, style))?;
            }
        }
        root.present()?;
        Ok(())
    }
}
