//! Step players: a page that includes the table of a trace gets one, if the trace can be
//! played. The table stays where it is, for paper, screen readers, and browsers without
//! JavaScript. Only these pages load the player's scripts.

use super::PRINTED;
use super::code;
use super::highlight::escaped;
use super::source::{Sources, page_of};
use crate::read::place::{Place, files};
use crate::read::player::{Lines, Player};
use crate::read::text::code as code_lines;
use regex::Captures;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The folder of the scripts and of the data, below the theme's and the built book's.
pub(super) const FOLDER: &str = "player";

/// The scripts, in the order in which a page loads them.
const SCRIPTS: &[&str] = &[
    "fold", "words", "say", "parts", "figure", "lanes", "stops", "controls", "player",
    "link",
];

pattern!(TABLE, r"^\{\{#include \.\./traces/([\w-]+)\.md\}\}$");
pattern!(MARK, r"^\{\{player ([\w-]+)\}\}$");
pattern!(PLACE, r#"(?s)<div class="trace" data-player="([\w-]+)">.*?</tbody>"#);
pattern!(ROW, r"<tbody>|<tr>");

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
            let mark = MARK.captures(line).filter(|_| !is_code);
            let table = TABLE.captures(line).filter(|_| !is_code);
            let name = mark.as_ref().or(table.as_ref()).map(|it| it[1].to_string());
            let player = name.as_deref().map(|name| Player::read(place, name));
            let player = player.transpose()?.flatten();
            if mark.is_some() && player.is_none() {
                return Err(format!("`{line}`: there is no such trace in traces/"));
            }
            match player {
                Some(player) => {
                    let name = &player.name;
                    let table =
                        if mark.is_some() { player.table() } else { line.to_string() };
                    let _ = writeln!(
                        out,
                        "<div class=\"trace\" data-player=\"{name}\">\n\n{table}\n\n</div>"
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
        for file in files(&from, "js").into_iter().chain(files(&from, "css")) {
            let copy = to.join(file.file_name().unwrap_or_default());
            fs::copy(&file, &copy).map_err(|error| super::why(&copy, &error))?;
        }
        for (name, player) in &self.0 {
            let script = player.script(&mut Files { place, sources });
            let script = script.map_err(|why| format!("traces/{name}: {why}"))?;
            let file = to.join(format!("{name}.js"));
            fs::write(&file, script).map_err(|error| super::why(&file, &error))?;
        }
        Ok(())
    }

    /// The HTML of a page: the rows of its traces get ids, to which links lead with and
    /// without JavaScript, and it loads what its players need.
    pub(super) fn put_in(&self, file: &str, html: &str) -> String {
        let mut names: Vec<String> = Vec::new();
        let with_ids = PLACE.replace_all(html, |found: &Captures<'_>| {
            names.push(found[1].to_string());
            with_ids(&found[0], &found[1])
        });
        if names.is_empty() || file == PRINTED {
            return with_ids.into_owned();
        }
        let style =
            format!("<link rel=\"stylesheet\" href=\"{FOLDER}/player.css\">\n</head>");
        let script = |name: &str| {
            format!("<script defer src=\"{FOLDER}/{name}.js\"></script>\n")
        };
        let data = names.iter().map(String::as_str);
        let scripts: String = data.chain(SCRIPTS.iter().copied()).map(script).collect();
        let html = with_ids.replacen("</head>", &style, 1);
        html.replacen("</body>", &format!("{scripts}</body>"), 1)
    }
}

/// A table whose rows have ids: `trace=NAME@1` is the first one below the head.
fn with_ids(table: &str, name: &str) -> String {
    let mut row = None;
    let id = |found: &Captures<'_>| {
        row = match (&found[0], row) {
            ("<tbody>", _) => Some(0),
            (_, row) => row.map(|it: usize| it + 1),
        };
        match row {
            Some(row) if row > 0 => format!("<tr id=\"trace={name}@{row}\">"),
            _ => found[0].to_string(),
        }
    };
    ROW.replace_all(table, id).into_owned()
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
    fn rows_get_ids_and_the_head_gets_none() {
        let html = "<table><thead><tr><th>step</th></tr></thead><tbody><tr><td>1</td></tr>\
                    <tr><td>2</td></tr></tbody>";
        let with_ids = with_ids(html, "a-b");
        assert!(with_ids.contains("<thead><tr>"), "{with_ids}");
        assert!(with_ids.contains("<tr id=\"trace=a-b@2\"><td>2"), "{with_ids}");
    }

    #[test]
    fn a_mark_in_a_code_block_stays_as_it_is() {
        let page = "```text\n{{player some-trace}}\n{{#include ../traces/some-trace.md}}\n```\n";
        let place = Place::new(None, None);
        let (mut players, mark) = (Players::default(), "{{player some-trace}}\n");
        assert_eq!(players.put_into(&place, page).as_deref(), Ok(page));
        assert!(players.put_into(&place, &format!("{page}{mark}")).is_err());
    }

    #[test]
    fn only_a_page_with_a_player_loads_its_scripts() {
        let html = "<head></head><body><div class=\"trace\" data-player=\"a\"><tbody><tr>\
                    </tbody></div></body>";
        let players = Players::default();
        let page = players.put_in("pin.html", html);
        for part in [
            "src=\"player/a.js\"",
            "href=\"player/player.css\"",
            "src=\"player/fold.js\"",
        ] {
            assert!(page.contains(part), "no {part} in {page}");
        }
        assert!(!players.put_in(PRINTED, html).contains("<script"));
        assert_eq!(players.put_in("pin.html", "<head></head>"), "<head></head>");
    }
}
