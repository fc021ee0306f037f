//! Code blocks in the HTML that mdBook has written: each line becomes a span with its number
//! and its colors, and a listing gets a line above it that says where it is from.

use super::highlight::{self, numbered_line};
use super::listing::{Listing, Listings, target};
use super::source::{page_of, place_of};
use crate::read::pointer::numbers;
use regex::Captures;
use std::collections::BTreeSet;
use std::iter::repeat;
use std::ops::RangeInclusive;

/// Shorter blocks have no numbers.
const FEWEST: usize = 4;

/// On paper a line with more characters goes on in the next line, unless the letters of its block
/// are smaller. If it has more than the second number, it goes on all the same.
const WIDE: RangeInclusive<usize> = 105..=122;

pattern!(
    BLOCK,
    r#"(?s)<pre(?<pre>[^>]*)><code class="language-(?<language>\w+)(?<classes>[^"]*)">(?<text>.*?)</code></pre>"#
);

/// A page with its code blocks done.
pub(super) fn put_in(listings: &Listings, html: &str) -> String {
    BLOCK.replace_all(html, |found: &Captures<'_>| block(listings, found)).into_owned()
}

fn block(listings: &Listings, found: &Captures<'_>) -> String {
    let is_key = |class: &&str| class.contains("-listing-");
    let (keys, mut classes): (Vec<_>, Vec<_>) =
        found["classes"].split_whitespace().partition(is_key);
    let key = keys.first().copied().unwrap_or_default();
    let listing = listings.get(key);
    let (code, has_numbers) =
        code(listings, listing, &found["language"], &found["text"]);
    let language = format!("language-{}", &found["language"]);
    classes.insert(0, &language);
    classes.extend(has_numbers.then_some("numbered"));
    classes.extend(is_wide(&text_of(&found["text"])).then_some("wide"));
    let code = format!("<code class=\"{}\">{code}</code>", classes.join(" "));
    let id = if key.is_empty() { String::new() } else { format!(" id=\"{key}\"") };
    let pre = &found["pre"];
    match listing {
        None => format!("<pre{pre}{id}>{code}</pre>"),
        Some(listing) => {
            let caption = caption(listings, listing);
            format!("<div class=\"listing\"{id}>{caption}<pre{pre}>{code}</pre></div>")
        }
    }
}

/// Returns whether some lines of what was printed fit on paper only with smaller letters. A command
/// may go on in the next line.
fn is_wide(text: &str) -> bool {
    let printed = text.lines().filter(|line| !line.starts_with("$ "));
    printed
        .max_by_key(|line| line.chars().count())
        .is_some_and(|line| WIDE.contains(&line.chars().count()))
}

/// What is in `code`, and whether its lines have numbers.
fn code(
    listings: &Listings,
    listing: Option<&Listing>,
    language: &str,
    html: &str,
) -> (String, bool) {
    let (lines, hidden) = match listing.and_then(|it| colored(listings, it)) {
        Some(lines) => (lines, BTreeSet::new()),
        None => written(language, html),
    };
    let text = text_of(html);
    let texts = text.lines().chain(repeat("")).take(lines.len());
    let texts = (0..).zip(texts).map(|(at, text)| (text, hidden.contains(&at)));
    let numbers = numbers(language, texts);
    let has_numbers = numbers.iter().flatten().count() >= FEWEST;
    let new = listing.and_then(|it| Some(&it.grown.as_ref()?.1));
    let mut code = String::new();
    for (at, (line, number)) in lines.iter().zip(numbers).enumerate() {
        let is_new = new.is_some_and(|new| new.contains(&at));
        let classes = [
            (language == "console" && number.is_none(), " command"),
            (hidden.contains(&at), " boring"),
            (is_new, " new"),
        ];
        let classes = classes.iter().filter(|(is_so, _)| *is_so);
        let classes: String = classes.map(|(_, class)| *class).collect();
        // What is drawn beside a line is at the line's begin.
        let line = if is_new { format!("<i></i>{line}") } else { line.clone() };
        code += &numbered_line("", &classes, number.filter(|_| has_numbers), &line);
    }
    (code, has_numbers)
}

/// The lines of a listing with the colors that they have in their file.
fn colored(listings: &Listings, listing: &Listing) -> Option<Vec<String>> {
    let (html, _) = listings.sources.get(&listing.file)?;
    listing.lines.iter().map(|(number, _)| html.get(number - 1).cloned()).collect()
}

/// The lines of code that is written in the page, and which of them mdBook hides.
fn written(language: &str, html: &str) -> (Vec<String>, BTreeSet<usize>) {
    let hidden = (0..).zip(html.lines());
    let hidden = hidden.filter(|(_, line)| {
        let line = line.strip_prefix("</span>").unwrap_or(line);
        line.starts_with("<span class=\"boring\">")
    });
    let hidden = hidden.map(|(at, _)| at).collect();
    (highlight::lines(language, &text_of(html)), hidden)
}

/// The text of HTML.
pub(super) fn text_of(html: &str) -> String {
    pattern!(TAG, "<[^>]*>");
    let text = TAG.replace_all(html, "");
    let escapes = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ];
    escapes.iter().fold(text.into_owned(), |text, (from, to)| text.replace(from, to))
}

