//! Plays a case with all choices that it can make: which page arrives next, which task is
//! polled next, and so on.

use crate::story;

/// The most ways to play one case. More would take too long.
const MOST: usize = 10_000;

/// Runs `case` once for each sequence of choices. The case calls its argument with a
/// number of possibilities, and gets one of them: 0, 1 and so on. The story is that of
/// the latest sequence.
pub fn in_every_order(case: impl Fn(&mut dyn FnMut(usize) -> usize)) {
    // What was chosen, and from how many.
    let mut choices: Vec<(usize, usize)> = Vec::new();
    for _ in 0..MOST {
        story::begin();
        let mut made = 0;
        case(&mut |count| {
            if made == choices.len() {
                choices.push((0, count));
            }
            made += 1;
            // A solution that uses a hash table may have other possibilities this time.
            choices[made - 1].0.min(count - 1)
        });
        choices.truncate(made);
        while choices.pop_if(|it| it.0 + 1 >= it.1).is_some() {}
        match choices.last_mut() {
            Some(latest) => latest.0 += 1,
            None => return,
        }
    }
    panic!("a case of these checks has more than {MOST} orders");
}
