//! The commands, as a learner and a teacher use them.

mod common;

use common::{Folder, LEAF};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// The solutions of all exercises, so that `leaf` is the only open one.
fn all_done_but_leaf(folder: &Folder) {
    for exercise in folder.desk().exercises {
        if exercise.name != "leaf" {
            let change = |entry: &mut runner::progress::Entry| entry.is_done = true;
            folder.desk().progress.change(&exercise.name, change).expect("a file");
        }
    }
}

#[test]
fn the_first_call_makes_the_file_and_checks_it() {
    let folder = Folder::new();
    all_done_but_leaf(&folder);
    let (code, text) = folder.run(&[]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("A leaf and its waker") && text.contains("made just now"),
        "{text}"
    );
    assert!(text.contains("TODO") && text.contains("leaf.rs:"), "{text}");
    assert!(
        text.contains("checks/src/exercises/leaf.rs"),
        "where its types are: {text}"
    );
    let start = folder.read("leaf.rs");
    assert!(start.contains("todo!") && !start.contains("ANCHOR"), "{start}");
    let (_, text) = folder.run(&["list"]);
    assert!(text.contains("→ leaf") && text.contains("1 try"), "{text}");
}

#[test]
fn a_level_says_how_much_of_a_new_file_is_left_to_the_learner() {
    let folder = Folder::new();
    let (_, text) = folder.run(&["check", "pool", "--level", "3"]);
    assert!(text.contains("pool.rs  (made just now)"), "{text}");
    let bare = folder.read("pool.rs");
    assert!(bare.contains("struct Mine {}") && bare.contains("    todo!()"), "{bare}");
    let (_, text) = folder.run(&["reset", "pool", "--level", "1"]);
    assert!(text.contains("pool.rs  (made just now)"), "{text}");
    let few = folder.read("pool.rs");
    assert!(few.contains("books.in_flight -= 1") && few.contains("todo!"), "{few}");
    let (_, text) = folder.run(&["start", "pool", "--level", "3"]);
    assert!(text.contains("(as it was; `cargo exercise reset pool`"), "{text}");
    assert_eq!(folder.read("pool.rs"), few);
    let (code, text) = folder.run(&["check", "pool", "--level", "4"]);
    assert!(code == 2 && text.contains("4 is not in 1..=3"), "{text}");
}

/// How many cases the exercise `leaf` has.
const LEAFS_CASES: usize = 8;

/// What is printed of a solution of `leaf` that holds.
fn all_cases_hold() -> String {
    format!("all {LEAFS_CASES} cases hold")
}

