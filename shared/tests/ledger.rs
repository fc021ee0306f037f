//! The ledger, driven by hand: no socket, no clock, answers in any order.

mod any_order;
mod by_hand;
mod reference;
pub(crate) mod site;
