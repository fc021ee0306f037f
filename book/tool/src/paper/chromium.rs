//! Finds Chromium, and has it print.

use super::about;
use std::env;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// The variable that names the browser, as for `tests/browser`.
const VARIABLE: &str = "CHROMIUM";

/// What the browser is called in the folders of `PATH`.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Where it is on macOS, outside of `PATH`.
const APPLICATIONS: &[&str] = &[
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// How long one print may take: on a busy machine, eight hundred pages have taken three minutes.
const PATIENCE: Duration = Duration::from_secs(900);

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--allow-file-access-from-files",
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
];

/// Returns the browser that `CHROMIUM` names, or one that is installed.
///
/// # Errors
/// There is none. The message says what to do.
pub(super) fn find() -> Result<PathBuf, String> {
    if let Some(named) = env::var_os(VARIABLE) {
        let named = PathBuf::from(named);
        let why = format!("{VARIABLE} names {}, and no file is there", named.display());
        return if named.is_file() { Ok(named) } else { Err(why) };
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let in_path = env::split_paths(&folders).flat_map(|folder| {
        NAMES
            .iter()
            .map(move |name| folder.join(format!("{name}{}", env::consts::EXE_SUFFIX)))
    });
    let mut all = in_path.chain(APPLICATIONS.iter().map(PathBuf::from));
    all.find(|file| file.is_file()).ok_or(format!(
        "no Chromium: it prints the PDF. Install it (131 or later), or set {VARIABLE} to the \
         program's path. `cargo book epub` does not need it."
    ))
}

/// Prints a page into a file.
///
/// # Errors
/// The browser fails, takes too long, or has written nothing.
pub(super) fn print(browser: &Path, page: &Path, pdf: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let said = folder.path().join("said");
    let output = File::create(&said).map_err(about(&said))?;
    let url = url::Url::from_file_path(page)
        .map_err(|()| format!("{} is no whole path", page.display()))?;
    let _ = std::fs::remove_file(pdf);
    let mut child = Command::new(browser)
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", folder.path().join("user").display()))
        .arg(format!("--print-to-pdf={}", pdf.display()))
        .arg(url.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(output)
        .spawn()
        .map_err(about(browser))?;
    let status = child.wait_timeout(PATIENCE).map_err(|error| error.to_string())?;
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!(
            "{} has not printed within {PATIENCE:?}",
            browser.display()
        ));
    }
    if status.is_some_and(|status| status.success()) && pdf.is_file() {
        return Ok(());
    }
    let said = std::fs::read_to_string(&said).unwrap_or_default();
    Err(format!("{} has not printed:\n{said}", browser.display()))
}
