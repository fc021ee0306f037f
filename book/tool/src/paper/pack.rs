//! Packs a PDF. Chromium writes each object as text, and in the PDF of a tagged book there are
//! more than a hundred thousand of them: for each piece of a page, what it is. Since PDF 1.5,
//! objects can be together in compressed streams (ISO 32000-1, 7.5.7 and 7.5.8). Streams, as those
//! of pages and fonts, are compressed already, and stay as they are.
//!
//! The library `lopdf` does this, too. It would add 27 packages, among them ciphers.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write as _;
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
        pattern!(END, r"startxref\s+(\d+)\s+%%EOF\s*$");
        pattern!(
            TABLE,
            r"^xref\n0 \d+\n((?:\d{10} \d{5} [nf] ?\r?\n)+)trailer\s*<</Size \d+\s((?s:.*?))>>"
        );
        let text = |bytes| from_utf8(bytes).map_err(|error| error.to_string());
        let end = pdf.len().saturating_sub(64);
        let end = String::from_utf8_lossy(&pdf[end..]);
        let at: usize = END
            .captures(&end)
            .and_then(|it| it[1].parse().ok())
            .ok_or("it has no end")?;
        let table = text(pdf.get(at..).ok_or("its table is not there")?)?;
        let found = TABLE.captures(table).ok_or("its table is of another kind")?;
        let (_, [lines, trailer]) = found.extract();
        let place = |line: &str| match line.ends_with('n') {
            true => line[..10].parse().unwrap_or_default(),
            false => 0,
        };
        let places = lines.lines().map(|line| place(line.trim_end())).collect();
        Ok(Self { at, places, trailer })
    }
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
    out.extend(format!("{number} 0 obj\n<<{about} /Filter /FlateDecode /Length {length}>>\nstream\n").as_bytes());
    out.extend(packed);
    out.extend(b"\nendstream\nendobj\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read as _;

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

    /// What is in the stream of the object that begins here, and what is said of it.
    fn unpacked(object: &[u8]) -> (String, Vec<u8>) {
        let at = object
            .windows(8)
            .position(|it| it == b"\nstream\n")
            .expect("it is a stream");
        let about = String::from_utf8_lossy(&object[..at]).into_owned();
        let mut bytes = Vec::new();
        ZlibDecoder::new(&object[at + 8..])
            .read_to_end(&mut bytes)
            .expect("it is packed");
        (about, bytes)
    }

    /// The entries of a table.
    fn read(rows: &[u8]) -> Vec<Entry> {
        let mut above = [0_u8; 7];
        let entry = |row: &[u8]| {
            assert_eq!(row[0], 2);
            row[1..]
                .iter()
                .zip(&mut above)
                .for_each(|(byte, above)| *above = above.wrapping_add(*byte));
            let one = u32::from_be_bytes(above[1..5].try_into().unwrap());
            (
                above[0],
                one as usize,
                usize::from(u16::from_be_bytes(above[5..].try_into().unwrap())),
            )
        };
        rows.chunks_exact(8).map(entry).collect()
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
        let (about, rows) = unpacked(&pdf[at..]);
        assert!(about.contains("/Size 6 /W [1 4 2] /Root 1 0 R "), "{about}");
        let entries = read(&rows);
        assert_eq!(entries[5], (1, at, 0));
        assert_eq!((entries[1], entries[3]), ((2, 4, 0), (2, 4, 1)));
        let stream = format!("2 0 obj\n{}{space}endobj\n", OBJECTS[1]);
        assert!(pdf[entries[2].1..].starts_with(stream.as_bytes()));
        let (about, objects) = unpacked(&pdf[entries[4].1..]);
        assert!(
            about.starts_with("4 0 obj\n<</Type /ObjStm /N 2 /First 9 "),
            "{about}"
        );
        let expected = format!("1 0 3 32 {}\n{}\n", OBJECTS[0], OBJECTS[2]);
        assert_eq!(String::from_utf8(objects).unwrap(), expected);
    }

    #[test]
    fn a_file_that_is_written_otherwise_is_refused() {
        let pdf = written("\n");
        for (from, to) in
            [("%%EOF", "%%EO"), ("xref\n0", "xxxx\n0"), ("3 0 obj", "5 0 obj")]
        {
            assert!(pack(pdf.replace(from, to).as_bytes()).is_err(), "{from}");
        }
        assert!(pack(b"").is_err());
    }
}
