//! Tokio's two runtimes: what runs on them is recorded whole, whatever the order.

use crate::bench::Bench;
use recorder::Recorder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio::task::yield_now;

/// Eight clients ask a server. All of them end.
async fn ask(recorder: Recorder) {
    let (ask, mut questions) = mpsc::channel::<oneshot::Sender<u32>>(2);
    let r = recorder.clone();
    let server = tokio::spawn(recorder.task("server", async move {
        while let Some(answer) = r.wait("a question", questions.recv()).await {
            answer.send(1).unwrap();
        }
    }));
    let client = |ask: mpsc::Sender<_>| {
        let r = recorder.clone();
        tokio::spawn(recorder.task("client", async move {
            for _ in 0..20 {
                let (send, answer) = oneshot::channel();
                r.wait("room for a question", ask.send(send)).await.unwrap();
                assert_eq!(r.wait("the answer", answer).await, Ok(1));
                r.wait("its turn", yield_now()).await;
            }
        }))
    };
    let clients: Vec<_> = (0..8).map(|_| client(ask.clone())).collect();
    drop(ask);
    for task in clients.into_iter().chain([server]) {
        task.await.unwrap();
    }
}

/// Runs it, and expects of each task that polls follow wakes, and that it ends.
fn is_recorded_on(runtime: Runtime) -> Vec<Value> {
    let bench = Bench::new();
    runtime.block_on(ask(bench.recorder.clone()));
    drop(runtime);
    let events = bench.events();
    let mut last = BTreeMap::new();
    let mut ready = BTreeSet::new();
    for (event, step) in events.iter().zip(1..) {
        assert_eq!(event["step"], step);
        let (task, name) =
            (event["task"].as_u64().unwrap(), event["event"].as_str().unwrap());
        match name {
            "queued" => assert!(ready.insert(task), "{event}"),
            "resumed" | "finished" => _ = ready.remove(&task),
            _ => {}
        }
        if let Some(count) = event.get("ready") {
            assert_eq!(count, ready.len(), "{event}");
        }
        if ["woken", "queued"].contains(&name) {
            continue;
        }
        let before = last.insert(task, name.to_string()).unwrap_or_default();
        let follows = match name {
            "created" => &[""][..],
            "resumed" => &["created", "paused"],
            "paused" | "finished" => &["resumed"],
            _ => &[],
        };
        assert!(follows.contains(&&*before), "{event} after {before}");
    }
    assert_eq!(last.len(), 9);
    assert!(last.values().all(|it| it == "finished"), "{last:?}");
    assert_eq!(bench.recorder.report().lines().count(), 1, "no task is left");
    let by = bench.values("by");
    assert!(by.iter().any(|it| it.is_u64()), "{by:?}");
    events
}

#[test]
fn one_thread() {
    let events = is_recorded_on(Builder::new_current_thread().build().unwrap());
    let mut running = None;
    for event in events {
        let task = event["task"].clone();
        match event["event"].as_str().unwrap() {
            "resumed" => assert_eq!(running.replace(task), None, "{event}"),
            "paused" | "finished" => assert_eq!(running.take(), Some(task), "{event}"),
            _ => {}
        }
    }
}

#[test]
fn several_threads() {
    let runtime = Builder::new_multi_thread().worker_threads(2).build().unwrap();
    is_recorded_on(runtime);
}

#[test]
fn an_aborted_task_is_cancelled() {
    let bench = Bench::new();
    Builder::new_current_thread().build().unwrap().block_on(async {
        let (_send, receive) = oneshot::channel::<()>();
        let wait = bench.recorder.wait("a value", receive);
        let task = tokio::spawn(bench.recorder.task("task", wait));
        yield_now().await;
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
    });
    let story = bench.story();
    let ends = story
        .iter()
        .filter(|it| ["1 paused", "1 cancelled", "1 orphaned"].contains(&&***it));
    assert_eq!(ends.collect::<Vec<_>>(), ["1 paused", "1 cancelled"]);
}
