//! Nothing that a server sends reaches the terminal raw.

use super::{Rule, Stage, json_lines, rules};
use conformance::programs::Finished;
use conformance::scripted::{Server, Site, answer, html};

pub(crate) const ALL: &[(&str, Rule)] = rules![
    nothing_raw_reaches_the_terminal,
    nothing_raw_is_in_the_json_and_it_can_be_read,
    nothing_raw_is_told_meanwhile,
    nothing_raw_comes_back_from_the_command_line,
];

/// What makes a terminal do something, or shows text in another order than it has: ESC,
/// bell, backspace, CR, DEL, C1's CSI, marks of direction, line separators, a BOM.
const EVIL: [char; 12] = [
    '\u{1b}',
    '\u{7}',
    '\u{8}',
    '\r',
    '\u{7f}',
    '\u{9b}',
    '\u{202e}',
    '\u{2066}',
    '\u{200f}',
    '\u{2028}',
    '\u{feff}',
    '\u{e0001}',
];

/// A site that puts each of them wherever a server can put something.
fn evil_site() -> Server {
    let mut links = String::new();
    for (number, evil) in EVIL.iter().enumerate() {
        let escape = u32::from(*evil);
        links += &format!(
            "<a href='/path{number}/{evil}[31mred'>x</a>\
             <a href='/query{number}?{evil}'>x</a>\
             <a href='/entity{number}?a&#x{escape:x};b'>x</a>\
             <a href='http://127.0.0.1{evil}:1/'>x</a>\
             <a href='/type{number}'>x</a>\
             <a href='/charset{number}'>x</a>\
             <a href='/moved{number}'>x</a>\
             <a href='/status{number}'>x</a>\
             <a href='/head{number}'>x</a>"
        );
    }
    let page = format!("<meta charset=utf-8>{links}");
    let mut site = Site::new().raw("/", &html(&page));
    for (number, evil) in EVIL.iter().enumerate() {
        let kind = format!("Content-Type: text/{evil}[31mred; charset=\"{evil}\"\r\n");
        let charset = format!("Content-Type: text/html; charset={evil}[31mred\r\n");
        let moved = format!("Location: /moved/{evil}[31mred?{evil}\r\n");
        site = site
            .raw(&format!("/type{number}"), &answer("200 OK", &kind, b"x"))
            .raw(&format!("/charset{number}"), &answer("200 OK", &charset, b"x"))
            .raw(&format!("/moved{number}"), &answer("302 Found", &moved, b""))
            .raw(
                &format!("/status{number}"),
                &answer(&format!("404 {evil}[31m"), "", b""),
            )
            .raw(
                &format!("/head{number}"),
                format!("{evil}[31mred\r\n\r\n").as_bytes(),
            );
    }
    site.serve()
}

fn nothing_raw_reaches_the_terminal(stage: &Stage) {
    let server = evil_site();
    assert_clean(&stage.run(&["--max-tries=1", &server.url("/")]).left_with(0));
}

fn nothing_raw_is_in_the_json_and_it_can_be_read(stage: &Stage) {
    let server = evil_site();
    let arguments = ["--max-tries=1", "--format=jsonl", "--links", &server.url("/")];
    let done = stage.run(&arguments).left_with(0);
    assert_clean(&done);
    assert!(json_lines(&done.out).len() > 7 * EVIL.len());
}

fn nothing_raw_is_told_meanwhile(stage: &Stage) {
    let server = evil_site();
    let done = stage.run(&["-vv", "--max-tries=2", &server.url("/")]).left_with(0);
    assert_clean(&done);
    assert!(done.err.lines().count() > 7 * EVIL.len());
}

/// What is typed may have been pasted from a page.
fn nothing_raw_comes_back_from_the_command_line(stage: &Stage) {
    for evil in EVIL {
        assert_clean(&stage.run(&[&format!("ftp://x/{evil}[31m")]).left_with(2));
        assert_clean(&stage.run(&[&format!("http://x y/{evil}[31m")]).left_with(2));
        for argument in
            ["--format=", "--", "--timeout=", "--exclude=(", "--depth=", "-"]
        {
            assert_clean(&stage.run(&[&format!("{argument}{evil}[31m")]).left_with(2));
        }
        assert_clean(
            &stage.run(&["--trace-format", &format!("{evil}[31m")]).left_with(2),
        );
        let folder = format!("no/{evil}[31m");
        assert_clean(&stage.run(&["--serve", &folder]).left_with(2));
        assert_clean(&stage.run(&["-o", &folder, "http://127.0.0.1:1/"]).left_with(2));
        assert_clean(
            &stage.run(&["--trace", &folder, "http://127.0.0.1:1/"]).left_with(2),
        );
    }
}

#[track_caller]
fn assert_clean(done: &Finished) {
    for text in [&done.out, &done.err] {
        for line in text.lines() {
            let raw = line.chars().find(|it| it.is_control() || EVIL.contains(it));
            assert_eq!(raw, None, "{line:?}");
        }
    }
}
