//! A recorder whose clock and trace are in the hands of a test.

use recorder::Recorder;
use serde_json::Value;
use std::future::poll_fn;
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

pub(crate) struct Bench {
    pub(crate) recorder: Recorder,
    written: Written,
    clock: Arc<AtomicU64>,
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Bench {
    pub(crate) fn new() -> Bench {
        let (written, clock) = (Written::default(), Arc::new(AtomicU64::new(0)));
        let now = Arc::clone(&clock);
        let now = move || Duration::from_millis(now.load(Relaxed));
        let recorder = Recorder::with_clock(written.clone(), now);
        Bench { recorder, written, clock }
    }

    /// Sets the clock forward.
    pub(crate) fn pass(&self, milliseconds: u64) {
        self.clock.fetch_add(milliseconds, Relaxed);
    }

    pub(crate) fn trace(&self) -> String {
        String::from_utf8(self.written.0.lock().unwrap().clone()).unwrap()
    }

    /// The lines of the trace after the first.
    pub(crate) fn events(&self) -> Vec<Value> {
        let trace = self.trace();
        let lines = trace.lines().skip(1);
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Task and event of each line.
    pub(crate) fn story(&self) -> Vec<String> {
        let words =
            |it: &Value| format!("{} {}", it["task"], it["event"].as_str().unwrap());
        self.events().iter().map(words).collect()
    }

    /// The values of this key, in the lines that have it.
    pub(crate) fn values(&self, key: &str) -> Vec<Value> {
        self.events().iter().filter_map(|it| it.get(key).cloned()).collect()
    }
}

pub(crate) type Boxed = Pin<Box<dyn Future<Output = ()>>>;

/// Polls once, with a waker that wakes nothing.
pub(crate) fn poll(future: &mut Boxed) -> Poll<()> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

/// Where a leaf stores its waker.
#[derive(Clone, Default)]
pub(crate) struct Slot(Arc<Mutex<Option<Waker>>>);

impl Slot {
    pub(crate) fn take(&self) -> Option<Waker> {
        self.0.lock().unwrap().take()
    }

    /// A leaf that stores its waker, and that is done when it is polled once more.
    pub(crate) fn leaf(&self) -> impl Future<Output = ()> + use<> {
        let (slot, mut polls) = (self.clone(), 0);
        poll_fn(move |cx| {
            polls += 1;
            *slot.0.lock().unwrap() = (polls == 1).then(|| cx.waker().clone());
            if polls == 1 { Poll::Pending } else { Poll::Ready(()) }
        })
    }
}

/// A leaf that forgets its waker.
pub(crate) fn forgetful() -> impl Future<Output = ()> {
    poll_fn(|_| Poll::Pending)
}

/// The report with `LINE` for each line of a source.
pub(crate) fn without_lines(report: &str) -> String {
    let mut parts = report.split(" at tests/");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find([',', ';', '\n']).unwrap_or(part.len());
        text = text + " at LINE" + &part[end..];
    }
    text
}
