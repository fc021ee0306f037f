//! A folder is served as hosts of static sites do.

use std::sync::Arc;

use demo_site_tls::{DemoSite, Folder};

use crate::client::get;
use crate::folder::{new_folder, serve, write};

#[test]
fn a_page_is_found_without_its_ending_as_hosts_do() {
    let folder = new_folder("clean-urls");
    for name in
        ["guide.html", "both.html", "both/index.html", "list.html/x", "v1.2.html"]
    {
        write(&folder, name, name);
    }
    write(&folder, "empty/x", "");
    write(&folder, "empty.html", "empty.html");
    let site = serve(&folder);
    for (path, text) in [
        ("/guide", "guide.html"),
        ("/guide?a=b", "guide.html"),
        ("/both", "both.html"), // not the folder: hosts add the ending first
        ("/both/", "both/index.html"),
        ("/empty", "empty.html"),
        ("/v1.2", "v1.2.html"),
    ] {
        let answer = get(&site, path);
        assert_eq!((answer.status, &*answer.text()), (200, text), "{path}");
        assert_eq!(answer.field("content-type"), Some("text/html"));
    }
    for path in ["/guide/", "/guide.html/", "/list", "/", "/v1"] {
        let status = if path == "/" { 200 } else { 404 };
        assert_eq!(get(&site, path).status, status, "{path}");
    }
    let names: Vec<_> = get(&site, "/").text().lines().map(str::to_string).collect();
    let listed = |line: &str| names.iter().any(|name| name.contains(line));
    assert!(
        listed(r#"<a href="both/">both/</a>"#),
        "the folder, not its page: {names:?}"
    );
}

#[test]
fn a_path_that_is_missing_shows_the_page_for_it() {
    let folder = new_folder("missing");
    write(&folder, "sub/index.html", "inside");
    let site = serve(&folder);
    assert!(get(&site, "/none").text().contains("there is no such file"));
    write(&folder, "404.html", "<a href=x>lost?</a>");
    for path in ["/none", "/none/", "/sub/none.html", "/sub/index.html/"] {
        let answer = get(&site, path);
        assert_eq!((answer.status, &*answer.text()), (404, "<a href=x>lost?</a>"));
        assert_eq!(answer.field("content-type"), Some("text/html"), "{path}");
    }
    assert_eq!(get(&site, "/404.html").status, 200);
}

#[test]
fn a_site_may_live_below_a_path() {
    let folder = new_folder("below");
    for name in ["index.html", "sub/index.html", "guide.html", "404.html", "list/x"] {
        write(&folder, name, name);
    }
    let open = || Folder::open(&folder).expect("a folder");
    let site = |base| DemoSite::serve(&Arc::new(open().below(base))).expect("a socket");
    let below = site("/my%20project/v%32/");
    for (path, status, text) in [
        ("/my%20project/v2/", 200, "index.html"),
        ("/%6dy%20project/v2/", 200, "index.html"),
        ("/my%20project/v2/sub/", 200, "sub/index.html"),
        ("/my%20project/v2/guide", 200, "guide.html"),
        ("/my%20project/v2/none", 404, "404.html"),
    ] {
        let answer = get(&below, path);
        assert_eq!((answer.status, &*answer.text()), (status, text), "{path}");
    }
    for (path, location) in [
        ("/my%20project/v2", "/my%20project/v2/"),
        ("/my%20project/v2/sub?q", "/my%20project/v2/sub/?q"),
    ] {
        let answer = get(&below, path);
        assert_eq!((answer.status, answer.field("location")), (307, Some(location)));
    }
    for path in ["/", "/guide.html", "/my%20project/", "/my%20project/v22/", "//"] {
        let answer = get(&below, path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.text().contains("is not below the base path"), "{path}");
    }
    let list = get(&below, "/my%20project/v2/list/").text();
    assert_eq!(list.matches("<a ").count(), 1, "nothing leads out of the site: {list}");
    assert_eq!(get(&site("/"), "/guide").text(), "guide.html");
}
