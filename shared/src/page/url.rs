//! Decides which URLs can be fetched, and normalizes them.

use url::Url;

/// The longest URL that is followed, in bytes after normalizing.
pub const MAX_URL: usize = 16 * 1024;

/// Returns the URL as the crawl stores it, without fragment, user and password.
/// Returns `None` if it is not http or https, has no host, or is longer than
/// [`MAX_URL`].
pub fn normalise(mut url: Url) -> Option<Url> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return None;
    }
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    (url.as_str().len() <= MAX_URL).then_some(url)
}

/// Normalizes a root. Unlike [`normalise`] it keeps the fragment, unless that is
/// empty.
pub(crate) fn normalise_root(url: Url) -> Option<Url> {
    let fragment = url.fragment().filter(|it| !it.is_empty()).map(str::to_string);
    let mut url = normalise(url)?;
    url.set_fragment(fragment.as_deref());
    Some(url)
}

/// Returns whether [`normalise`] refuses the URL only because it is too long.
pub(super) fn is_too_long(url: &Url) -> bool {
    // Normalizing shortens a URL only by user and password.
    matches!(url.scheme(), "http" | "https")
        && url.as_str().len() > MAX_URL
        && normalise(url.clone()).is_none()
}

/// Parses a root as a person types it. Without `://`, `http://` is added. The fragment
/// is kept, since the crawl may check it.
///
/// # Errors
/// A description of the mistake, for that person.
pub fn parse_root(text: &str) -> Result<Url, String> {
    let text = text.trim();
    let is_path =
        text.starts_with('.') || text.starts_with('/') && !text.starts_with("//");
    if is_path {
        return Err("a path; a folder is crawled with --serve".to_string());
    }
    if let Some(scheme) = scheme_without_slashes(text) {
        return Err(match scheme {
            "http" | "https" => format!("{scheme}: needs // before the host"),
            _ => format!("{scheme}: is not crawled, only http:// and https://"),
        });
    }
    if !has_scheme(text)
        && text.split('/').next().is_some_and(|host| host.contains('@'))
    {
        return Err("an e-mail address, or a user's name before the host".to_string());
    }
    let whole = match has_scheme(text) {
        true => text.to_string(),
        false => format!("http://{text}"),
    };
    let url = Url::parse(&whole).map_err(|error| {
        let has_space = whole.split('/').nth(2).is_some_and(|host| host.contains(' '));
        let why = if has_space { "a space in the host" } else { &error.to_string() };
        format!("not a URL: {why}")
    })?;
    let scheme = url.scheme().to_string();
    if !matches!(scheme.as_str(), "http" | "https") {
        return Err(format!("{scheme}:// is not crawled, only http:// and https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "a user or password in the URL, which would not be sent (see --user)"
                .to_string(),
        );
    }
    normalise_root(url).ok_or_else(|| format!("longer than {MAX_URL} bytes"))
}

/// Returns the scheme of a URL without `//`, if it is a known scheme. An unknown one
/// could also be a host before a port.
fn scheme_without_slashes(text: &str) -> Option<&'static str> {
    const KNOWN: &[&str] = &[
        "http",
        "https",
        "mailto",
        "tel",
        "sms",
        "javascript",
        "data",
        "about",
        "urn",
    ];
    let (scheme, rest) = text.split_once(':')?;
    let is_port = rest.is_empty() || rest.starts_with(|at: char| at.is_ascii_digit());
    let scheme = KNOWN.iter().find(|known| scheme.eq_ignore_ascii_case(known))?;
    let is_certain = *scheme == "tel" || *scheme == "sms" || !is_port;
    (is_certain && !rest.starts_with("//")).then_some(scheme)
}

/// Returns whether the text begins with a scheme and `://`. In
/// `example.com/?from=http://other.example` the `://` is not at the beginning.
fn has_scheme(text: &str) -> bool {
    let before = text.split_once("://").map(|(before, _)| before);
    before.is_some_and(|scheme| !scheme.contains(['/', '?', '#']))
}
