//! In which order the arrows of a figure appear on a slide.

use super::figure::Figure;
use super::pen::line;

/// The step of each arrow, from 0; `None`: it is there from the start.
///
/// Without numbers the arrows appear in the order of the file. With numbers those that
/// have one appear in its order, and equal ones that follow each other together. Where the
/// numbers begin again, as in the two halves of a figure, the second half follows the first.
pub(super) fn steps(figure: &Figure) -> Vec<Option<usize>> {
    let numbers: Vec<Option<usize>> =
        figure.arrows.iter().map(|arrow| arrow.label.parse().ok()).collect();
    let mut known: Vec<usize> = numbers.iter().flatten().copied().collect();
    if known.is_empty() {
        return (0..numbers.len()).map(Some).collect();
    }
    let in_file = known.clone();
    known.sort_unstable();
    if known.windows(2).all(|pair| pair[0] < pair[1]) {
        let step = |number| known.iter().position(|it| *it == number);
        return numbers.into_iter().map(|it| it.and_then(step)).collect();
    }
    let changes = in_file.windows(2).scan(0, |step, pair| {
        *step += usize::from(pair[0] != pair[1]);
        Some(*step)
    });
    let mut steps = std::iter::once(0).chain(changes);
    numbers.into_iter().map(|it| it.and_then(|_| steps.next())).collect()
}

/// Opens the group of a step.
pub(super) fn open(svg: &mut String, step: Option<usize>) {
    if let Some(step) = step {
        line(svg, &format!("<g class=\"fragment\" data-fragment-index=\"{step}\">"));
    }
}

/// Closes it.
pub(super) fn close(svg: &mut String, step: Option<usize>) {
    if step.is_some() {
        line(svg, "</g>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::figure;

    #[track_caller]
    fn assert_steps(labels: &[&str], expected: &[Option<usize>]) {
        let arrows = labels.iter().map(|label| format!("arrow a b \"{label}\"\n"));
        let text = "size 9 9\nalt A.\ncode a 0 0 1 1 \"a\"\ncode b 5 5 1 1 \"b\"\n";
        let figure = figure(&(text.to_string() + &arrows.collect::<String>()));
        assert_eq!(steps(&figure.expect("it can be read")), expected);
    }

    #[test]
    fn arrows_appear_in_the_order_of_their_numbers() {
        assert_steps(&["2", "", "1", "4"], &[Some(1), None, Some(0), Some(2)]);
        assert_steps(&["a", "b"], &[Some(0), Some(1)]);
    }

    #[test]
    fn equal_numbers_appear_together_and_a_second_half_after_the_first() {
        assert_steps(&["1", "1", "2"], &[Some(0), Some(0), Some(1)]);
        assert_steps(&["1", "2", "1", "2"], &[0, 1, 2, 3].map(Some));
    }
}
