//! How the programs that hang are run and watched.

use recorder::Recorder;
use std::io::Write;
use std::time::Duration;
use tokio::runtime::Builder;

// ANCHOR: watch
/// Runs a program on Tokio until something is stuck, and prints the report. The first
/// argument may name a file for the trace.
pub(crate) fn watch<F: Future>(program: impl FnOnce(Recorder) -> F) {
    let recorder = match std::env::args_os().nth(1) {
        Some(file) => Recorder::to_file(file).expect("the trace can be written"),
        None => Recorder::new(std::io::sink()),
    };
    recorder.stuck_after(Duration::from_secs(1), |report| {
        let _ = std::io::stdout().write_all(report.as_bytes()); // its reader may be gone
        std::process::exit(0); // a server would log the report, and go on
    });
    let runtime = Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime").block_on(program(recorder));
}
// ANCHOR_END: watch
