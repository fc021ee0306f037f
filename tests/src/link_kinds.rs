//! The kinds of links that a checker meets: a table, one line each. A link works if a
//! browser that follows the standards gets where it points.
//!
//! Each kind is a folder of one site, and its page is the folder's index. `tests/equal.rs`
//! checks the site with each crawler. The program `link_kinds` checks it with any other
//! link checker.

use crate::scripted::{self, Act, Acts, Server, Site, anchors};
use std::net::TcpListener;

/// A page with one kind of link, and where the link leads.
pub struct Kind {
    /// The folder of the page.
    pub name: &'static str,
    /// Whether the link is broken.
    pub is_broken: bool,
    /// Whether our crawlers report it: equal to `is_broken`, except for what they leave out
    /// on purpose.
    pub is_named: bool,
    page: Vec<u8>,
    /// What the site has besides, by path.
    here: Vec<(String, Acts)>,
    /// What the other site has.
    elsewhere: Vec<(String, Acts)>,
}

/// The site of all kinds, and the other site that it links to.
pub struct Sites {
    /// The site that is checked, from `/`.
    pub server: Server,
    /// The other site.
    pub elsewhere: Server,
    /// All kinds, in the order of the table.
    pub kinds: Vec<Kind>,
}

/// Sends these bytes at each request.
fn sends(bytes: impl AsRef<[u8]>) -> Acts {
    vec![vec![Act::Send(bytes.as_ref().to_vec())]]
}

impl Kind {
    /// Adds bytes that the folder has under a name.
    fn at(self, name: &'static str, bytes: impl AsRef<[u8]>) -> Kind {
        self.acts(name, sends(bytes))
    }

    fn acts(mut self, name: &'static str, acts: Acts) -> Kind {
        self.here.push((self.path() + name, acts));
        self
    }

    /// Adds a redirect from `moved`.
    fn leads(self, location: &str) -> Kind {
        self.at("moved", redirect(location))
    }

    /// Adds a page that is there when it is requested again.
    fn recovers(self, name: &'static str, first: Act) -> Kind {
        self.acts(name, vec![vec![first], vec![Act::Send(there())]])
    }

    /// Adds bytes as `x` on the other site.
    fn away(mut self, bytes: impl AsRef<[u8]>) -> Kind {
        self.elsewhere.push((self.path() + "x", sends(bytes)));
        self
    }

    /// Adds a page as `x` on the other site that answers HEAD in another way.
    fn away_without_head(mut self, acts: Vec<Act>) -> Kind {
        self.elsewhere.push((format!("HEAD {}x", self.path()), vec![acts]));
        self.away(there())
    }

    /// The path of its page, with a slash at both ends.
    pub fn path(&self) -> String {
        format!("/{}/", self.name)
    }
}

impl Sites {
    /// Starts to serve all kinds.
    pub fn serve() -> Sites {
        let bind =
            || TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let (here, there) = (bind(), bind());
        let port =
            |listener: &TcpListener| listener.local_addr().expect("bound").port();
        let kinds = table(port(&here), port(&there));
        let paths: Vec<String> = kinds.iter().map(Kind::path).collect();
        let links: Vec<&str> = paths.iter().map(String::as_str).collect();
        let root = html(&anchors(&links));
        let (mut site, mut other) = (Site::new().raw("/", &root), Site::new());
        for (kind, path) in kinds.iter().zip(&paths) {
            site = fill(site.raw(path, &kind.page), path, &kind.here);
            other = fill(other, path, &kind.elsewhere);
        }
        Sites { server: site.serve_on(here), elsewhere: other.serve_on(there), kinds }
    }
}

/// Adds a folder to a site: `there`, `gone`, and what its kind has besides.
fn fill(site: Site, folder: &str, own: &[(String, Acts)]) -> Site {
    let gone = answer("404 Not Found", "", b"nothing here");
    let both = site
        .raw(&format!("{folder}there"), &there())
        .raw(&format!("{folder}gone"), &gone);
    own.iter().fold(both, |site, (path, acts)| site.acts(path, acts.clone()))
}

