//! What a page needs for its readers' screens, and is in its HTML from the start: if a script made
//! it, the text would move while it is read.

use super::search::is_answer;
use regex::Captures;

// Headings that most chapters have: they say nothing about a page.
const COMMON: &[&str] = &[
    "Where we are",
    "The idea",
    "Predict, then run",
    "Python ↔ Rust",
    "Where it breaks",
    "Checkpoint",
    "Recap",
];

/// A list of fewer parts is of no use.
const FEWEST_PARTS: usize = 3;

/// A table with fewer columns fits a phone as it is.
const FEWEST_COLUMNS: usize = 3;

/// A cell with more characters holds a text, and not only numbers.
const LONG: usize = 30;

pattern!(
    HEADING,
    r##"(?s)<h2 id="([^"]+)"><a class="header" href="[^"]*">(.*?)</a></h2>"##
);
pattern!(TOP, r#"(?s)<main[^>]*>.*?</h1>\s*(?:<div class="place">.*?</div>)?"#);
pattern!(TABLE, r#"(?s)<div class="table-wrapper"><table>(.*?)</table>"#);
pattern!(NAME, r"(?s)<th(?: [^>]*)?>(.*?)</th>");
pattern!(CELL, r"(?s)<td((?: [^>]*)?)>(.*?)</td>");
pattern!(TAG, r"<[^>]*>");
pattern!(FOLD, r#"<details(?: [^>]*)? id="(?<id>[^"]+)"[^>]*>"#);

/// A page with a list of its parts below its title, which the style sheet puts beside the text
/// where there is room. `reading.js` marks the part that is read.
pub(super) fn with_contents(html: &str) -> String {
    let parts: Vec<(String, String)> = HEADING
        .captures_iter(html)
        .map(|found| (found[1].to_string(), text(&found[2])))
        .filter(|(_, title)| !COMMON.contains(&title.as_str()))
        .collect();
    let Some(top) = TOP.find(html).filter(|_| parts.len() >= FEWEST_PARTS) else {
        return html.to_string();
    };
    let item = |(id, title): &(String, String)| {
        format!("<li><a href=\"#{id}\">{title}</a></li>")
    };
    let items: String = parts.iter().map(item).collect();
    let (before, after) = html.split_at(top.end());
    format!(
        "{before}\n<nav class=\"steps\" aria-label=\"On this page\"><details>\
         <summary>On this page</summary><ol>{items}</ol></details></nav>{after}"
    )
}

/// A page whose tables of texts say so: on a phone, each row of them is a card, whose lines have
/// the names of the columns. To some browsers, cards are no table, unless the page says so.
pub(super) fn with_cards(html: &str) -> String {
    let table = |found: &Captures<'_>| {
        let names: Vec<String> =
            NAME.captures_iter(&found[1]).map(|it| text(&it[1])).collect();
        let is_long = |it: Captures<'_>| text(&it[2]).chars().count() > LONG;
        if names.len() < FEWEST_COLUMNS || !CELL.captures_iter(&found[1]).any(is_long) {
            return found[0].to_string();
        }
        let rows = found[1].split_inclusive("</tr>").map(|row| labelled(row, &names));
        let rows = rows.collect::<String>().replace("<tr>", "<tr role=\"row\">");
        let rows = rows.replace("<tbody>", "<tbody role=\"rowgroup\">");
        format!(
            "<div class=\"table-wrapper cards\"><table role=\"table\">{rows}</table>"
        )
    };
    TABLE.replace_all(html, table).into_owned()
}

/// A page whose answers have a class. The search does not open them, and on paper they are at the
/// end of their chapter.
pub(super) fn with_answers(html: &str) -> String {
    let fold = |found: &Captures<'_>| match is_answer(&found["id"]) {
        // A second attribute of this name would not count.
        true if found[0].contains(" class=\"") => {
            found[0].replacen(" class=\"", " class=\"answer ", 1)
        }
        true => found[0].replacen("<details ", "<details class=\"answer\" ", 1),
        false => found[0].to_string(),
    };
    FOLD.replace_all(html, fold).into_owned()
}

/// A row whose cells have the names of their columns.
fn labelled(row: &str, names: &[String]) -> String {
    let mut names = names.iter();
    let cell = |found: &Captures<'_>| {
        let label = names.next().filter(|name| !name.is_empty());
        let label = label.map(|name| format!(" data-label=\"{name}\""));
        let label = label.unwrap_or_default();
        format!("<td{} role=\"cell\"{label}>{}</td>", &found[1], &found[2])
    };
    CELL.replace_all(row, cell).into_owned()
}

/// What a browser shows of this HTML, as HTML.
fn text(html: &str) -> String {
    TAG.replace_all(html, "").trim().replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(title: &str) -> String {
        format!("<h2 id=\"it\"><a class=\"header\" href=\"#it\">{title}</a></h2>\n")
    }

    #[test]
    fn a_page_with_three_parts_lists_them_below_its_title() {
        let page = |parts: &[&str]| {
            let parts: String = parts.iter().map(|it| heading(it)).collect();
            format!("<main><h1>A</h1>\n<div class=\"place\">B</div>\n{parts}</main>")
        };
        let html = with_contents(&page(&["<code>a</code> &amp; b", "c", "Recap", "d"]));
        let list = "</div>\n<nav class=\"steps\" aria-label=\"On this page\"><details>\
                    <summary>On this page</summary><ol><li><a href=\"#it\">a &amp; b</a></li>\
                    <li><a href=\"#it\">c</a></li>";
        assert!(html.contains(list), "{html}");
        assert!(!html.contains(">Recap</a></li>"), "{html}");
        let short = page(&["a", "b", "Recap"]);
        assert_eq!(with_contents(&short), short);
    }

    #[test]
    fn a_table_of_texts_can_be_cards() {
        let long = "word ".repeat(9);
        let table = |cell: &str| {
            format!(
                "<div class=\"table-wrapper\"><table><thead><tr><th>a</th><th></th>\
                 <th><code>c</code></th></tr></thead><tbody><tr><td>1</td>\
                 <td style=\"x\">2</td><td>{cell}</td></tr></tbody></table></div>"
            )
        };
        let html = with_cards(&table(&long));
        for part in [
            "<div class=\"table-wrapper cards\"><table role=\"table\">",
            "<tbody role=\"rowgroup\"><tr role=\"row\"><td role=\"cell\" data-label=\"a\">1</td>",
            "<td style=\"x\" role=\"cell\">2</td>",
            &format!("<td role=\"cell\" data-label=\"c\">{long}</td>"),
        ] {
            assert!(html.contains(part), "no {part} in {html}");
        }
        let numbers = table("3");
        assert_eq!(with_cards(&numbers), numbers);
    }

    #[test]
    fn an_answer_has_its_class_once() {
        for (fold, expected) in [
            ("id=\"a-predict-b\"", "class=\"answer\" id=\"a-predict-b\""),
            ("open id=\"a-check-1\"", "class=\"answer\" open id=\"a-check-1\""),
            ("class=\"x\" id=\"a-check-1\"", "class=\"answer x\" id=\"a-check-1\""),
            ("id=\"a-check-1\" class=\"x\"", "id=\"a-check-1\" class=\"answer x\""),
            ("id=\"more\" class=\"x\"", "id=\"more\" class=\"x\""),
        ] {
            let html = with_answers(&format!("<details {fold}><summary>a</summary>"));
            assert_eq!(html, format!("<details {expected}><summary>a</summary>"));
        }
    }
}
