//! What counts as broken: a person who follows a link, and is not where it promised.

use crate::scripted::{Act, Server, Site, anchors, answer, html};
use crate::waits::SHORT_TIME_OUT;
use crate::{Crawl, Rule, crawl_from, found_on, options, row, rules, run};
use shared::report::{Report, Row};
use shared::resolve::LookupResult;
use shared::{FetchError, Outcome};
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::time::Duration;

/// All but those with time-outs.
pub const ALL: &[(&str, Rule)] = rules![
    a_loop_of_redirects_is_a_failure,
    a_root_that_only_leads_in_a_loop_is_a_failure,
    a_loop_of_redirects_that_sets_a_cookie_says_so,
    a_failure_behind_a_redirect_names_the_pages_that_link_to_it,
    a_link_that_cannot_be_parsed_has_a_row,
    a_link_that_is_too_long_has_a_row,
    a_root_that_cannot_be_searched_is_told,
    pages_that_come_compressed_are_counted,
    a_root_that_leads_to_another_site_is_told,
    a_server_of_https_is_told,
    feeds_that_are_not_searched_are_told,
    fragments_are_checked_only_if_that_is_asked_for,
    a_fragment_that_its_page_does_not_have_has_a_row,
    a_fragment_applies_where_the_redirects_end,
    fragments_of_roots_and_of_locations_are_checked,
    a_fragment_does_not_point_into_a_template,
    a_fragment_may_be_excluded,
    too_many_fragments_are_told_and_none_is_checked,
    what_a_page_needs_is_requested_only_if_that_is_asked_for,
    a_page_in_a_frame_is_searched_if_a_link_leads_to_it,
    foreign_urls_are_requested_once_and_their_links_never,
    redirects_of_foreign_urls_are_followed,
];

/// Those in which an attempt runs into its time-out.
pub const TIME_OUTS: &[(&str, Rule)] = rules![
    where_head_is_refused_get_decides,
    a_look_up_that_hangs_makes_no_other_page_late
];

fn a_loop_of_redirects_is_a_failure(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/self", "/in", "/fine"])
        .redirect("/self", "/self")
        .redirect("/in", "/one")
        .redirect("/one", "/two")
        .redirect("/two", "/one")
        .redirect("/fine", "/")
        .serve();
    let report = crawl_from(crawl, &server, "/");
    for path in ["/self", "/in", "/one", "/two"] {
        let row = row(&report, &server, path);
        assert_eq!((path, row.outcome), (path, Outcome::TooManyRedirects));
        assert_eq!(found_on(row), [server.url("/")], "{path}");
        assert_eq!(server.count(path), 1, "{path}");
    }
    assert_eq!(row(&report, &server, "/fine").outcome, Outcome::Redirect);
    assert_eq!((report.summary.redirect, report.summary.failed), (1, 4));
}

fn a_root_that_only_leads_in_a_loop_is_a_failure(crawl: Crawl) {
    let server = Site::new().redirect("/a", "/b").redirect("/b", "/a").serve();
    let report = crawl_from(crawl, &server, "/a");
    assert_eq!((report.rows.len(), report.summary.failed), (2, 2), "{report:#?}");
    assert_eq!(server.seen().requests.len(), 2);
    assert!(report.answered && report.warnings.is_empty());
}

fn a_loop_of_redirects_that_sets_a_cookie_says_so(crawl: Crawl) {
    let head = |target: &str| format!("Location: {target}\r\nSet-Cookie: seen=1\r\n");
    let sets_cookie = |target: &str| answer("302 Found", &head(target), b"");
    let server = Site::new()
        .page("/", &["/check", "/loop", "/fine"])
        .raw("/check", &sets_cookie("/check"))
        .redirect("/loop", "/loop")
        .raw("/fine", &sets_cookie("/"))
        .serve();
    let report = crawl_from(crawl, &server, "/");
    let error = |path| row(&report, &server, path).error.as_deref();
    let told = "a loop of redirects that sets a cookie, which is not kept";
    assert_eq!(error("/check"), Some(told));
    assert_eq!(error("/loop"), Some("a loop of redirects"));
    assert_eq!(error("/fine"), None);
}

fn a_failure_behind_a_redirect_names_the_pages_that_link_to_it(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/a", "/r"])
        .page("/a", &["/r", "/s"])
        .redirect("/s", "/r")
        .redirect("/r", "/gone")
        .serve();
    let report = crawl_from(crawl, &server, "/");
    let pages = ["/", "/a"].map(|path| server.url(path));
    let gone = row(&report, &server, "/gone");
    assert_eq!(found_on(gone), pages);
    let way = ["/r", "/gone"].map(|path| server.url(path).into());
    assert_eq!(gone.via, [way.to_vec(), way.to_vec()]);
    assert_eq!(row(&report, &server, "/r").outcome, Outcome::Redirect);
}

