//! The text of a report: the tasks that have not ended, and what they wait for.

use crate::state::{Debt, Name, Polling, State, Task};
use crate::stuck::list;
use std::collections::BTreeMap;
use std::time::Duration;

fn time(us: u64) -> String {
    format!("{:.1?}", Duration::from_micros(us))
}

fn ago(now: u64, then: u64) -> String {
    format!("{} ago", time(now.saturating_sub(then)))
}

impl Name {
    fn words(&self) -> String {
        format!("{:?} in {}", self.text, self.place)
    }
}

impl State {
    /// `doing` says of each task that is polled what its thread does.
    pub(crate) fn report(&self, now: u64, doing: &BTreeMap<u64, String>) -> String {
        let mut debts: BTreeMap<u64, Vec<&Debt>> = BTreeMap::new();
        for debt in self.debts.values() {
            debts.entry(debt.task).or_default().push(debt);
        }
        let debts = |id: &u64| debts.get(id).map_or(&[][..], Vec::as_slice);
        // Sorted by the first task of each group.
        let mut groups: Vec<Vec<u64>> = Vec::new();
        let mut by_kind = BTreeMap::new();
        for (id, task) in &self.tasks {
            let kind = task.kind(debts(id));
            let group = *by_kind.entry(kind).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(*id);
        }
        let (count, last) = (self.tasks.len(), ago(now, self.trace.last));
        let mut lines = vec![format!("live tasks: {count}, last event {last}")];
        for group in groups {
            let (id, task) = (&group[0], &self.tasks[&group[0]]);
            lines.push(format!("{} {}", list(&group), task.name.words()));
            if group.len() > 1 {
                lines.push(format!("  {} equal tasks; of the first:", group.len()));
            }
            let mut of_task = task.lines(now, doing.get(id), debts(id));
            of_task.iter_mut().for_each(|line| line.insert_str(0, "  "));
            lines.append(&mut of_task);
        }
        lines.extend(self.circle().map(|circle| format!("circle: {circle}")));
        lines.iter().map(|line| format!("  {line}\n")).collect()
    }
}

impl Task {
    /// Tasks of one kind differ only in their numbers and times.
    fn kind(&self, debts: &[&Debt]) -> String {
        let state = (self.polls == 0, self.poll.is_some(), self.queued.is_some());
        let mut kind =
            format!("{} {state:?} {}", self.name.words(), self.wakers_alive() == 0);
        let waits = self.innermost().map(|wait| &wait.name);
        for name in waits.chain(debts.iter().map(|debt| &debt.name)) {
            kind += &name.words();
        }
        kind
    }

    fn lines(&self, now: u64, doing: Option<&String>, debts: &[&Debt]) -> Vec<String> {
        let mut lines = vec![format!("created {}", ago(now, self.created))];
        match &self.poll {
            Some(poll) => {
                let (number, since) = (self.polls, ago(now, poll.since));
                let thread = doing.map_or("", |it| it);
                lines.push(format!("poll {number} began {since} on thread {thread}"));
                lines.push(poll.waits_over());
            }
            None if self.polls == 0 => lines.push("never polled".into()),
            None => {
                let (last, took) = (ago(now, self.polled.0), time(self.polled.1));
                lines
                    .push(format!("polls: {}, the last {last} for {took}", self.polls));
            }
        }
        if let Some((when, by)) = &self.woken {
            let not_polled =
                if self.queued.is_some() { ", not polled since" } else { "" };
            let (wakes, last) = (self.wakes, ago(now, *when));
            lines.push(format!("wakes: {wakes}, the last {last} by {by}{not_polled}"));
        }
        let alive = self.wakers_alive();
        let is_lost = self.is_parked() && alive == 0;
        let lost = if is_lost { ", so nothing can wake it" } else { "" };
        lines.push(format!("wakers alive: {alive}{lost}"));
        let waits = self.innermost().map(|it| ("waits for", &it.name, it.since));
        let debts = debts.iter().map(|it| ("owes", &it.name, it.since));
        for (what, name, since) in waits.chain(debts) {
            lines.push(format!("{what} {}, since {}", name.words(), ago(now, since)));
        }
        lines
    }
}

impl Polling {
    fn waits_over(&self) -> String {
        let (count, last) = &self.over;
        let last = last.as_ref().map(|name| format!(", the last {}", name.words()));
        format!("waits that were over in it: {count}{}", last.unwrap_or_default())
    }
}
