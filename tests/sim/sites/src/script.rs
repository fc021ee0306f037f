//! A site that follows a script, a line for each path:
//!
//! ```text
//! # comments and blank lines are ignored
//! connect 5ms                        how long a connection takes
//! refuse 10.0.0.2:80                 no server there
//! refuse 3                           the third connection is refused
//! silent 10.0.0.3:80                 no machine there
//! /      10ms 200 links=/a,/b,/c
//! /a     1s   200 text=hello pieces=2 every=5ms
//! /b     0ms  503 retry-after=1      the first request for /b …
//! /b     0ms  200                    … and all others
//! /c     0ms  reset
//! *      1s   200                    each other path
//! ```
//!
//! A response is a status, and then any of `links=`, `text=`, `bytes=` (its body),
//! `location=`, `retry-after=` (fields), `pieces=`, `every=`, and `close`. Instead of a
//! status: `reset`, `close`, `nothing`. All addresses lead to this site.

use crate::http::{Head, Requests, response};
use crate::rule::{Rule, Then, duration};
use simulated_os::{Act, Answers, Plan, Site};
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

/// How long a connection takes, if the script does not say it.
const CONNECT: Duration = Duration::from_millis(5);
/// The path that stands for each other path.
const OTHER: &str = "*";

/// A site that follows a script.
#[derive(Debug)]
pub struct Script {
    connect: Duration,
    refuse: BTreeSet<SocketAddr>,
    /// The numbers of connections that are refused.
    refused: BTreeSet<usize>,
    silent: BTreeSet<SocketAddr>,
    /// For each path the rules for its first request, its second, and so on. The last one
    /// is for all that follow.
    rules: BTreeMap<String, Vec<Rule>>,
    asked: BTreeMap<String, usize>,
    connections: BTreeMap<usize, Requests>,
}

impl Script {
    /// Parses a script.
    ///
    /// # Errors
    /// The line that is wrong, and why.
    pub fn parse(text: &str) -> Result<Script, String> {
        let mut script = Script {
            connect: CONNECT,
            refuse: BTreeSet::new(),
            refused: BTreeSet::new(),
            silent: BTreeSet::new(),
            rules: BTreeMap::new(),
            asked: BTreeMap::new(),
            connections: BTreeMap::new(),
        };
        for line in text.lines().map(str::trim) {
            let is_empty = line.is_empty() || line.starts_with('#');
            let parsed = if is_empty { Ok(()) } else { script.line(line) };
            parsed.map_err(|why| format!("in the line `{line}`: {why}"))?;
        }
        Ok(script)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        if first == "refuse"
            && let Some(number) = words.clone().next().and_then(|it| it.parse().ok())
        {
            self.refused.insert(number);
            return Ok(());
        }
        let mut address = || {
            let word = words.next().unwrap_or_default();
            word.parse().map_err(|_| format!("{word}: not an address with a port"))
        };
        match first {
            "connect" => self.connect = duration(words.next().ok_or("no time")?)?,
            "refuse" => _ = self.refuse.insert(address()?),
            "silent" => _ = self.silent.insert(address()?),
            path if path == OTHER || path.starts_with('/') => {
                let rule = Rule::parse(words)?;
                self.rules.entry(path.to_string()).or_default().push(rule);
            }
            other => return Err(format!("{other}: neither a path nor a setting")),
        }
        Ok(())
    }

    /// What is done about this request.
    fn rule(&mut self, path: &str) -> Rule {
        let asked = self.asked.entry(path.to_string()).or_default();
        let rules = self.rules.get(path).or_else(|| self.rules.get(OTHER));
        let rule = rules.and_then(|it| it.get(*asked).or(it.last())).cloned();
        *asked += 1;
        rule.unwrap_or_else(|| {
            Rule::parse(["0ms", "404"].into_iter()).expect("a rule that is constant")
        })
    }
}

impl Site for Script {
    fn connect(
        &mut self,
        connection: usize,
        to: SocketAddr,
        _: Duration,
    ) -> (Duration, Answers) {
        let answers = match () {
            () if self.refused.contains(&connection) => Answers::Refuses,
            () if self.refuse.contains(&to) => Answers::Refuses,
            () if self.silent.contains(&to) => Answers::Nothing,
            () => Answers::Accepts,
        };
        (self.connect, answers)
    }