/// A response that announces the close of its connection. Without that, a checker that
/// keeps connections could send its next request on this one, and report that it failed.
fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    scripted::answer(status, &format!("{headers}Connection: close\r\n"), body)
}

fn html(body: &str) -> Vec<u8> {
    answer("200 OK", "Content-Type: text/html; charset=utf-8\r\n", body.as_bytes())
}

fn redirect(location: &str) -> Vec<u8> {
    answer("302 Found", &format!("Location: {location}\r\n"), b"")
}

/// A page with these header lines, each with its CR LF.
fn page(lines: &str, body: &[u8]) -> Vec<u8> {
    answer("200 OK", &format!("Content-Type: text/html\r\n{lines}"), body)
}

/// The page `there` of each folder, with all ids and with text that only looks like one.
fn there() -> Vec<u8> {
    html(
        "<title><p id=in-title></title><script>'<p id=in-script>'</script>\
        <h1 id=here>There</h1><p>words to find</p><a name=named>x</a><p name=named-p>x</p>\
        <p ID=Case>x</p><p id='\u{fc}'>x</p><p id='a%20b'>x</p><p id='c d'>x</p>\
        <p id='e&amp;f'>x</p><svg><g id=drawn /></svg><!-- <p id=in-comment> -->\
        <textarea id=area><p id=in-area></textarea><template><p id=in-template></template>\
        <pre><a id=1>1</a><a id=2>2</a><a id=3>3</a></pre>",
    )
}

fn kind(name: &'static str, is_broken: bool, page: Vec<u8>) -> Kind {
    let (here, elsewhere) = (Vec::new(), Vec::new());
    Kind { name, is_broken, is_named: is_broken, page, here, elsewhere }
}

fn fine(name: &'static str, body: impl AsRef<str>) -> Kind {
    kind(name, false, html(body.as_ref()))
}

fn broken(name: &'static str, body: impl AsRef<str>) -> Kind {
    kind(name, true, html(body.as_ref()))
}

/// A broken link in what our crawlers do not search.
fn left_out(name: &'static str, body: impl AsRef<str>) -> Kind {
    Kind { is_named: false, ..broken(name, body) }
}

/// A page whose link to `x` works.
fn link(name: &'static str) -> Kind {
    fine(name, "<a href=x>x</a>")
}

/// A page whose link to `x` does not.
fn dead(name: &'static str) -> Kind {
    broken(name, "<a href=x>x</a>")
}

/// The whole table, for sites at these ports.
fn table(port: u16, other: u16) -> Vec<Kind> {
    let other = format!("127.0.0.1:{other}");
    let mut all = fragments();
    all.extend(addresses(port));
    all.extend(redirects(&other));
    all.extend(markup());
    all.extend(resources());
    all.extend(charsets());
    all.extend(framing());
    all.extend(statuses());
    all.extend(foreign(&other));
    all.extend(unsearched(&other));
    all
}

