//! Builds the book with mdBook, and serves it.

use crate::read::book::Book;
use crate::read::coverage;
use crate::read::edition::Edition;
use crate::read::place::{Place, all_below, files, stem};
use anstream::println;
use demo_site::DemoSite;
use frame::Frames;
use listing::Listings;
use mdbook_driver::MDBook;
use mdbook_driver::book::BookItem;
use outline::Outline;
use player::Players;
use run::Runs;
use std::fs;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};
use terms::Terms;

mod board;
mod code;
mod exercises;
mod fonts;
mod frame;
pub(crate) mod highlight;
mod lanes;
mod listing;
pub mod made;
mod mistakes;
mod outline;
mod plans;
mod player;
mod programs;
mod route;
mod run;
mod scripts;
mod search;
mod shape;
pub mod site;
mod source;
pub(crate) mod terms;

pub(crate) use board::NO_BOARD;

// What only mdBook's own build says.
pattern!(PLAIN, r"(?s)<!-- plain -->\n.*?<!-- /plain -->\n\n");

/// How often a served book looks whether its pages have changed.
const LOOK: Duration = Duration::from_millis(500);

/// What previews show of a book that has an address.
pub(crate) const CARD: &str = "card.png";

/// The table of contents for a browser without JavaScript: a page inside of a page.
const CONTENTS: &str = "toc.html";

/// All pages in one, to be printed.
pub(crate) const PRINTED: &str = "print.html";

/// The PDF of the whole book, if it was printed before.
const WHOLE: &str = "book.pdf";

/// The page that opens first. Those of files are made like it.
const FIRST: &str = "index.html";

/// Builds an edition of the book into [`Edition::built`].
///
/// # Errors
/// What mdBook says: a page is not there, or `book.toml` cannot be read. Or mdBook's pages
/// have changed, so that what we add has no place in them.
pub fn build(book: &Book, edition: Edition) -> Result<(), String> {
    let place = &book.place;
    if let Err(why) = &book.exercises {
        return Err(why.clone());
    }
    let mut mdbook = MDBook::load(&place.book).map_err(|error| format!("{error:#}"))?;
    let built = edition.built(place);
    mdbook.config.build.build_dir = built.clone();
    search::replace(&mut mdbook.config)?;
    let glossary = fs::read_to_string(place.page("glossary")).unwrap_or_default();
    let terms = Terms::new(&glossary);
    let outline = Outline::of(book);
    let mut listings = Listings::default();
    let mut players = Players::default();
    let runs = Runs::read(place)?;
    let route = outline.route.files().collect::<Vec<_>>().join(" ");
    let pdf = edition.pdf(place);
    let mut frames = Frames::new(address(&mdbook), route, pdf.is_file());
    mdbook.book.items.retain(|item| match item {
        BookItem::Chapter(chapter) => {
            chapter.path.as_ref().is_none_or(|path| edition.has_page(stem(path)))
        }
        _ => true,
    });
    let mut filled = Ok(());
    mdbook.book.for_each_chapter_mut(|chapter| {
        let Some(path) = &chapter.path else { return };
        let slug = stem(path);
        let page = edition.of_page(&chapter.content);
        let page = PLAIN.replace_all(&page, "");
        let page = exercises::put_into(book, edition, slug, &page);
        let page = page.and_then(|page| made::put_into(place, slug, &page));
        let page = page.map(|page| exercises::led(book, &page));
        let page = page.and_then(|page| {
            players.put_into(place, &listings.put_into(place, &terms, slug, &page))
        });
        match page {
            Ok(page) => chapter.content = page,
            Err(why) => filled = Err(why),
        }
        let file = path.with_extension("html").display().to_string();
        frames.add(file, &chapter.name, &chapter.content, outline.teaser(slug));
        chapter.content = outline.opened(slug, &chapter.content);
    });
    filled?;
    mdbook.build().map_err(|error| format!("{error:#}"))?;
    players.write(place, &built, &mut listings.sources)?;
    runs.write(place, &built)?;
    fonts::write(&built)?;
    put_frames(&built, &frames, &listings, &players, &runs)?;
    if pdf.is_file() {
        // The same file, where the system allows it: it is large.
        let link = built.join(WHOLE);
        let linked = fs::hard_link(&pdf, &link);
        let linked = linked.or_else(|_| fs::copy(&pdf, &link).map(drop));
        linked.map_err(|error| why(&link, &error))?;
    }
    if frames.has_address() {
        let card = place.book.join("theme").join(CARD);
        fs::copy(&card, built.join(CARD)).map_err(|error| why(&card, &error))?;
    }
    for file in all_below(&built).iter().filter(|it| frame::is_of_highlighter(it)) {
        fs::remove_file(file).map_err(|error| why(file, &error))?;
    }
    search::write(&book.summary, &built)
}

