//! The short route exists, and is short.

use crate::read::book::Book;
use crate::read::problem::Problem;
use crate::read::route::{Stop, end_of, route, words_before};

/// The places of the pages to which the route leads, and how many words it may take.
pub const PLACES: &[(&str, usize)] =
    // english: who
    &[("first-waker", 7000), ("who-calls-poll", 13500)];

/// The most words of the whole route.
const LONGEST: usize = 20000;

/// Returns what is wrong with the route: a header that names no part of its page, a place
/// that the route does not reach, or too many words. A book without a route has no such
/// problem.
pub fn check(book: &Book) -> Vec<Problem> {
    let stops = route(book);
    let Some(first) = stops.first() else { return Vec::new() };
    let mut problems: Vec<Problem> = stops.iter().filter_map(names_no_part).collect();
    let places = PLACES.iter().map(|(place, most)| (Some(*place), *most));
    for (place, most) in places.chain([(None, LONGEST)]) {
        let to = place.map_or("the end".to_string(), |place| format!("`{place}`"));
        let text = match words_before(&stops, place) {
            None => format!("the short route does not come to {to}"),
            Some(words) if words > most => {
                format!("{words} words of the short route to {to}: at most {most}")
            }
            Some(_) => continue,
        };
        problems.push(first.page.problem(first.page.header.line, text));
    }
    problems
}

fn names_no_part(stop: &Stop<'_>) -> Option<Problem> {
    let page = stop.page;
    let is_part = match stop.until {
        Some(_) => end_of(&page.lines, stop.until).is_some(),
        None => page.header.field("route") == Some("all"),
    };
    let text =
        "`route` is `all`, or the number of a step that is not the page's last part";
    (!is_part).then(|| page.problem(page.header.line, text))
}