fn a_link_that_cannot_be_parsed_has_a_row(crawl: Crawl) {
    let invalid = [
        "//",
        "ftp://no host/",
        "http://",
        "http://[::1",
        "http://a b/\u{1b}[2J",
        "http://x:99999/",
    ];
    let page =
        |links: &[&str]| html(&("<base href=/b/>".to_string() + &anchors(links)));
    let last = [&invalid[..], &["  http://#x\n", "mailto:a b", "#", ""]].concat();
    let server = Site::new()
        .page("/", &["/1", "http://"])
        .raw("/1", &page(&[&invalid[..], &["last"]].concat()))
        .raw("/b/last", &page(&last))
        .page("/b/", &[])
        .serve();
    let report = crawl_from(crawl, &server, "/");
    let rows = report.rows.iter().filter(|row| row.outcome == Outcome::InvalidUrl);
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.iter().map(|row| &*row.url).collect::<Vec<_>>(), invalid);
    for row in rows {
        assert_eq!((row.attempts, row.status, row.num_links), (0, None, 0));
        let mut pages = vec![server.url("/1"), server.url("/b/last")];
        if &*row.url == "http://" {
            pages.insert(0, server.url("/"));
        }
        assert_eq!(found_on(row), pages, "{}", row.url);
        assert_eq!(row.depth, 4 - pages.len() as u32, "{}", row.url);
    }
    assert_eq!(report.rows.len(), 4 + invalid.len());
    assert_eq!(row(&report, &server, "/1").num_links, 1);
    assert_eq!(server.seen().requests.len(), 4);
}

fn a_link_that_is_too_long_has_a_row(crawl: Crawl) {
    let long = "x".repeat(17_000);
    let on_this_site = format!("/{long}");
    let elsewhere = format!("http://x.invalid/{long}y");
    let spread = format!("/{}", "\u{e9}".repeat(4_000)); // too long once it is encoded
    let mut links = vec![on_this_site.clone(), elsewhere, spread.clone()];
    links.extend(["data:,", "javascript:", "mailto:"].map(|it| format!("{it}{long}")));
    links.push(format!("{}/next{}", " ".repeat(17_000), "\n".repeat(17_000)));
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let server = Site::new()
        .page("/", &links)
        .raw(
            "/next",
            &html(&format!("<img src='{on_this_site}'><img src=data:,{long}>")),
        )
        .serve();
    let options = shared::Options { resources: true, ..options(&server, "/") };
    let report = run(crawl, &options);
    let rows = report.rows.iter().filter(|row| row.outcome == Outcome::InvalidUrl);
    let rows: Vec<&Row> = rows.collect();
    let begins: Vec<&str> = rows.iter().map(|row| &row.url[..7]).collect();
    assert_eq!(begins, ["/xxxxxx", &spread[..7], "http://"], "{rows:#?}");
    for row in &rows {
        assert!(row.url.chars().count() < 300, "{row:#?}");
        assert_eq!((row.attempts, row.status, row.depth), (0, None, 1));
        assert_eq!(row.error.as_deref(), Some("longer than 16384 bytes"));
    }
    let both = [server.url("/"), server.url("/next")];
    assert_eq!(found_on(rows[0]), both);
    assert_eq!(found_on(rows[2]), both[..1]);
    assert_eq!(report.rows.len(), 2 + 3, "{report:#?}");
    assert_eq!(server.seen().requests.len(), 2);
}

/// What a crawl warns of, where it is certain that it has warned of nothing else.
fn warning(crawl: Crawl, server: &Server) -> String {
    let report = crawl_from(crawl, server, "/");
    let [warning] = &report.warnings[..] else { panic!("{report:#?}") };
    assert!(report.is_unchecked);
    warning.clone()
}

fn pages_that_come_compressed_are_counted(crawl: Crawl) {
    let head = "Content-Type: text/html\r\nContent-Encoding: gzip\r\n";
    let page = answer("200 OK", head, b"?");
    let server =
        Site::new().page("/", &["/b", "/a"]).raw("/a", &page).raw("/b", &page).serve();
    let report = crawl_from(crawl, &server, "/");
    let first = server.url("/a");
    let warning =
        format!("2 pages came compressed and were not searched, {first} for one");
    assert_eq!(report.warnings, [warning]);
    assert_eq!(report.summary.unsearched.compressed, 2);
}

