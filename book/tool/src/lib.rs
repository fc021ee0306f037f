//! Builds, serves and checks the book; draws its figures.
#![forbid(unsafe_code)]

pub mod drawing;
pub mod figure;
pub mod place;
pub mod problem;
