//! Two runs beside each other are shown page by page: a reader who sees them first does not
//! know what a task is. A page has the place of a task, from when a worker takes it until the
//! worker has it.

use serde_json::{Value, json};
use std::collections::BTreeMap;

pattern!(PAGE, r"/slow/(\d+)\?");

/// Replaces each worker of a run by the page that it fetches, and drops all other tasks.
pub(super) fn by_page(events: &[Value]) -> Vec<Value> {
    let mut taken = BTreeMap::new(); // by each worker
    let mut shown = Vec::new();
    for event in events {
        let task = event["task"].as_u64().unwrap_or_default();
        let name = event["event"].as_str().unwrap_or_default();
        let of_page = |name: &str, page: u64| json!({"us": event["us"], "event": name, "task": page});
        if task == 0 {
            shown.push(event.clone());
            continue;
        }
        let new = (name == "resumed").then(|| page(event)).flatten();
        let is_over = new.is_some() || event["state"] == "get";
        let old = taken.get(&task).copied().filter(|old| is_over && Some(*old) != new);
        if let Some(old) = old {
            shown.push(of_page("finished", old));
            taken.remove(&task);
        }
        if let Some(new) = new
            && taken.insert(task, new).is_none()
        {
            shown.push(of_page("created", new));
        }
        let is_shown =
            !name.starts_with("timer") && !["woken", "queued"].contains(&name);
        if let Some(page) = taken.get(&task).filter(|_| is_shown) {
            let mut event = event.clone();
            event["task"] = json!(page);
            shown.push(event);
        }
    }
    shown
}

/// The number of the page that a worker fetches.
fn page(event: &Value) -> Option<u64> {
    PAGE.captures(event["for"].as_str()?)?[1].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_shown_as_the_page_that_it_fetches() {
        let url = |page| format!("http://127.0.0.1/slow/{page}?ms=1000");
        let events = [
            json!({"us": 1, "task": 1, "event": "resumed", "for": "block_on"}),
            json!({"us": 2, "task": 4, "event": "resumed", "for": url(1)}),
            json!({"us": 3, "task": 4, "event": "timer-set"}),
            json!({"us": 4, "task": 4, "event": "paused", "state": "read"}),
            json!({"us": 5, "task": 0, "event": "slept"}),
            json!({"us": 6, "task": 4, "event": "resumed", "for": url(1)}),
            json!({"us": 7, "task": 4, "event": "resumed", "for": url(2)}),
            json!({"us": 8, "task": 4, "event": "paused", "state": "get"}),
            json!({"us": 9, "task": 4, "event": "cancelled"}),
        ];
        let said: Vec<String> = by_page(&events)
            .iter()
            .map(|it| format!("{} {} {}", it["us"], it["task"], it["event"]))
            .collect();
        let expected = [
            "2 1 \"created\"",
            "2 1 \"resumed\"",
            "4 1 \"paused\"",
            "5 0 \"slept\"",
            "6 1 \"resumed\"",
            "7 1 \"finished\"",
            "7 2 \"created\"",
            "7 2 \"resumed\"",
            "8 2 \"finished\"",
        ];
        assert_eq!(said, expected);
    }
}
