//! How much of what two people have written for an exercise is alike: a reason to ask them,
//! and no proof.
//!
//! Of each program we take the short runs of tokens that the start does not have. Comments,
//! line breaks, texts in quotes, the order of functions, and the names that a program gives
//! are left out, so a copy in which only these are changed is as much alike as one that is
//! not changed at all. The work is linear in the length of two texts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// How many tokens are compared as one. Fewer are alike by chance.
const RUN: usize = 6;

/// The fewest runs that say anything. What is shorter can hardly be written in two ways.
pub const ENOUGH: usize = 60;

/// From this percentage on, a pair is listed. It is a hint where to look.
pub const HINT: usize = 85;

/// What a person has written: how often each run of tokens is in it.
#[derive(Debug, Default)]
pub struct Written(HashMap<u64, usize>);

impl Written {
    /// Returns what is in a program and not in the start.
    pub fn of(text: &str, start: &str) -> Written {
        let (mut own, given) = (runs(text), runs(start));
        own.retain(|run, count| {
            *count = count.saturating_sub(given.get(run).copied().unwrap_or_default());
            *count > 0
        });
        Written(own)
    }

    fn len(&self) -> usize {
        self.0.values().sum()
    }

    /// Returns what part of the two is in both, in percent. `None`: one of them is too short
    /// for an answer.
    pub fn alike(&self, other: &Written) -> Option<usize> {
        if self.len().min(other.len()) < ENOUGH {
            return None;
        }
        let in_other = |run| other.0.get(run).copied().unwrap_or_default();
        let common: usize =
            self.0.iter().map(|(run, count)| in_other(run).min(*count)).sum();
        Some(200 * common / (self.len() + other.len()))
    }
}

/// Returns the runs of a program. What is no Rust has none.
fn runs(text: &str) -> HashMap<u64, usize> {
    let tokens = text.parse().map(tokens).unwrap_or_default();
    let tokens = without_names(without_comments(&tokens));
    let hasher = BuildHasherDefault::<DefaultHasher>::new();
    let mut runs = HashMap::new();
    for run in tokens.windows(RUN) {
        *runs.entry(hasher.hash_one(run)).or_default() += 1;
    }
    runs
}

/// Returns the tokens of a program, with their brackets. Of texts in quotes only a quote is
/// left. (No function calls itself here: brackets may be nested as deep as one likes.)
fn tokens(program: TokenStream) -> Vec<String> {
    let (mut tokens, mut open) = (Vec::new(), vec![(program.into_iter(), "")]);
    while let Some((inner, end)) = open.last_mut() {
        tokens.push(match inner.next() {
            Some(TokenTree::Group(group)) => {
                let (begin, end) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis | Delimiter::None => ("(", ")"),
                };
                open.push((group.stream().into_iter(), end));
                begin.into()
            }
            Some(TokenTree::Literal(it)) if it.to_string().contains(['"', '\'']) => {
                "\"".into()
            }
            Some(other) => other.to_string(),
            None => {
                let end = end.to_string();
                open.pop();
                end
            }
        });
    }
    tokens
}

/// A comment before an item, or at the head of one, as the compiler reads it.
const COMMENTS: [&[&str]; 2] =
    [&["#", "[", "doc", "=", "\"", "]"], &["#", "!", "[", "doc", "=", "\"", "]"]];

/// Leaves out comments that are tokens.
fn without_comments(tokens: &[String]) -> Vec<&str> {
    let (mut kept, mut rest) = (Vec::new(), tokens);
    while let [first, after @ ..] = rest {
        let is_here = |it: &&&[&str]| it.iter().eq(rest.iter().take(it.len()));
        if let Some(comment) = COMMENTS.iter().find(is_here) {
            rest = &rest[comment.len()..];
        } else {
            kept.push(first.as_str());
            rest = after;
        }
    }
    kept
}

const NAME: &str = "_";

/// What comes before a name that a program gives.
const DECLARES: [&str; 10] =
    ["fn", "let", "mut", "ref", "struct", "enum", "type", "trait", "const", "static"];

/// Words of the language that are no names.
const KEYWORDS: [&str; 26] = [
    "as", "async", "await", "break", "const", "continue", "else", "enum", "fn", "for",
    "if", "impl", "in", "let", "loop", "match", "move", "mut", "ref", "return", "self",
    "static", "struct", "type", "use", "while",
];

