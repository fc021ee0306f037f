//! A page of the book: its file, its role, and what `reading` finds in its text.

use crate::read::include::Include;
use crate::read::place::Place;
use crate::read::problem::Problem;
use crate::read::text::{Fence, Header, Line, fences, header, lines};
use std::fs;

// A fold, and its id.
pattern!(pub(crate) DETAILS, r#"<details(?:\s+id="([^"]*)")?[^>]*>"#);

/// Parts that do not count as teaching.
pub(super) const ASIDE: &[&str] =
    &["Predict, then run", "Python ↔ Rust", "Checkpoint", "Recap"];

/// The part of the book that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Before the first part: chapter 0.
    Introduction,
    /// A chapter with its number.
    Chapter(usize),
    /// The last chapter.
    Last(usize),
    /// Not a chapter: the landing page, or a page after the chapters.
    Appendix,
}

impl Role {
    /// Its number, of a chapter that has one.
    pub fn number(self) -> Option<usize> {
        match self {
            Role::Chapter(number) | Role::Last(number) => Some(number),
            Role::Introduction | Role::Appendix => None,
        }
    }
}

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its file's name, without `.md`.
    pub slug: String,
    /// Its file, as a person would write the path.
    pub file: String,
    /// Which part of the book it is.
    pub role: Role,
    /// All of it.
    pub text: String,
    /// What its opening comment says.
    pub header: Header,
    /// Its lines, each with what it belongs to.
    pub lines: Vec<Line>,
    /// Its code blocks.
    pub fences: Vec<Fence>,
}

impl Page {
    /// Reads a page. `None`: its file is not there.
    pub fn read(place: &Place, slug: &str, role: Role) -> Option<Page> {
        let file = place.page(slug);
        let text = fs::read_to_string(&file).ok()?;
        let lines = lines(&text);
        let fences = fences(&text, &lines);
        Some(Page {
            slug: slug.to_string(),
            file: place.shown(&file),
            role,
            header: header(&text),
            lines,
            fences,
            text,
        })
    }

    /// Something wrong in this page.
    pub fn problem(&self, line: usize, text: impl Into<String>) -> Problem {
        Problem::new(&self.file, line, text)
    }

    /// The text of its heading, in Markdown.
    pub fn heading(&self) -> Option<&str> {
        self.prose().find_map(|line| line.text.strip_prefix("# ")).map(str::trim)
    }

    /// Its title: the text of its heading, without marks.
    pub fn title(&self) -> Option<String> {
        Some(self.heading()?.replace('`', ""))
    }

    /// The minutes that it takes to read it, and then to work through it, in steps of five:
    /// 90 words a minute and a minute for each listing, two minutes to type a command and
    /// read what it prints, and five for two questions.
    pub fn minutes(&self) -> (usize, usize) {
        let in_fives = |minutes: f64| (minutes / 5.0).round() as usize * 5;
        let read = self.words() as f64 / 90.0 + self.listings() as f64;
        let work = self.runs() as f64 * 2.0 + self.questions() as f64 * 2.5;
        (in_fives(read), in_fives(work))
    }

    /// The words that teach: neither code nor tables, nor what is folded away.
    pub fn words(&self) -> usize {
        let teaches =
            |line: &&Line| !ASIDE.contains(&line.section.as_str()) && line.folded == 0;
        self.prose().filter(teaches).map(words_of).sum()
    }

    /// The listings of the parts that teach.
    pub fn listings(&self) -> usize {
        let is_counted = |fence: &&Fence| {
            fence.is_rust() && !ASIDE.contains(&fence.section.as_str())
        };
        self.fences.iter().filter(is_counted).count()
    }

    /// The runs that a reader is shown.
    pub fn runs(&self) -> usize {
        self.fences.iter().filter(|fence| fence.info == "console").count()
    }

    /// The predictions, and the questions of the checkpoint.
    pub fn questions(&self) -> usize {
        let is_one = |id: &str| id.contains("-predict-") || id.contains("-check-");
        self.folds().iter().filter(|(_, id)| is_one(id)).count()
    }

    /// The ids of what is folded, with their lines.
    pub fn folds(&self) -> Vec<(usize, String)> {
        let id = |line: &Line| {
            let found = DETAILS.captures(&line.text)?;
            Some((line.number, found.get(1)?.as_str().to_string()))
        };
        self.prose().filter_map(id).collect()
    }

    /// Its headings of the second level, with their lines.
    pub fn sections(&self) -> Vec<(usize, &str)> {
        let headings = self.lines.iter().filter(|line| !line.is_code);
        headings
            .filter_map(|line| {
                Some((line.number, line.text.strip_prefix("## ")?.trim()))
            })
            .collect()
    }

    /// The prose: lines that are neither code nor comment.
    pub fn prose(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| !line.is_code && !line.is_comment)
    }

    /// What it includes outside of code, with the lines.
    pub fn includes(&self, place: &Place) -> Vec<(usize, Include)> {
        let include =
            |line: &Line| Some((line.number, Include::parse(place, &line.text)?));
        self.lines.iter().filter(|line| !line.is_comment).filter_map(include).collect()
    }
}

/// The words of a line of prose. A heading has none, and a row of a table neither.
pub(crate) fn words_of(line: &Line) -> usize {
    pattern!(MARKS, r"<[^>]*>|\]\([^)]*\)|\{\{[^}]*\}\}");
    if line.text.trim_start().starts_with(['|', '#']) {
        return 0;
    }
    let text = MARKS.replace_all(&line.text, " ");
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    text.split_whitespace().filter(is_word).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_follow_from_what_there_is_to_read_and_to_do() {
        let fence = |info: &str| format!("```{info}\na\n```\n\n");
        let text = format!(
            "# A\n\n{}## Step 1: b\n\n{}{}## Predict, then run\n\nNot counted.\n\n{}\
             <details id=\"a-predict-b\">\n<summary>C</summary>\n\nFolded.\n\n</details>\n",
            "word ".repeat(900) + "\n\n",
            fence("rust,ignore").repeat(3),
            fence("console").repeat(9),
            fence("rust"),
        );
        let folder = tempfile::tempdir().expect("a folder for this test");
        let place = Place::new(Some(folder.path().to_path_buf()), None);
        fs::create_dir(folder.path().join("src")).expect("it is ours");
        fs::write(place.page("a"), &text).expect("it is ours");
        let page = Page::read(&place, "a", Role::Chapter(1)).expect("it was written");
        let counts = (page.words(), page.listings(), page.runs(), page.questions());
        assert_eq!(counts, (900, 3, 9, 1));
        assert_eq!(page.minutes(), (15, 20));
    }
}
