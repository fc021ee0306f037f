//! One line for each exercise, sorted. The order in which they are taught is in the first
//! line of each `hints.md`.

pub mod leaf;
