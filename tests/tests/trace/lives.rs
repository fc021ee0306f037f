//! The lives of the tasks of a trace, and of its loop: which event may follow which.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The state of a task, as far as its events show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// It exists, and has done nothing yet.
    Created,
    /// It is in the ready queue.
    Queued,
    /// It is suspended. It may be resumed if something `arrived` since it paused.
    Paused { arrived: bool },
    /// It runs. No other task runs until it pauses or ends.
    Resumed,
    /// It came to its own end. The event that ended it may have been one of several
    /// that came together, so an event may still arrive: it is late, and ignored.
    Finished,
    /// It was ended from outside: dropped while it was suspended, or resumed with an
    /// error that was its end. An event that arrives now is late.
    Cancelled,
}

/// The lives of all tasks of a trace.
#[derive(Debug, Default)]
pub(crate) struct Lives {
    pub(crate) tasks: BTreeMap<u64, Life>,
    /// Tasks that made a connection. (The others are there for these.)
    pub(crate) connected: BTreeSet<u64>,
    /// Tasks that were queued while they ran: they will be resumed when they have
    /// paused.
    again: BTreeSet<u64>,
    /// Tasks that were queued and have not run since.
    ready: BTreeSet<u64>,
    /// Tasks that were cancelled. Only one that runs then may go on, until it pauses.
    cancelled: BTreeSet<u64>,
    /// Whether the loop waits in the operating system.
    is_asleep: bool,
    /// The timers that are set: the task that set each of them, and when it is due.
    timers: BTreeMap<u64, (u64, u64)>,
    /// For each socket, the task that registered it, or waited for it last.
    sockets: BTreeMap<u64, u64>,
    /// The task of the event before, if that was `woken`.
    woken: Option<u64>,
    /// What the loop has done last that may wake a task: "reactor" or "timer".
    cause: &'static str,
}

impl Lives {
    /// Reads a trace; the reason for the first event that may not be.
    pub(crate) fn of(trace: &[Value]) -> Result<Lives, String> {
        let mut lives = Lives::default();
        for line in trace {
            lives.event(line).map_err(|why| format!("{why}: {line}"))?;
        }
        for (task, life) in &lives.tasks {
            if !matches!(life, Life::Finished | Life::Cancelled) {
                return Err(format!("task {task} has no end: {life:?}"));
            }
        }
        if lives.is_asleep {
            return Err("the loop sleeps".to_string());
        }
        Ok(lives)
    }

    /// Returns a timer that was neither fired nor cleared.
    pub(crate) fn timer_left(&self) -> Option<u64> {
        self.timers.keys().next().copied()
    }

    /// How many tasks are in the ready queue.
    pub(crate) fn ready(&self) -> usize {
        self.ready.len()
    }

    pub(crate) fn event(&mut self, line: &Value) -> Result<(), String> {
        let task = line["task"].as_u64().ok_or("no task")?;
        let event = line["event"].as_str().ok_or("no event")?;
        // Another thread may wake a task while the loop sleeps.
        if self.is_asleep && !matches!(event, "woke" | "woken" | "queued") {
            return Err("the loop sleeps".to_string());
        }
        if matches!(event, "slept" | "woke") || line["timer"].is_u64() {
            return self.event_of_loop(event, task, line);
        }
        let running = self.tasks.iter().find(|(_, life)| **life == Life::Resumed);
        let running = running.map(|(task, _)| *task);
        self.follow_causes(event, task, line, running)?;
        let life = match (event, self.tasks.get(&task).copied()) {
            ("created", None) => Life::Created,
            ("registered", Some(life @ (Life::Created | Life::Resumed))) => {
                self.connected.insert(task);
                life
            }
            ("woken", Some(life)) => {
                if line["cancels"] == true {
                    self.cancelled.insert(task);
                }
                life
            }
            ("queued", Some(Life::Created | Life::Paused { .. })) => Life::Queued,
            ("queued", Some(Life::Resumed)) if self.again.insert(task) => Life::Resumed,
            // Its waker lived longer than itself, and was used.
            ("queued", Some(life @ (Life::Finished | Life::Cancelled))) => life,
            ("paused", Some(Life::Created | Life::Resumed)) => {
                match self.again.remove(&task) {
                    true => Life::Queued,
                    false => Life::Paused { arrived: false },
                }
            }
            ("arrived", Some(Life::Paused { .. })) => Life::Paused { arrived: true },
            ("arrived", Some(Life::Queued)) => Life::Queued,
            ("arrived", Some(life @ (Life::Finished | Life::Cancelled))) => life,
            ("resumed", _) if running.is_some() => {
                return Err(format!("task {running:?} runs"));
            }
            ("resumed", _) if self.cancelled.contains(&task) => {
                return Err("it was cancelled".to_string());
            }
            ("resumed", Some(Life::Queued)) => Life::Resumed,
            // Stage 1 calls back at once; the others queue first.
            ("resumed", Some(Life::Paused { arrived: true })) => Life::Resumed,
            ("finished", Some(Life::Resumed)) => Life::Finished,
            (
                "cancelled",
                Some(
                    Life::Created | Life::Queued | Life::Paused { .. } | Life::Resumed,
                ),
            ) => Life::Cancelled,
            (event, life) => return Err(format!("{event} does not follow {life:?}")),
        };
        self.tasks.insert(task, life);
        self.follow_sockets(event, task, line)?;
        self.follow_ready(event, task, line)
    }

