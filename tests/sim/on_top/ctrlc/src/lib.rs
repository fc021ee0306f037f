//! `ctrlc`, for the Ctrl-C that the script of a simulation presses.
#![forbid(unsafe_code)]

use std::convert::Infallible;

/// Calls this at each Ctrl-C.
///
/// # Errors
/// None: ctrlc has some.
pub fn set_handler(handler: impl FnMut() + Send + 'static) -> Result<(), Infallible> {
    let handler = std::cell::RefCell::new(handler);
    simulated_os::interrupt_with(move || handler.borrow_mut()());
    Ok(())
}
