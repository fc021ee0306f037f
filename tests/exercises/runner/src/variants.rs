//! `wrong.txt`: typical wrong solutions and other right ones, as changes of the solution.
//!
//! ```text
//! == the first waker is kept
//! case: the task that polled last is woken
//! ---
//!         slot.waiter = Some(cx.waker().clone());
//! +++
//!         slot.waiter.get_or_insert_with(|| cx.waker().clone());
//! == right: it asks will_wake before it clones
//! ---
//! …
//! ```

/// A change of the solution, and what must come of it.
#[derive(Debug, Default)]
pub struct Variant {
    /// What is done differently.
    pub name: String,
    /// The case that rejects it: any of several, if threads decide. Empty: it is right.
    pub cases: Vec<String>,
    /// How the program ends.
    pub ends: Ends,
    changes: Vec<(String, String)>,
}

/// How a wrong solution ends.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
pub enum Ends {
    /// A case panics.
    #[default]
    Panics,
    /// A case does not end, and meets the watchdog. (`ends: hangs`)
    Hangs,
    /// The whole process dies: a panic during a panic, or no stack is left.
    /// (`ends: aborts`)
    Aborts,
}

impl Variant {
    /// Returns whether it must pass.
    pub fn is_right(&self) -> bool {
        self.name.starts_with("right: ")
    }

    /// Returns the solution with its changes. Each old text must be there exactly once.
    pub fn apply(&self, solution: &str) -> Result<String, String> {
        let mut text = solution.to_string();
        for (old, new) in &self.changes {
            let count = text.matches(old.as_str()).count();
            if count != 1 || old.is_empty() {
                return Err(format!(
                    "its old text is in the solution {count} times:\n{old}"
                ));
            }
            text = text.replace(old.as_str(), new);
        }
        Ok(text)
    }
}

/// Reads `wrong.txt`.
pub fn parse(text: &str) -> Result<Vec<Variant>, String> {
    let mut all: Vec<Variant> = Vec::new();
    let mut part = Part::Head;
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("wrong.txt:{}: {what}: {line}", number + 1);
        if let Some(name) = line.strip_prefix("== ") {
            all.push(Variant { name: name.into(), ..Variant::default() });
            part = Part::Head;
            continue;
        }
        let last = all.last_mut().ok_or_else(|| wrong("before the first `== `"))?;
        match (line, part) {
            ("---", _) => {
                part = Part::Old;
                last.changes.push(Default::default());
            }
            ("+++", Part::Old) => part = Part::New,
            (_, Part::Head) => {
                head(last, line).ok_or_else(|| wrong("no such field"))?
            }
            (_, Part::Old) => {
                push(&mut last.changes.last_mut().expect("begun").0, line)
            }
            (_, Part::New) => {
                push(&mut last.changes.last_mut().expect("begun").1, line)
            }
        }
    }
    for variant in &all {
        if variant.is_right() != variant.cases.is_empty() {
            let name = &variant.name;
            return Err(format!(
                "{name}: a wrong one names its case, a right one has none"
            ));
        }
    }
    Ok(all)
}

#[derive(Clone, Copy)]
enum Part {
    Head,
    Old,
    New,
}

fn head(variant: &mut Variant, line: &str) -> Option<()> {
    let (key, value) = line.split_once(": ")?;
    match (key, value) {
        ("case", _) => variant.cases = value.split(" | ").map(String::from).collect(),
        ("ends", "hangs") => variant.ends = Ends::Hangs,
        ("ends", "aborts") => variant.ends = Ends::Aborts,
        _ => return None,
    }
    Some(())
}

fn push(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
