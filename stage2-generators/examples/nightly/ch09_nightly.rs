//! The same generator in nightly Rust: the compiler writes the enum.
//!
//! ```sh
//! cd stage2-generators/examples/nightly
//! rustc +nightly --edition 2024 ch09_nightly.rs && ./ch09_nightly
//! ```
#![feature(coroutines, coroutine_trait, gen_blocks)]

use std::ops::{Coroutine, CoroutineState};
use std::pin::Pin;

// ANCHOR: gen_fn
/// `Coroutine` is our `Generator`, with the same three types. A call of `gen_fn` makes
/// one, and runs nothing. Resuming it after its end panics.
fn gen_fn() -> impl Coroutine<Option<&'static str>, Yield = u32, Return = &'static str>
{
    #[coroutine]
    |_: Option<&'static str>| {
        let result = yield 1;
        println!("  result of yield: {result:?}");
        let result2 = yield 2;
        println!("  result of 2nd yield: {result2:?} after {result:?}");
        "done"
    }
}
// ANCHOR_END: gen_fn

// ANCHOR: countdown
/// A `gen` block is sent nothing and returns nothing: it is an iterator.
fn countdown(from: u32) -> impl Iterator<Item = u32> {
    gen move {
        for number in (1..=from).rev() {
            yield number;
        }
    }
}
// ANCHOR_END: countdown

// ANCHOR: main
fn main() {
    let mut generator = gen_fn();
    for sent in [None, Some("hello"), Some("goodbye")] {
        println!("send {sent:?}");
        // A `Pin` promises that the frame will not move again: see chapter 18.
        match Pin::new(&mut generator).resume(sent) {
            CoroutineState::Yielded(number) => println!("  yields {number}"),
            CoroutineState::Complete(text) => println!("  returns {text:?}"),
        }
    }
    println!("a gen block yields {:?}", countdown(3).collect::<Vec<_>>());
}
// ANCHOR_END: main