fn a_root_that_cannot_be_searched_is_told(crawl: Crawl) {
    let told = |headers: &str, body: &str, expected: &str| {
        let headers: String =
            headers.split_terminator('|').map(|line| format!("{line}\r\n")).collect();
        let page = answer("200 OK", &headers, body.as_bytes());
        let server = Site::new().raw("/", &page).serve();
        assert_eq!(
            warning(crawl, &server),
            format!("nothing was searched for links: the root {expected}")
        );
        // The same page behind a link is not a root.
        let server = Site::new().page("/", &["/x"]).raw("/x", &page).serve();
        let report = crawl_from(crawl, &server, "/");
        assert!(!report.is_unchecked);
        let is_counted =
            expected.contains("text/html, compressed") || headers.is_empty();
        match is_counted {
            true => assert_eq!(report.warnings.len(), 1, "{report:#?}"),
            false => assert_unwarned(&report),
        }
        let unsearched = usize::from(report.summary.unsearched);
        assert_eq!(unsearched, usize::from(is_counted), "{report:#?}");
    };
    let html = "Content-Type: text/html|";
    let gzip = "is text/html, compressed (gzip)";
    told(&format!("{html}Content-Encoding: gzip"), "?", gzip);
    let hostile = "is text/html, compressed (x[2J)";
    told(&format!("{html}Content-Encoding: \u{9b}x[2J"), "?", hostile);
    told("Content-Type: application/json", "[]", "is application/json");
    told("Content-Type: text/markdown", "# x", "is text/markdown");
    told("", "<a href=/a>", "has no Content-Type that is known");
    let frames = "<frameset><frame src=/a></frameset>";
    told(html, frames, "is a frameset, and frames are not followed");
    let page = html_with_links();
    assert_unwarned(&crawl_from(crawl, &Site::new().raw("/", &page).serve(), "/"));
    assert_unwarned(&crawl_from(crawl, &Site::new().page("/", &[]).serve(), "/"));
}

/// A page that has frames, and links besides.
fn html_with_links() -> Vec<u8> {
    html("<a href=/>x</a><frameset><frame src=/a></frameset>")
}

#[track_caller]
fn assert_unwarned(report: &Report) {
    assert!(report.warnings.is_empty() && !report.is_unchecked, "{report:#?}");
}

fn a_root_that_leads_to_another_site_is_told(crawl: Crawl) {
    let other = Site::new().page("/", &[]).serve();
    let server =
        Site::new().redirect("/", "/moved").redirect("/moved", &other.url("/")).serve();
    let expected =
        format!("the root leads to another site: start there with {}", other.url("/"));
    assert_eq!(warning(crawl, &server), expected);
    assert_eq!(other.seen().connections, 0);
    let server = Site::new().page("/", &["/x"]).redirect("/x", &other.url("/")).serve();
    assert_unwarned(&crawl_from(crawl, &server, "/"));
    let server = Site::new().redirect("/", "/private/").serve();
    let mut options = options(&server, "/");
    options.exclude = vec![regex_lite::Regex::new("private").expect("a pattern")];
    let report = run(crawl, &options);
    assert!(report.is_unchecked && report.warnings[0].contains("--exclude"));
}

/// What OpenSSL sends where it gets a request: a fatal alert, "unexpected message".
fn a_server_of_https_is_told(crawl: Crawl) {
    let server = Site::new().raw("/", &[21, 3, 3, 0, 2, 2, 10]).serve();
    let report = crawl_from(crawl, &server, "/");
    let row = row(&report, &server, "/");
    let error = row.error.as_deref().unwrap_or_default();
    assert!(row.outcome == Outcome::Malformed && error.contains("https?"), "{row:#?}");
}

fn feeds_that_are_not_searched_are_told(crawl: Crawl) {
    let feed = |kind: &str| {
        answer("200 OK", &format!("Content-Type: {kind}\r\n"), b"<rss><link>/x</link>")
    };
    let site = || {
        Site::new()
            .page("/", &["/b", "/a"])
            .raw("/a", &feed("application/rss+xml; charset=utf-8"))
            .raw("/b", &feed("text/xml"))
    };
    let server = site().serve();
    let report = crawl_from(crawl, &server, "/");
    let first = server.url("/a");
    let told =
        format!("2 feeds or other XML were not searched for links, {first} for one");
    assert_eq!(report.warnings, [told]);
    assert!(!report.is_unchecked);
    let server = site().raw("/b", &feed("image/svg+xml")).serve();
    let report = crawl_from(crawl, &server, "/");
    let first = server.url("/a");
    assert_eq!(report.warnings, [format!("XML was not searched for links: {first}")]);
    // No links are expected in what a page needs.
    let page = html("<link rel=alternate href=/a>");
    let options = shared::Options { resources: true, ..options(&server, "/") };
    let server = site().raw("/", &page).serve();
    let options =
        shared::Options { roots: vec![crate::url(&server.url("/"))], ..options };
    assert_unwarned(&run(crawl, &options));
}

