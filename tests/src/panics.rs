//! The panics of cases, kept until it is known whether they end the case: many cases panic
//! on purpose, and hold.

use crate::processes::lock;
use std::collections::BTreeMap;
use std::panic::{self, PanicHookInfo};
use std::sync::Mutex;
use std::thread;

/// The beginning of what a `todo!()` panics with.
const TODO: &str = "not yet implemented";

/// A panic that was not printed.
#[derive(Clone)]
pub(crate) struct Kept {
    /// All that would have been printed.
    pub(crate) text: String,
    /// What the panic says.
    pub(crate) message: String,
    /// Its file and line.
    pub(crate) place: Option<String>,
}

/// The latest panic in each case, by the name of its thread; or the first `todo!()`, as all
/// that follows may be its consequence.
static PANICS: Mutex<BTreeMap<String, Kept>> = Mutex::new(BTreeMap::new());

/// From here on a panic in a case is kept and not printed. With `RUST_BACKTRACE=1` all are
/// printed.
pub(crate) fn keep() {
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
        return;
    }
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| match thread::current().name() {
        Some(case) if case.contains("::") => {
            let place =
                panic.location().map(|it| format!("{}:{}", it.file(), it.line()));
            let kept = Kept { text: panic.to_string(), message: message(panic), place };
            let mut panics = lock(&PANICS);
            let has_todo =
                panics.get(case).is_some_and(|it| it.message.starts_with(TODO));
            if !has_todo {
                panics.insert(case.to_string(), kept);
            }
        }
        _ => print(panic),
    }));
}

fn message(panic: &PanicHookInfo<'_>) -> String {
    let payload = panic.payload();
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or(payload.downcast_ref::<&str>().map(|text| text.to_string()));
    text.unwrap_or("a panic without a text".into())
}

/// Returns the panic that was kept for a case.
pub(crate) fn take(case: &str) -> Option<Kept> {
    lock(&PANICS).remove(case)
}
