//! The start of level 3: the trait that the check demands, and nothing in it. It is derived
//! from the trait itself, so it demands no less and no more.

use crate::holes;
use crate::mutants::is_of_a_name;

/// Returns the start: what to import is as in the solution, and the trait is in the file of
/// the checks.
pub fn start(name: &str, solution: &str, checks: &str) -> Result<String, String> {
    let it = Trait::read(checks).map_err(|why| format!("{name}: {why}"))?;
    let code = it.implemented(solution).map_err(|why| format!("{name}: {why}"))?;
    let about = solution.lines().next().unwrap_or_default();
    let uses = uses(solution, &code);
    let main = format!(
        "fn main() -> std::process::ExitCode {{\n    checks::{name}::check::<Mine>()\n}}\n"
    );
    let text = format!("{about}\n\n{uses}\n{code}\n{main}");
    Ok(holes::with_head(&text, name, *holes::LEVELS.end()))
}

/// The imports of the solution: all of `checks`, and those of std that the code names.
fn uses(solution: &str, code: &str) -> String {
    let words: Vec<&str> = code.split(|it| !is_of_a_name(it)).collect();
    let item = |item: &str| {
        let path = item.strip_prefix("use ")?.strip_suffix(';')?;
        if path.starts_with("checks::") {
            return Some(format!("{item}\n"));
        }
        let (module, names) = path.rsplit_once("::")?;
        let is_used = |name: &&str| match *name {
            "self" => module.rsplit("::").next().is_some_and(|it| words.contains(&it)),
            name => words.contains(&name),
        };
        let names = names.trim_matches(['{', '}']).split(',').map(str::trim);
        let used: Vec<&str> = names.filter(is_used).collect();
        match used[..] {
            [] => None,
            ["self"] => Some(format!("use {module};\n")),
            [name] => Some(format!("use {module}::{name};\n")),
            _ => Some(format!("use {module}::{{{}}};\n", used.join(", "))),
        }
    };
    // rustfmt puts a list that is too long into lines of its own.
    let items = solution.split_inclusive(';').filter_map(|it| {
        let at = it.find("\nuse ")? + 1;
        item(&it[at..])
    });
    items.collect()
}

/// The trait of an exercise.
struct Trait<'a> {
    name: &'a str,
    bounds: Vec<&'a str>,
    types: Vec<Type<'a>>,
    functions: Vec<Function>,
}

/// A type of the trait, for which the start has a struct.
struct Type<'a> {
    name: &'a str,
    bounds: Vec<&'a str>,
}

struct Function {
    documentation: String,
    /// Without the semicolon.
    signature: String,
}

