//! The links of a page, as the stream and the tree find them. Also hostile pages.

use page_tree::links_by_tree;
use shared::Url;
use shared::page::links::{MAX_LINKS, links, room_for_links};
use shared::page::url::MAX_URL;

fn page() -> Url {
    "http://host/dir/page?query#fragment".parse().unwrap()
}

fn as_text(links: &[Url]) -> Vec<&str> {
    links.iter().map(Url::as_str).collect()
}

/// Checks that both find these links, which are given relative to `page()`.
#[track_caller]
fn assert_links(html: &str, expected: &[&str]) {
    let expected: Vec<Url> =
        expected.iter().map(|link| page().join(link).unwrap()).collect();
    let expected = as_text(&expected);
    assert_eq!(as_text(&links(html, &page())), expected, "streamed: {html}");
    assert_eq!(as_text(&links_by_tree(html, &page())), expected, "by tree: {html}");
}

/// Checks that the two find different links. The stream's are first.
#[track_caller]
fn assert_differ(html: &str, streamed: &[&str], by_tree: &[&str]) {
    assert_eq!(as_text(&links(html, &page())), streamed, "streamed: {html}");
    assert_eq!(as_text(&links_by_tree(html, &page())), by_tree, "by tree: {html}");
}

#[test]
fn a_and_area_have_links_and_nothing_else_has() {
    assert_links("<a href=x>", &["/dir/x"]);
    assert_links("<map><area href=x></map>", &["/dir/x"]);
    assert_links("<link href=x><img src=x><form action=x><q cite=x>", &[]);
    assert_links("<abbr href=x><a-b href=x><aside href=x><p href=x>", &[]);
    assert_links("<a name=x><a data-href=x><a xlink:href=x></a href=x>", &[]);
    assert_links(
        "<meta content='0;url=x'><meta http-equiv=location content='0;url=x'>",
        &[],
    );
}

#[test]
fn in_a_drawing_a_link_may_have_another_name() {
    assert_links("<svg><a href=x /><a xlink:href=y /></svg>", &["/dir/x", "/dir/y"]);
    assert_links("<svg><a xlink:href=x href=y></svg><a xlink:href=z>", &["/dir/y"]);
    assert_links("<svg><g><A XLINK:HREF=x></g></svg>", &["/dir/x"]);
    assert_links("<svg><a xlink:href='' href>", &["/dir/page?query"]);
    assert_links("<svg><area xlink:href=x><image xlink:href=x><use href=x>", &[]);
    assert_links("<svg><foreignObject><a xlink:href=x>", &[]);
    assert_links("<svg><p><a xlink:href=x>", &[]);
    assert_links("<math><a xlink:href=x>", &[]);
}

#[test]
fn a_refresh_is_a_link() {
    assert_links("<meta http-equiv=refresh content='5; url=x'>", &["/dir/x"]);
    assert_links(
        "<META HTTP-EQUIV=REFRESH CONTENT='5;URL=&quot;x&quot;'>",
        &["/dir/x"],
    );
    assert_links("<body><p><meta content='0;x' http-equiv=refresh>", &["/dir/x"]);
    assert_links("<svg><meta http-equiv=refresh content='0;url=x'>", &["/dir/x"]);
    assert_links("<meta http-equiv=refresh content='0;x'><base href=/b/>", &["/b/x"]);
    assert_links("<meta http-equiv=refresh content=5>", &[]);
    assert_links("<meta http-equiv=refresh>", &[]);
}

#[test]
fn tags_are_read_however_they_are_written() {
    for tag in [
        "<A HREF=x>",
        "<a\thref='x'>",
        "<a\nhref\r=\x0C\"x\">",
        "<a/href=x>",
        "<a href=x/>",
        "<a b='>' href=x>",
        "<a b=c\"d href=x>",
        "<a <b href=x>",
        "<a href=x href=y>",
        "<a HREF=x href=y>",
        "<b><i><a href=x></b></i>",
        "</a></p></br><a href=x>",
        "<a href=x><a href=x>",
    ] {
        let found = links(tag, &page());
        assert_eq!(found, links_by_tree(tag, &page()), "{tag}");
        assert!(found[0].as_str().starts_with("http://host/dir/x"), "{tag}");
        assert_eq!(found.len(), 1, "{tag}");
    }
}

