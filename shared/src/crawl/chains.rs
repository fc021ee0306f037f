//! Finds where chains of redirects end.

use super::url_id::UrlId;
use super::urls::Urls;

/// The end of the chain that begins at each URL, indexed by the number of the URL.
/// Only redirects that were followed count. A URL that is no redirect is its own end.
#[derive(Debug)]
pub(super) struct Chains(Vec<End>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The URL has not been visited yet.
    Unknown,
    /// The URL is on the current path.
    OnPath,
    /// The chain ends at `end`, which is not a redirect that was followed.
    /// `keeps_fragment`: the fragment of a link also applies at the end, because no
    /// redirect on the way has its own fragment.
    At { end: UrlId, keeps_fragment: bool },
    /// The chain leads into a loop. `sets_cookie`: some redirect from here on sets a
    /// cookie. A client that keeps cookies might leave the loop.
    Loop { sets_cookie: bool },
}

impl Chains {
    /// Finds the ends of all chains, in linear time: each redirect is followed once.
    pub(super) fn new(urls: &Urls) -> Chains {
        let mut ends = vec![End::Unknown; urls.len()];
        let mut path: Vec<UrlId> = Vec::new();
        for mut id in urls.ids() {
            let mut end = loop {
                match ends[id.index()] {
                    End::Unknown => ends[id.index()] = End::OnPath,
                    End::OnPath => {
                        let start = path.iter().rposition(|on_path| *on_path == id);
                        let cycle = &path[start.expect("it is on the path")..];
                        let sets_cookie = cycle.iter().any(|id| urls.sets_cookie(*id));
                        break End::Loop { sets_cookie };
                    }
                    known => break known,
                }
                path.push(id);
                match urls.redirect_target(id) {
                    Some(next) => id = next,
                    None => break End::At { end: id, keeps_fragment: true },
                }
            };
            while let Some(id) = path.pop() {
                match &mut end {
                    End::At { keeps_fragment, .. } => {
                        *keeps_fragment &= !urls.replaces_fragment(id)
                    }
                    End::Loop { sets_cookie } => *sets_cookie |= urls.sets_cookie(id),
                    End::Unknown | End::OnPath => {}
                }
                ends[id.index()] = end;
            }
        }
        Chains(ends)
    }

    /// Returns where the redirects from this URL end; `None` for a loop.
    pub(super) fn final_target(&self, id: UrlId) -> Option<UrlId> {
        match self.0[id.index()] {
            End::At { end, .. } => Some(end),
            _ => None,
        }
    }

    /// Returns whether the redirects from this URL form a loop in which one sets a
    /// cookie.
    pub(super) fn is_loop_with_cookie(&self, id: UrlId) -> bool {
        matches!(self.0[id.index()], End::Loop { sets_cookie: true })
    }

    /// Returns where the redirects from this URL end; `None` for a loop, and if a
    /// redirect on the way replaces the fragment of a link.
    pub(super) fn final_target_with_fragment(&self, id: UrlId) -> Option<UrlId> {
        match self.0[id.index()] {
            End::At { end, keeps_fragment: true } => Some(end),
            _ => None,
        }
    }
}