impl<'a> Trait<'a> {
    /// Reads the trait that `cases!` names.
    fn read(checks: &'a str) -> Result<Trait<'a>, String> {
        let (_, cases) = checks.split_once("\ncases! {").ok_or("it has no `cases!`")?;
        let name = cases.split(':').next().unwrap_or_default().trim();
        let begins = format!("\npub trait {name}");
        let (_, text) =
            checks.split_once(&begins).ok_or(format!("there is no trait `{name}`"))?;
        let (text, _) = text.split_once("\n}\n").ok_or("the trait has no end")?;
        let (bounds, items) = text.split_once(" {\n").ok_or("the trait has no body")?;
        let bounds =
            bounds.strip_prefix(": ").map(|it| parts(it, '+')).unwrap_or_default();
        let (mut types, mut functions) = (Vec::new(), Vec::new());
        for item in items.split_inclusive(";\n").map(|it| it.trim_matches('\n')) {
            let is_doc = |line: &&str| line.trim_start().starts_with("///");
            let documentation: String =
                item.split_inclusive('\n').take_while(is_doc).collect();
            let item = item[documentation.len()..].trim_end().trim_end_matches(';');
            match item.trim_start().strip_prefix("type ").map(|it| it.split_once(": "))
            {
                Some(Some((name, bounds))) => {
                    types.push(Type { name, bounds: parts(bounds, '+') });
                }
                Some(None) => return Err(format!("a type without bounds: {item}")),
                None => {
                    functions.push(Function { documentation, signature: item.into() });
                }
            }
        }
        Ok(Trait { name, bounds, types, functions })
    }

    /// Returns the trait implemented for `Mine`, and a struct for each of its types.
    fn implemented(&self, solution: &str) -> Result<String, String> {
        let mut code = self.structure("/// Yours.\n", "Mine", &self.bounds)?;
        let mut types = String::new();
        for Type { name, bounds } in &self.types {
            let own = self.name_of(name);
            code += &self.structure("", &own, bounds)?;
            types += &format!("    type {name} = {own};\n");
        }
        let functions: Vec<String> =
            self.functions.iter().map(Function::text).collect();
        let gap = if types.is_empty() || functions.is_empty() { "" } else { "\n" };
        let name = path_of(solution, self.name).unwrap_or(self.name.into());
        let functions = functions.join("\n");
        code += &format!("impl {name} for Mine {{\n{types}{gap}{functions}}}\n");
        for (name, bounds) in self.all() {
            for bound in bounds {
                code += &self.behavior(&name, bound);
            }
        }
        Ok(code)
    }

    /// The types of the start, with what each has to be.
    fn all(&self) -> Vec<(String, &[&'a str])> {
        let types = self.types.iter().map(|it| (self.name_of(it.name), &it.bounds[..]));
        [("Mine".to_string(), &self.bounds[..])].into_iter().chain(types).collect()
    }

    /// The name of the struct for a type of the trait.
    fn name_of(&self, name: &str) -> String {
        if name == self.name { format!("Own{name}") } else { name.into() }
    }

    fn structure(
        &self,
        documentation: &str,
        name: &str,
        bounds: &[&str],
    ) -> Result<String, String> {
        let mut derived = Vec::new();
        for bound in bounds {
            match *bound {
                "Clone" | "Copy" | "Debug" | "Default" | "PartialEq" => {
                    derived.push(*bound)
                }
                "'static" | "Send" | "Sized" | "Sync" | "Unpin" => {}
                _ if returned(bound).is_some() => {}
                _ => return Err(format!("a start cannot be derived for `{bound}`")),
            }
        }
        if derived.contains(&"Copy") {
            derived.insert(0, "Clone");
        }
        let derived = match derived[..] {
            [] => String::new(),
            _ => format!("#[derive({})]\n", derived.join(", ")),
        };
        Ok(format!("{documentation}{derived}struct {name} {{}}\n\n"))
    }

    /// What makes a struct a future or a coroutine.
    fn behavior(&self, name: &str, bound: &str) -> String {
        let Some((kind, output)) = returned(bound) else { return String::new() };
        let own = |text: String, it: &Type<'_>| {
            text.replace(&format!("Self::{}", it.name), &self.name_of(it.name))
        };
        let output = self.types.iter().fold(output.to_string(), own);
        let (arguments, result) = match kind {
            "Future" => ("poll(self: Pin<&mut Self>, cx: &mut Context<'_>)", "Poll"),
            _ => ("resume(&mut self, event_loop: &mut Loop, resume: Resume)", "Step"),
        };
        let item = if kind == "Future" { "Output" } else { "Return" };
        let head = wrapped(&format!("    fn {arguments} -> {result}<{output}>"));
        format!(
            "\nimpl {kind} for {name} {{\n    type {item} = {output};\n\n{head} {{\n        \
             todo!()\n    }}\n}}\n"
        )
    }
}

impl Function {
    fn text(&self) -> String {
        let Function { documentation, signature } = self;
        let result = signature.rsplit_once("-> ").map_or("", |it| it.1);
        let body = match result
            .strip_prefix("impl ")
            .and_then(|it| returned(parts(it, '+')[0]))
        {
            Some(("Future", _)) => "async { todo!() }".to_string(),
            Some((_, output)) => {
                format!("|_: &mut Loop, _: Resume| -> Step<{output}> {{ todo!() }}")
            }
            None => "todo!()".to_string(),
        };
        let head = match signature.contains("\n    where\n") {
            true => format!("{signature},\n   "),
            false => wrapped(signature),
        };
        format!("{documentation}{head} {{\n        {body}\n    }}\n")
    }
}

/// The head of a function of an `impl` as rustfmt writes it: on one line with its brace, or
/// with each argument on a line of its own.
fn wrapped(head: &str) -> String {
    let words: Vec<&str> = head.split_whitespace().collect();
    let head = words.join(" ").replace("( ", "(").replace(", )", ")");
    if head.chars().count() + "     {".len() <= holes::WIDEST {
        return format!("    {head}");
    }
    let (name, rest) = head.split_once('(').unwrap_or((&head, ")"));
    let mut depth = 1;
    let is_end = |char: char| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        depth == 0
    };
    let (arguments, result) = rest.split_at(rest.find(is_end).unwrap_or(rest.len()));
    let arguments = parts(arguments, ',');
    let arguments: String =
        arguments.iter().map(|it| format!("        {it},\n")).collect();
    format!("    {name}(\n{arguments}    {result}")
}

