//! Shared cells satisfy the compiler, and move its check to run time.
//!
//! `cargo run -p stage1-callbacks --example ch05_rc_refcell`

use std::cell::RefCell;
use std::rc::Rc;

type Todo = Rc<RefCell<Vec<&'static str>>>;

/// A function for later, with everything that it captured.
type Callback = Box<dyn FnOnce()>;

// ANCHOR: found
/// Returns a callback that adds a link to `todo`. It holds an `Rc` of its own.
fn found(todo: &Todo, link: &'static str) -> Callback {
    let todo = todo.clone();
    Box::new(move || match todo.try_borrow_mut() {
        Ok(mut todo) => todo.push(link),
        // Here `borrow_mut` would panic.
        Err(_) => println!("{link} is lost: todo is borrowed already"),
    })
}
// ANCHOR_END: found

// ANCHOR: look
/// Returns a callback that reads `todo` and meanwhile calls another callback.
fn look(todo: &Todo, other: Callback) -> Callback {
    let todo = todo.clone();
    Box::new(move || {
        let links = todo.borrow();
        println!("looking at {} links", links.len());
        other();
    })
}
// ANCHOR_END: look

// ANCHOR: main
fn main() {
    let todo = Todo::new(RefCell::new(vec!["/"]));
    run(vec![found(&todo, "/first"), found(&todo, "/second")]);
    println!("todo is {:?} now", todo.borrow());
    run(vec![look(&todo, found(&todo, "/third"))]);
    println!("todo is {:?} still", todo.borrow());
}

/// Calls all callbacks. Nothing in its signature says that `todo` may change.
fn run(waiting: Vec<Callback>) {
    for callback in waiting {
        callback();
    }
}
// ANCHOR_END: main
