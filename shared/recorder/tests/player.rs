//! The trace that the book's player folds in `tests/browser/fold.mjs`.

use crate::bench::{Bench, Boxed, Slot, forgetful, poll};
use std::fs;
use std::path::Path;
use std::thread;

/// One task is woken by another, one loses its waker, one is dropped.
fn story(bench: &Bench) {
    let (recorder, kept, lost) = (&bench.recorder, Slot::default(), Slot::default());
    let wait = recorder.wait("a letter", kept.leaf());
    let mut reader: Boxed = Box::pin(recorder.task("reader", wait));
    let wait = recorder.wait("a call", lost.leaf());
    let mut listener: Boxed = Box::pin(recorder.task("listener", wait));
    let mut dreamer: Boxed = Box::pin(recorder.task("dreamer", forgetful()));
    for task in [&mut reader, &mut listener, &mut dreamer] {
        bench.pass(1);
        assert!(poll(task).is_pending());
    }
    drop(lost.take());
    let waker = kept.take().unwrap();
    let mut writer: Boxed = Box::pin(recorder.task("writer", async move {
        waker.wake_by_ref();
        waker.wake();
    }));
    assert!(poll(&mut writer).is_ready());
    bench.pass(1);
    assert!(poll(&mut reader).is_ready());
}

#[test]
fn the_stored_trace_is_that_of_this_program() {
    let bench = Bench::new();
    thread::scope(|scope| {
        let main = thread::Builder::new().name("main".into());
        main.spawn_scoped(scope, || story(&bench)).unwrap().join().unwrap();
    });
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/player.jsonl");
    if std::env::var_os("UPDATE_OUTPUTS").is_some() {
        fs::write(&file, bench.trace()).unwrap();
    }
    let stored = fs::read_to_string(file).unwrap_or_default().replace('\r', "");
    assert!(
        stored == bench.trace(),
        "store it again with UPDATE_OUTPUTS=1:\n{}",
        bench.trace()
    );
}
