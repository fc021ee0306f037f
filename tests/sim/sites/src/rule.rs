//! One line of a script: what is done about a request.

use std::time::Duration;

/// What is done about a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How long after the request.
    pub after: Duration,
    /// What then happens.
    pub then: Then,
}

/// What happens after that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// A response.
    Responds {
        /// Its status.
        status: u16,
        /// Its other fields, each with its line's end.
        fields: String,
        /// Its page.
        body: String,
        /// In how many pieces it arrives.
        pieces: usize,
        /// How long after each other.
        every: Duration,
        /// Whether the connection ends with it.
        closes: bool,
    },
    /// The connection ends without a byte.
    Closes,
    /// The connection is reset.
    Resets,
    /// Nothing.
    Nothing,
}

impl Rule {
    /// Parses what follows the path: `1s 200 links=/a,/b pieces=2 every=5ms`.
    ///
    /// # Errors
    /// The word that is wrong.
    pub fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Rule, String> {
        let after = duration(words.next().ok_or("no time")?)?;
        let then = match words.next().ok_or("no status, reset, close or nothing")? {
            "reset" => Then::Resets,
            "close" => Then::Closes,
            "nothing" => Then::Nothing,
            status => responds(status, words.by_ref())?,
        };
        match words.next() {
            Some(word) => Err(format!("{word}: nothing can follow")),
            None => Ok(Rule { after, then }),
        }
    }
}

fn responds<'a>(
    status: &str,
    words: impl Iterator<Item = &'a str>,
) -> Result<Then, String> {
    let status = status.parse().map_err(|_| format!("{status}: not a status"))?;
    let (mut fields, mut body) = (String::new(), String::new());
    let (mut pieces, mut every, mut closes) = (1, Duration::ZERO, false);
    for word in words {
        match word.split_once('=') {
            Some(("links", links)) => {
                let anchor = |link| format!("<a href=\"{link}\">{link}</a>\n");
                body.extend(links.split(',').map(anchor));
            }
            Some(("text", text)) => body.push_str(text),
            Some(("bytes", count)) => {
                body.push_str(&"x".repeat(number(count)?));
            }
            Some(("pieces", count)) => pieces = number(count)?.max(1),
            Some(("every", time)) => every = duration(time)?,
            Some((name @ ("location" | "retry-after"), value)) => {
                fields.push_str(&format!("{name}: {value}\r\n"));
            }
            None if word == "close" => {
                fields.push_str("Connection: close\r\n");
                closes = true;
            }
            _ => return Err(format!("{word}: not a part of a response")),
        }
    }
    Ok(Then::Responds { status, fields, body, pieces, every, closes })
}

fn number(word: &str) -> Result<usize, String> {
    word.parse().map_err(|_| format!("{word}: not a number"))
}

/// Parses `1500us`, `10ms`, `1s`.
pub(crate) fn duration(word: &str) -> Result<Duration, String> {
    let whole = |unit| word.strip_suffix(unit)?.parse().ok();
    let micros = whole("us").map(Duration::from_micros);
    let millis = || whole("ms").map(Duration::from_millis);
    let seconds = || whole("s").map(Duration::from_secs);
    micros
        .or_else(millis)
        .or_else(seconds)
        .ok_or(format!("{word}: not a time (10ms, 1s)"))
}
