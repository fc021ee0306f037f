//! The listing of a folder without an index page.

use crate::client::get;
use crate::folder::{new_folder, serve, write};

/// Returns the addresses and the texts of the links in a listing.
pub(crate) fn entries(page: &str) -> Vec<(&str, &str)> {
    let items = page.lines().filter_map(|line| line.strip_prefix("<li><a href=\""));
    items.filter_map(|item| item.strip_suffix("</a></li>")?.split_once("\">")).collect()
}

#[test]
fn a_list_is_sorted_and_marks_folders_with_a_slash() {
    let folder = new_folder("sorted");
    for name in ["b.html", "a.html", "c/d.html", "B.html2"] {
        write(&folder, name, "");
    }
    let answer = get(&serve(&folder), "/");
    assert_eq!(answer.field("content-type"), Some("text/html; charset=utf-8"));
    let names: Vec<_> =
        entries(&answer.text()).iter().map(|entry| entry.1.to_owned()).collect();
    assert_eq!(names, ["B.html2", "a.html", "b.html", "c/"]);
}

#[test]
fn every_link_of_a_list_leads_to_its_file() {
    let folder = new_folder("names");
    let mut names =
        vec!["50% off.txt", "a#b.txt", "a&b;.txt", "ü.txt", "it's.txt", "+.txt"];
    if cfg!(unix) {
        names.extend([
            "<b>.txt",
            "\"quoted\".txt",
            "what?.txt",
            "a:b.txt",
            "back\\slash.txt",
        ]);
    }
    for name in &names {
        write(&folder, &format!("in & out/{name}"), name);
    }
    let site = serve(&folder);
    let page = get(&site, "/in%20%26%20out/").text();
    assert!(page.contains("<h1>Files in /in &amp; out/</h1>"));
    let mut found: Vec<String> = Vec::new();
    for (address, text) in entries(&page) {
        assert!(
            address.is_ascii()
                && !address.contains(['#', '?', '&', '"', '<', ' ', ':'])
        );
        assert!(!text.contains(['<', '"']), "{text}");
        found.push(get(&site, &format!("/in%20%26%20out/{address}")).text());
    }
    names.sort_unstable();
    assert_eq!(found, names);
}

#[test]
fn an_empty_folder_has_an_empty_list() {
    let site = serve(&new_folder("empty"));
    let answer = get(&site, "/");
    assert_eq!((answer.status, entries(&answer.text()).len()), (200, 0));
}
