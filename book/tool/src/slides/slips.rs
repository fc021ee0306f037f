//! The slips for the role play of tasks, wakers and events: one page to cut.

use std::fmt::Write;

/// How many students are tasks.
const TASKS: usize = 4;

/// The slips: their kind for the style, and their text.
fn slips() -> Vec<(&'static str, String)> {
    let each = |kind: &'static str, text: fn(usize) -> String| {
        let letter = |number: usize| char::from(b"ABCDEFGH"[number - 1]);
        let whole =
            move |number| format!("<small>{}</small>{}", letter(number), text(number));
        (1..=TASKS).map(move |number| (kind, whole(number)))
    };
    let ids = each("id", |number| format!("<b>{number}</b>"));
    let wakers = each("waker", |number| format!("waker<br><b>{number}</b>"));
    let events = each("event", |number| format!("event:<br>token {number}"));
    let pending = each("answer", |_| "pending".to_string());
    let ready = each("answer", |_| "ready".to_string());
    ids.chain(wakers).chain(events).chain(pending).chain(ready).collect()
}

/// The page.
pub(super) fn page() -> String {
    let mut html = String::from(
        "<section class=\"slips\"><h2>Slips for the role play</h2>\n\
         <p>Cut along the lines. The letter in the corner says to which task a slip \
         belongs. Each student playing a task gets the answers <i>pending</i> and \
         <i>ready</i>. The numbers are the ready queue, and a waker goes \
         into an envelope: to wake a task, take the number out and put it at the end of the \
         queue. The student playing the operating system hands the events to the \
         reactor.</p>\n<ul>\n",
    );
    for (kind, text) in slips() {
        writeln!(html, "<li class=\"{kind}\"><span>{text}</span></li>")
            .expect("a String");
    }
    html + "</ul></section>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_has_an_id_a_waker_an_event_and_two_answers() {
        let html = page();
        assert_eq!(html.matches("<li").count(), 5 * TASKS);
        assert!(html.contains("token 1") && html.contains("waker<br><b>4</b>"));
        for letter in ["A", "D"] {
            assert_eq!(html.matches(&format!("<small>{letter}</small>")).count(), 5);
        }
    }
}