/// Options for a crawl from `/` that checks fragments.
fn with_fragments(server: &Server) -> shared::Options {
    shared::Options { fragments: true, ..options(server, "/") }
}

/// The fragments that are missing, as paths, sorted.
fn missing(report: &Report, server: &Server) -> Vec<String> {
    let is_missing = |row: &&Row| row.outcome == Outcome::MissingFragment;
    let rows = report.rows.iter().filter(is_missing);
    let path = |row: &Row| row.url.strip_prefix(&server.url("")).map(String::from);
    rows.map(|row| path(row).expect("it is on this site")).collect()
}

fn fragments_are_checked_only_if_that_is_asked_for(crawl: Crawl) {
    let server = Site::new().page("/", &["/a#x", "#y"]).page("/a", &[]).serve();
    let report = crawl_from(crawl, &server, "/");
    assert_eq!(report.rows.len(), 2);
    let report = run(crawl, &with_fragments(&server));
    assert_eq!(missing(&report, &server), ["/#y", "/a#x"]);
}

fn a_fragment_that_its_page_does_not_have_has_a_row(crawl: Crawl) {
    let page = "<h1 id=one>1</h1><a name=two></a><p name=three></p><svg><g id='a&amp;b'/>\
        </svg><p id='\u{fc} x'></p><p ID=%41></p><!-- <p id=comment> --><p id>";
    let there = [
        "/p",
        "/p#",
        "/p#one",
        "/p#two",
        "/p#a&amp;b",
        "/p#\u{fc} x",
        "/p#%C3%BC%20x",
        "/p#%41",
        "/p#%2541",
        "/p#top",
        "/p#TOP",
        "/p#:~:text=x",
        "/p#one:~:text=x",
        "/plain#x",
        "/gone#x",
        "http://x.invalid/#x",
        "/p?q#one",
        "mailto:a@b.example#x",
    ];
    let not_there = [
        "/p#ONE",
        "/p#three",
        "/p#comment",
        "/p#A",
        "/p#one%20",
        "/p#:~one",
        "/p#one#one",
        "/p?q#x",
        "#own",
        "",
    ];
    let server = Site::new()
        .page("/", &[&there[..], &not_there[..], &["/also"]].concat())
        .page("/also", &["/p#three", "/p#two", "/p#ONE", "#"])
        .raw("/p", &html(page))
        .raw("/p?q", &html(page))
        .raw("/plain", &answer("200 OK", "Content-Type: text/plain\r\n", b"x"))
        .serve();
    let report = run(crawl, &with_fragments(&server));
    let mut expected: Vec<&str> = not_there[..8].to_vec();
    expected.push("/#own");
    expected.sort_unstable();
    assert_eq!(missing(&report, &server), expected);
    let both = [server.url("/"), server.url("/also")];
    for (path, pages) in
        [("/p#three", &both[..]), ("/p#ONE", &both), ("/p#A", &both[..1])]
    {
        let row = row(&report, &server, path);
        assert_eq!(
            (found_on(row), row.depth),
            (pages.iter().map(|it| it.as_str()).collect(), 1)
        );
        assert_eq!((row.attempts, row.status), (0, None));
    }
    let requested = ["/", "/also", "/gone", "/p", "/p?q", "/plain"];
    assert_eq!(report.rows.len(), requested.len() + expected.len());
    assert_eq!(server.seen().requests.len(), requested.len());
}

fn a_fragment_does_not_point_into_a_template(crawl: Crawl) {
    let page = "<template id=whole><p id=in><template></template><a name=still></a>\
        </template><p id=after><svg><template><g id=drawn /></svg></template><p id=end>";
    let there = ["/p#whole", "/p#after", "/p#drawn", "/p#end"];
    let not_there = ["/p#in", "/p#still"];
    let server = Site::new()
        .page("/", &[&there[..], &not_there].concat())
        .raw("/p", &html(page))
        .serve();
    assert_eq!(missing(&run(crawl, &with_fragments(&server)), &server), not_there);
}

fn a_fragment_applies_where_the_redirects_end(crawl: Crawl) {
    let links = ["/1#here", "/1#gone", "/own#gone", "/loop#x", "/lost#x", "/away#x"];
    let server = Site::new()
        .page("/", &links)
        .redirect("/1", "/2")
        .redirect("/2", "/p")
        .redirect("/own", "/p#here")
        .redirect("/loop", "/loop")
        .redirect("/lost", "/404")
        .redirect("/away", "http://x.invalid/")
        .raw("/p", &html("<p id=here>"))
        .serve();
    let report = run(crawl, &with_fragments(&server));
    assert_eq!(missing(&report, &server), ["/1#gone"]);
}

