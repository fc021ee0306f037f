//! What the crawlers' programs and this suite's own do, each as a process or a crawl of its
//! own. `cargo test -p conformance --test programs crowded` runs one part.

mod broken_machines;
mod crowded;
mod equal;
mod farewell;
mod patience;
mod random;
mod soak;
mod steps_by_name;
mod stuck;
