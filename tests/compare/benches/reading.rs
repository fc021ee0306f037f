//! How fast pages and answers are read, in MB/s: ours beside the libraries that do a part
//! of it, or the same in another way.
//!
//! `cargo measure reading [--quick] [--json]`
//! They take turns, round by round; the medians are printed.

mod pages;

use compare::{machine::Machine, results::Spread};
use html5ever::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use lol_html::{HtmlRewriter, Settings, element};
use page_tree::links_by_tree;
use regex::Regex;
use shared::ResponseParser;
use shared::page::links::links;
use std::cell::Cell;
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;
use url::Url;

/// Bytes that one sample reads, about: some tens of milliseconds.
const SAMPLE: usize = 4 << 20;

/// Bytes of a body that are accepted, and that a socket gives at a time.
const MAX_BODY: u64 = 10 << 20;
const READ: usize = 16 << 10;

/// A way to read. It returns how much it has found, so that none is measured that has
/// read nothing.
type Reader = (&'static str, fn(&[u8]) -> usize);

const OF_PAGES: [Reader; 5] = [
    ("ours", |page| links(text(page), &base()).len()),
    ("ours, by tree (scraper)", |page| links_by_tree(text(page), &base()).len()),
    ("lol_html alone", by_lol_html),
    ("html5ever's tokenizer alone", by_tokens),
    ("by a pattern, wrongly", by_pattern),
];

const OF_ANSWERS: [Reader; 2] =
    [("ours", by_our_parser), ("httparse, body copied", by_httparse)];

fn main() {
    let has_flag = |flag| std::env::args().any(|argument| argument == flag);
    let (rounds, sample) =
        if has_flag("--quick") { (5, SAMPLE / 8) } else { (31, SAMPLE) };
    let is_json = has_flag("--json");
    if !is_json {
        println!("{}; medians of {rounds} rounds, MB/s (× the first)", Machine::this());
    }
    let pages = [
        ("page of prose, 43 kB", pages::prose(64)),
        ("page of sections, 65 links, 33 kB", pages::sections(64)),
        ("page of 1,000 links, 50 kB", pages::list(1_000)),
    ];
    for (name, page) in &pages {
        let found = links(page, &base());
        assert_eq!(found, links_by_tree(page, &base()), "{name}");
    }
    let pages = pages.map(|(name, page)| (name, page.into_bytes()));
    let answers = [
        ("answer of 1 kB, with a length", pages::with_length(1_000)),
        ("answer of 40 kB, with a length", pages::with_length(40_000)),
        ("answer of 40 kB, in chunks of 4 kB", pages::in_chunks(40_000, 4_000)),
    ];
    report("links", &OF_PAGES, &pages, rounds, sample, is_json);
    report("answers", &OF_ANSWERS, &answers[..2], rounds, sample, is_json);
    report("chunks", &OF_ANSWERS[..1], &answers[2..], rounds, sample, is_json);
}

/// A table: a line for each text, a column for each reader.
fn report(
    what: &str,
    readers: &[Reader],
    texts: &[(&str, Vec<u8>)],
    rounds: usize,
    sample: usize,
    is_json: bool,
) {
    let names: Vec<_> = readers.iter().map(|(name, _)| *name).collect();
    if !is_json {
        println!(
            "\n| {what} | {} |\n|---|{}",
            names.join(" | "),
            "---:|".repeat(names.len())
        );
    }
    for (name, text) in texts {
        let speeds = measure(readers, text, rounds, sample);
        if !is_json {
            let cell =
                |speed: &f64| format!(" {speed:.0} ({:.2}×) |", speed / speeds[0]);
            println!("| {name} |{}", speeds.iter().map(cell).collect::<String>());
            continue;
        }
        for (reader, speed) in names.iter().zip(speeds) {
            let line =
                serde_json::json!({ "case": name, "reader": reader, "MB/s": speed });
            println!("{line}");
        }
    }
}

/// The median speed of each reader. The first round warms up.
fn measure(readers: &[Reader], text: &[u8], rounds: usize, sample: usize) -> Vec<f64> {
    let times = (sample / text.len()).max(1);
    let mut samples = vec![Vec::new(); readers.len()];
    for round in 0..=rounds {
        for turn in 0..readers.len() {
            let reader = (round + turn) % readers.len();
            let began = Instant::now();
            for _ in 0..times {
                assert!(black_box(readers[reader].1(black_box(text))) > 0);
            }
            let speed =
                (times * text.len()) as f64 / began.elapsed().as_secs_f64() / 1e6;
            samples[reader].extend((round > 0).then_some(speed));
        }
    }
    let median = |samples| Spread::of(samples).expect("there are rounds").median;
    samples.into_iter().map(median).collect()
}

fn text(page: &[u8]) -> &str {
    std::str::from_utf8(page).expect("we wrote it")
}

fn base() -> Url {
    Url::parse("http://127.0.0.1:8000/many/17").expect("a good URL")
}

/// Counts the values of `href`, and makes no URLs of them.
fn by_lol_html(page: &[u8]) -> usize {
    let mut count = 0;
    let settings = Settings::new().append_element_content_handler(element!(
        "a[href], area[href]",
        |element| {
            count += usize::from(element.get_attribute("href").is_some());
            Ok(())
        }
    ));
    let mut reader = HtmlRewriter::new(settings, |_: &[u8]| ());
    reader.write(page).and_then(|()| reader.end()).expect("a page that can be read");
    count
}

/// The same.
fn by_tokens(page: &[u8]) -> usize {
    let input = BufferQueue::default();
    input.push_back(text(page).into());
    let reader = Tokenizer::new(Hrefs::default(), TokenizerOpts::default());
    while !input.is_empty() {
        // It stops after each script, and nothing runs them here.
        let _ = reader.feed(&input);
    }
    reader.end();
    reader.sink.0.get()
}

#[derive(Default)]
struct Hrefs(Cell<usize>);

impl TokenSink for Hrefs {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token
            && matches!(&*tag.name, "a" | "area")
            && tag.attrs.iter().any(|it| &*it.name.local == "href")
        {
            self.0.set(self.0.get() + 1);
        }
        TokenSinkResult::Continue
    }
}

/// Finds links as many crawlers do, and wrong ones: see the step `ch27_links_by_pattern`.
fn by_pattern(page: &[u8]) -> usize {
    static HREF: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"href="([^"]*)""#).expect("it is constant"));
    let base = base();
    let hrefs = HREF.captures_iter(text(page));
    let mut found: Vec<Url> = hrefs.filter_map(|it| base.join(&it[1]).ok()).collect();
    found.sort_unstable();
    found.dedup();
    found.len()
}

/// The answer comes as a socket would give it.
fn by_our_parser(answer: &[u8]) -> usize {
    let mut parser = ResponseParser::with_limit(MAX_BODY);
    for chunk in answer.chunks(READ) {
        if let Some(response) = parser.feed(chunk).expect("a good answer") {
            return response.body.len();
        }
    }
    panic!("the answer is whole")
}

/// The whole answer is there at once, and how long it claims to be is not checked.
fn by_httparse(answer: &[u8]) -> usize {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Response::new(&mut fields);
    match head.parse(answer) {
        Ok(httparse::Status::Complete(length)) => {
            black_box(answer[length..].to_vec()).len()
        }
        other => panic!("the head is whole: {other:?}"),
    }
}
