//! The promises of `shared`. Most tests are one program, because linking takes longer
//! than the tests. `cargo test -p shared --test promises ledger` runs a part of it.
//! `memory.rs` is another program, because it counts what the allocator hands out. So
//! is `program.rs`, which runs itself as a crawler.

mod charset;
mod frontier;
mod http;
mod ledger;
mod options;
mod page;
mod report;
mod resolve;
mod scope;
mod stop;
mod terminal;
mod text;
mod trace;
mod url;
mod words;
