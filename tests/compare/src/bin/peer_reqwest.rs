//! The peer: this crawler as most write it, on Tokio with all its threads, reqwest, and a
//! tree of each page (scraper).
//!
//! A task for each page, a queue, a set of what was seen. It keeps few books: no retries,
//! and not which page links to which.

use clap::Parser;
use compare::peer::{self, Books, Options, Visited};
use page_tree::links_by_tree;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION};
use reqwest::{Client, redirect};
use shared::{page::charset::decode, page::url::normalise};
use std::error::Error;
use tokio::task::JoinSet;
use url::Url;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    // A system that refuses leaves us with the descriptors that we have.
    rlimit::increase_nofile_limit(u64::MAX).ok();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let books = runtime.block_on(crawl(options))?;
    Ok(books.print()?)
}

async fn crawl(options: Options) -> Result<Books, Box<dyn Error>> {
    let client = Client::builder()
        .user_agent("peer_reqwest/1")
        .timeout(peer::TIMEOUT)
        .redirect(redirect::Policy::none()) // a redirect's target is a page like others
        .no_proxy()
        .build()?;
    let mut books = Books::new(options.url);
    let mut fetches = JoinSet::new();
    loop {
        while fetches.len() < options.max_tasks
            && let Some(url) = books.next_page()
        {
            let client = client.clone();
            fetches.spawn(async move {
                (visit(&client, &url).await.unwrap_or_default(), url)
            });
        }
        let Some(visited) = fetches.join_next().await else { return Ok(books) };
        let (visited, url) = visited?;
        books.settle(url, visited);
    }
}

/// Where the page points.
async fn visit(client: &Client, url: &Url) -> Result<Visited, reqwest::Error> {
    // ANCHOR: get
    let answer = client.get(url.clone()).header(ACCEPT, peer::ACCEPT).send().await?;
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = answer.bytes().await?;
    // ANCHOR_END: get
    let is_html = header(&headers, &CONTENT_TYPE)
        .is_some_and(|content_type| content_type.starts_with("text/html"));
    let mut links = Vec::new();
    if is_html && status.is_success() {
        links = links_by_tree(&decode(None, &body).0, url);
    } else if status.is_redirection() {
        let target = header(&headers, &LOCATION).and_then(|text| url.join(text).ok());
        links.extend(target.and_then(normalise));
    }
    Ok(Visited { status: Some(status.as_u16()), size: Some(body.len()), links })
}

fn header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
