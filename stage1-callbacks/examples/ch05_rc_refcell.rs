//! Shared cells please the compiler, and hide who changes what until the program runs.
//!
//! `cargo run -p stage1-callbacks --example ch05_rc_refcell`

use std::cell::RefCell;
use std::rc::Rc;

type Todo = Rc<RefCell<Vec<&'static str>>>;

/// What is to be called later, and captures what it needs.
type Callback = Box<dyn FnOnce()>;

// ANCHOR: found
/// A callback that adds a link to `todo`. It has an `Rc` of its own, like anybody else.
fn found(todo: &Todo, link: &'static str) -> Callback {
    let todo = todo.clone();
    Box::new(move || match todo.try_borrow_mut() {
        Ok(mut todo) => todo.push(link),
        // Here `borrow_mut` would panic.
        Err(_) => println!("{link} is lost: somebody else is using todo"),
    })
}
// ANCHOR_END: found

// ANCHOR: look
/// A callback that goes through `todo`, and calls another meanwhile.
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

/// Calls whatever waits. Nothing in this line says that `todo` will change.
fn run(waiting: Vec<Callback>) {
    for callback in waiting {
        callback();
    }
}
// ANCHOR_END: main
