//! `--serve`: a folder is served as hosts do it, crawled, and told by its paths.

use super::{Rule, Stage, json_lines, rules};
use serde_json::{Value, json};
use std::fs;
use tempfile::{TempDir, tempdir};

pub(crate) const ALL: &[(&str, Rule)] = rules![
    a_folder_is_served_and_crawled,
    a_folder_without_an_index_is_told,
    check_leaves_with_1_if_no_page_of_the_folder_was_checked,
    roots_are_paths_in_the_served_folder,
    nothing_outside_the_served_folder_is_served,
    a_site_lives_below_its_base_path,
    a_base_path_that_was_forgotten_is_told,
    links_that_need_a_clean_url_are_counted_once,
    what_is_not_served_is_told_with_the_reason,
    two_runs_print_the_same_but_for_times_and_ports,
];

fn a_folder_is_served_and_crawled(stage: &Stage) {
    let folder = folder();
    let lines = serve(stage, &folder, &[], 0);
    assert_eq!(
        served(&lines),
        ["/", "/page.html", "/sub/", "/sub/a%20b.html", "/sub/plain"]
    );
    let check = ["--check", "--serve", folder.path().to_str().expect("a plain name")];
    stage.run(&check).left_with(0);
}

fn a_folder_without_an_index_is_told(stage: &Stage) {
    const TOLD: &str = "has no index.html: a list of it is crawled";
    let empty = tempdir().expect("a folder for this test");
    let name = empty.path().to_str().expect("a plain name");
    let err = |arguments: &[&str]| stage.run(arguments).left_with(0).err;
    assert!(err(&["--serve", name]).contains(TOLD));
    let told = stage.run(&["-q", "--check", "--serve", name]).left_with(1).err;
    assert!(told.contains(TOLD), "{told}");
    assert!(!err(&["-qq", "--serve", name]).contains(TOLD));
    fs::write(empty.path().join("page.html"), "").expect("the folder is ours");
    assert!(!err(&["--serve", name, "page.html"]).contains(TOLD), "not the list");
    fs::write(empty.path().join("index.html"), "").expect("the folder is ours");
    assert_eq!(err(&["-q", "--serve", name]), "");
    // A link to a list further down.
    for sub in ["sub a", "b"] {
        fs::create_dir(empty.path().join(sub)).expect("the folder is ours");
    }
    let page = "<a href='sub a/'>a list</a><a href='page.html'>no list</a>";
    fs::write(empty.path().join("index.html"), page).expect("the folder is ours");
    const ONE: &str = "warning: the folder /sub%20a/ has no index.html: links to it lead \
                       to a list, which many servers refuse\n";
    assert_eq!(err(&["-q", "--check", "--serve", name]), ONE);
    let both = format!("{page}<a href=b>another list</a>");
    fs::write(empty.path().join("index.html"), both).expect("the folder is ours");
    assert!(
        err(&["-q", "--serve", name]).contains("2 folders have no index.html, /b/")
    );
    fs::write(empty.path().join("b/index.html"), "").expect("the folder is ours");
    assert_eq!(err(&["-q", "--serve", name]), ONE);
}

/// A list of nothing is no site: its generator may have failed.
fn check_leaves_with_1_if_no_page_of_the_folder_was_checked(stage: &Stage) {
    let folder = tempdir().expect("a folder for this test");
    let name = folder.path().to_str().expect("a plain name");
    let list = format!("warning: {name} has no index.html: a list of it is crawled\n");
    let both = format!("{list}warning: no page of {name} was checked\n");
    let check = |arguments: &[&str], code| {
        stage.run(&[&["--check", "--serve", name], arguments].concat()).left_with(code)
    };
    assert_eq!(check(&[], 1).err, both);
    assert_eq!(check(&["-qq"], 1).err, "");
    assert_eq!(stage.run(&["--serve", name]).left_with(0).err, list);
    // Nor are files that are no pages, and lists of them.
    write(&folder, "sub/plain.txt", "text");
    assert_eq!(check(&[], 1).err, both);
    assert_eq!(check(&["sub/?list"], 1).err.lines().last(), both.lines().last());
    // A page that failed is a page: what is wrong is in the report.
    let failed = check(&["/sub/", "/gone.html"], 1);
    assert!(failed.out.contains("status 404"), "{failed:#?}");
    assert!(!failed.err.contains("no page"), "{failed:#?}");
    // Below a list there may be one.
    write(&folder, "sub/page.html", "");
    assert!(!check(&[], 0).err.contains("no page"));
    let depth = check(&["--max-depth=1"], 1);
    assert!(depth.err.ends_with(&format!("no page of {name} was checked\n")));
    check(&["sub/page.html?x"], 0);
}

