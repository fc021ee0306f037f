//! Finds the file or folder for a path of the site. Nothing outside the served folder
//! is found.

use std::io;
use std::path::{Component, Path, PathBuf};

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode,
};

/// All characters except those that need no encoding in a URL (RFC 3986 §2.3).
const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A folder that is served.
pub(crate) struct Folder {
    /// The path without symbolic links. A file is inside if its own path, also without
    /// symbolic links, begins with this.
    root: PathBuf,
}

/// What is found at a path of the site.
pub(crate) enum Place {
    /// A file that is served.
    File(PathBuf),
    /// A folder without an `index.html`. Its path ends in a slash.
    Folder(PathBuf),
    /// A folder, but the path does not end in a slash. It needs one: otherwise
    /// relative links would start one level too high.
    FolderWithoutSlash,
    /// Nothing that may be served.
    Nowhere,
}

impl Folder {
    /// Opens the folder at `path`. Fails if it is not a folder.
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        let root = path.canonicalize()?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Folder { root })
    }

    /// Finds `path`, which is percent-encoded.
    pub(crate) fn locate(&self, path: &str) -> Place {
        let (names, slash) = match path.strip_suffix('/') {
            Some(names) => (names, true),
            None => (path, false),
        };
        let Some(place) = self.inside(names) else { return Place::Nowhere };
        match (place.is_dir(), slash) {
            (true, true) => self.index_of(place),
            (true, false) => Place::FolderWithoutSlash,
            (false, true) => Place::Nowhere,
            (false, false) => file(place),
        }
    }

    /// Returns the path on the site for a folder. `own` is its path on disk, without
    /// symbolic links. Returns `None` if the folder is outside, or if a name is not
    /// Unicode and so cannot be requested.
    pub(crate) fn address_of(&self, own: &Path) -> Option<String> {
        let mut address = "/".to_string();
        for name in own.strip_prefix(&self.root).ok()? {
            address += &encode(name.to_str()?);
            address += "/";
        }
        Some(address)
    }

    /// Returns the `index.html` of `folder`, or `folder` itself if there is none. A
    /// symbolic link out of the served folder counts as none.
    fn index_of(&self, folder: PathBuf) -> Place {
        let index = folder.join("index.html");
        match index.canonicalize() {
            Ok(real) if real.starts_with(&self.root) && real.is_file() => {
                Place::File(index)
            }
            _ => Place::Folder(folder),
        }
    }

    /// Returns the path on disk for `names`; `None` if it is outside of this folder,
    /// even by a symbolic link.
    fn inside(&self, names: &str) -> Option<PathBuf> {
        let mut place = self.root.clone();
        for encoded in names.split('/').skip(1) {
            let name = percent_decode_str(encoded).decode_utf8().ok()?;
            place.push(plain_name(&name)?);
        }
        place.canonicalize().ok()?.starts_with(&self.root).then_some(place)
    }
}

/// Percent-encodes a name for the path of a URL.
pub(crate) fn encode(name: &str) -> String {
    utf8_percent_encode(name, RESERVED).to_string()
}

/// Returns the file at `place`. Devices and pipes are not served, because reading them
/// might never end.
fn file(place: PathBuf) -> Place {
    if place.is_file() { Place::File(place) } else { Place::Nowhere }
}

/// Returns `name` if it names one file; `None` for `..`, and for a name with a
/// separator or a drive.
fn plain_name(name: &str) -> Option<&str> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(part)), None) if part == name => Some(name),
        _ => None,
    }
}
