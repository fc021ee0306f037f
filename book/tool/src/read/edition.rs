//! Editions of the book. Students get no answers that they are to find: no solutions
//! and mistakes of exercises, no answers of checkpoints, and no pages for teachers.

use crate::read::place::Place;
use crate::read::text::lines;
use clap::ValueEnum;
use std::path::PathBuf;

/// An edition of the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Edition {
    /// The whole book
    #[default]
    All,
    /// Without answers, solutions, and pages for teachers
    Students,
}

/// The pages for teachers.
pub(crate) const FOR_TEACHERS: &[&str] =
    &["teaching", "teaching-notes", "questions-for-a-test"];

pattern!(ANSWER, r#"<details id="([^"]*-check-[^"]*)""#);
pattern!(LINK, r"\]\(([a-z0-9-]+)\.md[)#]");
// A part of the landing page of which nothing is left.
pattern!(EMPTY, r#"<div class="door">\s*</div>\n*"#);

impl Edition {
    /// The name of its files, in the folder for what is built.
    pub fn name(self) -> &'static str {
        match self {
            Edition::All => "book",
            Edition::Students => "book-students",
        }
    }

    /// Returns where it is built.
    pub fn built(self, place: &Place) -> PathBuf {
        place.target.join(self.name())
    }

    /// Returns where its PDF is printed to.
    pub fn pdf(self, place: &Place) -> PathBuf {
        self.built(place).with_extension("pdf")
    }

    /// Returns whether it has solutions and answers.
    pub fn has_answers(self) -> bool {
        self == Edition::All
    }

    /// Returns whether it has this page.
    pub fn has_page(self, slug: &str) -> bool {
        self == Edition::All || !FOR_TEACHERS.contains(&slug)
    }

    /// What this edition has of a page: for students no answers of checkpoints, and no
    /// paragraph that leads to a page for teachers.
    pub fn of_page(self, page: &str) -> String {
        if self == Edition::All {
            return page.to_string();
        }
        let (mut out, mut is_answer) = (String::new(), false);
        for line in lines(page) {
            let text = &line.text;
            let is_prose = !line.is_code;
            if let Some(found) = ANSWER.captures(text).filter(|_| is_prose) {
                // Other pages lead to it: they lead to its question now.
                out += &format!("<a id=\"{}\"></a>\n", &found[1]);
                is_answer = true;
            }
            let is_left_out = |slug: &str| FOR_TEACHERS.contains(&slug);
            let leads_out = is_prose
                && LINK.captures_iter(text).any(|found| is_left_out(&found[1]));
            if !is_answer && !leads_out {
                out += &format!("{text}\n");
            }
            is_answer &= !(is_prose && text.contains("</details>"));
        }
        EMPTY.replace_all(&out, "").into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A\n\n**1.** Why?\n\n<details id=\"a-check-why\">\n<summary>Answer</summary>\n\n\
                        So.\n\n```text\n</details>\n```\n\n</details>\n\n<details id=\"a-predict-b\">\nB\n\
                        </details>\n\nFor a class: [notes](teaching-notes.md#a).\n\n\
                        <div class=\"door\">\n\n[Teach](teaching.md)\n\n</div>\n\n[C](c.md)\n";

    #[test]
    fn students_get_no_answers_and_no_ways_to_pages_for_teachers() {
        let page = Edition::Students.of_page(PAGE);
        assert_eq!(
            page,
            "# A\n\n**1.** Why?\n\n<a id=\"a-check-why\"></a>\n\n<details id=\"a-predict-b\">\nB\n</details>\n\n\n[C](c.md)\n"
        );
        assert!(!Edition::Students.has_page("teaching-notes"));
        assert_eq!(Edition::All.of_page(PAGE), PAGE);
        assert!(Edition::All.has_page("teaching-notes"));
    }
}
