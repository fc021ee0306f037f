//! The book as mdBook alone builds it, with no program of ours: it can be read, and each of its
//! links leads somewhere.

use book::html::site::Site;
use book::read::place::Place;
use book::whole::pages;
use mdbook_driver::MDBook;

#[test]
fn mdbook_alone_builds_a_book_without_marks_and_dead_links() {
    let folder = tempfile::tempdir().expect("a folder for a test");
    let own = Place::new(None, None).book;
    let mut mdbook = MDBook::load(&own).expect("it is there");
    let written = &mdbook.config.build.build_dir;
    assert!(!written.ends_with("target/book"), "there `cargo book build` writes");
    mdbook.config.build.build_dir = folder.path().to_path_buf();
    mdbook.build().expect("mdBook has all that it needs");
    let site = Site::read(folder.path());
    assert!(site.pages.len() > 50, "{}", site.pages.len());
    let problems: Vec<String> =
        pages::check(&site).iter().map(|it| it.to_string()).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let first = &site.page("index").expect("it has a first page").text;
    assert!(first.contains("The command <code>cargo book</code>"), "{first}");
    assert!(first.contains("class=\"lanes\""), "{first}");
    let plans = &site.page("teaching").expect("teachers have a page").text;
    assert!(plans.contains("<td>0–8</td>"), "{plans}");
}
