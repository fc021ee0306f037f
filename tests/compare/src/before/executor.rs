//! The benchmark of the executor, as it was in an older checkout and as it is here.

use super::{with_range, with_spread};
use crate::numbers::failed_to;
use crate::programs;
use crate::results::Spread;
use crate::table::{aligned, markdown};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The workspace of the benchmark, from a checkout's folder.
const WORKSPACE: &str = "tests/compare";
/// The benchmark's name.
pub(super) const BENCH: &str = "executor";

/// Our executor, as the benchmark names it.
const OURS: &str = "stage 3";
/// The same in both versions: how far its ratio is from 1 is what the machine did.
const CONTROL: &str = "tokio LocalSet";

/// Builds the benchmark in the checkout of this folder. `None` if it has none.
///
/// # Errors
/// It cannot be built.
pub(super) fn build(folder: &Path, target: &Path) -> Result<Option<PathBuf>, String> {
    let workspace = folder.join(WORKSPACE);
    match workspace.join("benches").join(BENCH).with_extension("rs").exists() {
        true => programs::build_bench(&workspace, target, BENCH).map(Some),
        false => Ok(None),
    }
}

/// Nanoseconds of one round, by the name of the case.
type Round = BTreeMap<String, Times>;

/// What one run of the benchmark measured in one case.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    ours: f64,
    control: f64,
}

/// All rounds: what each version measured.
pub(super) struct Executors(Vec<[Round; 2]>);

/// Runs both programs in turn, this many times.
///
/// # Errors
/// One does not run, or does not print what this version reads.
pub(super) fn run(programs: [&Path; 2], rounds: usize) -> Result<Executors, String> {
    let both = |_| Ok([run_once(programs[0])?, run_once(programs[1])?]);
    (0..rounds).map(both).collect::<Result<_, String>>().map(Executors)
}

fn run_once(program: &Path) -> Result<Round, String> {
    let mut command = Command::new(program);
    command.args(["--quick", "--json"]).stdin(Stdio::null());
    let output = command.output().map_err(failed_to("run it"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    read(&text).ok_or(format!("{}: no times: {text}", program.display()))
}

/// Reads the lines of JSON that the benchmark prints.
fn read(text: &str) -> Option<Round> {
    let mut round = Round::new();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        let (peer, ns) = (line["peer"].as_str()?, line["ns"].as_f64()?);
        let times = round.entry(line["case"].as_str()?.to_string()).or_default();
        match peer {
            OURS => times.ours = ns,
            CONTROL => times.control = ns,
            _ => {}
        }
    }
    let is_whole = |times: &Times| times.ours > 0.0 && times.control > 0.0;
    (!round.is_empty() && round.values().all(is_whole)).then_some(round)
}

impl Executors {
    /// A line for each case that both versions have.
    pub(super) fn table(&self) -> String {
        let head =
            ["executor of stage 3, ns", "before", "after", "after/before", CONTROL];
        let mut table = markdown(&head, 1);
        let cases = self.0.first().into_iter().flat_map(|[_, after]| after.keys());
        for case in cases {
            if let Some([before, after, ours, control]) = self.cells(case) {
                table.add_row([case, &before, &after, &ours, &control]);
            }
        }
        aligned(&table.to_string(), 1)
    }

    /// Our times before and after, and two ratios: ours, and that of the control.
    fn cells(&self, case: &str) -> Option<[String; 4]> {
        let both = |[before, after]: &[Round; 2]| {
            Some([*before.get(case)?, *after.get(case)?])
        };
        let rounds: Option<Vec<[Times; 2]>> = self.0.iter().map(both).collect();
        let rounds = rounds?;
        let spread =
            |figure: fn(&[Times; 2]) -> f64| Spread::of(rounds.iter().map(figure));
        Some([
            with_spread(spread(|[before, _]| before.ours)?),
            with_spread(spread(|[_, after]| after.ours)?),
            with_range(spread(|[before, after]| after.ours / before.ours)?),
            with_range(spread(|[before, after]| after.control / before.control)?),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(ours: f64, control: f64) -> Round {
        let line = |peer, ns: f64| {
            format!("{{\"case\":\"yield\",\"peer\":\"{peer}\",\"ns\":{ns}}}\n")
        };
        let text = line(OURS, ours) + &line("another", 1.0) + &line(CONTROL, control);
        read(&text).expect("both are there")
    }

    #[test]
    fn each_round_has_its_own_ratio_beside_that_of_what_did_not_change() {
        // The machine was three times as slow in the second round, and we always twice.
        let rounds = [
            [round(50.0, 40.0), round(100.0, 40.0)],
            [round(150.0, 120.0), round(300.0, 120.0)],
        ];
        let cells = Executors(rounds.to_vec()).cells("yield").expect("a line");
        assert_eq!(cells[2..], ["2.000 (2.000 to 2.000)", "1.000 (1.000 to 1.000)"]);
    }

    #[test]
    fn a_benchmark_that_prints_something_else_has_no_times() {
        assert!(read("").is_none());
        assert!(read("| a table |\n").is_none());
        let control = format!("{{\"case\":\"yield\",\"peer\":\"{CONTROL}\",\"ns\":9}}");
        assert!(read(&control).is_none(), "ours is missing");
    }
}
