//! Steps that run in the page: a console block whose command runs one of them names it, and
//! `theme/run.js` puts a button below the block. Only these pages load the script, and the
//! programs are loaded when a reader asks for them.

use super::code::text_of;
use super::highlight::escaped;
use crate::place::Place;
use regex::Captures;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The table of the steps that run over the simulated system.
const TABLE: &str = "tests/sim/steps/steps.txt";

/// The folder of the scripts, below the built book.
const FOLDER: &str = "run";

/// What a page with a button loads, from `theme`.
const SCRIPT: &str = "run.js";
const STYLE: &str = "run.css";

/// What the page of the playground loads, too.
const CRAWLS: &str = "playground.js";

/// The programs and their host, which the scripts load when a reader asks for them.
const PROGRAMS: &[&str] = &["player/wasi.js", "player/steps.js", "player/page.js"];

/// All pages in one, to be printed.
const PRINTED: &str = "print.html";

/// The element that `playground.js` fills.
const PLAYGROUND: &str = "<div class=\"run-all\"";

pattern!(
    BLOCK,
    r#"<pre(?<pre>[^>]*)>(?<code><code class="language-console[^"]*">)(?<command>\$ cargo [^\n]*)"#
);
pattern!(
    COMMAND,
    r"^\$ cargo (?:run(?: -q| --release| -p [\w-]+)* --example|step|lab) (?<name>ch\w+)(?: (?:'(?<quoted>[^']*)'|(?<bare>[^\s'|&>]+)))?$"
);

/// The steps that run in a page, by name.
#[derive(Debug, Default)]
pub(super) struct Runs(BTreeMap<String, Step>);

/// A line of the table.
#[derive(Debug)]
struct Step {
    /// The program that has the step: `steps` or `page`.
    program: String,
    /// How what it prints compares with what it prints on a terminal: `same`, `varies`,
    /// `differs`.
    prints: String,
    /// Why it is not the same.
    why: String,
}

impl Runs {
    /// Reads the table. A book of a project without one has no buttons.
    ///
    /// # Errors
    /// A line is not a line of the table.
    pub(super) fn read(place: &Place) -> Result<Runs, String> {
        let text = fs::read_to_string(place.root.join(TABLE)).unwrap_or_default();
        let is_row = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let mut steps = BTreeMap::new();
        for line in text.lines().filter(is_row) {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [name, program, prints, why] = cells[..] else {
                return Err(format!("{TABLE}: `{line}` has not four columns"));
            };
            if program != "-" {
                let [program, prints, why] =
                    [program, prints, why].map(ToString::to_string);
                steps.insert(name.to_string(), Step { program, prints, why });
            }
        }
        Ok(Runs(steps))
    }

    /// The HTML of a page as mdBook has written it: blocks name the step that they run, and
    /// the page loads what its buttons need. Paper has no buttons.
    pub(super) fn put_in(&self, file: &str, html: &str) -> String {
        if self.0.is_empty() || file == PRINTED {
            return html.to_string();
        }
        let mut needs = html.contains(PLAYGROUND);
        let html = BLOCK.replace_all(html, |found: &Captures<'_>| {
            let Some(attributes) = self.attributes(&text_of(&found["command"])) else {
                return found[0].to_string();
            };
            needs = true;
            let (pre, code, command) =
                (&found["pre"], &found["code"], &found["command"]);
            format!("<pre{pre}{attributes}>{code}{command}")
        });
        if needs { with_files(&html) } else { html.into_owned() }
    }

    /// The attributes of a block with this command. `None`: it runs no step that can run in a
    /// page. There is no https in a page.
    fn attributes(&self, command: &str) -> Option<String> {
        let found = COMMAND.captures(command.trim_end())?;
        let step = self.0.get(&found["name"])?;
        let argument = found.name("quoted").or(found.name("bare"));
        let argument = argument.map(|it| it.as_str());
        if argument.is_some_and(|it| it.starts_with("https:")) {
            return None;
        }
        let mut html = String::new();
        let values = [
            ("run", Some(&found["name"])),
            ("program", Some(&step.program)),
            ("prints", Some(&step.prints)),
            ("argument", argument),
            ("why", Some(step.why.as_str()).filter(|why| !why.is_empty())),
        ];
        for (name, value) in values {
            if let Some(value) = value {
                let value = escaped(value).replace('"', "&quot;");
                let _ = write!(html, " data-{name}=\"{value}\"");
            }
        }
        Some(html)
    }

    /// Copies the scripts and the programs.
    ///
    /// # Errors
    /// A file cannot be copied.
    pub(super) fn write(&self, place: &Place) -> Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        let theme = place.book.join("theme");
        for name in [SCRIPT, CRAWLS, STYLE] {
            copy(&theme.join(name), &place.built().join(FOLDER).join(name))?;
        }
        for name in PROGRAMS {
            copy(&theme.join(name), &place.built().join(name))?;
        }
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::copy(from, to)).map_err(|error| super::why(from, &error))?;
    Ok(())
}

/// A page that loads the scripts and the style sheet.
fn with_files(html: &str) -> String {
    let style = format!("<link rel=\"stylesheet\" href=\"{FOLDER}/{STYLE}\">\n</head>");
    let script =
        |name: &str| format!("<script defer src=\"{FOLDER}/{name}\"></script>\n");
    let has_playground = html.contains(PLAYGROUND);
    let scripts = [SCRIPT].into_iter().chain(has_playground.then_some(CRAWLS));
    let scripts: String = scripts.map(script).collect();
    let html = html.replacen("</head>", &style, 1);
    html.replacen("</body>", &format!("{scripts}</body>"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs() -> Runs {
        let step = |prints: &str, why: &str| Step {
            program: "steps".to_string(),
            prints: prints.to_string(),
            why: why.to_string(),
        };
        Runs(BTreeMap::from([
            ("ch09_generator".to_string(), step("same", "")),
            ("ch20_timers".to_string(), step("varies", "the times")),
        ]))
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
                "data-argument=\"200000\" data-why=\"the times\"",
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
    fn other_blocks_stay_as_they_are() {
        for command in [
            "cargo step ch02_threads",
            "cargo lab stage3 http://127.0.0.1:8000/",
            "cargo step ch09_generator | head",
            "cargo lab ch09_generator https://127.0.0.1:8000/",
        ] {
            let html = page(&format!("$ {command}"));
            assert!(!html.contains("run"), "{html}");
        }
    }

    #[test]
    fn only_a_page_with_a_playground_loads_its_script() {
        let html = "<head></head><body><div class=\"run-all\"></div></body>";
        assert!(runs().put_in("a.html", html).contains("run/playground.js"));
        assert_eq!(runs().put_in(PRINTED, html), html);
    }
}
