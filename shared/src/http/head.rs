//! Reads the head of a response: everything up to the blank line.

use super::{HttpError, headers::Headers, input::take_line};

/// The longest head, in bytes, with its blank line.
pub const MAX_HEAD: usize = 256 * 1024;
/// The largest number of header fields in one response.
pub const MAX_FIELDS: usize = 256;
/// The largest number of interim (1xx) responses before the final one (RFC 9110 §15.2).
pub const MAX_INTERIM: usize = 20;

/// The number of fields for which a head is parsed first. Nearly every response has
/// fewer. A head with more is parsed again, with [`MAX_FIELDS`].
const USUAL_FIELDS: usize = 64;
const PREFIX: &[u8] = b"HTTP/1.";
/// The first byte of a TLS alert (RFC 8446 §5.1). Servers that expect TLS answer an
/// unencrypted request with an alert.
const TLS_ALERT: u8 = 21;

/// Collects lines until a blank one arrives, and skips interim responses.
#[derive(Debug, Default)]
pub(super) struct HeadReader {
    /// The lines of the current head that have arrived; cleared after an interim
    /// response.
    lines: Vec<u8>,
    /// How many interim responses have been skipped.
    interim: usize,
}

impl HeadReader {
    /// Takes bytes from the front of `input`. Returns the head of the final response
    /// once it is complete.
    pub(super) fn read(
        &mut self,
        input: &mut &[u8],
    ) -> Result<Option<Head>, HttpError> {
        while self.read_lines(input)? {
            let head = Head::parse(&mut self.lines)?;
            if head.status >= 200 {
                return Ok(Some(head));
            }
            if self.interim == MAX_INTERIM {
                return Err(HttpError::Malformed("too many interim answers"));
            }
            self.interim += 1;
            self.lines.clear();
        }
        Ok(None)
    }

    /// Collects the lines of one head. Returns whether the head is complete. A bare
    /// line feed also ends a line (RFC 9112 §2.2).
    fn read_lines(&mut self, input: &mut &[u8]) -> Result<bool, HttpError> {
        let mut begin = self.lines.iter().chain(*input).zip(PREFIX);
        if begin.any(|(byte, expected)| byte != expected) {
            let is_tls = self.lines.iter().chain(*input).next() == Some(&TLS_ALERT);
            return Err(HttpError::Malformed(match is_tls {
                true => "it looks like TLS: does the server speak https?",
                false => "it does not begin with HTTP/1.",
            }));
        }
        while take_line(input, &mut self.lines, MAX_HEAD, "the head is too long")? {
            if self.lines.ends_with(b"\n\r\n") || self.lines.ends_with(b"\n\n") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns how many bytes of memory the lines occupy.
    pub(super) fn held(&self) -> usize {
        self.lines.capacity()
    }

    /// Returns the error of a connection that ends before the head is complete.
    pub(super) fn close(mut self) -> HttpError {
        if self.lines.is_empty() && self.interim == 0 {
            return HttpError::ClosedBeforeResponse;
        }
        Head::parse(&mut self.lines).err().unwrap_or(HttpError::Truncated)
    }
}

/// A parsed head.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    /// Whether the version is HTTP/1.0, which has no transfer codings and closes the
    /// connection unless a field asks to keep it.
    pub(super) is_old: bool,
    pub(super) headers: Headers,
}

impl Head {
    /// Parses the lines. Returns [`HttpError::Truncated`] if the only error is that
    /// the blank line is missing.
    fn parse(lines: &mut [u8]) -> Result<Self, HttpError> {
        // A higher minor version is read as the highest known one (RFC 9110 §6.2).
        if let Some(minor @ b'2'..=b'9') = lines.get_mut(PREFIX.len()) {
            *minor = b'1';
        }
        let mut parsed = Self::parse_fields(lines, USUAL_FIELDS);
        if matches!(parsed, Err(httparse::Error::TooManyHeaders)) {
            parsed = Self::parse_fields(lines, MAX_FIELDS);
        }
        let head = parsed.map_err(|error| HttpError::Malformed(describe(error)))?;
        head.ok_or(HttpError::Truncated)
    }

    fn parse_fields(
        lines: &[u8],
        most: usize,
    ) -> Result<Option<Self>, httparse::Error> {
        let mut fields = vec![httparse::EMPTY_HEADER; most];
        let mut response = httparse::Response::new(&mut fields);
        let status = httparse::ParserConfig::default()
            .allow_obsolete_multiline_headers_in_responses(true)
            // If this line were rejected, a `Content-Length` could be overlooked (RFC
            // 9112 §5.1).
            .allow_spaces_after_header_name_in_responses(true)
            .parse_response(&mut response, lines)?;
        if status.is_partial() {
            return Ok(None);
        }
        let status = response.code.filter(|code| *code >= 100);
        Ok(Some(Self {
            status: status.ok_or(httparse::Error::Status)?,
            is_old: response.version == Some(0),
            headers: Headers::new(response.headers),
        }))
    }

    /// Returns whether the connection stays open after the response (RFC 9112 §9.3).
    pub(super) fn keeps_alive(&self) -> bool {
        let has = |option: &str| {
            let mut options = self.headers.elements("connection");
            options.any(|element| element.eq_ignore_ascii_case(option.as_bytes()))
        };
        !has("close") && (!self.is_old || has("keep-alive"))
    }
}

/// Describes the error for the report.
fn describe(error: httparse::Error) -> &'static str {
    use httparse::Error;
    match error {
        Error::Version => "its version is not one digit",
        Error::Status => "its status line makes no sense",
        Error::HeaderName => "a header line has no colon, or no proper name before it",
        Error::HeaderValue => "a header field has a control character in it",
        Error::TooManyHeaders => "it has too many header fields",
        Error::NewLine | Error::Token => "a line of its head makes no sense",
    }
}
