//! What is around the text of a page. mdBook's template is used as it is, and a few of its
//! places are filled in: a description for each page, a link that skips the table of
//! contents, one heading of the first level, and what the pages before and after are. A book
//! that has an address on the web also gets a picture for previews.

use super::outline::first_paragraph;
use super::{CARD, WHOLE, fonts};
use regex::{Captures, Regex};
use std::collections::BTreeMap;
use std::path::Path;

/// The longest description, in characters: about what a search engine shows.
const LONGEST: usize = 160;

/// The page that opens first. Its title is the book's.
const LANDING: &str = "index.html";

/// The book's pages.
#[derive(Debug, Default)]
pub(super) struct Frames {
    pages: BTreeMap<String, Frame>,
    /// The folder on the web, with a slash at its end.
    address: Option<String>,
    /// The files of the short route, for the table of contents.
    route: String,
    /// Whether there is a PDF of the whole book.
    has_pdf: bool,
}

#[derive(Debug)]
struct Frame {
    name: String,
    description: Option<String>,
    /// What the page before it says of it: its name, with a number, and a sentence.
    teaser: Option<(String, String)>,
}

/// A place of mdBook's template, which has to be there, and what is printed instead.
type Edit<'a> = (&'a Regex, &'a dyn Fn(&Captures<'_>) -> String);

