//! One fetch: a request and its response, on a kept or a fresh connection.

use crate::extra::{BodyPermit, Connection, Pool};
use crate::frontier::Attempt;
use crate::time::after;
use crate::{PROGRAM, Reactor};
use shared::{
    FetchError, HttpError, Options, Requests, Response, ResponseParser, http,
};
use std::io;
use std::time::Duration;
use std::{cell::Cell, rc::Rc};

/// Fetches URLs. All workers share one.
pub(crate) struct Fetcher {
    requests: Requests,
    timeout: Duration,
    pool: Pool,
}

impl Fetcher {
    /// Creates a fetcher that keeps at most `max` connections open.
    pub(crate) fn new(
        options: &Options,
        max: Rc<Cell<usize>>,
        reactor: &Reactor,
    ) -> io::Result<Fetcher> {
        Ok(Fetcher {
            requests: Requests::new(options, &PROGRAM),
            timeout: options.timeout,
            pool: Pool::new(options, max, reactor)?,
        })
    }

    /// Makes one attempt. If there is a kept connection, the request is sent on it. If
    /// there is none, or if it turns out to be stale, the request is sent on a fresh
    /// connection.
    pub(crate) async fn fetch(
        &self,
        attempt: &Attempt,
        body: &BodyPermit<'_>,
    ) -> Result<Response, FetchError> {
        // ANCHOR: fetch
        let deadline = after(self.timeout);
        if attempt.job.may_reuse_connection()
            && let Some(mut kept) = self.pool.reuse(&attempt.url).await
        {
            let mut parser = ResponseParser::new(attempt.job.needs());
            let response = self.exchange(attempt, &mut kept, &mut parser, body).await;
            if !is_stale(&response, &parser) {
                return self.release(kept, response);
            }
        }
        loop {
            // Lends a kept connection if no local port is left. If that is stale,
            // connect again.
            let mut connection = self.pool.connect(&attempt.url, deadline).await?;
            let mut parser = ResponseParser::new(attempt.job.needs());
            let response =
                self.exchange(attempt, &mut connection, &mut parser, body).await;
            if !(connection.is_kept && is_stale(&response, &parser)) {
                let response = response.map_err(|error| or_closed(error, &parser));
                return self.release(connection, response);
            }
        }
        // ANCHOR_END: fetch
    }

    /// Sends the request, and reads until the response is whole.
    async fn exchange(
        &self,
        attempt: &Attempt,
        Connection { stream, .. }: &mut Connection,
        parser: &mut ResponseParser,
        body: &BodyPermit<'_>,
    ) -> Result<Response, FetchError> {
        body.set_held(0); // forget the bytes from a stale connection
        attempt.release_permit();
        let keep = http::ConnectionOption::KeepAlive;
        let bytes = self.requests.bytes(&attempt.url, keep);
        // The bytes are not a variable, which would live until the response is
        // complete.
        stream.write_all(&parser.needs().request(bytes)).await?;
        loop {
            body.wait_to_read().await;
            let fed = stream.read_with(|bytes| parser.feed(bytes)).await??;
            if let Some(response) = fed {
                body.set_held(response.body.capacity());
                return Ok(response);
            }
            body.set_held(parser.held());
        }
    }

    /// Keeps the connection if its response allows another request, and closes it
    /// otherwise.
    fn release(
        &self,
        connection: Connection,
        response: Result<Response, FetchError>,
    ) -> Result<Response, FetchError> {
        if response.as_ref().is_ok_and(|response| response.reusable) {
            self.pool.keep(connection);
        }
        response
    }
}

/// Returns whether a kept connection failed without an answer to this request: the
/// server may have closed it before the request arrived.
fn is_stale(response: &Result<Response, FetchError>, parser: &ResponseParser) -> bool {
    match response {
        Err(FetchError::Http(HttpError::Malformed(_))) => true,
        Err(_) => !parser.has_begun(),
        // The response to an idle connection (RFC 9110 §15.5.9).
        Ok(response) => response.status == 408,
    }
}

/// Corrects an error of TLS, which reports `Truncated` even before the first byte of a
/// response.
fn or_closed(error: FetchError, parser: &ResponseParser) -> FetchError {
    match error {
        FetchError::Http(HttpError::Truncated) if !parser.has_begun() => {
            HttpError::ClosedBeforeResponse.into()
        }
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;
    use crate::extra::Bodies;
    use crate::frontier::Frontier;
    use shared::{Stop, Url};

    #[test]
    fn a_fetch_that_waits_is_small() -> io::Result<()> {
        let url = Url::parse("http://a.test/").expect("a URL");
        let options = Options::with_roots([url]);
        let executor = Executor::new()?;
        let frontier = Frontier::new(&options, &executor, &Stop::new());
        let fetcher = Fetcher::new(&options, frontier.limit(), executor.reactor())?;
        let bodies = Bodies::new(options.max_bodies, options.max_body);
        let size = executor.block_on(async {
            let attempt = frontier.next().await.expect("no stop is requested");
            size_of_val(&fetcher.fetch(&attempt, &bodies.permit()))
        });
        let size = size.expect("it does not wait");
        assert!(size <= 736, "{size} bytes");
        Ok(())
    }
}
