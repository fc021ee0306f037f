//! Turns the result of an attempt into a row of the report. On the way the URLs of the
//! page are interned, one in each step.

use super::job::Job;
use super::ledger::Ledger;
use super::settled::Settled;
use super::url_id::UrlId;
use super::urls::State;
use crate::page::links::Invalid;
use crate::page::{FetchResult, Page};
use crate::report::Row;
use std::sync::Arc;
use std::{mem, vec};
use url::Url;

/// A result whose URLs are being interned. The URL of the page stays open meanwhile.
#[derive(Debug)]
pub(super) struct Interning {
    pub(super) id: UrlId,
    settled: Settled,
    /// What has still to be interned.
    left: References,
    /// The numbers of the URLs that belong to the crawl: first links, then resources.
    known: Vec<UrlId>,
}

/// The references of a page, in the order in which they are interned. Links come
/// before fragments, so the URL of a fragment is interned already.
#[derive(Debug, Default)]
struct References {
    links: vec::IntoIter<Url>,
    resources: vec::IntoIter<Url>,
    fragments: vec::IntoIter<(Url, String)>,
    invalid: vec::IntoIter<Invalid>,
}

#[derive(Debug)]
enum Reference {
    Link(Url),
    Resource(Url),
    Fragment(Url, String),
    Invalid(Invalid),
}

impl References {
    fn take_from(page: &mut Page) -> References {
        References {
            links: mem::take(&mut page.links).into_iter(),
            resources: mem::take(&mut page.resources).into_iter(),
            fragments: mem::take(&mut page.fragments).into_iter(),
            invalid: mem::take(&mut page.invalid).into_iter(),
        }
    }
}

impl Iterator for References {
    type Item = Reference;

    fn next(&mut self) -> Option<Reference> {
        let fragment = |(url, fragment)| Reference::Fragment(url, fragment);
        let link = self.links.next().map(Reference::Link);
        link.or_else(|| self.resources.next().map(Reference::Resource))
            .or_else(|| self.fragments.next().map(fragment))
            .or_else(|| self.invalid.next().map(Reference::Invalid))
    }
}

impl Ledger {
    /// Makes the row of a result, and collects what has to be interned.
    pub(super) fn record(&mut self, job: &Job, result: FetchResult) -> Interning {
        let mut row = Row::new(Arc::clone(&job.url));
        row.attempts = job.attempts;
        row.elapsed = job.began.elapsed();
        let (settled, left) = match result {
            Ok(page) => self.responded(job.id, row, page),
            Err(error) => {
                row.fail(&error);
                (Settled::new(row, error.was_answered()), References::default())
            }
        };
        Interning { id: job.id, settled, left, known: Vec::new() }
    }

    /// Makes the row of a response, and interns the target of a redirect.
    fn responded(
        &mut self,
        id: UrlId,
        mut row: Row,
        mut page: Page,
    ) -> (Settled, References) {
        let budget = self.urls[id].discovery.redirects_left;
        let target = page.redirect.as_ref().and_then(|target| target.as_ref().ok());
        let target = target.filter(|target| self.admits(target));
        let may_follow = budget > 0 || target.is_none();
        let target = target.cloned();
        let mut references = References::take_from(&mut page);
        let is_unread = !self.urls[id].discovery.is_page && page.encoding.is_some();
        if is_unread {
            page = page.without_content();
            // With nothing to intern, the row is stored in this turn. A later link to
            // this URL finds it settled, and has it requested again.
            references = References::default();
        }
        row.fill(&page, may_follow);
        row.links = self.options.links.then(Vec::new);
        let mut settled = Settled::new(row, true);
        settled.is_unread = is_unread;
        if let Some(target) = target.filter(|_| budget > 0) {
            settled.next = self.intern(&target);
        }
        settled.ids = page.ids.take().filter(|ids| self.add_ids(ids));
        settled.replaces_fragment = page.location_fragment.is_some();
        settled.sets_cookie = page.sets_cookie;
        if let Some((next, fragment)) = settled.next.zip(page.location_fragment.take())
        {
            self.add_fragment(next, &fragment, Some(id));
        }
        (settled.coding, settled.has_frames) = (page.coding, page.has_frames);
        settled.is_cut = page.is_cut;
        (settled, references)
    }

    /// Interns the next URL of a page. After the last one it stores the row and
    /// returns `None`.
    pub(super) fn intern_next(
        &mut self,
        mut interning: Box<Interning>,
    ) -> Option<Box<Interning>> {
        let Interning { id, ref mut settled, ref mut left, ref mut known } = *interning;
        match left.next() {
            None => {
                let Interning { settled, known, .. } = *interning;
                self.store(id, settled, known);
                return None;
            }
            Some(Reference::Link(url)) => {
                known.extend(self.intern_reference(&url, &mut settled.row));
                settled.link_count = known.len();
            }
            Some(Reference::Resource(url)) => {
                known.extend(self.intern_reference(&url, &mut settled.row));
            }
            Some(Reference::Fragment(url, fragment)) => {
                self.add_fragment_of_link(id, settled.ids.as_ref(), &url, &fragment);
            }
            Some(Reference::Invalid(link)) if !self.scope.is_excluded(&link.text) => {
                self.unparsable.add(&link, id);
            }
            Some(Reference::Invalid(link)) => self.excluded.add(&link.text),
        }
        Some(interning)
    }

    /// Counts a reference of a page. Returns its number if it belongs to the crawl.
    fn intern_reference(&mut self, url: &Url, row: &mut Row) -> Option<UrlId> {
        let id = self.intern(url);
        row.num_links += 1;
        if let Some(links) = &mut row.links {
            links.extend(match id {
                Some(id) => Some(Arc::clone(self.urls.name(id))),
                None => self.foreign_links.share(url.as_str()),
            });
        }
        id
    }

    /// Stores a row. This settles its URL.
    fn store(&mut self, id: UrlId, mut settled: Settled, known: Vec<UrlId>) {
        settled.references = known.into();
        if self.fragments.are_too_many() {
            settled.ids = None;
        }
        settled.row.links.as_mut().into_iter().for_each(Vec::shrink_to_fit);
        if let Some(next_url) = &settled.row.next_url {
            self.urls.count_text(next_url);
        }
        self.progress.settled(&settled.row);
        self.urls[id].state = State::Settled(Box::new(settled));
        self.note_size();
    }
}
