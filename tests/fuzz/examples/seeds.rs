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

fn unpack(target: &str, folder: &str, only_named: bool) -> Result<(), String> {
    let folder = Path::new(folder);
    fs::create_dir_all(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    for (number, seed) in seeds::read(target)?.into_iter().enumerate() {
        if only_named && seed.name.is_none() {
            continue;
        }
        let file =
            folder.join(seed.name.unwrap_or(format!("{}{number}", seeds::FOUND)));
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
        match seeds::is_found(&name) {
            true => Ok(Seed { name: None, bytes }),
            false => Ok(Seed { name: Some(named(&name)?), bytes }),
        }
    };
    let seeds: Result<Vec<Seed>, String> = files.map(seed).collect();
    seeds::write(target, seeds?)
}

fn add(target: &str, name: &str, file: &str) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let mut all = seeds::read(target)?;
    let name = named(name)?;
    if all.iter().any(|it| it.name.as_ref() == Some(&name)) {
        return Err(format!("`{name}` is there already"));
    }
    all.push(Seed { name: Some(name), bytes });
    seeds::write(target, all)
}

fn named(name: &str) -> Result<String, String> {
    match seeds::is_name(name) {
        true => Ok(name.to_string()),
        false => Err(format!(
            "`{name}` is no name: letters, digits, `-`, `_` and `.`, and not as the fuzzer \
             calls what it finds"
        )),
    }
}
