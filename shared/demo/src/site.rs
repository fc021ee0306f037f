//! The table of all demo pages. `pages/index.html` describes them for people, except
//! for `many`, which is meant for measurements.

use hyper::Request;
use hyper::body::Incoming;

use crate::answer::{Answer, not_found, page};
use crate::connection::ConnectionInfo;
use crate::http::Site;
use crate::page::escape;
use crate::trouble::{self, Cycle};
use crate::turns::{self, Turns};
use crate::{charsets, many, media, redirects, sizes, slow, transfer, wiki};

/// All demo pages. The fields are the states of pages; each crawl leaves them as it
/// finds them.
#[derive(Default)]
pub(crate) struct DemoPages {
    turns: Turns,
    flaky: Cycle,
    busy: Cycle,
}

/// Makes a page from path and query. Returns `None` if the path belongs to other
/// pages.
type Pages = fn(&str, Option<&str>) -> Option<Answer>;

/// The pages that respond at once and have no state.
const PAGES: &[Pages] = &[
    root,
    wiki::answer,
    redirects::answer,
    transfer::answer,
    charsets::answer,
    media::answer,
    sizes::answer,
    many::answer,
];

impl Site for DemoPages {
    async fn answer(
        &self,
        request: Request<Incoming>,
        connection: &ConnectionInfo,
    ) -> Answer {
        let (path, query) = (request.uri().path(), request.uri().query());
        let (folder, name) = path.rsplit_once('/').unwrap_or_default();
        match (folder, name, name.parse()) {
            ("", "slow", _) => slow::list(query),
            ("/slow", _, Ok(number)) => slow::slow_page(number, query).await,
            ("/star", _, Ok(number)) => many::ray(number, query).await,
            ("", "turn", _) => turns::list(&self.turns, query),
            ("/turn", _, Ok(number)) => {
                turns::turn(&self.turns, number, &connection.until_closed).await
            }
            ("", "flaky", _) => trouble::flaky(&self.flaky),
            ("", "busy", _) => trouble::busy(&self.busy),
            _ => {
                let page = PAGES.iter().find_map(|answer| answer(path, query));
                page.unwrap_or_else(|| missing(path))
            }
        }
    }
}

fn root(path: &str, query: Option<&str>) -> Option<Answer> {
    match path {
        "/" => Some(page("The demo site", include_str!("pages/index.html"))),
        "/query" => Some(what_was_asked(query.unwrap_or_default())),
        _ => None,
    }
}

/// Shows the query that arrived: it tells a person whether the crawler decoded
/// `&amp;`.
fn what_was_asked(query: &str) -> Answer {
    let pairs = query
        .split('&')
        .map(|pair| format!("<li><code>{}</code></li>\n", escape(pair)));
    page("What was asked", &format!("<ul>\n{}</ul>", pairs.collect::<String>()))
}

fn missing(path: &str) -> Answer {
    match path {
        "/missing" => not_found("This page is missing on purpose."),
        _ => not_found(&format!("There is no page at <code>{}</code>.", escape(path))),
    }
}
