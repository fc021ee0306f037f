//! Pages that fail: always, or only the first times.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;

use crate::page::page;

/// How often `/flaky` drops the connection before it responds.
const DROPS: usize = 2;
/// How often `/busy` responds that it has no time.
const REFUSALS: usize = 1;

/// Makes `/missing`, `/flaky` and `/busy`.
pub(crate) fn routes() -> Router {
    Router::new()
        .route("/missing", get(missing))
        .route("/flaky", get(flaky).with_state(Cycle::default()))
        .route("/busy", get(busy).with_state(Cycle::default()))
}

/// Counts how often a page has failed. It starts again after a success, so that the
/// next crawl finds the same as this one.
#[derive(Clone, Default)]
struct Cycle(Arc<AtomicUsize>);

impl Cycle {
    /// Returns whether the page fails now: true `failures` times, then false once, and
    /// so on.
    fn fails(&self, failures: usize) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) % (failures + 1) < failures
    }
}

async fn missing() -> Response {
    not_found("This page is missing on purpose.")
}

/// Makes a 404 whose page shows `why`, which is HTML.
pub(crate) fn not_found(why: &str) -> Response {
    (StatusCode::NOT_FOUND, page("Not found", &format!("<p>{why}</p>"))).into_response()
}

async fn flaky(State(cycle): State<Cycle>) -> Response {
    if cycle.fails(DROPS) {
        return drop_the_connection();
    }
    page("Flaky", "<p>The third try is answered.</p>").into_response()
}

/// Makes a response whose body fails before the head is sent: the server can only close
/// the connection, and the client sees that it ends without a byte.
fn drop_the_connection() -> Response {
    let failure = io::Error::other("dropped on purpose");
    Body::from_stream(stream::iter([Err::<Bytes, _>(failure)])).into_response()
}

async fn busy(State(cycle): State<Cycle>) -> Response {
    if cycle.fails(REFUSALS) {
        let soon = [(header::RETRY_AFTER, "0")];
        let excuse = page("Busy", "<p>No time now. Ask again.</p>");
        return (StatusCode::SERVICE_UNAVAILABLE, soon, excuse).into_response();
    }
    page("Busy", "<p>Now there is time.</p>").into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_fails_answers_and_begins_again() {
        let cycle = Cycle::default();
        let fails: Vec<bool> = (0..6).map(|_| cycle.fails(2)).collect();
        assert_eq!(fails, [true, true, false, true, true, false]);
    }
}
