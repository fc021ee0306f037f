//! Replaces `served` in a program that was built without the demo site.

use crate::report::Report;
use std::path::Path;
use url::Url;

/// No site can be served.
pub(super) enum Served {}

impl Served {
    pub(super) fn demo() -> Result<Served, String> {
        Err("built without the demo site: name a ROOT".to_string())
    }

    pub(super) fn folder(_: &Path, _: &str) -> Result<Served, String> {
        Served::demo()
    }

    pub(super) fn start(&self) -> Url {
        match *self {}
    }

    pub(super) fn begins_with_list(&self, _: &[Url]) -> bool {
        match *self {}
    }

    pub(super) fn lacks_a_page(&self, _: &Report) -> bool {
        match *self {}
    }

    pub(super) fn explain(&self, _: &mut Report, _: &[Url]) {
        match *self {}
    }
}
