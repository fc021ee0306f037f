//! Finds the page to which `<meta http-equiv=refresh>` sends the reader.

/// Returns the URL in the `content` of a `meta` element with this `http-equiv`, as
/// written ([HTML §4.2.5.3], "shared declarative refresh steps"). Returns `None` if
/// the element is no refresh, or only reloads the page.
///
/// [HTML §4.2.5.3]: https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
pub fn refresh_target<'a>(http_equiv: &str, content: &'a str) -> Option<&'a str> {
    if !http_equiv.eq_ignore_ascii_case("refresh") {
        return None;
    }
    let after_time = after_time(content.trim_ascii_start())?;
    let text = after_name(after_time).trim_ascii_start();
    let url = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].split(quote).next().unwrap_or_default(),
        _ => text,
    };
    (!url.trim_ascii().is_empty()).then_some(url)
}

/// Returns what follows the number of seconds and the separator; `None` if there is no
/// number.
fn after_time(text: &str) -> Option<&str> {
    let whole = text.trim_start_matches(|at: char| at.is_ascii_digit());
    if whole.len() == text.len() && !text.starts_with('.') {
        return None;
    }
    let rest = whole.trim_start_matches(|at: char| at.is_ascii_digit() || at == '.');
    if !rest.is_empty() && !rest.starts_with(is_mark_or_space) {
        return None;
    }
    let rest = rest.trim_ascii_start();
    Some(rest.strip_prefix([';', ',']).unwrap_or(rest).trim_ascii_start())
}

fn is_mark_or_space(at: char) -> bool {
    at == ';' || at == ',' || at.is_ascii_whitespace()
}

/// Returns what follows `url =`. Without that prefix it returns the whole text.
fn after_name(text: &str) -> &str {
    let name = text.get(.."url".len());
    let rest = name.filter(|name| name.eq_ignore_ascii_case("url"));
    let rest = rest.map(|name| text[name.len()..].trim_ascii_start());
    rest.and_then(|rest| rest.strip_prefix('=')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_read_as_browsers_do() {
        for (content, target) in [
            ("5; url=x", Some("x")),
            ("0;URL=x y", Some("x y")),
            (" \n 5 , Url = 'x' y", Some("x")),
            ("5;url=\"x'\"", Some("x'")),
            ("5;'x'", Some("x")),
            ("5;x", Some("x")),
            ("5 x", Some("x")),
            ("5 url=x", Some("x")),
            (".5;url=x", Some("x")),
            ("1.5.2;url=x", Some("x")),
            ("5;urls", Some("urls")),
            ("5;url x", Some("url x")),
            ("5;;url=x", Some(";url=x")),
            ("5;url=\u{e9}", Some("\u{e9}")),
            ("5;\u{fc}r\u{fc}", Some("\u{fc}r\u{fc}")),
            ("5", None),
            ("5;", None),
            ("5; url=", None),
            ("5; url=''", None),
            ("5; url=' '", None),
            ("", None),
            ("url=x", None),
            (";url=x", None),
            ("-5;url=x", None),
            ("5x;url=y", None),
        ] {
            assert_eq!(refresh_target("Refresh", content), target, "{content}");
            assert_eq!(refresh_target("refreshes", content), None);
        }
    }
}
