//! A folder's files are served with their types, and nothing outside it is.

use std::fs;
use std::path::{Path, PathBuf};

use demo_site_tls::DemoSite;

use crate::client::{connect, get, get_and_keep};

/// A folder of this test's own, empty at first.
pub(crate) fn new_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo-site").join(name);
    let _ = fs::remove_dir_all(&folder); // it may be left over from the last time
    fs::create_dir_all(&folder).expect("room for a folder");
    folder
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::create_dir_all(file.parent().expect("it is in the folder"))
        .expect("room for a folder");
    fs::write(file, text).expect("room for a file");
}

pub(crate) fn serve(folder: &Path) -> DemoSite {
    DemoSite::serve_folder(folder).expect("a folder and a socket")
}

#[test]
fn a_file_is_sent_with_the_type_of_its_name() {
    let folder = new_folder("types");
    for (name, content_type) in [
        ("page.html", "text/html"),
        ("style.css", "text/css"),
        ("text.txt", "text/plain"),
        ("image.svg", "image/svg+xml"),
        ("page.xhtml", "application/xhtml+xml"),
        ("nameless", "application/octet-stream"),
    ] {
        write(&folder, name, name);
        let answer = get(&serve(&folder), &format!("/{name}"));
        assert_eq!(answer.field("content-type"), Some(content_type), "{name}");
        assert_eq!((answer.status, answer.text().as_str()), (200, name));
    }
}

#[test]
fn a_folder_shows_its_index_and_is_written_with_a_slash() {
    let folder = new_folder("index");
    write(&folder, "index.html", "the front page");
    write(&folder, "in side/index.html", "inside");
    let site = serve(&folder);
    assert_eq!(get(&site, "/").text(), "the front page");
    assert_eq!(get(&site, "/in%20side/").text(), "inside");
    let redirect = get(&site, "/in%20side?a=b");
    assert_eq!(
        (redirect.status, redirect.field("location")),
        (307, Some("/in%20side/?a=b"))
    );
    assert_eq!(get(&site, "/index.html/").status, 404, "a file is not a folder");
}

#[test]
fn nothing_outside_the_folder_is_served() {
    let outside = new_folder("outside");
    write(&outside, "secret.txt", "secret");
    write(&outside, "inside/page.html", "page");
    let site = serve(&outside.join("inside"));
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..%5csecret.txt",
        "/.%2e/secret.txt",
        "/page.html/../../secret.txt",
        "//secret.txt",
        "/%00secret.txt",
        "/page.html%00",
        "/%2fetc%2fpasswd",
        "//etc/passwd",
        "/C:/Windows/win.ini",
        "/%ff",
        "/nowhere",
        "/nowhere/",
    ] {
        let answer = get(&site, path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("secret\n"), "{path}");
    }
    assert_eq!(get(&site, "/page.html").text(), "page");
}

#[test]
fn a_path_of_two_slashes_does_not_redirect_to_another_host() {
    let folder = new_folder("two-slashes");
    write(&folder, "example.com/page.html", "page");
    let answer = get(&serve(&folder), "//example.com");
    assert_eq!((answer.status, answer.field("location")), (404, None));
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = new_folder("not-text");
    let name = OsStr::from_bytes(b"\xff.html");
    fs::write(folder.join(name), "a page").expect("room for a file");
    let site = serve(&folder);
    for path in ["/%FF.html", "/%ff.html", "/%ff"] {
        assert_eq!(get(&site, path).text(), "a page", "{path}");
    }
    assert!(get(&site, "/").text().contains(r#"<a href="%FF.html">"#));
}

/// The user root may read everything, so for root each of these paths is served.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_told_from_one_that_is_missing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = new_folder("unreadable");
    write(&folder, "page.html", "secret");
    write(&folder, "closed/index.html", "secret");
    write(&folder, "list/x", "secret");
    let modes = [("page.html", 0), ("closed", 0), ("list", 0o300)];
    let set = |mode: Option<u32>| {
        for (name, own) in modes {
            let mode = fs::Permissions::from_mode(mode.unwrap_or(own));
            fs::set_permissions(folder.join(name), mode).expect("it is ours");
        }
    };
    set(None);
    let site = serve(&folder);
    let is_root = fs::read(folder.join("page.html")).is_ok();
    for path in ["/page.html", "/page", "/closed/", "/closed/index.html", "/list/"] {
        let answer = get(&site, path);
        assert_eq!(answer.status, if is_root { 200 } else { 403 }, "{path}");
        assert_eq!(answer.text().contains("may not be read"), !is_root, "{path}");
    }
    assert_eq!(get(&site, "/none.html").status, 404);
    set(Some(0o700)); // so that it can be deleted
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_only_inside_the_folder() {
    use std::os::unix::fs::symlink;
    let outside = new_folder("links");
    write(&outside, "secret.txt", "secret");
    write(&outside, "inside/page.html", "page");
    fs::create_dir(outside.join("inside/empty")).expect("room for a folder");
    for (target, link) in [
        ("../secret.txt", "leak.txt"),
        ("..", "leak"),
        ("../../secret.txt", "empty/index.html"),
        ("../secret.txt", "out.html"),
        ("page.html", "alias.html"),
        ("alias.html", "loop-free.html"),
        ("loop", "loop"),
    ] {
        symlink(target, outside.join("inside").join(link)).expect("room for a link");
    }
    let site = serve(&outside.join("inside"));
    for path in [
        "/leak.txt",
        "/leak",
        "/leak/",
        "/leak/secret.txt",
        "/empty/",
        "/empty/index.html",
        "/out",
    ] {
        let answer = get(&site, path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.text().contains("leads out of the served folder"), "{path}");
    }
    assert!(
        get(&site, "/").text().contains(r#"<a href="leak">leak</a>"#),
        "no silence"
    );
    assert_eq!(get(&site, "/loop").status, 404);
    assert_eq!(get(&site, "/loop-free.html").text(), "page");
    assert_eq!(get(&site, "/alias").text(), "page");
}

#[test]
fn a_connection_is_kept_between_files() {
    let folder = new_folder("kept");
    write(&folder, "page.html", "page");
    let site = serve(&folder);
    let mut stream = connect(site.address());
    for path in ["/page.html", "/", "/nowhere", "/page.html"] {
        get_and_keep(&mut stream, path);
    }
    assert_eq!((site.connections(), site.requests("/page.html")), (1, 2));
}

#[test]
fn what_is_not_a_folder_cannot_be_served() {
    let folder = new_folder("not-a-folder");
    write(&folder, "file", "");
    assert!(DemoSite::serve_folder(&folder.join("file")).is_err());
    assert!(DemoSite::serve_folder(&folder.join("nowhere")).is_err());
}
