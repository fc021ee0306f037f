//! Steps that run in the page: a console block whose command runs one of them names it, and
//! `theme/run.js` puts a button below the block. Only these pages load the script, and the
//! programs are loaded when a reader asks for them.

mod command; // what a command line becomes

use self::command::attributes;
use super::PRINTED;
use super::code::text_of;
use super::programs::{self, Record, Row};
use crate::read::place::Place;
use regex::Captures;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use step::InPage;

/// The folder of the scripts, below the built book.
const FOLDER: &str = "run";

/// What a page with a button loads, from `theme`.
const SCRIPT: &str = "run.js";
const STYLE: &str = "run.css";

/// What the page of the playground loads, too, after the scripts of the step player that tell
/// what an event is.
const CRAWLS: [&str; 2] = ["remember.js", "playground.js"];
const TELLS: [&str; 3] = ["fold", "words", "say"];

/// The programs and their host, which the scripts load when a reader asks for them.
const PROGRAMS: &[&str] = &["player/wasi.js", "player/steps.js", "player/page.js"];

/// The element that `playground.js` fills.
const PLAYGROUND: &str = "<div class=\"run-all\"";

pattern!(
    BLOCK,
    r#"<pre(?<pre>[^>]*)>(?<code><code class="language-console[^"]*">)(?<command>\$ cargo [^\n]*)"#
);
/// What runs in the pages.
#[derive(Debug, Default)]
pub(super) struct Runs {
    /// The steps, by name.
    steps: BTreeMap<String, Step>,
    /// Whether the crawlers are older than the traces that are stored now.
    has_older_crawlers: bool,
}

/// How a step runs in a page.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// It does not, for this reason.
    Not(String),
    Runs {
        /// The program that has it: `steps` or `page`.
        program: String,
        /// How what it prints compares with what it prints on a terminal: `same`, `varies`,
        /// `differs`.
        prints: String,
        /// Why it differs.
        why: Option<String>,
        /// Whether another output was stored when the program was built.
        is_older: bool,
    },
}

impl Runs {
    /// Reads the record of the programs, and what the steps say. A book without programs has
    /// no buttons.
    ///
    /// # Errors
    /// The steps cannot be read.
    pub(super) fn read(place: &Place) -> Result<Runs, String> {
        let Some(record) = Record::read(place) else { return Ok(Runs::default()) };
        let steps =
            step::all(&place.root).map_err(|why| format!("the steps: {why}"))?;
        let examples = steps.into_iter().filter(|step| step.package().is_some());
        let steps = examples.map(|step| {
            let output = place.root.join(&step.file).with_extension("out");
            let output = fs::read_to_string(output).unwrap_or_default();
            let known = record.of(&step.name);
            (step.name, Step::new(step.in_a_page, known, &output))
        });
        let has_older_crawlers = record.has_older_crawls(place);
        Ok(Runs { steps: steps.collect(), has_older_crawlers })
    }

    /// The HTML of a page as mdBook has written it: blocks name the step that they run, or why
    /// they cannot, and the page loads what its buttons need. Paper has no buttons.
    pub(super) fn put_in(&self, file: &str, html: &str) -> String {
        if self.steps.is_empty() || file == PRINTED {
            return html.to_string();
        }
        let mut needs = html.contains(PLAYGROUND);
        let html = BLOCK.replace_all(html, |found: &Captures<'_>| {
            let Some(attributes) = attributes(&self.steps, &text_of(&found["command"]))
            else {
                return found[0].to_string();
            };
            needs = true;
            let (pre, code, command) =
                (&found["pre"], &found["code"], &found["command"]);
            format!("<pre{pre}{attributes}>{code}{command}")
        });
        let html = if needs { with_files(&html) } else { html.into_owned() };
        if self.has_older_crawlers { programs::marked(&html) } else { html }
    }

    /// Copies the scripts and the programs.
    ///
    /// # Errors
    /// A file cannot be copied.
    pub(super) fn write(&self, place: &Place, built: &Path) -> Result<(), String> {
        if self.steps.is_empty() {
            return Ok(());
        }
        let theme = place.book.join("theme");
        for name in [SCRIPT, STYLE].into_iter().chain(CRAWLS) {
            copy(&theme.join(name), &built.join(FOLDER).join(name))?;
        }
        for name in PROGRAMS {
            copy(&theme.join(name), &built.join(name))?;
        }
        Ok(())
    }
}

impl Step {
    /// Returns how a step runs that says this about pages, has this record, and has this
    /// output stored now.
    fn new(in_a_page: InPage, record: Option<&Row>, output: &str) -> Step {
        let why = match in_a_page {
            InPage::Not(why) => return Step::Not(why),
            InPage::Differs(why) => Some(why),
            InPage::Same => None,
        };
        let Some(record) = record else { return Step::Not(TOO_NEW.to_string()) };
        let prints = match why {
            Some(_) => "differs",
            // It no longer differs.
            None if record.prints == "differs" => "varies",
            None => &record.prints,
        };
        Step::Runs {
            program: record.program.clone(),
            prints: prints.to_string(),
            why,
            is_older: record.is_older_than(output),
        }
    }
}