/// Where a listing is from: its file and lines, and what is around them.
fn caption(listings: &Listings, listing: &Listing) -> String {
    let (page, place) = (page_of(&listing.file), place_of(&listing.lines));
    let file = highlight::escaped(&listing.file);
    let lines = match place.trim_start_matches('L').replace('-', "–") {
        _ if listing.is_whole => String::new(),
        lines => format!(":{lines}"),
    };
    let fragment = if listing.is_whole { String::new() } else { format!("#{place}") };
    let mut html = format!("<a href=\"{page}{fragment}\">{file}{lines}</a>");
    let first = listing.lines.first().map_or(1, |(number, _)| *number);
    let text = listings.sources.get(&listing.file).map_or(&[][..], |(_, text)| text);
    if let Some(around) = around(text, first) {
        html += &format!(" <span>in {}</span>", highlight::escaped(&around));
    }
    if let Some((key, _)) = &listing.grown {
        let file = listings.get(key).map_or("", |earlier| earlier.file.as_str());
        let name = match file.rsplit('/').next() {
            Some(name) if file != listing.file => name,
            _ => "an earlier listing",
        };
        let target = target(key);
        html += &format!(
            " <span class=\"legend\">marked: new since <a href=\"{target}\">{name}</a></span>"
        );
    }
    format!("<div class=\"caption\">{html}</div>")
}

/// The items that a line is in, the innermost first: `fn read of impl Fetcher`. Found by
/// indentation, which is enough for files that a formatter has laid out.
pub(super) fn around(text: &[String], number: usize) -> Option<String> {
    pattern!(
        HEAD,
        r"^\s*(?:pub(?:\([^)]*\))? |async |const |unsafe )*(?:(?<whole>(?:impl|trait|mod|class)\b.*?)(?: where| \{|\(.*\)?:|:)?$|(?<part>(?:fn|def|macro_rules!) \w+))"
    );
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut within = indent(text.get(number - 1)?);
    let mut found: Vec<String> = Vec::new();
    for line in text[..number - 1].iter().rev().filter(|line| !line.trim().is_empty()) {
        if within == 0 {
            break;
        }
        if indent(line) >= within {
            continue;
        }
        let is_end_of_head =
            line.trim_start().starts_with([')', '{', '>']) || line.trim() == "where";
        within = indent(line) + usize::from(is_end_of_head);
        if let Some(head) = HEAD.captures(line) {
            let head = head.name("whole").or(head.name("part"));
            found.extend(head.map(|it| it.as_str().to_string()));
        }
    }
    (!found.is_empty()).then(|| found.join(" of "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_around(text: &str, number: usize, expected: Option<&str>) {
        let text: Vec<String> = text.lines().map(String::from).collect();
        assert_eq!(around(&text, number).as_deref(), expected);
    }

    const FILE: &str = "struct A;\n\nimpl<T> Future for A<T> {\n    /// Polls.\n    \
        pub(crate) fn poll(\n        &mut self,\n    ) -> Poll {\n        if x {\n            \
        y();\n        }\n    }\n}\n\nfn main() {\n    z();\n}\n";

    #[test]
    fn a_line_is_in_the_items_that_hold_it() {
        assert_around(FILE, 1, None);
        assert_around(FILE, 4, Some("impl<T> Future for A<T>"));
        assert_around(FILE, 9, Some("fn poll of impl<T> Future for A<T>"));
        assert_around(FILE, 15, Some("fn main"));
        assert_around(
            "class A(B):\n    def f(self):\n        pass\n",
            3,
            Some("def f of class A"),
        );
    }

    #[test]
    fn what_is_printed_is_numbered_from_its_command() {
        let html = "<pre><code class=\"language-console pin-listing-2\">$ cargo run &gt; a\n1\n\
                    2\n3\n4\n</code></pre>";
        let html = put_in(&Listings::default(), html);
        let begin = "<pre id=\"pin-listing-2\"><code class=\"language-console numbered\">\
            <span class=\"ln command\"><span class=\"hl-comment\">$ </span>cargo run &gt; a\n</span>\
            <span class=\"ln\" data-n=\"1\">1\n</span>";
        assert!(html.starts_with(begin), "{html}");
    }

    #[test]
    fn lines_that_mdbook_hides_stay_hidden_and_have_no_number() {
        let html = "<pre><code class=\"language-rust\"><span class=\"boring\">use a;\n</span>a\n\
                    b\nc\nd\n</code></pre>";
        let html = put_in(&Listings::default(), html);
        assert!(html.contains("<span class=\"ln boring\"><span"), "{html}");
        assert!(html.contains("<span class=\"ln\" data-n=\"1\">a\n"), "{html}");
    }
}
