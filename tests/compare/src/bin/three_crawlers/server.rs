//! A Redis that ends when it is dropped. Ctrl-C in a terminal reaches it, too; but if this
//! program is killed, it runs on.

use std::error::Error;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Server {
    pub(crate) port: u16,
    process: Child,
    /// Where it would store something.
    _folder: TempDir,
}

impl Server {
    /// Starts `redis-server`, and waits until it accepts connections.
    pub(crate) fn start() -> Result<Server, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        // Nothing listens there now. If another program does in a moment, Redis ends.
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let process = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--port", &port.to_string()])
            .args(["--save", "", "--appendonly", "no", "--loglevel", "warning"])
            .arg("--dir")
            .arg(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("redis-server: {error}"))?;
        let mut server = Server { port, process, _folder: folder };
        let began = Instant::now();
        // A connection is the event itself. It can only be tried again, and not for ever.
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if let Some(status) = server.process.try_wait()? {
                return Err(format!("redis-server has ended: {status}").into());
            }
            if began.elapsed() > PATIENCE {
                return Err("redis-server accepts no connection".into());
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended is no error, and about others nothing can be done.
        self.process.kill().and_then(|()| self.process.wait()).ok();
    }
}
