//! The first lines of a step: its idea, and what else is known of it.
//!
//! Each fact begins a line of the step's own documentation, and ends with the paragraph or
//! before the next fact:
//!
//! ```text
//! //! Threads, to compare: each waits for its own socket.
//! //!
//! //! `cargo run -p stage1-callbacks --example ch02_threads`
//! //!
//! //! Its output is compared on Linux only.
//! //! It does not run in a page: it uses threads.
//! ```

const ONLY_LINUX: &str = "Its output is compared on Linux only.";
const ALONE: &str = "The tests run it alone: ";
const DIFFERS: &str = "In a page its output differs: ";
const NOT_IN_A_PAGE: &str = "It does not run in a page: ";

/// The names by which a step uses the demo site and the parser of pages.
const BIG: [&str; 2] = ["demo_site", "shared::page"];

/// What a step says about itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    /// The first sentence of the first paragraph.
    pub(crate) idea: String,
    /// Whether other systems print something else.
    pub(crate) is_only_linux: bool,
    /// Whether no other step may run beside it.
    pub(crate) is_run_alone: bool,
    /// How it runs in a page.
    pub(crate) in_a_page: InPage,
}

/// How a step runs in a page of the book, over a simulated network and clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InPage {
    /// It prints what it prints on a terminal: a step that says nothing else.
    #[default]
    Same,
    /// It prints something else, for this reason.
    Differs(String),
    /// It does not run there, for this reason.
    Not(String),
}

impl Header {
    /// Reads the first lines of a source.
    pub(crate) fn read(text: &str) -> Header {
        let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
        let lines: Vec<&str> = lines.map(str::trim).collect();
        let reason = |key: &str| reason(&lines, key);
        Header {
            idea: idea(&lines),
            is_only_linux: lines.contains(&ONLY_LINUX),
            is_run_alone: reason(ALONE).is_some(),
            in_a_page: match (reason(NOT_IN_A_PAGE), reason(DIFFERS)) {
                (Some(why), _) => InPage::Not(why),
                (None, Some(why)) => InPage::Differs(why),
                (None, None) => InPage::Same,
            },
        }
    }
}

/// Returns whether a step with this text uses what only the program with the crawlers has.
pub(crate) fn needs_crawlers(text: &str) -> bool {
    BIG.iter().any(|module| text.contains(module))
}

fn idea(lines: &[&str]) -> String {
    let paragraph: Vec<&str> =
        lines.iter().copied().take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    paragraph.split_inclusive(". ").next().unwrap_or_default().trim().to_string()
}

/// Returns what follows the key, without the full stop.
fn reason(lines: &[&str], key: &str) -> Option<String> {
    let is_next = |line: &&str| {
        line.is_empty()
            || [ONLY_LINUX, ALONE, DIFFERS, NOT_IN_A_PAGE]
                .iter()
                .any(|it| line.starts_with(it))
    };
    let start = lines.iter().position(|line| line.starts_with(key))?;
    let rest = lines[start + 1..].iter().copied().take_while(|line| !is_next(line));
    let first = lines[start].strip_prefix(key)?;
    let reason: Vec<&str> = [first].into_iter().chain(rest).collect();
    Some(reason.join(" ").trim_end_matches('.').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_says_only_its_idea_runs_everywhere() {
        let header =
            Header::read("//! An idea of two\n//! lines. More.\n//!\n//! `cargo`\n");
        let expected =
            Header { idea: "An idea of two lines.".into(), ..Header::default() };
        assert_eq!(header, expected);
        assert!(!header.is_run_alone);
        assert_eq!(expected.in_a_page, InPage::Same);
    }

    #[test]
    fn each_fact_begins_a_line_and_ends_before_the_next() {
        let all = "//! An idea.\n//!\n//! In a page its output differs: no\n//! memory. Really.\n\
                   //! Its output is compared on Linux only.\n\
                   //! The tests run it alone: it takes\n//! its time.\n\nfn main() {}\n";
        let header = Header::read(all);
        assert!(header.is_only_linux && header.is_run_alone);
        assert_eq!(header.in_a_page, InPage::Differs("no memory. Really".into()));
        let not = "//! An idea.\n//!\n//! It does not run in a page: threads.\n//!\n//! More.\n";
        assert_eq!(Header::read(not).in_a_page, InPage::Not("threads".into()));
    }

    /// With a slip of the pen a fact would be a sentence like any other.
    #[test]
    fn what_begins_like_a_fact_is_one() {
        let begins = ["Its output is", "The tests run", "In a page", "It does not run"];
        let keys = [ALONE, DIFFERS, NOT_IN_A_PAGE];
        let steps = crate::all(crate::root()).expect("the steps are here");
        for step in steps {
            let text = std::fs::read_to_string(crate::root().join(&step.file))
                .expect("a step is text");
            let lines = text.lines().filter_map(|line| line.strip_prefix("//! "));
            let like =
                lines.filter(|line| begins.iter().any(|it| line.starts_with(it)));
            for line in like {
                let begins = keys.iter().any(|it| line.starts_with(it));
                assert!(begins || line == ONLY_LINUX, "{}: {line}", step.name);
            }
        }
    }

    #[test]
    fn a_fact_below_the_code_is_none() {
        let text = "//! An idea.\n\n//! Its output is compared on Linux only.\n";
        assert!(!Header::read(text).is_only_linux);
    }
}