/// HTML, "the indicated part of the document".
#[rustfmt::skip]
fn fragments() -> Vec<Kind> {
    let there = |name, fragment: &str| fine(name, anchors(&[&format!("there#{fragment}")]));
    let missing = |name, fragment: &str| broken(name, anchors(&[&format!("there#{fragment}")]));
    vec![
        there("id", "here"),
        there("id-in-capitals", "Case"),
        there("id-of-letters", "\u{fc}"),
        there("id-percent-encoded", "%C3%BC"),
        there("id-with-a-percent-sign", "a%20b"),
        there("id-with-a-space", "c%20d"),
        there("id-with-an-entity", "e&amp;f"),
        there("id-in-a-drawing", "drawn"),
        there("id-of-a-textarea", "area"),
        there("name-of-an-anchor", "named"),
        there("fragment-empty", ""),
        there("fragment-top", "top"),
        there("fragment-top-in-capitals", "TOP"),
        there("fragment-of-words", ":~:text=words%20to%20find"),
        there("fragment-of-words-behind-an-id", "here:~:text=words%20to"),
        // No element has this id: it is the script of the page that finds the lines.
        there("range-of-lines", "1-3"),
        fine("fragment-of-a-picture", "<a href=x#layer>x</a>").at("x", answer("200 OK", "Content-Type: image/png\r\n", b"x")),
        fine("fragment-behind-a-query", "<a href='x?a#here'>x</a>").at("x?a", html("<p id=here>")),
        fine("fragment-of-its-own-page", "<a href=#own>x</a><p id=own>"),
        missing("id-missing", "gone"),
        missing("id-in-another-case", "case"),
        missing("id-in-a-comment", "in-comment"),
        missing("id-in-a-script", "in-script"),
        missing("id-in-a-title", "in-title"),
        missing("id-in-the-text-of-a-textarea", "in-area"),
        missing("id-in-a-template", "in-template"),
        missing("name-of-a-paragraph", "named-p"),
        missing("id-encoded-in-latin1", "%FC"),
        missing("id-missing-before-words", "gone:~:text=words"),
        missing("range-of-lines-that-are-too-many", "1-9"),
        broken("fragment-missing-on-its-own-page", "<a href=#own>x</a>"),
        broken("fragment-missing-behind-a-query", "<a href='x?a#gone'>x</a>").at("x?a", html("<p id=here>")),
    ]
}

/// The WHATWG's URL Standard, and RFC 3986.
#[rustfmt::skip]
fn addresses(port: u16) -> Vec<Kind> {
    let to = |name, link: &str| fine(name, anchors(&[link]));
    let invalid = |name, link: &str| broken(name, anchors(&[link]));
    vec![
        to("userinfo", &format!("http://me:secret@127.0.0.1:{port}/userinfo/there")),
        to("no-scheme", &format!("//127.0.0.1:{port}/no-scheme/there")),
        to("scheme-in-capitals", &format!("HTTP://127.0.0.1:{port}/scheme-in-capitals/there")),
        to("scheme-without-slashes", "http:there"),
        to("scheme-with-one-slash", "http:/scheme-with-one-slash/there"),
        to("port-with-a-zero", &format!("http://127.0.0.1:0{port}/port-with-a-zero/there")),
        to("host-in-hexadecimal", &format!("http://0x7f.1:{port}/host-in-hexadecimal/there")),
        to("host-as-one-number", &format!("http://2130706433:{port}/host-as-one-number/there")),
        to("host-in-wide-letters", &format!("http://\u{ff11}\u{ff12}\u{ff17}.0.0.1:{port}/host-in-wide-letters/there")),
        to("dots", "x/../y/./../there"),
        to("dots-encoded", "x/%2e%2E/there"),
        to("dots-that-climb-too-far", "/../../dots-that-climb-too-far/there"),
        to("backslashes", "x\\..\\there"),
        to("blanks-around", " \n there\t "),
        to("line-end-within", "the\n\tre"),
        to("blank-within", "a b").at("a%20b", html("")),
        to("letters", "\u{fc}?\u{fc}").at("%C3%BC?%C3%BC", html("")),
        to("plus", "x?a=b+c").at("x?a=b+c", html("")),
        to("slash-encoded", "a%2Fb").at("a%2Fb", html("")),
        to("letter-encoded", "%78").at("%78", html("")).at("x", html("")),
        to("brackets", "x[1]?y[]=|").at("x[1]?y[]=|", html("")).at("x%5B1%5D?y%5B%5D=%7C", html("")),
        to("query-of-its-own-page", "?page=2").at("?page=2", html("")),
        to("query-like-an-entity", "x?a=1&copy=2").at("x?a=1&copy=2", html("")),
        to("query-with-a-url", "x?to=http://127.0.0.1/a?b").at("x?to=http://127.0.0.1/a?b", html("")),
        to("semicolon", "x;v=1,2").at("x;v=1,2", html("")),
        to("empty", ""),
        fine("entity-in-a-link", "<a href='x?a=1&amp;b=&#50;'>x</a>").at("x?a=1&b=2", html("")),
        invalid("address-in-brackets", "http://[::1/"),
        invalid("port-too-large", "http://127.0.0.1:70000/"),
        invalid("port-in-letters", "http://127.0.0.1:eighty/"),
        invalid("host-with-a-blank", "http://a b/"),
        invalid("host-empty", "http://"),
        invalid("host-of-large-numbers", "http://127.0.0.256/"),
        invalid("host-encoded-badly", "http://a%zz/"),
        invalid("host-that-does-not-exist", "http://b\u{fc}cher.invalid/"),
        invalid("port-refused", "http://127.0.0.1:1/"),
        invalid("query-missing", "x?b").at("x?a", html("")),
        invalid("slash-behind-a-file", "there/"),
        invalid("path-in-capitals", "There"),
    ]
}

