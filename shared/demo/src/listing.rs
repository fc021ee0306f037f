//! Lists the files of a folder without an index page.

use std::path::Path;

use percent_encoding::percent_decode_str;

use crate::answer::{Answer, list_page, not_found};
use crate::page::escape;
use crate::place::{Folder, Place, encode};

/// Makes a page that lists the files in `place`. The page's own path is `path`, which
/// ends in a slash. Symbolic links that lead out of the served folder are left out.
pub(crate) fn list(folder: &Folder, place: &Path, path: &str) -> Answer {
    let Ok(entries) = place.read_dir() else {
        return not_found("This folder cannot be read.");
    };
    // A name that is not Unicode is skipped, since it cannot be requested.
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let links = names.iter().filter_map(|name| link(folder, place, path, name));
    let title = format!("Files in {}", percent_decode_str(path).decode_utf8_lossy());
    list_page(&title, "", links)
}

/// Returns the address of `name` and the text of its link. The address is relative to
/// the listing. But a symbolic link to a folder gets the address of that folder: so
/// each folder has only one address, and a crawl of listings ends even if links form a
/// circle.
fn link(
    folder: &Folder,
    place: &Path,
    path: &str,
    name: &str,
) -> Option<(String, String)> {
    let encoded = encode(name);
    match folder.locate(&format!("{path}{encoded}")) {
        Place::Nowhere => None,
        Place::FolderWithoutSlash => {
            let below = place.join(name);
            let own = below.canonicalize().ok()?;
            let address = match own == below {
                true => format!("{encoded}/"),
                false => folder.address_of(&own)?,
            };
            Some((address, format!("{}/", escape(name))))
        }
        Place::File(_) | Place::Folder(_) => Some((encoded, escape(name))),
    }
}
