//! One fetch: a connection, kept or fresh, and on it a request and its response.

use crate::extra::{BodyPermit, Connection, Pool};
use crate::{PROGRAM, Reactor, timeout};
use shared::{
    FetchError, HttpError, Job, Options, Requests, Response, ResponseParser, Url, http,
};
use std::io;
use std::time::{Duration, Instant};

/// Fetches URLs: what all workers need for it.
pub(crate) struct Fetcher {
    requests: Requests,
    timeout: Duration,
    pub(crate) pool: Pool,
    reactor: Reactor,
}

impl Fetcher {
    pub(crate) fn new(options: &Options, reactor: &Reactor) -> io::Result<Fetcher> {
        Ok(Fetcher {
            requests: Requests::new(options, &PROGRAM),
            timeout: options.timeout,
            pool: Pool::new(options, reactor)?,
            reactor: reactor.clone(),
        })
    }

    /// Makes one attempt: returns a whole response within the time-out, or why there is
    /// none. A fetch that is late is dropped where it waits, and its connection with
    /// it. `sends` is called each time that a request is about to be sent: a look-up or
    /// a handshake may have taken long.
    pub(crate) async fn fetch_in_time(
        &self,
        url: &Url,
        job: &Job,
        body: &BodyPermit<'_>,
        sends: &dyn Fn(),
    ) -> Result<Response, FetchError> {
        // Boxed, so that a worker that waits for a job is small.
        let fetch = Box::pin(self.fetch(url, job, body, sends));
        let response = timeout(self.timeout, fetch, &self.reactor).await;
        response.unwrap_or(Err(FetchError::TimedOut(self.timeout)))
    }

    /// Sends the request on a kept connection, if there is one; and again on a fresh
    /// one, if the kept one turns out to be stale.
    async fn fetch(
        &self,
        url: &Url,
        job: &Job,
        body: &BodyPermit<'_>,
        sends: &dyn Fn(),
    ) -> Result<Response, FetchError> {
        let deadline = Instant::now() + self.timeout;
        let mut may_reuse = job.may_reuse_connection();
        loop {
            body.set_held(0); // what came on a stale connection is gone
            // ANCHOR: exchange
            let mut connection = self.pool.connection(url, may_reuse, deadline).await?;
            let mut parser = ResponseParser::new(job.needs());
            sends(); // with --delay, the pause counts from now
            let mut response =
                self.exchange(url, &mut connection, &mut parser, body).await;
            if response == Err(HttpError::Truncated.into()) && !parser.has_begun() {
                // TLS cannot tell the two apart.
                response = Err(HttpError::ClosedBeforeResponse.into());
            }
            let is_stale = match &response {
                Err(FetchError::Http(HttpError::Malformed(_))) => true,
                Err(_) => !parser.has_begun(),
                // What a server says to an idle connection (RFC 9110 §15.5.9).
                Ok(response) => response.status == 408,
            };
            if connection.is_kept && is_stale {
                may_reuse = false;
                continue;
            }
            if response.as_ref().is_ok_and(|response| response.reusable) {
                self.pool.keep(connection);
            }
            return response;
            // ANCHOR_END: exchange
        }
    }

    /// Sends the request, and reads until the response is whole.
    async fn exchange(
        &self,
        url: &Url,
        Connection { stream, .. }: &mut Connection,
        parser: &mut ResponseParser,
        body: &BodyPermit<'_>,
    ) -> Result<Response, FetchError> {
        let keep = http::Connection::KeepAlive;
        let bytes = self.requests.bytes(url, keep);
        // Without a name: with one, it would be stored until the response is whole.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;
    use crate::extra::Bodies;
    use shared::Ledger;

    #[test]
    fn a_fetch_that_waits_is_small() -> io::Result<()> {
        let url = Url::parse("http://a.test/").expect("a URL");
        let options = Options::with_roots([url.clone()]);
        let fetcher = Fetcher::new(&options, Executor::new()?.reactor())?;
        let (mut ledger, mut jobs) = Ledger::open(&options, &PROGRAM);
        ledger.begin(&mut jobs[0]);
        let bodies = Bodies::new(options.max_bodies, options.max_body);
        let body = bodies.permit(jobs[0].id());
        let fetch = fetcher.fetch(&url, &jobs[0], &body, &|| {});
        let size = size_of_val(&fetch);
        assert!(size <= 720, "{size} bytes");
        Ok(())
    }
}
