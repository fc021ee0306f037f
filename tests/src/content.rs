//! What is found on a page: a table, one line each. What counts as a page at all, in
//! which charset it is read, and what counts as a link.

use crate::neighbours::{BAD, Done, Stranger, crawl_around};
use crate::scripted::{Act, answer};
use crate::{Crawl, row};
use shared::Outcome;

/// One page, and what is found on it.
pub struct Case {
    /// The rule that it is about.
    pub name: &'static str,
    headers: String,
    /// `STRANGER` stands for the address of a foreign site.
    body: Vec<u8>,
    /// The paths of this site that it leads to.
    found: Vec<&'static str>,
    /// The charset that it is read with; `None`, if it is not read.
    encoding: Option<&'static str>,
}

impl Case {
    /// Crawls a site with this page on it, and panics if anything else is found.
    pub fn check(&self, crawl: Crawl) {
        let stranger = Stranger::new();
        let body = match std::str::from_utf8(&self.body) {
            Ok(text) => {
                text.replace("STRANGER", &stranger.address().to_string()).into()
            }
            Err(_) => self.body.clone(),
        };
        let page = answer("200 OK", &self.headers, &body);
        let acts = vec![vec![Act::Send(page)]];
        let done = crawl_around(crawl, &stranger, acts, |_| ());
        let bad = done.bad();
        assert_eq!(bad.outcome, Outcome::Ok, "{bad:#?}");
        assert_eq!(bad.encoding.as_deref(), self.encoding);
        assert_eq!(bad.size, Some(body.len() as u64));
        assert_eq!(bad.num_new_links, self.found.len(), "{:#?}", done.report);
        self.check_found(&done);
    }

    fn check_found(&self, Done { report, server }: &Done) {
        for path in &self.found {
            let row = row(report, server, path);
            assert_eq!(row.found_on, [server.url(BAD).into()], "{path}");
            assert_eq!(server.count(path), 1, "{path} is fetched once");
        }
        let known = 5 + self.found.len();
        assert_eq!(report.rows.len(), known, "{report:#?}");
        assert_eq!(server.seen().requests.len(), known, "nothing else is asked for");
    }
}

/// The whole table.
pub fn cases() -> Vec<Case> {
    let mut all = types();
    all.extend(charsets());
    all.extend(links());
    all.extend(addresses());
    all.extend(no_links());
    all
}

/// A page with these header lines.
fn page(
    name: &'static str,
    headers: &str,
    body: impl AsRef<[u8]>,
    encoding: Option<&'static str>,
    found: &[&'static str],
) -> Case {
    let headers = headers.split_terminator('|').map(|line| format!("{line}\r\n"));
    let (headers, body) = (headers.collect(), body.as_ref().to_vec());
    Case { name, headers, body, found: found.to_vec(), encoding }
}

/// A page of HTML in UTF-8, and what it leads to.
fn html(name: &'static str, body: impl AsRef<[u8]>, found: &[&'static str]) -> Case {
    page(name, "Content-Type: text/html", body, Some("utf-8"), found)
}

#[rustfmt::skip]
fn types() -> Vec<Case> {
    let searched = |name, headers| page(name, headers, "<a href=/x>", Some("utf-8"), &["/x"]);
    let ignored = |name, headers| page(name, headers, "<a href=/x>", None, &[]);
    vec![
        searched("html", "Content-Type: text/html"),
        searched("html in capitals", "CONTENT-TYPE: TEXT/HTML"),
        searched("html with parameters", "Content-Type: text/html;level=1; q=\"a;b\""),
        searched("html with blanks around", "Content-Type:   text/html  ;  x=y"),
        searched("xhtml", "Content-Type: application/xhtml+xml"),
        searched("xml", "Content-Type: application/xml"),
        searched("identity is no coding", "Content-Type: text/html|Content-Encoding: identity"),
        ignored("no type", ""),
        ignored("an empty type", "Content-Type:"),
        ignored("a type that is no type", "Content-Type: html"),
        ignored("plain text", "Content-Type: text/plain"),
        ignored("xml of another kind", "Content-Type: text/xml"),
        ignored("a picture with links", "Content-Type: image/svg+xml"),
        ignored("a type that begins like html", "Content-Type: text/html5"),
        ignored("a script", "Content-Type: text/javascript"),
        ignored("a page in gzip", "Content-Type: text/html|Content-Encoding: gzip"),
        ignored("a page in two codings", "Content-Type: text/html|Content-Encoding: identity, br"),
        ignored("a page in an unknown coding", "Content-Type: text/html|Content-Encoding: x"),
    ]
}

