//! Where redirects lead in the end.

use super::url_id::UrlId;
use super::urls::Urls;

/// The end of each chain of redirects that were followed, by the number of the URL with
/// which it begins. A URL that is no redirect is a chain of its own.
#[derive(Debug)]
pub(super) struct Chains(Vec<End>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Nothing is known about it yet.
    Unknown,
    /// It is part of the chain that is followed now.
    OnPath,
    /// It ends at this URL, which is no redirect that was followed; and whether the
    /// fragment of a link applies there, since no redirect has one of its own.
    At { end: UrlId, keeps_fragment: bool },
    /// It leads into a loop; and whether a redirect from here on sets a cookie, without
    /// which it may never end.
    Loop { sets_cookie: bool },
}

impl Chains {
    /// Follows all chains. Linear: each redirect is followed once.
    pub(super) fn new(urls: &Urls) -> Chains {
        let mut ends = vec![End::Unknown; urls.len()];
        let mut path = Vec::new();
        for mut id in urls.ids() {
            let mut end = loop {
                match ends[id.index()] {
                    End::Unknown => ends[id.index()] = End::OnPath,
                    End::OnPath => {
                        let mut redirects = path.iter().rev();
                        let start = redirects.position(|on_path| *on_path == id);
                        let start = path.len() - 1 - start.expect("it is on the path");
                        let sets_cookie =
                            path[start..].iter().any(|id| urls.sets_cookie(*id));
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

    /// Returns where the redirects from this URL end; `None` if they never do.
    pub(super) fn final_target(&self, id: UrlId) -> Option<UrlId> {
        match self.0[id.index()] {
            End::At { end, .. } => Some(end),
            _ => None,
        }
    }

    /// Returns whether the redirects from this URL never end and one of them sets a
    /// cookie.
    pub(super) fn is_loop_with_cookie(&self, id: UrlId) -> bool {
        matches!(self.0[id.index()], End::Loop { sets_cookie: true })
    }

    /// Returns where the redirects from this URL end, if the fragment of a link to it
    /// applies there.
    pub(super) fn final_target_with_fragment(&self, id: UrlId) -> Option<UrlId> {
        match self.0[id.index()] {
            End::At { end, keeps_fragment: true } => Some(end),
            _ => None,
        }
    }
}
