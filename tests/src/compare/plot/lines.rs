//! Lines over the number of connections; both axes are logarithmic.

use super::look::Look;
use super::{Area, FONT, Failure, GREY, MIDDLE, NAMES, SIZE, TEXT, TITLE};
use crate::compare::crawlers::{CRAWLERS, Crawler};
use crate::compare::results::{Compared, Figures};
use crate::compare::table::grouped;
use plotters::coord::combinators::WithKeyPoints;
use plotters::prelude::*;
use std::path::Path;

/// Room that is left on both sides of the values.
const MARGIN: f64 = 1.6;

/// By how much two lines are set apart, so that a line that equals another one is seen.
const ASIDE: f64 = 1.04;

/// A dash, and the space after it, in pixels.
const DASH: (i32, i32) = (6, 4);

/// A crawler, and its points.
type Line = (&'static str, Vec<(f64, f64)>);

/// Pages in a second. False: there is nothing to draw.
pub(super) fn draw_throughput(
    file: &Path,
    jobs: &[&Compared],
) -> Result<bool, Failure> {
    let lines = lines(jobs, |figures| Some(figures.pages_per_second.median));
    let Some(ms) = jobs.first().map(|job| job.job.ms) else { return Ok(false) };
    let at_best = |connections: f64| connections * 1_000.0 / ms as f64;
    let picture = Picture {
        title: format!("Throughput, where each page takes {ms} ms"),
        unit: "pages per second",
        best: jobs
            .iter()
            .map(|job| job.job.connections as f64)
            .map(|it| (it, at_best(it)))
            .collect(),
        lines,
    };
    picture.draw(file)
}

/// The most memory. False: there is nothing to draw.
pub(super) fn draw_memory(file: &Path, jobs: &[&Compared]) -> Result<bool, Failure> {
    let lines = lines(jobs, |figures| Some(figures.memory?.median));
    let (title, unit) = ("Memory of the crawler".to_string(), "most memory, MiB");
    Picture { title, unit, lines, best: Vec::new() }.draw(file)
}

fn lines(jobs: &[&Compared], value: fn(&Figures) -> Option<f64>) -> Vec<Line> {
    let line = |crawler: &Crawler| {
        let point = |job: &&Compared| {
            let row = job.rows.iter().find(|row| row.crawler == crawler.name)?;
            Some((job.job.connections as f64, value(row.figures.as_ref()?)?))
        };
        (crawler.name, jobs.iter().filter_map(point).collect())
    };
    CRAWLERS.iter().map(line).filter(|(_, points): &Line| !points.is_empty()).collect()
}

struct Picture {
    title: String,
    unit: &'static str,
    lines: Vec<Line>,
    /// No crawler can do better than this; empty, if there is no such limit.
    best: Vec<(f64, f64)>,
}

impl Picture {
    fn draw(&self, file: &Path) -> Result<bool, Failure> {
        if !self.lines.iter().any(|(_, points)| points.len() > 1) {
            return Ok(false);
        }
        let root = SVGBackend::new(file, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (left, right) = root.split_horizontally(SIZE.0 - NAMES);
        self.draw_chart(&root, &left)?;
        self.draw_names(&root, right.get_base_pixel().0 + 16)?;
        root.present()?;
        Ok(true)
    }

    fn draw_chart(&self, root: &Area<'_>, left: &Area<'_>) -> Result<(), Failure> {
        let points =
            || self.lines.iter().flat_map(|(_, points)| points).chain(&self.best);
        let (x, y) = (range(points().map(|it| it.0)), range(points().map(|it| it.1)));
        let mut chart = ChartBuilder::on(left)
            .caption(&self.title, (FONT, TITLE))
            .margin(12)
            .x_label_area_size(50)
            .y_label_area_size(80)
            .build_cartesian_2d(axis(x), axis(y))?;
        let number = |value: &f64| grouped(*value);
        let mut mesh = chart.configure_mesh();
        mesh.x_desc("connections at once, at the most").y_desc(self.unit);
        mesh.x_label_formatter(&number).y_label_formatter(&number);
        mesh.light_line_style(WHITE).label_style((FONT, TEXT));
        mesh.axis_desc_style((FONT, TEXT)).draw()?;
        let best = self.best.iter().copied();
        let (dash, space) = DASH;
        chart.draw_series(DashedLineSeries::new(
            best,
            dash as u32,
            space as u32,
            GREY.into(),
        ))?;
        for (place, (name, points)) in self.lines.iter().enumerate() {
            let aside = ASIDE.powf(place as f64 - self.lines.len() as f64 / 2.0);
            let points: Vec<_> = points.iter().map(|(x, y)| (x * aside, *y)).collect();
            let line = Look::of(name).color.stroke_width(2);
            chart.draw_series(LineSeries::new(points.clone(), line))?;
            for point in points {
                Look::of(name).draw(root, chart.backend_coord(&point))?;
            }
        }
        Ok(())
    }

    /// The name of each line, that of the one that ends highest first.
    fn draw_names(&self, root: &Area<'_>, x: i32) -> Result<(), Failure> {
        let mut lines: Vec<_> = self.lines.iter().collect();
        let end = |line: &Line| line.1.last().map_or(0.0, |point| point.1);
        lines.sort_by(|a, b| end(b).total_cmp(&end(a)));
        let mut y = 60;
        let name =
            |text: &'static str, y| Text::new(text, (x + 18, y - MIDDLE), (FONT, TEXT));
        if !self.best.is_empty() {
            for start in [x - 10, x - 10 + DASH.0 + DASH.1] {
                root.draw(&PathElement::new([(start, y), (start + DASH.0, y)], GREY))?;
            }
            root.draw(&name("nothing but the wait", y))?;
            y += 28;
        }
        for (crawler, _) in lines {
            let line = Look::of(crawler).color.stroke_width(2);
            root.draw(&PathElement::new([(x - 10, y), (x + 10, y)], line))?;
            Look::of(crawler).draw(root, (x, y))?;
            root.draw(&name(crawler, y))?;
            y += 28;
        }
        Ok(())
    }
}

/// An axis with a mark at each power of ten; at 2 and 5 times those, too, if they are few.
fn axis((least, most): (f64, f64)) -> WithKeyPoints<LogCoord<f64>> {
    let steps: &[f64] = if most / least < 100.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = least.log10().floor() as i32..=most.log10().ceil() as i32;
    let marks =
        powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
    let marks = marks.filter(|mark| (least..=most).contains(mark)).collect();
    (least..most).log_scale().with_key_points(marks)
}

/// From a little below the values to a little above them.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut least, mut most) = (f64::INFINITY, 0.0);
    for value in values {
        (least, most) = (value.min(least), value.max(most));
    }
    (least / MARGIN, most * MARGIN)
}
