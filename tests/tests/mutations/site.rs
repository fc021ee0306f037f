//! A site of answers, most of them broken, and what every crawler has to find there.

use super::expected::{Expected, expect, is_whole, may_go_on};
use super::mutation::{Mutation, mutation};
use super::valid::{Truth, Valid, valid};
use conformance::scripted::{self, Act, anchors, html};
use conformance::url;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use url::Url;

/// Pages of a site; the last ones of them are whole.
pub(crate) const PAGES: usize = BROKEN + 20;
/// Pages that may be broken.
pub(crate) const BROKEN: usize = 100;

/// Bytes that arrive in one piece, for sure.
const ONE_PIECE: usize = 16 * 1024;

/// An answer, and what chance has done to it.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    valid: Valid,
    /// None: it is whole.
    mutations: Vec<Mutation>,
    /// In how many pieces it comes: one more.
    cuts: Vec<Index>,
    /// What comes after it, where that makes sense.
    then: Then,
}

/// What the server does about a request.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// What it sends, each piece by itself.
    pub(crate) pieces: Vec<Vec<u8>>,
    /// What comes after the last byte.
    pub(crate) then: Then,
}

/// What comes after the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// The next request, unless the crawler has asked for a close.
    Keep,
    /// The crawler's hang-up: another request on this connection would be a fault.
    Listen,
    /// The end of the connection.
    Close,
    /// A reset.
    Reset,
    /// Nothing, until the crawler hangs up.
    Stall,
}

impl Reply {
    /// The same as acts. A crawler that asks for a close gets it.
    pub(crate) fn acts(self, wants_close: bool) -> Vec<Act> {
        let then = match self.then {
            Then::Keep | Then::Listen if wants_close => None,
            Then::Keep => Some(Act::Keep),
            Then::Listen => Some(Act::Listen),
            Then::Close => None,
            Then::Reset => Some(Act::Reset),
            Then::Stall => Some(Act::Stall),
        };
        self.pieces.into_iter().map(Act::Send).chain(then).collect()
    }
}

/// The answers, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site(pub(crate) BTreeMap<usize, Answer>);

/// Any answer; a broken one, if the number says so.
pub(crate) fn answer(number: usize) -> impl Strategy<Value = Answer> {
    let damages = if number < BROKEN { 1..4 } else { 0..1 };
    let mutations = prop::collection::vec(mutation(), damages);
    let cuts = prop::collection::vec(any::<Index>(), 0..4);
    let then = prop_oneof![
        60 => Just(Then::Keep),
        30 => Just(Then::Close),
        6 => Just(Then::Reset),
        2 => Just(Then::Stall),
    ];
    (valid(PAGES), mutations, cuts, then).prop_map(|(valid, mutations, cuts, then)| {
        Answer { valid, mutations, cuts, then }
    })
}

impl Answer {
    /// What is true of it by the way it was made, if nothing is broken.
    pub(crate) fn truth(&self) -> Option<Truth> {
        self.mutations.is_empty().then(|| self.valid.truth())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.valid.bytes();
        self.mutations.iter().for_each(|mutation| mutation.damage(&mut bytes));
        bytes
    }

    /// What the server sends. Only what needs no more bytes may be followed by more
    /// answers, and only what does is followed by a reset or by silence: so the outcome
    /// is known.
    fn reply(&self) -> Reply {
        let bytes = self.bytes();
        let (is_broken, is_whole) = (!self.mutations.is_empty(), is_whole(&bytes));
        let is_one_piece = !is_broken || bytes.len() <= ONE_PIECE;
        let then = match self.then {
            Then::Keep if is_whole && is_one_piece && may_go_on(&bytes) => Then::Keep,
            Then::Keep if is_whole && is_one_piece => Then::Listen,
            then @ (Then::Reset | Then::Stall) if is_broken && !is_whole => then,
            _ => Then::Close,
        };
        // Bytes behind the end have to arrive together with the end: later they could
        // not be told from the next response.
        let cuts = if is_broken && is_whole { &[] } else { &self.cuts[..] };
        Reply { pieces: split(&bytes, cuts), then }
    }
}

fn split(bytes: &[u8], cuts: &[Index]) -> Vec<Vec<u8>> {
    let mut cuts: Vec<usize> =
        cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.sort_unstable();
    cuts.insert(0, 0);
    cuts.push(bytes.len());
    cuts.windows(2).map(|cut| bytes[cut[0]..cut[1]].to_vec()).collect()
}

impl Site {
    /// The site as a function from a path to a reply.
    pub(crate) fn replies(&self) -> Arc<BTreeMap<String, Reply>> {
        let whole = |bytes| Reply { pieces: vec![bytes], then: Then::Keep };
        let mut replies = BTreeMap::new();
        for (number, answer) in &self.0 {
            replies.insert(format!("/page/{number}"), answer.reply());
            replies.insert(format!("/page/{number}?only"), whole(html("only here")));
        }
        let links: Vec<String> =
            self.0.keys().map(|number| format!("/page/{number}")).collect();
        let links: Vec<&str> = links.iter().map(String::as_str).collect();
        replies.insert("/".to_string(), whole(html(&anchors(&links))));
        Arc::new(replies)
    }
}

/// What the site says of a path.
pub(crate) fn reply(replies: &BTreeMap<String, Reply>, path: &str) -> Reply {
    replies.get(path).cloned().unwrap_or_else(|| Reply {
        pieces: vec![scripted::answer("404 Not Found", "", b"nothing here")],
        then: Then::Keep,
    })
}

/// Every URL that is reached from the root, and what is to be said of it.
pub(crate) fn closure(
    replies: &BTreeMap<String, Reply>,
    base: &str,
) -> BTreeMap<String, Expected> {
    let mut known = BTreeMap::new();
    let mut due = BTreeSet::from([url(base)]);
    while let Some(url) = due.pop_first() {
        let reply = reply(replies, &url[url::Position::BeforePath..]);
        let expected = expect(&reply, &url);
        let ours = |link: &&Url| link.origin() == url.origin();
        let found = expected.found.iter().filter(ours);
        due.extend(found.filter(|link| !known.contains_key(link.as_str())).cloned());
        due.remove(&url);
        known.insert(url.to_string(), expected);
    }
    fail_loops(&mut known);
    known
}

/// A redirect that leads into a loop is a failure: after more redirects than there are
/// URLs there is still one.
fn fail_loops(known: &mut BTreeMap<String, Expected>) {
    let next = |url: &String| known.get(url)?.row.next_url.clone();
    let is_endless = |url: &&String| {
        let mut at = Some((*url).clone());
        for _ in 0..=known.len() {
            at = at.as_ref().and_then(next).filter(|next| known.contains_key(next));
        }
        at.is_some()
    };
    let endless: Vec<String> = known.keys().filter(is_endless).cloned().collect();
    for url in endless {
        let expected = known.get_mut(&url).expect("it is one of them");
        expected.row.outcome = shared::Outcome::TooManyRedirects;
    }
}

impl Display for Site {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, answer) in
            self.0.iter().filter(|(_, answer)| answer.truth().is_none())
        {
            let reply = answer.reply();
            writeln!(f, "/page/{number}, then {:?}:", reply.then)?;
            for mutation in &answer.mutations {
                writeln!(f, "  {mutation}")?;
            }
            for piece in reply.pieces {
                let shown = &piece[..piece.len().min(2000)];
                writeln!(f, "  \"{}\" ({} bytes)", shown.escape_ascii(), piece.len())?;
            }
        }
        Ok(())
    }
}
