//! A real manual: a folder of HTML, which nginx serves, and what a crawl has to find in it.
//!
//! By default PostgreSQL's, of Debian's package: more than a thousand pages of ordinary
//! size, written by one program, with a dozen links in each; every page can be reached from
//! the first one, and no link is broken. The pages of the demo site are made for crawlers.

use page_tree::links_by_tree;
use shared::page::charset::decode;
use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use url::Url;

/// Where Debian's packages put it: each major version has a package.
const DOCS: &str = "/usr/share/doc";
const PACKAGE: &str = "postgresql-doc-";

/// Where the manual is while its files are read. No link of it leads there.
const ROOT: &str = "http://manual.invalid/";

/// A manual, and what it consists of.
#[derive(Clone, Debug, PartialEq)]
pub struct Manual {
    /// The folder with its files.
    pub folder: PathBuf,
    /// Pages that can be reached from the first one, which is included.
    pub pages: usize,
    /// Links that they have together: in each page each target once, other sites included.
    pub links: usize,
    /// Bytes that the pages have together.
    pub bytes: usize,
}

/// Returns the folder of PostgreSQL's manual, if it is installed.
pub fn installed() -> Option<PathBuf> {
    let packages = fs::read_dir(DOCS).ok()?.flatten().map(|entry| entry.path());
    let is_it = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(PACKAGE) && folder.join("html/index.html").is_file()
    };
    packages.filter(is_it).max().map(|folder| folder.join("html"))
}

impl Manual {
    /// Reads the manual in this folder, from its `index.html` on: without a server or one of
    /// the crawlers, since it is what they are checked against.
    ///
    /// # Errors
    /// A link leads to a file that is missing: a crawl would not end without a failure.
    pub fn read(folder: &Path) -> Result<Manual, String> {
        let root = Url::parse(ROOT).expect("a URL");
        let mut manual =
            Manual { folder: folder.to_path_buf(), pages: 0, links: 0, bytes: 0 };
        let (mut seen, mut queue) = (BTreeSet::from([root.clone()]), VecDeque::new());
        queue.push_back(root.clone());
        while let Some(url) = queue.pop_front() {
            let file = folder.join(file_name(&url)?);
            let bytes = fs::read(&file)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            manual.pages += 1;
            manual.bytes += bytes.len();
            if file.extension().is_none_or(|ending| ending != "html") {
                continue;
            }
            let links = links_by_tree(&decode(None, &bytes).0, &url);
            manual.links += links.len();
            let own = links.into_iter().filter(|link| link.origin() == root.origin());
            queue.extend(own.filter(|link| seen.insert(link.clone())));
        }
        Ok(manual)
    }
}

/// The file of a URL, from the manual's folder: of a folder its index, as nginx has it.
fn file_name(url: &Url) -> Result<String, String> {
    match url.path() {
        path if path.contains('%') => Err(format!("{path}: an encoded name")),
        path if path.ends_with('/') => Ok(format!("{}index.html", &path[1..])),
        path => Ok(path[1..].to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(pages: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in pages {
            fs::write(folder.path().join(name), text).expect("the folder is ours");
        }
        folder
    }

    #[test]
    fn what_can_be_reached_is_counted_and_nothing_else() {
        let first = "<a href=2.html>2</a> <a href='2.html#x'>again</a> \
                     <a href=http://other.test/>other</a> <a href=mailto:a@b>write</a>";
        let second = "<a href=/>home</a> <a href=picture.svg>picture</a>";
        let files = [
            ("index.html", first),
            ("2.html", second),
            ("picture.svg", "<a href=3.html>"),
            ("3.html", "nothing leads here"),
        ];
        let folder = write(&files);
        let manual = Manual::read(folder.path()).expect("it is whole");
        assert_eq!((manual.pages, manual.links), (3, 2 + 2));
        let read: usize = files[..3].iter().map(|(_, text)| text.len()).sum();
        assert_eq!(manual.bytes, read);
    }

    #[test]
    fn a_manual_with_a_broken_link_is_refused() {
        let folder = write(&[("index.html", "<a href=missing.html>")]);
        let error = Manual::read(folder.path()).expect_err("a page is missing");
        assert!(error.contains("missing.html"), "{error}");
    }
}
