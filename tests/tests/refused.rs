//! What the book says that the compiler refuses is refused, with the words that it prints.
//! By itself, so that nothing is compiled while steps run that measure time.
//!
//! After a change: `TRYBUILD=overwrite cargo test -p conformance --test refused` stores
//! what the compiler says.
#![forbid(unsafe_code)]

use conformance::outputs::COMPILER;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Where the programs are, and what is said of them.
const FOLDER: &str = "../stage1-callbacks/examples/refused";

#[test]
fn what_the_book_says_is_refused_is_refused() {
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version =
        Command::new(&compiler).arg("--version").output().expect("it built this");
    if version.stdout.starts_with(COMPILER.as_bytes()) {
        let cases = trybuild::TestCases::new();
        return cases.compile_fail(format!("{FOLDER}/*.rs"));
    }
    for file in Path::new(FOLDER).read_dir().expect("the folder is here") {
        let file = file.expect("it can be read").path();
        if file.extension() != Some(OsStr::new("rs")) {
            continue;
        }
        let output = Command::new(&compiler)
            .args(["--edition", "2024", "--emit", "metadata", "-o"])
            .arg(tempfile::tempdir().expect("a folder").path().join("refused"))
            .arg(&file)
            .output()
            .expect("it built this");
        let stored = fs::read_to_string(file.with_extension("stderr"));
        let stored = stored.expect("what is said of it stands beside it");
        let code = stored.split(':').next().expect("error[E0000]: …");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(code), "{file:?}: {said}");
    }
}
