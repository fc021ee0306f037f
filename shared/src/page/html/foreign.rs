//! Keeps track of the `svg` and `math` elements that are open.
//!
//! In HTML the content of a `style` or a `title` is text, but in an `svg` or a `math`
//! it is tags. A tree would show where the tokenizer is. Instead, [`Foreign`] counts
//! open `svg` and `math` elements, and the elements in them that contain HTML again
//! ([HTML §13.2.6.5]).
//!
//! [HTML §13.2.6.5]: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign

use super::tag::Tag;
use html5gum::State;

/// The open `svg` and `math` elements, and the open elements in them that contain
/// HTML.
#[derive(Default)]
pub(super) struct Foreign {
    /// Ordered from the outermost to the innermost. Empty outside of `svg` and `math`.
    open: Vec<Open>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// The number of nested `svg` elements.
    Svg(u32),
    /// The number of nested `math` elements.
    Math(u32),
    /// An element in `svg` or `math` that contains HTML: its index in
    /// [`CONTAIN_HTML`].
    Html(u8),
}

/// Attributes that decide whether an element contains HTML, or ends `svg` and `math`.
pub(super) const FOREIGN_ATTRIBUTES: &[&str] = &["encoding", "color", "face", "size"];

/// Elements that contain HTML. The first three do so in an `svg`, the others in a
/// `math`.
const CONTAIN_HTML: [&str; 9] = [
    "foreignobject",
    "desc",
    "title",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
    "annotation-xml",
];

/// Start tags that end every open `svg` and `math`.
const END_FOREIGN: &[&str] = &[
    "b",
    "big",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "i",
    "img",
    "li",
    "listing",
    "menu",
    "meta",
    "nobr",
    "ol",
    "p",
    "pre",
    "ruby",
    "s",
    "small",
    "span",
    "strong",
    "strike",
    "sub",
    "sup",
    "table",
    "tt",
    "u",
    "ul",
    "var",
];

impl Foreign {
    /// Returns whether the next tag belongs to HTML, and not to `svg` or `math`.
    pub(super) fn is_in_html(&self) -> bool {
        matches!(self.open.last(), None | Some(Open::Html(_)))
    }

    /// Returns whether neither an `svg` nor a `math` is open.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns whether this start tag belongs to `svg`.
    pub(super) fn is_of_svg(&self, tag: &Tag) -> bool {
        matches!(self.open.last(), Some(Open::Svg(_))) && !ends_foreign(tag)
    }

    /// Returns whether a start tag of this name changes how the rest of the page is
    /// read.
    pub(super) fn is_changed_by(name: &[u8]) -> bool {
        name == b"svg" || name == b"math" || text_in(name).is_some()
    }

    /// Records a start tag. Returns the state in which the tokenizer reads its
    /// content; `None` if the content is tags.
    pub(super) fn start(&mut self, tag: &Tag, is_self_closing: bool) -> Option<State> {
        if !self.is_in_html() {
            if !ends_foreign(tag) {
                self.start_foreign(tag, is_self_closing);
                return None;
            }
            self.open.pop();
        }
        match tag.name() {
            b"svg" if !is_self_closing => self.open.push(Open::Svg(1)),
            b"math" if !is_self_closing => self.open.push(Open::Math(1)),
            _ => {}
        }
        text_in(tag.name())
    }

    fn start_foreign(&mut self, tag: &Tag, is_self_closing: bool) {
        if is_self_closing {
            return;
        }
        match (self.open.last_mut(), tag.name()) {
            (Some(Open::Svg(count)), b"svg") | (Some(Open::Math(count)), b"math") => {
                *count += 1;
            }
            (Some(open), _) => {
                let html = contains_html(*open, tag).map(Open::Html);
                self.open.extend(html);
            }
            (None, _) => {}
        }
    }

    /// Records an end tag.
    pub(super) fn end(&mut self, name: &[u8]) {
        match (self.open.last_mut(), name) {
            (Some(Open::Svg(count)), b"svg") | (Some(Open::Math(count)), b"math") => {
                *count -= 1;
                if *count == 0 {
                    self.open.pop();
                }
            }
            (Some(Open::Svg(_) | Open::Math(_)), b"p" | b"br") => drop(self.open.pop()),
            _ => self.end_html(name),
        }
    }

    /// Ends an element that contains HTML, together with all open elements inside it.
    fn end_html(&mut self, name: &[u8]) {
        let is_it = |at: u8| CONTAIN_HTML[usize::from(at)].as_bytes() == name;
        let ended = |it: &Open| matches!(it, Open::Html(at) if is_it(*at));
        let inner = usize::from(!self.is_in_html());
        let Some(outer) = self.open.len().checked_sub(1 + inner) else { return };
        if self.open.get(outer).is_some_and(ended) {
            self.open.truncate(outer);
        }
    }
}

/// Returns the state in which the tokenizer reads the content of an element; `None` if
/// the content is tags.
fn text_in(name: &[u8]) -> Option<State> {
    match name {
        b"title" | b"textarea" => Some(State::RcData),
        // `noscript` is not listed: without scripts its content is HTML.
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => {
            Some(State::RawText)
        }
        b"script" => Some(State::ScriptData),
        b"plaintext" => Some(State::PlainText),
        _ => None,
    }
}

fn contains_html(open: Open, tag: &Tag) -> Option<u8> {
    let at = CONTAIN_HTML.iter().position(|name| name.as_bytes() == tag.name())?;
    let is_html = |encoding: &str| {
        encoding.eq_ignore_ascii_case("text/html")
            || encoding.eq_ignore_ascii_case("application/xhtml+xml")
    };
    let does = match (open, CONTAIN_HTML[at]) {
        (Open::Svg(_), _) => at < 3,
        (_, "annotation-xml") => tag.get("encoding").is_some_and(is_html),
        (_, _) => at >= 3,
    };
    does.then_some(at as u8)
}

fn ends_foreign(tag: &Tag) -> bool {
    match tag.name() {
        b"font" => ["color", "face", "size"].iter().any(|it| tag.get(it).is_some()),
        name => END_FOREIGN.iter().any(|it| it.as_bytes() == name),
    }
}
