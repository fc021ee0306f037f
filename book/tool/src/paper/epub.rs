//! The book for e-readers: an EPUB 3 with the table of contents of EPUB 2 beside its own. Each
//! page is a document, with its answers at its end.

use super::pages::{Cover, Leaf, cover, read};
use super::write::write;
use super::{LANGUAGE, about, document, escaped};
use crate::html;
use crate::html::site::Site;
use crate::read::book::Book;
use crate::read::colors::{self, Theme};
use crate::read::edition::Edition;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The name of this book among all publications. It stays when the text changes.
const IDENTIFIER: &str = "urn:uuid:3c9e3f5e-7b1d-4c4e-9a54-20b6a1c0d7f3";

const CONTAINER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"#;

const STYLE: &str = "<link rel=\"stylesheet\" type=\"text/css\" href=\"book.css\"/>";

/// The rights to the text.
const RIGHTS: &str = env!("CARGO_PKG_LICENSE");

/// Builds the book, and packs it into `target/book.epub`. Returns the file.
///
/// # Errors
/// The book cannot be built, or the file cannot be written.
pub fn epub(book: &Book) -> Result<PathBuf, String> {
    html::build(book, Edition::All)?;
    let entries = entries(book, &Site::read(&Edition::All.built(&book.place)))?;
    let file = book.place.target.join("book.epub");
    pack(&file, &entries).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Writes the files. The first one has to be the type, and not to be compressed.
fn pack(
    file: &std::path::Path,
    entries: &[(String, Vec<u8>)],
) -> zip::result::ZipResult<()> {
    let mut zip = ZipWriter::new(File::create(file)?);
    let options = SimpleFileOptions::default();
    zip.start_file("mimetype", options.compression_method(CompressionMethod::Stored))?;
    zip.write_all(b"application/epub+zip")?;
    for (name, bytes) in entries {
        zip.start_file(name, options.compression_method(CompressionMethod::Deflated))?;
        zip.write_all(bytes)?;
    }
    zip.finish()?;
    Ok(())
}

/// The files of the EPUB, after the one that says what it is.
///
/// # Errors
/// A page was not built, the landing page has no text for the cover, or a file of the theme
/// cannot be read.
pub(crate) fn entries(
    book: &Book,
    site: &Site,
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let leaves = &read(book, site)?[..];
    let slugs: BTreeSet<String> = leaves.iter().map(|leaf| leaf.slug.clone()).collect();
    let cover = cover(leaves)?;
    let style = |name: &str| {
        let file = book.place.book.join("theme").join(name);
        fs::read_to_string(&file).map_err(about(&file))
    };
    let css = style("epub.css")?
        + &style("code.css")?
        + &colors::plain(&style("figures.css")?, Theme::Light);
    let picture = book.place.book.join("theme").join(html::CARD);
    let mut all = vec![
        ("META-INF/container.xml".to_string(), CONTAINER.into()),
        ("book/content.opf".to_string(), package(&cover, leaves).into()),
        ("book/nav.xhtml".to_string(), nav(&cover, leaves).into()),
        ("book/toc.ncx".to_string(), ncx(&cover, leaves).into()),
        ("book/book.css".to_string(), css.into()),
        ("book/cover.png".to_string(), fs::read(&picture).map_err(about(&picture))?),
    ];
    for leaf in leaves {
        let xhtml = if leaf.is_landing() { front(&cover) } else { page(leaf, &slugs) };
        all.push((format!("book/{}.xhtml", leaf.slug), xhtml.into()));
    }
    Ok(all)
}

fn page(leaf: &Leaf<'_>, slugs: &BTreeSet<String>) -> String {
    let written = write(leaf, slugs);
    let mut body = written.text;
    if !written.answers.is_empty() {
        body += "\n<section class=\"answers\">\n<h2>Answers</h2>\n";
        body.extend(written.answers.iter().map(String::as_str));
        body += "</section>";
    }
    document(&leaf.name(), STYLE, &body)
}

fn front(cover: &Cover) -> String {
    let Cover { title, description, question } = cover;
    let (plain, description, question) =
        (escaped(title), escaped(description), escaped(question));
    let body = format!(
        "<section class=\"cover\" epub:type=\"titlepage\">\n\
         <h1>{plain}</h1>\n<p>{description}</p>\n\
         <p><img src=\"cover.png\" alt=\"Five waits one after the other take 5.0 seconds, \
         and five at once 1.0 seconds.\"/></p>\n\
         <blockquote><p>{question}</p></blockquote>\n</section>"
    );
    document(title, STYLE, &body)
}

/// What the book consists of, and in which order it is read.
fn package(cover: &Cover, leaves: &[Leaf<'_>]) -> String {
    let (mut manifest, mut spine) = (String::new(), String::new());
    for leaf in leaves {
        let slug = &leaf.slug;
        let svg = leaf.main().is_some_and(|main| {
            !leaf.is_landing()
                && main.descendent_elements().any(|it| it.value().name() == "svg")
        });
        let properties = if svg { " properties=\"svg\"" } else { "" };
        let _ = writeln!(
            manifest,
            "<item id=\"page-{slug}\" href=\"{slug}.xhtml\" media-type=\"application/xhtml+xml\"{properties}/>"
        );
        let _ = writeln!(spine, "<itemref idref=\"page-{slug}\"/>");
    }
    let (title, description) = (escaped(&cover.title), escaped(&cover.description));
    let modified = modified();
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book-id" xml:lang="{LANGUAGE}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="book-id">{IDENTIFIER}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:language>{LANGUAGE}</dc:language>
<dc:description>{description}</dc:description>
<dc:rights>{RIGHTS}</dc:rights>
<meta property="dcterms:modified">{modified}</meta>
<meta name="cover" content="cover"/>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="css" href="book.css" media-type="text/css"/>
<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>
{manifest}</manifest>
<spine toc="ncx">
{spine}</spine>
</package>
"#
    )
}

/// Pages that follow each other in one part, or in none.
fn parts<'a>(leaves: &'a [Leaf<'a>]) -> impl Iterator<Item = &'a [Leaf<'a>]> {
    leaves.chunk_by(|one, next| one.part == next.part)
}

fn nav(cover: &Cover, leaves: &[Leaf<'_>]) -> String {
    let mut list = String::new();
    for part in parts(leaves) {
        let title = &part[0].part;
        if !title.is_empty() {
            let _ = write!(list, "<li><span>{}</span>\n<ol>\n", escaped(title));
        }
        for leaf in part {
            let name = escaped(leaf.name());
            let _ =
                writeln!(list, "<li><a href=\"{}.xhtml\">{name}</a></li>", leaf.slug);
        }
        if !title.is_empty() {
            list += "</ol></li>\n";
        }
    }
    let body = format!(
        "<nav epub:type=\"toc\" id=\"toc\">\n<h1>Contents</h1>\n<ol>\n{list}</ol>\n</nav>"
    );
    document(&cover.title, STYLE, &body)
}

/// The table of contents for readers of EPUB 2.
fn ncx(cover: &Cover, leaves: &[Leaf<'_>]) -> String {
    let mut points = String::new();
    let mut order = 0;
    for part in parts(leaves) {
        let title = &part[0].part;
        if !title.is_empty() {
            open(&mut points, &mut order, title, &part[0].slug);
        }
        for leaf in part {
            open(&mut points, &mut order, &leaf.name(), &leaf.slug);
            points += "</navPoint>\n";
        }
        if !title.is_empty() {
            points += "</navPoint>\n";
        }
    }
    let title = escaped(&cover.title);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <ncx xmlns=\"http://www.daisy.org/z3986/2005/ncx/\" version=\"2005-1\">\n\
         <head><meta name=\"dtb:uid\" content=\"{IDENTIFIER}\"/></head>\n\
         <docTitle><text>{title}</text></docTitle>\n<navMap>\n{points}</navMap>\n</ncx>\n"
    )
}

/// Begins a line of the table: a part has the place of its first chapter, and its number.
fn open(points: &mut String, order: &mut usize, name: &str, slug: &str) {
    *order += 1;
    let name = escaped(name);
    let _ = writeln!(
        points,
        "<navPoint id=\"point-{order}\"><navLabel><text>{name}</text></navLabel>\
         <content src=\"{slug}.xhtml\"/>"
    );
}

/// Now, as EPUB wants it; or the time that `SOURCE_DATE_EPOCH` gives, for the same file from
/// the same text.
fn modified() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|it| it.parse().ok());
    let now =
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    timestamp(fixed.unwrap_or(now))
}

fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March, so that a leap day ends one.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let date = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_date() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(timestamp(1_735_689_599), "2024-12-31T23:59:59Z");
    }
}
