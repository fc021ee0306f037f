//! Parsers of option values. The error messages follow clap's `invalid value '…' for
//! '--…': `, or a name.

use crate::http::field::is_of_value;
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use std::ffi::OsStr;
use std::time::Duration;

/// The longest time-out, in seconds: a year. It is longer than any crawl and overflows
/// no clock.
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

/// The largest number of requests per second.
const MAX_RATE: f64 = 1e6;

/// Returns a parser of whole numbers from `least` to `most`.
pub(super) fn whole<T: TryFrom<u64>>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let is_negative =
            text.strip_prefix('-').is_some_and(|rest| digits(rest).is_some());
        if is_negative {
            return Err(format!("must be at least {least}"));
        }
        let number = digits(text).ok_or("not a whole number")?;
        if number < u128::from(least) {
            return Err(format!("must be at least {least}"));
        }
        let number = u64::try_from(number).ok().filter(|number| *number <= most);
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("must be at most {most}"))
    }
}

/// Parses a number of bytes: `500`, `64k`, `10M`, `1G`, in units of 1024.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let unit = match text.chars().next_back() {
        Some('k' | 'K') => 1 << 10,
        Some('m' | 'M') => 1 << 20,
        Some('g' | 'G') => 1 << 30,
        _ => 1,
    };
    let number = if unit == 1 { text } else { &text[..text.len() - 1] };
    let number =
        digits(number).ok_or("not a number of bytes, as in 500, 64k, 10M or 1G")?;
    if number == 0 {
        return Err("must be at least 1".to_string());
    }
    let all = number.checked_mul(unit).and_then(|all| u64::try_from(all).ok());
    all.ok_or_else(|| "more bytes than a machine has".to_string())
}

/// Parses a number that consists of digits only. Numbers that are too large for any
/// option become the largest possible number.
fn digits(text: &str) -> Option<u128> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u128::MAX))
}

/// Parses a time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| "not a number of seconds".to_string())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() && seconds <= LONGEST => Ok(duration),
        _ => Err(format!("must be more than 0 and at most {LONGEST} seconds")),
    }
}

/// Parses a number of requests per second. Returns the pause between two requests.
pub(super) fn rate(text: &str) -> Result<Duration, String> {
    let rate: f64 =
        text.parse().map_err(|_| "not a number of requests per second".to_string())?;
    match Duration::try_from_secs_f64(1.0 / rate) {
        Ok(pause) if rate <= MAX_RATE && pause.as_secs_f64() <= LONGEST => Ok(pause),
        _ => Err(format!("must be more than 0 and at most {MAX_RATE} per second")),
    }
}

/// Parses the value of a header field.
pub(super) fn header_text(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || !text.bytes().all(is_of_value) {
        return Err("must be printable ASCII, and not empty".to_string());
    }
    Ok(text.trim().to_string())
}

/// Parses a value that error messages must not repeat, since it may be a password.
#[derive(Clone)]
pub(super) struct Secret<T>(pub(super) fn(&str) -> Result<T, String>);

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Secret<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, Error> {
        let text = value.to_str().ok_or("not UTF-8".to_string());
        text.and_then(self.0).map_err(|why| {
            let name = arg.map_or(String::new(), |arg| format!(" for '{arg}'"));
            let why = format!("invalid value{name}: {why}");
            command.clone().error(ErrorKind::ValueValidation, why)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        for (text, count) in [
            ("1", 1),
            ("500", 500),
            ("2k", 2048),
            ("2K", 2048),
            ("10M", 10 << 20),
            ("3g", 3 << 30),
            ("17179869183G", 17_179_869_183 << 30),
        ] {
            assert_eq!(bytes(text), Ok(count), "{text}");
        }
        for text in
            ["", "k", "-1", "+1", "1.5M", "1 M", "1T", "1kk", "M1", "١", "1MiB", "0x1"]
        {
            let why = bytes(text).unwrap_err();
            assert!(why.starts_with("not a number of bytes"), "{text}: {why}");
        }
        for text in ["0", "000", "0k", "0G"] {
            assert_eq!(bytes(text).unwrap_err(), "must be at least 1");
        }
        let huge = "9".repeat(10_000);
        for text in ["17179869184G", "18446744073709551616", &huge, &format!("{huge}G")]
        {
            assert_eq!(bytes(text).unwrap_err(), "more bytes than a machine has");
        }
    }

    #[test]
    fn whole_numbers_have_limits_in_words() {
        let parse = whole::<u32>(1, 1024);
        assert_eq!((parse("1"), parse("1024")), (Ok(1), Ok(1024)));
        for (text, why) in [
            ("0", "must be at least 1"),
            ("-5", "must be at least 1"),
            ("1025", "must be at most 1024"),
            ("99999999999999999999999999999999999999999", "must be at most 1024"),
            ("", "not a whole number"),
            ("-", "not a whole number"),
            ("+5", "not a whole number"),
            ("1.5", "not a whole number"),
            ("ten", "not a whole number"),
        ] {
            assert_eq!(parse(text), Err(why.to_string()), "{text}");
        }
        let all = whole::<u64>(0, u64::MAX);
        assert_eq!(all("18446744073709551615"), Ok(u64::MAX));
    }

    #[test]
    fn a_rate_is_a_pause() {
        assert_eq!(rate("4"), Ok(Duration::from_millis(250)));
        assert_eq!(rate("0.5"), Ok(Duration::from_secs(2)));
        for text in ["0", "-1", "inf", "nan", "1e300", "1e-300", "2000000", "", "fast"]
        {
            assert!(rate(text).is_err(), "{text}");
        }
    }
}