#[rustfmt::skip]
fn charsets() -> Vec<Case> {
    let latin = b"<a href=/\xe9>";
    let utf16: Vec<u8> = "\u{feff}<a href=/x>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_bom = [b"\xef\xbb\xbf<meta charset=koi8-r>".to_vec(), "<a href=/é>".into()].concat();
    let with_meta = |charset: &str| [format!("<meta charset={charset}>").as_bytes(), latin].concat();
    let e = &["/%C3%A9"];
    vec![
        page("utf-8 if nothing else is said", "Content-Type: text/html", "<a href=/é>", Some("utf-8"), e),
        page("the header says", "Content-Type: text/html; charset=iso-8859-1", latin, Some("windows-1252"), e),
        page("the header says in capitals and quotes", "Content-Type: text/html; CHARSET=\"ISO-8859-1\"", latin, Some("windows-1252"), e),
        page("the page says", "Content-Type: text/html", with_meta("latin1"), Some("windows-1252"), e),
        page("the header counts more than the page", "Content-Type: text/html; charset=latin1", with_meta("koi8-r"), Some("windows-1252"), e),
        page("the first bytes count more than the header", "Content-Type: text/html; charset=koi8-r", &with_bom, Some("utf-8"), e),
        page("utf-16 by its first bytes", "Content-Type: text/html", &utf16, Some("utf-16le"), &["/x"]),
        page("cyrillic", "Content-Type: text/html; charset=windows-1251", b"<a href=/\xff>", Some("windows-1251"), &["/%D1%8F"]),
        page("japanese", "Content-Type: text/html; charset=shift_jis", b"<a href=/\x82\xa0>", Some("shift_jis"), &["/%E3%81%82"]),
        page("a query in the page's charset, and a path in UTF-8", "Content-Type: text/html; charset=latin1", b"<a href=/\xe9?x=\xe9>", Some("windows-1252"), &["/%C3%A9?x=%E9"]),
        page("a japanese query", "Content-Type: text/html; charset=shift_jis", b"<a href=?x=\x93\xfa>", Some("shift_jis"), &["/bad?x=%93%FA"]),
        page("a query below a base", "Content-Type: text/html; charset=koi8-r", b"<base href=/y/?\xc1><a href=?\xc1><a href=x>", Some("koi8-r"), &["/y/?%C1", "/y/x"]),
        page("a query on a page in utf-16 is UTF-8", "Content-Type: text/html", "\u{feff}<a href=?\u{e9}>".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(), Some("utf-16le"), &["/bad?%C3%A9"]),
        page("an unknown charset", "Content-Type: text/html; charset=x-none", "<a href=/x>", Some("utf-8"), &["/x"]),
        page("a wrong charset", "Content-Type: text/html; charset=utf-8", latin, Some("utf-8"), &["/%EF%BF%BD"]),
        page("a charset without a name", "Content-Type: text/html; charset=", "<a href=/x>", Some("utf-8"), &["/x"]),
        page("a page that is half a character", "Content-Type: text/html; charset=utf-8", b"<a href=/x>\xe2\x82", Some("utf-8"), &["/x"]),
    ]
}