/// Where the book will be on the web: `site-url` of `book.toml`, or the variable
/// `MDBOOK_OUTPUT__HTML__SITE_URL`, if it names a host. A book for `file://` has none.
fn address(book: &MDBook) -> Option<String> {
    let url = book.config.get::<String>("output.html.site-url").ok().flatten()?;
    let is_whole = url.starts_with("https://") || url.starts_with("http://");
    is_whole.then(|| format!("{}/", url.trim_end_matches('/')))
}

/// Writes all pages again, each with its code done and with what is around its text, and
/// the pages of the files.
fn put_frames(
    built: &Path,
    frames: &Frames,
    listings: &Listings,
    players: &Players,
    runs: &Runs,
) -> Result<(), String> {
    let mut like = None;
    for file in files(built, "html") {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name == CONTENTS {
            continue;
        }
        let html = fs::read_to_string(&file).map_err(|error| why(&file, &error))?;
        let page = shape::with_answers(&shape::with_cards(&html));
        let page = if name == PRINTED { page } else { shape::with_contents(&page) };
        let page = code::put_in(listings, &runs.put_in(&name, &page));
        let page = players.put_in(&name, &page);
        let page = board::put_in(&name, &page);
        fs::write(&file, frames.put_around(&name, &page)?)
            .map_err(|error| why(&file, &error))?;
        if name == FIRST {
            like = Some(html);
        }
    }
    let like = like.ok_or(format!("mdBook has not written {FIRST}"))?;
    let folder = built.join(source::FOLDER);
    fs::create_dir_all(&folder).map_err(|error| why(&folder, &error))?;
    for (name, html) in listings.pages(&like) {
        let file = built.join(&name);
        fs::write(&file, frames.put_around(&name, &html)?)
            .map_err(|error| why(&file, &error))?;
    }
    Ok(())
}

fn why(file: &Path, error: &io::Error) -> String {
    format!("{}: {error}", file.display())
}

/// Builds the book, serves it, and builds it again when one of its files has changed.
/// Returns only if it cannot begin.
///
/// # Errors
/// The book cannot be built, or the port is taken.
pub fn serve(place: &Place, port: u16) -> Result<(), String> {
    let again = || {
        let book = Book::read(place).map_err(|problem| problem.to_string())?;
        if let Some(problem) = made::write(&book).first() {
            return Err(problem.to_string());
        }
        build(&book, Edition::All).map(|()| book)
    };
    println!("building the book…");
    let began = Instant::now();
    let mut book = again()?;
    let address = (Ipv4Addr::LOCALHOST, port).into();
    let site = DemoSite::serve_folder_on(&Edition::All.built(place), address)
        .map_err(|error| format!("port {port}: {error}"))?;
    let took = began.elapsed().as_secs_f64();
    println!("built in {took:.1} s; it is on {}  (Ctrl-C ends it)", site.url("/"));
    let mut seen = state(&book);
    loop {
        thread::sleep(LOOK);
        let now = state(&book);
        if now == seen {
            continue;
        }
        seen = now;
        match again() {
            Ok(new) => {
                book = new;
                println!("built again");
            }
            Err(why) => eprintln!("{why}"),
        }
    }
}

/// The folders with what a book is made of.
const MADE_OF: [&str; 8] =
    ["src", "figures", "plans", "teaching", "runs", "probes", "traces", "theme"];

/// The files beside these folders that it is made of, too.
const SINGLE: [&str; 2] = ["book.toml", coverage::LIST];

/// The files that a book is made of, and when each was written last.
fn state(book: &Book) -> Vec<(PathBuf, Option<SystemTime>)> {
    let here = &book.place.book;
    let all = MADE_OF.iter().flat_map(|folder| all_below(&here.join(folder)));
    let all = all.chain(SINGLE.map(|file| here.join(file)));
    let written = |file: PathBuf| {
        let written = file.metadata().and_then(|it| it.modified()).ok();
        (file, written)
    };
    all.chain(book.files_of_exercises()).map(written).collect()
}
