//! What holds in each trace of several threads. Which thread is first is another one each
//! time, so no order is compared.

use crate::trace_table::events;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Returns what is wrong in one of the traces, and what happens in one of them only.
pub fn other_than(stored: &Value, now: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, trace) in [("stored", stored), ("now", now)] {
        wrong.extend(broken_promises(trace).iter().map(|it| format!("{name}: {it}")));
    }
    let (before, after) = (happens(stored), happens(now));
    if before != after {
        wrong.push(format!("stored is {before:?}\nand now it is {after:?}"));
    }
    wrong
}

/// What happens in each run: tasks begin and end, move to other queues, and wait for pages.
fn happens(trace: &Value) -> Vec<String> {
    let mut all: Vec<String> = events(trace)
        .iter()
        .filter_map(|it| {
            let named = it["waits"]["named"].as_str().unwrap_or_default();
            match it["event"].as_str()? {
                "created" | "finished" | "cancelled" => Some(it["event"].to_string()),
                "moved" => Some(format!("moved {} {}", it["task"], it["queue"])),
                "paused" if named.starts_with("http") => Some(named.to_string()),
                _ => None,
            }
        })
        .collect();
    all.sort();
    all
}

/// Returns which events cannot happen.
fn broken_promises(trace: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    // The tasks that run, each with its thread, and those that are ready, with their queues.
    let mut running: BTreeMap<u64, Option<&str>> = BTreeMap::new();
    let mut ready: BTreeMap<u64, Option<&str>> = BTreeMap::new();
    let mut busy = 0; // the most that run or wait for a page at once
    let mut fetching: BTreeSet<u64> = BTreeSet::new();
    let all = events(trace);
    for event in &all {
        let task = event["task"].as_u64().unwrap_or_default();
        let (thread, queue) = (event["thread"].as_str(), event["queue"].as_str());
        let mut check = |is_so: bool, what: &str| {
            if !is_so {
                wrong.push(format!("{what}: {event}"));
            }
        };
        match event["event"].as_str().unwrap_or_default() {
            "resumed" => {
                let is_free =
                    thread.is_none_or(|it| !running.values().any(|on| *on == Some(it)));
                check(is_free, "its thread runs another task");
                check(running.insert(task, thread).is_none(), "two threads poll it");
                ready.remove(&task);
                fetching.remove(&task);
            }
            "paused" => {
                let on = running.remove(&task);
                check(on == Some(thread), "it does not run on this thread");
                let named = event["waits"]["named"].as_str().unwrap_or_default();
                if named.starts_with("http") {
                    fetching.insert(task);
                }
            }
            "finished" => {
                check(running.remove(&task) == Some(thread), "it does not run")
            }
            "cancelled" => _ = ready.remove(&task),
            "queued" => {
                check(ready.insert(task, queue).is_none(), "two queues have it")
            }
            "moved" => {
                let from = ready.insert(task, queue);
                check(from.is_some_and(|from| from != queue), "no other queue has it");
            }
            "woken" => {
                let by = event["by"].as_u64();
                check(
                    by.is_none_or(|by| running.contains_key(&by)),
                    "its waker's task does not run",
                );
            }
            _ => {}
        }
        busy = busy.max(running.len()).max(fetching.len());
    }
    if !ready.is_empty() || !running.is_empty() {
        wrong.push(format!("ready at the end: {ready:?}, running: {running:?}"));
    }
    let moves = all.iter().any(|it| it["event"] == "moved");
    if busy < 2 && !moves {
        wrong.push("nothing happens at once, and no task moves".to_string());
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(task: u64, event: &str, thread: &str) -> Value {
        json!({"task": task, "event": event, "thread": thread, "waits": "turn"})
    }

    /// Two tasks run at once.
    fn story() -> Vec<Value> {
        vec![
            event(1, "queued", "main"),
            event(2, "queued", "main"),
            event(1, "resumed", "a"),
            event(2, "resumed", "b"),
            json!({"task": 1, "event": "woken", "by": 2, "thread": "b"}),
            event(1, "finished", "a"),
            event(2, "finished", "b"),
        ]
    }

    fn wrong(events: &[Value]) -> String {
        broken_promises(&json!({ "events": events })).join("; ")
    }

    #[test]
    fn the_order_of_threads_is_by_chance() {
        assert_eq!(wrong(&story()), "");
        let mut other = story();
        other.swap(2, 3);
        other.swap(5, 6);
        assert_eq!(wrong(&other), "");
        let [one, another] = [story(), other].map(|it| json!({ "events": it }));
        assert_eq!(other_than(&one, &another), [""; 0]);
        let less = json!({ "events": story()[..5] });
        assert_eq!(other_than(&one, &less).len(), 2);
    }

    #[test]
    fn each_promise_can_be_broken() {
        type Change = fn(&mut Vec<Value>);
        let cases: [(&str, Change); 8] = [
            ("its thread runs another task", |it| it[3]["thread"] = json!("a")),
            ("two threads poll it", |it| it.insert(4, event(2, "resumed", "c"))),
            ("two queues have it", |it| it.insert(1, event(1, "queued", "main"))),
            ("no other queue has it", |it| it.insert(3, event(1, "moved", "a"))),
            ("its waker's task does not run", |it| it[4]["by"] = json!(7)),
            ("it does not run", |it| it.swap(5, 2)),
            ("it does not run on this thread", |it| it[5] = event(1, "paused", "b")),
            ("ready at the end", |it| it.push(event(3, "queued", "a"))),
        ];
        for (what, change) in cases {
            let mut story = story();
            change(&mut story);
            assert!(wrong(&story).contains(what), "{what}: {}", wrong(&story));
        }
        let one = [event(1, "resumed", "a"), event(1, "finished", "a")];
        assert_eq!(wrong(&one), "nothing happens at once, and no task moves");
    }
}
