//! Builds the requests of a crawl, with the crawler's name and the user's header
//! fields.

use crate::crawl::scope::Scope;
use crate::http::{ConnectionOption, request};
use crate::options::{Options, Program};
use url::Url;

/// Builds the requests of a crawl.
#[derive(Debug)]
pub struct Requests {
    user_agent: String,
    /// The sites of the roots. Only these are sent the user's header fields.
    scope: Scope,
    /// The sites with an http root. The user's header fields may be secret; they are sent
    /// unencrypted only to these sites.
    plain: Scope,
    fields: Fields,
}

/// The lines of the user's header fields. They may be secret, so `Debug` hides them.
struct Fields(String);

impl std::fmt::Debug for Fields {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("(not shown)")
    }
}

impl Requests {
    /// Creates the builder for a crawl by `program`.
    pub fn new(options: &Options, program: &Program) -> Requests {
        let fields = options.headers.iter().chain(&options.user);
        let is_plain = |root: &&Url| root.scheme() == "http";
        let roots = options.roots.iter().filter(is_plain).cloned().collect();
        let plain = Options { roots, ..options.clone() };
        Requests {
            user_agent: options.user_agent(program),
            scope: Scope::new(options, program),
            plain: Scope::new(&plain, program),
            fields: Fields(fields.map(|field| field.line()).collect()),
        }
    }

    /// Returns the bytes of a GET request for `url`, as [`request`] does. If the URL
    /// is on a root's site, the user's header fields are added.
    pub fn bytes(&self, url: &Url, connection: ConnectionOption) -> Vec<u8> {
        let mut bytes = request(url, &self.user_agent, connection);
        if !self.fields.0.is_empty() && self.is_trusted(url) {
            bytes.truncate(bytes.len() - b"\r\n".len()); // the blank line
            bytes.extend_from_slice(self.fields.0.as_bytes());
            bytes.extend_from_slice(b"\r\n");
        }
        bytes
    }

    fn is_trusted(&self, url: &Url) -> bool {
        match url.scheme() {
            "https" => self.scope.is_on_site(url),
            _ => self.plain.is_on_site(url),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::field::Field;

    const PROGRAM: Program =
        Program { name: "a-test", version: "1", speaks_https: true };

    /// Returns whether a request for `asked` contains the password, with these roots.
    fn shows_password(roots: &[&str], asked: &str) -> bool {
        let url = |text: &str| Url::parse(text).expect("tests write valid URLs");
        let mut options = Options::with_roots(roots.iter().map(|root| url(root)));
        options.user = Some(Field::basic_authorization("me:secret").unwrap());
        options.headers = vec![Field::parse("X-Key: k").unwrap()];
        let requests = Requests::new(&options, &PROGRAM);
        let bytes = requests.bytes(&url(asked), ConnectionOption::Close);
        let text = String::from_utf8(bytes).expect("ASCII");
        assert!(text.ends_with("\r\n\r\n"), "{text}");
        assert_eq!(text.matches("\r\n\r\n").count(), 1, "{text}");
        assert!(!format!("{requests:?}").contains("bWU6"), "{requests:?}");
        assert_eq!(text.contains("X-Key: k\r\n"), text.contains("bWU6c2VjcmV0"));
        text.contains("\r\nAuthorization: Basic bWU6c2VjcmV0\r\n")
    }

    #[test]
    fn only_the_sites_of_the_roots_are_shown_what_the_user_adds() {
        for (root, url, is_shown) in [
            ("http://a.test/", "http://a.test/x", true),
            ("http://a.test/", "http://www.a.test/x", true),
            ("http://a.test/", "https://a.test/x", true),
            ("http://a.test/", "http://a.test:8080/", false),
            ("http://a.test/", "http://b.test/", false),
            ("http://a.test/", "http://a.test.b.test/", false),
            ("https://a.test/", "https://a.test/x", true),
            ("https://a.test/", "http://a.test/x", false),
        ] {
            assert_eq!(shows_password(&[root], url), is_shown, "{root} {url}");
        }
    }

    #[test]
    fn an_http_root_elsewhere_does_not_show_the_password_of_an_https_site() {
        for (url, is_shown) in [
            ("https://a.test/x", true),
            ("http://a.test/x", false),
            ("http://www.a.test/x", false),
            ("http://b.test/x", true),
            ("https://b.test/x", true),
            ("http://both.test/x", true),
        ] {
            let roots = [
                "https://a.test/",
                "http://b.test/",
                "https://both.test/",
                "http://both.test/",
            ];
            assert_eq!(shows_password(&roots, url), is_shown, "{url}");
        }
    }
}
