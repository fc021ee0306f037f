//! A generator with three pauses.

use crate::{cases, story};

/// Where a `resume` has stopped.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Paused at a `yield` of this number.
    Yield(u32),
    /// At the end, with this value.
    Return(String),
}

/// The generator had returned before: nothing is left to resume.
#[derive(Debug, PartialEq, Eq)]
pub struct Finished;

/// The frame of this function:
///
/// ```text
/// let result = yield 1;
/// let result2 = yield 2;
/// let result3 = yield 3;
/// return format!("{result} {result2} {result3}");
/// ```
pub trait Generator {
    /// Makes a generator, and runs none of its code.
    fn new() -> Self;
    /// Runs to the next `yield`, or to the end. `sent` becomes the result of the
    /// `yield` where the generator is paused. At the start, it is ignored.
    fn resume(&mut self, sent: &'static str) -> Result<Step, Finished>;
}

cases! {
    Generator:
    it_yields_three_times_and_returns,
    what_was_sent_is_returned,
    two_generators_take_turns,
    after_its_end_a_generator_is_finished,
    the_frame_has_room_for_two_results_and_its_place,
}

fn resume<G: Generator>(
    name: &str,
    generator: &mut G,
    sent: &'static str,
) -> Result<Step, Finished> {
    let step = generator.resume(sent);
    story!("{name} is sent {sent:?}: {step:?}");
    step
}

/// Resumes a generator to its end. Returns what it has yielded, and its value.
fn run<G: Generator>(sent: [&'static str; 4]) -> (Vec<u32>, String) {
    let (mut generator, mut yielded) = (G::new(), Vec::new());
    for sent in sent {
        match resume("it", &mut generator, sent) {
            Ok(Step::Yield(number)) => yielded.push(number),
            Ok(Step::Return(value)) => return (yielded, value),
            Err(Finished) => panic!("it is finished without having returned"),
        }
    }
    panic!("it has yielded {yielded:?}, and does not return")
}

fn it_yields_three_times_and_returns<G: Generator>() {
    let (yielded, _) = run::<G>(["", "a", "a", "a"]);
    assert_eq!(yielded, [1, 2, 3], "what it has yielded when it returns");
}

fn what_was_sent_is_returned<G: Generator>() {
    let (_, value) = run::<G>(["ignored", "a", "b", "c"]);
    assert_eq!(value, "a b c", "the results of the three yields");
    let (_, value) = run::<G>(["", "a b", "c d", "e"]);
    assert_eq!(
        value, "a b c d e",
        "the results of the three yields: strings that contain spaces"
    );
    let (_, value) = run::<G>(["", "a", "", "c"]);
    assert_eq!(
        value, "a  c",
        "the results of the three yields: empty texts are results"
    );
    let (_, value) = run::<G>(["", "", "", ""]);
    assert_eq!(value, "  ", "the results of the three yields: empty texts are results");
}

fn two_generators_take_turns<G: Generator>() {
    let (mut one, mut two) = (G::new(), G::new());
    for (to_one, to_two) in [("", ""), ("a", "d"), ("b", "e")] {
        resume("one", &mut one, to_one).ok();
        resume("two", &mut two, to_two).ok();
    }
    let value = resume("one", &mut one, "c");
    assert_eq!(value, Ok(Step::Return("a b c".into())), "each has its own frame");
    let value = resume("two", &mut two, "f");
    assert_eq!(value, Ok(Step::Return("d e f".into())), "each has its own frame");
}

fn after_its_end_a_generator_is_finished<G: Generator>() {
    let mut generator = G::new();
    for sent in ["", "a", "b", "c"] {
        resume("it", &mut generator, sent).ok();
    }
    for _ in 0..2 {
        let step = resume("it", &mut generator, "d");
        assert_eq!(step, Err(Finished), "it has returned already");
    }
}

fn the_frame_has_room_for_two_results_and_its_place<G: Generator>() {
    let most = 2 * size_of::<&str>() + size_of::<usize>();
    let size = size_of::<G>();
    assert!(
        size <= most,
        "the frame has {size} bytes, and {most} are enough: at no pause are more than \
         two results alive"
    );
}
