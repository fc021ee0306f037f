//! The place of each page in the book: what the top of a page and the foot of the page
//! before it say of it.

use super::route::Route;
use crate::read::book::Book;
use crate::read::page::{Page, Role};
use std::collections::BTreeMap;

/// The chapters, in the order of the summary.
#[derive(Debug, Default)]
pub(super) struct Outline {
    chapters: usize,
    pages: BTreeMap<String, Spot>,
    pub(super) route: Route,
}

/// What there is to say of a page.
#[derive(Debug)]
struct Spot {
    role: Role,
    part: String,
    title: String,
    minutes: (usize, usize),
    /// The minutes of its exercises.
    exercises: usize,
    needs: Vec<String>,
    first_sentence: Option<String>,
}

impl Outline {
    /// Takes what the pages of a book say, in the order of the summary.
    pub(super) fn of(book: &Book) -> Outline {
        let mut outline = Outline { route: Route::of(book), ..Outline::default() };
        for entry in &book.summary {
            if let Some(page) = book.page(&entry.slug) {
                let minutes = book.exercises_of(&entry.slug).map(|it| it.minutes).sum();
                outline.add(page, entry.title.clone(), entry.part.clone(), minutes);
            }
        }
        outline
    }

    fn add(&mut self, page: &Page, title: String, part: String, exercises: usize) {
        self.chapters += usize::from(page.role.number().is_some());
        let spot = Spot {
            role: page.role,
            part,
            title,
            minutes: page.minutes(),
            exercises,
            needs: page.header.list("needs"),
            first_sentence: first_sentence(&page.text),
        };
        self.pages.insert(page.slug.clone(), spot);
    }

    /// How many chapters have a number.
    pub(super) fn chapters(&self) -> usize {
        self.chapters
    }

    /// The minutes of all chapters and the introduction: to read, to work, and for the
    /// exercises.
    pub(super) fn minutes(&self) -> (usize, usize, usize) {
        let chapters = self.pages.values().filter(|spot| spot.role != Role::Appendix);
        chapters.fold((0, 0, 0), |(read, work, exercises), spot| {
            let own = spot.minutes;
            (read + own.0, work + own.1, exercises + spot.exercises)
        })
    }

    /// A chapter with its place below its title, and a page of the short route with what
    /// comes next there; any other page as it is.
    pub(super) fn opened(&self, slug: &str, page: &str) -> String {
        let name = |slug: &str| self.teaser(slug).map(|(name, _)| name);
        let page = self.route.led_on(slug, page, name);
        let Some(place) = self.place(slug) else { return page };
        let Some((title, rest)) = page.split_once('\n') else { return page };
        format!("{title}\n\n<div class=\"place\">\n\n{place}\n\n</div>\n\n{rest}")
    }

    /// `Part three · Chapter 18 of 28 · 25 min to read, 30 to work, 20 for the exercises ·
    /// needs chapter 17`, in Markdown, and in a paragraph of its own how the short route reads it.
    fn place(&self, slug: &str) -> Option<String> {
        let spot = self.pages.get(slug)?;
        let mut parts = match spot.role {
            Role::Appendix => return self.route.place(slug),
            Role::Introduction => vec!["Before chapter 1".to_string()],
            Role::Chapter(number) | Role::Last(number) => {
                let of = format!("Chapter {number} of {}", self.chapters);
                vec![spot.part.clone(), of]
            }
        };
        let exercises = match spot.exercises {
            0 => String::new(),
            minutes => format!(", {minutes} for the exercises"),
        };
        let (read, work) = spot.minutes;
        parts.push(format!("{read} min to read, {work} to work{exercises}"));
        let needs = self.needs(spot);
        let names_chapters = needs.is_some();
        parts.extend(needs);
        let place = parts.join(" · ");
        Some(match self.route.reads(slug, names_chapters) {
            Some(reads) => format!("{place}\n\n{reads}"),
            None => place,
        })
    }

    fn needs(&self, spot: &Spot) -> Option<String> {
        let link = |slug: &String| {
            let number = self.pages.get(slug)?.role.number()?;
            Some(format!("[{number}]({slug}.md)"))
        };
        let links: Vec<String> = spot.needs.iter().filter_map(link).collect();
        let (last, others) = links.split_last()?;
        Some(match others {
            [] => format!("needs chapter {last}"),
            _ => format!("needs chapters {} and {last}", others.join(", ")),
        })
    }

