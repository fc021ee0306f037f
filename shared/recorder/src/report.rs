//! The text of a report: what is stuck, and the tasks that have not ended.

use crate::state::{MustProvide, State, Task, Wait};
use crate::stuck::{Cause, Finding};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// How many of a list are named.
const MOST: usize = 3;

/// What a report says at one moment. It is shown as a description of all tasks.
pub(crate) struct Report<'a> {
    state: &'a State,
    now: u64,
    /// What the threads do that poll a task, by its number.
    doing: &'a BTreeMap<u64, String>,
    findings: &'a [Finding],
    /// Empty if no finding is a circle.
    circle: Vec<(u64, &'a Wait)>,
    /// The tasks of the findings. They come first.
    culprits: BTreeSet<u64>,
    /// The tasks that must provide something, by its name.
    providers: BTreeMap<&'a str, BTreeSet<u64>>,
    /// What a task must provide, by its number.
    must_provide: BTreeMap<u64, Vec<&'a MustProvide>>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        state: &'a State,
        now: u64,
        doing: &'a BTreeMap<u64, String>,
        findings: &'a [Finding],
    ) -> Report<'a> {
        let has_circle = findings.iter().any(|it| it.cause == Cause::Circle);
        let circle = if has_circle { state.circle() } else { Vec::new() };
        let in_circle = circle.iter().map(|(task, _)| *task);
        let culprits = findings.iter().map(|it| it.task).chain(in_circle).collect();
        let (mut providers, mut must_provide) = (BTreeMap::new(), BTreeMap::new());
        for it in state.must_provide.values() {
            let tasks: &mut BTreeSet<u64> =
                providers.entry(&*it.name.text).or_default();
            tasks.insert(it.task);
            let names: &mut Vec<_> = must_provide.entry(it.task).or_default();
            names.push(it);
        }
        Report {
            state,
            now,
            doing,
            findings,
            circle,
            culprits,
            providers,
            must_provide,
        }
    }

    /// Says in one line which tasks have been stuck for `time`, what they wait for, where,
    /// and why nothing wakes them.
    pub(crate) fn verdict(&self, time: u64) -> String {
        let causes = self.findings.chunk_by(|one, other| one.cause == other.cause);
        let words = causes.map(|findings| match findings[0].cause {
            Cause::Circle => format!("a circle of waits: {}", self.links()),
            Cause::NoEvent => {
                let tasks: Vec<u64> = self.state.tasks.keys().copied().collect();
                let mut causes = self.state.tasks.values().map(Task::cause);
                let alone = match (causes.next(), causes.next()) {
                    (Some(None), None) => {
                        ", and no other recorded task is left to wake it"
                    }
                    _ => "",
                };
                format!("no event: {}{alone}", self.sentences(tasks))
            }
            cause => {
                let stuck = self.sentences(findings.iter().map(|it| it.task).collect());
                let is_unpolled = cause == Cause::NeverPolled;
                stuck + &if is_unpolled { self.meanwhile(time) } else { String::new() }
            }
        });
        words.collect::<Vec<_>>().join("; ")
    }

    /// Names the suspended tasks, one of which may wait for a task that was never polled.
    /// Empty if something was recorded in the second half of `time`: they may go on.
    fn meanwhile(&self, time: u64) -> String {
        let suspended = self.state.tasks.iter().filter(|(_, it)| it.cause().is_none());
        let suspended: Vec<u64> = suspended.map(|(id, _)| *id).collect();
        if !self.state.is_silent(self.now, time) || suspended.is_empty() {
            return String::new();
        }
        format!("; meanwhile, {}", self.sentences(suspended))
    }

    fn links(&self) -> String {
        let links = self.circle.iter().map(|(id, wait)| {
            format!("{} waits for {}", self.called(*id), self.wait(wait))
        });
        some(links, self.circle.len(), "; ")
    }

    /// Returns a sentence for each group of equal tasks.
    fn sentences(&self, tasks: Vec<u64>) -> String {
        let groups = self.groups(tasks);
        let sentences = groups.iter().map(|group| self.sentence(group));
        some(sentences, groups.len(), "; ")
    }

    /// Says what the first task of a group does.
    fn sentence(&self, group: &[u64]) -> String {
        let (id, task) = (group[0], &self.state.tasks[&group[0]]);
        let mut called = self.called(id);
        if group.len() > 1 {
            called += &format!(" (one of {} equal tasks)", group.len());
        }
        let created = format!("{called}, created at {},", task.name.place);
        let waits = match task.innermost().next() {
            Some(_) => format!("{called} waits for {}", self.waits(task)),
            None => format!("{created} waits for a future without a name"),
        };
        match task.cause() {
            Some(Cause::InPoll) => {
                format!("{created} does not return from {}", self.poll(id, task))
            }
            Some(Cause::NeverPolled) => {
                format!("{created} was never polled, so it has not begun")
            }
            Some(Cause::NotPolled) => {
                let by = task.woken.as_ref().map(|(_, by)| format!(" by {by}"));
                let by = by.unwrap_or_default();
                format!("{created} was woken{by}, and is not polled")
            }
            Some(Cause::NoWaker) => {
                format!("{waits}, and no waker is left that could wake it")
            }
            _ => waits,
        }
    }

    /// Returns the name of a task, for people.
    fn called(&self, id: u64) -> String {
        match self.state.tasks.get(&id) {
            Some(task) => format!("task {id} {:?}", task.name.text),
            None => format!("task {id}, which has ended,"),
        }
    }

    fn waits(&self, task: &Task) -> String {
        let waits = task.innermost().map(|wait| self.wait(wait));
        some(waits, task.innermost().count(), " or for ")
    }

    /// Returns the name of a wait, and which tasks must provide what it waits for.
    fn wait(&self, wait: &Wait) -> String {
        let providers = self.providers.get(&*wait.name.text);
        let providers = providers.map_or(String::new(), |tasks| {
            let called = tasks.iter().map(|id| self.called(*id));
            format!(", which {} must provide", some(called, tasks.len(), " or "))
        });
        format!("{}{providers}", wait.name)
    }

    /// Describes a poll that lasts.
    fn poll(&self, id: u64, task: &Task) -> String {
        let doing = self.doing.get(&id).map(|it| format!(" on {it}"));
        let mut text = format!("poll {}{}", task.polls, doing.unwrap_or_default());
        let Some(poll) = &task.poll else { return text };
        if let (count, Some(last)) = &poll.waits {
            text += &format!("; waits in this poll: {count}, the last {last}");
        }
        text
    }

    /// Groups equal tasks, which differ only in numbers and times. Culprits come first, and
    /// last what waits for another task. Of the rest, the task that was not polled for the
    /// longest time comes first.
    fn groups(&self, mut tasks: Vec<u64>) -> Vec<Vec<u64>> {
        tasks.sort_by_cached_key(|id| {
            let task = &self.state.tasks[id];
            let mut waits = task.innermost().map(|wait| &*wait.name.text);
            let waits_for_task = waits.any(|name| self.providers.contains_key(name));
            let is_culprit = self.culprits.contains(id);
            let cause = task.cause().unwrap_or(Cause::NoEvent);
            (!is_culprit, cause, waits_for_task, task.polled.0)
        });
        let mut groups: Vec<Vec<u64>> = Vec::new();
        let mut by_kind = BTreeMap::new();
        for id in tasks {
            let task = &self.state.tasks[&id];
            let names = task.innermost().map(|wait| wait.name.to_string());
            let names =
                names.chain(self.of(id).map(|it| format!("provides {}", it.name)));
            let kind = (task.name.to_string(), task.cause(), names.collect::<Vec<_>>());
            let group = *by_kind.entry(kind).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(id);
        }
        groups
    }

    /// Returns what this task must provide.
    fn of(&self, id: u64) -> impl Iterator<Item = &MustProvide> {
        self.must_provide.get(&id).into_iter().flatten().copied()
    }

    /// Describes a task, a line each.
    fn lines(&self, id: u64) -> Vec<String> {
        let task = &self.state.tasks[&id];
        let lasts = |since| time(self.now.saturating_sub(since));
        let mut lines: Vec<String> = Vec::new();
        // While a poll lasts, its waits may change: the line of the poll names the last.
        for wait in task.innermost().filter(|_| task.poll.is_none()) {
            lines.push(format!(
                "has waited {} for {}",
                lasts(wait.since),
                self.wait(wait)
            ));
        }
        for it in self.of(id) {
            lines.push(format!(
                "must provide {}, named {}",
                it.name,
                self.ago(it.since)
            ));
        }
        lines.push(match &task.poll {
            Some(poll) => {
                format!("for {} in {}", lasts(poll.since), self.poll(id, task))
            }
            None if task.polls == 0 => "never polled".into(),
            None => {
                let (last, took) = (self.ago(task.polled.0), time(task.polled.1));
                format!("polls: {}, the last {last} for {took}", task.polls)
            }
        });
        let last = task.woken.as_ref().map(|(when, by)| {
            let not_polled =
                if task.queued.is_some() { ", not polled since" } else { "" };
            format!(", the last {} by {by}{not_polled}", self.ago(*when))
        });
        lines.push(format!("wakes: {}{}", task.wakes, last.unwrap_or_default()));
        let alive = task.wakers_alive();
        let is_lost = task.is_parked() && alive == 0;
        let lost = if is_lost { ", so nothing can wake it" } else { "" };
        lines.push(format!("wakers alive: {alive}{lost}"));
        lines
    }

    fn ago(&self, then: u64) -> String {
        format!("{} ago", time(self.now.saturating_sub(then)))
    }
}

