//! What is to be found on a site, read from its files: breadth first, without a request,
//! with scraper for the links.

use page_tree::scraper::{Html, Selector};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use url::Url;

/// What is at a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A file, with so many bytes and links.
    File {
        size: u64,
        links: usize,
    },
    /// A folder, asked for without its slash.
    Folder {
        with_slash: String,
    },
    Nothing,
}

/// Whatever can be reached from `root`, which is where `folder` is served.
pub(crate) fn walk(folder: &Path, root: &str) -> BTreeMap<String, Found> {
    let root = Url::parse(root).expect("a server has a URL");
    let mut all = BTreeMap::new();
    let mut queue = VecDeque::from([root.clone()]);
    while let Some(url) = queue.pop_front() {
        if all.contains_key(url.as_str()) || url.origin() != root.origin() {
            continue;
        }
        let file = path_of(folder, &url);
        let found = if file.is_dir() && !url.path().ends_with('/') {
            let mut with_slash = url.clone();
            with_slash.set_path(&format!("{}/", url.path()));
            queue.push_back(with_slash.clone());
            Found::Folder { with_slash: with_slash.into() }
        } else {
            let links = file_and_links(&file, &url);
            let found = links.as_ref().map_or(Found::Nothing, |(size, links)| {
                Found::File { size: *size, links: links.len() }
            });
            queue.extend(links.into_iter().flat_map(|(_, links)| links));
            found
        };
        all.insert(url.into(), found);
    }
    all
}

/// The file that a URL stands for; of a folder its index.
fn path_of(folder: &Path, url: &Url) -> PathBuf {
    let path = percent_decode_str(url.path()).decode_utf8().expect("names are UTF-8");
    let mut file = folder.to_path_buf();
    file.extend(path.split('/').filter(|part| !part.is_empty()));
    match path.ends_with('/') {
        true => file.join("index.html"),
        false => file,
    }
}

/// How many bytes a file has, and where it points; `None` if there is none.
fn file_and_links(file: &Path, url: &Url) -> Option<(u64, BTreeSet<Url>)> {
    let bytes = fs::read(file).ok()?;
    let size = bytes.len() as u64;
    let is_page = file.extension().is_some_and(|ending| ending == "html");
    let text = String::from_utf8(bytes).expect("the files are UTF-8");
    Some((size, if is_page { links(&text, url) } else { BTreeSet::new() }))
}

fn links(text: &str, url: &Url) -> BTreeSet<Url> {
    let anchor = Selector::parse("a[href]").expect("a selector");
    let page = Html::parse_document(text);
    let hrefs = page.select(&anchor).filter_map(|anchor| anchor.attr("href"));
    let urls = hrefs.filter_map(|href| url.join(href).ok());
    let urls = urls.filter(|url| url.scheme() == "http");
    urls.map(|mut url| {
        url.set_fragment(None);
        url
    })
    .collect()
}