/// RFC 9110 §15.4 and §10.2.2.
#[rustfmt::skip]
fn redirects(other: &str) -> Vec<Kind> {
    let moved = |name, location: &str| fine(name, "<a href=moved>x</a>").leads(location);
    let lost = |name, location: &str| broken(name, "<a href=moved>x</a>").leads(location);
    let status = |status: &str| answer(status, "Location: there\r\n", b"");
    let chain = |kind: Kind, steps: &[&'static str], end: &str| {
        let ends = steps[1..].iter().copied().chain([end]);
        steps.iter().zip(ends).fold(kind, |kind, (from, to)| kind.at(from, redirect(to)))
    };
    const STEPS: [&str; 16] = ["x", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"];
    let cookie = answer("302 Found", "Location: moved\r\nSet-Cookie: seen=1\r\n", b"");
    vec![
        moved("redirect", "there"),
        moved("redirect-with-letters", "\u{fc}").at("%C3%BC", html("")),
        moved("redirect-with-a-blank", "a b").at("a%20b", html("")),
        moved("redirect-with-dots", "../redirect-with-dots/./there"),
        moved("redirect-with-a-fragment", "there#here"),
        moved("redirect-to-a-query", "?a=b").at("moved?a=b", html("")),
        moved("redirect-to-another-site", &format!("http://{other}/redirect-to-another-site/there")),
        moved("redirect-without-a-scheme", &format!("//{other}/redirect-without-a-scheme/there")),
        fine("redirect-of-a-fragment", "<a href=moved#here>x</a>").leads("there"),
        link("redirect-301").at("x", status("301 Moved Permanently")),
        link("redirect-303").at("x", status("303 See Other")),
        link("redirect-307").at("x", status("307 Temporary Redirect")),
        link("redirect-308").at("x", status("308 Permanent Redirect")),
        chain(link("redirect-nine-times"), &STEPS[..9], "there"),
        // Cookies are not kept, so our crawlers report a loop. This server does not look at the
        // cookie: it serves the page at the second request.
        Kind { is_named: true, ..link("redirect-that-needs-a-cookie") }.acts("x", vec![vec![Act::Send(answer("302 Found", "Location: x\r\nSet-Cookie: seen=1\r\n", b""))], vec![Act::Send(html(""))]]),
        broken("redirect-to-itself-with-a-cookie", "<a href=moved>x</a>").at("moved", cookie),
        lost("redirect-to-what-is-gone", "gone"),
        lost("redirect-to-what-is-gone-elsewhere", &format!("http://{other}/redirect-to-what-is-gone-elsewhere/gone")),
        lost("redirect-to-itself", "moved"),
        lost("redirect-in-a-circle", "x").at("x", redirect("moved")),
        lost("redirect-to-a-script", "javascript:history.back()"),
        lost("redirect-to-nothing", ""),
        lost("redirect-to-a-port-too-large", "http://127.0.0.1:70000/"),
        lost("redirect-to-a-missing-id", "there#gone"),
        broken("redirect-of-a-missing-id", "<a href=moved#gone>x</a>").leads("there"),
        dead("redirect-without-a-target").at("x", answer("302 Found", "", b"")),
        dead("redirect-to-mail").at("x", redirect("mailto:a@b.example")),
    ]
}

/// What of a page is a link, and which attribute counts.
#[rustfmt::skip]
fn markup() -> Vec<Kind> {
    vec![
        fine("in-a-script", "<script>'<a href=gone>x</a>'</script>"),
        fine("in-a-title", "<title><a href=gone>x</a></title>"),
        fine("in-a-textarea", "<textarea><a href=gone>x</a></textarea>"),
        fine("in-a-style", "<style>/* <a href=gone>x</a> */</style>"),
        fine("in-a-comment", "<!-- <a href=gone>x</a> -->"),
        fine("in-a-comment-that-ends-late", "<!-- -- > <a href=gone>x</a> --!>"),
        fine("in-an-attribute", "<p title='<a href=gone>x</a>'>x</p>"),
        fine("in-plain-text", "See http://127.0.0.1:1/gone or href=gone"),
        fine("data", "<a href='data:text/html,<a href=gone>'>x</a><img src=data:,x>"),
        fine("mail-and-telephone", "<a href='mailto:?subject=x y'>x</a><a href='tel:+1 2'>x</a>"),
        fine("script-as-a-link", "<a href='javascript:void(0)'>x</a><a href='JavaScript:x'>x</a>"),
        fine("other-schemes", "<a href=about:blank>x</a><a href='web+x:y'>x</a>"),
        fine("link-without-a-target", "<a name=x>x</a><a>x</a><a href>x</a>"),
        fine("link-in-quotes", "<a href='there'>x</a><a href=\"there\">x</a><a href = there >x</a>"),
        fine("first-of-two-targets", "<a href=there href=gone>x</a>"),
        fine("form-to-post", "<form method=post action=x></form>").at("x", answer("405 Method Not Allowed", "", b"")),
        fine("link-of-drawings-outside", "<a xlink:href=gone>x</a>"),
        fine("new-link-of-drawings", "<svg><a xlink:href=gone href=there>x</a></svg>"),
        fine("refresh", "<meta http-equiv=refresh content='9; url=there'>"),
        fine("refresh-of-its-own-page", "<meta http-equiv=refresh content=600>"),
        fine("base", "<base href=/base/x/><a href=../there>x</a>"),
        fine("base-behind", "<a href=there>x</a><base href=/base-behind/>"),
        fine("base-relative", "<base href=x/y><a href=../there>x</a>"),
        fine("base-with-a-query", "<base href='x?y/z'><a href=there>x</a>"),
        fine("base-that-is-data", "<base href='data:,x'><a href=there>x</a>"),
        fine("base-that-is-invalid", "<base href='http://['><a href=there>x</a>"),
        fine("base-twice", "<base target=_top><base href=/base-twice/x/><base href=/gone/><a href=../there>x</a>"),
        broken("link-unquoted", "<a class=x href=gone>x</a>"),
        broken("link-in-capitals", "<A HREF='gone'>x</A>"),
        broken("link-without-an-end", "<p><a href=gone>x<p>"),
        broken("second-of-two-targets", "<a href=gone href=there>x</a>"),
        broken("link-without-scripts", "<noscript><a href=gone>x</a></noscript>"),
        broken("link-behind-a-comment", "<!--><a href=gone>x</a><!-- -->"),
        broken("link-of-a-map", "<map name=x><area href=gone></map>"),
        broken("link-in-a-drawing", "<svg><a xlink:href=gone><text>x</text></a></svg>"),
        broken("link-with-nofollow", "<a rel=nofollow href=gone>x</a>"),
        broken("link-with-an-entity", "<a href='&#103;one'>x</a>"),
        broken("base-leads-away", "<base href=/base-leads-away/x/><a href=there>x</a>"),
        broken("refresh-to-what-is-gone", "<meta http-equiv=Refresh content='9;URL=\"gone\"'>"),
    ]
}

/// What a page embeds.
#[rustfmt::skip]
fn resources() -> Vec<Kind> {
    vec![
        fine("images", "<img src=there srcset='there 1x, there 2x'>"),
        fine("srcset-with-data", "<img srcset='data:,a,b 1x, there 2x'>"),
        fine("srcset-with-a-comma", "<img srcset='a,b 1x'>").at("a,b", html("")),
        fine("image-empty", "<img src=''>"),
        fine("field-with-a-source", "<input type=text src=gone>"),
        fine("link-without-a-relation", "<link href=gone>"),
        fine("shape-of-its-own-page", "<svg><g id=a /><use href=#a /></svg>"),
        fine("shape-of-a-file", "<svg><use href=x#a /></svg>").at("x", answer("200 OK", "Content-Type: image/svg+xml\r\n", b"<svg xmlns='http://www.w3.org/2000/svg'><g id='a'/></svg>")),
        broken("image", "<img src=gone>"),
        broken("image-in-a-set", "<img src=there srcset='there 1x, gone 2x'>"),
        broken("image-in-a-picture", "<picture><source srcset=gone><img src=there></picture>"),
        broken("image-of-a-button", "<input type=image src=gone>"),
        broken("image-in-a-drawing", "<svg><image href=gone /></svg>"),
        broken("image-before-a-video", "<video poster=gone src=there></video>"),
        broken("image-to-come", "<link rel=preload as=image imagesrcset='gone 1x'>"),
        broken("image-truncated", "<img src=x>").at("x", "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 9\r\n\r\nx"),
        broken("sound", "<audio><source src=gone></audio>"),
        broken("subtitles", "<video src=there><track src=gone></video>"),
        broken("script", "<script src=gone></script>"),
        broken("style-sheet", "<link rel=stylesheet href=gone>"),
        broken("icon", "<link rel='shortcut icon' href=gone>"),
        broken("canonical", "<link rel=canonical href=gone>"),
        broken("frame", "<iframe src=gone></iframe>"),
        broken("object", "<object data=gone></object><embed src=there>"),
        broken("shape-of-what-is-gone", "<svg><use xlink:href=gone#a /></svg>"),
    ]
}

/// Which bytes a link stands for.
#[rustfmt::skip]
fn charsets() -> Vec<Kind> {
    let utf16 = |text: &str| page("", &("\u{feff}".to_string() + text).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let latin1 = |body| answer("200 OK", "Content-Type: text/html; charset=ISO-8859-1\r\n", body);
    let letter = |name, page| kind(name, false, page).at("%C3%A9", html(""));
    vec![
        letter("charset-in-the-head", latin1(b"<a href=\xe9>x</a>")),
        letter("charset-in-the-page", page("", b"<meta charset=windows-1252><a href=\xe9>x</a>")),
        letter("bom-before-the-head", latin1("\u{feff}<a href=\u{e9}>x</a>".as_bytes())),
        letter("charset-unknown", answer("200 OK", "Content-Type: text/html; charset=x-none\r\n", "<a href=\u{e9}>x</a>".as_bytes())),
        letter("utf-16", utf16("<a href=\u{e9}>x</a>")),
        kind("query-in-latin1", false, latin1(b"<a href='?\xe9'>x</a>")).at("?%E9", html("")),
        kind("utf-16-to-what-is-gone", true, utf16("<a href=gone>x</a>")),
        kind("charset-that-is-wrong", true, page("", b"<meta charset=utf-8><a href=\xe9>x</a>")).at("%C3%A9", html("")),
    ]
}

/// RFC 9112 and RFC 9110 §6.
#[rustfmt::skip]
fn framing() -> Vec<Kind> {
    let ok = |lines: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n{lines}");
    let zip = "HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: 12000000\r\n\r\n";
    let cookies = format!("Set-Cookie: a={}\r\n", "x".repeat(3_000)).repeat(10);
    vec![
        link("head-that-is-folded").at("x", ok("X-A: b\r\n  c\r\nContent-Length: 1\r\n\r\nx")),
        link("head-with-lf-alone").at("x", "HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 1\n\nx"),
        link("head-without-a-reason").at("x", "HTTP/1.1 200\r\nContent-Length: 1\r\n\r\nx"),
        link("head-of-30-kilobytes").at("x", page(&cookies, b"x")),
        link("head-of-http-1.0").at("x", "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nx"),
        link("head-in-small-letters").at("x", "HTTP/1.1 200 ok\r\ncontent-type:text/html\r\ncontent-length:1\r\n\r\nx"),
        link("early-hints").at("x", "HTTP/1.1 103 Early Hints\r\nLink: <there>; rel=preload\r\n\r\n".to_string() + &ok("Content-Length: 1\r\n\r\nx")),
        link("two-equal-lengths").at("x", ok("Content-Length: 1\r\nContent-Length: 1\r\n\r\nx")),
        link("chunks-and-a-length").at("x", ok("Transfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n1\r\nx\r\n0\r\n\r\n")),
        link("chunks-with-extensions").at("x", ok("Transfer-Encoding: chunked\r\n\r\n1;a=\"b\"\r\nx\r\n0\r\nX-Sum: 1\r\n\r\n")),
        link("no-length").at("x", ok("\r\nx")),
        link("no-type").at("x", answer("200 OK", "", b"x")),
        link("type-that-is-none").at("x", answer("200 OK", "Content-Type: html\r\n", b"x")),
        link("type-twice").at("x", answer("200 OK", "Content-Type: text/html\r\nContent-Type: text/html\r\n", b"x")),
        link("gzip-that-was-not-asked-for").at("x", page("Content-Encoding: gzip\r\n", GZIP)),
        link("identity").at("x", page("Content-Encoding: identity\r\n", b"x")),
        link("archive-of-12-megabytes").at("x", [zip.as_bytes(), &vec![0; 12_000_000]].concat()),
        dead("body-truncated").at("x", ok("Content-Length: 99\r\n\r\nx")),
        dead("chunk-truncated").at("x", ok("Transfer-Encoding: chunked\r\n\r\n99\r\nx")),
        dead("chunks-without-an-end").at("x", ok("Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")),
        dead("chunk-size-that-is-none").at("x", ok("Transfer-Encoding: chunked\r\n\r\nxyz\r\n")),
        dead("two-lengths").at("x", ok("Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx")),
        dead("length-that-is-none").at("x", ok("Content-Length: 1x\r\n\r\nx")),
        dead("head-truncated").at("x", "HTTP/1.1 200 OK\r\nContent-Ty"),
        dead("empty-reply").at("x", ""),
        dead("no-http").at("x", "SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    ]
}

/// `x`, compressed.
const GZIP: &[u8] = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xab\0\0\x83\x16\xdc\x8c\x01\0\0\0";

/// RFC 9110 §15.
#[rustfmt::skip]
fn statuses() -> Vec<Kind> {
    let once = |status| Act::Send(answer(status, "Retry-After: 1\r\n", b""));
    let status = |name, status, lines: &str| dead(name).at("x", answer(status, lines, b"x"));
    vec![
        link("status-203").at("x", answer("203 Non-Authoritative Information", "Content-Type: text/html\r\n", b"x")),
        link("status-204").at("x", "HTTP/1.1 204 No Content\r\n\r\n"),
        link("status-429-once").recovers("x", once("429 Too Many Requests")),
        link("status-503-once").recovers("x", once("503 Service Unavailable")),
        link("reset-once").recovers("x", Act::Reset),
        link("robots").at("x", html("")),
        status("status-400", "400 Bad Request", ""),
        status("status-401", "401 Unauthorized", "WWW-Authenticate: Basic\r\n"),
        status("status-403", "403 Forbidden", ""),
        status("status-404", "404 Not Found", ""),
        status("status-404-with-a-page", "404 Not Found", "Content-Type: text/html\r\n"),
        status("status-410", "410 Gone", ""),
        status("status-429", "429 Too Many Requests", "Retry-After: 0\r\n"),
        status("status-451", "451 Unavailable For Legal Reasons", ""),
        status("status-500", "500 Internal Server Error", ""),
        status("status-503", "503 Service Unavailable", "Retry-After: 0\r\n"),
    ]
}

/// Links to another site, of which only the answer counts.
#[rustfmt::skip]
fn foreign(other: &str) -> Vec<Kind> {
    let at = |name: &str, path: &str| format!("<a href=http://{other}/{name}/{path}>x</a>");
    let works = |name| fine(name, at(name, "x"));
    let lost = |name| broken(name, at(name, "x"));
    let refuses = |status| vec![Act::Send(answer(status, "", b""))];
    vec![
        works("elsewhere").away(there()),
        works("elsewhere-head-403").away_without_head(refuses("403 Forbidden")),
        works("elsewhere-head-404").away_without_head(refuses("404 Not Found")),
        works("elsewhere-head-405").away_without_head(refuses("405 Method Not Allowed")),
        works("elsewhere-head-501").away_without_head(refuses("501 Not Implemented")),
        works("elsewhere-head-closes").away_without_head(Vec::new()),
        works("elsewhere-redirect").away(redirect("there")),
        fine("elsewhere-id", at("elsewhere-id", "there#here")),
        fine("elsewhere-userinfo", format!("<a href=http://me@{other}/elsewhere-userinfo/there>x</a>")),
        fine("elsewhere-image", format!("<img src=http://{other}/elsewhere-image/there>")),
        fine("elsewhere-to-connect", format!("<link rel=preconnect href=//{other}/><link rel=dns-prefetch href=//{other}/>")),
        lost("elsewhere-404"),
        lost("elsewhere-500").away(answer("500 Internal Server Error", "", b"")),
        lost("elsewhere-redirect-to-what-is-gone").away(redirect("gone")),
        lost("elsewhere-redirect-to-itself").away(redirect("x")),
        lost("elsewhere-empty-reply").away(""),
        broken("elsewhere-image-gone", format!("<img src=http://{other}/elsewhere-image-gone/x>")),
    ]
}

/// What our crawlers leave out on purpose.
#[rustfmt::skip]
fn unsearched(other: &str) -> Vec<Kind> {
    let dead = "<a href=gone>x</a>";
    let css = answer("200 OK", "Content-Type: text/css\r\n", b"a { background: url(gone) }");
    let rss = "<rss version='2.0'><channel><title>x</title><item><link>gone</link></item></channel></rss>";
    vec![
        left_out("unsearched-style-sheet", "<link rel=stylesheet href=x>").at("x", css),
        left_out("unsearched-style", "<p style='background: url(gone)'>x</p>"),
        left_out("unsearched-page-in-a-frame", "<iframe src=x></iframe>").at("x", html(dead)),
        left_out("unsearched-page-in-an-attribute", "<iframe srcdoc='<a href=gone>x</a>'></iframe>"),
        left_out("unsearched-page-without-a-type", "<a href=x>x</a>").at("x", answer("200 OK", "", dead.as_bytes())),
        left_out("unsearched-feed", "<a href=x>x</a>").at("x", answer("200 OK", "Content-Type: application/rss+xml\r\n", rss.as_bytes())),
        left_out("unsearched-form", "<form action=gone></form>"),
        left_out("unsearched-quotation", "<blockquote cite=gone>x</blockquote>"),
        left_out("unsearched-id-elsewhere", format!("<a href=http://{other}/unsearched-id-elsewhere/there#gone>x</a>")),
    ]
}
