//! The head of a response, which the network can cut anywhere.

use crate::{cases, story};

/// Why there is no length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// The server has closed the connection before the blank line.
    Truncated,
    /// There is no blank line among the first `LONGEST + 1` bytes. Whether a head is too
    /// long does not depend on how it was cut.
    TooLong,
}

/// The largest number of bytes in a head.
pub const LONGEST: usize = 8192;

/// Finds the `Content-Length` in the head of a response. Each head here has one.
pub trait Head {
    /// Returns a head of which nothing has arrived yet.
    fn new() -> Self;
    /// Takes the next piece that was read. Returns the length once the head is
    /// complete, and `None` before. An empty piece means that the server has closed
    /// the connection.
    ///
    /// A head ends with a blank line, `\r\n\r\n`. Once it is complete, `feed` is not
    /// called again.
    fn feed(&mut self, piece: &[u8]) -> Result<Option<usize>, Bad>;
}

cases! {
    Head:
    a_head_and_some_of_its_body_in_one_piece,
    a_head_that_is_cut_in_two_at_each_place,
    a_head_that_arrives_byte_by_byte,
    the_field_is_found_by_its_name,
    a_server_that_closes_within_the_head,
    a_head_that_never_ends,
    a_field_that_is_not_utf_8,
    a_head_that_is_too_long_however_it_is_cut,
}

const HEAD: &str =
    "HTTP/1.1 200 OK\r\nServer: demo\r\nContent-Length: 71\r\nVia: 1\r\n\r\n";

/// Feeds pieces until the length is known, or there is an error.
fn feed<H: Head>(pieces: &[&[u8]]) -> Result<Option<usize>, Bad> {
    crate::story::begin();
    let mut head = H::new();
    for piece in pieces {
        let result = head.feed(piece);
        let shown: String =
            String::from_utf8_lossy(piece).escape_debug().take(60).collect();
        story!("feed(\"{shown}\") returns {result:?}");
        if result != Ok(None) {
            return result;
        }
    }
    Ok(None)
}

fn a_head_and_some_of_its_body_in_one_piece<H: Head>() {
    let length = feed::<H>(&[HEAD.as_bytes()]);
    assert_eq!(length, Ok(Some(71)), "the head is complete");
    let with_body = [HEAD.as_bytes(), b"\x89PNG\xff"].concat();
    let length = feed::<H>(&[&with_body]);
    assert_eq!(length, Ok(Some(71)), "the head is complete, and an image has begun");
    let with_text = [HEAD, "Content-Length: 5\r\nis what a head has\r\n"].concat();
    let length = feed::<H>(&[with_text.as_bytes()]);
    assert_eq!(length, Ok(Some(71)), "the body has a line that looks like the field");
}

fn a_head_that_is_cut_in_two_at_each_place<H: Head>() {
    for place in 1..HEAD.len() {
        let (one, two) = HEAD.as_bytes().split_at(place);
        let length = feed::<H>(&[one, two]);
        assert_eq!(length, Ok(Some(71)), "the head was cut after {place} bytes");
    }
}

fn a_head_that_arrives_byte_by_byte<H: Head>() {
    let pieces: Vec<&[u8]> = HEAD.as_bytes().chunks(1).collect();
    assert_eq!(feed::<H>(&pieces), Ok(Some(71)), "the head was cut everywhere");
}

fn the_field_is_found_by_its_name<H: Head>() {
    for fields in ["content-length: 71", "CONTENT-LENGTH:71", "Content-length:  71 "] {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let length = feed::<H>(&[head.as_bytes()]);
        assert_eq!(
            length,
            Ok(Some(71)),
            "a field's name may be in any case, and blanks may surround its value"
        );
    }
    let fields = "X-Content-Length: 5\r\nContent-Length-Hint: 7\r\n\
                  Note: Content-Length: 6\r\nContent-Length: 71";
    let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
    let length = feed::<H>(&[head.as_bytes()]);
    assert_eq!(length, Ok(Some(71)), "the first three fields have other names");
}

fn a_server_that_closes_within_the_head<H: Head>() {
    let result = feed::<H>(&[b"HTTP/1.1 200 OK\r\nContent-Length: 71\r\n", b""]);
    assert_eq!(result, Err(Bad::Truncated), "nothing more will arrive");
    assert_eq!(feed::<H>(&[b""]), Err(Bad::Truncated), "nothing more will arrive");
}

fn a_head_that_never_ends<H: Head>() {
    let endless: Vec<&[u8]> = vec![b"Server: a very long name\r\n"; 1000];
    let result = feed::<H>(&endless);
    assert_eq!(result, Err(Bad::TooLong), "26,000 bytes, and no blank line yet");
    let most = "x".repeat(LONGEST);
    let result = feed::<H>(&[most.as_bytes()]);
    assert_eq!(result, Ok(None), "{LONGEST} bytes: one more is too many");
    let long_body = HEAD.to_string() + &"x".repeat(2 * LONGEST);
    let length = feed::<H>(&[long_body.as_bytes()]);
    assert_eq!(length, Ok(Some(71)), "the body is long, but the head is not");
}

fn a_field_that_is_not_utf_8<H: Head>() {
    let head = b"HTTP/1.1 200 OK\r\nServer: caf\xe9\r\nContent-Length: 71\r\n\r\n";
    assert_eq!(feed::<H>(&[head]), Ok(Some(71)), "an old server sends Latin-1");
}

fn a_head_that_is_too_long_however_it_is_cut<H: Head>() {
    for size in LONGEST - 1..LONGEST + 6 {
        let fields = "HTTP/1.1 200 OK\r\nContent-Length: 71\r\nX: ";
        let rest = "x".repeat(size - fields.len() - 4);
        let response = format!("{fields}{rest}\r\n\r\n");
        let right = if size <= LONGEST + 1 { Ok(Some(71)) } else { Err(Bad::TooLong) };
        let whole = feed::<H>(&[response.as_bytes()]);
        assert_eq!(whole, right, "a head of {size} bytes, in one piece");
        // A solution may search its whole buffer for each piece: so only the end is cut.
        let (most, end) = response.as_bytes().split_at(size - 20);
        let pieces: Vec<&[u8]> = [most].into_iter().chain(end.chunks(1)).collect();
        let by_bytes = feed::<H>(&pieces);
        assert_eq!(by_bytes, right, "a head of {size} bytes, its end byte by byte");
    }
}
