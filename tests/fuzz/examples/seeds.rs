//! Seeds as files, which the fuzzer wants, and files as seeds.
//!
//! ```text
//! seeds unpack TARGET FOLDER         all seeds, a file for each
//! seeds unpack-named TARGET FOLDER   those that have a name
//! seeds pack TARGET FOLDER           what is in the folder becomes the seeds
//! seeds add TARGET NAME FILE         one seed more
//! ```

use fuzz::seeds::{self, Seed};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["unpack", target, folder] => unpack(target, folder, false),
        ["unpack-named", target, folder] => unpack(target, folder, true),
        ["pack", target, folder] => pack(target, folder),
        ["add", target, name, file] => add(target, name, file),
        _ => Err(
            "seeds unpack | unpack-named | pack TARGET FOLDER, or add TARGET NAME FILE"
                .to_string(),
        ),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Files of seeds without a name begin with this.
const FOUND: &str = "found-";

fn unpack(target: &str, folder: &str, only_named: bool) -> Result<(), String> {
    let folder = Path::new(folder);
    fs::create_dir_all(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    for (number, seed) in seeds::read(target)?.into_iter().enumerate() {
        if only_named && seed.name.is_none() {
            continue;
        }
        let file = folder.join(seed.name.unwrap_or(format!("{FOUND}{number}")));
        let written = fs::write(&file, seed.bytes);
        written.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

fn pack(target: &str, folder: &str) -> Result<(), String> {
    let files = fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))?;
    let seed = |file: Result<fs::DirEntry, std::io::Error>| {
        let file = file.map_err(|error| error.to_string())?;
        let bytes = fs::read(file.path()).map_err(|error| error.to_string())?;
        let name = file.file_name().to_string_lossy().into_owned();
        // The fuzzer names what it finds after its hash.
        let is_hash = name.len() == 40 && name.bytes().all(|it| it.is_ascii_hexdigit());
        let has_name = !is_hash && !name.starts_with(FOUND);
        Ok(Seed { name: has_name.then_some(name), bytes })
    };
    let seeds: Result<Vec<Seed>, String> = files.map(seed).collect();
    seeds::write(target, seeds?)
}

fn add(target: &str, name: &str, file: &str) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let mut all = seeds::read(target)?;
    if name.contains(' ') || all.iter().any(|it| it.name.as_deref() == Some(name)) {
        return Err(format!("`{name}`: a name is one word, and is there once"));
    }
    all.push(Seed { name: Some(name.into()), bytes });
    seeds::write(target, all)
}