#[test]
fn links_count_wherever_a_tag_can_stand() {
    for around in [
        "<head>",
        "<table>",
        "<table><tr>",
        "<table><caption>",
        "<table><colgroup>",
        "<select>",
        "<select><option>",
        "<template>",
        "<template><tr>",
        "<object>",
        "<button>",
        "<svg>",
        "<svg><foreignObject>",
        "<math><mi>",
        "<html></html>",
        "<body></body>",
        "<!doctype html \">\">",
        "<! >",
        "<?php echo '>'; ?>",
        "</ >",
        "<![CDATA[ >",
        "<!-->",
        "<!--->",
        "<!-- --!>",
        "<script></script >",
        "<noscript>",
        "<head><noscript>",
        "<head><noscript></noscript>",
        "<head><noscript><link><meta><style></style>",
        "<svg><noscript>",
        "<table><noscript>",
        "<script><!--</script>",
        "<title></TITLE\n>",
    ] {
        assert_links(&format!("{around}<a href=x>"), &["/dir/x"]);
    }
}

#[test]
fn what_is_not_a_tag_has_no_links() {
    for text in [
        "<!-- <a href=x> -->",
        "<!-- > <a href=x>",
        "<! <a href=x>",
        "<script>'<a href=x>'</script>",
        "<script><!-- <script> </script> <a href=x> --></script>",
        "<style><a href=x></style>",
        "<title><a href=x></title>",
        "<textarea><a href=x></textarea>",
        "<iframe><a href=x></iframe>",
        "<xmp><a href=x></xmp>",
        "<noembed><a href=x></noembed>",
        "<noframes><a href=x></noframes>",
        "<plaintext></plaintext><a href=x>",
        "<svg><![CDATA[<a href=x>]]></svg>",
        "<p title='<a href=x>'>",
        "< a href=x>",
        "&lt;a href=x>",
        "<a href=x",
        "<a href='x>",
    ] {
        assert_links(text, &[]);
    }
}

#[test]
fn only_http_and_https_are_links() {
    assert_links("<a href=//other/x>", &["http://other/x"]);
    assert_links("<a href=https://other:443/>", &["https://other/"]);
    assert_links("<a href=HTTP:x>", &["/dir/x"]);
    for other in
        ["javascript:x", "mailto:a@b", "data:,x", "ftp://a/", "file:///x", "x:y"]
    {
        assert_links(&format!("<a href='{other}'>"), &[]);
    }
}

#[test]
fn each_link_comes_once_and_in_order() {
    let html = "<a href=c><a href=b><a href=./c><a href='/dir/b#x'><a href=a>";
    assert_links(html, &["/dir/a", "/dir/b", "/dir/c"]);
}

#[test]
fn fragment_user_and_password_are_dropped() {
    assert_links("<a href=x#y>", &["/dir/x"]);
    assert_links("<a href=x&num;y>", &["/dir/x"]);
    assert_links("<a href=#y>", &["/dir/page?query"]);
    assert_links("<a href>", &["/dir/page?query"]);
    assert_links("<a href=http://user:password@other/x>", &["http://other/x"]);
    let page = "http://user:password@host/dir/".parse().unwrap();
    assert_eq!(as_text(&links("<a href=x>", &page)), ["http://host/dir/x"]);
}

#[test]
fn an_href_is_joined_as_browsers_do() {
    assert_links("<a href=' \n\t/a\tb\r\nc '>", &["/abc"]);
    assert_links("<a href='ht\ntp://other/'>", &["http://other/"]);
    assert_links("<a href=../../../x/./y>", &["/x/y"]);
    assert_links("<a href=\\\\other\\x>", &["http://other/x"]);
    assert_links("<a href=?x>", &["/dir/page?x"]);
    assert_links("<a href='/a b\u{e9}'>", &["/a%20b%C3%A9"]);
    assert_links("<a href=//EX%41mple/>", &["http://example/"]);
}

#[test]
fn an_href_that_makes_no_url_is_skipped_and_the_page_kept() {
    for bad in ["http://[", "http://", "//:80/", "//a:99999/", "//a b/", "http://%00/"]
    {
        assert_links(&format!("<a href='{bad}'><a href=x>"), &["/dir/x"]);
    }
}

