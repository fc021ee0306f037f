//! A server that speaks TLS, well or badly, and tells what it saw. Plain std sockets, a
//! thread for each connection, certificates made for the test.

use crate::server::{answer, next_connection};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{iter, mem};

/// A crawler that says nothing for so long has forgotten its connection.
const SILENCE: Duration = Duration::from_secs(300);

/// What a good certificate is for.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// What a server shows for a certificate. Only the first one is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// For `localhost`, 127.0.0.1 and ::1, signed by the authority.
    Good,
    /// It was valid until the year 2001.
    Expired,
    /// It will be valid from the year 3000 on.
    NotYetValid,
    /// It is for another host.
    WrongName,
    /// Nobody signed it but itself.
    SelfSigned,
    /// Signed by an authority that was made on the spot and is known to nobody.
    UnknownCa,
}

/// What comes after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The next request, on the same connection.
    Keep,
    /// TLS says that this was all (`close_notify`), then the connection is closed.
    CloseNotify,
    /// TLS says that this was all, and then more bytes come all the same, in one piece
    /// with it.
    CloseNotifyAndMore,
    /// The connection is closed, and TLS has not said that this was all: it looks the
    /// same when somebody in between cuts it (RFC 8446 §6.1).
    CutOff,
    /// Bytes that are no TLS, in one piece with the answer.
    Garbage,
}

/// The raw answer for each path, and what comes after it; 404 for every other path, and
/// then the next request.
#[derive(Clone, Debug, Default)]
pub struct Pages(HashMap<String, (Vec<u8>, End)>);

impl Pages {
    /// No pages yet.
    pub fn new() -> Pages {
        Pages::default()
    }

    /// These bytes, head and all.
    pub fn raw(mut self, path: &str, bytes: &[u8], end: End) -> Pages {
        self.0.insert(path.to_string(), (bytes.to_vec(), end));
        self
    }

    fn answer(&self, path: &str) -> (Vec<u8>, End) {
        let missing = || (answer("404 Not Found", "", b"nothing here"), End::Keep);
        self.0.get(path).cloned().unwrap_or_else(missing)
    }
}

/// A private authority, which signs the certificates of its servers.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    pem: String,
}

impl Default for Authority {
    fn default() -> Authority {
        Authority::new()
    }
}

impl Authority {
    /// An authority with a key of its own: certificates of another one are worth
    /// nothing to those who trust this one.
    pub fn new() -> Authority {
        Authority::named("test authority")
    }

    fn named(name: &str) -> Authority {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let issuer = CertifiedIssuer::self_signed(params, new_key());
        let issuer = issuer.expect("an authority may sign itself");
        Authority { pem: issuer.pem(), issuer }
    }

    /// The certificate that a client has to trust, as PEM.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Starts to serve `pages` on 127.0.0.1, at any port, with a new certificate.
    pub fn serve(&self, certificate: Certificate, pages: Pages) -> TlsServer {
        let key = new_key();
        let chain = vec![self.certify(certificate, &key).into()];
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(chain, key.into())
            .expect("this key belongs to this certificate");
        TlsServer::start(Manner::Tls(Arc::new(config), pages))
    }

    fn certify(&self, certificate: Certificate, key: &KeyPair) -> rcgen::Certificate {
        let names = match certificate {
            Certificate::WrongName => vec!["another.test".to_string()],
            _ => NAMES.map(String::from).to_vec(),
        };
        let mut params = CertificateParams::new(names).expect("names are plain");
        params.distinguished_name.push(DnType::CommonName, "test server");
        match certificate {
            Certificate::Expired => params.not_after = date_time_ymd(2001, 1, 1),
            Certificate::NotYetValid => params.not_before = date_time_ymd(3000, 1, 1),
            _ => {}
        }
        let signed = match certificate {
            Certificate::SelfSigned => params.self_signed(key),
            Certificate::UnknownCa => {
                params.signed_by(key, &Authority::named("unknown authority").issuer)
            }
            _ => params.signed_by(key, &self.issuer),
        };
        signed.expect("this key can be certified")
    }
}

fn new_key() -> KeyPair {
    KeyPair::generate().expect("the system has random numbers")
}

/// A running server. Dropping it ends its connections and its threads, and fails the test
/// if nobody listened there any more.
pub struct TlsServer {
    address: SocketAddr,
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

/// What the server saw.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Connections that were accepted.
    pub connections: usize,
    /// Handshakes that both sides have finished: where the crawler refuses the
    /// certificate there is none.
    pub handshakes: usize,
    /// The head of every request, in the order of their coming.
    pub requests: Vec<String>,
}

/// How it treats those who connect.
enum Manner {
    Tls(Arc<ServerConfig>, Pages),
    Garbage,
    Silent,
}

struct State {
    manner: Manner,
    now: Mutex<Now>,
    changed: Condvar,
}

#[derive(Default)]
struct Now {
    seen: Seen,
    /// Shut down by the drop, wherever their threads wait.
    open: Vec<Weak<TcpStream>>,
    is_over: bool,
    /// Why it does not serve any more, if so.
    fault: Option<String>,
}

impl TlsServer {
    /// Sends bytes that are not TLS to everybody who connects, and then waits for their
    /// end.
    pub fn garbage() -> TlsServer {
        TlsServer::start(Manner::Garbage)
    }

    /// Accepts, and says nothing: a handshake that never ends.
    pub fn silent() -> TlsServer {
        TlsServer::start(Manner::Silent)
    }

