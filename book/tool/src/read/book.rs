//! The whole book: its pages in the order of `SUMMARY.md`, and the project that it shows.

use crate::read::page::{Page, Role};
use crate::read::place::{Place, files};
use crate::read::problem::Problem;
use crate::read::project::Project;
use runner::material::{self, Exercise};
use std::fs;
use std::path::PathBuf;

/// All pages that are there.
#[derive(Clone, Debug)]
pub struct Book {
    /// Where it is.
    pub place: Place,
    /// Its pages, in order.
    pub pages: Vec<Page>,
    /// What its summary lists.
    pub summary: Vec<Entry>,
    /// What it shows.
    pub project: Project,
    /// Its exercises, or why they cannot be read.
    pub exercises: Result<Vec<Exercise>, String>,
}

/// A line of the summary.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its number in the summary, from 1.
    pub line: usize,
    /// The title that the summary gives.
    pub title: String,
    /// The page's file, without `.md`.
    pub slug: String,
    /// Which part of the book it belongs to.
    pub role: Role,
    /// The name of that part, `Part one`; empty outside of the chapters.
    pub part: String,
}

/// The cases of all exercises, below the root.
pub use runner::material::CHECKS as CASES;

/// The page that opens first. It is not a chapter.
pub const LANDING: &str = "index";

impl Book {
    /// Reads the book.
    ///
    /// # Errors
    /// There is no summary: no order, and no numbers.
    pub fn read(place: &Place) -> Result<Book, Problem> {
        let summary = summary(place)?;
        let read = |it: &Entry| Page::read(place, &it.slug, it.role);
        let pages = summary.iter().filter_map(read).collect();
        let project = Project::read(&place.root);
        let exercises = material::exercises(&place.root);
        Ok(Book { place: place.clone(), pages, summary, project, exercises })
    }

    /// Its exercises, in the order of the book. None if they cannot be read, which a rule
    /// reports.
    pub fn exercises(&self) -> &[Exercise] {
        self.exercises.as_deref().unwrap_or_default()
    }

    /// An exercise by its name.
    pub fn exercise(&self, name: &str) -> Option<&Exercise> {
        self.exercises().iter().find(|it| it.name == name)
    }

    /// Those of a chapter, in their order.
    pub fn exercises_of<'a>(
        &'a self,
        slug: &str,
    ) -> impl Iterator<Item = &'a Exercise> {
        self.exercises().iter().filter(move |it| it.chapter == slug)
    }

    /// The files that the exercises of the pages are made from, with starts that are made.
    pub fn files_of_exercises(&self) -> Vec<PathBuf> {
        let own =
            |it: &Exercise| ["rs", "md", "txt"].map(|kind| files(&it.folder, kind));
        let mut all: Vec<PathBuf> =
            self.exercises().iter().flat_map(own).flatten().collect();
        let made = self.exercises().iter().map(|it| it.folder.join("start.rs"));
        all.extend(made.filter(|start| !start.exists()));
        all.extend(files(&self.place.root.join(CASES), "rs"));
        all
    }

    /// The chapters, with the introduction, in their order.
    pub fn chapters(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|page| page.role != Role::Appendix)
    }

    /// A page by its slug.
    pub fn page(&self, slug: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.slug == slug)
    }
}

/// What `SUMMARY.md` lists. A folder of texts without one is in the order of our own.
///
/// # Errors
/// There is none.
fn summary(place: &Place) -> Result<Vec<Entry>, Problem> {
    let own = Place::new(None, None);
    let file = place.book.join("src/SUMMARY.md");
    let text = fs::read_to_string(&file)
        .or_else(|_| fs::read_to_string(own.book.join("src/SUMMARY.md")))
        .map_err(|error| Problem::new(place.shown(&file), 0, format!("{error}")))?;
    Ok(entries(&text))
}

fn entries(text: &str) -> Vec<Entry> {
    pattern!(LINK, r"^(-\s+)?\[(.+)\]\((.+)\.md\)\s*$");
    let mut entries: Vec<Entry> = Vec::new();
    let (mut chapters, mut heading) = (0, "");
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(title) = text.strip_prefix("# ") {
            heading = title.split(':').next().unwrap_or_default();
        }
        let Some(found) = LINK.captures(text) else { continue };
        let role = match found.get(1) {
            None if &found[3] == LANDING => Role::Appendix,
            None if chapters == 0 => Role::Introduction,
            None => Role::Appendix,
            Some(_) => {
                chapters += 1;
                Role::Chapter(chapters)
            }
        };
        let (title, slug) = (found[2].to_string(), found[3].to_string());
        let part =
            if found.get(1).is_some() { heading.to_string() } else { String::new() };
        entries.push(Entry { line, title, slug, role, part });
    }
    let last = entries.iter_mut().find(|entry| entry.role == Role::Chapter(chapters));
    if let Some(entry) = last {
        entry.role = Role::Last(chapters);
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_from_the_summary() {
        let text = "# Book\n\n[Book](index.md)\n[In](in.md)\n# Part one: a\n- [A](a.md)\n\
                    - [B](b.md)\n\n[X](x.md)\n";
        let found = entries(text);
        let found: Vec<(Role, &str)> =
            found.iter().map(|entry| (entry.role, entry.part.as_str())).collect();
        let all = [
            (Role::Appendix, ""),
            (Role::Introduction, ""),
            (Role::Chapter(1), "Part one"),
            (Role::Last(2), "Part one"),
            (Role::Appendix, ""),
        ];
        assert_eq!(found, all);
    }
}
