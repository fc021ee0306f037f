//! A page made of parts, of which some name an encoding: what it is, is known.

use arbitrary::Arbitrary;
use encoding_rs::{Encoding, UTF_8, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use shared::page::charset::PRESCAN;

/// What a page begins with; only `Meta` names an encoding.
#[derive(Arbitrary, Debug)]
pub(crate) enum Part<'a> {
    Text(&'a str),
    Comment(&'a str),
    /// The dashes that open it close it.
    EmptyComment,
    Tag(&'a str),
    Bogus(&'a str),
    Meta {
        label: u8,
        written: Written,
    },
    Metadata(u8),
}

#[derive(Arbitrary, Debug)]
pub(crate) enum Written {
    Bare,
    Quoted,
    HttpEquiv,
    WithOthers,
}

const LABELS: [&str; 10] = [
    "utf-8",
    "koi8-r",
    "Windows-1251",
    "SHIFT_JIS",
    "big5",
    "utf-16le",
    "x-user-defined",
    "iso-2022-kr",
    "latin1",
    "no-such-thing",
];

/// The page that these parts make.
pub(crate) fn encode(parts: &[Part<'_>]) -> String {
    parts.iter().map(Part::encode).collect()
}

/// The encoding that the first useful `<meta>` names, if it ends in time.
pub(crate) fn expected(parts: &[Part<'_>]) -> &'static Encoding {
    let mut end = 0;
    for part in parts {
        end += part.encode().len();
        if end > PRESCAN {
            break;
        }
        if let Part::Meta { label: index, .. } = part
            && let Some(named) = Encoding::for_label(label(*index).as_bytes())
        {
            return match named {
                named if named == UTF_16LE => UTF_8,
                named if named == X_USER_DEFINED => WINDOWS_1252,
                named => named,
            };
        }
    }
    UTF_8
}

/// One of a few, by number.
pub(crate) fn label(index: u8) -> &'static str {
    LABELS[usize::from(index) % LABELS.len()]
}

impl Part<'_> {
    fn encode(&self) -> String {
        // What stands inside may not end it.
        let plain = |text: &str| text.replace(['<', '>', '-', '\'', '"', '/'], "_");
        match self {
            Part::Text(text) => plain(text),
            Part::Comment(text) => {
                format!("<!-- {}<meta charset=koi8-r>-->", text.replace("--", ""))
            }
            Part::EmptyComment => "<!-->".to_string(),
            Part::Tag(text) => {
                format!("<a title='{}<meta charset=koi8-r>'>", text.replace('\'', ""))
            }
            Part::Bogus(text) => {
                format!("<?{}<meta charset=koi8-r>", text.replace('>', ""))
            }
            Part::Meta { label: index, written } => written.encode(label(*index)),
            Part::Metadata(index) => format!("<metadata charset={}>", label(*index)),
        }
    }
}

impl Written {
    fn encode(&self, label: &str) -> String {
        let words = match self {
            Written::Bare => return format!("<meta charset={label}>"),
            Written::Quoted => return format!("<META\n/ CharSet = '{label}'/>"),
            Written::HttpEquiv => {
                format!(
                    "http-equiv=Content-Type content=\"text/html; charset={label}\""
                )
            }
            Written::WithOthers => {
                format!("name=x content='charset=big5' charset='{label}' charset=big5")
            }
        };
        format!("<meta {words}>")
    }
}
