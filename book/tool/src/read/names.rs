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
pattern!(LONG_NAME, r"(?P<dot>\.\s*)?\b(?P<name>[a-z]\w*_\w+)\b");
pattern!(
    HAS_MEMBER,
    r"(?m)^\s+(?P<is_public>pub\s+)?(?:\w+(?:\(.*\))?\s+)*?(?:fn\s+(?P<method>\w+)|(?P<field>\w+):\s)"
);
pattern!(IN_BACKTICKS, r"`[^`]+`");
pattern!(CRATE, r"\b([a-z]\w*)::");
pattern!(MODULE, r#"(?m)^(?:mod |#\[path = ")(\w+)[;/]"#);

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

/// The methods and fields that a text uses, if their names have two words or more.
pub fn members(text: &str) -> Names {
    long_names(text, true)
}

/// The other names of two words or more in a text, as of what it defines.
pub fn other_words(text: &str) -> Names {
    long_names(text, false)
}

fn long_names(text: &str, after_a_dot: bool) -> Names {
    let text = NOISE.replace_all(text, "");
    let found = LONG_NAME.captures_iter(&text);
    let found = found.filter(|it| it.name("dot").is_some() == after_a_dot);
    found.map(|it| it["name"].to_string()).collect()
}

/// The names that a line of prose has in backticks.
pub fn in_backticks(line: &str) -> Names {
    let pieces = IN_BACKTICKS.find_iter(line);
    let names = pieces.flat_map(|it| LONG_NAME.captures_iter(it.as_str()));
    names.map(|it| it["name"].to_string()).collect()
}

/// The methods and fields that a source has, or those that other crates may use.
pub fn has_members(text: &str, only_public: bool) -> Names {
    let text = NOISE.replace_all(text, "");
    let found = HAS_MEMBER.captures_iter(&text);
    let found = found.filter(|it| !only_public || it.name("is_public").is_some());
    let name = |it: regex::Captures<'_>| {
        it.name("method").or(it.name("field")).map(|name| name.as_str().to_string())
    };
    found.filter_map(name).collect()
}

/// The crates of ours that a source names.
pub fn crates(text: &str) -> Names {
    CRATE.captures_iter(text).map(|found| found[1].to_string()).collect()
}

/// The folders, beside an example, from which it takes modules.
pub fn module_folders(text: &str) -> Names {
    MODULE.captures_iter(text).map(|found| found[1].to_string()).collect()
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
    fn members_are_used_after_a_dot_and_defined_after_fn_or_in_a_struct() {
        let text = "pub struct A {\n    pub one_field: u8,\n    pub(super) two_field: u8,\n}\n\
                    impl A {\n    pub async fn go_on(&self) {\n        let a_local = self\n            \
                    .one_field;\n    }\n    fn is_it(&self) {}\n}\n";
        let all = names(&["one_field", "two_field", "go_on", "is_it"]);
        assert_eq!(has_members(text, false), all);
        assert_eq!(has_members(text, true), names(&["one_field", "go_on"]));
        assert_eq!(members(text), names(&["one_field"]));
        let others = names(&["one_field", "two_field", "go_on", "a_local", "is_it"]);
        assert_eq!(other_words(text), others);
        assert_eq!(in_backticks("A `self.go_on()`, go_off"), names(&["go_on"]));
    }

    #[test]
    fn methods_variants_and_strings_are_not_used_by_themselves() {
        let text = "let a: Reader = open(b, \"Not::this\").read(Kind::Small); log!(1);";
        assert_eq!(used(text), names(&["Reader", "Kind", "open", "log"]));
    }
}
