//! Where the book and the project are.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The folder of a book, the project that its pages show, and where both are built.
#[derive(Clone, Debug)]
pub struct Place {
    /// Holds `src`, `figures`, `runs` and `traces`.
    pub book: PathBuf,
    /// Holds the packages. In a page `../../` leads here.
    pub root: PathBuf,
    /// Cargo's folder for what is built.
    pub target: PathBuf,
    /// The file that remembers which short programs were fine.
    pub fine: PathBuf,
}

impl Place {
    /// This project's own book, unless told otherwise. What is built goes into the target folder
    /// of the project that is shown; what was found out about short programs is kept for all.
    pub fn new(book: Option<PathBuf>, root: Option<PathBuf>) -> Place {
        let own =
            Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("book/tool is here");
        let project = own.parent().expect("the workspace holds the book");
        let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let of = |root: &Path| target.clone().unwrap_or(root.join("target"));
        let fine = of(project).join("book-snippets");
        let root = root.unwrap_or(project.to_path_buf());
        Place { book: book.unwrap_or(own.to_path_buf()), target: of(&root), fine, root }
    }

    /// The file of a page.
    pub fn page(&self, slug: &str) -> PathBuf {
        self.book.join("src").join(format!("{slug}.md"))
    }

    /// Returns a file of `english`; without one, that of our own book.
    pub fn english(&self, name: &str) -> PathBuf {
        let file = |book: &Path| book.join("english").join(name);
        let own = file(&self.book);
        if own.is_file() { own } else { file(&Place::new(None, None).book) }
    }

    /// The file that a page means by a path.
    pub fn file_of(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("../../"), path.strip_prefix("../")) {
            (Some(rest), _) => self.root.join(rest),
            (_, Some(rest)) => self.book.join(rest),
            _ => self.book.join("src").join(path),
        }
    }

    /// A path as a person would write it: from the book's or the project's folder.
    pub fn shown(&self, path: &Path) -> String {
        let book =
            path.strip_prefix(&self.book).map(|rest| Path::new("book").join(rest));
        let short = book.or(path.strip_prefix(&self.root).map(Path::to_path_buf));
        let short = short.unwrap_or(path.to_path_buf());
        let parts = short.components().filter(|part| *part != Component::CurDir);
        parts.collect::<PathBuf>().display().to_string().replace('\\', "/")
    }
}

/// The files in a folder with this extension, sorted. No folder: no files.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_one = |path: &PathBuf| path.extension().is_some_and(|it| it == extension);
    let mut files: Vec<PathBuf> = paths.filter(is_one).collect();
    files.sort();
    files
}

/// The folders in a folder, sorted.
pub fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut folders: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// All files in a folder and below with this extension, sorted.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = all_below(folder);
    found.retain(|path| path.extension().is_some_and(|it| it == extension));
    found
}

/// All files in a folder and below, sorted.
pub fn all_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let below =
        paths.map(|path| if path.is_dir() { all_below(&path) } else { vec![path] });
    let mut found: Vec<PathBuf> = below.flatten().collect();
    found.sort();
    found
}

/// A file's name without its extension.
pub fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}
