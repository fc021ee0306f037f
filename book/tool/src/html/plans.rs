//! The plans as tables of a page.

use super::exercises::link;
use crate::read::book::Book;
use crate::read::plan::{Part, Plan, Row};

/// A plan as Markdown.
///
/// # Errors
/// An exercise of the plan is none.
pub(super) fn markdown(book: &Book, plan: &Plan) -> Result<String, String> {
    let mut text = format!("## {}\n\n", plan.title);
    if !plan.intro.is_empty() {
        text += &format!("{}\n\n", plan.intro);
    }
    for part in &plan.parts {
        text += &heading(part, plan.has_days());
        text +=
            "| minutes | topic | run | draw or play, and ask |\n|---|---|---|---|\n";
        for row in &part.rows {
            text += &line(book, row)?;
        }
        text.push('\n');
    }
    Ok(text)
}

fn heading(part: &Part, has_days: bool) -> String {
    let level = if has_days { "####" } else { "###" };
    let day = match part.day.as_str() {
        "" => String::new(),
        day => format!("### {day}\n\n"),
    };
    match part.title.as_str() {
        "" => day,
        title => format!("{day}{level} {title}\n\n"),
    }
}

fn line(book: &Book, row: &Row) -> Result<String, String> {
    let (mut minutes, topic) = (row.minutes(), &row.topic);
    if row.class > 0 {
        minutes += &format!("<br>(class: {})", row.class);
    }
    if row.pause {
        return Ok(format!("| {minutes} | *{topic}* | | |\n"));
    }
    let mut run: Vec<String> = row.run.iter().map(|it| format!("`{it}`")).collect();
    for name in &row.write {
        let (link, minutes) =
            (link(book, name)?, book.exercise(name).map(|it| it.minutes));
        let minutes = minutes.unwrap_or_default();
        run.push(match row.level {
            None => format!("**Write:** {link} (`{name}`, {minutes} minutes)"),
            Some(level) => format!("**Write:** {link} (`{name}`, at level {level})"),
        });
    }
    run.extend(named("If it fails:", &row.fails));
    let draw = Some(row.draw.clone()).filter(|it| !it.is_empty());
    let ask: Vec<String> = draw.into_iter().chain(named("Ask:", &row.ask)).collect();
    let cells = [minutes, topic.clone(), run.join("<br>"), ask.join("<br>")];
    Ok(format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")))
}

fn named(name: &str, text: &str) -> Option<String> {
    (!text.is_empty()).then(|| format!("**{name}** {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::place::Place;
    use crate::read::plan::read;

    #[test]
    fn a_plan_has_a_table_for_each_part() {
        let book = Book::read(&Place::new(None, None)).expect("it is there");
        let plan = read(&book.place, "two").expect("it is there");
        let text = markdown(&book, &plan).expect("its exercises are there");
        assert!(text.contains("\n### Day one\n\n#### Block 1: waiting\n\n| minutes |"));
        assert!(text.contains("| `cargo run \\| tail -12`<br>"), "{text}");
        assert!(text.contains("| 90–105 | *break* | | |\n"), "{text}");
        let write = "#exercise-leaf) (`leaf`, 20 minutes)";
        assert!(text.contains(write), "{text}");
    }
}
