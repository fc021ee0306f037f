//! Valid answers of many kinds, and what is true of each by the way it was made.

use proptest::prelude::*;
use shared::Outcome;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A valid answer.
#[derive(Clone, Debug)]
pub(crate) struct Valid {
    kind: Kind,
    framing: Framing,
    is_old: bool,
    interim: usize,
    fields: Vec<&'static str>,
}

#[derive(Clone, Debug)]
enum Kind {
    Page { links: Vec<(Form, usize)>, padding: usize, charset: &'static str },
    Moved { status: u16, to: usize },
    Bodiless { status: u16 },
    Error { status: u16 },
}

/// How a link is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Quoted,
    Bare,
    Area,
    Escaped,
    Fragment,
    Foreign,
    Mail,
}

/// How the end of the body is found.
#[derive(Clone, Copy, Debug)]
enum Framing {
    Length,
    Chunks(usize),
    UntilClose,
}

/// What a crawler has to tell of a valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) outcome: Outcome,
    pub(crate) status: u16,
    pub(crate) size: Option<u64>,
    pub(crate) num_links: usize,
}

const FIELDS: [&str; 7] = [
    "Server: one/1.0",
    "Date: Sun, 06 Nov 1994 08:49:37 GMT",
    "Vary: Accept, User-Agent",
    "Set-Cookie: a=b; Path=/",
    "X-Empty:",
    "X-Folded: one\r\n two",
    "Connection: close",
];
const CHARSETS: [&str; 6] = [
    "",
    "; charset=utf-8",
    "; charset=ISO-8859-1",
    ";charset=\"windows-1251\"",
    "; charset=shift_jis",
    "; charset=none-such",
];

/// Valid answers of a site with so many pages to point at.
pub(crate) fn valid(pages: usize) -> impl Strategy<Value = Valid> {
    let framing = prop_oneof![
        3 => Just(Framing::Length),
        3 => (1..2000_usize).prop_map(Framing::Chunks),
        1 => Just(Framing::UntilClose),
    ];
    let interim = prop_oneof![6 => Just(0), 1 => 1..4_usize];
    let fields = prop::sample::subsequence(FIELDS.to_vec(), 0..5);
    let is_old = prop::bool::weighted(0.1);
    (kind(pages), framing, is_old, interim, fields).prop_map(
        |(kind, framing, is_old, interim, fields)| {
            // The old version knows neither chunks nor interim answers.
            let framing = match framing {
                Framing::Chunks(_) if is_old => Framing::Length,
                framing => framing,
            };
            let interim = if is_old { 0 } else { interim };
            Valid { kind, framing, is_old, interim, fields }
        },
    )
}

fn kind(pages: usize) -> impl Strategy<Value = Kind> {
    let form = prop::sample::select(vec![
        Form::Quoted,
        Form::Bare,
        Form::Area,
        Form::Escaped,
        Form::Fragment,
        Form::Foreign,
        Form::Mail,
    ]);
    let links = prop::collection::vec((form, 0..pages), 0..6);
    let padding = prop_oneof![
        20 => 0..400_usize, 2 => 10_000..30_000_usize, 1 => 60_000..200_000_usize
    ];
    let page = (links, padding, prop::sample::select(CHARSETS.to_vec()));
    prop_oneof![
        8 => page.prop_map(|(links, padding, charset)| {
            Kind::Page { links, padding, charset }
        }),
        2 => (prop::sample::select(vec![301, 302, 303, 307, 308]), 0..pages)
            .prop_map(|(status, to)| Kind::Moved { status, to }),
        1 => prop::sample::select(vec![204, 304])
            .prop_map(|status| Kind::Bodiless { status }),
        1 => prop::sample::select(vec![400, 403, 404, 410, 500, 501])
            .prop_map(|status| Kind::Error { status }),
    ]
}

