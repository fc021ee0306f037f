//! No file of a crate imports what, by way of others, imports it: whoever reads one can read
//! those below it first. (A part of a module may use what the module around it defines.) Only
//! `use` declarations are read: a path such as `crate::pool::Pool` within code is not seen. Three
//! crates have a circle, because it is their lesson.

use crate::lines::sources;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use step::root;

/// The crates with a circle, each with all files that have a part in it. Callbacks own each
/// other (stage 1), and a loop, its coroutines, their futures and what observes them are one idea
/// (stage 2, and its copy for the cases of exercises).
const LESSONS: [(&str, &[&str]); 3] = [
    ("stage1-callbacks", &["connect.rs", "crawler.rs", "fetcher.rs"]),
    (
        "stage2-generators",
        &[
            "connect.rs",
            "coroutine.rs",
            "event_loop.rs",
            "fetch.rs",
            "futures.rs",
            "observe.rs",
            "reactor.rs",
            "scheduler.rs",
        ],
    ),
    ("tests/exercises/checks", &["toy/coroutines.rs", "toy/event_loop.rs"]),
];

/// The parts of the book's tool, each of which uses only those before it.
const PIPE: [&str; 8] =
    ["read", "check", "html", "paper", "slides", "quiz", "class", "whole"];

/// Folders without sources of ours.
const OTHERS: [&str; 4] = ["target", "node_modules", ".git", "mutants.out"];

static USE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(pub(?:\([a-z ]+\))? )?use ([^;]+);").expect("constant")
});

// Where the tests of a file begin, which are at its end.
static TESTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\n#\[cfg\(test\)\]\n(?:pub(?:\([a-z ]+\))? )?mod \w+ \{")
        .expect("constant")
});

/// A module's path from the root of its crate.
type Module = Vec<String>;

/// The files of a crate.
struct Crate {
    files: BTreeMap<Module, File>,
}

struct File {
    path: PathBuf,
    uses: Vec<Use>,
}

/// What a `use` declaration names.
struct Use {
    path: Vec<String>,
    /// Its name here.
    name: String,
    /// Whether other modules see it.
    is_public: bool,
}

impl Crate {
    fn read(src: &Path) -> Crate {
        let mut files = BTreeMap::new();
        for path in sources(src) {
            let inner = path.strip_prefix(src).expect("it is below").with_extension("");
            let mut module: Module =
                inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            // A program beside a library uses it from outside.
            let root = if src.join("lib.rs").is_file() { "lib" } else { "main" };
            module.pop_if(|last| [root, "mod"].contains(&last.as_str()));
            let text = fs::read_to_string(&path).expect("it was found there");
            let text = TESTS.split(&text).next().unwrap_or_default();
            // `use crate::rules` of a macro means no module of that name.
            let is_macro = |it: &Use| text.contains(&format!("{}!", it.name));
            let uses = USE.captures_iter(text).flat_map(|found| {
                let is_public = found.get(1).is_some();
                expanded(&found[2]).into_iter().map(move |(path, name)| Use {
                    path,
                    name,
                    is_public,
                })
            });
            let uses = uses.filter(|it| !is_macro(it)).collect();
            files.insert(module, File { path, uses });
        }
        Crate { files }
    }

    /// The module that a path means, seen from this one: the one that defines its item.
    /// `None`: it leads to another crate.
    fn target(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let mut module: Module = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => from.clone(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            child => {
                let own = [&from[..], &[child.to_string()]].concat();
                self.files.contains_key(&own).then_some(own)?
            }
        };
        let mut rest = &path[1..];
        while let Some((next, after)) = rest.split_first() {
            let inner = [&module[..], std::slice::from_ref(next)].concat();
            module = match next.as_str() {
                "self" => module,
                "super" => module[..module.len().checked_sub(1)?].to_vec(),
                _ if self.files.contains_key(&inner) => inner,
                _ => break,
            };
            rest = after;
        }
        let file = self.files.get(&module)?;
        let Some(name) = rest.first().filter(|_| depth > 0) else {
            return Some(module);
        };
        let again = file.uses.iter().find(|it| it.is_public && it.name == *name);
        let again = again.and_then(|it| self.target(&module, &it.path, depth - 1));
        Some(again.unwrap_or(module))
    }

    /// Which file imports which.
    fn arrows(&self) -> BTreeSet<(&Path, &Path)> {
        let mut arrows = BTreeSet::new();
        for (module, file) in &self.files {
            for it in &file.uses {
                let target = self.target(module, &it.path, 5);
                let target = target.filter(|target| !module.starts_with(target));
                let target = target.and_then(|it| self.files.get(&it));
                arrows
                    .extend(target.map(|it| (file.path.as_path(), it.path.as_path())));
            }
        }
        arrows
    }
}

