//! Listings of folders with symbolic links, which may form circles.

use std::fs;
use std::os::unix::fs::symlink;

use demo_site_tls::DemoSite;
use url::Url;

use crate::client::get;
use crate::folder::{new_folder, serve, write};
use crate::listing::entries;

/// Returns up to `most` paths that listings lead to, from the root on, in the order of
/// their discovery.
fn reached(site: &DemoSite, most: usize) -> Vec<String> {
    let root = Url::parse(&site.url("/")).expect("a good address");
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() && found.len() < most {
        let list = found[next].clone();
        next += 1;
        let page = get(site, list.path()).text();
        for (address, _) in entries(&page) {
            let url = list.join(address).expect("a good link");
            if !found.contains(&url) {
                found.push(url);
            }
        }
    }
    found.iter().map(|url| url.path().to_string()).collect()
}

/// Symbolic links form circles, through one folder and through two. Many folders in a
/// row are reached by two paths each.
#[test]
fn a_crawl_of_lists_ends_wherever_links_lead() {
    const IN_A_ROW: usize = 20;
    let folder = new_folder("circles");
    write(&folder, "a/page.txt", "a");
    write(&folder, "b/page.txt", "b");
    let circles = [
        (".", "own"),
        (".", "latest"),
        ("../b", "a/x"),
        ("../a", "b/y"),
        ("..", "b/z"),
    ];
    for (target, link) in circles {
        symlink(target, folder.join(link)).expect("room for a link");
    }
    write(&folder, &format!("row/{IN_A_ROW}/end.txt"), "the end");
    for number in 0..IN_A_ROW {
        let from = folder.join(format!("row/{number}"));
        fs::create_dir(&from).expect("room for a folder");
        for name in ["left", "right"] {
            let target = format!("../{}", number + 1);
            symlink(target, from.join(name)).expect("room for a link");
        }
    }
    let mut all = reached(&serve(&folder), 1000);
    all.sort_unstable();
    let mut expected: Vec<String> = (0..=IN_A_ROW)
        .map(|number| format!("/row/{number}/"))
        .chain(
            ["/", "/a/", "/a/page.txt", "/b/", "/b/page.txt", "/row/"]
                .map(String::from),
        )
        .chain([format!("/row/{IN_A_ROW}/end.txt")])
        .collect();
    expected.sort_unstable();
    assert_eq!(all, expected);
}

/// A symbolic link to a folder is listed under its own name, but its address is that
/// of the folder. So nothing below it has two addresses.
#[test]
fn a_link_to_a_folder_leads_to_the_place_of_the_folder() {
    let folder = new_folder("linked");
    write(&folder, "v 3/page.txt", "three");
    write(&folder, "old/page.txt", "old");
    symlink("v 3", folder.join("latest")).expect("room for a link");
    symlink("v 3/page.txt", folder.join("page.txt")).expect("room for a link");
    let site = serve(&folder);
    let page = get(&site, "/").text();
    assert_eq!(
        entries(&page),
        [
            ("/v%203/", "latest/"),
            ("old/", "old/"),
            ("page.txt", "page.txt"),
            ("v%203/", "v 3/"),
        ]
    );
    assert_eq!(get(&site, "/latest/page.txt").text(), "three", "it is still served");
}
