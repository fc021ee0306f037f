//! The stream and the tree find the same links: on real pages and on generated ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use page_tree::{links_by_tree, may_differ};
use proptest::prelude::*;
use proptest::sample::select;
use shared::Url;
use shared::page::charset::decode;
use shared::page::links::links;

fn page() -> Url {
    "http://host/dir/page".parse().unwrap()
}

/// Reads some pages of the Rust documentation. With `EVERY_PAGE` set, as in `.ci/run`,
/// it reads all of them.
#[test]
fn both_readings_agree_on_real_pages() {
    let Some(folder) = toolchain_docs() else {
        eprintln!(
            "skipped: the toolchain's documentation (rust-docs) is not installed"
        );
        return;
    };
    let mut files = Vec::new();
    collect_pages(&folder, &mut files);
    files.sort();
    let step = if std::env::var_os("EVERY_PAGE").is_some() { 1 } else { 256 };
    for file in files.iter().step_by(step) {
        let body = std::fs::read(file).unwrap();
        let (html, _) = decode(None, &body);
        let (streamed, by_tree) =
            (links(&html, &page()), links_by_tree(&html, &page()));
        assert_eq!(streamed, by_tree, "{}", file.display());
    }
}

fn toolchain_docs() -> Option<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    let folder = Path::new(sysroot.trim()).join("share/doc/rust/html");
    folder.is_dir().then_some(folder)
}

fn collect_pages(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_pages(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "html") {
            files.push(path);
        }
    }
}

/// A value as authors write it, quoted or not.
fn href() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,3}",
        "'[a-z/.?#&;=% \n-]{0,12}'",
        "\"(https?://[a-c]/|//[a-c]|mailto:|)[a-z/.]{0,6}(\\?x=1&amp;y=2)?(#z)?\"",
    ]
}

/// Elements around links and text, correctly nested.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z &;\u{e9}]{0,8}",
        href().prop_map(|href| format!("<a href={href}>link</a>")),
        href().prop_map(|href| format!("<area class=x href={href} />")),
        "[a-z<> ]{0,8}".prop_map(|text| format!("<!-- {text} -->")),
        href().prop_map(|href| format!("<script>'<a href={href}>'</script>")),
        href().prop_map(|href| format!("<svg><title>x</title><a href={href} /></svg>")),
        href().prop_map(|href| format!("<svg><g><a xlink:href={href}>x</a></g></svg>")),
        href().prop_map(|href| format!("<noscript><a href={href}>x</a></noscript>")),
        "[0-9. ]{0,3}[;, ]{0,2}(url ?=?)? ?['a-z/]{0,5}".prop_map(|content| {
            format!("<meta http-equiv=refresh content=\"{content}\">")
        }),
    ];
    let element = |inner| {
        let names =
            select(vec!["div", "ul", "li", "p", "b", "table", "template", "select"]);
        (names, prop::collection::vec(inner, 0..4))
            .prop_map(|(name, inner)| format!("<{name}>{}</{name}>", inner.concat()))
    };
    let body = leaf.prop_recursive(5, 40, 4, element);
    let base = prop_oneof![
        Just(String::new()),
        href().prop_map(|href| format!("<base href={href}>"))
    ];
    (base, prop::collection::vec(body, 0..6)).prop_map(|(base, body)| {
        format!(
            "<!doctype html><head><title>x</title>{base}</head><body>{}",
            body.concat()
        )
    })
}

const TAGS: &str = "a area base b i p div span table caption colgroup col tbody tr td select \
    option template form button ul li object h1 br img input html head body frameset frame \
    script style title textarea noscript noframes iframe xmp plaintext \
    svg desc foreignObject math mi annotation-xml font image nobr";

const ODDITIES: &[&str] = &[
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<![CDATA[",
    "]]>",
    "<!doctype html>",
    "<?x",
    "</",
    ">",
    "<",
    "x",
    "'",
    "<font color=x>",
    "<input type=hidden>",
    "\0",
    "<a href='",
    "<base href=b/>",
    "<annotation-xml encoding=text/html>",
    "<a xlink:href=x>",
    "<meta http-equiv=refresh content='0;url=y'>",
];

fn token() -> impl Strategy<Value = String> {
    let tag = || select(TAGS.split_whitespace().collect::<Vec<_>>());
    prop_oneof![
        5 => tag().prop_map(|tag| format!("<{tag}>")),
        4 => tag().prop_map(|tag| format!("</{tag}>")),
        1 => tag().prop_map(|tag| format!("<{tag}/>")),
        1 => (tag(), href()).prop_map(|(tag, href)| format!("<{tag} href={href}>")),
        1 => href().prop_map(|href| format!("<a href={href}>")),
        1 => select(ODDITIES).prop_map(str::to_owned),
    ]
}

fn reference(name: &str) -> impl Strategy<Value = String> + use<> {
    let name = name.to_owned();
    "[;=a-z0-9]?".prop_map(move |end| format!("&{name}{end}"))
}

fn value() -> impl Strategy<Value = String> {
    let names = [
        "amp",
        "lt",
        "not",
        "notin",
        "copy",
        "AMP",
        "Tab",
        "colon",
        "nGg",
        "xyz",
        "#65",
        "#x41",
        "#0",
        "#x80",
        "#xD800",
        "#99999999999",
        "#",
        "#x",
        "",
    ];
    let part = prop_oneof![
        select(names.to_vec()).prop_flat_map(reference),
        "[a-z/.?#:%\\\\ \t\r\n\0\u{e9}\u{4e2d}<>=-]{1,3}",
    ];
    prop::collection::vec(part, 0..6).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn both_readings_agree_on_documents_that_nest_as_they_should(html in document()) {
        prop_assert_eq!(links(&html, &page()), links_by_tree(&html, &page()));
    }

    #[test]
    fn both_readings_agree_on_any_value(value in value()) {
        let html = format!("<a href=\"{value}\"><a href='{value}'><a href={value}>");
        prop_assert_eq!(links(&html, &page()), links_by_tree(&html, &page()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn both_readings_agree_on_tag_soup_except_as_documented(
        soup in prop::collection::vec(token(), 1..12),
    ) {
        let html = soup.concat() + "<a href=last>";
        let (streamed, by_tree) = (links(&html, &page()), links_by_tree(&html, &page()));
        prop_assert!(streamed == by_tree || may_differ(&html), "{streamed:?} {by_tree:?}");
    }
}