#[test]
fn entities_are_decoded_as_in_an_attribute() {
    assert_links("<a href='?a&amp;b'>", &["/dir/page?a&b"]);
    assert_links("<a href='?a&copy=b&not'>", &["/dir/page?a&copy=b\u{ac}"]);
    assert_links("<a href='&#x2F;&#120'>", &["/x"]);
    assert_links("<a href='&NoSuch;&'>", &["/dir/&NoSuch;&"]);
    assert_links(
        "<a href='&#0;&#xD800;&#x110000;'>",
        &["/dir/\u{FFFD}\u{FFFD}\u{FFFD}"],
    );
    assert_links("<a href='\0'>", &["/dir/\u{FFFD}"]);
}

#[test]
fn the_first_base_with_an_href_holds_for_the_whole_page() {
    assert_links("<base href=/b/><a href=x>", &["/b/x"]);
    assert_links("<a href=x><p><base href=/b/>", &["/b/x"]);
    assert_links(
        "<base target=_top><base href=/b/><base href=/c/><a href=x>",
        &["/b/x"],
    );
    assert_links("<base href=b/><a href=x>", &["/dir/b/x"]);
    assert_links("<base href='//other/?a&amp;b'><a href=''>", &["http://other/?a&b"]);
    assert_links("<base href=//user@other/><a href=x>", &["http://other/x"]);
    assert_links("<!-- <base href=/b/> --><a href=x>", &["/dir/x"]);
}

#[test]
fn a_base_that_leads_nowhere_counts_as_none() {
    for base in ["javascript:x", "data:,x", "file:///", "http://[", "ftp://other/"] {
        let html = format!("<base href='{base}'><base href=/c/><a href=x>");
        assert_links(&html, &["/dir/x"]);
    }
}

#[test]
fn a_url_that_is_too_long_is_neither_link_nor_base() {
    let room = MAX_URL - "http://host/".len();
    let (longest, too_long) = ("x".repeat(room), "x".repeat(room + 1));
    let html = format!("<a href=/{longest}><a href=/{too_long}><a href=y>");
    assert_links(&html, &["/dir/y", &format!("/{longest}")]);
    assert_links(&format!("<base href='/{too_long}/'><a href=y>"), &["/dir/y"]);
    assert_links(
        &format!("<a href='{0}x{0}'><a href=y>", " ".repeat(MAX_URL)),
        &["/dir/x", "/dir/y"],
    );
    // This link is too long only in its normal form.
    assert_links(&format!("<a href={}><a href=y>", "\u{e9}".repeat(4000)), &["/dir/y"]);
}

/// How much memory links may take depends on the length of the page, up to
/// `MAX_LINKS`.
#[test]
fn links_beyond_what_a_page_of_that_length_may_take_are_ignored() {
    let base = format!("/{}/", "b".repeat(MAX_URL - 100));
    for count in [100, 1_000, 200_000] {
        let hrefs: String =
            (0..count).rev().map(|n| format!("<a href={n:06}>")).collect();
        let html = format!("<base href={base}>{hrefs}");
        let room = room_for_links(html.len());
        let found = links(&html, &page());
        // The size counts each text twice.
        let size: usize = found.iter().map(|link| 2 * link.as_str().len()).sum();
        assert!((room * 4 / 5..=room).contains(&size) && room <= MAX_LINKS, "{count}");
        assert!(found.last().unwrap().path().ends_with(&format!("/{:06}", count - 1)));
        let honest = format!("<base href=/{}/>{hrefs}", "b".repeat(100));
        assert_eq!(links(&honest, &page()).len(), count, "each of them has room");
    }
}

/// Each page would take minutes if the work grew with the square of the length.
#[test]
fn a_hostile_page_is_read_like_any_other() {
    let many = 100_000;
    for html in [
        "<div>".repeat(many) + &"</span>".repeat(many),
        "<b><i></b></i>".repeat(many),
        "<b><i>".repeat(many) + &"</b></i>".repeat(many),
        "<a href=y>".repeat(many),
        "<svg><math><desc>".repeat(many),
        "<table><tr><td>".repeat(many),
        (0..many).map(|n| format!("<x{n}>")).collect(),
        format!("<p {}>", "href=y ".repeat(many)),
        "<!--".repeat(many) + "-->",
        "<".repeat(many) + " ",
        format!("<p title='{}'>", "<a href=y>".repeat(many)),
        format!("<a href='{}'>", "&amp;".repeat(many)),
        format!("<script>{}--></script></script>", "<!--<script>".repeat(many)),
    ] {
        let found = links(&(html + "<a href=x>"), &page());
        assert!(as_text(&found).contains(&"http://host/dir/x"));
    }
}

