//! Valid answers that chance has broken, from a seed: all three crawlers have to say
//! the same of them, and that which the parser says of the same bytes without any
//! socket.
//!
//! `MUTATED_ANSWERS=100000` breaks so many. A seed that fails is printed, and
//! `MUTATED_SEED=17` runs that one alone.

mod expected;
mod judge;
mod mutation;
mod site;
mod valid;

use judge::judge;
use libtest_mimic::{Failed, Trial};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{
    Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner,
};
use site::{Answer, BROKEN, PAGES, Site, answer};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How many, unless `MUTATED_ANSWERS` says more.
const USUAL_ANSWERS: usize = 1000;
/// Smaller ones that are tried, of an answer at which a crawler fails.
const SMALLER: u32 = 100;

/// Returns a test for each seed.
pub(crate) fn trials() -> Vec<Trial> {
    let seeds = match number("MUTATED_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("MUTATED_ANSWERS").unwrap_or(USUAL_ANSWERS).div_ceil(BROKEN),
    };
    let trial =
        |seed| Trial::test(format!("mutations::seed_{seed}"), move || run(seed));
    seeds.map(trial).collect()
}

/// Prints how many broken answers came to which end, if any did.
pub(crate) fn summary() {
    let became = BECAME.lock().expect("no thread panics with the lock");
    let became = became.iter().map(|(outcome, count)| format!("{count} {outcome}"));
    let became: Vec<String> = became.collect();
    if !became.is_empty() {
        println!("broken answers, and what became of them: {}\n", became.join(", "));
    }
}

/// How many broken answers have come to which end.
static BECAME: Mutex<BTreeMap<&str, usize>> = Mutex::new(BTreeMap::new());

fn number(variable: &str) -> Option<usize> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")))
}

/// The answers of a seed, which can be made smaller.
type Trees = BTreeMap<usize, Box<dyn ValueTree<Value = Answer>>>;

/// Judges the site of a seed. If that fails: the smallest one found that fails, too.
fn run(seed: usize) -> Result<(), Failed> {
    let mut runner = runner(seed);
    let tree = |number| {
        let tree = answer(number).boxed().new_tree(&mut runner);
        (number, tree.expect("nothing is filtered out"))
    };
    let trees: Trees = (0..PAGES).map(tree).collect();
    let why = match judge(seed, &site(&trees)) {
        Ok(outcomes) => {
            let mut became = BECAME.lock().expect("no thread panics with the lock");
            let names = outcomes.iter().map(|outcome| outcome.name());
            names.for_each(|name| *became.entry(name).or_default() += 1);
            return Ok(());
        }
        Err(why) => why,
    };
    let (why, site) = shrink(seed, why, trees, &mut runner);
    Err(format!("MUTATED_SEED={seed}: {why}\n{site}").into())
}

fn runner(seed: usize) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&(seed as u64).to_le_bytes());
    let config = Config {
        max_shrink_iters: SMALLER,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn site(trees: &Trees) -> Site {
    Site(trees.iter().map(|(number, tree)| (*number, tree.current())).collect())
}

/// As long as one half of the site is enough to fail: that half. And of a single answer
/// whatever proptest can make smaller.
fn shrink(
    seed: usize,
    mut why: String,
    mut trees: Trees,
    runner: &mut TestRunner,
) -> (String, Site) {
    while trees.len() > 1 {
        let middle = *trees.keys().nth(trees.len() / 2).expect("there are two");
        let mut second = trees.split_off(&middle);
        if let Err(later) = judge(seed, &site(&trees)) {
            why = later;
        } else if let Err(later) = judge(seed, &site(&second)) {
            (why, trees) = (later, second);
        } else {
            trees.append(&mut second);
            return (why, site(&trees));
        }
    }
    let (number, tree) = trees.pop_first().expect("there is one left");
    let last = Site(BTreeMap::from([(number, tree.current())]));
    let shrunk = runner.run_one(tree, |answer| {
        let alone = Site(BTreeMap::from([(number, answer)]));
        judge(seed, &alone).map(drop).map_err(TestCaseError::fail)
    });
    match shrunk {
        Err(TestError::Fail(why, answer)) => {
            (why.to_string(), Site(BTreeMap::from([(number, answer)])))
        }
        _ => (why, last), // it does not fail each time
    }
}
