//! Reads the roots from the arguments and from standard input. Roots are URLs, or
//! paths in the served folder.

use crate::page::url::{normalise_root, parse_root};
use std::fs;
use std::io::Read;
use std::path::Path;
use url::{Position, Url};

/// The argument that is replaced by the lines of standard input.
const STANDARD_INPUT: &str = "-";
/// The largest standard input, in bytes.
pub(super) const MAX_INPUT: u64 = 64 << 20;
/// The longest base path, in bytes.
const MAX_BASE_PATH: usize = 1024;
/// To how many characters a bad root is cut in an error message.
const MAX_SHOWN: usize = 200;

/// A root as text, not parsed yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RootText {
    text: String,
    /// Its line number in standard input, from 1; `None` for an argument.
    line: Option<usize>,
}

impl RootText {
    /// Returns an error message. It does not repeat a user or password in the root.
    fn error(&self, why: &str) -> String {
        let mut text = without_credentials(&self.text);
        if let Some((end, _)) = text.char_indices().nth(MAX_SHOWN) {
            text.truncate(end);
            text.push('…');
        }
        let place = self.line.map(|line| format!(" in line {line} of standard input"));
        format!("bad ROOT '{text}'{}: {why}", place.unwrap_or_default())
    }
}

/// Returns the roots in their order. `-` is replaced by the lines of `input`. Blank
/// lines and lines that begin with `#` are skipped.
///
/// # Errors
/// An argument is an option, `-` occurs twice, or `input` has no roots, is too long, or
/// cannot be read as text.
pub(super) fn root_texts(
    arguments: &[String],
    input: impl Read,
) -> Result<Vec<RootText>, String> {
    let (mut roots, mut input) = (Vec::new(), Some(input));
    for text in arguments {
        if text != STANDARD_INPUT {
            let root = RootText { text: text.clone(), line: None };
            // An option that came after `--`: no host begins with a hyphen.
            if text.starts_with('-') {
                return Err(root.error("options must come before `--`"));
            }
            roots.push(root);
            continue;
        }
        let input = input.take().ok_or("- is given twice as ROOT")?;
        roots.extend(lines(input)?);
    }
    Ok(roots)
}

fn lines(input: impl Read) -> Result<Vec<RootText>, String> {
    let mut bytes = Vec::new();
    let read = input.take(MAX_INPUT + 1).read_to_end(&mut bytes);
    read.map_err(|_| "cannot read ROOTs from standard input")?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(format!("standard input is longer than {MAX_INPUT} bytes"));
    }
    let mut roots = Vec::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let number = index + 1;
        let text = str::from_utf8(line)
            .map_err(|_| format!("line {number} of standard input is not UTF-8"))?;
        // Some editors begin a file with a byte order mark.
        let text = if index == 0 { text.trim_start_matches('\u{feff}') } else { text };
        let text = text.trim();
        if !text.is_empty() && !text.starts_with('#') {
            roots.push(RootText { text: text.to_string(), line: Some(number) });
        }
    }
    if roots.is_empty() {
        return Err("there is no ROOT in standard input".to_string());
    }
    Ok(roots)
}

/// Parses the roots as URLs.
pub(super) fn as_urls(given: &[RootText]) -> Result<Vec<Url>, String> {
    let parse = |root: &RootText| {
        let local = local_path(&root.text);
        let parsed = local.map_or_else(|| parse_root(&root.text), Err);
        parsed.map_err(|why| root.error(&why))
    };
    given.iter().map(parse).collect()
}

/// Parses a base path, and returns it with a slash at both ends. In `text` the slashes may
/// be missing, because some shells on Windows replace an argument that begins with a
/// slash. An empty path becomes `/`: GitHub's workflows pass it for a site at the root of
/// its host.
pub(super) fn base_path(text: &str) -> Result<String, String> {
    let names = text.strip_prefix('/').unwrap_or(text);
    let names = names.strip_suffix('/').unwrap_or(names);
    let path = if names.is_empty() { "/" } else { &format!("/{names}/") };
    let slashes = |path: &str| path.matches('/').count();
    let is_plain = |url: &Url| {
        let is_odd = |it: char| it == '\\' || it.is_control();
        !text.contains(is_odd)
            && text.trim() == text
            && text.len() <= MAX_BASE_PATH
            && !url.path().contains("//")
            && slashes(url.as_str()) == slashes("http://") + slashes(path)
            && url[Position::AfterPath..].is_empty()
    };
    let url = Url::parse(&format!("http://host{path}")).ok().filter(is_plain);
    url.map(|url| url.path().to_string()).ok_or_else(|| {
        "not a path as in /project/, without . or .., a query or a fragment".to_string()
    })
}

/// Parses the roots as paths on the site at `start`. Without roots the result is `start`.
pub(super) fn as_paths(given: &[RootText], start: &Url) -> Result<Vec<Url>, String> {
    let base = start.path();
    let parse = |root: &RootText| {
        let url = start.join(&root.text).ok().and_then(normalise_root);
        let url = url.filter(|url| url.origin() == start.origin());
        let url = url.ok_or_else(|| root.error("not a path in the folder"))?;
        let is_below =
            url.path().starts_with(base) || format!("{}/", url.path()) == base;
        let why = || root.error(&format!("not below the base path {base}"));
        is_below.then_some(url).ok_or_else(why)
    };
    let mut roots = given.iter().map(parse).collect::<Result<Vec<Url>, _>>()?;
    if roots.is_empty() {
        roots.push(start.clone());
    }
    Ok(roots)
}

