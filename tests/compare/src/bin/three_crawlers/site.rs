//! The three hosts of chapter 37, on ports of this machine. They remember which crawler has
//! requested what.

use crate::pages::{PAGES, ROOT};
use httparse::{EMPTY_HEADER, Request};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use url::Url;

/// The first request for this page is not answered: its crawler is to be killed.
pub(crate) const DEADLY: &str = "a.test/1";

#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) page: &'static str,
    /// The number of a crawler.
    pub(crate) by: u32,
    pub(crate) is_answered: bool,
}

pub(crate) struct Site {
    pub(crate) root: Url,
    /// The number of the crawler that is to be killed.
    pub(crate) doomed: Receiver<u32>,
    requests: Arc<Mutex<Vec<Seen>>>,
}

impl Site {
    /// Starts the three hosts on ports of this machine.
    pub(crate) fn start() -> io::Result<Site> {
        let mut listeners = Vec::new();
        let mut hosts = Vec::new();
        for name in ["a.test", "b.test", "c.test"] {
            let listener = TcpListener::bind("127.0.0.1:0")?;
            hosts.push((name, format!("http://{}", listener.local_addr()?)));
            listeners.push((name, listener));
        }
        let root = Url::parse(&url_of(ROOT, &hosts)).expect("an address is a host");
        let (doom, doomed) = channel();
        let requests = Arc::<Mutex<Vec<Seen>>>::default();
        let hosts = Arc::new(hosts);
        for (name, listener) in listeners {
            let host = Host {
                name,
                hosts: Arc::clone(&hosts),
                requests: Arc::clone(&requests),
                doom: doom.clone(),
            };
            thread::spawn(move || host.serve(&listener));
        }
        Ok(Site { root, doomed, requests })
    }

    /// Returns what was requested until now.
    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[derive(Clone)]
struct Host {
    name: &'static str,
    /// All names, and the URLs that stand for them.
    hosts: Arc<Vec<(&'static str, String)>>,
    requests: Arc<Mutex<Vec<Seen>>>,
    doom: Sender<u32>,
}

impl Host {
    fn serve(&self, listener: &TcpListener) {
        for stream in listener.incoming().flatten() {
            let host = self.clone();
            // A connection that fails is a crawler that was killed.
            thread::spawn(move || host.answer(stream).ok());
        }
    }

    /// Answers the one request of a connection.
    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        let (mut head, mut chunk) = (Vec::new(), [0; 1024]);
        let (path, by) = loop {
            let count = stream.read(&mut chunk)?;
            if count == 0 {
                return Ok(());
            }
            head.extend(&chunk[..count]);
            if let Some(request) = parse(&head) {
                break request;
            }
        };
        let asked = format!("{}{path}", self.name);
        let found = PAGES.iter().find(|(page, _)| *page == asked);
        let Some((page, links)) = found else {
            return stream
                .write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        };
        let is_answered = {
            let mut requests =
                self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            let is_answered =
                *page != DEADLY || requests.iter().any(|before| before.page == DEADLY);
            requests.push(Seen { page, by, is_answered });
            is_answered
        };
        if !is_answered {
            self.doom.send(by).map_err(io::Error::other)?;
            let count = stream.read(&mut chunk)?; // until it is dead
            return if count == 0 {
                Ok(())
            } else {
                Err(io::ErrorKind::InvalidData.into())
            };
        }
        let anchor =
            |link| format!("<a href=\"{}\">{link}</a>\n", url_of(link, &self.hosts));
        let body: String = links.iter().map(|link| anchor(*link)).collect();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            body.len()
        )
    }
}

/// Returns where a page is, such as `a.test/1`.
fn url_of(page: &str, hosts: &[(&str, String)]) -> String {
    let (name, path) = page.split_once('/').expect("a host and a path");
    let (_, url) = hosts.iter().find(|host| host.0 == name).expect("one of three");
    format!("{url}/{path}")
}

/// Returns the path of a request and the number of its crawler, once its head is whole.
fn parse(head: &[u8]) -> Option<(String, u32)> {
    let mut headers = [EMPTY_HEADER; 16];
    let mut request = Request::new(&mut headers);
    let status = request.parse(head).ok()?;
    let agent =
        request.headers.iter().find(|it| it.name.eq_ignore_ascii_case("user-agent"));
    let agent = std::str::from_utf8(agent?.value).ok()?;
    let by = agent.strip_prefix(crate::crawler::AGENT)?.parse().ok()?;
    status.is_complete().then_some((request.path?.to_string(), by))
}
