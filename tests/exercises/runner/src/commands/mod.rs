//! The commands, and what they share.

mod ask;
pub mod grade;
pub mod learn;
pub mod list;
pub mod mutate;
pub mod prove;
pub mod prove_capstones;
pub mod puzzles;
pub mod review;
mod texts;
pub mod watch;

use crate::compile::Library;
use crate::material::{self, Exercise, Project};
use crate::progress::Progress;
use crate::run::{self, Verdict};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// How long a case of a learner may take, in seconds. Only hangs are timed.
const LEARNER_SECONDS: u64 = 5;

/// What each command needs.
pub struct Desk {
    /// Where everything is.
    pub project: Project,
    /// All exercises, in their order.
    pub exercises: Vec<Exercise>,
    /// What the learner has done.
    pub progress: Progress,
    /// How long a case may take, in seconds, if it was said.
    pub limit: Option<u64>,
    /// The level of the starts that are made, if it was said.
    pub level: Option<u8>,
}

/// What came of a file.
pub enum Outcome {
    /// The compiler refuses it, and says why.
    Refused(String),
    /// It ran. The text is what the compiler has remarked.
    Ran(Verdict, String),
}

impl Outcome {
    /// Returns whether all cases hold.
    pub fn holds(&self) -> bool {
        matches!(self, Outcome::Ran(Verdict { failure: None, .. }, _))
    }
}

impl Desk {
    /// Reads the material and the progress.
    pub fn new(answers: Option<PathBuf>, seconds: Option<u64>) -> Result<Desk, String> {
        let answers = answers.map(std::path::absolute).transpose();
        let project = Project::new(answers.map_err(|error| error.to_string())?);
        let exercises = material::exercises(&project.root)?;
        let progress = Progress::load(&project)?;
        let set = std::env::var("EXERCISE_SECONDS").ok().and_then(|it| it.parse().ok());
        Ok(Desk { project, exercises, progress, limit: seconds.or(set), level: None })
    }

    /// Returns how long a case of a learner may take.
    pub fn seconds(&self) -> u64 {
        self.limit.unwrap_or(LEARNER_SECONDS)
    }

    /// Returns the exercise with this name, or an error that has similar names.
    pub fn find(&self, name: &str) -> Result<Exercise, String> {
        let name = name.trim_end_matches(".rs");
        if let Some(found) = self.exercises.iter().find(|it| it.name == name) {
            return Ok(found.clone());
        }
        let names: Vec<&str> =
            self.exercises.iter().map(|it| it.name.as_str()).collect();
        let near = similar::get_close_matches(name, &names, 3, 0.6);
        Err(match near[..] {
            [] => {
                format!(
                    "there is no exercise `{name}`: `cargo exercise list` lists all"
                )
            }
            _ => format!(
                "there is no exercise `{name}`; did you mean {}?",
                near.join(", ")
            ),
        })
    }

    /// Returns the exercises with these names, or all if there are none.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<Exercise>, String> {
        match names {
            [] => Ok(self.exercises.clone()),
            _ => names.iter().map(|name| self.find(name)).collect(),
        }
    }

    /// Returns the first exercise that is not done.
    pub fn first_open(&self) -> Option<Exercise> {
        self.exercises.iter().find(|it| !self.progress.of(&it.name).is_done).cloned()
    }

    /// Returns the built checks of all exercises.
    pub fn library(&self) -> Result<Library, String> {
        Library::build(&self.project, true)
    }

    /// Returns the built checks, as far as this exercise needs them.
    pub fn library_for(&self, exercise: &Exercise) -> Result<Library, String> {
        Library::build(&self.project, exercise.has_threads(&self.project.root)?)
    }
}

/// Compiles a file and runs it, up to `runs` times: until it fails.
pub fn try_often(
    library: &Library,
    source: &Path,
    name: &str,
    (seconds, runs): (u64, usize),
    color: bool,
) -> Result<Outcome, String> {
    let program = match library.compile(source, name, color) {
        Err(refusal) => return Ok(Outcome::Refused(refusal)),
        Ok(program) => program,
    };
    let run = || run::run(Command::new(&program.path), seconds);
    let mut verdict = run()?;
    for _ in 1..runs {
        if verdict.failure.is_none() {
            verdict = run()?;
        }
    }
    Ok(Outcome::Ran(verdict, program.warnings.clone()))
}

/// Compiles a file and runs it.
pub fn try_file(
    library: &Library,
    source: &Path,
    name: &str,
    seconds: u64,
    color: bool,
) -> Result<Outcome, String> {
    try_often(library, source, name, (seconds, 1), color)
}

/// Does `work` for each of `count` numbers, on as many threads as the machine has cores.
/// The results come in the order of the numbers.
pub fn side_by_side<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    on_threads(processors(), count, work)
}

/// Returns how many cores the machine has, as far as that is known.
fn processors() -> usize {
    thread::available_parallelism().map_or(2, usize::from)
}

/// Does `work` for each of `count` numbers, on several threads. The results come in the
/// order of the numbers.
pub fn on_threads<T: Send>(
    threads: usize,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    let mut all: Vec<(usize, T)> = thread::scope(|scope| {
        let work_all = move || {
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
            numbers.take_while(|it| *it < count).map(|it| (it, work(it))).collect()
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work_all)).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<(usize, T)>>| {
            thread.join().expect("a panic here is a bug of the runner")
        };
        threads.into_iter().flat_map(join).collect()
    });
    all.sort_by_key(|it| it.0);
    all.into_iter().map(|it| it.1).collect()
}
