//! The programs that run in the pages are committed, and may be older than the code. Their
//! record has a digest of what was stored for each step when they were built, and for each
//! crawl with a stored trace. If something else is stored now, the pages say so.

use crate::read::place::Place;
use std::collections::BTreeMap;
use std::fs;

/// The record, below `theme`. A row has the name of a step, its program, how its output
/// compares with the stored one, and the digest of that. Or it has the name of a trace, and
/// `crawl`.
const RECORD: &str = "player/programs.txt";
const CRAWL: &str = "crawl";

/// What pages that let the reader run the crawlers have.
const CRAWLING: [&str; 2] = ["<div class=\"run-all\"", "<div class=\"system-board\""];

/// What such a page says above them.
const OLDER: &str = "<p>The programs of this page were built from an earlier version of the \
                     code, so what happens here may differ from what the book shows.</p>\n";

pattern!(START, r#"^\{"step":\d+,"us":\d+,"#);
pattern!(LINE, r#","line":"(?:[^"\\]|\\.)*""#);
pattern!(PORT, r"127\.0\.0\.1:\d+");

/// The record of the programs.
#[derive(Debug, Default)]
pub(super) struct Record(BTreeMap<String, Row>);

/// What is recorded of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The program that has the step: `steps` or `page`.
    pub(super) program: String,
    /// How what it prints compares with what it prints on a terminal: `same`, `varies`,
    /// `differs`.
    pub(super) prints: String,
    digest: String,
}

impl Record {
    /// Reads the record. Returns `None` for a book without programs.
    pub(super) fn read(place: &Place) -> Option<Record> {
        let text = fs::read_to_string(place.book.join("theme").join(RECORD));
        text.ok().map(|text| Record::parse(&text))
    }

    pub(super) fn parse(text: &str) -> Record {
        let rows = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let rows = rows.filter_map(|row| {
            let [name, program, prints, digest] = row[..] else { return None };
            let [program, prints, digest] =
                [program, prints, digest].map(str::to_string);
            Some((name.to_string(), Row { program, prints, digest }))
        });
        Record(rows.collect())
    }

    /// Returns what is recorded of a step; `None` if it is in neither program.
    pub(super) fn of(&self, step: &str) -> Option<&Row> {
        self.0.get(step)
    }

    /// Returns whether a crawl has other events now than when the programs were built.
    pub(super) fn has_older_crawls(&self, place: &Place) -> bool {
        let traces = place.book.join("traces");
        let mut crawls = self.0.iter().filter(|(_, row)| row.program == CRAWL);
        crawls.any(|(name, row)| {
            let trace = fs::read_to_string(traces.join(name).with_extension("json"));
            trace.is_ok_and(|trace| row.is_older_than(&events_of(&trace)))
        })
    }
}

impl Row {
    /// Returns whether the program was built when something else than this was stored.
    pub(super) fn is_older_than(&self, stored: &str) -> bool {
        self.digest != digest_of(stored)
    }
}

/// Returns the HTML of a page, which says above the crawlers that they are older.
pub(super) fn marked(html: &str) -> String {
    let first = CRAWLING.iter().filter_map(|element| html.find(element)).min();
    let Some((before, after)) = first.and_then(|at| html.split_at_checked(at)) else {
        return html.to_string();
    };
    [before, OLDER, after].concat()
}

/// Returns the events of a trace, without times, ports, and lines of code. (Also in
/// `tests/sim/steps.mjs`.)
fn events_of(trace: &str) -> String {
    let events = trace.lines().filter(|line| line.starts_with("{\"step\":"));
    let events = events.map(|event| {
        let event = START.replace(event, "{");
        LINE.replace(&event, "").trim_end_matches(',').to_string()
    });
    let events = events.collect::<Vec<_>>().join("\n");
    PORT.replace_all(&events, "127.0.0.1").into_owned()
}

/// FNV-1a with 64 bits, of the text with the line ends of Unix: it has to find an
/// older program, and not a forged one. (Also in `tests/sim/steps.mjs`.)
fn digest_of(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digests are those of tests/sim/programs.test.mjs.
    #[test]
    fn a_digest_is_that_of_the_record() {
        assert_eq!(digest_of(""), "cbf29ce484222325");
        assert_eq!(digest_of("a"), "af63dc4c8601ec8c");
        assert_eq!(digest_of("a\r\n"), digest_of("a\n"));
        assert_ne!(digest_of("a\n"), digest_of("b\n"));
    }

    #[test]
    fn times_and_lines_of_code_make_no_crawl_older() {
        let trace = "{\n\"v\":2,\n\"events\":[\n\
            {\"step\":1,\"us\":3,\"task\":1,\"for\":\"127.0.0.1:8\",\"line\":\"a: \\\"b\\\", c\"},\n\
            {\"step\":2,\"us\":9,\"task\":2,\"line\":\"d\",\"ready\":1}\n]\n}\n";
        let events = "{\"task\":1,\"for\":\"127.0.0.1\"}\n{\"task\":2,\"ready\":1}";
        assert_eq!(events_of(trace), events);
    }

    #[test]
    fn a_page_says_once_that_its_crawlers_are_older() {
        let page = "<h1>Play</h1><div class=\"system-board\"></div><div class=\"system-board\"></div>";
        let html = marked(page);
        assert!(html.starts_with("<h1>Play</h1><p>The programs of this page were"));
        assert_eq!(html.matches(OLDER).count(), 1);
        assert_eq!(marked("<h1>None</h1>"), "<h1>None</h1>");
    }

    #[test]
    fn crawlers_are_older_if_another_trace_is_stored_now() {
        let folder = tempfile::tempdir().expect("a folder for this test");
        let place = Place::new(Some(folder.path().to_path_buf()), None);
        fs::create_dir_all(place.book.join("traces")).expect("the folder is ours");
        let trace = "{\"step\":1,\"us\":3,\"task\":1,\"line\":\"a\"},\n";
        fs::write(place.book.join("traces/one.json"), trace).expect("it is ours");
        let record = |events| format!("one crawl same {}\n", digest_of(events));
        let is_older = |text: &str| Record::parse(text).has_older_crawls(&place);
        assert!(!is_older(&record("{\"task\":1}")));
        assert!(is_older(&record("{\"task\":2}")));
        assert!(!is_older("gone crawl same 0\nch01_a steps same 0\n"));
    }
}
