//! The servers that are libraries: tower-http, through the demo site's `--serve`, and
//! hyper alone.

use super::Server;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use percent_encoding::percent_decode_str;
use shared::demo_site::DemoSite;
use std::convert::Infallible;
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::Poll;
use std::{net::SocketAddr, sync::Arc, thread};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// hyper with tower-http.
pub(crate) fn tower_http(folder: &Path) -> Box<dyn Server> {
    Box::new(DemoSite::serve_folder(folder).expect("it is served"))
}

impl Server for DemoSite {
    fn root(&self) -> String {
        self.url("/")
    }
}

/// hyper, on a thread of its own until it is dropped.
struct Hyper {
    address: SocketAddr,
    _stop: oneshot::Sender<Infallible>,
}

impl Server for Hyper {
    fn root(&self) -> String {
        format!("http://{}/", self.address)
    }
}

pub(crate) fn hyper(folder: &Path) -> Box<dyn Server> {
    let runtime =
        Builder::new_current_thread().enable_io().build().expect("a selector");
    let listener = runtime
        .block_on(TcpListener::bind("127.0.0.1:0"))
        .expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let (stop, stopped) = oneshot::channel();
    let folder = folder.to_path_buf();
    thread::spawn(move || serve(&runtime, listener, folder, stopped));
    Box::new(Hyper { address, _stop: stop })
}

fn serve(
    runtime: &Runtime,
    listener: TcpListener,
    folder: PathBuf,
    stopped: oneshot::Receiver<Infallible>,
) {
    runtime.block_on(async {
        let mut accepting = pin!(accept(listener, Arc::new(folder)));
        let mut stopped = pin!(stopped);
        // `stopped` is always an error: nothing is sent, the sender is dropped to end the server.
        poll_fn(|cx| match stopped.as_mut().poll(cx) {
            Poll::Ready(_) => Poll::Ready(()),
            Poll::Pending => accepting.as_mut().poll(cx),
        })
        .await;
    });
}

async fn accept(listener: TcpListener, folder: Arc<PathBuf>) {
    loop {
        let (stream, _) = listener.accept().await.expect("hyper's listener accepts");
        let folder = Arc::clone(&folder);
        let service = service_fn(move |request| {
            let answer = answer(&folder, &request);
            async { Ok::<_, Infallible>(answer) }
        });
        let connection =
            http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async {
            // A crawler that hangs up is no error of the server.
            connection.await.ok();
        });
    }
}

/// Where a path leads, if the folder has a file that says so.
fn redirect(folder: &Path, path: &str) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("redirects.txt")).ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs.find(|(from, _)| *from == path).map(|(_, to)| to.to_string())
}

fn answer(folder: &Path, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    let decoded = percent_decode_str(path).decode_utf8_lossy();
    let mut file = folder.to_path_buf();
    file.extend(decoded.split('/').filter(|part| !part.is_empty() && *part != ".."));
    let answer = Response::builder();
    let answer = if let Some(to) = redirect(folder, path) {
        let answer = answer.status(StatusCode::FOUND);
        answer.header(header::LOCATION, to).body(Full::default())
    } else if file.is_dir() && !path.ends_with('/') {
        let answer = answer.status(StatusCode::MOVED_PERMANENTLY);
        answer.header(header::LOCATION, format!("{path}/")).body(Full::default())
    } else {
        if path.ends_with('/') {
            file.push("index.html");
        }
        let is_page = file.extension().is_some_and(|ending| ending == "html");
        let kind = if is_page { "text/html; charset=utf-8" } else { "text/plain" };
        match std::fs::read(&file) {
            Ok(bytes) => answer.header(header::CONTENT_TYPE, kind).body(bytes.into()),
            Err(_) => answer.status(StatusCode::NOT_FOUND).body("no such file".into()),
        }
    };
    answer.expect("status and headers are valid")
}
