//! A site below a base path, with clean URLs and a page for what is missing: served by
//! nginx, configured as hosts of static sites are, and by our own server, it has the same
//! rows.

use super::{Server, programs};
use conformance::{Crawl, run, url};
use shared::Options;
use shared::demo_site::{DemoSite, Folder};
use shared::report::{Outcome, Row};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::tempdir;

const BASE: &str = "/my%20project/v2/";

const FILES: &[(&str, &str)] = &[
    (
        "index.html",
        "<a href=guide#part>1</a> <a href=guide.html#none>2</a> <a href=docs>3</a>
         <a href='/my project/v2/docs/'>4</a> <a href='/my project/v2'>5</a>
         <a href=both>6</a> <a href=both/>7</a> <a href=guide/>8</a>
         <a href=/guide>9</a> <a href=../>10</a> <a href=v1.2>11</a>
         <a href=missing>12</a> <a href=docs/missing.html>13</a>
         <a href=index>14</a> <a href=index.html/>15</a> <a href=404>16</a>
         <a href=gr%C3%B6%C3%9Fe>17</a> <a href='a b#c'>18</a> <a href=guide?x>19</a>
         <a href=list>20</a> <a href=GUIDE>21</a> <a href=guide.htm>22</a>
         <img src=image.png>",
    ),
    ("guide.html", "<p id=part> <a href=docs/>to the folder</a>"),
    ("docs/index.html", "<a href=deep>down</a> <a href=../guide>up</a>"),
    ("docs/deep.html", "<a href=deep.html#none>a missing fragment</a>"),
    ("both.html", "<a href=inner>found beside the page</a>"),
    ("both/index.html", "<a href=inner>found in the folder</a>"),
    ("both/inner.html", ""),
    ("v1.2.html", ""),
    ("größe.html", ""),
    ("a b.html", ""),
    ("list.html", "<a href=list/none>missing in a folder without an index page</a>"),
    ("list/file.html", ""),
    ("404.html", "<a href=never>not searched</a>"),
];

/// Crawls the site of both servers with all checks, and panics if they differ.
pub(crate) fn are_alike(crawl: Crawl) {
    let folder = tempdir().expect("a folder for this test");
    for (name, text) in FILES {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("it is below")).expect("it is ours");
        fs::write(file, text).expect("it is ours");
    }
    let nginx = nginx(folder.path());
    let theirs = findings(crawl, nginx.root().trim_end_matches('/'));
    let folder = Folder::open(folder.path()).expect("it is there").below(BASE);
    let server = DemoSite::serve(&Arc::new(folder)).expect("it is served");
    let ours = findings(crawl, &server.url(""));
    let only = |rows: &[Row], others: &[Row]| -> Vec<Row> {
        rows.iter().filter(|row| !others.contains(row)).cloned().collect()
    };
    let differences = (only(&ours, &theirs), only(&theirs, &ours));
    assert_eq!(differences, (vec![], vec![]), "ours, and those of nginx");
    let failed = ours.iter().filter(|row| row.outcome.is_failure());
    let failed: Vec<&str> = failed.map(|row| &*row.url).collect();
    assert_eq!(failed.len(), 15, "{failed:#?}");
}

/// Starts nginx as a host: it tries the file, the page and the folder of a path.
fn nginx(folder: &Path) -> Box<dyn Server> {
    let (path, marker) = (folder.display(), programs::MARKER);
    let (base, plain) = ("/my project/v2", BASE);
    let directives = format!(
        "location = /{marker} {{ root {path}; }}
         location = \"{base}\" {{ return 301 {plain}; }}
         location \"{base}/\" {{
             alias {path}/;
             index index.html;
             try_files $uri $uri.html $uri/ =404;
             error_page 404 \"{base}/404.html\";
         }}
         location / {{ return 404; }}"
    );
    programs::nginx_with(folder, &directives)
}

/// Returns the rows of a crawl without what may differ between servers: their origins, times,
/// the status of a redirect, and the body of an error outside the site.
fn findings(crawl: Crawl, origin: &str) -> Vec<Row> {
    let options = Options {
        fragments: true,
        resources: true,
        ..Options::with_roots([url(&format!("{origin}{BASE}"))])
    };
    let path = |url: &str| url.strip_prefix(origin).unwrap_or(url).to_string();
    let mut rows = run(crawl, &options).rows;
    for row in &mut rows {
        row.url = path(&row.url).into();
        row.next_url = row.next_url.as_deref().map(path);
        row.found_on = row.found_on.iter().map(|page| path(page).into()).collect();
        for way in &mut row.via {
            *way = way.iter().map(|hop| path(hop).into()).collect();
        }
        row.elapsed = Default::default();
        row.status = row.status.filter(|_| row.outcome != Outcome::Redirect);
        if row.outcome != Outcome::Ok {
            (row.content_type, row.size) = (None, None);
        }
    }
    rows
}
