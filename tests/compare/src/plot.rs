//! The tables as pictures, for the book: SVG whose colors and fonts are the page's.
//!
//! They are drawn from what `cargo compare` prints, and not from the runs, so that they show
//! what the tables say and can be drawn again without measuring. Ours have one color, the
//! others are gray, and each dot or line has its name beside it. (A plotting library was
//! here before: plotters writes colors and fonts into each element, so a picture did not
//! follow the theme, and it has no names at the ends of lines.)

mod dots;
mod lines;
mod svg;
mod tables;

use dots::Dots;
use lines::Lines;
use std::io;
use std::path::{Path, PathBuf};
use tables::{Row, Table, Work};

/// Writes all pictures that the tables are enough for into a folder: their names.
///
/// # Errors
/// The folder cannot be written to.
pub fn draw(tables: &str, folder: &Path) -> io::Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)?;
    let mut drawn = Vec::new();
    for (name, svg) in pictures(tables) {
        let file = folder.join(name).with_extension("svg");
        std::fs::write(&file, svg)?;
        drawn.push(file);
    }
    Ok(drawn)
}

/// The names of the pictures, and their SVG.
fn pictures(text: &str) -> Vec<(&'static str, String)> {
    let tables = tables::read(text);
    let mut pictures = Vec::new();
    let mut add = |name, svg: Option<String>| {
        pictures.extend(svg.map(|svg| (name, svg)));
    };
    let kept = tables.iter().find(|table| table.work == Work::Kept);
    add("cpu", kept.and_then(cpu));
    let waits =
        || tables.iter().filter(|table| matches!(table.work, Work::Waits { .. }));
    let crowd = waits().next_back().filter(|table| table.is_crowd());
    add("crowd", crowd.and_then(times));
    let all: Vec<&Table> = waits().collect();
    add("memory", memory(&all));
    let slow: Vec<&Table> =
        waits().filter(|it| crowd.is_none_or(|crowd| *it != crowd)).collect();
    add("throughput", throughput(&slow));
    pictures
}

fn cpu(kept: &Table) -> Option<String> {
    let dots = kept.rows.iter().filter_map(|row| Some((row.name.clone(), row.cpu?)));
    Dots {
        name: "plot-cpu",
        says: "Processor time for a page, in microseconds",
        unit: "the crawler's processor time for a page, in microseconds",
        dots: dots.collect(),
        best: None,
    }
    .draw()
}

fn times(crowd: &Table) -> Option<String> {
    let Work::Waits { ms, pages, .. } = crowd.work else { return None };
    let seconds = |row: &Row| Some((row.name.clone(), row.rate?.inverse(pages)));
    Dots {
        name: "plot-crowd",
        says: "Seconds for the crowd",
        unit: "seconds, from the program's start until its end",
        dots: crowd.rows.iter().filter_map(seconds).collect(),
        best: Some((ms / 1_000.0, "one page's wait")),
    }
    .draw()
}

fn memory(tables: &[&Table]) -> Option<String> {
    Lines {
        name: "plot-memory",
        says: "The most memory, in MiB",
        unit: "MiB, at the most",
        lines: lines(tables, |row| row.memory),
        best: Vec::new(),
    }
    .draw()
}

fn throughput(tables: &[&Table]) -> Option<String> {
    let best = tables.iter().filter_map(|table| match table.work {
        Work::Waits { ms, connections, .. } => {
            Some((connections, connections * 1_000.0 / ms))
        }
        _ => None,
    });
    Lines {
        name: "plot-throughput",
        says: "Pages per second",
        unit: "pages per second",
        lines: lines(tables, |row| Some(row.rate?.median)),
        best: best.collect(),
    }
    .draw()
}

/// For each crawler its name, and a point for each table.
fn lines(tables: &[&Table], value: fn(&Row) -> Option<f64>) -> Vec<lines::Line> {
    let names = tables.first().map_or(Vec::new(), |table| table.names());
    let line = |name: String| {
        let point = |table: &&Table| {
            let Work::Waits { connections, .. } = table.work else { return None };
            let row = table.rows.iter().find(|row| row.name == name)?;
            Some((connections, value(row)?))
        };
        let points = tables.iter().filter_map(point).collect();
        (name, points)
    };
    names.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "\
## 30 pages with 64 links, connections are kept, 10 at a time

| crawler | pages/s     | × best | CPU µs/page | × best | memory MiB | t | c | c |
|---------|------------:|-------:|------------:|-------:|-----------:|--:|--:|--:|
| threads | 1,000 ±10 % |   1.00 |  500 ±14 %  |   1.06 |       12.0 | – | – | – |
| stage 1 | 1,768 ±30 % |   0.52 |  400 ±10 %  |   1.14 |       10.4 | – | – | – |

## 10 pages of 100 ms, 2 at a time

| threads | 20 ±10 %    |   1.00 |          –  |   –    |       12.0 | – | – | – |
| stage 1 | 19 ±30 %    |   0.52 |          –  |   –    |       10.4 | – | – | – |

## 10 pages of 100 ms, 5 at a time

| threads | 50 ±10 %    |   1.00 |          –  |   –    |       14.0 | – | – | – |
| stage 1 | error |

## 50 pages of 1,000 ms, 50 at a time

| threads | 40 ±10 %    |   1.00 |          –  |   –    |       99.0 | – | – | – |
| stage 1 | 50 ±0 %     |   0.52 |          –  |   –    |       20.0 | – | – | – |
";

    fn picture(name: &str) -> String {
        let found = pictures(TABLES).into_iter().find(|it| it.0 == name);
        found.expect("it is drawn").1
    }

    #[test]
    fn the_texts_of_the_pictures_are_the_numbers_of_the_tables() {
        let says = |name| {
            let svg = picture(name);
            let title = svg.lines().nth(1).expect("a title");
            title[title.find('>').unwrap() + 1..title.rfind("</").unwrap()].to_string()
        };
        assert_eq!(
            says("cpu"),
            "Processor time for a page, in microseconds: stage 1 400 ±10 %; threads 500 \
             ±14 %."
        );
        assert_eq!(
            says("crowd"),
            "Seconds for the crowd: stage 1 1.00 ±0 %; threads 1.25 ±10 %. A dashed line at \
             1.00: one page's wait."
        );
        assert_eq!(
            says("memory"),
            "The most memory, in MiB, at 2, 5, 50 connections: threads 12, 14, 99; stage 1 \
             10, –, 20."
        );
        assert!(says("throughput").contains("at 2, 5 connections: threads 20, 50;"));
    }

    #[test]
    fn ours_have_a_class_of_their_own_and_no_picture_has_colors() {
        for (name, svg) in pictures(TABLES) {
            assert!(svg.contains("plot-ours") && svg.contains("plot-other"), "{name}");
            assert!(!svg.contains('#') && !svg.contains("style="), "{name}");
            assert!(svg.lines().all(|line| !line.trim().is_empty()), "{name}");
        }
    }

    #[test]
    fn without_numbers_there_is_no_picture() {
        assert!(pictures("").is_empty());
        assert!(
            pictures("## 30 pages of 5 ms, 2 at a time\n\n| a | error |\n").is_empty()
        );
    }
}
