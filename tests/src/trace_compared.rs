//! Whether a trace that was recorded now is like the one that is stored.

use crate::trace_table::events;
use serde_json::Value;
use std::fmt::Display;

/// Returns where a trace of the simulated system is not as it is stored.
pub fn first_difference(stored: &Value, now: &Value) -> Option<String> {
    let (before, after) = (events(stored), events(now));
    let mut pairs = before.iter().zip(&after);
    let different = pairs.find(|(stored, now)| !is_same(stored, now));
    let text = |stored: &dyn Display, now: &dyn Display| {
        format!("stored is\n{stored}\nand now it is\n{now}")
    };
    if let Some((stored, now)) = different {
        return Some(text(stored, now));
    }
    if before.len() != after.len() {
        return Some(text(&before.len(), &format!("{} events", after.len())));
    }
    let head = |trace: &Value| {
        ["v", "program", "command"].map(|key| trace[key].to_string()).join(" ")
    };
    let (before, after) = (head(stored), head(now));
    (before != after).then(|| text(&before, &after))
}

/// Returns whether two events are the same, at the same time to a millisecond. The clock moves by
/// a microsecond each time that the program reads it, so one look more moves all that follows.
fn is_same(stored: &Value, now: &Value) -> bool {
    const TIMES: [&str; 3] = ["us", "until", "when"];
    const CLOSE: u64 = 1000;
    let rest = |event: &Value| {
        let mut event = event.clone();
        TIMES.iter().for_each(|key| {
            event.as_object_mut().map(|it| it.remove(*key));
        });
        event
    };
    let is_close = |key: &&str| match (stored[*key].as_u64(), now[*key].as_u64()) {
        (Some(stored), Some(now)) => stored.abs_diff(now) < CLOSE,
        (stored, now) => stored == now,
    };
    rest(stored) == rest(now) && TIMES.iter().all(is_close)
}

/// Returns what a trace has that no run of the stored one can have. Both are of real runs,
/// which differ: what a task waits for may be there before it looks, so a run may have fewer
/// waits than the stored one. But it has no others, and what a task does besides is the same.
pub fn other_than(stored: &Value, now: &Value) -> Vec<String> {
    const ALWAYS: [&str; 4] = ["created", "registered", "finished", "cancelled"];
    let (stored, now) = (of_tasks(stored), of_tasks(now));
    let is_wait = |it: &&Value| ALWAYS.iter().all(|name| it["event"] != *name);
    let is_new = |it: &&Value| !stored.contains(it);
    let is_missing = |it: &&Value| !is_wait(it) && !now.contains(it);
    let new = now.iter().filter(is_new).map(|it| format!("new: {it}"));
    let missing = stored.iter().filter(is_missing).map(|it| format!("missing: {it}"));
    new.chain(missing).collect()
}

/// The events of all tasks, each once, without times and what depends on them.
fn of_tasks(trace: &Value) -> Vec<Value> {
    const CHANCE: [&str; 6] = ["step", "us", "when", "ready", "readable", "writable"];
    let is_of_loop = |it: &Value| it["event"] == "slept" || it["event"] == "woke";
    let mut all = Vec::new();
    for mut event in events(trace).into_iter().filter(|it| !is_of_loop(it)) {
        if let Some(event) = event.as_object_mut() {
            event.retain(|key, _| !CHANCE.contains(&key.as_str()));
        }
        if !all.contains(&event) {
            all.push(event);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn simulated_runs_are_the_same_but_for_looks_at_the_clock() {
        let trace = |events: Value| json!({"v": 3, "command": "x", "events": events});
        let event = |us: u64, until: Value, line: &str| json!({"us": us, "event": "slept", "until": until, "line": line});
        let stored = trace(json!([event(10, json!(5000), "a")]));
        let differs = |event: Value| first_difference(&stored, &trace(json!([event])));
        assert_eq!(differs(event(11, json!(5001), "a")), None);
        assert!(differs(event(10, json!(5001), "b")).is_some());
        assert!(differs(event(1010, json!(5000), "a")).is_some());
        assert!(differs(event(10, json!(9000), "a")).is_some());
        assert!(differs(event(10, Value::Null, "a")).is_some());
        assert!(first_difference(&stored, &trace(json!([]))).is_some());
        let other = json!({"v": 3, "command": "y", "events": stored["events"]});
        assert!(first_difference(&stored, &other).is_some());
    }

    #[test]
    fn real_runs_may_differ_in_times_and_have_fewer_waits_but_no_others() {
        let trace = |events: &[Value]| json!({"v": 3, "events": events});
        let event = |task: u64, us: u64, event: &str, line: &str| json!({"task": task, "event": event, "us": us, "ready": us, "line": line});
        let sleep = json!({"task": 0, "event": "slept", "us": 1});
        let created = |us: u64| event(1, us, "created", "a");
        let queued = |task: u64| event(task, task, "queued", "b");
        let stored = trace(&[created(1), queued(1), queued(2), sleep]);
        let same = trace(&[queued(2), created(4)]);
        assert_eq!(other_than(&stored, &same), [""; 0]);
        for other in [
            trace(&[queued(1), queued(2)]),
            trace(&[created(1), queued(3)]),
            trace(&[created(1), event(1, 1, "queued", "c")]),
            trace(&[created(1), event(1, 1, "woken", "b")]),
        ] {
            assert_ne!(other_than(&stored, &other), [""; 0]);
        }
    }
}
