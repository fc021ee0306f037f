//! What `shared` promises. One program, because linking takes longer than the tests: `cargo
//! test -p shared --test promises ledger` runs one part. `memory.rs` is a program of its own:
//! it counts what the allocator hands out. So is `program.rs`: it runs itself as a crawler.

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
