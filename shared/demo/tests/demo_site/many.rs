//! Sites with many pages: all pages exist, with the links that they should have.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use demo_site_tls::DemoSite;

use crate::client::{connect, get, get_and_keep};

/// Returns the addresses of all links in a page, as a browser reads them.
fn hrefs(site: &DemoSite, path: &str) -> Vec<String> {
    let text = get(site, path).text();
    let starts =
        text.split("<a ").skip(1).filter_map(|tag| tag.split("href=\"").nth(1));
    starts
        .filter_map(|rest| rest.split('"').next())
        .map(|it| it.replace("&amp;", "&"))
        .collect()
}

#[test]
fn each_of_many_pages_can_be_reached_and_has_as_many_links_as_asked() {
    let site = DemoSite::start().expect("a socket");
    for (count, links) in [(100, 10), (30, 3), (5, 64), (1, 1)] {
        let root = format!("/many/0?count={count}&links={}", links.min(count));
        let (mut seen, mut queue) = (HashSet::from([root.clone()]), vec![root]);
        while let Some(path) = queue.pop() {
            let found = hrefs(&site, &path);
            let inner: HashSet<_> =
                found.iter().filter(|it| it.starts_with('/')).collect();
            assert_eq!(
                (inner.len(), found.len()),
                (links.min(count), links.min(count) + 1)
            );
            queue.extend(
                inner.into_iter().filter(|it| seen.insert((*it).clone())).cloned(),
            );
        }
        assert_eq!(seen.len(), count, "{seen:?}");
    }
}

#[test]
fn many_pages_close_the_connection_if_asked_and_so_do_those_that_they_lead_to() {
    let site = DemoSite::start().expect("a socket");
    let mut stream = connect(site.address());
    let open = get_and_keep(&mut stream, "/many/0?count=3&links=3");
    assert_eq!(open.field("connection"), None);
    let closed = get_and_keep(&mut stream, "/many/0?count=3&links=3&close");
    assert_eq!(closed.field("connection"), Some("close"));
    assert!(closed.text().contains("/many/1?count=3&amp;links=3&amp;close\""));
}

#[test]
fn a_star_leads_to_pages_that_wait_and_lead_back() {
    let site = DemoSite::start().expect("a socket");
    let rays = hrefs(&site, "/star?count=3&ms=20");
    assert_eq!(rays, [1, 2, 3].map(|ray| format!("/star/{ray}?count=3&ms=20")));
    let began = Instant::now();
    assert_eq!(hrefs(&site, &rays[2]), ["/star?count=3&ms=20"]);
    assert!(began.elapsed() >= Duration::from_millis(20));
    assert_eq!(site.all_requests(), 2);
}
