//! The figures' style sheet for readers that know neither `light-dark()` nor variables: the
//! colors of one theme are put in, and a rule whose color depends on a class becomes one rule
//! for each class.

use regex::Captures;
use std::collections::BTreeMap;

pattern!(COMMENT, r"(?s)/\*.*?\*/");
pattern!(MEDIA, r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}");
pattern!(RULE, r"([^{}]+)\{([^{}]*)\}");
pattern!(COLORS, r"light-dark\(([^,()]+),\s*([^()]+)\)");
pattern!(VARIABLE, r"var\((--[a-z-]+)(?:,\s*([^()]*))?\)");

pattern!(NAME, r"var\((--[a-z-]+)");

/// Values of variables, by the class that sets them; those of the root have none.
type Values = BTreeMap<String, Vec<(String, String)>>;

/// Which of two colors is taken.
#[derive(Clone, Copy)]
pub(crate) enum Theme {
    Light,
    Dark,
}

/// Returns the rules of figures, each with plain colors.
pub(crate) fn plain(css: &str, theme: Theme) -> String {
    let css = COMMENT.replace_all(css, "");
    let everywhere = MEDIA.replace_all(&css, "");
    let (color, ground) = match theme {
        Theme::Light => ("$1", "#ffffff"),
        Theme::Dark => ("$2", "#161923"),
    };
    let plain = COLORS.replace_all(&everywhere, color).replace("var(--bg)", ground);
    let mut values = Values::new();
    let mut rules = Vec::new();
    for found in RULE.captures_iter(&plain) {
        let selector = found[1].trim().to_string();
        let (sets, others): (Vec<&str>, Vec<&str>) = found[2]
            .split(';')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .partition(|it| it.starts_with("--"));
        let class = selector.split_whitespace().last().unwrap_or_default().to_string();
        for (name, value) in sets.iter().filter_map(|it| it.split_once(':')) {
            values
                .entry(name.to_string())
                .or_default()
                .push((class.clone(), value.trim().to_string()));
        }
        if selector.contains(".fig") || selector.contains(".plot") {
            rules.push((selector, others.join("; ")));
        }
    }
    let mut plain = String::new();
    for (selector, declarations) in rules.iter().filter(|(_, it)| !it.is_empty()) {
        plain += &rule(&values, selector, declarations);
    }
    plain
}

fn rule(values: &Values, selector: &str, declarations: &str) -> String {
    let mut text = String::new();
    let base = resolved(values, "", declarations);
    if !base.is_empty() {
        text += &format!("{selector} {{ {base} }}\n");
    }
    let names = NAME.captures_iter(declarations).map(|found| found[1].to_string());
    let classes =
        names.filter_map(|name| values.get(&name)).flatten().map(|(class, _)| class);
    let mut classes: Vec<&String> = classes.filter(|class| *class != ":root").collect();
    classes.dedup();
    for class in classes {
        let selector: Vec<String> =
            selector.split(',').map(|one| format!("{}{class}", one.trim())).collect();
        text += &format!(
            "{} {{ {} }}\n",
            selector.join(", "),
            resolved(values, class, declarations)
        );
    }
    text
}

/// Declarations with the values that a class has. Those with a variable that has none are
/// left out.
fn resolved(values: &Values, class: &str, declarations: &str) -> String {
    let mut text = declarations.to_string();
    // A variable's value may be a variable.
    for _ in 0..4 {
        text = VARIABLE
            .replace_all(&text, |found: &Captures<'_>| {
                let all = values.get(&found[1]).map_or(&[][..], Vec::as_slice);
                let of = |wanted: &str| all.iter().find(|(class, _)| class == wanted);
                let own = of(class).or(of(":root")).map(|(_, value)| value.clone());
                own.or(found.get(2).map(|it| it.as_str().to_string()))
                    .unwrap_or("?".to_string())
            })
            .into_owned();
    }
    let known = text
        .split(';')
        .map(str::trim)
        .filter(|it| !it.contains('?') && !it.contains("var("));
    known.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_plain_and_of_one_theme() {
        let css = ":root { --line: light-dark(#111, #eee); --role-a: light-dark(#a00, #faa); }\n\
            .role-a { --role: var(--role-a); --tint: light-dark(#fee, #300); }\n\
            /* a comment */ .fig .fig-shape { stroke: var(--role, var(--line)); stroke-width: 2; }\n\
            .fig .fig-band { fill: var(--tint); }\np { color: red; }\n\
            @media print { .fig .fig-band { fill: none; } figure > .fig { color: red; } }";
        let (light, dark) = (plain(css, Theme::Light), plain(css, Theme::Dark));
        assert_eq!(
            light,
            ".fig .fig-shape { stroke: #111; stroke-width: 2 }\n\
             .fig .fig-shape.role-a { stroke: #a00; stroke-width: 2 }\n\
             .fig .fig-band.role-a { fill: #fee }\n"
        );
        let colors = [("#111", "#eee"), ("#a00", "#faa"), ("#fee", "#300")];
        let other = |css: String, (a, b): (&str, &str)| css.replace(a, b);
        assert_eq!(dark, colors.into_iter().fold(light, other));
    }
}
