//! Opens a ledger: from the roots to the first jobs.

use super::job::Job;
use super::ledger::Ledger;
use super::settling::{Phase, Settling};
use super::urls::Discovery;
use crate::options::{Options, Program};
use url::Position;

impl Ledger {
    /// Opens the ledger with the roots. Returns the first jobs.
    pub fn open(options: &Options, program: &Program) -> (Ledger, Vec<Job>) {
        let mut ledger = Ledger::new(options, program);
        let mut jobs = Vec::new();
        for root in &options.roots {
            let name = &root[..Position::AfterQuery];
            let known = ledger.urls.find(name);
            let id = known.unwrap_or_else(|| ledger.add(name, root));
            ledger.add_fragment(id, root.fragment().unwrap_or_default(), None);
            if known.is_some() {
                continue;
            }
            ledger.roots.push(id);
            ledger.note_size();
            if ledger.scope.speaks(root) {
                let redirects_left = options.max_redirect;
                let discovery = Discovery { redirects_left, is_page: true };
                ledger.discover(id, discovery, 0, &mut jobs);
            } else {
                ledger.refuse(id);
            }
        }
        let phase = Phase::start(ledger.next_level());
        let mut opening = Settling { jobs, phase, ..Settling::default() };
        let jobs = ledger.settle_some(&mut opening, usize::MAX);
        (ledger, jobs)
    }
}
