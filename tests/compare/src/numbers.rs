//! Numbers and errors, as a person reads them.

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a function that words an error of the system: what failed, and why.
pub(crate) fn failed_to(action: &str) -> impl Fn(std::io::Error) -> String {
    move |error| format!("failed to {action}: {error}")
}
