//! Sites with any number of pages, for measurements. Each page has one link to another
//! host; all other links stay on the site.

use std::fmt::Write;
use std::time::Duration;

use hyper::header::CONNECTION;

use crate::answer::{Answer, field, html};
use crate::page::{CLOSING_ALONE, has, number, opening};

const MAX_PAGES: u64 = 1_000_000;
const MAX_LINKS: u64 = 1_000;
const MAX_MILLISECONDS: u64 = 60_000;

/// How many new pages a crawl discovers on each page, if it fetches them in order and
/// the page has that many links.
const BRANCHES: u64 = 8;

/// An upper bound for the length of a section, in bytes, so that a page is allocated
/// only once.
const SECTION: usize = 600;

/// Responds to the two sites, except for `/star/N`, which waits.
///
/// `/many/0?count=K&links=L` is the first of K pages, which are all reachable from it.
/// Each page has L sections of half a kilobyte, each with a link, and one link to
/// another site. With `&close` the connection is closed after the response.
///
/// `/star?count=K&ms=M` links to K pages, which respond after M milliseconds and link
/// back.
pub(crate) fn answer(path: &str, query: Option<&str>) -> Option<Answer> {
    match path {
        "/star" => Some(star(query)),
        _ => Some(one_of_many(path.strip_prefix("/many/")?.parse().ok()?, query)),
    }
}

fn one_of_many(this: u64, query: Option<&str>) -> Answer {
    let count = number(query, "count", 1_000, MAX_PAGES).max(1);
    // In a small site each page links to every page once.
    let links = number(query, "links", 64, MAX_LINKS).clamp(1, count);
    let branches = links.min(BRANCHES);
    let closes = has(query, "close");
    let ending = format!(
        "?count={count}&amp;links={links}{}",
        if closes { "&amp;close" } else { "" }
    );
    let mut text = opening(&format!("Page {this}"));
    text.reserve(SECTION * (links as usize + 1) + CLOSING_ALONE.len());
    for place in 1..=links {
        // The pages form a ring. A page links to consecutive pages, so far ahead that
        // all links together reach every page.
        let that = (this % count * branches + place) % count;
        section(&mut text, place, &format!("/many/{that}{ending}"));
    }
    section(&mut text, links + 1, &format!("http://elsewhere.example/{this}"));
    let page = html(text + CLOSING_ALONE);
    if closes { field(CONNECTION, "close", page) } else { page }
}

/// Writes a section with a heading, a paragraph with a link, a picture and a list.
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
    let count = number(query, "count", 10, MAX_PAGES);
    let ms = number(query, "ms", 100, MAX_MILLISECONDS);
    let mut text = opening("A star");
    for ray in 1..=count {
        let (query, ray) = (format!("?count={count}&amp;ms={ms}"), ray.to_string());
        text.push_str(&format!("<a href=\"/star/{ray}{query}\">{ray}</a>\n"));
    }
    html(text + CLOSING_ALONE)
}

/// Responds to `/star/N?count=K&ms=M` after M milliseconds.
pub(crate) async fn ray(this: u64, query: Option<&str>) -> Answer {
    let count = number(query, "count", 10, MAX_PAGES);
    let ms = number(query, "ms", 100, MAX_MILLISECONDS);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    let back = format!("<a href=\"/star?count={count}&amp;ms={ms}\">back</a>");
    html(opening(&format!("Ray {this}")) + &back + CLOSING_ALONE)
}
