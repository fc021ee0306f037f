//! Two callbacks wait at the same time, and each wants to add to `todo`: refused.

/// A function for later, with everything that it captured.
type Callback<'a> = Box<dyn FnOnce() + 'a>;

fn main() {
    let mut todo = vec!["/"];
    let mut waiting: Vec<Callback> = Vec::new();
    waiting.push(Box::new(|| todo.push("/first")));
    waiting.push(Box::new(|| todo.push("/second")));
    for callback in waiting {
        callback();
    }
    println!("{todo:?}");
}
