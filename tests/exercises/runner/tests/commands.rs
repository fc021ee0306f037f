//! The commands, as a learner and a teacher use them.

mod common;

use common::{Folder, LEAF};
use runner::puzzle::Parsons;
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
    for words in ["cannot find value", "leaf.rs:1", "does not compile"] {
        assert!(text.contains(words), "{text}");
    }
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

/// A folder of students, and their folders.
fn class(names: &[&str]) -> (Folder, Vec<String>) {
    let class = Folder::new();
    let folder = |name: &&str| {
        let folder = class.file(name);
        fs::create_dir_all(&folder).expect("the folder can be written");
        folder.to_str().expect("text").to_string()
    };
    let folders = names.iter().map(folder).collect();
    (class, folders)
}

#[test]
fn grade_makes_a_table_of_this_weeks_exercises_and_finds_copies() {
    let (class, folders) = class(&["s10", "s9/src/bin", "s2", "=s1,1", "s3"]);
    class.write("s10/leaf.rs", &LEAF);
    let renamed = LEAF.replace("slot", "place").replace("// ", "// mine: ");
    class.write("s9/src/bin/leaf.rs", &renamed);
    let start = |name: &str, level| {
        let desk = class.desk();
        desk.find(name).and_then(|it| it.start(&desk.project.root, level)).expect(name)
    };
    class.write("s3/leaf.rs", &start("leaf", 2));
    // Most of it is given, and is no copy.
    class.write("s3/executor.rs", &start("executor", 1));
    let folders: Vec<&str> =
        folders.iter().map(|it| it.trim_end_matches("/src/bin")).collect();
    let arguments = [&["grade", "--only", "leaf,executor"], &folders[..]].concat();
    let output = class.command(&arguments).output().expect("the command was built");
    let (table, said) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        String::from_utf8_lossy(table).replace('"', "|"),
        "|student|,|hold|,|leaf|,|executor|,|alike|\n\
         |'=s1,1|,|0|,|missing|,|missing|,||\n\
         |s2|,|0|,|missing|,|missing|,||\n\
         |s3|,|0|,|fails after 0: a number that is there is taken at once|,\
         |fails after 0: spawn runs nothing and run runs it (level 1)|,||\n\
         |s9|,|1|,|holds|,|missing|,|leaf: the repository 100 %|\n\
         |s10|,|1|,|holds|,|missing|,|leaf: the repository 100 %|\n"
    );
    assert!(
        said.contains("s9: graded, but in the wrong place: src/bin/leaf.rs"),
        "{said}"
    );
    assert!(said.contains("s2: no file to grade"), "{said}");
    assert!(said.contains("4 of 4 files are checked"), "{said}");
    assert!(said.contains("It proves nothing"), "{said}");
    // Which of two it is, is not guessed.
    fs::create_dir_all(class.file("s9/more")).expect("the folder can be written");
    class.write("s9/more/leaf.rs", &LEAF);
    let (code, text) = class.run(&["grade", "--only", "leaf", folders[1]]);
    assert!(
        code == 2 && text.contains("None is graded of more/leaf.rs, src/"),
        "{text}"
    );
}

#[test]
fn grade_lists_two_students_who_are_alike_and_not_like_the_repository() {
    let (class, folders) = class(&["ada", "bob"]);
    // Other code, and no matter whether it is right.
    let lines: String =
        (0..30).map(|it| format!("print({it}, it - {it});\n")).collect();
    let mine =
        format!("fn print(a: i32, b: i32) {{}} fn main() {{ let it = 1; {lines} }}");
    class.write("ada/leaf.rs", &mine);
    class.write("bob/leaf.rs", &mine.replace("it", "number").replace("print", "show"));
    let (_, text) = class.run(&["grade", "--only", "leaf", &folders[0], &folders[1]]);
    for (student, other) in [("ada", "bob"), ("bob", "ada")] {
        let line =
            format!("\"{student}\",\"0\",\"fails after 0\",\"leaf: {other} 100 %\"\n");
        assert!(text.contains(&line), "{text}");
    }
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

/// Runs a command with this input.
fn typed(folder: &Folder, arguments: &[&str], input: &str) -> (i32, String) {
    folder.write("input", input);
    let input = fs::File::open(folder.file("input")).expect("it was just written");
    let output = folder.command(arguments).stdin(input).output().expect("it was built");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().expect("it ends by itself"), text)
}

#[test]
fn another_right_order_of_the_blocks_passes_too() {
    let folder = Folder::new();
    let exercise = folder.desk().find("executor").expect("it is there");
    let puzzle = Parsons::of(&exercise, 0).expect("it can be made");
    let parsons = |order: &[usize], before: &str| {
        let numbers: Vec<String> =
            order.iter().map(|it| (it + 1).to_string()).collect();
        let input = format!("{before}{}\n", numbers.join(" "));
        typed(&folder, &["parsons", "executor"], &input)
    };
    let mut order = puzzle.order();
    let (code, text) = parsons(&order[..4], "\n0\n3 x\n99999999999999999999\n");
    assert!(code == 1 && text.contains("It does not compile."), "{text}");
    let (code, text) = parsons(&order, "1 2\n");
    assert!(code == 0 && text.contains("It does not compile."), "{text}");
    // Items may come in any order.
    order.swap(0, 1);
    let (code, text) = parsons(&order, "");
    assert!(code == 0 && text.contains("cases hold"), "{text}");
}

#[test]
fn a_mistake_is_stopped_by_one_of_the_cases() {
    let folder = Folder::new();
    let mut right = 0;
    for number in 1..=LEAFS_CASES {
        let (code, text) = typed(&folder, &["which", "leaf"], &format!("{number}\n"));
        assert!(text.contains("the check says: "), "{text}");
        right += usize::from(code == 0);
    }
    assert_eq!(right, 1);
    let (code, text) = typed(&folder, &["which", "leaf", "--seed", "1"], "none");
    assert!(code == 1 && !text.contains("the check says"), "{text}");
}

#[test]
fn a_review_says_what_is_due_on_a_day() {
    let folder = Folder::new();
    folder.write("progress.txt", "leaf yes 1 0 no 2026-11-28\nleaf 2\n");
    let (code, text) = typed(&folder, &["review", "--on", "2026-11-28"], "");
    assert!(code == 0 && text.contains("The next one is on 2026-11-29"), "{text}");
    assert!(text.contains("cannot be read: 1, as \"leaf 2\""), "{text}");
    let (code, text) = typed(&folder, &["review", "--on", "2026-12-24"], "");
    assert!(code == 1 && text.contains("The rest stays due."), "{text}");
    assert!(text.contains("\n1 of 5  (chapter 14: Interlude: "), "{text}");
    let (code, text) = folder.run(&["review", "--on", "tomorrow"]);
    assert!(code == 2 && text.contains("no day such as 2026-12-24"), "{text}");
}
