//! Checks that a request is what the contract of the command line says, and nothing
//! else. It is read by a parser that no crawler uses for requests.

use std::net::SocketAddr;
use url::Url;

/// The fields of a request, in the order of their names.
const FIELDS: [&str; 5] =
    ["Accept", "Accept-Encoding", "Connection", "Host", "User-Agent"];
/// Bytes of the longest URL that is asked for.
const MAX_URL: usize = 16 * 1024;

/// What a crawler asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The path with its query.
    pub target: String,
    /// Whether the connection is to be closed after the response.
    pub wants_close: bool,
}

/// Reads the bytes of one request to the server at `address`.
///
/// # Errors
/// What is wrong with it, and its bytes.
pub fn check(bytes: &[u8], address: SocketAddr) -> Result<Request, String> {
    let mut fields = [httparse::EMPTY_HEADER; 16];
    let mut request = httparse::Request::new(&mut fields);
    let parsed = request.parse(bytes);
    parsed
        .map_err(|error| error.to_string())
        .and_then(|parsed| match parsed {
            httparse::Status::Complete(length) if length == bytes.len() => {
                check_parts(&request, address)
            }
            _ => Err("it does not end with its blank line".to_string()),
        })
        .and_then(|request| match has_bare_ends(bytes) {
            true => Err("a line ends with half a line end".to_string()),
            false => Ok(request),
        })
        .map_err(|why| format!("{why}: {}", bytes.escape_ascii()))
}

fn has_bare_ends(bytes: &[u8]) -> bool {
    let count = |end| bytes.iter().filter(|byte| **byte == end).count();
    let pairs = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    count(b'\r') != pairs || count(b'\n') != pairs
}

fn check_parts(
    request: &httparse::Request<'_, '_>,
    address: SocketAddr,
) -> Result<Request, String> {
    if (request.method, request.version) != (Some("GET"), Some(1)) {
        return Err("it is no GET of HTTP/1.1".to_string());
    }
    let mut names: Vec<&str> = request.headers.iter().map(|field| field.name).collect();
    names.sort_unstable();
    if names != FIELDS {
        return Err(format!("its fields are {names:?}"));
    }
    let field = |name| {
        let mut fields = request.headers.iter();
        let value = fields.find(|field| field.name == name).map(|field| field.value);
        str::from_utf8(value.unwrap_or_default()).unwrap_or_default()
    };
    let is_as_said = field("Host") == address.to_string()
        && field("Accept-Encoding") == "identity"
        && ["close", "keep-alive"].contains(&field("Connection"))
        && !field("User-Agent").is_empty()
        && !field("Accept").is_empty();
    if !is_as_said {
        return Err("a field has a wrong value".to_string());
    }
    let target = request.path.unwrap_or_default().to_string();
    check_target(&target, address)?;
    Ok(Request { target, wants_close: field("Connection") == "close" })
}

/// A path, perhaps with a query, as the URL standard writes it.
fn check_target(target: &str, address: SocketAddr) -> Result<(), String> {
    let whole = format!("http://{address}{target}");
    let normal = Url::parse(&whole).map_err(|error| error.to_string())?;
    let is_plain = target.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if !target.starts_with('/') || !is_plain || normal.as_str() != whole {
        return Err("its target is no path as URLs have it".to_string());
    }
    if whole.len() > MAX_URL {
        return Err("its URL is too long".to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_in_the_contract_is_a_fault() {
        let address = SocketAddr::from(([127, 0, 0, 1], 81));
        let check_text = |text: &str| check(text.as_bytes(), address);
        let good = "GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:81\r\nUser-Agent: x\r\n\
            Accept: */*\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n";
        let expected = Request { target: "/a?b".to_string(), wants_close: true };
        assert_eq!(check_text(good), Ok(expected));
        for (part, bad) in [
            ("GET", "POST"),
            ("/a?b", "/a b"),
            ("/a?b", "/a#b"),
            ("/a?b", "/\u{e9}"),
            ("/a?b", "/x/../a"),
            ("/a?b", "http://127.0.0.1:81/a"),
            ("1.1\r\n", "1.0\r\n"),
            ("127.0.0.1:81", "127.0.0.1"),
            ("identity", "gzip"),
            ("close", "upgrade"),
            ("Accept: */*\r\n", ""),
            ("Accept: */*\r\n", "Accept: */*\r\nAccept: */*\r\n"),
            ("Accept: */*\r\n", "Accept: */*\n"),
            ("User-Agent: x", "User-Agent: x\r\nCookie: y"),
            ("\r\n\r\n", "\r\n"),
            ("\r\n\r\n", "\r\n\r\nGET"),
        ] {
            let text = good.replace(part, bad);
            assert!(check_text(&text).is_err(), "{text}");
        }
    }
}
