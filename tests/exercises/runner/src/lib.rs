//! `cargo exercise`: checks a learner's solutions, and proves that the checks accept right
//! solutions and reject wrong ones.
//!
//! | module | is about |
//! |---|---|
//! | [`material`] | the exercises: `*/exercises/NAME/`, in the order of the book |
//! | [`holes`] | what a learner writes, as marks in the solution: the start is made from it |
//! | [`bare`] | the start of level 3, derived from the trait of the check |
//! | [`variants`] | `wrong.txt`: other solutions, as changes of the right one |
//! | [`reworked`] | capstones: stages with changes, as crates |
//! | [`mutants`] | small changes of a solution, made by rule |
//! | [`mistakes`] | `mistakes.txt`: what the check says about each mistake |
//! | [`compile`] | one file, compiled with rustc against the built checks |
//! | [`together`] | several solutions as one program |
//! | [`child`] | a learner's program as a process, which ends with all that it has started |
//! | [`groups`] | programs that end with all that they have started |
//! | `hear` | what a program prints while it is judged |
//! | [`likeness`] | how much of two solutions is alike |
//! | [`lock`] | a folder that one process uses at a time |
//! | [`run`] | a compiled solution as a child process, and what came of it |
//! | [`progress`] | what a learner has done |
//! | [`day`] | days of the calendar |
//! | [`failure`] | why a solution does not hold |
//! | [`bank`] | the questions of the book, as far as a learner is asked |
//! | [`puzzle`] | a solution in shuffled blocks, and which case stops a mistake |
//! | [`show`] | what is printed about a solution |
//! | [`capstone`] | a whole crate of a reader, judged promise by promise |
//! | [`commands`] | one module for each larger command |
#![forbid(unsafe_code)]

pub mod bank;
pub mod bare;
pub mod capstone;
pub mod child;
pub mod commands;
pub mod compile;
pub mod day;
pub mod failure;
pub mod groups;
mod hear;
pub mod holes;
pub mod likeness;
pub mod lock;
pub mod material;
pub mod mistakes;
pub mod mutants;
pub mod progress;
pub mod puzzle;
pub mod reworked;
pub mod run;
pub mod show;
pub mod together;
pub mod variants;
