//! All cases of the suite, by part and name.

use crate::{
    Crawl, aiohttp_original, checks, content, hostile, https, keep_alive, politeness,
    retries, rules, scope,
};

/// One case: a rule with its name.
pub struct Case {
    /// The table that has it, as `hostile`.
    pub part: &'static str,
    /// Its name in that table, without blanks.
    pub name: String,
    /// Panics if a crawler breaks the rule.
    pub check: Box<dyn Fn(Crawl) + Send + Sync>,
}

/// Returns all cases for a crawler, in their order. `is_full` is whether it keeps
/// connections and speaks https.
pub fn cases(is_full: bool) -> Vec<Case> {
    let own: &[_] = match is_full {
        true => &[("keep_alive", keep_alive::ALL), ("https", https::ALL)],
        false => &[("plain", rules::PLAIN)],
    };
    let tables = [
        ("aiohttp_original", aiohttp_original::ALL),
        ("rules", rules::ALL),
        ("rules", rules::LINUX),
        ("scope", scope::ALL),
        ("retries", retries::ALL),
        ("checks", checks::ALL),
        ("politeness", politeness::ALL),
    ];
    let mut all = Vec::new();
    for &(part, rules) in tables.iter().chain(own) {
        all.extend(rules.iter().map(|&(name, rule)| case(part, name, rule)));
    }
    // Each of these tables has a type of its own.
    macro_rules! with_cases_of {
        ($($part:ident),*) => {
            $(all.extend($part::cases().into_iter().map(|it| {
                case(stringify!($part), it.name, move |crawl| it.check(crawl))
            }));)*
        };
    }
    with_cases_of!(hostile, content, scope, retries);
    all
}

fn case(
    part: &'static str,
    name: &str,
    check: impl Fn(Crawl) + Send + Sync + 'static,
) -> Case {
    Case { part, name: name.replace(' ', "_"), check: Box::new(check) }
}
