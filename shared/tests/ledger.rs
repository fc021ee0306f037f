//! The ledger, driven by hand, without socket and clock. Responses come in any order.

mod any_order;
mod by_hand;
mod reference;
pub(crate) mod site;
