//! The plans as tables of a page, in the place of `{{plan NAME}}`.

use super::{Part, Plan, Row, read};
use crate::exercise::Exercises;
use crate::place::Place;
use crate::reading::lines;

pattern!(MARK, r"^\{\{plan ([a-z0-9]+)\}\}$");

/// The names of the plans that a page shows.
pub fn shown(page: &str) -> Vec<String> {
    let marks = lines(page).into_iter().filter(|line| !line.is_code);
    marks.filter_map(|line| Some(MARK.captures(&line.text)?[1].to_string())).collect()
}

/// A page with its plans.
///
/// # Errors
/// A mark names no plan, or an exercise of a plan is none.
pub fn put_into(
    place: &Place,
    exercises: &Exercises,
    page: &str,
) -> Result<String, String> {
    let mut out = String::new();
    for line in lines(page) {
        match MARK.captures(&line.text).filter(|_| !line.is_code) {
            Some(found) => out += &markdown(&read(place, &found[1])?, exercises)?,
            None => {
                out += &line.text;
                out.push('\n');
            }
        }
    }
    Ok(out)
}

/// A plan as Markdown.
fn markdown(plan: &Plan, exercises: &Exercises) -> Result<String, String> {
    let mut text = format!("## {}\n\n", plan.title);
    if !plan.intro.is_empty() {
        text += &format!("{}\n\n", plan.intro);
    }
    for part in &plan.parts {
        text += &heading(part, plan.has_days());
        text +=
            "| minutes | topic | run | draw or play, and ask |\n|---|---|---|---|\n";
        for row in &part.rows {
            text += &line(row, exercises)?;
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

fn line(row: &Row, exercises: &Exercises) -> Result<String, String> {
    let (minutes, topic) = (row.minutes(), &row.topic);
    if row.pause {
        return Ok(format!("| {minutes} | *{topic}* | | |\n"));
    }
    let mut run: Vec<String> = row.run.iter().map(|it| format!("`{it}`")).collect();
    for name in &row.write {
        let exercise =
            exercises.find(name).ok_or(format!("`{name}` is no exercise"))?;
        run.push(format!(
            "**Write:** {{{{exercise {name}}}}} (`{name}`, {} minutes)",
            exercise.minutes
        ));
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

    #[test]
    fn a_mark_becomes_the_tables_of_its_plan() {
        let place = Place::new(None, None);
        let exercises = Exercises::read(&place).expect("they can be read");
        let put = |page: &str| put_into(&place, &exercises, page);
        let text = put("# A\n\n{{plan two}}\n\n```text\n{{plan 90}}\n```\n").unwrap();
        assert!(text.starts_with("# A\n\n## Two days\n\n"), "{text}");
        assert!(text.contains("\n### Day one\n\n#### Block 1: waiting\n\n| minutes |"));
        assert!(text.contains("| `cargo run \\| tail -12`<br>"), "{text}");
        assert!(text.contains("| 90–105 | *break* | | |\n"), "{text}");
        let write = "**Write:** {{exercise leaf}} (`leaf`, 20 minutes)";
        assert!(text.contains(write), "{text}");
        assert!(text.ends_with("```text\n{{plan 90}}\n```\n"), "{text}");
        assert!(put("{{plan 91}}\n").unwrap_err().contains("no plan is called"));
        assert_eq!(shown("{{plan 90}}\n\nSee {{plan x}}.\n"), ["90"]);
    }
}
