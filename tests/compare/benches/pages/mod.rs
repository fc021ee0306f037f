//! Pages and answers to be read, made here: the same each time.

/// Much text, a few tags, and a link in every tenth paragraph.
pub(crate) fn prose(paragraphs: usize) -> String {
    let sentence =
        "There is much to say of this, and some of it has been said elsewhere. ";
    let paragraph = |number: usize| {
        let link = match number % 10 {
            0 => format!("<a href=\"chapter-{number}.html\">The next chapter</a> "),
            _ => String::new(),
        };
        format!("<p>{link}{}<em>More &mdash; later.</em></p>\n", sentence.repeat(9))
    };
    page((0..paragraphs).map(paragraph).collect())
}

/// What most pages are made of: as those of `cargo compare`.
pub(crate) fn sections(count: usize) -> String {
    let section = |number: usize| {
        format!(
            "<section class=\"entry\" id=\"entry-{number}\">\n<h2 class=\"title\">Entry \
             {number}</h2>\n<p>There is much to say of this, and <em>some</em> of it has been \
             said <a class=\"reference\" href=\"/many/{number}?count=3000&amp;links=64\" \
             title=\"More of it\">elsewhere</a>, at length &mdash; though not <b>all</b>, and \
             not as well as it might be.</p>\n<p><img src=\"/image.png\" alt=\"A picture\" \
             width=\"16\" height=\"16\"> What a picture cannot show is told in words.</p>\n\
             <ul class=\"notes\"><li>first</li><li>second</li><li>third</li></ul>\n\
             </section>\n"
        )
    };
    page((0..=count).map(section).collect())
}

/// Links, and hardly anything else.
pub(crate) fn list(count: usize) -> String {
    let item = |number: usize| {
        format!("<li><a href=\"/slow/{number}?ms=1000\">page {number}</a></li>\n")
    };
    page((0..count).map(item).collect())
}

fn page(body: String) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A page\
         </title></head>\n<body>\n{body}</body></html>\n"
    )
}

const FIELDS: &str = "\
    server: a server\r\ndate: Thu, 20 Nov 2025 12:00:00 GMT\r\n\
    content-type: text/html; charset=utf-8\r\ncache-control: max-age=600\r\n\
    etag: \"0123456789abcdef\"\r\nvary: accept-encoding\r\n";

pub(crate) fn with_length(bytes: usize) -> Vec<u8> {
    let body = "x".repeat(bytes);
    format!("HTTP/1.1 200 OK\r\n{FIELDS}content-length: {bytes}\r\n\r\n{body}").into()
}

pub(crate) fn in_chunks(bytes: usize, each: usize) -> Vec<u8> {
    let chunk = format!("{each:x}\r\n{}\r\n", "x".repeat(each)).repeat(bytes / each);
    format!(
        "HTTP/1.1 200 OK\r\n{FIELDS}transfer-encoding: chunked\r\n\r\n{chunk}0\r\n\r\n"
    )
    .into()
}
