//! The head of an answer: everything before the blank line, and what it says.

use super::{HttpError, headers::Headers, take::take_line};

/// Bytes of one head, its blank line included.
pub const MAX_HEAD: usize = 256 * 1024;
/// Header fields of one answer.
pub const MAX_FIELDS: usize = 256;
/// Interim (1xx) answers that are skipped before the real one (RFC 9110 §15.2).
pub const MAX_INTERIM: usize = 20;

const USUAL_FIELDS: usize = 64;
const PREFIX: &[u8] = b"HTTP/1.";

/// Collects lines until one is blank, and skips interim answers.
#[derive(Debug, Default)]
pub(super) struct HeadReader {
    lines: Vec<u8>,
    interim: usize,
}

impl HeadReader {
    /// Takes bytes from the front of `input`; the real answer's head once it is whole.
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

    /// Collects one head: is it whole? Bare line feeds end lines too (RFC 9112 §2.2).
    fn read_lines(&mut self, input: &mut &[u8]) -> Result<bool, HttpError> {
        let mut begin = self.lines.iter().chain(*input).zip(PREFIX);
        if begin.any(|(byte, expected)| byte != expected) {
            return Err(HttpError::Malformed("it does not begin with HTTP/1."));
        }
        while take_line(input, &mut self.lines, MAX_HEAD, "the head is too long")? {
            if self.lines.ends_with(b"\n\r\n") || self.lines.ends_with(b"\n\n") {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Why a connection that ends here gave no answer.
    pub(super) fn close(mut self) -> HttpError {
        if self.lines.is_empty() && self.interim == 0 {
            return HttpError::NoAnswer;
        }
        Head::parse(&mut self.lines).err().unwrap_or(HttpError::Truncated)
    }
}

/// What a head says.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    /// HTTP/1.0, which knows neither transfer codings nor, unasked, a second request.
    pub(super) is_old: bool,
    pub(super) headers: Headers,
}

impl Head {
    /// Parses the lines; [`HttpError::Truncated`] if nothing is wrong with them but
    /// that the blank one is missing.
    fn parse(lines: &mut [u8]) -> Result<Self, HttpError> {
        // A higher minor version is read as the highest that we know (RFC 9110 §6.2).
        if let Some(minor @ b'2'..=b'9') = lines.get_mut(PREFIX.len()) {
            *minor = b'1';
        }
        let mut parsed = Self::parse_fields(lines, USUAL_FIELDS);
        if matches!(parsed, Err(httparse::Error::TooManyHeaders)) {
            parsed = Self::parse_fields(lines, MAX_FIELDS);
        }
        let head = parsed.map_err(|error| HttpError::Malformed(in_words(error)))?;
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
            // Tolerated, lest a Content-Length is overlooked (RFC 9112 §5.1).
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

    /// Does the server leave the connection open (RFC 9112 §9.3)?
    pub(super) fn keeps_alive(&self) -> bool {
        let has = |option: &str| {
            let mut options = self.headers.elements("connection");
            options.any(|element| element.eq_ignore_ascii_case(option.as_bytes()))
        };
        !has("close") && (!self.is_old || has("keep-alive"))
    }
}

fn in_words(error: httparse::Error) -> &'static str {
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