fn fragments_of_roots_and_of_locations_are_checked(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/1", "/3", "/4"])
        .redirect("/1", "/2#gone")
        .redirect("/2", "/p")
        .redirect("/3", "/p#here")
        .redirect("/4", "/2#lost:~:text=x")
        .redirect("/root", "/p")
        .raw("/p", &html("<p id=here>"))
        .serve();
    let roots = ["/#nothing", "/p#here", "/p#no%20", "/root#not", "/p#", "/gone#x"];
    let roots = roots.map(|path| crate::url(&server.url(path)));
    let check = |fragments| {
        let options = with_fragments(&server);
        run(crawl, &shared::Options { roots: roots.to_vec(), fragments, ..options })
    };
    let paths = ["/", "/1", "/2", "/3", "/4", "/gone", "/p", "/root"];
    assert_eq!(paths_of(&check(false), &server), paths);
    server.take_seen();
    let report = check(true);
    let expected =
        ["/#nothing", "/2#gone", "/2#lost", "/p#no%20", "/root#not"].map(String::from);
    assert_eq!(missing(&report, &server), expected);
    assert_eq!(report.rows.len(), paths.len() + expected.len());
    for (path, pages, depth) in [
        ("/2#gone", vec![server.url("/1")], 1),
        ("/2#lost", vec![server.url("/4")], 1),
        ("/p#no%20", vec![], 0),
        ("/root#not", vec![], 0),
    ] {
        let row = row(&report, &server, path);
        assert_eq!(
            (found_on(row), row.depth, row.attempts),
            (pages.iter().map(|it| it.as_str()).collect(), depth, 0),
            "{path}"
        );
    }
    assert_eq!(server.seen().requests.len(), paths.len());
}

fn a_fragment_may_be_excluded(crawl: Crawl) {
    let server = Site::new()
        .page("/", &["/p#L10", "/p#gone", "/q#L11", "#L12"])
        .redirect("/q", "/p#L13")
        .raw("/p", &html("<p id=here>"))
        .serve();
    let exclude = vec![regex_lite::Regex::new("#L[0-9]+$").expect("a pattern")];
    let options = shared::Options { exclude, ..with_fragments(&server) };
    let report = run(crawl, &options);
    assert_eq!(missing(&report, &server), ["/p#gone"]);
    assert_eq!(server.seen().requests.len(), 3, "the pages themselves are requested");
    let exclude = vec![regex_lite::Regex::new("/q$").expect("a pattern")];
    let report = run(crawl, &shared::Options { exclude, ..options });
    assert_eq!(missing(&report, &server), ["/#L12", "/p#L10", "/p#gone"]);
}

fn too_many_fragments_are_told_and_none_is_checked(crawl: Crawl) {
    let ids: String = (0..1_000).map(|number| format!("<p id=x{number}>")).collect();
    let server = Site::new()
        .page("/", &["/p#x1", "/p#gone", "#own"])
        .raw("/p", &html(&ids))
        .serve();
    for (max_fragments, expected) in [(7_999, 0), (10_000, 2)] {
        let options = shared::Options { max_fragments, ..with_fragments(&server) };
        let report = run(crawl, &options);
        assert_eq!(missing(&report, &server).len(), expected);
        assert_eq!(report.is_unchecked, expected == 0);
        assert_eq!(report.warnings.len(), usize::from(expected == 0));
    }
}

/// Options for a crawl from `/` that requests what pages need.
fn with_resources(server: &Server) -> shared::Options {
    shared::Options { resources: true, links: true, ..options(server, "/") }
}

