//! The files that are served: a small site with all kinds of names.

use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Pages beside the special ones.
const PAGES: usize = 60;

/// Writes the site into a folder that lives as long as it is needed. Others may read
/// it: a server may run as another user.
pub(crate) fn write() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let root = folder.path();
    for page in 0..PAGES {
        let links = [page * 3 + 1, page * 7 + 2, page + 20, page / 2];
        let links: String =
            links.iter().map(|to| anchor(&format!("/{}", href(*to)))).collect();
        let relative = anchor("../") + &anchor("./#top") + &anchor("?sorted=yes");
        let padding = "x".repeat(page * 1_000);
        put(
            root,
            &name(page),
            &format!("<title>{page}</title>{links}{relative}{padding}"),
        );
    }
    put(root, "index.html", &index());
    put(root, "style.css", "a { color: red } /* <a href=/no> */");
    put(root, "text.txt", "<a href=/no>");
    put(root, "empty.html", "");
    put(root, "big.html", &(" ".repeat(3_000_000) + &anchor("/text.txt")));
    open_to_all(root);
    folder
}

fn index() -> String {
    let targets = [
        "page+0.html",
        "/folder",
        "/folder/",
        "folder/deep",
        "missing.html",
        "/style.css",
        "/text.txt",
        "/empty.html",
        "/big.html",
        "/page+0.html?a=1&amp;b=2",
        "/none/at/all",
        "mailto:a@b.example",
        "http://x.invalid/",
    ];
    targets.map(anchor).concat()
}

fn anchor(target: &str) -> String {
    format!("<p><a href=\"{target}\">{target}</a>\n")
}

/// The name of a page as a file.
fn name(page: usize) -> String {
    match page % 6 {
        0 => format!("page+{page}.html"),
        1 => format!("folder/{page} with blanks.html"),
        2 => format!("folder/deep/größe-{page}.html"),
        3 => format!("folder/100%-{page}.html"),
        4 => format!("dir-{page}/index.html"),
        _ => format!("#{page}, it's ~odd!.html"),
    }
}

/// The same in a link, in one of the ways in which people write it.
fn href(page: usize) -> String {
    match page % 6 {
        1 if page.is_multiple_of(2) => format!("folder/{page} with blanks.html"),
        1 => format!("folder/{page}%20with%20blanks.html"),
        2 => format!("folder/deep/größe-{page}.html"),
        3 => format!("folder/100%25-{page}.html"),
        4 if page.is_multiple_of(4) => format!("dir-{page}"),
        4 => format!("dir-{page}/"),
        5 => format!("%23{page},%20it's%20~odd!.html"),
        _ => name(page),
    }
}

fn put(root: &Path, name: &str, text: &str) {
    let file = root.join(name);
    let folder = file.parent().expect("it is in a folder");
    fs::create_dir_all(folder).expect("the folder is ours");
    for folder in ["folder", "folder/deep"] {
        let index = root.join(folder).join("index.html");
        if root.join(folder).is_dir() && !index.exists() {
            fs::write(index, anchor("../index.html")).expect("the folder is ours");
        }
    }
    fs::write(file, text).expect("the folder is ours");
}

#[cfg(unix)]
fn open_to_all(root: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let all = fs::Permissions::from_mode(0o755);
    fs::set_permissions(root, all).expect("the folder is ours");
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) {}
