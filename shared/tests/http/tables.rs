//! The parser returns what the table of cases says, at any split.

use super::cases::{Case, Expected, MAX_BODY, all};
use super::{Answer, parse, without_reusable};
use shared::http::{HttpError, Response};
use std::collections::BTreeSet;

/// Responses up to this length are split before each byte. Longer ones are split at
/// `PLACES` places.
const SHORT: usize = 1000;
const PLACES: usize = 50;

/// Returns whether a response is a redirect with a target, so that its body is not
/// needed.
fn leads_elsewhere(response: &Response) -> bool {
    response.is_redirect() && response.header("location").is_some()
}

/// Expresses the parser's result in the types of the table.
fn outcome(answer: &Answer) -> Expected {
    match answer {
        Ok(response) if response.is_head && !leads_elsewhere(response) => {
            assert!(response.body.is_empty() && !response.reusable);
            Expected::NotRead { status: response.status }
        }
        Ok(response) => Expected::Whole {
            status: response.status,
            body: response.body.clone(),
            is_reusable: response.reusable,
            is_encoded: response.is_encoded,
        },
        Err(HttpError::ClosedBeforeResponse) => Expected::ClosedBeforeResponse,
        Err(HttpError::Truncated) => Expected::Truncated,
        Err(HttpError::Malformed(why)) => Expected::Malformed(why),
        Err(HttpError::TooLarge { limit }) => {
            assert_eq!(*limit, MAX_BODY);
            Expected::TooLarge
        }
    }
}

fn whole(case: &Case) -> Answer {
    parse([&case.bytes[..]], MAX_BODY)
}

#[test]
fn every_case_has_the_expected_outcome() {
    for case in all() {
        let answer = whole(&case);
        let is_as_expected = outcome(&answer) == case.expected;
        assert!(is_as_expected, "{}: {answer:?} is not {:?}", case.name, case.expected);
    }
}

#[test]
fn every_case_has_a_name_of_its_own() {
    let cases = all();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), cases.len());
}

#[test]
fn an_answer_does_not_depend_on_how_its_bytes_were_split() {
    for case in all() {
        let Case { name, bytes, .. } = &case;
        let expected = without_reusable(whole(&case));
        let bytewise = without_reusable(parse(bytes.chunks(1), MAX_BODY));
        assert!(bytewise == expected, "{name}: byte by byte");
        let step = if bytes.len() <= SHORT { 1 } else { bytes.len() / PLACES };
        for at in (0..bytes.len()).step_by(step) {
            let (first, second) = bytes.split_at(at);
            let answer = without_reusable(parse([first, second], MAX_BODY));
            assert!(answer == expected, "{name}: split at {at}");
        }
    }
}

#[test]
fn a_split_does_not_cost_the_connection_unless_bytes_follow_the_answer() {
    let is_kept = |case: &Case| {
        matches!(case.expected, Expected::Whole { is_reusable: true, .. })
    };
    for case in all().into_iter().filter(is_kept) {
        let bytewise = parse(case.bytes.chunks(1), MAX_BODY);
        assert_eq!(outcome(&bytewise), case.expected, "{}", case.name);
    }
}