fn roots_are_paths_in_the_served_folder(stage: &Stage) {
    let folder = folder();
    for root in ["/page.html", "page.html", "/page.html#part", "./sub/../page.html"] {
        assert_eq!(
            served(&serve(stage, &folder, &[root], 0)),
            ["/page.html"],
            "{root}"
        );
    }
    let two = serve(stage, &folder, &["page.html", "/sub/plain"], 0);
    assert_eq!(served(&two), ["/page.html", "/sub/plain"]);
    let lines = serve(stage, &folder, &["/nothing"], 0);
    assert_eq!(served(&lines), ["/nothing"]);
    assert_eq!(lines[0]["status"], 404);
    serve(stage, &folder, &["/nothing", "--check"], 1);
}

fn nothing_outside_the_served_folder_is_served(stage: &Stage) {
    let folder = folder();
    let inner = folder.path().join("sub");
    let inner = inner.to_str().expect("a plain name");
    for root in
        ["../page.html", "/..%2fpage.html", "/%2e%2e/page.html", "..\\page.html"]
    {
        let done = stage.run(&["--format=jsonl", "--serve", inner, root]).left_with(0);
        let lines = json_lines(&done.out);
        assert_eq!((lines.len(), &lines[0]["status"]), (2, &json!(404)), "{root}");
    }
}

fn a_site_lives_below_its_base_path(stage: &Stage) {
    const LOST: &str = "<a href=/project/never>not searched for links</a>";
    let folder = tempdir().expect("a folder for this test");
    write(&folder, "index.html", "<a href=/project/sub/>in</a><a href=../x>out</a>");
    write(&folder, "sub/index.html", "<a href=/project>top</a><a href=none>none</a>");
    write(&folder, "404.html", LOST);
    for base in ["/project/", "/project", "project"] {
        let lines = serve(stage, &folder, &["--base-path", base], 0);
        let all = ["/project", "/project/", "/project/sub/", "/project/sub/none", "/x"];
        assert_eq!(served(&lines), all, "{base}");
        assert_eq!(row(&lines, "/project")["outcome"], "redirect");
        assert_eq!(row(&lines, "/project/")["depth"], 0);
        let none = row(&lines, "/project/sub/none");
        assert_eq!((&none["status"], &none["error"]), (&json!(404), &json!(null)));
        assert_eq!(none["size"], LOST.len(), "it is 404.html");
        let error = "status 404: the path is not below the base path";
        assert_eq!(row(&lines, "/x")["error"], error);
    }
    let one = ["--base-path=/project/", "sub/none"];
    assert_eq!(served(&serve(stage, &folder, &one, 0)), ["/project/sub/none"]);
    let folder = folder.path().to_str().expect("a plain name");
    let outside = ["--serve", folder, "--base-path", "/project/", "/sub/"];
    let refused = stage.run(&outside).left_with(2);
    let why = "error: bad ROOT '/sub/': not below the base path /project/";
    assert!(refused.err.starts_with(why), "{refused:#?}");
    assert_eq!(refused.out, "");
}

fn a_base_path_that_was_forgotten_is_told(stage: &Stage) {
    let folder = tempdir().expect("a folder for this test");
    let links = "<a href=/project/guide>1</a><a href=/other/guide.html>not enough</a>";
    write(&folder, "index.html", links);
    write(&folder, "guide.html", "");
    let name = folder.path().to_str().expect("a plain name");
    assert_eq!(stage.run(&["--check", "--serve", name]).left_with(1).err, "");
    let links = format!("{links}<a href=/project/>2</a><a href=/project/none>none</a>");
    write(&folder, "index.html", &links);
    let told = "warning: 2 paths that are missing would be found with --base-path \
                /project/\n";
    assert_eq!(stage.run(&["--check", "--serve", name]).left_with(1).err, told);
    let below = ["--check", "-qq", "--serve", name, "--base-path", "/project/"];
    let text = stage.run(&below).left_with(1).out;
    assert!(text.contains(", 2 HTTP errors,"), "/other/guide.html and none: {text}");
}

fn links_that_need_a_clean_url_are_counted_once(stage: &Stage) {
    let folder = tempdir().expect("a folder for this test");
    write(&folder, "index.html", "<a href=guide>1</a><a href=guide?again#part>2</a>");
    write(&folder, "guide.html", "<a href=guide id=part>3</a>");
    write(&folder, "both.html", "");
    write(&folder, "both/index.html", "");
    let name = folder.path().to_str().expect("a plain name");
    let check = ["--check", "--fragments", "--serve", name];
    const ONE: &str = "warning: /guide is answered with /guide.html: links to it need a \
                       host that does so, and not every host does\n";
    let told = stage.run(&check).left_with(0);
    assert_eq!(told.err, ONE, "{told:#?}");
    assert_eq!(stage.run(&[&check[..], &["-qq"]].concat()).left_with(0).err, "");
    write(&folder, "guide.html", "<a href=both>both</a><a href=both/>the folder</a>");
    const TWO: &str = "warning: 2 paths are answered by adding .html, /both for one: \
                       links to them need a host that does so, and not every host does\n";
    assert_eq!(stage.run(&["--check", "--serve", name]).left_with(0).err, TWO);
}

