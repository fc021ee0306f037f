//! What is asked for wrongly: exit code 2, a sentence on standard error, and nothing
//! else.

use super::{Rule, Stage, rules};
use conformance::programs::Finished;
use conformance::scripted::Site;
use tempfile::tempdir;

pub(crate) const ALL: &[(&str, Rule)] = rules![
    help_and_version_are_no_errors,
    the_edges_of_what_is_allowed_are_allowed,
    one_bad_root_and_nothing_is_contacted,
    an_output_that_cannot_be_written_and_nothing_is_contacted,
    a_trace_that_cannot_be_written_and_nothing_is_contacted,
    a_folder_that_is_none_cannot_be_served,
    a_path_that_leaves_the_served_site_is_a_bad_root,
];

fn help_and_version_are_no_errors(stage: &Stage) {
    for option in ["--help", "-h"] {
        let help = stage.run(&[option]).left_with(0);
        assert!(help.out.contains(&format!("Usage: {}", stage.package)), "{help:#?}");
        assert_eq!(help.err, "");
    }
    for option in ["--version", "-V"] {
        let version = stage.run(&[option]).left_with(0);
        assert!(
            version.out.starts_with(&format!("{} ", stage.package)),
            "{version:#?}"
        );
        assert_eq!((version.out.lines().count(), version.err.as_str()), (1, ""));
    }
}

fn the_edges_of_what_is_allowed_are_allowed(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    for arguments in [
        &["--max-tasks", "1", "--max-tries", "1", "--max-pages", "1"][..],
        &["--max-tasks", "100000", "--max-tries", "4294967295"],
        &["--max-redirect", "0", "--max-depth", "0"],
        &["--timeout", "31536000"],
        &["--user-agent", " curious/1.0 (~!) "],
        &["--strict", "--lenient", "--strict"],
        &["-vvv"],
        &["-qqq"],
    ] {
        let lines = stage.crawl(&server, "/", arguments);
        assert_eq!(lines[0]["outcome"], "ok", "{arguments:?}");
    }
    let named = |request: &String| request.contains("User-Agent: curious/1.0 (~!)\r\n");
    assert!(server.seen().requests.iter().any(named));
}

fn one_bad_root_and_nothing_is_contacted(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    let (good, also_good) = (server.url("/"), server.url("/a"));
    assert_refused(&stage.run(&[&good, "ftp://x", &also_good]), "'ftp://x'");
    assert_eq!(server.seen().connections, 0);
}

fn an_output_that_cannot_be_written_and_nothing_is_contacted(stage: &Stage) {
    let folder = tempdir().expect("a folder for this test");
    for file in [folder.path().join("none/report"), folder.path().to_path_buf()] {
        assert_unwritable(stage, "-o", file.to_str().expect("a plain name"));
        assert_unwritable(stage, "--output", file.to_str().expect("a plain name"));
    }
}

fn a_trace_that_cannot_be_written_and_nothing_is_contacted(stage: &Stage) {
    let folder = tempdir().expect("a folder for this test");
    for file in [folder.path().join("none/trace"), folder.path().to_path_buf()] {
        assert_unwritable(stage, "--trace", file.to_str().expect("a plain name"));
    }
}

#[track_caller]
fn assert_unwritable(stage: &Stage, option: &str, file: &str) {
    let server = Site::new().page("/", &[]).serve();
    let refused = stage.run(&[&server.url("/"), option, file]);
    assert_refused(&refused, file);
    assert!(!refused.err.contains("os error"), "the system's words: {refused:#?}");
    assert_eq!(server.seen().connections, 0);
}

fn a_folder_that_is_none_cannot_be_served(stage: &Stage) {
    let folder = tempdir().expect("a folder for this test");
    let file = folder.path().join("file");
    std::fs::write(&file, "a file").expect("the folder is ours");
    for folder in [folder.path().join("none"), file] {
        let folder = folder.to_str().expect("a plain name");
        let refused = stage.run(&["--serve", folder]);
        assert_refused(&refused, folder);
        assert!(!refused.err.contains("os error"), "the system's words: {refused:#?}");
    }
}

fn a_path_that_leaves_the_served_site_is_a_bad_root(stage: &Stage) {
    let server = Site::new().page("/", &[]).serve();
    let folder = tempdir().expect("a folder for this test");
    let folder = folder.path().to_str().expect("a plain name");
    for path in [&server.url("/"), "//127.0.0.1/", "mailto:x", "https:/x"] {
        assert_refused(&stage.run(&["--serve", folder, "/", path]), path);
    }
    assert_eq!(server.seen().connections, 0);
}

/// Wrong usage: 2, a sentence that names what was wrong, no report, no bug.
#[track_caller]
pub(crate) fn assert_refused(refused: &Finished, what: &str) {
    let refused = refused.clone().left_with(2);
    assert_eq!(refused.out, "", "{refused:#?}");
    assert!(refused.err.starts_with("error: "), "{refused:#?}");
    assert!(refused.err.contains(what), "{what} is not named in {refused:#?}");
    assert!(!refused.err.contains("panicked"), "{refused:#?}");
}
