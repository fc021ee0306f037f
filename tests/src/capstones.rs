//! Capstones: what a reader has written is judged, promise by promise.
//!
//! `cargo exercise capstone` makes a program of a reader's crate and one of the functions
//! here. It runs that program several times side by side, and names one promise after the
//! other on its standard input (`worker`). So a promise that hangs, aborts or prints
//! without end costs nothing but itself.

pub mod deadlines;
pub mod hosts;
pub mod phase;