    /// The name of a page with its number and its minutes, and what it is about: `20. The
    /// reactor, 25 min` and a sentence. Plain text.
    pub(super) fn teaser(&self, slug: &str) -> Option<(String, &str)> {
        let spot = self.pages.get(slug)?;
        let number = spot.role.number().map(|number| format!("{number}. "));
        let mut name = number.unwrap_or_default() + &spot.title;
        if spot.role != Role::Appendix {
            name += &format!(", {} min", spot.minutes.0);
        }
        Some((name, spot.first_sentence.as_deref().unwrap_or_default()))
    }
}

/// The first paragraph of a page, without its marks.
pub(super) fn first_paragraph(page: &str) -> Option<String> {
    pattern!(LINK, r"\[([^\]]*)\]\([^)]*\)");
    let is_text = |part: &&str| part.starts_with(|first: char| first.is_alphanumeric());
    let paragraph = page.split("\n\n").map(str::trim).find(is_text)?;
    let text = LINK.replace_all(paragraph, "$1").replace(['`', '*'], "");
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn first_sentence(page: &str) -> Option<String> {
    pattern!(END, r"[.?!] [A-Z]");
    let mut text = first_paragraph(page)?;
    if let Some(end) = END.find(&text) {
        text.truncate(end.start() + 1);
    }
    Some(text)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::read::text::{fences, header, lines};

    /// An outline whose short route reads these pages, each up to the end of a step, if one
    /// is named.
    pub(in crate::html) fn with_route(
        outline: Outline,
        stops: &[(&str, Option<usize>)],
    ) -> Outline {
        Outline { route: Route::through(stops), ..outline }
    }

    /// A page with a number, or an appendix. Each has as much to read, and as much to do.
    pub(in crate::html) fn with(pages: &[(&str, usize, &str)]) -> Outline {
        let mut outline = Outline::default();
        for (slug, number, needs) in pages {
            let role =
                if *number == 0 { Role::Appendix } else { Role::Chapter(*number) };
            let text = format!(
                "# A `{slug}`\n\n<!-- needs: {needs} -->\n\n\
                 See [{slug}](a.md) 1.88. Then more.\n\n{}{}",
                "```rust\na\n```\n\n".repeat(30),
                "```console\n$ a\n```\n\n".repeat(45),
            );
            let lines = lines(&text);
            let page = Page {
                slug: slug.to_string(),
                file: String::new(),
                role,
                header: header(&text),
                fences: fences(&text, &lines),
                lines,
                text,
            };
            let exercises = if *number == 2 { 20 } else { 0 };
            let title = format!("A {slug}");
            outline.add(&page, title, "Part one".to_string(), exercises);
        }
        outline
    }

    #[test]
    fn a_chapter_says_where_it_is_and_what_it_needs() {
        let pages =
            [("a", 1, "none"), ("b", 2, "a"), ("c", 3, "a,b"), ("x", 0, "none")];
        let outline = with(&pages);
        let place = |slug| outline.place(slug);
        let begin = "Part one · Chapter 1 of 3 · 30 min to read, 90 to work";
        assert_eq!(place("a").as_deref(), Some(begin));
        let end = "30 min to read, 90 to work, 20 for the exercises · needs chapter [1](a.md)";
        assert!(place("b").unwrap().ends_with(end));
        assert!(
            place("c").unwrap().ends_with(" · needs chapters [1](a.md) and [2](b.md)")
        );
        assert_eq!(place("x"), None);
        assert_eq!(outline.minutes(), (90, 270, 20));
    }

    #[test]
    fn the_place_is_below_the_title() {
        let outline = with(&[("a", 1, "none")]);
        let page = outline.opened("a", "# A\n\nText.\n# B\n");
        assert!(
            page.starts_with("# A\n\n<div class=\"place\">\n\nPart one · "),
            "{page}"
        );
        assert!(page.ends_with("\n\n</div>\n\n\nText.\n# B\n"), "{page}");
        assert_eq!(outline.opened("x", "# X\n"), "# X\n");
    }

    #[test]
    fn a_teaser_is_one_sentence() {
        let outline = with(&[("a", 1, "none"), ("x", 0, "none")]);
        let name = |slug| outline.teaser(slug).unwrap();
        assert_eq!(name("a"), ("1. A a, 30 min".to_string(), "See a 1.88."));
        assert_eq!(name("x"), ("A x".to_string(), "See x 1.88."));
    }
}
