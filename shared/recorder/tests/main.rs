//! What the recorder promises. All but `runtimes` poll by hand, with a clock of their own.

mod bench;
mod player;
mod records;
mod runtimes;
mod stuck;
