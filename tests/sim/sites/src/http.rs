//! As much of HTTP as a script needs: where a request ends, and what a response looks like.

/// The head of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// GET or HEAD.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// Whether the client asks for the end of the connection after this response.
    pub closes: bool,
}

/// The requests that arrive on one connection, in whatever pieces. They have no bodies.
#[derive(Debug, Default)]
pub struct Requests(Vec<u8>);

impl Requests {
    /// Takes the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
}

impl Iterator for Requests {
    type Item = Head;

    fn next(&mut self) -> Option<Head> {
        const END: &[u8] = b"\r\n\r\n";
        let end = self.0.windows(END.len()).position(|it| it == END)?;
        let head: Vec<u8> = self.0.drain(..end + END.len()).collect();
        let head = String::from_utf8_lossy(&head);
        let mut lines = head.split("\r\n");
        let mut first = lines.next().unwrap_or_default().split(' ');
        let mut word = || first.next().unwrap_or_default().to_string();
        let (method, path) = (word(), word());
        let closes = |line: &str| line.eq_ignore_ascii_case("connection: close");
        Some(Head { method, path, closes: lines.any(closes) })
    }
}

/// Returns a response with these fields, each with its line's end, and this body.
pub fn response(status: u16, fields: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Scripted\r\nContent-Type: text/html\r\n");
    format!("{head}{fields}Content-Length: {length}\r\n\r\n{body}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_may_come_in_pieces_and_two_in_one() {
        let mut requests = Requests::default();
        requests.feed(b"GET /a?b HTTP/1.1\r\nConnection: close\r");
        assert_eq!(requests.next(), None);
        requests.feed(b"\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET");
        let head = |method: &str, path: &str, closes| Head {
            method: method.into(),
            path: path.into(),
            closes,
        };
        assert_eq!(requests.next(), Some(head("GET", "/a?b", true)));
        assert_eq!(requests.next(), Some(head("HEAD", "/", false)));
        assert_eq!(requests.next(), None);
    }
}
