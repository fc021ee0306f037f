//! Finds the file or folder for a path of the site, as hosts of static sites do. Nothing
//! outside the served folder is found.
//!
//! The result depends only on the path and on the disk, so that a program that has
//! crawled the site can ask afterwards why a path was not found.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode,
};

/// All characters except those that need no encoding in a URL (RFC 3986 §2.3).
const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A folder that is served.
pub struct Folder {
    /// The path without symbolic links. A file is inside if its own path, also without
    /// symbolic links, begins with this.
    root: PathBuf,
    /// The decoded names of the path below which the site lives. Empty if the site is
    /// the root of its host.
    base: Vec<OsString>,
}

/// What is found at a path of the site.
pub enum Place {
    /// A file that can be read.
    File(PathBuf),
    /// A page that is found only by adding `.html` to the path. Hosts that do not add it
    /// find nothing, or the folder of that name.
    CleanUrl(PathBuf),
    /// A folder without an `index.html`, which can be listed. Its path ends in a slash.
    List(PathBuf),
    /// A folder, but the path does not end in a slash. It needs one: otherwise
    /// relative links would start one level too high.
    FolderWithoutSlash,
    /// A file or folder that exists, but that this process may not read.
    Unreadable,
    /// A path that leaves the folder through a symbolic link, or through an encoded
    /// `..`.
    LeadsOut,
    /// A path that is not below the base path.
    OutsideBase,
    /// Nothing that may be served.
    Nowhere,
}

impl Place {
    /// Returns why the place is not served, if it is not simply missing.
    pub fn problem(&self) -> Option<&'static str> {
        match self {
            Place::Unreadable => {
                Some("the file or folder is there, but may not be read")
            }
            Place::LeadsOut => {
                Some("the path leads out of the served folder (a symbolic link, or ..)")
            }
            Place::OutsideBase => Some("the path is not below the base path"),
            _ => None,
        }
    }
}

impl Folder {
    /// Opens the folder at `path`. Its site is the root of a host.
    ///
    /// # Errors
    /// `path` does not exist or is not a folder.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let root = path.canonicalize()?;
        if !root.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        Ok(Folder { root, base: Vec::new() })
    }

    /// Moves the site below the path `base`, which is percent-encoded.
    pub fn below(self, base: &str) -> Folder {
        let names = base.split('/').filter(|name| !name.is_empty());
        Folder { base: names.filter_map(decode).collect(), ..self }
    }

    /// Finds `path`, which is percent-encoded and has no query.
    ///
    /// If there are a page `guide.html` and a folder `guide`, the path `guide` is the page:
    /// hosts that add `.html` try this before the folder.
    pub fn locate(&self, path: &str) -> Place {
        let (path, slash) = match path.strip_suffix('/') {
            Some(names) => (names, true),
            None => (path, false),
        };
        let names: Option<Vec<_>> = path.split('/').skip(1).map(decode).collect();
        let Some(names) = names else { return Place::Nowhere };
        let Some(names) = names.strip_prefix(&self.base[..]) else {
            return Place::OutsideBase;
        };
        let place = match self.join(names) {
            Ok(place) => place,
            Err(found) => return found,
        };
        match self.at(place.clone()) {
            Place::FolderWithoutSlash if slash => self.index_of(place),
            Place::File(_) if slash => Place::Nowhere,
            found @ (Place::FolderWithoutSlash | Place::Nowhere) if !slash => {
                match (self.at(with_html(place)), found) {
                    (Place::File(page), _) => Place::CleanUrl(page),
                    (page, Place::Nowhere) if page.problem().is_some() => page,
                    (_, found) => found,
                }
            }
            found => found,
        }
    }

    /// Returns the page to show for a missing path, `404.html`, if the folder has one.
    pub(crate) fn page_for_missing(&self) -> Option<PathBuf> {
        match self.at(self.root.join("404.html")) {
            Place::File(page) => Some(page),
            _ => None,
        }
    }

    /// Returns the path on the site for a folder. `own` is its path on disk, without
    /// symbolic links. Returns `None` if the folder is outside.
    pub(crate) fn address_of(&self, own: &Path) -> Option<String> {
        let base = self.base.iter().map(OsString::as_os_str);
        let names = base.chain(own.strip_prefix(&self.root).ok()?);
        Some(names.fold("/".to_string(), |address, name| address + &encode(name) + "/"))
    }

    /// Returns what is at `place`, a path on disk. A folder is returned as one whose path
    /// does not end in a slash.
    pub(crate) fn at(&self, place: PathBuf) -> Place {
        match place.canonicalize() {
            Ok(real) if !real.starts_with(&self.root) => Place::LeadsOut,
            Ok(real) if real.is_dir() => Place::FolderWithoutSlash,
            // Reading a device or a pipe might never end.
            Ok(real) if !real.is_file() => Place::Nowhere,
            Ok(real) if is_unreadable(File::open(&real)) => Place::Unreadable,
            Ok(_) => Place::File(place),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                Place::Unreadable
            }
            Err(_) => Place::Nowhere,
        }
    }

    /// Returns the `index.html` of `folder`, or the folder if it has none.
    fn index_of(&self, folder: PathBuf) -> Place {
        match self.at(folder.join("index.html")) {
            Place::Nowhere | Place::FolderWithoutSlash => {
                match is_unreadable(fs::read_dir(&folder)) {
                    true => Place::Unreadable,
                    false => Place::List(folder),
                }
            }
            found => found,
        }
    }

    /// Returns the path on disk for decoded `names`.
    ///
    /// # Errors
    /// The place, if a name cannot be that of a single file.
    fn join(&self, names: &[OsString]) -> Result<PathBuf, Place> {
        let mut place = self.root.clone();
        for name in names {
            let parts = Path::new(name).components();
            if parts.clone().any(|part| part == Component::ParentDir) {
                return Err(Place::LeadsOut);
            }
            if !parts.eq([Component::Normal(name)]) {
                return Err(Place::Nowhere); // a separator, or a drive
            }
            place.push(name);
        }
        Ok(place)
    }
}

/// Percent-encodes a name for the path of a URL. A name that is not Unicode can be decoded
/// again only on Unix, where names are bytes.
pub(crate) fn encode(name: &OsStr) -> String {
    percent_encode(name.as_encoded_bytes(), RESERVED).to_string()
}

/// Decodes a name from the path of a URL.
#[cfg(unix)]
fn decode(encoded: &str) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(percent_decode_str(encoded).collect()))
}

/// Decodes a name from the path of a URL; `None` if it is not Unicode.
#[cfg(not(unix))]
fn decode(encoded: &str) -> Option<OsString> {
    Some(percent_decode_str(encoded).decode_utf8().ok()?.into_owned().into())
}

fn with_html(place: PathBuf) -> PathBuf {
    let mut name = place.into_os_string();
    name.push(".html");
    name.into()
}

fn is_unreadable<T>(opened: io::Result<T>) -> bool {
    opened.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
}
