//! Two stored runs over the same slow pages as moving lanes, one below the other on one axis
//! of time: a bar for each page, as long as its wait. The style sheet lets the bars grow, a
//! second in a second.

use crate::read::place::Place;
use std::fmt::Write;
use std::fs;

/// What a run's report says.
#[derive(Debug, PartialEq)]
struct Run {
    /// How long each slow page takes to answer, in seconds.
    waits: Vec<f64>,
    /// All of the crawl, in seconds.
    total: f64,
    /// How many pages are requested at once.
    at_once: usize,
}

/// The runs, by their names in `runs`.
const ONE: &str = "introduction-one-at-a-time";
const MANY: &str = "introduction-five-at-once";

/// Seconds that the axis goes on after the longer run, for its label.
const MARGIN: f64 = 1.0;

/// The figure, in HTML without an empty line.
///
/// # Errors
/// A run is not there, or reports no slow page, or no end.
pub(super) fn drawn(place: &Place) -> Result<String, String> {
    let (one, many) = (stored(place, ONE)?, stored(place, MANY)?);
    let axis = one.total.max(many.total) + MARGIN;
    let label = format!(
        "{} pages, each of which takes one second to answer. One at a time, each wait begins \
         when the one before it has ended, and the crawl takes {:.1} seconds. {} at once, \
         the waits lie side by side, and the crawl takes {:.1} seconds.",
        capital(one.waits.len()),
        one.total,
        capital(many.at_once),
        many.total
    );
    let mut html = format!(
        "<figure class=\"lanes\">\n<div role=\"img\" aria-label=\"{label}\" \
         style=\"--axis:{axis:.3}\">\n"
    );
    for run in [&one, &many] {
        html += &track(run);
    }
    html += &scale(one.total.max(many.total));
    let _ = write!(
        html,
        "</div>\n<figcaption>Two runs of the third crawler: {} pages that take a second each, \
         one at a time in {:.3} seconds, and {} at once in {:.3}. The wide bars are waits. All \
         the work is in the thin lines, which are drawn wider than to scale. Two quick pages \
         of each run are left out.</figcaption>\n</figure>",
        capital(one.waits.len()).to_lowercase(),
        one.total,
        capital(many.at_once).to_lowercase(),
        many.total
    );
    Ok(html)
}

/// The lanes of one run. Where a lane is free, the next page begins.
fn track(run: &Run) -> String {
    let name = match run.at_once {
        1 => "One at a time".to_string(),
        count => format!("{} at once", capital(count)),
    };
    let mut html = format!(
        "<p>{name}</p>\n<div class=\"track\" style=\"--total:{:.3}\">\n",
        run.total
    );
    for (index, (from, wait)) in spread(run).into_iter().enumerate() {
        let _ = writeln!(
            html,
            "<i style=\"--from:{from:.3};--for:{wait:.3}\"><span>page </span>{}</i>",
            index + 1
        );
    }
    let _ = writeln!(html, "<b></b><strong>{:.1} s</strong>\n</div>", run.total);
    html
}

/// When each page is asked for, and how long its wait is. What a run takes beyond its waits is
/// spread over them.
fn spread(run: &Run) -> Vec<(f64, f64)> {
    let rounds = run.waits.len().div_ceil(run.at_once);
    let waited: f64 = run.waits.chunks(run.at_once).map(longest).sum();
    let work = (run.total - waited).max(0.0) / rounds.max(1) as f64;
    let (mut spread, mut from) = (Vec::new(), 0.0);
    for round in run.waits.chunks(run.at_once) {
        from += work;
        spread.extend(round.iter().map(|wait| (from, *wait)));
        from += longest(round);
    }
    spread
}

fn longest(round: &[f64]) -> f64 {
    round.iter().copied().fold(0.0, f64::max)
}

fn scale(total: f64) -> String {
    let mut html = "<div class=\"scale\">\n".to_string();
    for second in 0..=total as usize {
        let unit = if second == 0 { " s" } else { "" };
        let _ = writeln!(html, "<span style=\"--at:{second}\">{second}{unit}</span>");
    }
    html + "</div>\n"
}

/// A small number as a word that begins a sentence.
fn capital(count: usize) -> String {
    let words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"];
    words.get(count).map_or(count.to_string(), |word| word.to_string())
}

fn stored(place: &Place, name: &str) -> Result<Run, String> {
    let file = place.book.join("runs").join(format!("{name}.out"));
    let shown = place.shown(&file);
    let text =
        fs::read_to_string(&file).map_err(|error| format!("{shown}: {error}"))?;
    parsed(&text).ok_or(format!("{shown}: no crawl of pages with `?ms=`"))
}

fn parsed(report: &str) -> Option<Run> {
    pattern!(WAIT, r"/slow/\d+\?ms=(\d+)");
    pattern!(END, r"in ([\d.]+) secs \(max_tasks=(\d+)");
    let waits = WAIT.captures_iter(report).map(|found| found[1].parse::<f64>());
    let waits: Vec<f64> =
        waits.map(|wait| wait.map(|ms| ms / 1000.0)).collect::<Result<_, _>>().ok()?;
    let end = END.captures(report)?;
    let (total, at_once) = (end[1].parse().ok()?, end[2].parse().ok()?);
    (!waits.is_empty() && at_once > 0).then_some(Run { waits, total, at_once })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(at_once: usize, total: f64) -> Run {
        Run { waits: vec![1.0, 1.0, 1.0, 1.0], total, at_once }
    }

    #[test]
    fn a_report_has_the_waits_and_the_time() {
        let report = "200 http://h/slow/1?ms=1000\n200 http://h/slow/2?ms=500\n\
                      200 http://h/slow?count=2\n\
                      Finished 3 urls in 1.535 secs (max_tasks=1, peak 1)\n";
        let run = Run { waits: vec![1.0, 0.5], total: 1.535, at_once: 1 };
        assert_eq!(parsed(report), Some(run));
        assert_eq!(parsed("Finished 3 urls in 1.5 secs (max_tasks=1, peak 1)"), None);
        assert_eq!(parsed("200 http://h/slow/1?ms=1000\n"), None);
    }

    #[test]
    fn waits_follow_each_other_or_lie_side_by_side() {
        let from = |run: &Run| -> Vec<f64> {
            spread(run).into_iter().map(|(from, _)| (from * 100.0).round()).collect()
        };
        assert_eq!(from(&run(1, 4.4)), [10.0, 120.0, 230.0, 340.0]);
        assert_eq!(from(&run(4, 1.1)), [10.0, 10.0, 10.0, 10.0]);
        assert_eq!(from(&run(2, 2.2)), [10.0, 10.0, 120.0, 120.0]);
    }

    #[test]
    fn the_figure_says_in_words_what_it_shows() {
        let place = Place::new(None, None);
        let html = drawn(&place).unwrap();
        for part in [
            "takes 5.0 seconds. Five at once",
            ">5.0 s<",
            ">1.0 s<",
            "<p>One at a time</p>",
        ] {
            assert!(html.contains(part), "no {part} in {html}");
        }
        assert_eq!(html.matches("<i ").count(), 10);
        assert!(!html.contains("\n\n"), "{html}");
    }
}
