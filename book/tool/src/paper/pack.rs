//! Packs a PDF. Chromium writes each object as text, and in the PDF of a tagged book there are
//! more than a hundred thousand of them: for each piece of a page, what it is. Since PDF 1.5,
//! objects can be together in compressed streams (ISO 32000-1, 7.5.7 and 7.5.8). Streams, as those
//! of pages and fonts, are compressed already, and stay as they are.
//!
//! The library `lopdf` does this, too. It would add 27 packages, among them ciphers.

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::io::{Read as _, Write as _};
use std::str::from_utf8;

/// How many objects are in a stream: a reader that needs one unpacks all of them.
const TOGETHER: usize = 200;

/// Where an object is. The kind 1 has the place in the file; the kind 2 has the number of the
/// stream, and the place among its objects.
type Entry = (u8, usize, usize);

/// Returns a PDF as Chromium writes it, packed.
///
/// # Errors
/// It is not written so. The message says what is missing.
pub(super) fn pack(pdf: &[u8]) -> Result<Vec<u8>, String> {
    let Table { at, places, trailer } = Table::of(pdf)?;
    let mut entries: Vec<Entry> = vec![(0, 0, 0); places.len()];
    let mut packed = b"%PDF-1.5\n%\xD3\xEB\xE9\xE1\n".to_vec();
    let mut together = Vec::new();
    for (number, object) in objects(&pdf[..at], &places) {
        let begin = format!("{number} 0 obj");
        let body = object.strip_prefix(begin.as_bytes());
        let body = body.and_then(|it| it.strip_suffix(b"endobj"));
        let body = body.ok_or(format!("it has no object {number}"))?.trim_ascii();
        if body.ends_with(b"endstream") {
            entries[number] = (1, packed.len(), 0);
            packed.extend(object);
            packed.push(b'\n');
        } else {
            together.push((number, body));
        }
    }
    for objects in together.chunks(TOGETHER) {
        let (mut numbers, mut bodies) = (String::new(), Vec::new());
        for (at, (number, body)) in objects.iter().enumerate() {
            entries[*number] = (2, entries.len(), at);
            numbers += &format!("{number} {} ", bodies.len());
            bodies.extend(*body);
            bodies.push(b'\n');
        }
        let about =
            format!("/Type /ObjStm /N {} /First {}", objects.len(), numbers.len());
        entries.push((1, packed.len(), 0));
        let text = [numbers.as_bytes(), &bodies].concat();
        stream(&mut packed, entries.len() - 1, &about, &text)?;
    }
    let at = packed.len();
    entries.push((1, at, 0));
    let about = format!(
        "/Type /XRef /Size {} /W [1 4 2] {trailer} /DecodeParms <</Predictor 12 /Columns 7>>",
        entries.len(),
    );
    stream(&mut packed, entries.len() - 1, &about, &rows(&entries)?)?;
    packed.extend(format!("startxref\n{at}\n%%EOF\n").as_bytes());
    Ok(packed)
}

/// What is at the end of a PDF.
struct Table<'a> {
    /// Where it begins.
    at: usize,
    /// Where each object begins: 0 if there is none of this number.
    places: Vec<usize>,
    /// What readers look for first, without the number of objects.
    trailer: &'a str,
}

impl<'a> Table<'a> {
    fn of(pdf: &'a [u8]) -> Result<Self, String> {
        pattern!(
            TABLE,
            r"(?x)^xref\n0\ ([0-9]+)\n ((?:[0-9]{10}\ [0-9]{5}\ [nf]\ ?\r?\n)+)
            trailer\s*<</Size\ ([0-9]+)\s+
            (/Root\ [0-9]+\ 0\ R (?:\s*/Info\ [0-9]+\ 0\ R)? (?:\s*/ID\ \[[^\]]*\])?)\s*>>
            \s*startxref\s"
        );
        let at = end(pdf)?;
        let table = pdf.get(at..).ok_or("its table is not there")?;
        let table = from_utf8(table).map_err(|error| error.to_string())?;
        let found = TABLE.captures(table).ok_or("its table is of another kind")?;
        let (_, [count, lines, size, trailer]) = found.extract();
        let place = |line: &str| match line.ends_with('n') {
            true => line[..10].parse().unwrap_or_default(),
            false => 0,
        };
        let places: Vec<usize> =
            lines.lines().map(|line| place(line.trim_end())).collect();
        if [count, size].map(str::parse) != [Ok(places.len()), Ok(places.len())] {
            return Err("its table has not as many lines as it says".into());
        }
        Ok(Self { at, places, trailer })
    }
}

/// Where the table begins, as the end of a PDF says.
fn end(pdf: &[u8]) -> Result<usize, String> {
    pattern!(END, r"startxref\s+([0-9]+)\s+%%EOF\s*$");
    let end = String::from_utf8_lossy(&pdf[pdf.len().saturating_sub(64)..]);
    let at = END.captures(&end).and_then(|it| it[1].parse().ok());
    at.ok_or("it has no end".into())
}

