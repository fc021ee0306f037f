//! The fetch of `ch23_workers`, for later steps: it returns the response as it arrived.
//! `ch28_tokio` and `ch30_crawl` repeat it on other sockets.

use shared::http::ConnectionOption;
use shared::{FetchError, Response, ResponseParser, Url, request};
use stage3_async::{Reactor, TcpStream};

/// Sends one request on a connection of its own, and returns its response.
pub(crate) async fn fetch(
    url: &Url,
    reactor: &Reactor,
) -> Result<Response, FetchError> {
    let addresses = url.socket_addrs(|| None)?; // a number: no look-up is needed
    let name = url.host_str().unwrap_or_default();
    let first = addresses.first().ok_or(FetchError::NoSuchName(name.to_string()))?;
    let mut stream = TcpStream::connect(*first, reactor).await?;
    stream
        .write_all(&request(url, "a step of the book", ConnectionOption::Close))
        .await?;
    let mut parser = ResponseParser::with_limit(1 << 20);
    loop {
        let fed = stream.read_with(|chunk| parser.feed(chunk)).await?;
        if let Some(response) = fed? {
            return Ok(response);
        }
    }
}
