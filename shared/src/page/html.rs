//! Reads HTML as browsers do, with a tokenizer and without a tree. The rest of the crawler
//! sees start tags alone; what `svg` and `math` change is known in here.

mod foreign; // where `svg` and `math` begin and end
mod rest; // what the tokenizer reads of a page
mod tag; // a start tag
mod tags; // a page, tag by tag

pub(super) use self::tag::Tag;
pub(super) use self::tags::read_tags;