    fn start(manner: Manner) -> TlsServer {
        let listener =
            TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let state =
            Arc::new(State { manner, now: Mutex::default(), changed: Condvar::new() });
        let shared = state.clone();
        let thread = thread::spawn(move || accept(&listener, &shared));
        TlsServer { address, state, thread: Some(thread) }
    }

    /// The absolute URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it has seen so far.
    pub fn seen(&self) -> Seen {
        self.state.now().seen.clone()
    }

    /// Blocks until so many connections were accepted: that may be later than the crawler
    /// has made them.
    pub fn wait_for_connections(&self, count: usize) {
        let now = self.state.now();
        let few = |now: &mut Now| now.seen.connections < count;
        let waited = self.state.changed.wait_timeout_while(now, SILENCE, few);
        let (now, time_out) = waited.expect("no connection panics with the lock");
        let came = now.seen.connections;
        drop(now);
        assert!(!time_out.timed_out(), "only {came} connections came");
    }

    /// How often a path was asked for.
    pub fn count(&self, path: &str) -> usize {
        let line = format!("GET {path} HTTP/1.1");
        let is_it = |request: &&String| request.lines().next() == Some(&line);
        self.seen().requests.iter().filter(is_it).count()
    }
}

impl Drop for TlsServer {
    fn drop(&mut self) {
        let mut now = self.state.now();
        now.is_over = true;
        let open = mem::take(&mut now.open);
        drop(now);
        for stream in open.iter().filter_map(Weak::upgrade) {
            stream.shutdown(Shutdown::Both).ok(); // fails if it has ended by itself
        }
        // Wakes the thread that accepts. If that fails, waiting for it could be for ever.
        let woken = TcpStream::connect_timeout(&self.address, SILENCE);
        if let (Ok(_), Some(thread)) = (woken, self.thread.take()) {
            thread.join().ok(); // a panic has been printed, and one more would abort
        }
        let fault = self.state.now().fault.take();
        if let Some(fault) = fault.filter(|_| !thread::panicking()) {
            panic!("{fault}");
        }
    }
}

impl State {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().expect("no connection panics with the lock")
    }

    /// Counts a connection; none when the server is being dropped.
    fn admit(&self, stream: TcpStream) -> Option<Arc<TcpStream>> {
        let stream = Arc::new(stream);
        let mut now = self.now();
        if now.is_over {
            return None;
        }
        now.seen.connections += 1;
        now.open.retain(|other| other.strong_count() > 0);
        now.open.push(Arc::downgrade(&stream));
        self.changed.notify_all();
        Some(stream)
    }
}

/// Leaving the scope waits for the threads of all connections.
fn accept(listener: &TcpListener, state: &State) {
    thread::scope(|scope| {
        loop {
            let stream = next_connection(listener);
            let stream = match stream {
                Ok(stream) => stream,
                Err(fault) => {
                    state.now().fault = Some(fault);
                    return;
                }
            };
            let Some(stream) = state.admit(stream) else { return };
            scope.spawn(move || {
                // A crawler that hangs up in the middle is no error of the server.
                treat(&stream, state).ok();
            });
        }
    });
}

fn treat(mut stream: &TcpStream, state: &State) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    match &state.manner {
        Manner::Tls(config, pages) => serve(stream, config.clone(), pages, state)?,
        Manner::Garbage => stream.write_all(&garbage())?,
        Manner::Silent => {}
    }
    // Closing before everything was read would reset the connection.
    while stream.read(&mut [0; 1024])? > 0 {}
    Ok(())
}

/// Answers until an answer is the last one; then our half of the connection is closed.
fn serve(
    mut stream: &TcpStream,
    config: Arc<ServerConfig>,
    pages: &Pages,
    state: &State,
) -> io::Result<()> {
    let mut session = ServerConnection::new(config).map_err(io::Error::other)?;
    session.complete_io(&mut stream)?;
    state.now().seen.handshakes += 1;
    let mut tls = StreamOwned::new(session, stream);
    while let Some(head) = read_head(&mut tls)? {
        let (bytes, end) = pages.answer(head.split(' ').nth(1).unwrap_or_default());
        state.now().seen.requests.push(head);
        if end == End::Garbage {
            tls.conn.writer().write_all(&bytes)?;
            let mut bytes = Vec::new();
            while tls.conn.wants_write() {
                tls.conn.write_tls(&mut bytes)?;
            }
            tls.sock.write_all(&[bytes, garbage()].concat())?;
            break;
        }
        tls.write_all(&bytes)?;
        if end == End::CloseNotify {
            tls.conn.send_close_notify();
        }
        tls.flush()?;
        if end == End::CloseNotifyAndMore {
            tls.conn.send_close_notify();
            let mut bytes = Vec::new();
            tls.conn.write_tls(&mut bytes)?;
            tls.sock.write_all(&[bytes, vec![b'x'; 50_000]].concat())?;
        }
        if end != End::Keep {
            break;
        }
    }
    stream.shutdown(Shutdown::Write)
}

fn read_head(stream: &mut impl Read) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(None);
        }
        head.push(byte[0]);
    }
    Ok(Some(String::from_utf8_lossy(&head).into_owned()))
}

/// Noise, the same each time, in which nothing can be taken for the begin of a TLS
/// record: that is a byte from 20 to 23 (RFC 8446 §5.1), or 24 (RFC 6520).
fn garbage() -> Vec<u8> {
    let mut noise: u32 = 1;
    let next = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8 | 0x80
    };
    iter::repeat_with(next).take(1024).collect()
}
