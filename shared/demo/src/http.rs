//! Answers the requests of a connection. The HTTP is hyper's.

use std::convert::Infallible;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::ALLOW;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::answer::{Answer, field, status, whole};
use crate::connection::ConnectionInfo;

/// What a server serves.
pub(crate) trait Site: Send + Sync + 'static {
    /// Responds to a request whose method is GET or HEAD. (After HEAD, hyper leaves the
    /// body out.)
    fn answer(
        &self,
        request: Request<Incoming>,
        connection: &ConnectionInfo,
    ) -> impl Future<Output = Answer> + Send;
}

/// Answers all requests that arrive on `stream`, until the client or a page ends it.
pub(crate) async fn serve<S>(info: ConnectionInfo, stream: S, site: Arc<impl Site>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let service = service_fn(|request: Request<Incoming>| {
        info.counters.request_arrived(request.uri().path());
        let (info, site) = (&info, &site);
        async move {
            Ok::<_, Infallible>(match *request.method() {
                Method::GET | Method::HEAD => site.answer(request, info).await,
                _ => not_allowed(),
            })
        }
    });
    let http = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // An error is the client's, or a page that fails on purpose.
    let _ = http.await;
}

fn not_allowed() -> Answer {
    let empty = Response::new(whole(""));
    field(ALLOW, "GET,HEAD", status(StatusCode::METHOD_NOT_ALLOWED, empty))
}
