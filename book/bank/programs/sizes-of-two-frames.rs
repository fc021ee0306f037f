//! An array that is needed after an await is part of the frame, and so is one that was
//! borrowed before it.

use std::future::ready;

// ANCHOR: shown
async fn f() -> u8 {
    let a = [0u8; 16_384];
    let first = a[0];
    pause().await;
    first
}

async fn f2() -> u8 {
    let a = [0u8; 16_384];
    pause().await;
    a[0]
}
// ANCHOR_END: shown

async fn f3() -> u8 {
    let a = [0u8; 16_384];
    let sum = a.iter().sum();
    pause().await;
    sum
}

async fn pause() {
    ready(()).await;
}

fn main() {
    println!("f: {}", size(size_of_val(&f())));
    println!("f2: {}", size(size_of_val(&f2())));
    let f3 = size(size_of_val(&f3()));
    println!("f3, which borrows the array before the await: {f3}");
}

fn size(bytes: usize) -> String {
    match bytes {
        0..100 => "a few bytes".to_string(),
        16_384.. => "over 16 KB".to_string(),
        _ => format!("{bytes} bytes"),
    }
}