impl Display for Report<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let tasks: Vec<u64> = self.state.tasks.keys().copied().collect();
        let last = self.ago(self.state.trace.last);
        writeln!(out, "  live tasks: {}, last event {last}", tasks.len())?;
        for group in self.groups(tasks) {
            let numbers = some(group.iter().map(u64::to_string), group.len(), ", ");
            let plural = if group.len() == 1 { "" } else { "s" };
            let task = &self.state.tasks[&group[0]];
            let created = self.ago(task.created);
            let (name, place) = (&task.name.text, task.name.place);
            writeln!(
                out,
                "  task{plural} {numbers} {name:?}, created {created} at {place}"
            )?;
            if group.len() > 1 {
                writeln!(out, "    {} equal tasks; of the first:", group.len())?;
            }
            for line in self.lines(group[0]) {
                writeln!(out, "    {line}")?;
            }
        }
        Ok(())
    }
}

/// Joins the first of these, and says how many more of `count` there are. The others are
/// not made.
fn some(all: impl Iterator<Item = String>, count: usize, between: &str) -> String {
    let first = all.take(MOST).collect::<Vec<_>>().join(between);
    match count.saturating_sub(MOST) {
        0 => first,
        more if between.starts_with(" or ") => format!("{first}{between}{more} more"),
        more => format!("{first} and {more} more"),
    }
}

fn time(us: u64) -> String {
    format!("{:.1?}", Duration::from_micros(us))
}
