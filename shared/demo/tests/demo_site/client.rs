//! A minimal client, which sends and receives bytes.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use demo_site_tls::DemoSite;

/// The longest time for a response. A test whose response never comes fails after it.
const READ_TIMEOUT: Duration = Duration::from_secs(20);

/// A response. Its body is as it was sent, still in chunks.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Returns the value of a header field. `name` is in lower case.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        fields.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn parse(bytes: &[u8]) -> Answer {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("a whole head");
        let head = String::from_utf8(bytes[..end].to_vec()).expect("a head of text");
        let status = head[9..12].parse().expect("a status of three digits");
        Answer { status, head, body: bytes[end + 4..].to_vec() }
    }
}

pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the site listens");
    stream.set_read_timeout(Some(READ_TIMEOUT)).expect("not zero");
    stream
}

/// Sends a request for `path` as written, on a new connection.
pub(crate) fn ask(site: &DemoSite, path: &str) -> TcpStream {
    let mut stream = connect(site.address());
    ask_on(&mut stream, path);
    stream
}

/// Sends a request for `path`, and asks the server to close the connection.
pub(crate) fn ask_on(stream: &mut impl Write, path: &str) {
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: demo\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("the site reads");
}

/// Returns all bytes of the response for `path`, up to the end of the connection.
pub(crate) fn get_bytes(site: &DemoSite, path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    ask(site, path).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn get(site: &DemoSite, path: &str) -> Answer {
    Answer::parse(&get_bytes(site, path).expect("an answer to the end"))
}

/// Sends a request on a connection that stays open, and reads a response that has a
/// length.
pub(crate) fn get_and_keep(stream: &mut (impl Read + Write), path: &str) -> Answer {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: demo\r\n\r\n")
        .expect("the site reads");
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("a whole head");
        bytes.extend(byte);
    }
    let mut answer = Answer::parse(&bytes);
    let length =
        answer.field("content-length").expect("a length").parse().expect("digits");
    answer.body = vec![0; length];
    stream.read_exact(&mut answer.body).expect("a whole body");
    answer
}
