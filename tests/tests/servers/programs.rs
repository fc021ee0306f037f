//! The servers that are programs: found where systems keep them, started with the
//! shortest configuration that serves a folder.

use super::Server;
use conformance::programs::{Running, start};
use conformance::watchdog;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};
use tempfile::TempDir;

/// A program that serves, and the folder with its configuration.
struct Program {
    address: SocketAddr,
    _running: Running,
    _folder: TempDir,
}

impl Server for Program {
    fn root(&self) -> String {
        format!("http://{}/", self.address)
    }
}

/// How long a server may take to start: longer than any of them does.
fn limit() -> Duration {
    Duration::from_secs(60).min(watchdog::limit())
}

/// Ports that are tried.
const PORTS: usize = 5;
/// A file whose text no other server has. No page leads to it.
pub(crate) const MARKER: &str = "marker.txt";

pub(crate) fn python() -> Option<PathBuf> {
    ["python3", "python"].into_iter().find_map(find)
}

pub(crate) fn nginx() -> Option<PathBuf> {
    find("nginx")
}

pub(crate) fn lighttpd() -> Option<PathBuf> {
    find("lighttpd")
}

/// Apache, where its modules are found, too.
pub(crate) fn apache() -> Option<(PathBuf, PathBuf)> {
    let program = ["apache2", "httpd"].into_iter().find_map(find)?;
    let folders = [
        "/usr/lib/apache2/modules",
        "/usr/lib64/httpd/modules",
        "/usr/libexec/apache2",
        "/usr/lib/httpd/modules",
    ];
    let mut folders = folders.into_iter().map(PathBuf::from);
    Some((program, folders.find(|folder| folder.join("mod_dir.so").exists())?))
}

/// A program in the folders of `PATH`, or in those for administrators.
fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders =
        env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    let names = folders
        .map(|folder| folder.join(name).with_extension(env::consts::EXE_EXTENSION));
    names.into_iter().find(|file| file.is_file())
}

pub(crate) fn start_python(folder: &Path) -> Box<dyn Server> {
    let python = python().expect("it is here");
    serve(folder, |_, port| {
        let mut command = Command::new(&python);
        command.args(["-m", "http.server", &port.to_string(), "--bind", "127.0.0.1"]);
        command.arg("--directory").arg(folder);
        command
    })
}

pub(crate) fn start_nginx(folder: &Path) -> Box<dyn Server> {
    nginx_with(folder, &format!("root {}; index index.html;", folder.display()))
}

/// Starts nginx with these directives for the server. They have to serve the marker at `/`.
pub(crate) fn nginx_with(folder: &Path, directives: &str) -> Box<dyn Server> {
    let nginx = nginx().expect("it is here");
    serve(folder, |own, port| {
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {}/{kind};\n", own.display()))
            .concat();
        let text = format!(
            "daemon off; master_process off; pid {own}/pid; error_log stderr;\n\
             events {{ worker_connections 256; }}\n\
             http {{ access_log off; keepalive_requests 20;\n{temporary}\
             types {{ text/html html; text/css css; text/plain txt; }}\n\
             server {{ listen 127.0.0.1:{port}; {directives} }} }}\n",
            own = own.display(),
        );
        let mut command = Command::new(&nginx);
        command.arg("-p").arg(own).arg("-e").arg(own.join("log"));
        command.arg("-c").arg(write(own, &text));
        command
    })
}

pub(crate) fn start_apache(folder: &Path) -> Box<dyn Server> {
    let (apache, modules) = apache().expect("it is here");
    serve(folder, |own, port| {
        let modules: String = ["mpm_event", "authz_core", "dir", "mime"]
            .map(|name| {
                format!(
                    "LoadModule {name}_module {}/mod_{name}.so\n",
                    modules.display()
                )
            })
            .concat();
        let text = format!(
            "ServerRoot {own}\nServerName 127.0.0.1\nListen 127.0.0.1:{port}\n\
             PidFile {own}/pid\nErrorLog {own}/log\nMutex fcntl:{own}\n{modules}\
             TypesConfig /dev/null\nAddType text/html .html\nAddType text/plain .txt\n\
             MaxKeepAliveRequests 20\nDocumentRoot {folder}\nDirectoryIndex index.html\n\
             <Directory {folder}>\nRequire all granted\n</Directory>\n",
            own = own.display(),
            folder = folder.display(),
        );
        let mut command = Command::new(&apache);
        command.arg("-X").arg("-d").arg(own).arg("-f").arg(write(own, &text));
        command
    })
}

pub(crate) fn start_lighttpd(folder: &Path) -> Box<dyn Server> {
    let lighttpd = lighttpd().expect("it is here");
    serve(folder, |own, port| {
        let text = format!(
            "server.document-root = \"{}\"\nserver.bind = \"127.0.0.1\"\n\
             server.port = {port}\nindex-file.names = ( \"index.html\" )\n\
             server.max-keep-alive-requests = 20\n\
             mimetype.assign = ( \".html\" => \"text/html\", \".txt\" => \"text/plain\",\n\
             \".css\" => \"text/css\" )\n",
            folder.display(),
        );
        let mut command = Command::new(&lighttpd);
        command.arg("-D").arg("-f").arg(write(own, &text));
        command
    })
}

fn write(own: &Path, text: &str) -> PathBuf {
    let file = own.join("configuration");
    fs::write(&file, text).expect("the folder is ours");
    file
}

/// Starts a server on a port that is free. If another program takes the port first, it
/// tries again.
fn serve(folder: &Path, command: impl Fn(&Path, u16) -> Command) -> Box<dyn Server> {
    let marker = folder.display().to_string();
    fs::write(folder.join(MARKER), &marker).expect("the folder is ours");
    let mut said = String::new();
    for _ in 0..PORTS {
        let own = tempfile::tempdir().expect("a folder for this test");
        let address = free_address();
        let mut running = start(&mut command(own.path(), address.port()));
        if serves(&mut running, address, &marker) {
            return Box::new(Program { address, _running: running, _folder: own });
        }
        let log = fs::read_to_string(own.path().join("log")).unwrap_or_default();
        said = format!("{}\n{log}", running.said());
    }
    panic!("it does not start: {said}");
}

fn free_address() -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("it is bound")
}

/// Waits until the marker is served there. Returns whether it is, and by this program:
/// a server that finds its port taken ends, and another one answers.
fn serves(running: &mut Running, address: SocketAddr, marker: &str) -> bool {
    let began = Instant::now();
    while began.elapsed() < limit() {
        let is_served = ask(address).is_ok_and(|answer| answer.ends_with(marker));
        if running.ends_within(Duration::from_millis(20)) {
            return false;
        }
        if is_served {
            return true;
        }
    }
    false
}

/// What comes when one asks for the marker.
fn ask(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(limit()))?;
    write!(stream, "GET /{MARKER} HTTP/1.0\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
