//! Names in Rust sources: which a text defines, which it uses, and which are ours. Read by
//! patterns, which is enough for sources that rustfmt has laid out.

use std::collections::BTreeSet;

type Names = BTreeSet<String>;

pattern!(
    DEFINED,
    r"\b(?:struct|enum|trait|type|union|fn|macro_rules!)\s+([A-Za-z_][A-Za-z0-9_]*)"
);
pattern!(USE, r"(?s)\buse\s+((crate|super|shared|demo_site|stage\d_\w+)::[^;]+);");
pattern!(WORD, r"[A-Za-z_][A-Za-z0-9_]*(?:::)?");
pattern!(NOISE, r#"(?m)//.*$|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'"#);
pattern!(
    USED,
    r"(?P<before>::|\.|\bfn\s+)?(?P<name>\b[A-Za-z_][A-Za-z0-9_]*)(?P<after>!?\s*\()?(?P<bang>!)?"
);

/// The types, traits, functions and macros that a text defines.
pub fn defined(text: &str) -> Names {
    let text = NOISE.replace_all(text, "");
    DEFINED.captures_iter(&text).map(|found| found[1].to_string()).collect()
}

/// The names in a file that are ours: what it defines itself at its top level, and what
/// it takes from our crates, if those define it. `of_crate` knows what a crate defines;
/// `crate` and `super` are the file's own.
pub fn ours(file: &str, of_crate: impl Fn(&str) -> Names) -> Names {
    let text = NOISE.replace_all(file, "");
    let top = text.lines().filter(|line| !line.starts_with(char::is_whitespace));
    let mut names = defined(&top.collect::<Vec<_>>().join("\n"));
    for tree in USE.captures_iter(&text) {
        let own = of_crate(&tree[2]);
        // A name before `::` is a module, or a type with variants that are imported.
        let words = WORD.find_iter(&tree[1]).map(|word| word.as_str());
        names.extend(words.filter(|word| own.contains(*word)).map(String::from));
    }
    names.remove("main");
    names
}

/// The types and macros that a text names, and the functions that it calls. A name
/// after `::` or `.` belongs to the name before it.
pub fn used(text: &str) -> Names {
    let text = NOISE.replace_all(text, "");
    let mut names = Names::new();
    for found in USED.captures_iter(&text) {
        let name = &found["name"];
        let is_type =
            name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        let is_called = found.name("after").is_some() || found.name("bang").is_some();
        if found.name("before").is_none() && (is_type || is_called) {
            names.insert(name.to_string());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(of: &[&str]) -> Names {
        of.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn ours_are_what_a_file_defines_and_what_it_takes_from_our_crates() {
        let file = "use crate::wire::{Reader, Url, send};\nuse std::io::Write;\n\
                    struct Own;\nimpl Own {\n    fn inner() {}\n}\n// struct Not;\n";
        let own = |_: &str| names(&["Reader", "send", "Write"]);
        assert_eq!(ours(file, own), names(&["Own", "Reader", "send"]));
    }

    #[test]
    fn methods_variants_and_strings_are_not_used_by_themselves() {
        let text = "let a: Reader = open(b, \"Not::this\").read(Kind::Small); log!(1);";
        assert_eq!(used(text), names(&["Reader", "Kind", "open", "log"]));
    }
}