pattern!(HEAD, r#"<meta name="description" content="([^"]*)">"#);
pattern!(WINDOW, "<title>(.*?)</title>");
pattern!(BODY, "<body>");
pattern!(TITLE, r#"<h1 class="menu-title">(.*?)</h1>"#);
pattern!(MAIN, "<main>");
pattern!(PRINTER, r#"<a href="((?:\.\./)*)print\.html""#);
pattern!(
    COLORS,
    r#"(<link rel="stylesheet" id="mdbook-(?:highlight|tomorrow-night|ayu-highlight)-css" href=")[^"]*""#
);
pattern!(HIGHLIGHTER, r#"<script src="[^"]*highlight-\w+\.js"></script>"#);
pattern!(OF_HIGHLIGHTER, r"^(?:(?:ayu-)?highlight|tomorrow-night)-\w+\.(?:css|js)$");

/// Listings have their colors when the book is built, so mdBook's highlighter and its style
/// sheets are not loaded. mdBook's own script calls this instead.
const STAND_IN: &str =
    "<script>window.hljs = { configure() {}, highlightBlock() {} };</script>";

/// The button of the search, which `theme/search.js` makes work. It is here so that the bar
/// does not move when the script has run.
const SEARCH: &str = concat!(
    r#"<button id="search-open" class="icon-button" type="button" title="Search ( / )" "#,
    r#"aria-label="Search" aria-haspopup="dialog" aria-keyshortcuts="/ s">"#,
    r#"<span class="fa-svg"><svg viewBox="0 0 16 16" aria-hidden="true">"#,
    r#"<circle cx="6.5" cy="6.5" r="5"/><path d="M10.5 10.5l4.5 4.5"/></svg></span></button>"#
);

/// Returns whether a file of the built book is part of mdBook's highlighter.
pub(super) fn is_of_highlighter(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    OF_HIGHLIGHTER.is_match(name)
}

pattern!(
    NEIGHBOR,
    r#"(?s)<a rel="([^"]+)" href="([^"]+)" class="(mobile-nav-chapters (\w+))".*?</a>"#
);

impl Frames {
    /// No pages yet, of a book that is at this address and has this short route, and perhaps a
    /// PDF.
    pub(super) fn new(address: Option<String>, route: String, has_pdf: bool) -> Frames {
        Frames { pages: BTreeMap::new(), address, route, has_pdf }
    }

    /// Returns whether the book is on the web.
    pub(super) fn has_address(&self) -> bool {
        self.address.is_some()
    }

    /// Adds a page: its file, `pin.html`, its name in the table of contents, its Markdown,
    /// and what the page before it says of it.
    pub(super) fn add(
        &mut self,
        file: String,
        name: &str,
        page: &str,
        teaser: Option<(String, &str)>,
    ) {
        let teaser = teaser.map(|(name, text)| (escaped(&name), escaped(text)));
        let (name, description) = (escaped(name), description(page));
        self.pages.insert(file, Frame { name, description, teaser });
    }

    /// The HTML of a page with all that is missing in mdBook's.
    ///
    /// # Errors
    /// mdBook's template is another one: a place is not there.
    pub(super) fn put_around(&self, file: &str, html: &str) -> Result<String, String> {
        let edits: [Edit<'_>; 9] = [
            (&fonts::SHEET, &fonts::put_in),
            (&WINDOW, &|found| match self.pages.get(file) {
                Some(page) if file == LANDING => {
                    format!("<title>{}</title>", page.name)
                }
                _ => found[0].to_string(),
            }),
            (&HEAD, &|found| self.head(file, &found[1])),
            (&BODY, &|_| {
                "<body>\n<a class=\"skip\" href=\"#text\">Skip to the text</a>"
                    .to_string()
            }),
            (&TITLE, &|found| {
                let title = self.pages.get(file).map_or(&found[1], |page| &page.name);
                format!("{SEARCH}<div class=\"menu-title\">{title}</div>")
            }),
            (&PRINTER, &|found| match self.has_pdf {
                true => format!(
                    "<a class=\"whole\" href=\"{}{WHOLE}\" title=\"The whole book, to be \
                     printed\">PDF</a>\n{}",
                    &found[1], &found[0]
                ),
                false => found[0].to_string(),
            }),
            (&COLORS, &|found| format!("{}data:text/css,\"", &found[1])),
            (&HIGHLIGHTER, &|_| STAND_IN.to_string()),
            (&MAIN, &|_| {
                let route = &self.route;
                format!("<main id=\"text\" tabindex=\"-1\" data-route=\"{route}\">")
            }),
        ];
        let mut html = html.to_string();
        for (place, instead) in edits {
            if !place.is_match(&html) {
                return Err(format!(
                    "{file}: mdBook's page has no `{}`",
                    place.as_str()
                ));
            }
            html = place.replace_all(&html, instead).into_owned();
        }
        Ok(NEIGHBOR
            .replace_all(&html, |found: &Captures<'_>| self.neighbor(found))
            .into())
    }

    /// What search engines and previews show. All pages without a text of their own have
    /// the book's.
    fn head(&self, file: &str, books: &str) -> String {
        let page = self.pages.get(file);
        let text = page.and_then(|page| page.description.as_deref()).unwrap_or(books);
        let mut tags = format!("<meta name=\"description\" content=\"{text}\">");
        if let Some(page) = page {
            let og =
                [("type", "article"), ("title", &page.name), ("description", text)];
            for (property, content) in og {
                tags += &format!(
                    "\n<meta property=\"og:{property}\" content=\"{content}\">"
                );
            }
        }
        if let (Some(_), Some(address)) = (page, &self.address) {
            let file = if file == LANDING { "" } else { file };
            tags += &format!(
                "\n<link rel=\"canonical\" href=\"{address}{file}\">\
                 \n<meta property=\"og:url\" content=\"{address}{file}\">\
                 \n<meta property=\"og:image\" content=\"{address}{CARD}\">\
                 \n<meta name=\"twitter:card\" content=\"summary_large_image\">"
            );
        }
        tags
    }

    /// A link to the page before or after. The next one also says what it is about.
    fn neighbor(&self, found: &Captures<'_>) -> String {
        let (rel, href, class) = (&found[1], &found[2], &found[3]);
        let page = self.pages.get(href);
        let name = page.map_or(href, |page| &page.name);
        let teaser = page.and_then(|page| page.teaser.as_ref());
        let text = match (&found[4], teaser) {
            ("next", Some((name, text))) => {
                format!(
                    "<small>Next</small> {name}<span class=\"about\">: {text}</span>"
                )
            }
            ("next", None) => format!("<small>Next</small> {name}"),
            _ => format!("<small>Previous</small> {name}"),
        };
        format!("<a rel=\"{rel}\" href=\"{href}\" class=\"{class}\">{text}</a>")
    }
}

/// The first paragraph of a page, not too long.
fn description(page: &str) -> Option<String> {
    let text = first_paragraph(page)?;
    let mut short = String::new();
    for word in text.split_whitespace() {
        if short.chars().count() + word.chars().count() >= LONGEST {
            short.push('…');
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    Some(escaped(&short))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = r##"<head><title>Pin - The book</title><meta name="description" content="The book's"></head>
<link rel="stylesheet" href="fonts/fonts-0a.css"><link rel="stylesheet" id="mdbook-highlight-css" href="highlight-0a.css"><body>
<h1 class="menu-title">The book</h1><a href="print.html">print</a><main><h1>Pin</h1></main>
<script src="highlight-0a.js"></script>
<a rel="next prefetch" href="executor.html" class="mobile-nav-chapters next" title="Next">
<span>›</span></a></body>"##;

    fn frames() -> Frames {
        let mut frames = Frames::new(None, "pin.html".to_string(), true);
        let page =
            "# Pin\n\n<!-- id: pin -->\n\nA [`Pin`](p.md) says \"stay\".\n\nMore.\n";
        frames.add("pin.html".to_string(), "Pin", page, None);
        let teaser = ("19. Tasks & a queue, 25 min".to_string(), "What polls?");
        let name = "Tasks & a queue";
        frames.add("executor.html".to_string(), name, "# Tasks\n", Some(teaser));
        frames.add("index.html".to_string(), "The book", "# The book\n", None);
        frames
    }

    #[test]
    fn a_page_says_what_it_is_about_and_what_comes_next() {
        let html = frames().put_around("pin.html", HTML).unwrap();
        let parts = [
            r#"<meta name="description" content="A Pin says &quot;stay&quot;.">"#,
            r#"<meta property="og:title" content="Pin">"#,
            r##"<body>
<a class="skip" href="#text">"##,
            r#"</button><div class="menu-title">Pin</div><a class="whole" href="book.pdf""#,
            r#"id="mdbook-highlight-css" href="data:text/css,">"#,
            "<script>window.hljs = ",
            r#"<main id="text" tabindex="-1" data-route="pin.html">"#,
            r#"<title>Pin - The book</title>"#,
            r#"<small>Next</small> 19. Tasks &amp; a queue, 25 min<span class="about">: What polls?</span></a></body>"#,
        ];
        for part in parts {
            assert!(html.contains(part), "no {part} in {html}");
        }
    }

    #[test]
    fn a_page_of_mdbooks_own_keeps_the_books_description() {
        let html = frames().put_around("print.html", HTML).unwrap();
        assert!(html.contains(r#"name="description" content="The book's""#), "{html}");
    }

    #[test]
    fn the_landing_page_has_the_books_title() {
        let html = frames().put_around("index.html", HTML).unwrap();
        assert!(html.contains("<title>The book</title>"), "{html}");
    }

    #[test]
    fn only_a_book_with_an_address_has_a_picture_and_a_canonical_link() {
        let mut frames = frames();
        let html = |frames: &Frames, file| frames.put_around(file, HTML).unwrap();
        let without = html(&frames, "pin.html");
        assert!(!without.contains("canonical") && !without.contains("og:image"));
        frames.address = Some("https://h/book/".to_string());
        let page = html(&frames, "pin.html");
        assert!(page.contains(r#"rel="canonical" href="https://h/book/pin.html""#));
        assert!(page.contains(r#""og:image" content="https://h/book/card.png""#));
        let first = html(&frames, "index.html");
        assert!(first.contains(r#"rel="canonical" href="https://h/book/""#), "{first}");
    }

    #[test]
    fn another_template_is_not_passed_over() {
        let other = HTML.replace("<main>", "<main class=\"new\">");
        let error = frames().put_around("pin.html", &other).unwrap_err();
        assert_eq!(error, "pin.html: mdBook's page has no `<main>`");
    }

    #[test]
    fn a_description_ends_with_a_word() {
        let text = description(&"word ".repeat(100)).unwrap();
        assert!(text.chars().count() <= LONGEST, "{text}");
        assert!(text.ends_with("word…"), "{text}");
    }
}
