//! The peer: this crawler as one writes it on Tokio and hyper, with lol_html to find the
//! links.
//!
//! One thread, a task for each page, a queue, a set of what was seen. Connections are
//! hyper's own (`hyper::client::conn`), idle ones in a `Vec`, the latest first: leaner than
//! the pooling client of hyper-util, whose pool, connector and checkout come on top of the
//! same connections. It keeps few books: no retries, and not which page links to which.

use clap::Parser;
use compare::peer::{self, Books, Options, Visited};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{ACCEPT, CONTENT_TYPE, HOST, LOCATION, USER_AGENT};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use lol_html::{HtmlRewriter, Settings, element};
use shared::{page::charset::decode, page::url::normalise};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use tokio::net::TcpStream;
use tokio::task::{JoinSet, spawn_local};
use url::{Position, Url};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// As in our crawlers.
const MAX_BODY: usize = 10 * 1024 * 1024;

fn main() -> Result<(), Failure> {
    let options = Options::parse();
    // A system that refuses leaves us with the descriptors that we have.
    rlimit::increase_nofile_limit(u64::MAX).ok();
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build_local(Default::default())?;
    let books = runtime.block_on(crawl(options))?;
    Ok(books.print()?)
}

async fn crawl(options: Options) -> Result<Books, Failure> {
    let site = Rc::new(Site::new(&options.url)?);
    let mut books = Books::new(options.url);
    let mut fetches = JoinSet::new();
    loop {
        while fetches.len() < options.max_tasks
            && let Some(url) = books.next_page()
        {
            let site = Rc::clone(&site);
            fetches.spawn_local(async move { (site.visit(&url).await, url) });
        }
        let Some(visited) = fetches.join_next().await else { return Ok(books) };
        let (visited, url) = visited?;
        books.settle(url, visited);
    }
}

/// A server, and the connections to it that are idle.
struct Site {
    host: String,
    port: u16,
    idle: RefCell<Vec<SendRequest<Empty<Bytes>>>>,
}

impl Site {
    fn new(root: &Url) -> Result<Site, Failure> {
        let host = root.host_str().filter(|_| root.scheme() == "http");
        let host = host.ok_or("not an http URL")?.to_string();
        let port = root.port().unwrap_or(80);
        Ok(Site { host, port, idle: RefCell::default() })
    }

    async fn visit(&self, url: &Url) -> Visited {
        match tokio::time::timeout(peer::TIMEOUT, self.fetch(url)).await {
            Ok(Ok(response)) => digest(url, &response),
            Ok(Err(_)) | Err(_) => Visited::default(),
        }
    }

    /// Asks on the connection that has been idle for the shortest time, or on a new one.
    async fn fetch(&self, url: &Url) -> Result<Response<Bytes>, Failure> {
        while let Some(mut kept) = self.pop() {
            if kept.ready().await.is_ok()
                && let Ok(response) = self.exchange(kept, url).await
            {
                return Ok(response);
            } // it was stale: the server has closed it
        }
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        let (fresh, connection) = handshake(TokioIo::new(stream)).await?;
        spawn_local(connection); // ends with the connection; errors come to `fresh`, too
        self.exchange(fresh, url).await
    }

    fn pop(&self) -> Option<SendRequest<Empty<Bytes>>> {
        self.idle.borrow_mut().pop()
    }

    async fn exchange(
        &self,
        mut connection: SendRequest<Empty<Bytes>>,
        url: &Url,
    ) -> Result<Response<Bytes>, Failure> {
        let response = connection.send_request(request(url)?).await?;
        let (head, body) = response.into_parts();
        let body = Limited::new(body, MAX_BODY).collect().await?.to_bytes();
        self.idle.borrow_mut().push(connection);
        Ok(Response::from_parts(head, body))
    }
}

fn request(url: &Url) -> Result<Request<Empty<Bytes>>, Failure> {
    let request = Request::get(&url[Position::BeforePath..Position::AfterQuery])
        .header(HOST, &url[Position::BeforeHost..Position::AfterPort])
        .header(USER_AGENT, "peer_hyper/1")
        .header(ACCEPT, peer::ACCEPT);
    Ok(request.body(Empty::new())?)
}

/// Where the page points.
fn digest(url: &Url, response: &Response<Bytes>) -> Visited {
    let header = |name| response.headers().get(name)?.to_str().ok();
    let is_html = header(CONTENT_TYPE).is_some_and(|it| it.starts_with("text/html"));
    let mut found = Vec::new();
    if is_html && response.status().is_success() {
        found = links(&decode(None, response.body()).0, url);
    } else if response.status().is_redirection() {
        let target = header(LOCATION).and_then(|text| url.join(text).ok());
        found.extend(target.and_then(normalise));
    }
    let (status, size) = (response.status().as_u16(), response.body().len());
    Visited { status: Some(status), size: Some(size), links: found }
}

/// The links of a page: absolute, each once, relative to its first `base`.
fn links(html: &str, page: &Url) -> Vec<Url> {
    let (mut base, mut hrefs) = (None, BTreeSet::new());
    let settings = Settings::new()
        .append_element_content_handler(element!("a[href], area[href]", |tag| {
            hrefs.extend(tag.get_attribute("href"));
            Ok(())
        }))
        .append_element_content_handler(element!("base[href]", |tag| {
            base = base.take().or(tag.get_attribute("href"));
            Ok(())
        }));
    let mut reader = HtmlRewriter::new(settings, |_: &[u8]| ());
    // A page that cannot be read to its end has the links before that.
    reader.write(html.as_bytes()).and_then(|()| reader.end()).ok();
    let join = |base: &Url, href: &str| {
        base.join(&htmlize::unescape_attribute(href)).ok().and_then(normalise)
    };
    let base = base.and_then(|href| join(page, &href)).unwrap_or_else(|| page.clone());
    let found: BTreeSet<Url> = hrefs.iter().filter_map(|it| join(&base, it)).collect();
    found.into_iter().collect()
}