#[test]
fn a_solution_that_holds_is_noted_and_next_goes_on() {
    let folder = Folder::new();
    all_done_but_leaf(&folder);
    folder.write("leaf.rs", &LEAF);
    let (code, text) = folder.run(&["next"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains(&all_cases_hold()) && text.contains("You have done all"),
        "{text}"
    );
    assert!(folder.read("progress.txt").contains("leaf yes 1 0 no"));
}

#[test]
fn check_is_0_or_1_and_an_unknown_name_is_2() {
    let folder = Folder::new();
    folder.write("leaf.rs", &LEAF);
    assert_eq!(folder.run(&["check", "leaf"]).0, 0);
    folder.write("leaf.rs", "fn main() { what }");
    let (code, text) = folder.run(&["check", "leaf"]);
    assert_eq!(code, 1);
    assert!(
        text.contains("cannot find value") && text.contains("does not compile"),
        "{text}"
    );
    let (code, text) = folder.run(&["check", "lea"]);
    assert_eq!(code, 2);
    assert!(text.contains("leaf"), "{text}");
}

#[test]
fn a_warning_is_shown_once_all_cases_hold() {
    let folder = Folder::new();
    folder.write("leaf.rs", &LEAF.replace("fn main", "fn unused() {}\nfn main"));
    let (code, text) = folder.run(&["check", "leaf"]);
    assert_eq!(code, 0);
    assert!(text.contains("`unused` is never used"), "{text}");
}

#[test]
fn what_another_terminal_has_noted_is_kept() {
    let folder = Folder::new();
    let mut watching = folder.desk(); // it has read the file before the other writes it
    folder.run(&["hint", "leaf"]);
    watching.progress.change("leaf", |entry| entry.tries += 1).expect("a file");
    assert!(folder.read("progress.txt").contains("leaf no 1 1 no"));
}

#[test]
fn hints_come_one_after_the_other() {
    let folder = Folder::new();
    for count in [1, 2, 3, 3] {
        let (_, text) = folder.run(&["hint", "leaf"]);
        assert_eq!(text.matches("of 3").count(), count, "{text}");
    }
    assert!(folder.read("progress.txt").contains("leaf no 0 3 no"));
}

#[test]
fn the_solution_and_the_mistakes_come_after_passing_or_on_request() {
    let folder = Folder::new();
    for command in ["solution", "mistakes"] {
        let (code, text) = folder.run(&[command, "leaf"]);
        assert_eq!(code, 2, "{text}");
        assert!(text.contains("--anyway") && !text.contains("waiter"), "{text}");
    }
    let (code, text) = folder.run(&["solution", "leaf", "--anyway"]);
    assert_eq!(code, 0);
    assert!(text.contains("slot.waiter = Some"), "{text}");
    assert!(folder.read("progress.txt").contains("leaf no 0 0 yes"));
    let (_, text) = folder.run(&["mistakes", "leaf", "--anyway"]);
    assert!(
        text.contains("the check says: the task that polled last is woken"),
        "{text}"
    );
}

#[test]
fn reset_keeps_the_file_under_another_name() {
    let folder = Folder::new();
    folder.write("leaf.rs", &LEAF);
    folder.run(&["reset", "leaf"]);
    folder.run(&["reset", "leaf"]);
    assert_eq!(folder.read("old/leaf.1.rs"), *LEAF);
    assert!(folder.read("old/leaf.2.rs").contains("todo!"));
    assert!(folder.read("leaf.rs").contains("todo!"));
}

#[test]
fn grade_names_the_first_case_that_fails() {
    let (ada, bob) = (Folder::new(), Folder::new());
    ada.write("leaf.rs", &LEAF);
    let forgotten = "        slot.waiter = Some(cx.waker().clone());\n";
    bob.write("leaf.rs", &LEAF.replace(forgotten, ""));
    let folders = [&ada, &bob].map(|it| it.path().to_str().expect("text"));
    let (code, text) = ada.run(&["grade", folders[0], folders[1], "--json"]);
    assert_eq!(code, 0, "{text}");
    let grades: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let leaf = |student: usize| {
        let all = grades["students"][student]["exercises"].as_array().expect("a list");
        all.iter().find(|it| it["exercise"] == "leaf").expect("an entry").clone()
    };
    assert_eq!(
        (&leaf(0)["state"], &leaf(0)["cases_held"]),
        (&"holds".into(), &LEAFS_CASES.into())
    );
    assert_eq!(leaf(1)["state"], "fails");
    let case = "a task that waits is woken and finds the number";
    assert_eq!(leaf(1)["first_failing_case"], case);
    assert_eq!(
        (&leaf(0)["is_copy"], &leaf(1)["is_copy"]),
        (&true.into(), &false.into())
    );
    let (_, text) = ada.run(&["grade", folders[0], folders[1]]);
    assert_eq!(
        text.matches("a copy of the repository's solution").count(),
        1,
        "{text}"
    );
}

#[test]
fn grade_names_a_folder_that_has_no_exercise_and_where_they_are() {
    let student = Folder::new();
    fs::create_dir_all(student.file("src/bin")).expect("the folder can be written");
    student.write("src/bin/leaf.rs", &LEAF);
    student.write("notes.rs", "fn main() {}");
    let (here, there) = (student.path(), student.path().join("src/bin"));
    let (here, there) = (here.to_str().expect("text"), there.to_str().expect("text"));
    let (code, text) = student.run(&["grade", here]);
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("no file here has the name of an exercise"), "{text}");
    assert!(text.contains(&format!("did you mean {there}?")), "{text}");
    let (code, text) = student.run(&["grade", there]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("holds"), "{text}");
}

#[test]
fn watch_checks_at_each_save_until_q() {
    let folder = Folder::new();
    let mut command = folder.command(&["watch", "leaf"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the command was built");
    let (mut input, output) =
        (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            sender.send(line).ok();
        }
    });
    let wait_for = |words: &str| loop {
        // Long enough for a busy machine; only a broken `watch` waits so long.
        let line = lines.recv_timeout(Duration::from_secs(300)).expect(words);
        if line.contains(words) {
            return line;
        }
    };
    wait_for("TODO");
    wait_for("cases hold"); // none of them yet
    folder.write("leaf.rs", &LEAF);
    let line = wait_for("cases hold");
    assert!(line.contains(&all_cases_hold()), "{line}");
    writeln!(input, "q").expect("it listens");
    assert!(child.wait().expect("it ends").success());
}
