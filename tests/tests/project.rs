//! What holds for the project's files: how long they are, what they depend on, and what is
//! said about them.

mod circles;
mod dependencies;
mod lines;
mod promise_groups;
mod targets;
mod workplace;
mod workspaces;
