//! nginx, which serves a folder on a free port of this machine. All that it writes is in a
//! temporary folder, and it ends with what started it.

use crate::{Seen, usage};
use std::collections::HashSet;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, io};
use tempfile::TempDir;
use wait_timeout::ChildExt;

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often is looked whether it has started.
const INTERVAL: Duration = Duration::from_millis(10);
/// Ports that are tried: another program may take one first.
const PORTS: usize = 5;

/// A server that runs.
pub struct Nginx {
    child: Child,
    own: TempDir,
    /// Where it serves.
    pub address: SocketAddr,
}

/// Finds nginx in the folders of `PATH`, or in those for administrators.
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders =
        env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    let files = folders
        .map(|folder| folder.join("nginx").with_extension(env::consts::EXE_EXTENSION));
    files.into_iter().find(|file| file.is_file())
}

impl Nginx {
    /// Serves this folder.
    ///
    /// # Errors
    /// It is not installed, or it does not start: a sentence, with what it wrote.
    pub fn start(folder: &Path) -> Result<Nginx, String> {
        let program = find().ok_or("nginx is not installed")?;
        let folder = folder.canonicalize().map_err(|error| error.to_string())?;
        let mut log = String::new();
        for _ in 0..PORTS {
            match Nginx::start_once(&program, &folder) {
                Ok(Ok(nginx)) => return Ok(nginx),
                Ok(Err(why)) => log = why,
                Err(error) => return Err(format!("nginx cannot be started: {error}")),
            }
        }
        Err(format!("nginx does not start: {log}"))
    }

    /// Tries one port. Returns what nginx wrote, if it ends at once.
    fn start_once(program: &Path, folder: &Path) -> io::Result<Result<Nginx, String>> {
        let own = tempfile::tempdir()?;
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let configuration = own.path().join("configuration");
        fs::write(&configuration, text(own.path(), folder, address))?;
        let mut command = Command::new(program);
        command.arg("-p").arg(own.path()).arg("-e").arg(own.path().join("errors"));
        command.arg("-c").arg(configuration);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let mut nginx = Nginx { child, own, address };
        let errors = nginx.own.path().join("errors");
        Ok(match nginx.serves()? {
            true => Ok(nginx),
            false => Err(fs::read_to_string(errors).unwrap_or_default()),
        })
    }

    /// Waits until it serves: it writes its number to a file once its port is its own.
    /// Returns whether it does; if not, it has ended.
    fn serves(&mut self) -> io::Result<bool> {
        let (began, file) = (Instant::now(), self.own.path().join("pid"));
        while began.elapsed() < PATIENCE {
            if self.child.wait_timeout(INTERVAL)?.is_some() {
                return Ok(false);
            }
            if fs::read(&file).is_ok_and(|number| !number.is_empty()) {
                return Ok(true);
            }
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Ends it. Returns what it saw; how many connections were open at once it does not
    /// say. It has to be the only child of this process, since their processor time is
    /// added up.
    ///
    /// # Errors
    /// It does not end, or its list of requests cannot be read.
    pub fn end(mut self) -> io::Result<Seen> {
        self.child.kill()?;
        self.child.wait()?;
        // The number of the connection, for each request.
        let log = fs::read_to_string(self.own.path().join("requests"))?;
        Ok(Seen {
            requests: log.lines().count(),
            connections: log.lines().collect::<HashSet<_>>().len(),
            most_connections: None,
            cpu: usage::children().map(|usage| usage.cpu),
        })
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have ended before.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The shortest configuration that serves a folder from one process, and closes no
/// connection by itself.
fn text(own: &Path, folder: &Path, address: SocketAddr) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {kind};\n"))
        .concat();
    format!(
        "daemon off; master_process off; pid {own}/pid; error_log {own}/errors;\n\
         events {{ worker_connections 4096; }}\n\
         http {{ log_format number $connection; access_log {own}/requests number;\n\
         sendfile on; keepalive_requests 1000000;\n{temporary}\
         types {{ text/html html; text/css css; image/svg+xml svg; }}\n\
         server {{ listen {address}; root \"{folder}\"; index index.html; }} }}\n",
        own = own.display(),
        folder = folder.display(),
    )
}
