//! Markdown of slides and handouts as HTML.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A text as HTML. Links are left as plain words: there is no page to go to.
pub(super) fn html_of(text: &str) -> String {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).filter(|event| {
        !matches!(event, Event::Start(Tag::Link { .. }) | Event::End(TagEnd::Link))
    });
    // What is HTML in a page, such as an anchor or `<br>`, stays.
    let mut out = String::new();
    html::push_html(&mut out, events);
    out.trim().to_string()
}

/// A line as HTML, without a paragraph around it.
pub(super) fn inline(text: &str) -> String {
    let out = html_of(text);
    let inside = out.strip_prefix("<p>").and_then(|it| it.strip_suffix("</p>"));
    inside.filter(|it| !it.contains("<p>")).map_or(out.clone(), String::from)
}

/// A text as HTML. The rows of its tables appear one by one.
pub(super) fn growing(text: &str) -> String {
    html_of(text).replace("<tr><td", "<tr class=\"fragment\"><td")
}

/// What explains the numbers of a figure. Each sentence of a list appears with its number;
/// `shown` counts them.
pub(super) fn legend(text: &str, numbers: &[usize], shown: &mut usize) -> String {
    let mut html = String::new();
    for (place, part) in html_of(text).split("<li>").enumerate() {
        if place > 0 {
            let number = numbers.get(*shown).map_or(String::new(), usize::to_string);
            html += &format!(
                "<li class=\"fragment\" data-fragment-index=\"{shown}\" \
                 data-number=\"{number}\"><span>"
            );
            *shown += 1;
        }
        html += &part.replace("</li>", "</span></li>");
    }
    format!("<div class=\"legend\">{html}</div>")
}

/// The words of a text, without marks.
pub(super) fn plain(text: &str) -> String {
    fn words(event: Event<'_>) -> Option<CowStr<'_>> {
        match event {
            Event::Text(text) | Event::Code(text) => Some(text),
            Event::SoftBreak | Event::HardBreak => Some(CowStr::from(" ")),
            _ => None,
        }
    }
    Parser::new(text).filter_map(words).collect::<Vec<_>>().concat()
}

/// The pages that a text links, by their slugs, in order.
pub(super) fn linked_pages(text: &str) -> Vec<String> {
    pattern!(PAGE, r"\]\(([a-z0-9-]+)\.md(?:#[^)]*)?\)");
    let mut slugs: Vec<String> = Vec::new();
    for slug in PAGE.captures_iter(text).map(|found| found[1].to_string()) {
        if !slugs.contains(&slug) {
            slugs.push(slug);
        }
    }
    slugs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_words_and_tables_grow() {
        assert_eq!(inline("[a `b`](c.md#d) < e"), "a <code>b</code> &lt; e");
        assert_eq!(plain("[a `b`](c.md)\n*d*"), "a b d");
        let table = growing("|a|\n|---|\n|b|\n|c|\n");
        assert_eq!(table.matches("<tr class=\"fragment\">").count(), 2, "{table}");
        let mut shown = 0;
        let list = legend("**A:**\n1. b\n2. c\n", &[7, 9], &mut shown);
        assert!(
            list.contains("index=\"1\" data-number=\"9\"><span>c</span>") && shown == 2,
            "{list}"
        );
    }

    #[test]
    fn each_linked_page_is_named_once() {
        let text = "[a](pin.md), [b](executor.md#x), [c](pin.md#y)";
        assert_eq!(linked_pages(text), ["pin", "executor"]);
    }
}
