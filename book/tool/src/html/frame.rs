//! What is around the text of a page. mdBook's template is used as it is, and a few of its
//! places are filled in: a description for each page, a link that skips the table of
//! contents, one heading of the first level, and the names of the pages before and after.

use regex::{Captures, Regex};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The longest description, in characters: about what a search engine shows.
const LONGEST: usize = 160;

/// All pages in one, to be printed.
const WHOLE: &str = "print.html";

/// The book's pages.
#[derive(Debug, Default)]
pub(super) struct Frames(BTreeMap<String, Frame>);

#[derive(Debug)]
struct Frame {
    name: String,
    description: Option<String>,
}

/// A place of mdBook's template, which has to be there, and what is printed instead.
type Edit<'a> = (&'a LazyLock<Regex>, &'a dyn Fn(&Captures<'_>) -> String);

static HEAD: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"<meta name="description" content="([^"]*)">"#));
static BODY: LazyLock<Regex> = LazyLock::new(|| regex("<body>"));
static TITLE: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"<h1 class="menu-title">(.*?)</h1>"#));
static MAIN: LazyLock<Regex> = LazyLock::new(|| regex("<main>"));
static NEIGHBOR: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?s)<a rel="([^"]+)" href="([^"]+)" class="(mobile-nav-chapters (\w+))".*?</a>"#,
    )
});

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("constant")
}

impl Frames {
    /// Adds a page: its file, `pin.html`, its name in the table of contents, its Markdown.
    pub(super) fn add(&mut self, file: String, name: &str, page: &str) {
        let frame = Frame { name: escaped(name), description: description(page) };
        self.0.insert(file, frame);
    }

    /// The HTML of a page with all that is missing in mdBook's.
    ///
    /// # Errors
    /// mdBook's template is another one: a place is not there.
    pub(super) fn put_around(&self, file: &str, html: &str) -> Result<String, String> {
        let edits: [Edit<'_>; 4] = [
            (&HEAD, &|found| self.head(file, &found[1])),
            (&BODY, &|_| {
                "<body>\n<a class=\"skip\" href=\"#text\">Skip to the text</a>"
                    .to_string()
            }),
            (&TITLE, &|found| format!("<div class=\"menu-title\">{}</div>", &found[1])),
            (&MAIN, &|_| {
                let cover = if file == WHOLE { cover(html) } else { String::new() };
                format!("<main id=\"text\" tabindex=\"-1\">{cover}")
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
            html = place.replace(&html, instead).into_owned();
        }
        Ok(NEIGHBOR
            .replace_all(&html, |found: &Captures<'_>| self.neighbor(found))
            .into())
    }

    /// What search engines and previews show. All pages without a text of their own have
    /// the book's.
    fn head(&self, file: &str, books: &str) -> String {
        let page = self.0.get(file);
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
        tags
    }

    /// A link to the page before or after, with its name.
    fn neighbor(&self, found: &Captures<'_>) -> String {
        let (rel, href, class) = (&found[1], &found[2], &found[3]);
        let which = if &found[4] == "next" { "Next" } else { "Previous" };
        let name = self.0.get(href).map_or(href, |page| &page.name);
        format!(
            "<a rel=\"{rel}\" href=\"{href}\" class=\"{class}\"><small>{which}</small> {name}</a>"
        )
    }
}

/// The first page on paper: the book's title, and what it is about.
fn cover(html: &str) -> String {
    let text = |place: &Regex| {
        place.captures(html).map_or(String::new(), |found| found[1].to_string())
    };
    let (title, description) = (text(&TITLE), text(&HEAD));
    format!("<header class=\"cover\"><p>{title}</p><p>{description}</p></header>")
}

/// The first paragraph of a page, without its marks, and not too long.
fn description(page: &str) -> Option<String> {
    static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"\[([^\]]*)\]\([^)]*\)"));
    let is_text = |part: &&str| part.starts_with(|first: char| first.is_alphanumeric());
    let paragraph = page.split("\n\n").map(str::trim).find(is_text)?;
    let text = LINK.replace_all(paragraph, "$1").replace(['`', '*'], "");
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

    const HTML: &str = r##"<head><meta name="description" content="The book's"></head>
<body><h1 class="menu-title">The book</h1><main><h1>Pin</h1></main>
<a rel="next prefetch" href="executor.html" class="mobile-nav-chapters next" title="Next">
<span>›</span></a></body>"##;

    fn frames() -> Frames {
        let mut frames = Frames::default();
        let page =
            "# Pin\n\n<!-- id: pin -->\n\nA [`Pin`](p.md) says \"stay\".\n\nMore.\n";
        frames.add("pin.html".to_string(), "Pin", page);
        frames.add("executor.html".to_string(), "Tasks & a queue", "# Tasks\n");
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
            r#"<div class="menu-title">The book</div><main id="text" tabindex="-1">"#,
            r#"<small>Next</small> Tasks &amp; a queue</a></body>"#,
        ];
        for part in parts {
            assert!(html.contains(part), "no {part} in {html}");
        }
    }

    #[test]
    fn a_page_of_mdbooks_own_keeps_the_books_description() {
        let html = frames().put_around("print.html", HTML).unwrap();
        assert!(html.contains(r#"name="description" content="The book's""#), "{html}");
        let cover =
            r#"<header class="cover"><p>The book</p><p>The book's</p></header>"#;
        assert!(html.contains(cover), "{html}");
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