    /// What wakes a task is the one that runs or, if none does, what the loop has done
    /// last. Another thread may wake it at any time.
    fn follow_causes(
        &mut self,
        event: &str,
        task: u64,
        line: &Value,
        running: Option<u64>,
    ) -> Result<(), String> {
        let by = &line["by"];
        match event {
            "queued" if by.is_null() && self.woken == Some(task) => {}
            "woken" | "queued" => {
                let is_so = match (by.as_str(), by.as_u64()) {
                    (Some("thread"), _) => event == "woken",
                    (Some(of_loop), _) => running.is_none() && self.cause == of_loop,
                    // A task that is dropped may wake others, and has not ended yet.
                    (_, Some(by)) => match running {
                        Some(running) => running == by,
                        None => by == 0 || self.tasks.contains_key(&by),
                    },
                    _ => false,
                };
                if !is_so {
                    return Err(format!("{running:?} runs, after {}", self.cause));
                }
            }
            "arrived" => self.cause = "reactor",
            _ => {}
        }
        self.woken = (event == "woken").then_some(task);
        Ok(())
    }

    /// What the loop itself does: task 0, or the task whose timer it is.
    fn event_of_loop(
        &mut self,
        event: &str,
        task: u64,
        line: &Value,
    ) -> Result<(), String> {
        let running = self.tasks.iter().find(|(_, life)| **life == Life::Resumed);
        let running = running.map_or(0, |(task, _)| *task);
        let number = |key: &str| line[key].as_u64().ok_or(format!("no {key}"));
        match event {
            "slept" if running != 0 => return Err(format!("task {running} runs")),
            "slept" => {
                let next = self.timers.values().map(|(_, when)| *when).min();
                if line["until"].as_u64() != next || task != 0 {
                    return Err(format!("the next timer is due at {next:?}"));
                }
                self.is_asleep = true;
            }
            "woke" if !self.is_asleep || task != 0 => {
                return Err("the loop did not sleep".to_string());
            }
            "woke" => {
                number("events")?;
                self.is_asleep = false;
            }
            "timer-set" => {
                let timer = (task, number("when")?);
                if self.timers.insert(number("timer")?, timer).is_some() {
                    return Err("it is set already".to_string());
                }
                if task != running {
                    return Err(format!("task {running} runs"));
                }
            }
            "timer-fired" | "timer-cleared" => {
                let timer = self.timers.remove(&number("timer")?);
                let (owner, when) = timer.ok_or("it is not set")?;
                if owner != task {
                    return Err(format!("task {owner} set it"));
                }
                if event == "timer-fired" {
                    self.cause = "timer";
                }
                if event == "timer-fired" && (running != 0 || number("us")? < when) {
                    return Err("it is early".to_string());
                }
            }
            _ => return Err("no event of a loop".to_string()),
        }
        Ok(())
    }

    /// A task waits for sockets that were registered, and an event arrives at the task
    /// that waits for it.
    fn follow_sockets(
        &mut self,
        event: &str,
        task: u64,
        line: &Value,
    ) -> Result<(), String> {
        let Some(socket) = line["socket"].as_u64() else { return Ok(()) };
        match event {
            // The next attempt of a task may have its number again, as in stage 2.
            "registered" => _ = self.sockets.insert(socket, task),
            // A connection may be handed to another task.
            "paused" if self.sockets.contains_key(&socket) => {
                self.sockets.insert(socket, task);
            }
            "arrived" if self.sockets.get(&socket) == Some(&task) => {}
            _ => return Err(format!("socket {socket} is not the task's")),
        }
        Ok(())
    }

    fn follow_ready(
        &mut self,
        event: &str,
        task: u64,
        line: &Value,
    ) -> Result<(), String> {
        match event {
            "queued" => _ = self.ready.insert(task),
            "resumed" | "finished" | "cancelled" => _ = self.ready.remove(&task),
            _ => {}
        }
        match line["ready"].as_u64() {
            Some(ready) if ready != self.ready.len() as u64 => {
                Err(format!("{} are ready", self.ready.len()))
            }
            _ => Ok(()),
        }
    }

    /// How many tasks with a connection came to this end.
    pub(crate) fn count(&self, end: Life) -> usize {
        self.connected.iter().filter(|task| self.tasks[*task] == end).count()
    }
}
