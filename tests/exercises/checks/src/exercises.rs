//! One line for each exercise, sorted. The order in which they are taught is in the first
//! line of each `hints.md`.

pub mod attempt;
pub mod block_on;
pub mod cancel_safe;
pub mod cap;
pub mod check_act_wait;
pub mod cut_anywhere;
pub mod deadline;
pub mod drain;
pub mod event_loop;
pub mod executor;
pub mod futures_table;
pub mod hand_over;
pub mod jobs;
pub mod join_all;
pub mod leaf;
pub mod lines;
pub mod one_box;
pub mod pool;
pub mod queue;
pub mod race;
pub mod reactor;
pub mod rearm;
pub mod seen;
pub mod sleep;
pub mod small_frame;
pub mod steal_half;
pub mod task_done;
pub mod task_states;
pub mod third_yield;
pub mod three_answers;
pub mod two_awaits;
pub mod vtable;
pub mod way_out;
pub mod who_asks;
pub mod yield_from;
