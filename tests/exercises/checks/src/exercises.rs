//! One line for each exercise, sorted. The order in which they are taught is in the first
//! line of each `hints.md`.

pub mod attempt;
pub mod block_on;
pub mod cap;
pub mod cut_anywhere;
pub mod cancel_safe;
pub mod check_act_wait;
pub mod drain;
pub mod event_loop;
pub mod executor;
pub mod futures_table;
pub mod hand_over;
pub mod jobs;
pub mod leaf;
pub mod lines;
pub mod pool;
pub mod queue;
pub mod seen;
pub mod sleep;
pub mod task_done;
pub mod third_yield;
pub mod three_answers;
pub mod race;
pub mod reactor;
pub mod two_awaits;
pub mod way_out;
