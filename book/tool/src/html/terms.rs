//! The line `**Terms:** …` of a chapter becomes links into the glossary.

use regex::Captures;
use std::collections::BTreeMap;

const PAGE: &str = "glossary.md";
const MARK: &str = "**Terms:** ";

/// The glossary's terms, each with the id of its entry.
#[derive(Debug, Default)]
pub(super) struct Terms {
    /// As the glossary writes them: `Poll` is not `poll`, and `to send` not `Send`.
    exact: BTreeMap<String, String>,
    /// Without what may differ, see [`plain`].
    plain: BTreeMap<String, String>,
}

impl Terms {
    /// Reads the glossary: paragraphs that begin with an id and a term in bold.
    pub(super) fn new(glossary: &str) -> Terms {
        pattern!(ENTRY, r#"^<a id="([^"]+)"></a>.*?\*\*(.+?)\*\*"#);
        let entries = glossary.lines().filter_map(|line| ENTRY.captures(line));
        let mut terms = Terms::default();
        for entry in entries {
            for name in entry[2].split([',', ';']).map(exact) {
                terms.exact.entry(name).or_insert(entry[1].to_string());
            }
            for name in names(&entry[2]) {
                terms.plain.entry(name).or_insert(entry[1].to_string());
            }
        }
        terms
    }

    /// The id of a term's entry.
    fn id(&self, term: &str) -> Option<&String> {
        self.exact.get(&exact(term)).or_else(|| self.plain.get(&plain(term)))
    }

    /// A line of a page. What is not in the glossary stays as it is.
    pub(super) fn linked(&self, line: &str) -> String {
        let Some(list) = line.strip_prefix(MARK) else { return line.to_string() };
        let (list, end) = list.strip_suffix('.').map_or((list, ""), |list| (list, "."));
        let terms: Vec<String> = list.split(", ").map(|term| self.link(term)).collect();
        format!("{MARK}{}{end}", terms.join(", "))
    }

    /// One term, or two terms with `and` between them.
    fn link(&self, term: &str) -> String {
        if let Some(id) = self.id(term) {
            return format!("[{term}]({PAGE}#{id})");
        }
        match term.split_once(" and ") {
            Some((one, other)) => {
                format!("{} and {}", self.link(one), self.link(other))
            }
            None => term.to_string(),
        }
    }
}

/// What an entry may be called: `edge, edge-triggered` has two names, and
/// `alive (across a pause)` is `alive` and `alive across a pause`.
pub(super) fn names(title: &str) -> Vec<String> {
    pattern!(BRACKET, r"^(.*?) \(([^)]*)\)(.*)$");
    let split = |names: &str| -> Vec<String> {
        let parts = names.split([',', ';']).map(plain);
        parts.filter(|name| !name.is_empty()).collect()
    };
    let with = |found: Captures<'_>| {
        let inside = split(&found[2]).into_iter();
        let longer = inside.map(|more| format!("{} {more}", plain(&found[1])));
        longer.chain(split(&format!("{}{}", &found[1], &found[3]))).collect()
    };
    BRACKET.captures(title).map_or_else(|| split(title), with)
}

/// A term without code font.
fn exact(term: &str) -> String {
    term.replace('`', "").trim().to_string()
}

/// A term without code font, brackets, capitals, article and `to`.
fn plain(term: &str) -> String {
    let name = term.replace('`', "").to_lowercase();
    let name = name.split(" (").next().unwrap_or_default().trim();
    let article =
        ["a ", "an ", "the ", "to "].iter().find_map(|it| name.strip_prefix(it));
    let name = article.unwrap_or(name);
    name.strip_suffix(" problem").unwrap_or(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLOSSARY: &str = "# Glossary\n\n\
        <a id=\"alive\"></a>**alive (across a pause, across an await); live state**: Kept.\n\n\
        <a id=\"edge\"></a>**edge, edge-triggered**: Once.\n\n\
        <a id=\"level\"></a>**level, level-triggered**: Each time.\n\n\
        <a id=\"try\"></a><a id=\"attempt\"></a>**attempt**: One.\n\n\
        <a id=\"pin-macro\"></a>**`pin!`**: Pins.\n\n\
        <a id=\"send-trait\"></a>**`Send`**: May move.\n\n\
        <a id=\"to-send\"></a>**to send**: Gives a value.\n";

    #[track_caller]
    fn assert_linked(line: &str, linked: &str) {
        assert_eq!(Terms::new(GLOSSARY).linked(line), linked);
    }

    #[test]
    fn a_term_leads_to_its_entry_under_each_of_its_names() {
        assert_linked(
            "**Terms:** alive across an await, live state, `pin!`, an attempt.",
            "**Terms:** [alive across an await](glossary.md#alive), \
             [live state](glossary.md#alive), [`pin!`](glossary.md#pin-macro), \
             [an attempt](glossary.md#try).",
        );
    }

    #[test]
    fn a_term_leads_to_the_entry_that_is_spelled_like_it() {
        assert_linked(
            "**Terms:** `Send`, to send, sends.",
            "**Terms:** [`Send`](glossary.md#send-trait), \
             [to send](glossary.md#to-send), sends.",
        );
    }

    #[test]
    fn two_terms_in_one_are_two_links() {
        assert_linked(
            "**Terms:** edge and level.",
            "**Terms:** [edge](glossary.md#edge) and [level](glossary.md#level).",
        );
    }

    #[test]
    fn what_is_not_in_the_glossary_stays() {
        assert_linked(
            "**Terms:** level, zeal.",
            "**Terms:** [level](glossary.md#level), zeal.",
        );
        assert_linked("An attempt at a level.", "An attempt at a level.");
    }
}
