//! Lists the files of a folder that has no page of its own.

use std::path::Path;

use percent_encoding::percent_decode_str;

use crate::answer::{Answer, list_page, not_found};
use crate::page::escape;
use crate::place::{Folder, Place, encode};

/// Makes a page that lists the files in `place`, to which `path` leads; `path` ends in
/// a slash. Files that are not served, because they lead out of the folder, are left
/// out.
pub(crate) fn list(folder: &Folder, place: &Path, path: &str) -> Answer {
    let Ok(entries) = place.read_dir() else {
        return not_found("This folder cannot be read.");
    };
    // A name that is not Unicode cannot be requested.
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let links = names.iter().filter_map(|name| link(folder, place, path, name));
    let title = format!("Files in {}", percent_decode_str(path).decode_utf8_lossy());
    list_page(&title, "", links)
}

/// Returns the address of `name`, and the text of its link. The address is relative to the
/// list, but that of a folder to which a symbolic link leads is the folder's own: so each
/// folder is listed at one address, and a crawl of lists ends, also where links make a
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
