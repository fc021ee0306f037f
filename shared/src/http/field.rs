//! Header fields that a user adds to requests: `--header` and `--user`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// The longest name, and the longest value, that a user can add, in bytes.
const MAX_FIELD: usize = 8 * 1024;

/// Names that a user cannot add: those of the connection, of the framing, and those
/// that the crawler sends itself. A second field would contradict the first.
const RESERVED: [&str; 15] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A header field for requests to the sites of the roots. Its value may be a secret,
/// so `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Field {
    name: String,
    value: String,
}

impl fmt::Debug for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: (not shown)", self.name)
    }
}

impl Field {
    /// Parses `NAME:VALUE`. The name is a token (RFC 9110 §5.6.2), the value is
    /// printable ASCII.
    ///
    /// # Errors
    /// A description of the mistake, for the user. It does not repeat the value.
    pub fn parse(text: &str) -> Result<Field, String> {
        let (name, value) = text.split_once(':').ok_or("there is no colon in it")?;
        let (name, value) = (name.trim_end(), value.trim_matches([' ', '\t']));
        if name.len() > MAX_FIELD || value.len() > MAX_FIELD {
            return Err(format!("longer than {MAX_FIELD} bytes"));
        }
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err("its name is not that of a header field".to_string());
        }
        if !value.bytes().all(is_of_value) {
            return Err("its value must be printable ASCII".to_string());
        }
        if name.eq_ignore_ascii_case("user-agent") {
            return Err("User-Agent is set with --user-agent".to_string());
        }
        if RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) {
            return Err(format!("{name} is set by the crawler"));
        }
        Ok(Field { name: name.to_string(), value: value.to_string() })
    }

    /// Parses `NAME:PASSWORD` and builds the `Authorization` field for basic
    /// authentication (RFC 7617). The password may contain colons.
    ///
    /// # Errors
    /// A description of the mistake, for the user. It repeats neither name nor
    /// password.
    pub fn basic_authorization(text: &str) -> Result<Field, String> {
        if !text.contains(':') {
            return Err("there is no colon between name and password".to_string());
        }
        if text.contains(char::is_control) {
            return Err("a control character in it".to_string());
        }
        if text.len() > MAX_FIELD {
            return Err(format!("longer than {MAX_FIELD} bytes"));
        }
        let value = format!("Basic {}", STANDARD.encode(text));
        Ok(Field { name: "Authorization".to_string(), value })
    }

    /// Returns whether the field has this name, in any case.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// Returns the field's line in a request, with the line end.
    pub(crate) fn line(&self) -> String {
        format!("{}: {}\r\n", self.name, self.value)
    }
}

/// Returns whether this byte is allowed in the value of a user's field: printable
/// ASCII, or a tab.
pub(crate) fn is_of_value(byte: u8) -> bool {
    byte == b'\t' || (b' '..=b'~').contains(&byte)
}

/// Returns whether this byte is allowed in a token.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_a_token_and_a_value() {
        for (text, line) in [
            ("X-Key:abc", "X-Key: abc\r\n"),
            ("X-Key : \t a:b c \t", "X-Key: a:b c\r\n"),
            ("Cookie:", "Cookie: \r\n"),
            ("authorization: Bearer x", "authorization: Bearer x\r\n"),
        ] {
            assert_eq!(Field::parse(text).map(|field| field.line()), Ok(line.into()));
        }
    }

    #[test]
    fn no_field_breaks_its_line_or_contradicts_the_request() {
        for text in [
            "",
            "no colon",
            ":value",
            "a b:c",
            "a\r\nb:c",
            "a:b\r\nHost: c",
            "a:b\nc",
            "a:\0",
            "a:\u{7f}",
            "ä:b",
            "a:ä",
            "Host: x",
            "hOST:x",
            "Content-Length: 5",
            "Transfer-Encoding: chunked",
            "Connection: close",
            "Accept-Encoding: gzip",
            "User-Agent: x",
            "Expect: 100-continue",
            "Upgrade: h2c",
        ] {
            assert!(Field::parse(text).is_err(), "{text:?}");
        }
        let long = format!("X:{}", "y".repeat(MAX_FIELD + 1));
        assert!(Field::parse(&long).is_err());
    }

    /// The examples of RFC 7617 §2 and §2.1.
    #[test]
    fn basic_authorization_is_base64() {
        for (text, line) in [
            (
                "Aladdin:open sesame",
                "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n",
            ),
            ("test:123£", "Authorization: Basic dGVzdDoxMjPCow==\r\n"),
            (":", "Authorization: Basic Og==\r\n"),
        ] {
            let field = Field::basic_authorization(text);
            assert_eq!(field.map(|field| field.line()), Ok(line.into()), "{text}");
        }
        for text in ["", "name", "name:pass\r\nword", "na\0me:x"] {
            assert!(Field::basic_authorization(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_value_is_not_shown() {
        let field = Field::parse("X-Key: secret").unwrap();
        assert_eq!(format!("{field:?}"), "X-Key: (not shown)");
    }
}