    fn receive(&mut self, connection: usize, bytes: &[u8], _: Duration) -> Plan {
        let requests = self.connections.entry(connection).or_default();
        requests.feed(bytes);
        let heads: Vec<Head> = requests.by_ref().collect();
        let plan = |head: Head| plan(self.rule(&head.path), &head);
        heads.into_iter().flat_map(plan).collect()
    }

    fn hung_up(&mut self, connection: usize, _: Duration) {
        self.connections.remove(&connection);
    }
}

/// What a rule does about this request.
fn plan(Rule { after, then }: Rule, head: &Head) -> Plan {
    let (status, fields, body, pieces, every, closes) = match then {
        Then::Closes => return vec![(after, Act::Close)],
        Then::Resets => return vec![(after, Act::Reset)],
        Then::Nothing => return Plan::new(),
        Then::Responds { status, fields, body, pieces, every, closes } => {
            (status, fields, body, pieces, every, closes)
        }
    };
    let mut bytes = response(status, &fields, &body);
    if head.method == "HEAD" {
        bytes.truncate(bytes.len() - body.len());
    }
    let size = bytes.len().div_ceil(pieces);
    let pieces = bytes.chunks(size).map(|it| Act::Send(it.to_vec()));
    let times = (0..).map(|number| after + every * number);
    let mut plan: Plan = times.zip(pieces).collect();
    if closes || head.closes {
        let last = plan.last().map_or(after, |(when, _)| *when);
        plan.push((last, Act::Close));
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(script: &mut Script, request: &str) -> Vec<(u64, String)> {
        let text = |act| match act {
            Act::Send(bytes) => String::from_utf8(bytes).expect("text"),
            act => format!("{act:?}"),
        };
        let plan = script.receive(1, request.as_bytes(), Duration::ZERO);
        let ms = |it: Duration| u64::try_from(it.as_millis()).expect("it is short");
        plan.into_iter().map(|(when, act)| (ms(when), text(act))).collect()
    }

    #[test]
    fn the_last_rule_of_a_path_is_for_all_further_requests() {
        let mut script = Script::parse("/a 1ms reset\n/a 2ms close").expect("a script");
        let mut ask = || ask(&mut script, "GET /a HTTP/1.1\r\n\r\n");
        assert_eq!(ask(), [(1, "Reset".to_string())]);
        assert_eq!(ask(), [(2, "Close".to_string())]);
        assert_eq!(ask(), [(2, "Close".to_string())]);
    }

    #[test]
    fn a_connection_is_refused_by_its_number_or_by_its_address() {
        let mut script =
            Script::parse("refuse 2\nrefuse 10.0.0.2:80").expect("a script");
        let mut answer = |number, to: &str| {
            script.connect(number, to.parse().expect("an address"), Duration::ZERO).1
        };
        assert_eq!(answer(1, "10.0.0.1:80"), Answers::Accepts);
        assert_eq!(answer(2, "10.0.0.1:80"), Answers::Refuses);
        assert_eq!(answer(3, "10.0.0.2:80"), Answers::Refuses);
    }

    #[test]
    fn a_response_comes_in_pieces_and_a_client_may_ask_for_its_end() {
        let rule = "/ 7ms 200 links=/a,/b pieces=2 every=3ms";
        let mut script = Script::parse(rule).expect("a script");
        let plan = ask(&mut script, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
        let times: Vec<u64> = plan.iter().map(|(when, _)| *when).collect();
        assert_eq!(times, [7, 10, 10]);
        assert_eq!(plan[2].1, "Close");
        let whole = format!("{}{}", plan[0].1, plan[1].1);
        let body = "<a href=\"/a\">/a</a>\n<a href=\"/b\">/b</a>\n";
        assert!(
            whole.ends_with(&format!("Content-Length: 40\r\n\r\n{body}")),
            "{whole}"
        );
    }

    #[test]
    fn a_bad_line_is_named() {
        for (line, why) in [
            ("/a", "no time"),
            ("/a 5", "5: not a time (10ms, 1s)"),
            ("/a 5ms", "no status, reset, close or nothing"),
            ("/a 5ms 2x", "2x: not a status"),
            ("/a 5ms 200 linxs=/b", "linxs=/b: not a part of a response"),
            ("/a 5ms reset 200", "200: nothing can follow"),
            ("refuse nowhere", "nowhere: not an address with a port"),
            ("a 5ms 200", "a: neither a path nor a setting"),
        ] {
            let error = Script::parse(line).unwrap_err();
            assert_eq!(error, format!("in the line `{line}`: {why}"));
        }
    }
}
