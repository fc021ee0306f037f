//! Builds the book with mdBook, and serves it.

use crate::include::Include;
use crate::place::{Place, files};
use demo_site::DemoSite;
use frame::Frames;
use mdbook_driver::MDBook;
use std::fs;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime};
use terms::Terms;

mod frame;
mod terms;

/// How often a served book looks whether its pages have changed.
const LOOK: Duration = Duration::from_millis(500);

/// The table of contents for a browser without JavaScript: a page inside of a page.
const CONTENTS: &str = "toc.html";

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
    let mut frames = Frames::default();
    book.book.for_each_chapter_mut(|chapter| {
        chapter.content = with_listings(place, &terms, &chapter.content);
        if let Some(file) = &chapter.path {
            let file = file.with_extension("html").display().to_string();
            frames.add(file, &chapter.name, &chapter.content);
        }
    });
    book.build().map_err(|error| format!("{error:#}"))?;
    put_frames(place, &frames)
}

/// A page with its listings put in, and with links to the glossary. mdBook would print the
/// lines that serve traces, too. All other includes are left to mdBook, and those that
/// cannot be read.
fn with_listings(place: &Place, terms: &Terms, page: &str) -> String {
    let line = |line: &str| {
        let include = Include::parse(place, line).filter(Include::is_rust);
        let lines = include.and_then(|include| include.lines().ok());
        lines.map_or_else(|| terms.linked(line), |lines| lines.join("\n"))
    };
    page.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// Writes all pages again, each with what is around its text.
fn put_frames(place: &Place, frames: &Frames) -> Result<(), String> {
    for file in files(&place.built(), "html") {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name == CONTENTS {
            continue;
        }
        let why = |error| format!("{}: {error}", file.display());
        let html = fs::read_to_string(&file).map_err(why)?;
        fs::write(&file, frames.put_around(&name, &html)?).map_err(why)?;
    }
    Ok(())
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
        ("runs", "out"),
        ("probes", "py"),
        ("probes", "out"),
        ("traces", "md"),
        ("theme", "css"),
        ("theme", "js"),
        ("theme", "svg"),
    ];
    let all = parts
        .iter()
        .flat_map(|(folder, extension)| files(&place.book.join(folder), extension));
    all.map(|file| {
        let written = file.metadata().and_then(|it| it.modified()).ok();
        (file, written)
    })
    .collect()
}
