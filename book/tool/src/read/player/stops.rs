//! Questions that a player asks: where, and whether the right answer is right.

use super::settings::{Computed, Stop};
use super::trace::Trace;
use serde_json::{Value, json};

/// What the player is given.
pub(super) fn data(stop: &Stop, trace: &Trace) -> Result<Value, String> {
    Ok(json!({
        "at": place(stop, trace)?,
        "ask": stop.ask,
        "options": stop.options,
        "right": stop.right.saturating_sub(1),
        "why": stop.why,
    }))
}

/// The event before which it asks.
fn place(stop: &Stop, trace: &Trace) -> Result<usize, String> {
    let row = trace.rows.get(stop.row.wrapping_sub(1));
    let row = *row.ok_or(format!("the table has no row {}", stop.row))?;
    let Some(name) = &stop.event else { return Ok(row) };
    let after =
        (row..trace.events.len()).find(|at| trace.events[*at]["event"] == **name);
    after.ok_or(format!("there is no `{name}` after row {}", stop.row))
}

/// What is wrong with it.
pub(super) fn problems(stop: &Stop, trace: &Trace) -> Vec<String> {
    let mut problems = Vec::new();
    let Some(right) = stop.options.get(stop.right.wrapping_sub(1)) else {
        return vec![format!("there is no option {}", stop.right)];
    };
    if stop.options.len() < 2 {
        problems.push("give at least two options".to_string());
    }
    let at = match place(stop, trace) {
        Ok(0) => return vec!["nothing is before the first event".to_string()],
        Ok(at) => at,
        Err(why) => return vec![why],
    };
    let Some(computed) = stop.computed else { return problems };
    let Some(answer) = answer(computed, &trace.events[at..]) else {
        problems.push("the trace has no such event after it".to_string());
        return problems;
    };
    for option in &stop.options {
        let (is_right, has_it) = (option == right, option.contains(&answer));
        if is_right && !has_it {
            problems.push(format!("the trace says `{answer}`, but not \"{option}\""));
        }
        if !is_right && has_it {
            problems.push(format!("\"{option}\" says `{answer}`, too"));
        }
    }
    problems
}

/// The right option, of the events that come.
fn answer(computed: Computed, events: &[Value]) -> Option<String> {
    let first = |names: &[&str]| {
        let is_one = |event: &&Value| names.iter().any(|name| event["event"] == *name);
        events.iter().find(is_one)
    };
    let text = |value: &Value| value.as_str().map(String::from);
    match computed {
        Computed::Next => {
            let event = first(&["resumed", "slept"])?;
            let is_task = event["event"] == "resumed";
            Some(if is_task {
                format!("task {}", event["task"])
            } else {
                "none".into()
            })
        }
        Computed::Event => text(&events.first()?["event"]),
        Computed::State => text(&first(&["resumed"])?["state"]),
        Computed::Waits => {
            let waits = &first(&["paused"])?["waits"];
            text(waits).or(text(&waits["named"]))
        }
        Computed::Sleep => {
            let us = |event: &Value| event["us"].as_u64();
            let slept = us(first(&["woke"])?)?.checked_sub(us(first(&["slept"])?)?)?;
            Some(match slept {
                950_000.. => format!("{:.1} s", slept as f64 / 1e6),
                _ => format!("{} ms", (slept + 5_000) / 10_000 * 10),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_to_fit_the_trace() {
        let trace = Trace::of(vec![
            json!({"event": "queued", "task": 1}),
            json!({"event": "paused", "task": 2, "waits": "readable"}),
            json!({"event": "resumed", "task": 1, "state": "join"}),
        ]);
        let said = |text: &str| {
            let head = "ask = \"?\"\nwhy = \".\"\ncomputed = \"next\"\n";
            let stop = toml::from_str(&format!("{head}{text}")).expect("a stop");
            problems(&stop, &trace).join("; ")
        };
        let options = "options = [\"task 1\", \"task 2\"]\n";
        assert_eq!(said(&format!("{options}row = 2\nright = 1")), "");
        let wrong = "\"task 1\" says `task 1`, too; \
                     the trace says `task 1`, but not \"task 2\"";
        assert_eq!(said(&format!("{options}row = 2\nright = 2")), wrong);
        assert_eq!(
            said(&format!("{options}row = 2\nright = 3")),
            "there is no option 3"
        );
        assert_eq!(
            said(&format!("{options}row = 4\nright = 1")),
            "the table has no row 4"
        );
        let event = "event = \"slept\"\n";
        let none = "there is no `slept` after row 2";
        assert_eq!(said(&format!("{options}{event}row = 2\nright = 1")), none);
    }

    #[test]
    fn what_follows_from_the_trace_is_computed() {
        let events = [
            json!({"event": "queued", "task": 1}),
            json!({"event": "resumed", "task": 2, "state": "read"}),
            json!({"event": "paused", "task": 2, "waits": {"named": "an item"}}),
            json!({"event": "slept", "us": 1_000}),
            json!({"event": "woke", "us": 1_003_500}),
        ];
        let said = |computed| answer(computed, &events);
        assert_eq!(said(Computed::Next).as_deref(), Some("task 2"));
        assert_eq!(said(Computed::Event).as_deref(), Some("queued"));
        assert_eq!(said(Computed::State).as_deref(), Some("read"));
        assert_eq!(said(Computed::Waits).as_deref(), Some("an item"));
        assert_eq!(said(Computed::Sleep).as_deref(), Some("1.0 s"));
        assert_eq!(answer(Computed::Next, &events[2..]).as_deref(), Some("none"));
        assert_eq!(answer(Computed::Next, &[]), None);
    }
}
