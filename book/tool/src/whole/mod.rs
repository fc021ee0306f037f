//! The whole book: all rules, and those for what is built of it.
//!
//! | module | what has to be so |
//! |---|---|
//! | `slides` | slides fit their plans, and what they name is there |
//! | `pages` | the HTML is whole: nothing left to include, fragments, images, no other host |
//! | `exercises` | each exercise is in the page of its chapter alone |
//! | `crawled` | our own crawler finds no broken link |
//! | `epub` | what the EPUB has of it is XML, in order, and whole |
//! | `students` | the students' edition has no answers |

pub mod crawled;
pub mod epub;
pub mod exercises;
pub mod pages;
pub mod students;

use crate::check::counts::Counts;
use crate::html::site::Site;
use crate::read::book::Book;
use crate::read::edition::Edition;
use crate::read::problem::Problem;
use crate::{check, html, slides};

/// What is wrong with the whole book, and how much there is of it. Builds each edition once.
/// What is left is its English.
pub fn check(book: &Book) -> (Vec<Problem>, Counts) {
    let mut problems = check::written(book);
    problems.extend(slides::check::check(book));
    problems.extend(html::made::check(book));
    let mut counts = Counts::of(book);
    match built(book) {
        Ok((found, links)) => {
            problems.extend(found);
            counts.links = links;
        }
        Err(why) => problems.push(Problem::new("book", 0, format!("not built: {why}"))),
    }
    (problems, counts)
}

/// Builds each edition, and returns what is wrong with it, and how many links the whole
/// book has.
fn built(book: &Book) -> Result<(Vec<Problem>, usize), String> {
    html::build(book, Edition::All)?;
    let site = Site::read(&Edition::All.built(&book.place));
    let mut problems = pages::is_whole(book);
    problems.extend(pages::check(&site));
    problems.extend(exercises::check(book, &site));
    let (broken, links) = crawled::check(&site.folder);
    problems.extend(broken);
    problems.extend(epub::check(book, &site));
    html::build(book, Edition::Students)?;
    let students = Site::read(&Edition::Students.built(&book.place));
    problems.extend(pages::check(&students));
    problems.extend(students::check(book, &site, &students));
    Ok((problems, links))
}