#[rustfmt::skip]
fn links() -> Vec<Case> {
    vec![
        html("a refresh", "<meta http-equiv=Refresh content='5; url=/x'>", &["/x"]),
        html("a refresh in quotes", "<meta http-equiv=refresh content='0,URL = \"/x\" /y'>", &["/x"]),
        html("a refresh below a base", "<base href=/b/><meta http-equiv=refresh content='0;url=x'>", &["/b/x"]),
        html("a refresh of this page", "<meta http-equiv=refresh content=5><meta http-equiv=refresh content='5;'>", &[]),
        html("what is no refresh", "<meta http-equiv=refreshed content='5;url=/x'><meta name=refresh content='5;url=/x'><meta http-equiv=refresh content='x;url=/x'>", &[]),
        html("links in a drawing", "<svg><a xlink:href=/x></a><a xlink:href=/no href=/y></a></svg>", &["/x", "/y"]),
        html("a link of drawings outside of one", "<a xlink:href=/no><svg><foreignObject><a xlink:href=/no>", &[]),
        html("without scripts", "<noscript><a href=/x></noscript>", &["/x"]),
        html("a refresh without scripts", "<head><noscript><meta http-equiv=refresh content='0;url=/x'></noscript>", &["/x"]),
        html("an area", "<map><area href=/x></map>", &["/x"]),
        html("capitals", "<A HREF=/x>", &["/x"]),
        html("quotes of each kind", "<a href='/x'><a href=\"/y\"><a href=/z>", &["/x", "/y", "/z"]),
        html("a target without quotes ends at a blank", "<a href=/x class=y>", &["/x"]),
        html("the first of two targets counts", "<a href=/x href=/y>", &["/x"]),
        html("a tag without its end", "<p><a href=/x", &[]),
        html("an end that is missing", "<a href=/x><a href=/y>", &["/x", "/y"]),
        html("entities", "<a href='/&#120;'><a href='/?a&amp;b&#x3d;c'>", &["/x", "/?a&b=c"]),
        html("an entity without its end, before a letter", "<a href='/?a=1&copy=2'>", &["/?a=1&copy=2"]),
        html("blanks and line ends", "<a href=' \n/x\t '><a href='/y\n\tz'>", &["/x", "/yz"]),
        html("a base", "<base href=/b/c><a href=x>", &["/b/x"]),
        html("the first base counts", "<base href=/b/><base href=/c/><a href=x>", &["/b/x"]),
        html("a base behind the links", "<a href=x><base href=/b/>", &["/b/x"]),
        html("a base that is no place", "<base href=data:,x><a href=/x>", &["/x"]),
        html("a base elsewhere", "<base href=http://STRANGER/><a href=x><a href=/y>", &[]),
        html("a page that is deep", "<div>".repeat(100_000) + "<a href=/x>", &["/x"]),
        html("a page that is wrongly nested", "<b><i>".repeat(20_000) + "</b><a href=/x>", &["/x"]),
        html("a page of brackets", "<".repeat(1_000_000) + "<a href=/x>", &["/x"]),
        html("a page with an endless tag", format!("<a href=/x><p {}", "x ".repeat(200_000)), &["/x"]),
        html("a page with an endless value", format!("<a href=/x><p x='{}", "x".repeat(2_000_000)), &["/x"]),
        html("a page with NULs", "\0<a href=/x\0y>\0", &["/x%EF%BF%BDy"]),
        html("a doctype, and what is in front of it", "?><!doctype html><a href=/x>", &["/x"]),
        html("links that are many", (0..5_000).map(|_| "<a href=/x>").collect::<String>(), &["/x"]),
    ]
}

#[rustfmt::skip]
fn addresses() -> Vec<Case> {
    vec![
        html("a path from here", "<a href=x><a href=./y><a href=../z>", &["/x", "/y", "/z"]),
        html("dots that climb too far", "<a href=/../../../x>", &["/x"]),
        html("dots that are encoded", "<a href=/a/%2e%2e/x>", &["/x"]),
        html("backslashes", "<a href='\\x'>", &["/x"]),
        html("a query alone", "<a href='?x=1'>", &["/bad?x=1"]),
        html("a fragment alone", "<a href='#x'>", &[]),
        html("fragments of one page", "<a href='/x#a'><a href='/x#b'>", &["/x"]),
        html("a slash at the end is another page", "<a href=/x><a href=/x/>", &["/x", "/x/"]),
        html("what is encoded stays so", "<a href='/%41'><a href='/a b'>", &["/%41", "/a%20b"]),
        html("letters of all languages", "<a href='/ü?ü'>", &["/%C3%BC?%C3%BC"]),
        html("an empty target is this page", "<a href=''>", &[]),
    ]
}

#[rustfmt::skip]
fn no_links() -> Vec<Case> {
    let none = |name, body| html(name, body, &[]);
    vec![
        none("a comment", "<!-- <a href=/x> -->"),
        none("links in a script", "<script>'<a href=/x>'</script>"),
        none("a style", "<style><a href=/x></style>"),
        none("a title", "<title><a href=/x></title>"),
        none("a field of text", "<textarea><a href=/x></textarea>"),
        none("a style sheet", "<link rel=stylesheet href=/x>"),
        none("a picture and a frame", "<img src=/x><iframe src=/y></iframe>"),
        none("a form", "<form action=/x></form>"),
        none("text", "http://127.0.0.1/x /x href=/x"),
        none("an anchor without a target", "<a name=/x><a><a href>"),
        none("a value that looks like a tag", "<p title='<a href=/x>'>"),
        none("schemes that are not ours", "<a href='javascript:x'><a href='mailto:a@b.example'><a href='data:,x'><a href='tel:1'><a href='ftp://x.invalid/'><a href='file:///x'><a href='about:blank'>"),
        none("other sites", "<a href='http://STRANGER/x'><a href='//STRANGER/x'><a href='http://x.invalid/'><a href='https://STRANGER/'>"),
        none("other sites, disguised", "<a href='http:\\\\STRANGER\\x'><a href='//127.0.0.1@STRANGER/'><a href='http://user:secret@STRANGER/'>"),
    ]
}
