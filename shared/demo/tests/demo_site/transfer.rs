//! How bodies, and missing responses, look in the bytes of the connection.

use std::io::Read;

use demo_site_tls::DemoSite;

use crate::client::{Answer, ask, get, get_bytes};

#[test]
fn a_page_without_a_length_ends_with_its_connection() {
    let site = DemoSite::start().expect("a socket");
    let answer = get(&site, "/no-length");
    assert!(answer.head.starts_with("HTTP/1.0 200 "), "{}", answer.head);
    assert_eq!(answer.field("content-length"), None);
    assert_eq!(answer.field("transfer-encoding"), None);
    assert_eq!(answer.field("connection"), Some("close"));
    assert!(answer.text().ends_with("</html>\n"));
}

#[test]
fn a_page_in_chunks_is_cut_inside_a_tag_and_inside_a_letter() {
    let site = DemoSite::start().expect("a socket");
    let answer = get(&site, "/chunked");
    assert_eq!(answer.field("transfer-encoding"), Some("chunked"));
    assert_eq!(answer.field("content-length"), None);
    let chunks = chunks(&answer.body);
    assert_eq!(chunks.len(), 5);
    assert!(chunks[2].ends_with(b"<a hre") && chunks[3].starts_with(b"f="));
    assert!(chunks[3].ends_with(b"\xc3") && chunks[4].starts_with(b"\xa9"));
    let page = String::from_utf8(chunks.concat()).expect("UTF-8 once it is whole");
    assert!(page.contains("<a href=\"/wiki/web/chunk\">About chunks, from a café</a>"));
}

/// Returns the chunks of a body that has no trailers (RFC 9112 §7.1).
fn chunks(mut body: &[u8]) -> Vec<Vec<u8>> {
    let mut chunks = Vec::new();
    loop {
        let end = body.windows(2).position(|two| two == b"\r\n").expect("a size line");
        let digits = std::str::from_utf8(&body[..end]).expect("digits");
        let size = usize::from_str_radix(digits, 16).expect("hexadecimal");
        if size == 0 {
            assert_eq!(body, b"0\r\n\r\n");
            return chunks;
        }
        chunks.push(body[end + 2..end + 2 + size].to_vec());
        body = &body[end + 2 + size + 2..];
    }
}

#[test]
fn a_drip_comes_in_many_pieces_and_is_whole_in_the_end() {
    let site = DemoSite::start().expect("a socket");
    let mut stream = ask(&site, "/drip?ms=2");
    let (mut bytes, mut reads, mut buffer) = (Vec::new(), 0, [0; 1024]);
    loop {
        match stream.read(&mut buffer).expect("bytes, or the end") {
            0 => break,
            count => bytes.extend(&buffer[..count]),
        }
        reads += 1;
    }
    assert!(reads > 1, "one read of {} bytes", bytes.len());
    let answer = Answer::parse(&bytes);
    assert_eq!(
        answer.field("content-length"),
        Some(answer.body.len().to_string().as_str())
    );
    assert!(answer.text().ends_with("</html>\n"));
}

#[test]
fn a_flaky_page_hangs_up_twice_and_then_answers_again_and_again() {
    let site = DemoSite::start().expect("a socket");
    for _crawl in 0..2 {
        for _drop in 0..2 {
            assert_eq!(get_bytes(&site, "/flaky").expect("an end, not a reset"), b"");
        }
        assert_eq!(get(&site, "/flaky").status, 200);
    }
    assert_eq!(site.requests("/flaky"), 6);
}

#[test]
fn a_busy_page_asks_to_be_asked_again() {
    let site = DemoSite::start().expect("a socket");
    for _crawl in 0..2 {
        let first = get(&site, "/busy");
        assert_eq!((first.status, first.field("retry-after")), (503, Some("0")));
        assert_eq!(get(&site, "/busy").status, 200);
    }
}
