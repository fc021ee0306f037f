//! The place of each page in the book: what the top of a page and the foot of the page
//! before it say of it, and where the short route goes on.

use crate::read::book::Book;
use crate::read::page::{Page, Role};
use crate::read::route::{end_of, route};
use crate::read::text::lines;
use std::collections::BTreeMap;

/// The chapters, in the order of the summary.
#[derive(Debug, Default)]
pub(super) struct Outline {
    chapters: usize,
    pages: BTreeMap<String, Spot>,
    /// The pages of the short route, each with the last step that is read, if not all are.
    route: Vec<(String, Option<usize>)>,
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
        let stops = route(book).into_iter();
        let route = stops.map(|stop| (stop.page.slug.clone(), stop.until)).collect();
        let mut outline = Outline { route, ..Outline::default() };
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

    /// The files of the short route's pages, in their order: `pin.html`.
    pub(super) fn route(&self) -> impl Iterator<Item = String> {
        self.route.iter().map(|(slug, _)| format!("{slug}.html"))
    }

    /// A chapter with its place below its title, and a page of the short route with what
    /// comes next there; any other page as it is.
    pub(super) fn opened(&self, slug: &str, page: &str) -> String {
        let page = self.led_on(slug, page);
        let Some(place) = self.place(slug) else { return page };
        let Some((title, rest)) = page.split_once('\n') else { return page };
        format!("{title}\n\n<div class=\"place\">\n\n{place}\n\n</div>\n\n{rest}")
    }

    /// `Part three · Chapter 18 of 28 · 25 min to read, 30 to work, 20 for the exercises ·
    /// needs chapter 17`, in Markdown, and in a paragraph of its own how the short route reads it.
    fn place(&self, slug: &str) -> Option<String> {
        let spot = self.pages.get(slug)?;
        let mut parts = match spot.role {
            Role::Appendix => return self.on_route(slug),
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
        parts.extend(self.needs(spot));
        let place = parts.join(" · ");
        let Some(on_route) = self.on_route(slug) else { return Some(place) };
        let until = match self.until(slug) {
            Some(step) => format!("the end of step {step}"),
            None => "*Predict, then run*".to_string(),
        };
        // Both would lead away from the route.
        let others = match self.needs(spot) {
            Some(_) => "the chapters named above and the shortcuts below",
            None => "the shortcuts below",
        };
        Some(format!(
            "{place}\n\n{on_route}. Read up to {until}; {others} are for other readers."
        ))
    }

    /// `On the short route: page 3 of 15`, in Markdown.
    fn on_route(&self, slug: &str) -> Option<String> {
        let index = self.route.iter().position(|(stop, _)| stop == slug)?;
        let (number, all) = (index + 1, self.route.len());
        Some(format!(
            "On the [short route](introduction.md#short-route): page {number} of {all}"
        ))
    }

    /// The last step of a page that the short route reads, if it does not read all steps.
    fn until(&self, slug: &str) -> Option<usize> {
        self.route.iter().find(|(stop, _)| stop == slug)?.1
    }

    /// A page of the short route with a link to the next one, at its foot and where the route
    /// leaves it.
    fn led_on(&self, slug: &str, page: &str) -> String {
        let pairs = self.route.iter().zip(self.route.iter().skip(1));
        let Some(((_, until), (next, _))) = pairs.into_iter().find(|it| it.0.0 == slug)
        else {
            return page.to_string();
        };
        let Some((name, _)) = self.teaser(next) else { return page.to_string() };
        let note = |says: &str| {
            format!("<div class=\"route\">\n\n{says} [{name}]({next}.md)\n\n</div>\n")
        };
        let end = end_of(&lines(page), *until);
        let mut out = String::new();
        for (number, line) in (1..).zip(page.lines()) {
            if number == end {
                out += &note("The short route leaves this page here and goes on with");
                out.push('\n');
            }
            out += line;
            out.push('\n');
        }
        out + "\n" + &note("Next on the short route:")
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
    fn the_short_route_leads_from_page_to_page() {
        let mut outline = with(&[("a", 1, "none"), ("b", 2, "none"), ("c", 3, "a")]);
        outline.route = vec![("a".to_string(), Some(1)), ("c".to_string(), None)];
        let page =
            outline.opened("a", "# A\n\n## Step 1: b\n\nB.\n\n## Step 2: c\n\nC.\n");
        let place = "\n\nOn the [short route](introduction.md#short-route): page 1 of 2. Read \
                     up to the end of step 1; the shortcuts below are for other readers.\n\n";
        assert!(page.contains(place), "{page}");
        let leaves = "B.\n\n<div class=\"route\">\n\nThe short route leaves this page here and \
                      goes on with [3. A c, 30 min](c.md)\n\n</div>\n\n## Step 2";
        assert!(page.contains(leaves), "{page}");
        let foot =
            "C.\n\n<div class=\"route\">\n\nNext on the short route: [3. A c, 30 min]";
        assert!(page.contains(foot), "{page}");
        assert!(!outline.opened("b", "# B\n").contains("short route"));
        let last = outline.opened("c", "# C\n");
        let until = "page 2 of 2. Read up to *Predict, then run*; the chapters named above and \
                     the shortcuts below are for other readers.\n";
        assert!(last.contains(until) && !last.contains("Next"), "{last}");
        outline.route.push(("b".to_string(), None));
        let whole = outline.opened("c", "# C\n\nC.\n\n## Predict, then run\n\nD.\n");
        assert!(
            whole.contains("C.\n\n<div class=\"route\">\n\nThe short route"),
            "{whole}"
        );
    }

    #[test]
    fn a_teaser_is_one_sentence() {
        let outline = with(&[("a", 1, "none"), ("x", 0, "none")]);
        let name = |slug| outline.teaser(slug).unwrap();
        assert_eq!(name("a"), ("1. A a, 30 min".to_string(), "See a 1.88."));
        assert_eq!(name("x"), ("A x".to_string(), "See x 1.88."));
    }
}
