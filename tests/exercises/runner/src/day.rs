//! Days of the calendar, without a time zone: those of UTC.

use std::fmt;
use std::str::FromStr;
use std::time::SystemTime;
use toml::value::Datetime;

/// A day, as the number of days since 1 January 1970. As text: `2026-12-24`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub u32);

impl Day {
    /// Returns the day that the clock of this machine has. A clock before 1970 has the first.
    pub fn today() -> Day {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Day(since.map_or(0, |it| (it.as_secs() / (24 * 60 * 60)) as u32))
    }
}

/// How long the months of a year are, from 1970 on.
fn months(year: u16) -> [u32; 12] {
    let is_leap = year.is_multiple_of(4)
        && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let date = text.parse().ok().and_then(|it: Datetime| it.date);
        let date =
            date.filter(|it| it.year >= 1970 && text.len() == it.to_string().len());
        let date = date.ok_or(format!("`{text}` is no day such as 2026-12-24"))?;
        let years: u32 = (1970..date.year).flat_map(months).sum();
        let months = months(date.year).into_iter().take(usize::from(date.month) - 1);
        Ok(Day(years + months.sum::<u32>() + u32::from(date.day) - 1))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let months =
            (1970..).flat_map(|year| (1..).zip(months(year)).map(move |it| (year, it)));
        for (year, (month, length)) in months {
            if rest < length {
                return write!(f, "{year}-{month:02}-{:02}", rest + 1);
            }
            rest -= length;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_as_it_is_read() {
        for (text, day) in
            [("1970-01-01", 0), ("2024-02-29", 19_782), ("2100-03-01", 47_541)]
        {
            assert_eq!(text.parse(), Ok(Day(day)));
            assert_eq!(Day(day).to_string(), text);
        }
        for text in ["", "2026-02-29", "1969-12-31", "12:00:00", "2026-01-01T00:00:00Z"]
        {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }
}