const TOO_NEW: &str = "the programs of the pages were built before it was written";

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::copy(from, to)).map_err(|error| super::why(from, &error))?;
    Ok(())
}

/// A page that loads the scripts and the style sheet.
fn with_files(html: &str) -> String {
    let style = format!("<link rel=\"stylesheet\" href=\"{FOLDER}/{STYLE}\">\n</head>");
    let mut scripts = vec![format!("{FOLDER}/{SCRIPT}")];
    if html.contains(PLAYGROUND) {
        scripts.extend(TELLS.map(|name| format!("player/{name}.js")));
        scripts.extend(CRAWLS.map(|name| format!("{FOLDER}/{name}")));
    }
    let script =
        |source: &String| format!("<script defer src=\"{source}\"></script>\n");
    let scripts: String = scripts.iter().map(script).collect();
    let html = html.replacen("</head>", &style, 1);
    html.replacen("</body>", &format!("{scripts}</body>"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "steps: 5 bytes\n\
        ch09_generator steps same af63dc4c8601ec8c\n\
        ch16_poll_all steps differs af63dc4c8601ec8c\n\
        ch20_timers steps varies cbf29ce484222325\n";

    /// Steps whose stored output is the text `a`, of which two are recorded with it.
    fn runs() -> Runs {
        let record = Record::parse(RECORD);
        let step = |name: &str, in_a_page: InPage| {
            (name.to_string(), Step::new(in_a_page, record.of(name), "a"))
        };
        let steps = BTreeMap::from([
            step("ch09_generator", InPage::Same),
            step("ch16_poll_all", InPage::Differs("no \"time\"".into())),
            step("ch20_timers", InPage::Same),
            step("ch22_threads", InPage::Not("threads".into())),
            step("ch38_new", InPage::Same),
        ]);
        Runs { steps, has_older_crawlers: false }
    }

    fn page(command: &str) -> String {
        let block = format!(
            "<pre><code class=\"language-console\">{command}\nits output</code></pre>"
        );
        runs().put_in("a.html", &format!("<head></head><body>{block}</body>"))
    }

    #[test]
    fn a_block_names_the_step_that_its_command_runs() {
        for (command, attributes) in [
            (
                "cargo step ch09_generator",
                "data-run=\"ch09_generator\" data-program=\"steps\" data-prints=\"same\"",
            ),
            (
                "cargo run -p stage3-async --example ch20_timers 200000",
                "data-prints=\"varies\" data-argument=\"200000\"",
            ),
            (
                "cargo step ch16_poll_all",
                "data-prints=\"differs\" data-why=\"no &quot;time&quot;\"",
            ),
            (
                "cargo lab ch20_timers 'http://a/?b=1&amp;c=2'",
                "data-argument=\"http://a/?b=1&amp;c=2\"",
            ),
        ] {
            let html = page(&format!("$ {command}"));
            assert!(html.contains(attributes), "{html}");
            assert!(
                html.contains("run/run.js") && !html.contains("playground.js"),
                "{html}"
            );
        }
    }

    #[test]
    fn a_program_that_was_built_with_another_output_is_marked() {
        assert!(!page("$ cargo step ch09_generator").contains("data-older"));
        assert!(page("$ cargo step ch20_timers").contains(" data-older=\"\""));
    }

    #[test]
    fn older_crawlers_are_marked_where_they_run() {
        let html = "<head></head><body><div class=\"run-all\"></div></body>";
        let older = Runs { has_older_crawlers: true, ..runs() };
        assert!(older.put_in("a.html", html).contains("an earlier version"));
        assert!(!runs().put_in("a.html", html).contains("an earlier version"));
    }

    #[test]
    fn other_blocks_stay_as_they_are() {
        for command in
            ["cargo step ch02_threads", "cargo step ch09_generator | head", "cargo lab"]
        {
            let html = page(&format!("$ {command}"));
            assert!(!html.contains("run"), "{html}");
        }
    }

    #[test]
    fn a_block_that_cannot_run_here_says_why_or_leads_to_the_playground() {
        for (command, attributes) in [
            (
                "cargo step ch22_threads",
                "data-instead=\"It does not run in this page: threads.\"",
            ),
            ("cargo step ch38_new", "were built before it was written.\""),
            ("cargo lab ch09_generator https://127.0.0.1:8000/", "no https.\""),
            ("cargo lab stage3 -q https://127.0.0.1:8000/", "no https.\""),
            ("cargo lab stage1", "data-link=\"playground.html\""),
            (
                "cargo lab stage2 --max-tasks 20 'http://127.0.0.1:8000/slow?count=20&amp;ms=200'",
                "data-link=\"playground.html#tasks=20&amp;latency=200\"",
            ),
        ] {
            let html = page(&format!("$ {command}"));
            assert!(html.contains(attributes), "{html}");
            assert!(
                html.contains("run/run.js") && !html.contains("data-run"),
                "{html}"
            );
        }
    }

    #[test]
    fn only_a_page_with_a_playground_loads_its_script() {
        let html = "<head></head><body><div class=\"run-all\"></div></body>";
        assert!(runs().put_in("a.html", html).contains("run/playground.js"));
        assert_eq!(runs().put_in(PRINTED, html), html);
    }
}
