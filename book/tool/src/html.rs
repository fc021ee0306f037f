//! Builds the book with mdBook, and serves it.

use crate::book::LANDING;
use crate::exercise::Exercises;
use crate::place::{Place, files, stem};
use crate::plan;
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
mod frame;
pub(crate) mod highlight;
mod landing;
mod lanes;
mod listing;
mod outline;
mod player;
mod programs;
mod run;
mod search;
mod source;
pub(crate) mod terms;

pub(crate) use player::playable;
pub(crate) use search::is_answer;

/// How often a served book looks whether its pages have changed.
const LOOK: Duration = Duration::from_millis(500);

/// What previews show of a book that has an address.
pub(crate) const CARD: &str = "card.png";

/// The table of contents for a browser without JavaScript: a page inside of a page.
const CONTENTS: &str = "toc.html";

/// All pages in one, to be printed.
pub(crate) const PRINTED: &str = "print.html";

/// The page that opens first. Those of files are made like it.
const FIRST: &str = "index.html";

/// Builds the book into [`Place::built`].
///
/// # Errors
/// What mdBook says: a page is not there, or `book.toml` cannot be read. Or mdBook's pages
/// have changed, so that what we add has no place in them.
pub fn build(place: &Place) -> Result<(), String> {
    let mut book = MDBook::load(&place.book).map_err(|error| format!("{error:#}"))?;
    book.config.build.build_dir = place.built();
    let glossary = fs::read_to_string(place.page("glossary")).unwrap_or_default();
    let terms = Terms::new(&glossary);
    let exercises = Exercises::read(place)?;
    let outline = Outline::read(place, &exercises)?;
    let mut listings = Listings::default();
    let mut players = Players::default();
    let runs = Runs::read(place)?;
    let mut frames = Frames::new(address(&book));
    book.book.items.retain(|item| match item {
        BookItem::Chapter(chapter) => {
            chapter.path.as_ref().is_none_or(|path| place.edition.has_page(stem(path)))
        }
        _ => true,
    });
    let mut filled = Ok(());
    book.book.for_each_chapter_mut(|chapter| {
        let Some(path) = &chapter.path else { return };
        let slug = stem(path);
        let page = place.edition.of_page(&chapter.content);
        let page = plan::table::put_into(place, &exercises, &page);
        let page = page.and_then(|page| exercises.put_into(place, slug, &page));
        let page = page.and_then(|page| {
            let page = listings.put_into(place, &terms, slug, &page);
            let page = players.put_into(place, &page)?;
            let is_landing = slug == LANDING;
            if is_landing { landing::filled(place, &outline, &page) } else { Ok(page) }
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
    book.build().map_err(|error| format!("{error:#}"))?;
    players.write(place, &mut listings.sources)?;
    runs.write(place)?;
    put_frames(place, &frames, &listings, &players, &runs)?;
    search::write(place)
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
    place: &Place,
    frames: &Frames,
    listings: &Listings,
    players: &Players,
    runs: &Runs,
) -> Result<(), String> {
    let built = place.built();
    let mut like = None;
    for file in files(&built, "html") {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name == CONTENTS {
            continue;
        }
        let html = fs::read_to_string(&file).map_err(|error| why(&file, &error))?;
        let page = code::put_in(listings, &runs.put_in(&name, &html));
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
    for (name, html) in source::pages(listings, &like) {
        let file = built.join(&name);
        fs::write(&file, frames.put_around(&name, &html)?)
            .map_err(|error| why(&file, &error))?;
    }
    if frames.has_address() {
        let card = place.book.join("theme").join(CARD);
        fs::copy(&card, place.built().join(CARD))
            .map_err(|error| format!("{}: {error}", card.display()))?;
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
    println!("building the book…");
    let began = Instant::now();
    build(place)?;
    let address = (Ipv4Addr::LOCALHOST, port).into();
    let site = DemoSite::serve_folder_on(&place.built(), address)
        .map_err(|error| format!("port {port}: {error}"))?;
    let took = began.elapsed().as_secs_f64();
    println!("built in {took:.1} s; it is on {}  (Ctrl-C ends it)", site.url("/"));
    let mut seen = state(place);
    loop {
        thread::sleep(LOOK);
        let now = state(place);
        if now == seen {
            continue;
        }
        seen = now;
        match build(place) {
            Ok(()) => println!("built again"),
            Err(why) => eprintln!("{why}"),
        }
    }
}

/// The files that a book is made of, and when each was written last.
fn state(place: &Place) -> Vec<(PathBuf, Option<SystemTime>)> {
    let parts = [
        ("src", "md"),
        ("figures", "svg"),
        ("src/plots", "svg"),
        ("plans", "toml"),
        ("runs", "out"),
        ("probes", "py"),
        ("probes", "out"),
        ("traces", "md"),
        ("traces", "json"),
        ("traces", "toml"),
        ("theme", "css"),
        ("theme", "js"),
        ("theme", "svg"),
        ("theme/player", "js"),
        ("theme/player", "css"),
    ];
    let all = parts
        .iter()
        .flat_map(|(folder, extension)| files(&place.book.join(folder), extension));
    let exercises = Exercises::read(place).unwrap_or_default();
    all.chain(exercises.files(place))
        .map(|file| {
            let written = file.metadata().and_then(|it| it.modified()).ok();
            (file, written)
        })
        .collect()
}
