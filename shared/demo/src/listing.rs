//! The list of what is in a folder that has no page of its own.

use std::path::Path;

use axum::response::{IntoResponse, Response};
use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode,
};

use crate::folder::{Folder, Place};
use crate::page::{escape, list_page};
use crate::trouble::not_found;

/// All but what may stand anywhere in a URL as it is (RFC 3986 §2.3).
const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A page that lists what is in `place`, which `path` stands for and which ends in a
/// slash. What would not be served, because it leads out of the folder, is not listed.
pub(crate) fn list(folder: &Folder, place: &Path, path: &str) -> Response {
    let Ok(entries) = place.read_dir() else {
        return not_found("This folder cannot be read.");
    };
    // A name that is not Unicode cannot be asked for.
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    let links = names.iter().filter_map(|name| link(folder, path, name));
    let title = format!("Files in {}", percent_decode_str(path).decode_utf8_lossy());
    list_page(&title, "", links).into_response()
}

/// The address of `name`, relative to the list, and its text.
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