/// The objects with their numbers, in the order in which they are written.
fn objects<'a>(pdf: &'a [u8], places: &[usize]) -> Vec<(usize, &'a [u8])> {
    let mut begins: Vec<_> =
        places.iter().copied().zip(0..).filter(|(at, _)| *at > 0).collect();
    begins.sort_unstable();
    let ends = begins.iter().skip(1).map(|(at, _)| *at).chain([pdf.len()]);
    let object = |(&(begin, number), end)| {
        (number, pdf.get(begin..end).unwrap_or_default().trim_ascii())
    };
    begins.iter().zip(ends).map(object).collect()
}

/// The table of objects as a stream has it: of each byte, how much it differs from the one above.
fn rows(entries: &[Entry]) -> Result<Vec<u8>, String> {
    let mut above = [0; 7];
    let mut rows = Vec::new();
    for (kind, one, two) in entries {
        let one =
            u32::try_from(*one).map_err(|_| "it has more than 4 GB")?.to_be_bytes();
        let two = u16::try_from(*two).expect("so many are not together").to_be_bytes();
        let row = [*kind, one[0], one[1], one[2], one[3], two[0], two[1]];
        rows.push(2);
        rows.extend(
            row.iter().zip(above).map(|(byte, above)| byte.wrapping_sub(above)),
        );
        above = row;
    }
    Ok(rows)
}

/// Writes an object that is a stream.
fn stream(
    out: &mut Vec<u8>,
    number: usize,
    about: &str,
    bytes: &[u8],
) -> Result<(), String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    let packed = packed.map_err(|error| error.to_string())?;
    let length = packed.len();
    let filter = format!("/Filter /FlateDecode /Length {length}");
    let head = format!("{number} 0 obj\n<<{about} {filter}>>\nstream\n");
    out.extend(head.as_bytes());
    out.extend(packed);
    out.extend(b"\nendstream\nendobj\n");
    Ok(())
}

/// Returns all objects of a packed PDF that are no streams. Like a reader, it looks for each
/// object where the table says.
///
/// # Errors
/// An object is not there.
pub(super) fn unpack(pdf: &[u8]) -> Result<String, String> {
    let entries = entries(&unpacked(pdf, end(pdf)?)?.1);
    let mut streams = BTreeMap::new();
    let mut text = String::new();
    for (number, &(kind, one, two)) in entries.iter().enumerate() {
        let missing = || format!("object {number} is not where its table says");
        if kind == 1 {
            let begin = format!("{number} 0 obj\n");
            let rest = pdf.get(one..).filter(|it| it.starts_with(begin.as_bytes()));
            rest.ok_or_else(missing)?;
        } else if kind == 2 {
            let objects = match streams.entry(one) {
                Occupied(it) => it.into_mut(),
                Vacant(it) => {
                    let (_, at, _) = entries.get(one).ok_or_else(missing)?;
                    it.insert(together(pdf, *at).ok_or_else(missing)?)
                }
            };
            let found = objects.get(two).filter(|it| it.0 == number);
            text += &found.ok_or_else(missing)?.1;
        }
    }
    Ok(text)
}

/// The objects of the stream that is at this place, with their numbers.
fn together(pdf: &[u8], at: usize) -> Option<Vec<(usize, String)>> {
    let (about, bytes) = unpacked(pdf, at).ok()?;
    let first = about.split_once("/First ")?.1.split(' ').next()?.parse().ok()?;
    let (numbers, bodies) = bytes.split_at_checked(first)?;
    let numbers = from_utf8(numbers).ok()?.split_whitespace().map(str::parse);
    let numbers: Vec<usize> = numbers.collect::<Result<_, _>>().ok()?;
    let ends = numbers.iter().skip(3).step_by(2).copied().chain([bodies.len()]);
    let object = |(begin, end): (&[usize], usize)| {
        let body = bodies.get(*begin.get(1)?..end)?;
        Some((begin[0], String::from_utf8_lossy(body).into_owned()))
    };
    numbers.chunks(2).zip(ends).map(object).collect()
}

/// What is said of the stream at this place, and what is in it.
fn unpacked(pdf: &[u8], at: usize) -> Result<(String, Vec<u8>), String> {
    let object = pdf.get(at..).unwrap_or_default();
    let end = object.windows(8).position(|it| it == b"\nstream\n");
    let (about, packed) = object.split_at(end.ok_or(format!("no stream is at {at}"))?);
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(&packed[8..]).read_to_end(&mut bytes);
    read.map_err(|error| format!("the stream at {at}: {error}"))?;
    Ok((String::from_utf8_lossy(about).into_owned(), bytes))
}

