//! A stream of bytes of any kind: the trait of chapter 34, what is made of it, and a pipe.

pub(crate) mod pipe;

use shared::http::ConnectionOption;
use shared::{FetchError, Page, ResponseParser, Url, request};
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll};

// ANCHOR: trait
/// A stream of bytes of any kind. Each method is an attempt, as with a socket that does
/// not block. If it has to wait, it keeps the waker, and returns `Pending`. Only the
/// latest waker counts: a stream belongs to one task at a time.
pub(crate) trait Transport {
    /// Reads into `buffer`. Returns how many bytes: 0 after the last one.
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>>;

    /// Takes some of these bytes. Returns how many.
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>>;

    /// Sends what was taken and not sent yet, and announces that no more follows.
    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>>;
}
// ANCHOR_END: trait

/// Sends all these bytes.
pub(crate) async fn write_all<S: Transport + ?Sized>(
    mut stream: Pin<&mut S>,
    mut bytes: &[u8],
) -> io::Result<()> {
    while !bytes.is_empty() {
        match poll_fn(|cx| stream.as_mut().poll_write(cx, bytes)).await? {
            0 => return Err(ErrorKind::WriteZero.into()),
            count => bytes = &bytes[count..],
        }
    }
    Ok(())
}

// ANCHOR: fetch
/// Waits for bytes.
pub(crate) async fn read<S: Transport + ?Sized>(
    mut stream: Pin<&mut S>,
    buffer: &mut [u8],
) -> io::Result<usize> {
    poll_fn(|cx| stream.as_mut().poll_read(cx, buffer)).await
}

/// Fetches a page over any stream.
pub(crate) async fn fetch<S: Transport + ?Sized>(
    mut stream: Pin<&mut S>,
    url: &Url,
) -> Result<Page, FetchError> {
    let bytes = request(url, "a step of the book", ConnectionOption::Close);
    write_all(stream.as_mut(), &bytes).await?;
    let (mut parser, mut chunk) = (ResponseParser::with_limit(1 << 20), [0; 512]);
    loop {
        let count = read(stream.as_mut(), &mut chunk).await?;
        if let Some(response) = parser.feed(&chunk[..count])? {
            return Ok(Page::from_response(url, response));
        }
    }
}
// ANCHOR_END: fetch