#[test]
fn no_link_is_lost_when_more_elements_are_open_than_can_be_remembered() {
    let hrefs: String = (10_000..40_000).map(|n| format!("<a href=/{n}>")).collect();
    let html = "<p>".repeat(262_000) + &hrefs;
    assert_eq!(links(&html, &page()).len(), 30_000);
}

/// Here a piece of the page would end in `<script>`, and the next piece need a fresh start.
#[test]
fn a_fresh_start_does_not_cut_a_tag_in_two() {
    for padding in (0..12).step_by(3) {
        let html = " ".repeat(padding)
            + &"<p>".repeat(262_140)
            + "<script>let link = ''; for (;;) link += '<a href=no>';</script>"
            + &"<p><a href=yes>".repeat(1_000);
        assert_eq!(as_text(&links(&html, &page())), ["http://host/dir/yes"]);
    }
}

#[test]
fn a_tag_may_have_very_many_attributes() {
    let html = format!("<a href=x><a {}href=y><a href=z>", "b ".repeat(1_500_000));
    let found = links(&html, &page());
    let all = ["http://host/dir/x", "http://host/dir/y", "http://host/dir/z"];
    assert_eq!(as_text(&found), all);
}

#[test]
fn an_attribute_without_its_value_does_not_turn_text_into_tags() {
    for tag in ["script", "style", "title", "textarea", "xmp", "iframe", "noembed"] {
        for attribute in ["x=", "x= ", "x=y z=", "/x="] {
            let html = format!("<{tag} {attribute}><p><a href=y></{tag}><a href=z>");
            assert_links(&html, &["http://host/dir/z"]);
        }
    }
    assert_links("<SCRIPT\nSRC=\n><p><a href=y></SCRIPT>", &[]);
    assert_links("<a title='<p x=>' href=y=>", &["http://host/dir/y="]);
    assert_links("<script a='' b=><p><a href=y></script>", &[]);
}

#[test]
fn a_frameset_makes_the_tree_drop_links() {
    assert_differ("<frameset><a href=x>", &["http://host/dir/x"], &[]);
}

#[test]
fn a_column_in_a_template_makes_the_tree_drop_links() {
    assert_differ("<template><col><a href=x>", &["http://host/dir/x"], &[]);
}

#[test]
fn in_a_drawing_only_html_has_text() {
    for text in ["style", "title", "script", "xmp"] {
        let link = format!("<{text}><a href=x></{text}>");
        let in_html =
            ["<svg/>", "<svg></svg>", "<svg><p>", "<svg><foreignObject>", "<math><mi>"];
        for html in in_html {
            assert_links(&format!("{html}{link}"), &[]);
        }
        if text != "title" {
            assert_links(&format!("<svg><desc></svg>{link}"), &[]);
            assert_links(&format!("<svg><g>{link}"), &["/dir/x"]);
            assert_links(&format!("<svg><svg></svg>{link}"), &["/dir/x"]);
            assert_links(&format!("<svg><desc></desc>{link}"), &["/dir/x"]);
            assert_links(&format!("<svg><font>{link}"), &["/dir/x"]);
            assert_links(&format!("<svg><font size=1>{link}"), &[]);
        }
        assert_links(&format!("<math><desc>{link}"), &["/dir/x"]);
    }
    assert_links("<svg/><![CDATA[><a href=x>", &["/dir/x"]);
    assert_links("<svg><![CDATA[><a href=x>]]><a href=y>", &["/dir/y"]);
}

#[test]
fn an_annotation_in_math_holds_html_for_the_stream_alone() {
    let html = "<math><annotation-xml encoding=text/html><style><a href=x></style>";
    assert_differ(html, &[], &["http://host/dir/x"]);
    let html = "<math><annotation-xml><style><a href=x></style>";
    assert_links(html, &["/dir/x"]);
}

#[test]
fn a_drawing_that_ends_without_its_end_tag_goes_on_for_the_stream() {
    let link = &["http://host/dir/x"];
    assert_differ("<b><svg></b><script><a href=x></script>", link, &[]);
    assert_differ("<p><svg></div><style><a href=x></style>", link, link);
    let html = "<b><svg></b><a xlink:href=x>";
    assert_differ(html, link, &[]);
    // A tag that cannot be inside an `svg` ends it for both.
    assert_links("<b><svg></b><p><style><a href=x></style>", &[]);
}
