//! `cargo lab play FILE` opens the page *Your own trace* with a trace.
//!
//! A page that was opened from a file may not read another file. So the trace becomes a script
//! beside the page, which the page loads. This needs no server and no network.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use step::{cargo_run, print, root, run, target, typed};

/// The page, in the folder of the built book.
const PAGE: &str = "your-own-trace.html";
/// The script with the trace. It is beside the page.
const SCRIPT: &str = "played.js";
/// Tells the page that it should load the script.
const FRAGMENT: &str = "#played";

/// Names the program that shows a page, as it does for other programs.
const BROWSER_VARIABLE: &str = "BROWSER";

pub(crate) fn act(arguments: &[OsString]) -> Result<ExitCode, String> {
    let [file] = arguments else { return Err("`play` takes one file".to_string()) };
    let file = Path::new(file);
    let why = |path: &Path, error| format!("{}: {error}", path.display());
    let text = fs::read(file).map_err(|error| why(file, error))?;
    let text = String::from_utf8_lossy(&text); // the page says what is no trace
    let book = target().join("book");
    if !book.join(PAGE).exists() {
        build_book()?;
    }
    let script = book.join(SCRIPT);
    fs::write(&script, script_of(file, &text)).map_err(|error| why(&script, error))?;
    let address = address(&book.join(PAGE)) + FRAGMENT;
    let done = print(&format!("the trace is on {address}\n"));
    show(&address);
    done
}

/// Builds the book, as `cargo book build` does.
fn build_book() -> Result<(), String> {
    let mut command = cargo_run("launch");
    command.args(["--", "book", "build"]).current_dir(root());
    eprintln!("$ {}", typed(&command));
    match run(&mut command)? {
        ExitCode::SUCCESS => Ok(()),
        _ => Err("the book cannot be built".to_string()),
    }
}

/// Assigns the trace, whatever is in it.
fn script_of(file: &Path, text: &str) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let (name, text) = (text_of(&name), text_of(text));
    format!("Player.played = {{\"name\":{name},\"text\":{text}}};\n")
}

/// Returns the text as a string of JSON, which JavaScript reads, too.
fn text_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\0'..' ' => out += &format!("\\u{:04x}", u32::from(character)),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Returns the address of a file.
fn address(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "/");
    let mut out =
        String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'/' | b':' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => out.push(byte.into()),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

/// Opens the address in a browser. Without a browser, the address that was printed is enough.
fn show(address: &str) {
    let mut command = match env::var_os(BROWSER_VARIABLE).filter(|it| !it.is_empty()) {
        Some(browser) => Command::new(browser),
        None if cfg!(target_os = "macos") => Command::new("open"),
        None if cfg!(windows) => Command::new("explorer"),
        None => Command::new("xdg-open"),
    };
    let command = command.arg(address).stdin(Stdio::null());
    // Not waited for: it may end with the browser.
    let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
