//! What the pages of the short route say of it: which page of it this is, how far to read,
//! and where it goes on.

use crate::read::book::Book;
use crate::read::route::{end_of, route};
use crate::read::text::lines;

/// The pages of the short route, each with the last step that is read, if not all are.
#[derive(Debug, Default)]
pub(super) struct Route(Vec<(String, Option<usize>)>);

impl Route {
    /// Reads the route of a book.
    pub(super) fn of(book: &Book) -> Route {
        let stops = route(book).into_iter();
        Route(stops.map(|stop| (stop.page.slug.clone(), stop.until)).collect())
    }

    /// The files of its pages, in their order: `pin.html`.
    pub(super) fn files(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(slug, _)| format!("{slug}.html"))
    }

    /// `On the short route: page 3 of 15`, in Markdown; `None` for any other page.
    pub(super) fn place(&self, slug: &str) -> Option<String> {
        let index = self.0.iter().position(|(stop, _)| stop == slug)?;
        let (number, all) = (index + 1, self.0.len());
        Some(format!(
            "On the [short route](introduction.md#short-route): page {number} of {all}"
        ))
    }

    /// The place of a chapter, and how far to read. The chapters that it needs, if its top
    /// names any, and its shortcuts would lead away from the route.
    pub(super) fn reads(&self, slug: &str, names_chapters: bool) -> Option<String> {
        let place = self.place(slug)?;
        let until = match self.0.iter().find(|(stop, _)| stop == slug)?.1 {
            Some(step) => format!("the end of step {step}"),
            None => "*Predict, then run*".to_string(),
        };
        let others = match names_chapters {
            true => "the chapters named above and the shortcuts below",
            false => "the shortcuts below",
        };
        Some(format!("{place}. Read up to {until}; {others} are for other readers."))
    }

    /// A page of the route with a link to the next one, at its foot and where the route
    /// leaves it. `name` is what a page is called.
    pub(super) fn led_on(
        &self,
        slug: &str,
        page: &str,
        name: impl Fn(&str) -> Option<String>,
    ) -> String {
        let mut pairs = self.0.iter().zip(self.0.iter().skip(1));
        let Some(((_, until), (next, _))) = pairs.find(|it| it.0.0 == slug) else {
            return page.to_string();
        };
        let Some(name) = name(next) else { return page.to_string() };
        let note = |says: &str| {
            format!("<div class=\"route\">\n\n{says} [{name}]({next}.md)\n\n</div>\n")
        };
        let end = end_of(&lines(page), *until);
        let mut out = String::new();
        for (number, line) in (1..).zip(page.lines()) {
            if Some(number) == end {
                out += &note("The short route leaves this page here and goes on with");
                out.push('\n');
            }
            out += line;
            out.push('\n');
        }
        out + "\n" + &note("Next on the short route:")
    }
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::{with, with_route};
    use super::*;

    impl Route {
        pub(in crate::html) fn through(stops: &[(&str, Option<usize>)]) -> Route {
            Route(
                stops.iter().map(|(slug, until)| (slug.to_string(), *until)).collect(),
            )
        }
    }

    #[test]
    fn the_short_route_leads_from_page_to_page() {
        let outline = with(&[("a", 1, "none"), ("b", 2, "none"), ("c", 3, "a")]);
        let outline = with_route(outline, &[("a", Some(1)), ("c", None)]);
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
        let stops = [("a", Some(1)), ("c", None), ("b", None)];
        let outline = with_route(outline, &stops);
        let whole = outline.opened("c", "# C\n\nC.\n\n## Predict, then run\n\nD.\n");
        assert!(
            whole.contains("C.\n\n<div class=\"route\">\n\nThe short route"),
            "{whole}"
        );
    }
}
