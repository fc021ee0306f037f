//! Pages to print. They ask no other file.

use super::{Asked, Sheet, inline, listing, rendered};
use crate::html::highlight::escaped;
use crate::read::bank::letter;
use std::fmt::Write as _;

const STYLE: &str = include_str!("sheet.css");

/// How to compare two tests: below the keys of the test.
const GAIN: &str = "
<h2>Before and after</h2>
<p>Give the same sheet before the course and after it, without the keys in between. For each
concept, count the right answers of the class before and after. The <em>gain</em> is the part
of what could be gained that was gained: (after &minus; before) / (1 &minus; before), with both as
parts of 1. A class with 40 % before and 70 % after has a gain of 0.3 / 0.6 = 0.5. Report it for
each concept and not as one sum, because a sum hides which concept was not understood. Two
questions about a concept are few: compare classes, not single students.</p>
<p>The wrong answers say more than the right ones: count the misconceptions as well.</p>
";

/// A whole page.
pub(super) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )
}

impl Sheet<'_> {
    /// What students get.
    pub(super) fn questions(&self) -> String {
        let mut body = "<p class=\"name\"><span>Name</span><span>Date</span></p>\n\
                        <p>One of the four answers is right.</p>\n"
            .to_string();
        for asked in &self.asked {
            body += "<section>\n";
            body += &stem(asked);
            body += "<ol type=\"A\">\n";
            for option in &asked.question.options {
                let _ = writeln!(body, "<li>{}</li>", inline(&option.text));
            }
            body += "</ol>\n</section>\n";
        }
        page(&self.title, &body)
    }

    /// What teachers get.
    pub(super) fn keys(&self) -> String {
        let mut body = String::new();
        let keys = self
            .asked
            .iter()
            .map(|asked| format!("{} {}", asked.number, letter(asked.question.key)));
        let keys = keys.collect::<Vec<_>>().join(", ");
        let _ = writeln!(body, "<p class=\"keys\">{keys}</p>");
        for asked in &self.asked {
            body += &self.key(asked);
        }
        if self.asked.iter().all(|asked| asked.question.test.is_some()) {
            body += GAIN;
        }
        page(&format!("{}: the keys", self.title), &body)
    }

    fn key(&self, asked: &Asked<'_>) -> String {
        let question = asked.question;
        let mut text = format!("<section>\n{}<ol type=\"A\">\n", stem(asked));
        for (place, option) in question.options.iter().enumerate() {
            let class = if place == question.key { " class=\"key\"" } else { "" };
            let behind = option.tag.as_deref().map_or(String::new(), |tag| {
                format!(" <small>{}</small>", inline(&self.behind(tag)))
            });
            let _ = writeln!(text, "<li{class}>{}{behind}</li>", inline(&option.text));
        }
        let concept = &question.concept;
        let sentence = self.bank.concepts.concepts.get(concept);
        let _ = writeln!(
            text,
            "</ol>\n{}\n<p><small>{concept}: {}<br>\n{}, chapter <em>{}</em>; {}; {}{}: \
             <code>{}</code></small></p>\n</section>",
            rendered(&question.explain),
            inline(sentence.map_or("", String::as_str)),
            question.level.name(),
            question.chapter,
            if question.seen { "shown in the book" } else { "not shown in the book" },
            if question.test.is_some() { "in the test; " } else { "" },
            question.id,
            escaped(&question.settled_by),
        );
        text
    }

    /// A tag with its sentence.
    pub(super) fn behind(&self, tag: &str) -> String {
        let sentence = self.bank.concepts.misconceptions.get(tag);
        format!("{tag}: {}", sentence.map_or("", String::as_str))
    }
}

fn stem(asked: &Asked<'_>) -> String {
    let code = asked.code.as_deref().map(listing).unwrap_or_default();
    format!("<h2>{}</h2>\n{}\n{code}", asked.number, rendered(&asked.question.stem))
}
