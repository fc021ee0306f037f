//! A crawl that starts a task for each fetch, and asks each task for its result.

use crate::toy::coroutines::Future;
pub use crate::toy::coroutines::{
    Coroutine, FetchError, Join, Loop, Result, Resume, Step,
};
use crate::{cases, story, yield_from};

/// Starts fetches, and returns what they return.
pub trait Crawl: 'static {
    /// Runs each fetch as a task, side by side. Returns the results of all fetches, in
    /// the order of the fetches; the crawl itself does not fail.
    fn crawl(fetches: Vec<Fetch>)
    -> impl Coroutine<Return = Result<Results>> + 'static;
}

/// What the fetches have returned.
pub type Results = Vec<Result<u32>>;

/// A fetch: takes so much time, and then returns a result.
pub struct Fetch {
    number: usize,
    time: u64,
    result: Result<u32>,
    answer: Option<Future>,
}

impl Coroutine for Fetch {
    type Return = Result<u32>;

    fn resume(&mut self, event_loop: &mut Loop, resume: Resume) -> Step<Result<u32>> {
        let answer = self.answer.get_or_insert_with(|| {
            story!("  fetch {} begins", self.number);
            let (future, when) =
                (event_loop.new_future(), event_loop.now() + self.time);
            event_loop.timers.set(when, Box::new(move |it| it.resolve(future)));
            future
        });
        let waited = yield_from!(answer, event_loop, resume);
        story!("  fetch {} returns {:?}", self.number, self.result);
        Step::Return(waited.and_then(|()| self.result.clone()))
    }
}

cases! {
    Crawl:
    it_returns_what_the_fetches_return,
    the_fetches_run_side_by_side,
    the_results_are_in_the_order_of_the_fetches,
    no_error_is_lost,
    an_error_is_one_of_the_results,
    two_errors_are_two_results,
    a_crawl_without_fetches,
}

/// How a crawl has ended.
struct End {
    result: Result<Results>,
    time: u64,
    lost_errors: Vec<FetchError>,
}

/// Runs a crawl of fetches that take so much time and return these results.
fn play<C: Crawl>(fetches: &[(u64, Result<u32>)]) -> End {
    let fetches = fetches
        .iter()
        .cloned()
        .enumerate()
        .map(|(number, (time, result))| Fetch { number, time, result, answer: None });
    let mut event_loop = Loop::default();
    let mut crawl = event_loop.spawn(C::crawl(fetches.collect()));
    for time in 0..=20 {
        event_loop.turn_to(time);
        if let Step::Return(result) = crawl.resume(&mut event_loop, Resume::Send) {
            story!("the crawl returns {result:?}");
            event_loop.turn_to(30); // what was started goes on
            let lost_errors = event_loop.lost_errors();
            return End { result, time, lost_errors };
        }
    }
    panic!("all fetches have ended, and the crawl does not return");
}

const RESET: Result<u32> = Err(FetchError::Reset);
const REFUSED: Result<u32> = Err(FetchError::Refused);

fn it_returns_what_the_fetches_return<C: Crawl>() {
    let end = play::<C>(&[(1, Ok(10)), (2, Ok(20)), (3, Ok(30))]);
    let results = vec![Ok(10), Ok(20), Ok(30)];
    assert_eq!(end.result, Ok(results), "the results of the three fetches");
}

fn the_fetches_run_side_by_side<C: Crawl>() {
    let end = play::<C>(&[(1, Ok(10)), (2, Ok(20)), (3, Ok(30))]);
    assert_eq!(end.time, 3, "when the crawl returns; its longest fetch takes 3");
}

fn the_results_are_in_the_order_of_the_fetches<C: Crawl>() {
    for times in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        crate::story::begin();
        let [one, two, three] = times;
        let end = play::<C>(&[(one, Ok(10)), (two, Ok(20)), (three, Ok(30))]);
        assert_eq!(end.result, Ok(vec![Ok(10), Ok(20), Ok(30)]), "they take {times:?}");
    }
}

fn no_error_is_lost<C: Crawl>() {
    let end = play::<C>(&[(1, RESET), (2, Ok(20)), (3, REFUSED)]);
    assert_eq!(
        end.lost_errors,
        [],
        "errors that are stored for a `Join` and never taken"
    );
}

fn an_error_is_one_of_the_results<C: Crawl>() {
    for place in 0..3 {
        crate::story::begin();
        let mut fetches = [(1, Ok(10)), (2, Ok(20)), (3, Ok(30))];
        fetches[place].1 = RESET;
        let results = fetches.clone().map(|(_, result)| result);
        assert_eq!(
            play::<C>(&fetches).result,
            Ok(results.into()),
            "fetch {place} fails"
        );
    }
}

fn two_errors_are_two_results<C: Crawl>() {
    let end = play::<C>(&[(1, RESET), (2, Ok(20)), (3, REFUSED)]);
    assert_eq!(end.result, Ok(vec![RESET, Ok(20), REFUSED]), "fetches 0 and 2 fail");
    let end = play::<C>(&[(1, RESET), (2, Ok(20)), (3, RESET), (4, Ok(20))]);
    let results = vec![RESET, Ok(20), RESET, Ok(20)];
    assert_eq!(end.result, Ok(results), "two results may be the same");
}

fn a_crawl_without_fetches<C: Crawl>() {
    let end = play::<C>(&[]);
    assert_eq!((end.result, end.time), (Ok(vec![]), 0), "there is nothing to wait for");
}
