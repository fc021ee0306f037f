//! Small changes of a solution, made by rule: what a check lets pass may be a hole in it.
//!
//! The text is read as rustfmt writes it, and not parsed: what does not compile is dropped
//! by the compiler, which decides better than we could.

use std::collections::BTreeMap;
use std::ops::Range;

/// A solution with one change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// What was done, as `line 12: a statement is left out`.
    pub what: String,
    /// The lines that were changed.
    pub old: String,
    /// What they have become.
    pub new: String,
    /// The whole solution.
    pub text: String,
}

/// What is done to a solution. The kinds take turns, so that a long solution is not changed
/// in one way only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    LeftOut,
    Swapped,
    Operator,
    Constant,
    Condition,
    Call,
    Guard,
}

impl Kind {
    fn says(self) -> &'static str {
        match self {
            Kind::LeftOut => "a statement is left out",
            Kind::Swapped => "two statements are swapped",
            Kind::Operator => "another operator",
            Kind::Constant => "another constant",
            Kind::Condition => "the condition is negated",
            Kind::Call => "another call, or none",
            Kind::Guard => "a guard is kept to the end of the block",
        }
    }
}

/// A text that is replaced.
struct Edit {
    kind: Kind,
    range: Range<usize>,
    new: String,
}

/// What is exchanged, in both directions: operators, with the blanks that rustfmt puts around
/// them.
const OPERATORS: &[(&str, &str)] = &[
    (" < ", " <= "),
    (" > ", " >= "),
    (" == ", " != "),
    (" && ", " || "),
    (" + ", " - "),
    (" += ", " -= "),
];

/// The same for calls.
const CALLS: &[(&str, &str)] = &[
    (".push_back(", ".push_front("),
    (".pop_front()", ".pop_back()"),
    (".is_some()", ".is_none()"),
    (".is_ready()", ".is_pending()"),
    (".any(", ".all("),
    (".min(", ".max("),
    (".first()", ".last()"),
    (".pop_first()", ".pop_last()"),
    (".notify_all()", ".notify_one()"),
];

/// What is replaced in one direction only. Calls without arguments are left out, too.
const REPLACED: &[(&str, &str)] = &[
    ("..=", ".."),
    (".take()", ".clone()"),
    (".wake_by_ref()", ".will_wake(Waker::noop())"),
    ("mem::take(&mut ", "Clone::clone(&"),
];

/// What begins a guard.
const GUARDS: [&str; 3] = [".lock().unwrap()", ".borrow_mut()", ".borrow()"];

/// Returns the changed solutions of this one, in an order that is the same each time. Only
/// what lies between the marks of the solution is changed, if it has any.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let code = masked(text);
    let begin = text.find("// ANCHOR: solution").unwrap_or(0);
    let end = text.find("// ANCHOR_END: solution").unwrap_or(text.len());
    let mut by_kind: BTreeMap<Kind, Vec<Mutant>> = BTreeMap::new();
    for edit in edits(text, &code) {
        if begin <= edit.range.start && edit.range.end <= end {
            by_kind.entry(edit.kind).or_default().push(edit.apply(text));
        }
    }
    for all in by_kind.values_mut() {
        all.sort_by_key(|it| shuffled(&it.text));
        all.dedup_by(|one, other| one.text == other.text);
    }
    let mut all = Vec::new();
    while by_kind.values().any(|it| !it.is_empty()) {
        all.extend(by_kind.values_mut().filter_map(Vec::pop));
    }
    all
}

impl Edit {
    fn apply(self, text: &str) -> Mutant {
        let Edit { kind, range, new } = self;
        let changed = [&text[..range.start], &new, &text[range.end..]].concat();
        let first = text[..range.start].rfind('\n').map_or(0, |it| it + 1);
        let last = match text[range.end..].find('\n') {
            _ if text[..range.end].ends_with('\n') => range.end,
            Some(end) => range.end + end + 1,
            None => text.len(),
        };
        let grown = changed.len() as isize - text.len() as isize;
        let new_last = last.checked_add_signed(grown).expect("it is in the text");
        let number = text[..range.start].matches('\n').count() + 1;
        Mutant {
            what: format!("line {number}: {}", kind.says()),
            old: text[first..last].into(),
            new: changed[first..new_last].into(),
            text: changed,
        }
    }
}

