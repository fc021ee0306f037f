//! Sites with as many pages as a measurement asks for. No link leads out of them but
//! one on each page, to another host.

use std::fmt::Write;
use std::time::Duration;

use hyper::header::CONNECTION;

use crate::answer::{Answer, field, html};
use crate::page::{CLOSING_ALONE, has, number, opening};

const MOST_PAGES: u64 = 1_000_000;
const MOST_LINKS: u64 = 1_000;
const MOST_MILLISECONDS: u64 = 60_000;

/// How many pages are found on one page first, if they are fetched in order and the
/// page has that many links.
const BRANCHES: u64 = 8;

/// The length of a section in bytes, rounded up: a page is written into memory that is
/// allocated once.
const SECTION: usize = 600;

/// Responds to two sites, but for the pages that wait.
///
/// From `/many/0?count=K&links=L` links lead to all of K pages. Each has L sections of
/// half a kilobyte, with a link in each, and one link to another site. With `&close`
/// the connection ends after the response.
///
/// `/star?count=K&ms=M` links to K pages that respond after M milliseconds, and link
/// back.
pub(crate) fn answer(path: &str, query: Option<&str>) -> Option<Answer> {
    match path {
        "/star" => Some(star(query)),
        _ => Some(one_of_many(path.strip_prefix("/many/")?.parse().ok()?, query)),
    }
}

fn one_of_many(this: u64, query: Option<&str>) -> Answer {
    let count = number(query, "count", 1_000, MOST_PAGES).max(1);
    // In a small site each page links to all others, once.
    let links = number(query, "links", 64, MOST_LINKS).clamp(1, count);
    let branches = links.min(BRANCHES);
    let closes = has(query, "close");
    let ending = format!(
        "?count={count}&amp;links={links}{}",
        if closes { "&amp;close" } else { "" }
    );
    let mut text = opening(&format!("Page {this}"));
    text.reserve(SECTION * (links as usize + 1) + CLOSING_ALONE.len());
    for place in 1..=links {
        // The pages form a ring. Each page links to pages that follow each other, far
        // enough ahead that together the links reach all.
        let that = (this % count * branches + place) % count;
        section(&mut text, place, &format!("/many/{that}{ending}"));
    }
    section(&mut text, links + 1, &format!("http://elsewhere.example/{this}"));
    let page = html(text + CLOSING_ALONE);
    if closes { field(CONNECTION, "close", page) } else { page }
}

/// Writes a heading, a paragraph with a link, a picture and a list, as usual pages
/// have.
fn section(text: &mut String, place: u64, address: &str) {
    write!(
        text,
        // english: is told
        "<section class=\"entry\" id=\"entry-{place}\">\n\
         <h2 class=\"title\">Entry {place}</h2>\n\
         <p>There is much to say of this, and <em>some</em> of it has been said \
         <a class=\"reference\" href=\"{address}\" title=\"More of it\">elsewhere</a>, \
         at length &mdash; though not <b>all</b>, and not as well as it might be.</p>\n\
         <p><img src=\"/image.png\" alt=\"A picture\" width=\"16\" height=\"16\"> What a \
         picture cannot show is told in words.</p>\n\
         <ul class=\"notes\"><li>first</li><li>second</li><li>third</li></ul>\n\
         </section>\n"
    )
    .expect("writing to a String never fails");
}

fn star(query: Option<&str>) -> Answer {
    let count = number(query, "count", 10, MOST_PAGES);
    let ms = number(query, "ms", 100, MOST_MILLISECONDS);
    let mut text = opening("A star");
    for ray in 1..=count {
        let (query, ray) = (format!("?count={count}&amp;ms={ms}"), ray.to_string());
        text.push_str(&format!("<a href=\"/star/{ray}{query}\">{ray}</a>\n"));
    }
    html(text + CLOSING_ALONE)
}

/// Responds to `/star/N?count=K&ms=M` after M milliseconds.
pub(crate) async fn ray(this: u64, query: Option<&str>) -> Answer {
    let count = number(query, "count", 10, MOST_PAGES);
    let ms = number(query, "ms", 100, MOST_MILLISECONDS);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    let back = format!("<a href=\"/star?count={count}&amp;ms={ms}\">back</a>");
    html(opening(&format!("Ray {this}")) + &back + CLOSING_ALONE)
}
