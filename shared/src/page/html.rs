//! Reads HTML as browsers do, but with a tokenizer alone, without a tree. The rest of
//! the crawler sees only start tags. The special rules of `svg` and `math` stay in
//! this module.

mod foreign; // where `svg` and `math` begin and end
mod rest; // the input of the tokenizer, which skips what cannot matter
mod tag; // a start tag
mod tags; // a page, tag by tag

pub(super) use self::tag::Tag;
pub(super) use self::tags::read_tags;
