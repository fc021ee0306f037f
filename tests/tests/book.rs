//! All that the book prints: the steps, the runs, the traces, and what the compiler refuses.
//! After a change, `UPDATE_OUTPUTS=1 cargo test -p conformance --test book` stores anew what
//! has changed.

mod book_runs;
mod refused;
mod steps;