/// Returns a hint if the text seems to name a local file or folder, which would be
/// read as a host name.
fn local_path(text: &str) -> Option<String> {
    let text = text.trim();
    let is_drive = matches!(text.as_bytes(),
        [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let is_file_url =
        text.get(.."file:/".len()).is_some_and(|it| it.eq_ignore_ascii_case("file:/"));
    if is_drive || is_file_url {
        return Some("a path; a folder is crawled with --serve".to_string());
    }
    if text.contains("://") || text.starts_with(['.', '/']) {
        return None; // a URL, or a path, which gets another error
    }
    let what = match fs::metadata(Path::new(text)) {
        Ok(found) if found.is_dir() => "a folder on this machine",
        Ok(_) => "a file on this machine",
        Err(_) if text.contains('\\') || is_page(text) => "the name of a file",
        Err(_) => return None,
    };
    let host = without_credentials(text);
    Some(format!("{what}; a folder is crawled with --serve, a host with http://{host}"))
}

/// Returns whether the first component ends like the name of a page. No domain ends
/// like that.
fn is_page(text: &str) -> bool {
    let name = text.split(['/', '?', '#']).next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|it| ["html", "htm", "xhtml"].contains(&it.as_str()))
}

/// Returns the text without the user and password before the host. If it is not a URL,
/// these may contain any character, so everything before the last `@` is removed.
fn without_credentials(text: &str) -> String {
    let is_of_scheme =
        |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let scheme = text.split_once("://").map(|(before, _)| before);
    let scheme = scheme.filter(|before| before.bytes().all(is_of_scheme));
    let (scheme, rest) = text.split_at(scheme.map_or(0, |it| it.len() + "://".len()));
    let is_url = Url::parse(&format!("http://{rest}")).is_ok();
    let end = rest.find(['/', '?', '#']).filter(|_| is_url);
    match rest[..end.unwrap_or(rest.len())].rfind('@') {
        Some(at) => format!("{scheme}…{}", &rest[at..]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(given: &[RootText]) -> Vec<(&str, Option<usize>)> {
        given.iter().map(|root| (root.text.as_str(), root.line)).collect()
    }

    fn read(arguments: &[&str], input: &[u8]) -> Result<Vec<RootText>, String> {
        let arguments: Vec<String> =
            arguments.iter().map(|it| it.to_string()).collect();
        root_texts(&arguments, input)
    }

    #[test]
    fn lines_of_standard_input_take_the_place_of_the_dash() {
        let input = b"\xef\xbb\xbfone\r\n\n# a comment\n  two  \n\t\nthree";
        assert_eq!(
            texts(&read(&["a", "-", "b"], input).unwrap()),
            [
                ("a", None),
                ("one", Some(1)),
                ("two", Some(4)),
                ("three", Some(6)),
                ("b", None)
            ]
        );
        assert_eq!(texts(&read(&["a"], input).unwrap()), [("a", None)], "not read");
    }

    #[test]
    fn an_option_after_two_hyphens_is_no_root() {
        let why = read(&["/a", "--check"], b"").unwrap_err();
        assert_eq!(why, "bad ROOT '--check': options must come before `--`");
    }

    #[test]
    fn standard_input_that_cannot_be_used_is_an_error() {
        for (arguments, input, why) in [
            (&["-"][..], &b""[..], "there is no ROOT in standard input"),
            (&["-"], b"\n# nothing\n", "there is no ROOT in standard input"),
            (&["-"], b"a\n\xff\n", "line 2 of standard input is not UTF-8"),
            (&["-", "-"], b"a\n", "- is given twice as ROOT"),
        ] {
            assert_eq!(read(arguments, input).unwrap_err(), why);
        }
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::IsADirectory.into())
            }
        }
        let why = root_texts(&["-".to_string()], Broken).unwrap_err();
        assert_eq!(why, "cannot read ROOTs from standard input");
        let endless = std::io::repeat(b'x');
        let why = root_texts(&["-".to_string()], endless).unwrap_err();
        assert_eq!(why, format!("standard input is longer than {MAX_INPUT} bytes"));
    }

    #[test]
    fn an_error_names_the_line() {
        let given = read(&["-"], b"http://a.test/\n\nftp://b.test/\n").unwrap();
        let why = as_urls(&given).unwrap_err();
        let start = "bad ROOT 'ftp://b.test/' in line 3 of standard input: ftp://";
        assert!(why.starts_with(start), "{why}");
    }

    #[test]
    fn a_path_that_leaves_the_served_folder_is_an_error() {
        let start = Url::parse("http://127.0.0.1:1/").unwrap();
        for text in ["http://a.test/", "//127.0.0.1/", "mailto:x"] {
            let given = [RootText { text: text.to_string(), line: None }];
            let why = as_paths(&given, &start).expect_err(text);
            assert_eq!(why, format!("bad ROOT '{text}': not a path in the folder"));
        }
    }

    #[test]
    fn a_base_path_has_a_slash_at_both_ends_and_nothing_but_names() {
        for (text, base) in [
            ("/project/", "/project/"),
            ("/project", "/project/"),
            ("project", "/project/"),
            ("a/b", "/a/b/"),
            ("", "/"),
            ("/", "/"),
            ("/my project/", "/my%20project/"),
            ("/größe", "/gr%C3%B6%C3%9Fe/"),
            ("/a%2Fb/", "/a%2Fb/"),
            ("/.well-known/", "/.well-known/"),
        ] {
            assert_eq!(base_path(text).as_deref(), Ok(base), "{text}");
        }
        let long = "x".repeat(MAX_BASE_PATH + 1);
        for text in [
            "..",
            "/../",
            "/a/../b/",
            "/a/./b/",
            "/%2e%2E/a",
            "/a/.%2e",
            ".",
            "//host/",
            "///",
            "/a//b/",
            "http://host/a/",
            "/a?b",
            "/a/#b",
            "/a/?",
            "\\a",
            "/a\\b/",
            "/a\n/",
            "\u{1b}",
            " /a/",
            "/a/ ",
            &long,
        ] {
            let why = base_path(text).expect_err(text);
            assert!(why.starts_with("not a path as in /project/"), "{why}");
        }
    }

    #[test]
    fn roots_of_a_site_below_a_path_are_below_it_too() {
        let start = Url::parse("http://127.0.0.1:1/project/").unwrap();
        let given = |text: &str| [RootText { text: text.to_string(), line: None }];
        for (text, path) in [
            ("page.html", "/project/page.html"),
            ("/project/page.html", "/project/page.html"),
            ("/project", "/project"),
            ("sub/../#part", "/project/"),
        ] {
            let urls = as_paths(&given(text), &start).expect(text);
            assert_eq!(urls[0].path(), path);
        }
        for text in ["/", "/page.html", "../", "..", "/projects/"] {
            let why = format!("bad ROOT '{text}': not below the base path /project/");
            assert_eq!(as_paths(&given(text), &start), Err(why));
        }
        assert_eq!(as_paths(&[], &start).unwrap(), [start]);
    }

    #[test]
    fn an_error_repeats_no_password_and_no_endless_text() {
        for (text, shown) in [
            ("http://me:secret@a.test/x@y", "'http://…@a.test/x@y'"),
            ("http://me:sec@ret@a.test", "'http://…@a.test'"),
            ("me:secret@a.test", "'…@a.test'"),
            ("ftp://me:secret@a.test/x@y", "'ftp://…@a.test/x@y'"),
            ("http://a.test/?x=me@b", "'http://a.test/?x=me@b'"),
            // Unescaped, these characters end the host.
            ("http://me:s3c/ret@a.test/", "'http://…@a.test/'"),
            ("http://me:s3c?ret@a.test/", "'http://…@a.test/'"),
            ("http://me:s3c#r@t@a.test/", "'http://…@a.test/'"),
            ("http://me:s3c\\ret@a.test/", "'http://…@a.test/'"),
            ("me:s3c/ret@a.test/", "'…@a.test/'"),
            ("me:s3c://ret@a.test/", "'…@a.test/'"),
        ] {
            let given = RootText { text: text.to_string(), line: None };
            assert_eq!(given.error("why"), format!("bad ROOT {shown}: why"));
        }
        for text in ["me:s3c@a.html/", "me:s3c\\ret@a.test"] {
            let given = [RootText { text: text.to_string(), line: None }];
            let why = as_urls(&given).unwrap_err();
            assert!(!why.contains("s3c"), "{why}");
        }
        let given = RootText { text: "ä".repeat(100_000), line: None };
        assert!(given.error("why").chars().count() < 2 * MAX_SHOWN);
    }

    #[test]
    fn what_looks_like_a_file_or_folder_gets_a_hint() {
        for (text, what) in [
            ("src", "a folder on this machine"), // in the folder of the tests
            ("Cargo.toml", "a file on this machine"),
            ("index.html", "the name of a file"),
            ("INDEX.HTM", "the name of a file"),
            ("page.html#part", "the name of a file"),
            (r"docs\site", "the name of a file"),
            (r"C:\site", "a path"),
            ("c:/site", "a path"),
            ("file:///site", "a path"),
            ("FILE:/site", "a path"),
        ] {
            let given = [RootText { text: text.to_string(), line: None }];
            let why = as_urls(&given).expect_err(text);
            let host = match what {
                "a path" => String::new(),
                _ => format!(", a host with http://{text}"),
            };
            let hint = format!("{what}; a folder is crawled with --serve{host}");
            assert_eq!(why, format!("bad ROOT '{text}': {hint}"));
        }
        for text in [
            "example.com",
            "localhost:8000/index.html",
            "http://index.html/",
            "http://src",
            "html",
            "file:8080",
            "",
            "-",
        ] {
            assert_eq!(local_path(text), None, "{text}");
        }
    }
}
