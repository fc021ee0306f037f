//! The site that the program serves while it crawls: the demo site or a folder.
//!
//! The crawler does not know the folder. When the crawl is over, each path in the report
//! is looked up in the folder, to add the reasons that only the folder knows. The result
//! depends only on the path and on the disk. So all stages report the same reasons, for
//! any order of the responses.

use crate::error::describe;
use crate::report::{Outcome, Report, Row};
use demo_site::{DemoSite, Folder, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// A running server and what it serves. Dropping it stops the server.
pub(super) struct Served {
    site: DemoSite,
    /// The folder and its base path; `None` for the demo site.
    folder: Option<(Arc<Folder>, String)>,
}

impl Served {
    /// Serves the demo site.
    pub(super) fn demo() -> Result<Served, String> {
        let site = DemoSite::start().map_err(|error| {
            format!("cannot start the demo site: {}", describe(&error))
        })?;
        Ok(Served { site, folder: None })
    }

    /// Serves a folder below the path `base`.
    pub(super) fn folder(path: &Path, base: &str) -> Result<Served, String> {
        let folder = Folder::open(path).map(|folder| Arc::new(folder.below(base)));
        let served = folder.and_then(|folder| {
            let site = DemoSite::serve(&folder)?;
            Ok(Served { site, folder: Some((folder, base.to_string())) })
        });
        served.map_err(|error| {
            format!("cannot serve {}: {}", path.display(), describe(&error))
        })
    }

    /// Returns the URL of the site's first page.
    pub(super) fn start(&self) -> Url {
        let base = self.folder.as_ref().map_or("/", |(_, base)| base);
        Url::parse(&self.site.url(base)).expect("the address of a server is a URL")
    }

    /// Returns whether the only root is a folder without an index page, so that the crawl
    /// begins with its listing. This may be the wrong folder, or an empty one.
    pub(super) fn begins_with_list(&self, roots: &[Url]) -> bool {
        let place = self.folder.as_ref().map(|(folder, base)| folder.locate(base));
        matches!(place, Some(Place::List(_))) && *roots == [self.start()]
    }

    /// Returns whether a completed crawl found no errors only because it found no pages,
    /// just listings and files that are not searched.
    pub(super) fn lacks_a_page(&self, report: &Report) -> bool {
        let Some((folder, _)) = &self.folder else { return false };
        let is_cut = report.interrupted || report.out_of_time || report.stuck.is_some();
        let is_page = |row: &Row| {
            let path = report.path(&row.url).filter(|_| row.encoding.is_some());
            let path = path.and_then(|path| path.split('?').next());
            path.is_some_and(|path| !matches!(folder.locate(path), Place::List(_)))
        };
        let is_fine = |row: &Row| !row.outcome.is_failure() && !is_page(row);
        !is_cut && !report.is_unchecked && report.rows.iter().all(is_fine)
    }

    /// Adds to the report what only the folder knows: its origin, the reasons for HTTP
    /// errors, and warnings about responses that other servers would not give.
    pub(super) fn explain(&self, report: &mut Report, roots: &[Url]) {
        let Some((folder, base)) = &self.folder else { return };
        let root = self.site.url("/"); // warnings name URLs by their paths, too
        for warning in &mut report.warnings {
            *warning = warning.replace(&root, "/");
        }
        report.origin = Some(self.site.url(""));
        let (mut lists, mut clean) = (BTreeSet::new(), BTreeSet::new());
        let mut bases = BTreeMap::new();
        for index in 0..report.rows.len() {
            let row = &report.rows[index];
            let Some(path) = report.path(&row.url) else { continue };
            let path = path.split(['?', '#']).next().unwrap_or_default().to_string();
            match (folder.locate(&path), row.outcome) {
                (Place::List(_), Outcome::Ok) => drop(lists.insert(path)),
                (Place::CleanUrl(_), Outcome::Ok) => drop(clean.insert(path)),
                (Place::Nowhere, Outcome::HttpError) if base == "/" => {
                    if let Some(base) = base_to_find(folder, &path) {
                        *bases.entry(base).or_insert(0) += 1;
                    }
                }
                (place, Outcome::HttpError) => {
                    add_reason(&mut report.rows[index], &place)
                }
                _ => {}
            }
        }
        let lists = about_lists(&lists).filter(|_| !self.begins_with_list(roots));
        let others = [about_clean_urls(&clean), about_base(&bases)];
        report.warnings.extend(lists.into_iter().chain(others.into_iter().flatten()));
    }
}

/// Adds to the row of an HTTP error why the place is not served, if the folder knows.
fn add_reason(row: &mut Row, place: &Place) {
    if let (Some(why), Some(status)) = (place.problem(), row.status) {
        row.error = Some(format!("status {status}: {why}"));
    }
}

/// Returns the base path with which `path`, which was not found, would be found.
fn base_to_find(folder: &Folder, path: &str) -> Option<String> {
    let (name, _) = path.strip_prefix('/')?.split_once('/')?;
    let place = folder.locate(&path[1 + name.len()..]);
    let is_found =
        matches!(place, Place::File(_) | Place::CleanUrl(_) | Place::List(_));
    is_found.then(|| format!("/{name}/"))
}

/// Returns a warning if several paths would be found with the same base path.
fn about_base(bases: &BTreeMap<String, usize>) -> Option<String> {
    let (base, count) = bases.iter().max_by_key(|(_, count)| **count)?;
    (*count > 1).then(|| {
        format!("{count} paths that are missing would be found with --base-path {base}")
    })
}

/// Returns a warning if links lead to the listings of folders at these paths.
fn about_lists(paths: &BTreeSet<String>) -> Option<String> {
    let first = paths.first()?;
    let told = match paths.len() {
        1 => {
            format!("the folder {first} has no index.html: links to it lead to a list")
        }
        count => format!(
            "{count} folders have no index.html, {first} for one: links to them lead to \
             lists"
        ),
    };
    Some(format!("{told}, which many servers refuse"))
}

/// Returns a warning if links to pages leave out `.html`, as these paths do.
fn about_clean_urls(paths: &BTreeSet<String>) -> Option<String> {
    let first = paths.first()?;
    let told = match paths.len() {
        1 => format!("{first} is answered with {first}.html: links to it"),
        count => format!(
            "{count} paths are answered by adding .html, {first} for one: links to them"
        ),
    };
    Some(format!("{told} need a host that does so, and not every host does"))
}