fn what_a_page_needs_is_requested_only_if_that_is_asked_for(crawl: Crawl) {
    let needs = "<link rel=stylesheet href=css><link rel=icon href=icon><script src=js>
        </script><img src=img srcset='s1 1x, s2 2x'><picture><source srcset=s3></picture>
        <video src=video poster=poster><track src=track></video><audio src=audio></audio>
        <iframe src=frame></iframe><embed src=embed><object data=object></object>
        <input type=image src=button><link rel=canonical href=/canonical>
        <link rel=preconnect href=/no><link href=/no><form action=/no></form>
        <img src=''><img src=data:,x><img src=http://x.invalid/><img src='http://['>
        <svg><image href=svg1 /><image xlink:href=svg2 href=svg3 /><use xlink:href=uses#x />
        <use href='#x' /><g href=/no /><script href=code src=/no></script></svg><image src=old>
        <use href=/no></use><noscript><img src=still></noscript>
        <template><img src=in></template><!-- <img src=no> --><a href=/page>x</a>";
    let paths = [
        "/",
        "/audio",
        "/button",
        "/canonical",
        "/code",
        "/css",
        "/embed",
        "/frame",
        "/icon",
        "/img",
        "/in",
        "/js",
        "/object",
        "/old",
        "/page",
        "/poster",
        "/s1",
        "/s2",
        "/s3",
        "/still",
        "/svg1",
        "/svg3",
        "/track",
        "/uses",
        "/video",
    ];
    let mut site = Site::new().raw("/", &html(needs)).page("/page", &[]);
    for path in paths.iter().filter(|path| !["/", "/page", "/img"].contains(path)) {
        site = site.raw(path, &html("<a href=/not-searched>x</a><img src=/nor-this>"));
    }
    let server = site.serve();
    assert_eq!(paths_of(&crawl_from(crawl, &server, "/"), &server), ["/", "/page"]);
    let report = run(crawl, &with_resources(&server));
    assert_eq!(paths_of(&report, &server), [&paths[..], &["http://["]].concat());
    let root = row(&report, &server, "/");
    assert_eq!((root.num_links, root.num_new_links), (paths.len(), paths.len() - 1));
    assert_eq!(root.links.as_ref().map(Vec::len), Some(root.num_links));
    let css = row(&report, &server, "/css");
    assert_eq!(
        (css.outcome, css.encoding.as_deref(), css.num_links),
        (Outcome::Ok, None, 0)
    );
    let broken = row(&report, &server, "/img");
    assert_eq!((broken.status, found_on(broken)), (Some(404), vec![&*server.url("/")]));
    for path in paths {
        let times = if ["/", "/page"].contains(&path) { 2 } else { 1 };
        assert_eq!(server.count(path), times, "{path}");
    }
}

fn paths_of(report: &Report, server: &Server) -> Vec<String> {
    let mut paths = crate::paths(report, server);
    paths.sort_unstable();
    paths
}

/// Whether the link is found before or after the page was requested for a frame.
fn a_page_in_a_frame_is_searched_if_a_link_leads_to_it(crawl: Crawl) {
    let frame = "<iframe src=/moved></iframe><a href=/1>x</a>";
    let mut first = None;
    for tasks in [1, 10] {
        for max_depth in [None, Some(9)] {
            let server = Site::new()
                .raw("/", &html(frame))
                .redirect("/moved", "/framed")
                .page("/framed", &["/found", "#gone"])
                .page("/1", &["/2"])
                .page("/2", &["/3"])
                .page("/3", &["/framed"])
                .page("/found", &[])
                .serve();
            let options = shared::Options {
                fragments: true,
                max_depth,
                max_tasks: tasks,
                ..with_resources(&server)
            };
            let report = run(crawl, &options);
            assert_eq!(row(&report, &server, "/framed").num_links, 2);
            assert_eq!(row(&report, &server, "/framed").depth, 1);
            assert_eq!(missing(&report, &server), ["/framed#gone"]);
            let outcomes = report.rows.iter().map(|row| (row.outcome, row.depth));
            let outcomes: Vec<_> = outcomes.collect();
            assert_eq!(outcomes.len(), 8);
            assert_eq!(first.get_or_insert_with(|| outcomes.clone()), &outcomes);
            assert!(server.count("/framed") <= 2 && server.count("/moved") == 1);
        }
    }
}

/// Options for a crawl from `/` that requests foreign URLs.
fn with_external(server: &Server) -> shared::Options {
    shared::Options { external: true, max_tries: 1, ..options(server, "/") }
}

/// The first lines of the requests, sorted: `HEAD /a`.
fn requests(server: &Server) -> Vec<String> {
    let line =
        |head: &String| head.split(" HTTP").next().unwrap_or_default().to_string();
    let mut lines: Vec<String> = server.seen().requests.iter().map(line).collect();
    lines.sort_unstable();
    lines
}

