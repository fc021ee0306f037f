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
    /// Whether an attempt runs into its time-out.
    pub has_time_out: bool,
    /// Panics if a crawler breaks the rule.
    pub check: Box<dyn Fn(Crawl) + Send + Sync>,
}

/// Returns all cases for a crawler, in their order. `is_full` is whether it keeps
/// connections and speaks https.
pub fn cases(is_full: bool) -> Vec<Case> {
    let own: &[_] = match is_full {
        true => &[
            ("keep_alive", keep_alive::ALL, false),
            ("keep_alive", keep_alive::TIME_OUTS, true),
            ("https", https::ALL, false),
        ],
        false => &[("plain", rules::PLAIN, false)],
    };
    // The last word is whether an attempt runs into its time-out.
    let tables = [
        ("aiohttp_original", aiohttp_original::ALL, false),
        // First: a capstone names the first promise of a group that is broken, and in
        // these the crawl runs on the case's own thread, which says best what is missing.
        ("rules", rules::TIME_OUTS, true),
        ("rules", rules::ALL, false),
        ("rules", rules::LINUX, true),
        ("scope", scope::ALL, false),
        ("retries", retries::ALL, false),
        ("checks", checks::ALL, false),
        ("checks", checks::TIME_OUTS, true),
        ("politeness", politeness::ALL, false),
        ("politeness", politeness::TIME_OUTS, true),
    ];
    let mut all = Vec::new();
    for &(part, rules, has_time_out) in tables.iter().chain(own) {
        let cases = rules.iter().map(|&(name, rule)| case(part, name, rule));
        all.extend(cases.map(|case| Case { has_time_out, ..case }));
    }
    // Each of these tables has a type of its own.
    macro_rules! with_cases_of {
        ($($part:ident, $has_time_out:expr;)*) => {
            $(all.extend($part::cases().into_iter().map(|it| Case {
                has_time_out: $has_time_out(&it),
                ..case(stringify!($part), it.name, move |crawl| it.check(crawl))
            }));)*
        };
    }
    with_cases_of! {
        retries, retries::Case::has_time_out;
        hostile, hostile::Case::has_time_out;
        content, |_| false;
        scope, |_| false;
    }
    all
}

fn case(
    part: &'static str,
    name: &str,
    check: impl Fn(Crawl) + Send + Sync + 'static,
) -> Case {
    let (name, check) = (name.replace(' ', "_"), Box::new(check));
    Case { part, name, has_time_out: false, check }
}