/// The entries of a table, of which `rows` made these rows.
fn entries(rows: &[u8]) -> Vec<Entry> {
    let mut above = [0_u8; 7];
    let entry = |row: &[u8]| {
        let row = row[1..].iter().zip(&mut above);
        row.for_each(|(byte, above)| *above = above.wrapping_add(*byte));
        let [kind, a, b, c, d, two @ ..] = above;
        let one = u32::from_be_bytes([a, b, c, d]) as usize;
        (kind, one, u16::from_be_bytes(two).into())
    };
    rows.chunks_exact(8).map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECTS: [&str; 3] = [
        "<</Type /Catalog /Pages 3 0 R>>",
        "<</Length 3>> stream\nabc\nendstream",
        "<</Type /Pages /Kids [] /Count 0>>",
    ];

    /// A PDF as Chromium writes it, with this before each `endobj`.
    fn written(space: &str) -> String {
        let mut pdf = "%PDF-1.4\n".to_string();
        let mut table = "xref\n0 4\n0000000000 65535 f \n".to_string();
        for (number, object) in (1..).zip(OBJECTS) {
            table += &format!("{:010} 00000 n \n", pdf.len());
            pdf += &format!("{number} 0 obj\n{object}{space}endobj\n");
        }
        let at = pdf.len();
        pdf + &format!(
            "{table}trailer\n<</Size 4\n/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n"
        )
    }

    #[test]
    fn each_object_is_where_the_table_says() {
        // A stream is one, whatever is after it.
        ["\n", " ", "\r\n", ""].into_iter().for_each(is_where_the_table_says);
    }

    fn is_where_the_table_says(space: &str) {
        let pdf = pack(written(space).as_bytes()).expect("it can be packed");
        let end = String::from_utf8_lossy(&pdf[pdf.len() - 30..]).into_owned();
        let at: usize = end.lines().rev().nth(1).unwrap().parse().unwrap();
        let (about, rows) = unpacked(&pdf, at).unwrap();
        assert!(about.contains("/Size 6 /W [1 4 2] /Root 1 0 R "), "{about}");
        assert!(rows.chunks(8).all(|row| row[0] == 2 && row.len() == 8));
        let entries = entries(&rows);
        assert_eq!(entries[5], (1, at, 0));
        assert_eq!((entries[1], entries[3]), ((2, 4, 0), (2, 4, 1)));
        let stream = format!("2 0 obj\n{}{space}endobj\n", OBJECTS[1]);
        assert!(pdf[entries[2].1..].starts_with(stream.as_bytes()));
        let (about, objects) = unpacked(&pdf, entries[4].1).unwrap();
        assert!(
            about.starts_with("4 0 obj\n<</Type /ObjStm /N 2 /First 9 "),
            "{about}"
        );
        let expected = format!("1 0 3 32 {}\n{}\n", OBJECTS[0], OBJECTS[2]);
        assert_eq!(String::from_utf8(objects).unwrap(), expected);
        let objects = format!("{}\n{}\n", OBJECTS[0], OBJECTS[2]);
        assert_eq!(unpack(&pdf), Ok(objects));
    }

    #[test]
    fn a_file_that_is_written_otherwise_is_refused() {
        let pdf = written("\n");
        let root = "/Root 1 0 R";
        for (from, to) in [
            ("%%EOF", "%%EO"),
            ("xref\n0", "xxxx\n0"),
            // A stream, too, has its number.
            ("2 0 obj", "5 0 obj"),
            ("3 0 obj", "5 0 obj"),
            // Its table has another number of lines.
            ("xref\n0 4", "xref\n0 5"),
            ("/Size 4", "/Size 5"),
            // There is an earlier table, another one, or a key; or an object is in it.
            (root, "/Root 1 0 R /Prev 9"),
            (root, "/Root 1 0 R /XRefStm 9"),
            (root, "/Root 1 0 R /Encrypt 3 0 R"),
            (root, "/Root 1 0 R /Info <</Title (A)>>"),
            (root, "/Info 1 0 R"),
            // Digits of another script.
            ("00000 n", "0000\u{661} n"),
            ("0000000009 ", "\u{661}000000009 "),
        ] {
            let other = pdf.replace(from, to);
            assert!(other != pdf && pack(other.as_bytes()).is_err(), "{to}");
        }
        assert!(pack(b"").is_err());
        let more = "/Root 1 0 R\n/Info 3 0 R\n/ID [<01> <01>]";
        assert!(pack(pdf.replace(root, more).as_bytes()).is_ok());
    }

    #[test]
    fn an_object_that_is_not_where_the_table_says_is_found() {
        let pdf = pack(written("\n").as_bytes()).expect("it can be packed");
        let place = |object: &[u8]| {
            let mut all = pdf.windows(object.len());
            all.position(|it| it == object).expect("it is there")
        };
        for number in ["2 0 obj", "4 0 obj\n<<", "5 0 obj\n<<"] {
            let mut other = pdf.clone();
            other[place(number.as_bytes())] = b'7';
            let missing = "is not where its table says";
            assert!(unpack(&other).unwrap_err().contains(missing), "{number}");
        }
        assert!(unpack(&pdf[..pdf.len() - 3]).is_err());
        assert!(unpack(written("\n").as_bytes()).is_err());
    }
}