fn foreign_urls_are_requested_once_and_their_links_never(crawl: Crawl) {
    let other = Site::new()
        .page("/page", &["/not-requested"])
        .redirect("/moved", "/page")
        .page("/target", &[])
        .serve();
    let to = |path: &str| other.url(path);
    let dead = "http://127.0.0.1:1/dead".to_string();
    let links = ["/page#x", "/moved", "/gone", "/ignored"].map(to);
    let links: Vec<&str> = links.iter().chain([&dead]).map(String::as_str).collect();
    let server = Site::new()
        .page("/", &[&links[..], &["/away", "/again"]].concat())
        .page("/again", &links)
        .redirect("/away", &to("/target"))
        .serve();
    run(crawl, &options(&server, "/"));
    assert_eq!(other.seen().connections, 0, "only if that is asked for");
    let exclude = vec![regex_lite::Regex::new("ignored").expect("a pattern")];
    let options =
        shared::Options { exclude, fragments: true, ..with_external(&server) };
    let report = run(crawl, &options);
    let expected = ["GET /gone", "HEAD /gone", "HEAD /moved", "HEAD /page"];
    let expected = [&expected[..], &["HEAD /target"]].concat();
    assert_eq!(requests(&other), expected);
    let row =
        |url: &str| report.row(url).unwrap_or_else(|| panic!("no {url}: {report:#?}"));
    for (path, outcome) in [
        ("/page", Outcome::Ok),
        ("/moved", Outcome::Redirect),
        ("/target", Outcome::Ok),
        ("/gone", Outcome::HttpError),
    ] {
        let row = row(&to(path));
        assert_eq!((path, row.outcome), (path, outcome));
        assert_eq!((row.size, row.num_links, row.encoding.as_deref()), (None, 0, None));
    }
    assert_eq!(row(&dead).outcome, Outcome::NetworkError);
    let pages = ["/", "/again"].map(|path| server.url(path));
    assert_eq!(found_on(row(&to("/gone"))), pages);
    assert_eq!(found_on(row(&dead)), pages);
    assert_eq!(report.rows.len(), 3 + 5, "{report:#?}");
    assert!(report.summary.complete);
}

/// Each hop has a row, wherever it is. What a redirect leads to on the root's site is
/// crawled, and once.
fn redirects_of_foreign_urls_are_followed(crawl: Crawl) {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0"));
    let [here, third] = listeners.map(|listener| listener.expect("a free port"));
    let at = |listener: &TcpListener, path: &str| {
        format!("http://{}{path}", listener.local_addr().expect("bound"))
    };
    let other = Site::new()
        .redirect("/lost", "/mid")
        .redirect("/mid", &at(&third, "/gone"))
        .redirect("/refused", "/page")
        .acts("HEAD /refused", vec![vec![Act::Send(answer("405 No", "", b""))]])
        .page("/page", &["/not-requested"])
        .redirect("/self", "/self")
        .redirect("/round", &at(&here, "/round"))
        .redirect("/1", "/2")
        .redirect("/2", "/3")
        .redirect("/3", "/4")
        .redirect("/known", &at(&here, "/a"))
        .redirect("/new", &at(&here, "/new"))
        .redirect("/ignored", "/excluded")
        .serve();
    let third = Site::new().serve_on(third);
    let to = |path: &str| other.url(path);
    let links = ["/lost", "/refused", "/self", "/1", "/known", "/new", "/ignored"];
    let links: Vec<String> = links.iter().map(|path| to(path)).collect();
    let mut links: Vec<&str> = links.iter().map(String::as_str).collect();
    links.extend(["/a", "/round"]);
    let server = Site::new()
        .page("/", &links)
        .page("/a", &links)
        .page("/new", &["/only-there"])
        .page("/only-there", &[])
        .redirect("/round", &to("/round"))
        .serve_on(here);
    let options = shared::Options {
        exclude: vec![regex_lite::Regex::new("excluded").expect("a pattern")],
        max_redirect: 2,
        ..with_external(&server)
    };
    let report = run(crawl, &options);
    let gone = third.url("/gone");
    let mut expected = BTreeMap::from([(gone.clone(), Outcome::HttpError)]);
    for (path, outcome) in [
        ("/lost", Outcome::Redirect),
        ("/mid", Outcome::Redirect),
        ("/refused", Outcome::Redirect),
        ("/page", Outcome::Ok),
        ("/self", Outcome::TooManyRedirects),
        ("/round", Outcome::TooManyRedirects),
        ("/1", Outcome::Redirect),
        ("/2", Outcome::Redirect),
        ("/3", Outcome::TooManyRedirects),
        ("/known", Outcome::Redirect),
        ("/new", Outcome::Redirect),
        ("/ignored", Outcome::Redirect),
    ] {
        expected.insert(to(path), outcome);
    }
    for (path, outcome) in [
        ("/", Outcome::Ok),
        ("/a", Outcome::Ok),
        ("/new", Outcome::Ok),
        ("/only-there", Outcome::Ok),
        ("/round", Outcome::TooManyRedirects),
    ] {
        expected.insert(server.url(path), outcome);
        assert_eq!(server.count(path), 1, "{path}");
    }
    let rows = report.rows.iter().map(|row| (row.url.to_string(), row.outcome));
    assert_eq!(rows.collect::<BTreeMap<_, _>>(), expected);
    assert_eq!(requests(&third), ["GET /gone", "HEAD /gone"]);
    let (heads, gets): (Vec<_>, Vec<_>) =
        requests(&other).into_iter().partition(|line| line.starts_with("HEAD "));
    assert_eq!((heads.len(), gets), (12, vec!["GET /refused".to_string()]));
    let pages = ["/", "/a"].map(|path| server.url(path));
    let found = |url: &str| found_on(report.row(url).expect("it has a row"));
    assert_eq!(found(&gone), pages);
    assert_eq!(found(&to("/3")), pages);
    assert_eq!(found(&server.url("/only-there")), [server.url("/new")]);
    assert!(report.summary.complete);
}

