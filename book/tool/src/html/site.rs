//! An edition that was built: its pages, read once for all that look at them.

use crate::read::place::files_below;
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// mdBook's page for a server that finds nothing: its links are meant for any folder.
const NOT_FOUND: &str = "404.html";

/// All pages of a built edition.
pub struct Site {
    /// Where it is.
    pub folder: PathBuf,
    /// The pages.
    pub pages: Vec<Built>,
}

/// A page that was built.
pub struct Built {
    /// Its path in the folder of the edition.
    pub name: String,
    /// What a browser makes of it.
    pub html: Html,
    /// What is in its file.
    pub text: String,
    /// The places in it to which a link can lead.
    pub ids: BTreeSet<String>,
}

impl Site {
    /// Reads the pages in a folder and below.
    pub fn read(folder: &Path) -> Site {
        let read = |file: &PathBuf| {
            let text = fs::read_to_string(file).ok()?;
            let name = file.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
            if name == NOT_FOUND {
                return None;
            }
            let html = Html::parse_document(&text);
            let ids = ids(&html);
            Some(Built { name, html, text, ids })
        };
        let pages = files_below(folder, "html").iter().filter_map(read).collect();
        Site { folder: folder.to_path_buf(), pages }
    }

    /// A page by its name without `.html`.
    pub fn page(&self, slug: &str) -> Option<&Built> {
        self.pages.iter().find(|page| page.slug() == Some(slug))
    }
}

impl Built {
    /// The name without `.html`. `None`: it is in a folder of its own.
    pub fn slug(&self) -> Option<&str> {
        self.name.strip_suffix(".html").filter(|slug| !slug.contains('/'))
    }
}

/// A selector that is written in this program.
pub(crate) fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("our own selectors are well-formed")
}

fn ids(html: &Html) -> BTreeSet<String> {
    let named = selector("[id], a[name]");
    let elements = html.select(&named);
    let id = |element: ElementRef<'_>| {
        element.attr("id").or(element.attr("name")).map(String::from)
    };
    elements.filter_map(id).collect()
}
