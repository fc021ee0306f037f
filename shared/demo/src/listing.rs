//! Lists the files of a folder without an index page.

use std::ffi::OsStr;
use std::path::Path;

use percent_encoding::percent_decode_str;

use crate::answer::{Answer, html, list, not_found};
use crate::page::{CLOSING_ALONE, escape, opening};
use crate::place::{Folder, Place, encode};

/// Makes a page that lists the files in `place`. The page's own path is `path`, which
/// ends in a slash. Symbolic links that lead out of the served folder are listed, too, so
/// that a crawl reports them.
pub(crate) fn list_folder(folder: &Folder, place: &Path, path: &str) -> Answer {
    let Ok(entries) = place.read_dir() else {
        return not_found("The folder has just gone.");
    };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    let links = names.iter().filter_map(|name| link(folder, place, name));
    let path = percent_decode_str(path).decode_utf8_lossy();
    html(opening(&format!("Files in {path}")) + &list(links) + CLOSING_ALONE)
}

/// Returns the address of `name` and the text of its link. The address is relative to
/// the listing. But a symbolic link to a folder gets the address of that folder: so
/// each folder has only one address, and a crawl of listings ends even if links form a
/// circle.
fn link(folder: &Folder, place: &Path, name: &OsStr) -> Option<(String, String)> {
    let (below, encoded) = (place.join(name), encode(name));
    let text = escape(&name.to_string_lossy());
    match folder.at(below.clone()) {
        Place::Nowhere => None,
        Place::FolderWithoutSlash => {
            let own = below.canonicalize().ok()?;
            let address = match own == below {
                true => format!("{encoded}/"),
                false => folder.address_of(&own)?,
            };
            Some((address, format!("{text}/")))
        }
        _ => Some((encoded, text)),
    }
}
