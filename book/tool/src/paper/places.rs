//! The pages of the places that links in a PDF lead to. Only files that Chromium has written
//! are read: their objects are plain text, and only contents are compressed. That is little
//! enough to need no library: those that are well kept ask for a newer Rust, or bring twenty
//! packages.

use std::collections::BTreeMap;

/// The page of each place that has a name, from 1, and how many pages there are.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Names and pages.
    pub pages: BTreeMap<String, usize>,
    /// The number of pages.
    pub count: usize,
}

pattern!(OBJECT, r"(?s)(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj");
pattern!(REFERENCE, r"(\d+) 0 R");
pattern!(KIDS, r"/Kids \[([^\]]*)\]");
pattern!(ROOT, r"/Type /Catalog[^>]*?/Pages (\d+) 0 R");
pattern!(DESTS, r"/Dests (\d+) 0 R");
pattern!(DEST, r"/([^\s/\[\]<>()]+) \[(\d+) 0 R /XYZ");

/// Reads a PDF.
///
/// # Errors
/// It has no tree of pages, or none of its places has a name.
pub(super) fn read(pdf: &[u8]) -> Result<Places, String> {
    let text = String::from_utf8_lossy(pdf);
    let objects: BTreeMap<&str, &str> = OBJECT
        .captures_iter(&text)
        .map(|found| found.extract())
        .map(|(_, [number, body])| (number, body))
        .collect();
    let wrong = |what: &str| {
        format!("Chromium's PDF has no {what}: it is written in another way")
    };
    let root = ROOT.captures(&text).ok_or(wrong("catalog"))?;
    let mut order = Vec::new();
    leaves(&objects, &root[1], &mut order);
    let pages: BTreeMap<&str, usize> = order.iter().copied().zip(1..).collect();
    let names = DESTS.captures(&text).and_then(|found| objects.get(&found[1]).copied());
    let found = DEST
        .captures_iter(names.ok_or(wrong("named places"))?)
        .filter_map(|found| Some((unescaped(&found[1]), *pages.get(&found[2])?)));
    let found: BTreeMap<String, usize> = found.collect();
    if found.is_empty() {
        Err(wrong("named places"))
    } else {
        Ok(Places { pages: found, count: order.len() })
    }
}

/// The objects of the pages below this one, in order.
fn leaves<'a>(
    objects: &BTreeMap<&'a str, &'a str>,
    node: &str,
    order: &mut Vec<&'a str>,
) {
    let Some((number, body)) = objects.get_key_value(node) else { return };
    let Some(kids) = KIDS.captures(body).filter(|_| body.contains("/Type /Pages"))
    else {
        order.push(number);
        return;
    };
    for kid in REFERENCE.captures_iter(&kids[1]) {
        leaves(objects, &kid[1], order);
    }
}

/// A name of a PDF: `#5F` is an underscore.
fn unescaped(name: &str) -> String {
    let mut parts = name.split('#');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let code = part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        text.push(code.map_or('?', char::from));
        text.push_str(part.get(2..).unwrap_or_default());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const PDF: &str = "%PDF-1.4\n1 0 obj\n<</Type /Page>>\nendobj\n\
        2 0 obj\n<</Type /Page>>\nendobj\n3 0 obj\n<</Type /Page>>\nendobj\n\
        4 0 obj\n<</Type /Pages\n/Kids [3 0 R]>>\nendobj\n\
        5 0 obj\n<</Type /Pages\n/Kids [2 0 R 4 0 R 1 0 R]>>\nendobj\n\
        6 0 obj\n<</a--b [3 0 R /XYZ 6 827.6 0]\n/c#5Fd [1 0 R /XYZ 0 0 0]>>\nendobj\n\
        7 0 obj\n<</Type /Catalog\n/Pages 5 0 R\n/Dests 6 0 R>>\nendobj\n";

    #[test]
    fn pages_are_counted_in_their_order() {
        let places = read(PDF.as_bytes()).unwrap();
        assert_eq!(places.count, 3);
        assert_eq!(places.pages["a--b"], 2);
        assert_eq!(places.pages["c_d"], 3);
    }

    #[test]
    fn a_file_written_in_another_way_is_not_passed_over() {
        let other = PDF.replace("/Dests 6 0 R", "/Names 6 0 R");
        assert!(read(other.as_bytes()).unwrap_err().contains("no named places"));
        assert!(read(b"%PDF").unwrap_err().contains("no catalog"));
    }
}
