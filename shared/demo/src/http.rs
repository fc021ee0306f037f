//! Answers the requests of a connection. The HTTP itself is done by hyper.

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

/// What a server serves: the demo pages or a folder.
pub(crate) trait Site: Send + Sync + 'static {
    /// Responds to a GET or HEAD request. (hyper drops the body after HEAD.)
    fn answer(
        &self,
        request: Request<Incoming>,
        connection: &ConnectionInfo,
    ) -> impl Future<Output = Answer> + Send;
}

/// Answers all requests on `stream`, until the client or a page closes the connection.
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
    // The error comes from the client, or from a page that fails on purpose.
    let _ = http.await;
}

fn not_allowed() -> Answer {
    let empty = Response::new(whole(""));
    field(ALLOW, "GET,HEAD", status(StatusCode::METHOD_NOT_ALLOWED, empty))
}
