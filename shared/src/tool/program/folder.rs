//! Warns about folders without an index page. `--serve` shows a listing for them, but
//! most servers do not, so links to them would break there.

use crate::report::{Outcome, Report};
use percent_encoding::percent_decode_str;
use std::path::{Path, PathBuf};
use url::Url;

/// Returns whether a folder has an index page.
pub(super) fn has_index(folder: &Path) -> bool {
    folder.join("index.html").is_file()
}

/// Returns a warning if the listing of a folder is among the pages of `root`'s site.
pub(super) fn listed_below(
    folder: &Path,
    report: &Report,
    root: &Url,
) -> Option<String> {
    let path_of = |url: &str| {
        let url = Url::parse(url).ok().filter(|url| url.origin() == root.origin())?;
        let path = url.path().strip_prefix('/')?.to_string();
        (path.is_empty() || path.ends_with('/')).then_some(path)
    };
    let on_disk = |path: &str| -> PathBuf {
        folder.join(&*percent_decode_str(path).decode_utf8_lossy())
    };
    let pages = report.rows.iter().filter(|row| row.outcome == Outcome::Ok);
    let paths = pages.filter_map(|row| path_of(&row.url));
    let mut listed = paths.filter(|path| {
        let folder = on_disk(path);
        folder.is_dir() && !has_index(&folder)
    });
    let first = listed.next()?;
    let told = match listed.count() {
        0 => {
            format!("the folder /{first} has no index.html: links to it lead to a list")
        }
        more => format!(
            "{} folders have no index.html, /{first} for one: links to them lead to lists",
            more + 1
        ),
    };
    Some(format!("{told}, which many servers refuse"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::ledger::{CrawlEnd, Ledger};
    use crate::options::{Options, Program};
    use crate::page::Page;
    use std::fs;

    /// Returns the warning of a crawl that fetched these paths.
    fn told(folder: &Path, paths: &[&str]) -> Option<String> {
        let url = |path: &&str| Url::parse(&format!("http://127.0.0.1:1{path}"));
        let roots: Vec<Url> = paths.iter().map(|path| url(path).unwrap()).collect();
        let options = Options::with_roots(roots.clone());
        let (mut ledger, jobs) = Ledger::open(&options, &Program::http_only("p", "1"));
        for mut job in jobs {
            ledger.begin(&mut job);
            ledger.settle(job, Ok(Page { status: 200, ..Page::default() }));
        }
        listed_below(folder, &ledger.close(CrawlEnd::Done), &roots[0])
    }

    #[test]
    fn folders_that_answer_with_a_list_are_told() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a b", "c", "d"] {
            fs::create_dir(folder.path().join(path)).unwrap();
        }
        for path in ["index.html", "d/index.html"] {
            fs::write(folder.path().join(path), "").unwrap();
        }
        let told = |paths: &[&str]| told(folder.path(), paths);
        assert_eq!(told(&["/", "/d/", "/none/", "/c"]), None);
        let one = "the folder /a%20b/ has no index.html: links to it lead to a list, \
                   which many servers refuse";
        assert_eq!(told(&["/", "/d/", "/a b/"]).as_deref(), Some(one));
        let two = "2 folders have no index.html, /a%20b/ for one: links to them lead to \
                   lists, which many servers refuse";
        assert_eq!(told(&["/", "/c/", "/a b/"]).as_deref(), Some(two));
    }
}