impl Valid {
    /// All its bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut head = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
            .repeat(self.interim);
        let version = if self.is_old { "1.0" } else { "1.1" };
        let status = self.status();
        write!(head, "HTTP/{version} {status} Reason\r\n").expect("a String");
        match &self.kind {
            Kind::Page { charset, .. } => {
                write!(head, "Content-Type: text/html{charset}\r\n").expect("a String");
            }
            Kind::Moved { to, .. } => {
                write!(head, "Location: /page/{to}\r\n").expect("a String");
            }
            Kind::Bodiless { .. } | Kind::Error { .. } => {}
        }
        for field in &self.fields {
            write!(head, "{field}\r\n").expect("a String");
        }
        let body = self.body();
        if matches!(self.kind, Kind::Bodiless { .. }) {
            return [head.as_bytes(), b"\r\n"].concat();
        }
        match self.framing {
            Framing::Length => {
                write!(head, "Content-Length: {}\r\n\r\n", body.len())
                    .expect("a String");
                [head.as_bytes(), &body].concat()
            }
            Framing::UntilClose => [head.as_bytes(), b"\r\n", &body].concat(),
            Framing::Chunks(size) => {
                head.push_str("Transfer-Encoding: chunked\r\n\r\n");
                [head.into_bytes(), in_chunks(&body, size)].concat()
            }
        }
    }

    /// What it is, by the way it was made.
    pub(crate) fn truth(&self) -> Truth {
        let size = self.body().len() as u64;
        let (outcome, size, num_links) = match &self.kind {
            Kind::Page { links, .. } => (Outcome::Ok, Some(size), count(links)),
            Kind::Moved { .. } => (Outcome::Redirect, None, 0),
            Kind::Bodiless { status: 204 } => (Outcome::Ok, Some(0), 0),
            Kind::Bodiless { .. } => (Outcome::HttpError, Some(0), 0),
            Kind::Error { .. } => (Outcome::HttpError, Some(size), 0),
        };
        Truth { outcome, status: self.status(), size, num_links }
    }

    fn status(&self) -> u16 {
        match self.kind {
            Kind::Page { .. } => 200,
            Kind::Moved { status, .. }
            | Kind::Bodiless { status }
            | Kind::Error { status } => status,
        }
    }

    fn body(&self) -> Vec<u8> {
        match &self.kind {
            Kind::Page { links, padding, .. } => page(links, *padding),
            Kind::Moved { .. } => b"<a href=/not-followed>moved</a>".to_vec(),
            Kind::Bodiless { .. } => Vec::new(),
            Kind::Error { .. } => b"<a href=/not-followed>an error</a>".to_vec(),
        }
    }
}

fn page(links: &[(Form, usize)], padding: usize) -> Vec<u8> {
    let mut page =
        "<!doctype html><title>\u{e9}</title><!-- <a href=/no> -->".to_string();
    page.push_str(&"words ".repeat(padding / 6));
    page.push_str("<a href='?only'>only here</a>");
    for (form, to) in links {
        let link = match form {
            Form::Quoted => format!("<a href=\"/page/{to}\">x</a>"),
            Form::Bare => format!("<A HREF=/page/{to}>x</A>"),
            Form::Area => format!("<map><area href='./{to}'></map>"),
            Form::Escaped => format!("<a class=x href='&#47;page&sol;{to}'>x"),
            Form::Fragment => format!("<a\nhref = '/page/{to}#there'>x</a\n>"),
            Form::Foreign => format!("<a href=http://foreign.invalid/{to}>x</a>"),
            Form::Mail => "<a href=mailto:a@b.example>x</a>".to_string(),
        };
        page.push_str(&link);
    }
    page.into_bytes()
}

/// Links, each URL once.
fn count(links: &[(Form, usize)]) -> usize {
    let is_link = |link: &&(Form, usize)| !matches!(link.0, Form::Mail);
    let links = links.iter().filter(is_link);
    let urls: BTreeSet<_> =
        links.map(|(form, to)| (matches!(form, Form::Foreign), to)).collect();
    urls.len() + 1 // the one that stands in every page
}

fn in_chunks(body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, chunk) in body.chunks(size).enumerate() {
        let extension = if number % 3 == 1 { ";name=value" } else { "" };
        let line = format!("{:x}{extension}\r\n", chunk.len());
        bytes.extend([line.as_bytes(), chunk, b"\r\n"].concat());
    }
    bytes.extend_from_slice(b"0\r\nX-Trailer: x\r\n\r\n");
    bytes
}