fn where_head_is_refused_get_decides(crawl: Crawl) {
    let refuses = |status: &str| vec![vec![Act::Send(answer(status, "", b""))]];
    let large = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n".to_vec();
    let mut site = Site::new()
        .acts("HEAD /405", refuses("405 No"))
        .acts("HEAD /501", refuses("501 No"))
        .acts("HEAD /403", refuses("403 No"))
        .acts("HEAD /404", refuses("404 No"))
        .acts("HEAD /drops", vec![vec![]])
        .acts("HEAD /cut", vec![vec![Act::Send(b"HTTP/1.1 2".to_vec())]])
        .acts("HEAD /garbage", vec![vec![Act::Send(b"<html>".to_vec())]])
        .acts("HEAD /503", refuses("503 Busy"))
        .acts("HEAD /nowhere", refuses("301 Moved"))
        .acts("HEAD /reset", vec![vec![Act::Reset]])
        .acts("HEAD /silent", vec![vec![Act::Stall]])
        .acts("HEAD /large", refuses("405 No"))
        // A body of which more is announced than ever comes: it is not waited for.
        .acts("/large", vec![vec![Act::Send(large), Act::Stall]]);
    let paths = [
        "/403", "/404", "/405", "/501", "/503", "/cut", "/drops", "/garbage",
        "/nowhere", "/reset", "/silent", "/large",
    ];
    for path in &paths[..11] {
        site = site.page(path, &[]);
    }
    let other = site.raw("/both", &answer("405 No", "", b"")).serve();
    let links: Vec<String> = paths.iter().map(|path| other.url(path)).collect();
    let mut links: Vec<&str> = links.iter().map(String::as_str).collect();
    let both = other.url("/both");
    links.push(&both);
    let server = Site::new().page("/", &links).serve();
    let timeout = SHORT_TIME_OUT;
    let report = run(
        crawl,
        &shared::Options { timeout, max_tasks: 3, ..with_external(&server) },
    );
    for path in paths {
        let row = report.row(&other.url(path)).expect("a row");
        assert_eq!((path, row.outcome, row.attempts), (path, Outcome::Ok, 2));
        assert_eq!(other.count(path), 1, "{path}");
    }
    let row = report.row(&both).expect("a row");
    assert_eq!(
        (row.outcome, row.status, row.attempts),
        (Outcome::HttpError, Some(405), 2)
    );
    assert_eq!(other.seen().requests.len(), 2 * links.len());
}

/// All that is requested before and beside the look-up has to arrive in this time.
const BESIDE_A_LOOK_UP: Duration = SHORT_TIME_OUT.saturating_mul(2);

/// A look-up that takes longer than two attempts may: what it is, not how a test waits.
fn hang(name: &str) -> LookupResult {
    std::thread::sleep(3 * BESIDE_A_LOOK_UP);
    Err(FetchError::NoSuchName(name.to_string()))
}

/// `/1` to `/4` are in flight when the name is looked up, and answered after that: when
/// `/z` is requested, too.
fn a_look_up_that_hangs_makes_no_other_page_late(crawl: Crawl) {
    let meet = || vec![vec![Act::Meet(5), Act::Send(html(""))]];
    let mut site = Site::new()
        .page("/", &["/1", "/2", "/3", "/4", "/a"])
        .page("/a", &["/z", "http://hangs.test/"]);
    for path in ["/1", "/2", "/3", "/4", "/z"] {
        site = site.acts(path, meet());
    }
    let server = site.serve();
    let timeout = BESIDE_A_LOOK_UP;
    let options = with_external(&server);
    let report = run(crawl, &shared::Options { look_up: hang, timeout, ..options });
    let row = report.row("http://hangs.test/").expect("a row");
    assert_eq!(row.outcome, Outcome::Timeout);
    assert_eq!(report.summary.ok, 7, "{report:#?}");
}

/// For crawlers that speak http only.
pub(crate) fn foreign_https_is_left_out_and_told(crawl: Crawl) {
    let server = Site::new().page("/", &["https://127.0.0.1:1/"]).serve();
    let report = run(crawl, &with_external(&server));
    assert_eq!(report.rows.len(), 1);
    assert!(report.warnings[0].contains("stage 3"), "{:?}", report.warnings);
    assert!(crawl_from(crawl, &server, "/").warnings.is_empty());
}
