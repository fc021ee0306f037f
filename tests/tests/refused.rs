//! What the book says that the compiler refuses is refused, with the words that it prints.
//!
//! After a change: `UPDATE_OUTPUTS=1 cargo test -p conformance --test book refused` stores what
//! the compiler says.

use conformance::outputs::COMPILER;
use conformance::shown_command::root;
use std::ffi::OsStr;
use std::fs;
use std::process::Command;

/// Where the programs are, and beside each what is said of it. They use std alone.
const FOLDERS: &[&str] =
    &["stage1-callbacks/examples/refused", "stage3-async/examples/refused"];

/// Runs the command that the book shows, `rustc --edition 2024 FILE`.
#[test]
fn what_the_book_says_is_refused_is_refused() {
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version =
        Command::new(&compiler).arg("--version").output().expect("it built this");
    let is_known = version.stdout.starts_with(COMPILER.as_bytes());
    let mut checked = 0;
    let files = FOLDERS.iter().flat_map(|folder| {
        let files = root().join(folder).read_dir().expect("the folder is here");
        files.map(move |file| (folder, file.expect("it can be read").path()))
    });
    for (program_folder, file) in files {
        if file.extension() != Some(OsStr::new("rs")) {
            continue;
        }
        checked += 1;
        let name = file.file_name().and_then(OsStr::to_str).expect("names are ASCII");
        let folder = tempfile::tempdir().expect("a folder for this test");
        let output = Command::new(&compiler)
            .current_dir(root())
            .args([
                "--edition",
                "2024",
                &format!("{program_folder}/{name}"),
                "--out-dir",
            ])
            .arg(folder.path())
            .output()
            .expect("it built this");
        let said = String::from_utf8_lossy(&output.stderr).replace("\r\n", "\n");
        assert!(!output.status.success(), "{name} is compiled");
        let stored = file.with_extension("stderr");
        if is_known && std::env::var_os("UPDATE_OUTPUTS").is_some() {
            fs::write(&stored, &said).expect("the folder is ours");
        }
        let stored = fs::read_to_string(stored);
        let stored = stored.expect("what is said of it stands beside it");
        match is_known {
            true => assert_eq!(stored.replace("\r\n", "\n"), said, "{name}"),
            // Another version words it differently, with the same code.
            false => {
                let code = stored.split(':').next().expect("error[E0000]: …");
                assert!(said.contains(code), "{name}: {said}");
            }
        }
    }
    assert!(checked >= FOLDERS.len(), "no program is there");
}
