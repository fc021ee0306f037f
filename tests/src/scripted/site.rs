//! A script with a list of acts for each path.

use super::state::Manner;
use super::{Act, Asked, Authority, Certificate, Server, any_port};
use std::collections::HashMap;
use std::net::TcpListener;

/// What the server does about one path: the first list at the first request, and so on;
/// the last one for ever.
pub type Acts = Vec<Vec<Act>>;

/// A site under construction.
#[derive(Default)]
pub struct Site(HashMap<String, Acts>);

impl Site {
    /// A site without pages: 404 for everything.
    pub fn new() -> Site {
        Site::default()
    }

    /// A page with these links.
    pub fn page(self, path: &str, links: &[&str]) -> Site {
        self.raw(path, &html(&anchors(links)))
    }

    /// A redirect.
    pub fn redirect(self, path: &str, location: &str) -> Site {
        self.raw(path, &answer("302 Found", &format!("Location: {location}\r\n"), b""))
    }

    /// These bytes, then a close.
    pub fn raw(self, path: &str, bytes: &[u8]) -> Site {
        self.acts(path, vec![vec![Act::Send(bytes.to_vec())]])
    }

    /// Anything. A path with `HEAD ` before it is for such requests alone.
    pub fn acts(mut self, path: &str, acts: Acts) -> Site {
        self.0.insert(path.to_string(), acts);
        self
    }

    /// Starts to serve on 127.0.0.1, at any port.
    pub fn serve(self) -> Server {
        self.serve_on(any_port())
    }

    /// Starts to serve on a listener.
    pub fn serve_on(self, listener: TcpListener) -> Server {
        self.start(listener, Manner::Http)
    }

    /// Starts to serve over TLS on 127.0.0.1, at any port, with a new certificate.
    pub fn serve_tls(self, authority: &Authority, certificate: Certificate) -> Server {
        self.start(any_port(), Manner::Https(authority.config(certificate)))
    }

    fn start(self, listener: TcpListener, manner: Manner) -> Server {
        let own = move |asked: &Asked| {
            let by_method = self.0.get(&format!("{} {}", asked.method, asked.target));
            by_method.or(self.0.get(&asked.target)).cloned()
        };
        let script = move |asked: &Asked| match own(asked) {
            Some(acts) => acts[asked.nth.min(acts.len()) - 1].clone(),
            None => vec![Act::Send(answer("404 Not Found", "", b"nothing here"))],
        };
        Server::start(listener, manner, false, Box::new(script))
    }
}

/// A response with a status, header lines (each with its CR LF) and a body.
pub fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// A page of HTML.
pub fn html(body: &str) -> Vec<u8> {
    answer("200 OK", "Content-Type: text/html\r\n", body.as_bytes())
}

/// Links, as HTML.
pub fn anchors(links: &[&str]) -> String {
    links.iter().map(|link| format!("<a href=\"{link}\">link</a>\n")).collect()
}