/// Replaces the names that a program gives: those that it declares, and all variables and
/// fields. Names of methods, functions, macros and types of others are left.
fn without_names<'a>(tokens: Vec<&'a str>) -> Vec<&'a str> {
    let is_declared = |(index, pair): (usize, &[&'a str])| match *pair {
        [before, name] if DECLARES.contains(&before) => is_word(name).then_some(name),
        // A field or a parameter. (`:` of a path is doubled.)
        [name, ":"] if is_word(name) && tokens.get(index + 2) != Some(&":") => {
            Some(name)
        }
        _ => None,
    };
    let declared: HashSet<&str> =
        tokens.windows(2).enumerate().filter_map(is_declared).collect();
    let at = |index: Option<usize>| {
        index.and_then(|it| tokens.get(it)).copied().unwrap_or_default()
    };
    let plain = |(index, token): (usize, &'a str)| {
        let (before, after) = (at(index.checked_sub(1)), at(Some(index + 1)));
        let is_lower = token.starts_with(|it: char| it.is_lowercase() || it == '_');
        let is_call = ["(", "!"].contains(&after);
        let is_in_path = before == ":" && at(index.checked_sub(2)) == ":"
            || after == ":" && at(Some(index + 2)) == ":";
        let is_module = is_lower && is_in_path;
        let is_variable = is_lower && !KEYWORDS.contains(&token) && !is_call;
        let is_name = is_variable || declared.contains(token);
        if is_name && !is_module { NAME } else { token }
    };
    tokens.iter().copied().enumerate().map(plain).collect()
}

fn is_word(token: &str) -> bool {
    let first = token.chars().next();
    !KEYWORDS.contains(&token)
        && first.is_some_and(|it| it.is_alphabetic() || it == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "fn main() { todo!() }";

    /// Long enough, and without anything that occurs twice.
    const ONE: &str = r##"
        struct Books { todo: Vec<u8>, seen: Option<char> }
        impl Books {
            fn take(&mut self, most: usize) -> Result<u8, String> {
                let next = self.todo.pop().ok_or_else(|| "none".to_string())?;
                if usize::from(next) > most { return Err(format!("{next}")) }
                self.seen = Some('\'');
                Ok(next + 1)
            }
        }
        fn main() { drop(r#"a " quote"#); let b = Books { todo: vec![1], seen: None }; }
    "##;

    fn alike(one: &str, other: &str) -> Option<usize> {
        let written = |text| Written::of(text, START);
        written(one).alike(&written(other))
    }

    #[test]
    fn names_comments_and_lines_make_no_difference() {
        let mut copy =
            ONE.replace("        ", "\n// It's \"mine\".\n/* all /* of */ it's */");
        for (old, new) in
            [("Books", "List"), ("todo", "queue"), ("next", "n"), ("take", "get")]
        {
            copy = copy.replace(old, new);
        }
        let copy = copy.replace("\"none\"", "\"nothing is left\"");
        assert_eq!(alike(ONE, &copy), Some(100));
        for comment in ["/*\n// */", "/** Mine. */", "//! Mine.\n", "/// Mine.\n"] {
            let copy = ONE.replacen("struct", &format!("{comment} struct"), 1);
            let copy = if comment.starts_with("//!") {
                format!("{comment}{ONE}")
            } else {
                copy
            };
            assert_eq!(alike(ONE, &copy), Some(100), "{comment}");
        }
    }

    #[test]
    fn other_code_is_another_number() {
        let other = ONE.replace(".pop()", ".iter().rev().copied().next()");
        let percent = alike(ONE, &other).expect("it is long");
        assert!(percent > 70 && percent < 100, "{percent}");
        let other = "fn main() { for a in 0..9 { match a { 1 | 2 => print!(\"{a}\"), _ => \
                     loop { if a > 3 { break } else if a < 2 || a % 7 == 5 { continue } } } } \
                     while let Some(x) = y.next() { z.push(x * 2) } }";
        let percent = alike(ONE, other).expect("it is long");
        assert!(percent < 10, "{percent}");
    }

    #[test]
    fn what_is_deep_is_read_and_what_is_short_has_no_answer() {
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(tokens(deep.parse().expect("it is Rust")).len(), 200_002);
        assert_eq!(alike("fn main() { a(1, 2) }", "fn main() { a(1, 2) }"), None);
        assert_eq!(Written::of("fn main( {", "").len(), 0);
        assert_eq!(Written::of(START, START).len(), 0);
    }
}
