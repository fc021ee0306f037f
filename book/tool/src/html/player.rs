//! Step players: a page that includes the table of a trace gets one, if the trace can be
//! played. The table stays where it is, for paper, screen readers, and browsers without
//! JavaScript. Only these pages load the player's scripts.

use super::PRINTED;
use super::board;
use super::code;
use super::highlight::escaped;
use super::scripts::{FOLDER, joined};
use super::source::{Sources, page_of};
use crate::read::place::{Place, files};
use crate::read::player::{Lines, Player};
use crate::read::text::code as code_lines;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The scripts, in the order in which they run: a page loads all of them as one file.
const SCRIPTS: &[&str] = &[
    "fold", "words", "say", "causes", "parts", "pages", "figure", "lanes", "stops",
    "turns", "controls", "player", "link",
];

/// The file that has all of them, in the built book.
const JOINED: &str = "player";

pattern!(TABLE, r"^\{\{#include \.\./(?:traces/|made/player-)([\w-]+)\.md\}\}$");
pattern!(PLACE, r#"<div class="trace" data-player="([\w-]+)">"#);

/// The files in which a fetch waits for its socket: the playground shows what remembers it.
/// (`theme/remember.js` finds the types and the lines in them by the events of a run.)
const WAITS: [(&str, &[&str]); 3] = [
    ("stage1-callbacks", &["connect.rs", "fetcher.rs"]),
    ("stage2-generators", &["fetch.rs"]),
    ("stage3-async", &["fetch.rs", "machine/net.rs"]),
];

/// The players of all pages.
#[derive(Debug, Default)]
pub(super) struct Players(BTreeMap<String, Player>);

impl Players {
    /// A page in which each table of a trace that can be played is inside an element that
    /// names it.
    ///
    /// # Errors
    /// A trace, or what is written for its player, cannot be read.
    pub(super) fn put_into(
        &mut self,
        place: &Place,
        page: &str,
    ) -> Result<String, String> {
        let mut out = String::new();
        for (line, is_code) in page.lines().zip(code_lines(page)) {
            let table = TABLE.captures(line).filter(|_| !is_code);
            let player = table.map(|it| Player::read(place, &it[1])).transpose()?;
            match player.flatten() {
                Some(player) => {
                    let name = &player.name;
                    let _ = writeln!(
                        out,
                        "<div class=\"trace\" data-player=\"{name}\">\n\n{line}\n\n</div>"
                    );
                    self.0.insert(name.clone(), player);
                }
                None => {
                    out += line;
                    out.push('\n');
                }
            }
        }
        Ok(out)
    }

    /// Writes the scripts, and the data of each player.
    ///
    /// # Errors
    /// A file cannot be written, or a trace names a line that is not there.
    pub(super) fn write(
        &self,
        place: &Place,
        built: &Path,
        sources: &mut Sources,
    ) -> Result<(), String> {
        if self.0.is_empty() {
            return Ok(());
        }
        let (from, to) = (place.book.join("theme").join(FOLDER), built.join(FOLDER));
        fs::create_dir_all(&to).map_err(|error| super::why(&to, &error))?;
        // All of them: the playground needs a few by themselves.
        for file in files(&from, "js").into_iter().chain(files(&from, "css")) {
            let copy = to.join(file.file_name().unwrap_or_default());
            fs::copy(&file, &copy).map_err(|error| super::why(&copy, &error))?;
        }
        let put = |name: &str, text: String| {
            let file = to.join(name).with_extension("js");
            fs::write(&file, text).map_err(|error| super::why(&file, &error))
        };
        put(JOINED, joined(&from, SCRIPTS)?)?;
        for (name, script) in board::files(&from)? {
            put(name, script)?;
        }
        for (name, player) in &self.0 {
            let script = player.script(&mut Files { place, sources });
            let script = script.map_err(|why| format!("traces/{name}: {why}"))?;
            put(name, script)?;
        }
        put("sources", where_fetches_wait(&mut Files { place, sources }))
    }

    /// The HTML of a page, which loads what its players need.
    pub(super) fn put_in(&self, file: &str, html: &str) -> String {
        let names: Vec<&str> =
            PLACE.captures_iter(html).map(|it| it.extract::<1>().1[0]).collect();
        if names.is_empty() || file == PRINTED {
            return html.to_string();
        }
        let style =
            format!("<link rel=\"stylesheet\" href=\"{FOLDER}/player.css\">\n</head>");
        let script = |name: &str| {
            format!("<script defer src=\"{FOLDER}/{name}.js\"></script>\n")
        };
        let data = names.into_iter();
        let scripts: String = data.chain([JOINED]).map(script).collect();
        let html = html.replacen("</head>", &style, 1);
        html.replacen("</body>", &format!("{scripts}</body>"), 1)
    }
}

/// The script with the sources in which a fetch waits: for each stage its files, and of each
/// the page and the lines as HTML.
fn where_fetches_wait(files: &mut Files<'_>) -> String {
    let mut stages = BTreeMap::new();
    for (stage, names) in WAITS {
        let mut found = BTreeMap::new();
        for name in names {
            let path = format!("{stage}/src/{name}");
            let Some((html, _)) = files.lines(&path) else { continue };
            found.insert(format!("src/{name}"), json!([page_of(&path), html]));
        }
        stages.insert(stage, found);
    }
    format!("Player.sources = {};\n", json!(stages))
}

/// The sources of the book's pages, for the players.
struct Files<'a> {
    place: &'a Place,
    sources: &'a mut Sources,
}

impl Lines for Files<'_> {
    fn lines(&mut self, path: &str) -> Option<(&[String], &[String])> {
        let name = self.sources.add(self.place, &self.place.root.join(path))?;
        self.sources.get(&name)
    }

    fn about(&self, path: &str, number: usize) -> (String, Option<String>) {
        let text = self.sources.get(path).map_or(&[][..], |(_, text)| text);
        let around = code::around(text, number).map(|it| escaped(&it));
        (page_of(path), around)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_in_a_code_block_stays_as_it_is() {
        let table = "{{#include ../traces/queue-join.md}}\n";
        let code = format!("```text\n{table}```\n");
        let put = |page: &str| {
            Players::default().put_into(&Place::new(None, None), page).unwrap()
        };
        assert_eq!(put(&code), code);
        let place = "<div class=\"trace\" data-player=\"queue-join\">\n\n";
        assert_eq!(put(table), format!("{place}{table}\n</div>\n"));
        let table = "{{#include ../made/player-no-locks-one-set.md}}\n";
        assert!(put(table).contains("data-player=\"no-locks-one-set\""));
    }

    #[test]
    fn only_a_page_with_a_player_loads_its_scripts() {
        let html =
            "<head></head><body><div class=\"trace\" data-player=\"a\"></div></body>";
        let players = Players::default();
        let page = players.put_in("pin.html", html);
        for part in [
            "src=\"player/a.js\"",
            "href=\"player/player.css\"",
            "src=\"player/player.js\"",
        ] {
            assert!(page.contains(part), "no {part} in {page}");
        }
        assert!(!players.put_in(PRINTED, html).contains("<script"));
        assert_eq!(players.put_in("pin.html", "<head></head>"), "<head></head>");
    }
}
