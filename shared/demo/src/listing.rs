//! Lists the files of a folder that has no page of its own.

use std::path::Path;

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode,
};

use crate::answer::{Answer, not_found};
use crate::page::{escape, list_page};
use crate::place::{Folder, Place};

/// All characters but those that may be anywhere in a URL (RFC 3986 §2.3).
const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

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
    let links = names.iter().filter_map(|name| link(folder, path, name));
    let title = format!("Files in {}", percent_decode_str(path).decode_utf8_lossy());
    list_page(&title, "", links)
}

/// Returns the address of `name`, relative to the list, and the text of its link.
fn link(folder: &Folder, path: &str, name: &str) -> Option<(String, String)> {
    let encoded = utf8_percent_encode(name, RESERVED).to_string();
    match folder.locate(&format!("{path}{encoded}")) {
        Place::Nowhere => None,
        Place::FolderWithoutSlash => {
            Some((format!("{encoded}/"), format!("{}/", escape(name))))
        }
        Place::File(_) | Place::Folder(_) => Some((encoded, escape(name))),
    }
}