/// The paths that a tree of imports names, with their names: `a::{b, c::d as e}` is `a::b`,
/// called `b`, and `a::c::d`, called `e`.
fn expanded(tree: &str) -> Vec<(Vec<String>, String)> {
    let Some((before, inner)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path: Vec<String> =
            path.split("::").map(|part| part.trim().to_string()).collect();
        let last = path.last().cloned().unwrap_or_default();
        let name = if name.is_empty() { last } else { name.trim().to_string() };
        return vec![(path, name)];
    };
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    let (mut parts, mut open, mut begin) = (Vec::new(), 0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            ',' if open == 0 => {
                parts.push(&inner[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[begin..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(&format!("{before}{}", part.trim()))).collect()
}

/// Leaves out all that begins or ends no circle, until only circles are left, and what is
/// between two of them.
fn circles<T: Ord + Clone>(mut arrows: BTreeSet<(T, T)>) -> BTreeSet<(T, T)> {
    loop {
        let from: BTreeSet<T> = arrows.iter().map(|(from, _)| from.clone()).collect();
        let to: BTreeSet<T> = arrows.iter().map(|(_, to)| to.clone()).collect();
        let count = arrows.len();
        arrows.retain(|(start, end)| to.contains(start) && from.contains(end));
        if arrows.len() == count {
            return arrows;
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_other = |path: &Path| {
        path.file_name().is_some_and(|name| OTHERS.iter().any(|other| name == *other))
    };
    paths.filter(|path| !is_other(path)).collect()
}

/// The folders `src` of all packages, below this one.
fn crates(folder: &Path) -> Vec<PathBuf> {
    let inner = entries(folder).into_iter().filter(|path| path.is_dir());
    inner
        .flat_map(|path| {
            match path.ends_with("src") && folder.join("Cargo.toml").is_file() {
                true => vec![path],
                false => crates(&path),
            }
        })
        .collect()
}

#[test]
fn no_file_imports_what_imports_it() {
    let all = crates(root());
    assert!(all.len() > 15, "{all:#?}");
    let mut lessons = BTreeMap::new();
    for src in all {
        let name = src.parent().expect("it has a package").strip_prefix(root());
        let name = name.expect("it is ours").display().to_string().replace('\\', "/");
        let found = Crate::read(&src);
        let left = circles(found.arrows());
        let files = left.iter().flat_map(|(from, to)| [*from, *to]);
        let files: BTreeSet<String> = files.map(|file| shown(&src, file)).collect();
        if !files.is_empty() {
            lessons.insert(name, files.into_iter().collect::<Vec<_>>());
        }
    }
    let expected = LESSONS.map(|(name, files)| (name.into(), texts(files)));
    assert_eq!(
        lessons,
        BTreeMap::from(expected),
        "left: what is in a circle of imports"
    );
}

fn shown(folder: &Path, file: &Path) -> String {
    let file = file.strip_prefix(folder).expect("it is below");
    file.display().to_string().replace('\\', "/")
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|it| it.to_string()).collect()
}

/// The book's tool reads, checks, builds, and then makes the rest of what was built.
#[test]
fn the_tool_of_the_book_is_a_pipe() {
    let src = root().join("book/tool/src");
    let tool = Crate::read(&src);
    let part = |path: &Path| {
        shown(&src, path).split('/').next().map(String::from).unwrap_or_default()
    };
    let arrows = tool.arrows();
    let between = arrows.iter().map(|(from, to)| (part(from), part(to)));
    let between: BTreeSet<_> = between.filter(|(from, to)| from != to).collect();
    assert!(between.len() > 5, "{between:#?}");
    let place = |part: &String| PIPE.iter().position(|it| it == part);
    for (from, to) in between {
        let (user, used) = (place(&from), place(&to));
        assert!(used.is_some() && used < user, "{from} uses {to}");
    }
}

#[test]
fn a_circle_is_found_behind_a_re_export() {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let write = |file: &str, text: &str| {
        let file = folder.path().join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("it is ours");
        fs::write(file, text).expect("it is ours");
    };
    write("lib.rs", "mod a;\nmod b;\npub use b::{B as C, inner::D};\n");
    write("a.rs", "use crate::{C, D};\nuse std::fs;\n");
    write("b/mod.rs", "mod inner;\nuse super::a;\n");
    write(
        "b/inner.rs",
        "pub struct D;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
    );
    let found = Crate::read(folder.path());
    let name = |path: &Path| shown(folder.path(), path);
    let arrows = found.arrows();
    let named = arrows.iter().map(|(from, to)| (name(from), name(to)));
    let left = circles(named.collect());
    let left: Vec<(&str, &str)> =
        left.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(left, [("a.rs", "b/mod.rs"), ("b/mod.rs", "a.rs")]);
    let paths = expanded("a::{b, c::{d, e as f}}").into_iter();
    let paths = paths.map(|(path, name)| format!("{} {name}", path.join("::")));
    assert_eq!(paths.collect::<Vec<_>>(), ["a::b b", "a::c::d d", "a::c::e f"]);
}
