//! Handles the end of an attempt. It decides whether the attempt counts, records what
//! is known of the server, and computes the pause before the next attempt.

use super::job::{FIRST_PAUSE, Job, LONGEST_PAUSE};
use super::ledger::Ledger;
use super::limit::{Circumstances, Verdict, is_addr_not_available, judge};
use crate::error::FetchError;
use crate::http::HttpError;
use crate::page::FetchResult;
use std::time::Duration;

impl Ledger {
    /// Removes an attempt from those in flight. Returns what becomes of it.
    pub(super) fn end_attempt(
        &mut self,
        job: &mut Job,
        result: &FetchResult,
    ) -> Verdict {
        let peak = self.peak.max(self.in_flight);
        self.in_flight -= 1;
        self.servers[job.server].in_flight -= 1;
        let verdict = self.verdict(job, result);
        match verdict {
            Verdict::Requeue | Verdict::WaitForPort => {
                job.attempts -= 1;
                job.requeues += 1;
                // The peak included this attempt, which had no connection.
                self.peak = job.peak_before.max(self.peak.saturating_sub(1));
            }
            Verdict::Crowded { is_excused } => {
                self.peak = peak;
                self.servers[job.server].on_refusal();
                job.was_refused = true;
                job.excused += u32::from(is_excused);
            }
            Verdict::Counts => {
                self.peak = peak;
                self.learn(job, result);
            }
        }
        match verdict {
            Verdict::Requeue => self.limit.back_off(self.in_flight),
            // Other reasons may keep the number in flight small, so one refusal does
            // not reduce the limit below half.
            Verdict::Crowded { .. } => {
                self.limit.back_off(self.in_flight.max(self.limit.current() / 2));
            }
            Verdict::WaitForPort => {}
            Verdict::Counts => self.limit.on_settled(),
        }
        verdict
    }

    /// Decides whether an attempt counts. It is no longer counted as in flight.
    fn verdict(&mut self, job: &Job, result: &FetchResult) -> Verdict {
        let Err(error) = result else { return Verdict::Counts };
        let (others, requeues, excused) = (self.in_flight, job.requeues, job.excused);
        let server = &mut self.servers[job.server];
        judge(error, Circumstances { others, server, requeues, excused })
    }

    /// Records what the result shows about the server.
    fn learn(&mut self, job: &Job, result: &FetchResult) {
        let server = &mut self.servers[job.server];
        match result {
            Ok(_) => {
                (server.is_reached, server.has_responded) = (true, true);
                server.refused_alone = 0;
                server.recovered += u32::from(job.was_refused);
            }
            Err(FetchError::Http(error)) => {
                server.is_reached = true;
                server.has_responded |= *error != HttpError::ClosedBeforeResponse;
            }
            // The machine may have lost its address of this kind.
            Err(error) if is_addr_not_available(error) => server.is_reached = false,
            Err(_) => {}
        }
    }

    /// Returns the jobs that wait until another attempt ends.
    pub(super) fn waiting_for_port(&self) -> &[Job] {
        &self.waiting_for_port
    }

    /// Returns the pause before another attempt; `None` if there is none (rule 3).
    pub(super) fn pause_before_another_try(
        &self,
        job: &Job,
        result: &FetchResult,
    ) -> Option<Duration> {
        let counted = job.attempts - job.excused;
        if counted >= self.options.max_tries {
            return None;
        }
        let asked = match result {
            Ok(page) if page.is_busy() => page.retry_after,
            Err(error) if error.is_worth_another_try() => None,
            _ => return None,
        };
        if asked.is_some_and(|pause| pause > LONGEST_PAUSE) {
            return None; // the server would refuse an earlier retry
        }
        let doubled = FIRST_PAUSE * 2u32.saturating_pow((job.attempts - 1).min(16));
        Some(asked.unwrap_or(doubled).min(LONGEST_PAUSE))
    }
}