#[cfg(unix)]
fn what_is_not_served_is_told_with_the_reason(stage: &Stage) {
    use std::os::unix::fs::symlink;
    let all = tempdir().expect("a folder for this test");
    write(&all, "public/index.html", "<a href=inner/>in</a> <a href=leak.html>out</a>");
    write(&all, "public/real/index.html", "<a href=..%2f..%2fx>out</a>");
    write(&all, "x", "");
    fs::create_dir(all.path().join("wrap")).expect("the folder is ours");
    for (target, link) in [
        ("../public", "wrap/project"),
        ("real", "public/inner"),
        ("../x", "public/leak.html"),
    ] {
        symlink(target, all.path().join(link)).expect("room for a link");
    }
    let failed = |folder: &str| {
        let folder = all.path().join(folder);
        let folder = folder.to_str().expect("a plain name");
        stage.run(&["--check", "--serve", folder]).left_with(1).out
    };
    let why = "http-error: status 404: the path leads out of the served folder (a \
               symbolic link, or ..)";
    let told = format!(
        "What went wrong, and where it was found:\n  \
         /inner/..%2f..%2fx\n    {why}\n    found on /inner/\n  \
         /leak.html\n    {why}\n    found on /\n\n"
    );
    let text = failed("public");
    assert!(text.starts_with(&told), "{text}");
    let text = failed("wrap");
    let told = format!("found:\n  /project\n    {why}\n    found on /\n");
    assert!(text.contains(&told), "{text}");
}

#[cfg(not(unix))]
fn what_is_not_served_is_told_with_the_reason(_: &Stage) {}

fn two_runs_print_the_same_but_for_times_and_ports(stage: &Stage) {
    let folder = folder();
    let links =
        "<a href=none.html>none</a> <a href=sub>sub</a> <a href=feed.rss>feed</a>";
    write(&folder, "page.html", links);
    write(&folder, "feed.rss", "<rss/>");
    let name = folder.path().to_str().expect("a plain name");
    let run = || {
        let done = stage.run(&["--serve", name]).left_with(0);
        let lines = done.out.lines().filter(|line| !line.starts_with("Finished "));
        (lines.map(str::to_string).collect::<Vec<_>>(), done.err)
    };
    let (text, warnings) = run();
    assert_eq!((&text, &warnings), (&run().0, &run().1));
    assert!(!text.iter().any(|line| line.contains("127.0.0.1")), "{text:#?}");
    assert!(text.iter().any(|line| line.ends_with("/sub -> /sub/")), "{text:#?}");
    assert!(warnings.contains("not searched for links: /feed.rss\n"), "{warnings}");
    let row = &serve(stage, &folder, &[], 0)[0];
    let url = row["url"].as_str().expect("it stays");
    assert!(url.starts_with("http://127.0.0.1:"), "{row}");
    assert_eq!(row["path"], "/");
}

fn folder() -> TempDir {
    let folder = tempdir().expect("a folder for this test");
    write(
        &folder,
        "index.html",
        "<a href=page.html>a page</a> <a href=sub/>a list</a>",
    );
    write(&folder, "page.html", "no links");
    write(&folder, "sub/a b.html", "<a href=/>up</a>");
    write(&folder, "sub/plain", "plain");
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let file = folder.path().join(name);
    fs::create_dir_all(file.parent().expect("it is in the folder"))
        .expect("it is ours");
    fs::write(file, text).expect("the folder is ours");
}

fn serve(stage: &Stage, folder: &TempDir, arguments: &[&str], code: i32) -> Vec<Value> {
    let folder = folder.path().to_str().expect("a plain name");
    let common = ["--format=jsonl", "--serve", folder];
    json_lines(&stage.run(&[&common, arguments].concat()).left_with(code).out)
}

/// The paths of the rows, on whatever port the folder was served.
fn served(lines: &[Value]) -> Vec<&str> {
    lines.iter().filter_map(|line| line["path"].as_str()).collect()
}

/// The row of a path.
fn row<'a>(lines: &'a [Value], path: &str) -> &'a Value {
    let is_it = |line: &&Value| line["path"] == path;
    lines.iter().find(is_it).unwrap_or_else(|| panic!("no row for {path}: {lines:#?}"))
}