/// The FNV-1a hash: a shuffle that is the same on each machine and in each run.
pub(crate) fn shuffled(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns the text with blanks for its comments and for what is in its strings, at the
/// same places.
fn masked(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text.chars().peekable();
    let blank = |it: char| -> String {
        if it == '\n' { "\n".into() } else { " ".repeat(it.len_utf8()) }
    };
    while let Some(it) = rest.next() {
        match it {
            '/' if rest.peek() == Some(&'/') => {
                code.push(' ');
                while let Some(it) = rest.next_if(|it| *it != '\n') {
                    code += &blank(it);
                }
            }
            '"' => {
                code.push(' ');
                while let Some(it) = rest.next() {
                    code += &blank(it);
                    match it {
                        '\\' => code += &rest.next().map(blank).unwrap_or_default(),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            _ => code.push(it),
        }
    }
    code
}

fn edits(text: &str, code: &str) -> Vec<Edit> {
    let statements = statements(code);
    let mut all = Vec::new();
    for it in &statements {
        let range = whole_lines(text, code, it);
        all.push(Edit { kind: Kind::LeftOut, range, new: String::new() });
    }
    for one in &statements {
        let blanks = code[one.end..].len() - code[one.end..].trim_start().len();
        let next = one.end + blanks;
        if let Some(other) = statements.iter().find(|it| it.start == next) {
            let between = &text[one.end..next];
            let new = [&text[other.clone()], between, &text[one.clone()]].concat();
            all.push(Edit { kind: Kind::Swapped, range: one.start..other.end, new });
        }
    }
    let both = |table: &[(&'static str, &'static str)]| -> Vec<_> {
        table.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]).collect()
    };
    let tables = [
        (Kind::Operator, both(OPERATORS)),
        (Kind::Call, both(CALLS)),
        (Kind::Call, REPLACED.to_vec()),
    ];
    for (kind, table) in tables {
        for (old, new) in table {
            let edit =
                |at: usize| Edit { kind, range: at..at + old.len(), new: new.into() };
            all.extend(code.match_indices(old).map(|it| edit(it.0)));
        }
    }
    all.extend(constants(code));
    all.extend(conditions(text, code));
    all.extend(calls_without_arguments(code));
    all.extend(guards(text, code, &statements));
    all
}

/// Returns the statements that end with a semicolon, in their order.
fn statements(code: &str) -> Vec<Range<usize>> {
    let ends = code.match_indices(';').map(|it| it.0 + 1);
    let begin = |end: usize| {
        let mut depth = 0;
        for (at, it) in code[..end - 1].char_indices().rev() {
            match it {
                // A block that ends before it is a statement of its own, or a part of it.
                '}' if depth == 0 && ends_a_line(code, at) => return Some(at + 1),
                ')' | ']' | '}' => depth += 1,
                '{' | ';' if depth == 0 => return Some(at + 1),
                '(' | '[' if depth == 0 => return None,
                '(' | '[' | '{' => depth -= 1,
                _ => {}
            }
        }
        None
    };
    let whole = |end: usize| {
        let begin = begin(end)?;
        let blanks = code[begin..end].len() - code[begin..end].trim_start().len();
        Some(begin + blanks..end)
    };
    ends.filter_map(whole).filter(|it| !is_item(&code[it.clone()])).collect()
}

/// Returns the lines of a statement, with a comment behind it, if nothing else is on them.
fn whole_lines(text: &str, code: &str, statement: &Range<usize>) -> Range<usize> {
    let begin = code[..statement.start].rfind('\n').map_or(0, |it| it + 1);
    let end = code[statement.end..]
        .find('\n')
        .map_or(text.len(), |it| statement.end + it + 1);
    let around = [&code[begin..statement.start], &code[statement.end..end]];
    let is_alone = around.iter().all(|it| it.trim().is_empty());
    if is_alone { begin..end } else { statement.clone() }
}

fn ends_a_line(code: &str, at: usize) -> bool {
    code[at + 1..].starts_with('\n')
}

fn is_item(statement: &str) -> bool {
    let words = ["use ", "pub ", "struct ", "type ", "const ", "static ", "fn "];
    words.iter().any(|it| statement.starts_with(it))
}

/// Returns whether names may have this character.
pub(crate) fn is_of_a_name(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// Returns the words of the code, with their places.
fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = code.split(|it| !is_of_a_name(it));
    let place = |word: &str| word.as_ptr() as usize - code.as_ptr() as usize;
    all.filter(|it| !it.is_empty()).map(move |it| (place(it), it))
}

fn constants(code: &str) -> impl Iterator<Item = Edit> {
    words(code).filter_map(|(at, word)| {
        let new = match word {
            "true" => "false".to_string(),
            "false" => "true".to_string(),
            number => (number.parse::<u32>().ok()? + 1).to_string(),
        };
        let (before, after) = (&code[..at], &code[at + word.len()..]);
        // The field of a tuple is no number. Buffers may have any length.
        let is_field = before.ends_with('.') && !before.ends_with("..");
        let is_of_buffer = after.starts_with("; ") || before.ends_with("[0; ");
        let range = at..at + word.len();
        (!is_field && !is_of_buffer).then_some(Edit {
            kind: Kind::Constant,
            range,
            new,
        })
    })
}

fn conditions(text: &str, code: &str) -> Vec<Edit> {
    let of = |word: &&str| -> Vec<Edit> {
        let begins = code.match_indices(*word).map(|it| it.0 + word.len());
        let condition = |at: usize| {
            let end = at + code[at..].find(" {")?;
            let condition = &text[at..end];
            let is_one = !condition.starts_with("let ") && !condition.contains(" = ");
            let new = format!("!({condition})");
            is_one.then_some(Edit { kind: Kind::Condition, range: at..end, new })
        };
        begins.filter_map(condition).collect()
    };
    [" if ", " while "].iter().flat_map(of).collect()
}

/// Calls of methods without arguments, which are left out.
fn calls_without_arguments(code: &str) -> Vec<Edit> {
    let call = |(end, _): (usize, &str)| {
        let name = code[..end].rfind(|it| !is_of_a_name(it))?;
        let is_method = code[name..].starts_with('.') && name + 1 < end;
        let range = name..end + "()".len();
        is_method.then_some(Edit { kind: Kind::Call, range, new: String::new() })
    };
    code.match_indices("()").filter_map(call).collect()
}

/// Guards that live for a statement, and then to the end of their block.
fn guards(text: &str, code: &str, statements: &[Range<usize>]) -> Vec<Edit> {
    let mut all = Vec::new();
    for guard in GUARDS {
        for (at, _) in code.match_indices(guard) {
            let end = at + guard.len();
            let is_of_it = |it: char| is_of_a_name(it) || it == '.';
            let begin = code[..at].rfind(|it| !is_of_it(it)).map_or(0, |it| it + 1);
            let around =
                statements.iter().rfind(|it| it.start <= begin && end <= it.end);
            let Some(statement) = around else { continue };
            if code[statement.end..].trim_start().starts_with('}') {
                continue; // the block ends with it
            }
            if is_alone(&code[statement.start..begin], &code[end..statement.end]) {
                continue; // it is kept already
            }
            let kept = &text[begin..end];
            let (before, after) =
                (&text[statement.start..begin], &text[end..statement.end]);
            let new = format!("let mut kept = {kept}; {before}kept{after}");
            all.push(Edit { kind: Kind::Guard, range: statement.clone(), new });
        }
    }
    all
}

/// Returns whether a guard is all that a `let` has on its right side.
fn is_alone(before: &str, after: &str) -> bool {
    before.starts_with("let ") && before.ends_with("= ") && after == ";"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const SOLUTION: &str = "\
use a::b;
// ANCHOR: solution
fn f(&mut self) {
    use c::d;
    const LIMIT: u32 = LONGEST;
    // a comment; with 1 < 2
    if self.count < 10 && !self.is_over {
        self.queue.push_back(1);
        self.count += 1;
    }
    let next = self.queue.borrow_mut().take();
    print(\"x; 5 < 6\", next.0);
}
// ANCHOR_END: solution
";

    fn changed(kind: &str) -> Vec<String> {
        let all = mutants(SOLUTION);
        let of_kind = all.into_iter().filter(|it| it.what.ends_with(kind));
        of_kind.map(|it| it.new.trim().to_string()).collect()
    }

    fn has(kind: &str, line: &str) {
        let all = changed(kind);
        assert!(all.iter().any(|it| it == line), "{line} is not in {all:#?}");
    }

    #[test]
    fn each_kind_changes_one_place() {
        has("another operator", "if self.count <= 10 && !self.is_over {");
        has("another operator", "if self.count < 10 || !self.is_over {");
        has("another constant", "if self.count < 11 && !self.is_over {");
        has("is negated", "if !(self.count < 10 && !self.is_over) {");
        has("another call, or none", "self.queue.push_front(1);");
        has("another call, or none", "let next = self.queue.borrow_mut();");
        let all = mutants(SOLUTION);
        let left_out = all.iter().filter(|it| it.what.ends_with("left out"));
        let left_out: Vec<_> = left_out.map(|it| (it.old.trim(), &*it.new)).collect();
        assert!(left_out.contains(&("self.count += 1;", "")), "{left_out:?}");
        has("swapped", "self.count += 1;\n        self.queue.push_back(1);");
        has(
            "end of the block",
            "let mut kept = self.queue.borrow_mut(); let next = kept.take();",
        );
    }

    #[test]
    fn imports_comments_strings_and_fields_stay() {
        for mutant in mutants(SOLUTION) {
            for kept in
                ["use a::b;", "use c::d;", "LIMIT: u32 = LONGEST;", "with 1 < 2"]
            {
                assert!(mutant.text.contains(kept), "{kept}: {mutant:?}");
            }
            let is_left_out = mutant.what.ends_with("left out");
            for kept in ["x; 5 < 6", "next.0"] {
                assert!(
                    mutant.text.contains(kept) || is_left_out,
                    "{kept}: {mutant:?}"
                );
            }
        }
    }

    #[test]
    fn a_mutant_names_its_line_and_applies_to_whole_lines() {
        let all = mutants(SOLUTION);
        let it = all.iter().find(|it| it.new.contains("-= 1")).expect("an operator");
        assert_eq!(it.what, "line 9: another operator");
        assert_eq!(it.old, "        self.count += 1;\n");
        assert_eq!(it.new, "        self.count -= 1;\n");
        assert_eq!(SOLUTION.replacen(&it.old, &it.new, 1), it.text);
    }

    #[test]
    fn the_order_is_the_same_each_time_and_kinds_take_turns() {
        let all = mutants(SOLUTION);
        assert_eq!(all, mutants(SOLUTION));
        let first = all.iter().take(7).filter_map(|it| it.what.split_once(": "));
        let kinds: BTreeSet<&str> = first.map(|it| it.1).collect();
        assert_eq!(kinds.len(), 7, "{kinds:?}");
    }
}