/// What a future or a coroutine returns: `Future<Output = u32>`.
fn returned(bound: &str) -> Option<(&str, &str)> {
    let (kind, rest) = bound.split_once('<')?;
    let (_, output) = rest.strip_suffix('>')?.split_once(" = ")?;
    ["Future", "Coroutine"].contains(&kind).then_some((kind, output))
}

/// The parts of `A<B + C> + D` between a sign that is not within brackets.
fn parts(text: &str, sign: char) -> Vec<&str> {
    let (mut all, mut depth, mut from) = (Vec::new(), 0, 0);
    let mut before = ' ';
    for (at, char) in text.char_indices() {
        match char {
            '<' | '(' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' => depth -= 1,
            _ if char == sign && depth == 0 => {
                all.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        before = char;
    }
    all.push(text[from..].trim());
    all
}

/// The path of a trait that the solution does not import, because it has a type of its name.
fn path_of(solution: &str, name: &str) -> Option<String> {
    let (_, rest) = solution.split_once("\nimpl checks::")?;
    let (path, _) = rest.split_once(" for ")?;
    path.ends_with(&format!("::{name}")).then(|| format!("checks::{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECKS: &str = "//! One.

/// Delivers.
pub trait One: Clone + 'static {
    /// Waits.
    type Wait: Future<Output = Self::Wait> + Unpin;
    /// Begins: `{}`.
    fn new(
        poll: impl FnOnce(u32) -> u32,
    ) -> impl Future<Output = u32>;
}

cases! {
    One: first,
}
";

    const SOLUTION: &str = "//! About.\n\nuse checks::one::{Other, One};\n\
                            use std::io::{self, Read};\nuse std::mem;\n\
                            use std::pin::Pin;\nuse std::task::{Context, Poll, ready};\n";

    #[test]
    fn a_start_has_all_that_the_trait_demands_and_no_more() {
        let start = start("one", SOLUTION, CHECKS).expect("it is derived");
        let (_, start) = start.split_once("level 3.\n\n").expect("it says so");
        let expected = "use checks::one::{Other, One};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Yours.
#[derive(Clone)]
struct Mine {}

struct Wait {}

impl One for Mine {
    type Wait = Wait;

    /// Begins: `{}`.
    fn new(poll: impl FnOnce(u32) -> u32) -> impl Future<Output = u32> {
        async { todo!() }
    }
}

impl Future for Wait {
    type Output = Wait;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Wait> {
        todo!()
    }
}

fn main() -> std::process::ExitCode {
    checks::one::check::<Mine>()
}
";
        assert_eq!(start, expected);
    }

    #[test]
    fn what_is_too_wide_is_wrapped() {
        let long = "fn read(&self, first: Vec<(u32, u32)>, second: &mut Context<'_>, \
                    third: u32) -> Poll<u32>";
        let expected = "    fn read(\n        &self,\n        first: Vec<(u32, u32)>,\n        \
                        second: &mut Context<'_>,\n        third: u32,\n    ) -> Poll<u32>";
        assert_eq!(wrapped(long), expected);
        let nothing = "fn call(&mut self, first: Vec<(u32, u32)>, second: &mut Context<'_>, \
                       then: fn(u32) -> u32)";
        let expected = "    fn call(\n        &mut self,\n        first: Vec<(u32, u32)>,\n        \
                        second: &mut Context<'_>,\n        then: fn(u32) -> u32,\n    )";
        assert_eq!(wrapped(nothing), expected);
    }

    #[test]
    fn a_bound_that_no_struct_can_have_by_itself_is_named() {
        let other = CHECKS.replace("Clone +", "Iterator +");
        let why = start("one", SOLUTION, &other).expect_err("it cannot be derived");
        assert_eq!(why, "one: a start cannot be derived for `Iterator`");
        assert!(start("one", SOLUTION, "cases! {\n").is_err());
    }
}
