//! Threads that share a crawl, so a lock protects its books.
//!
//! `Mutex`, `Condvar` and `thread` work like std's, but the check can stop a thread
//! wherever it uses one.

use checks::pool::{Arc, Condvar, Fetch, Mutex, Pool, thread};
use std::collections::{HashSet, VecDeque};

struct Crawl {
    books: Mutex<Books>,
    /// A thread that finds `todo` empty sleeps here.
    news: Condvar,
    fetch: Fetch,
}

struct Books {
    todo: VecDeque<u32>,
    /// Everything that was ever in `todo`.
    seen: HashSet<u32>,
    in_flight: usize,
    fetched: Vec<u32>,
}

struct Mine;

impl Pool for Mine {
    fn crawl(threads: usize, fetch: Fetch) -> Vec<u32> {
        let (todo, seen) = ([0].into(), [0].into());
        let books = Mutex::new(Books { todo, seen, in_flight: 0, fetched: vec![] });
        let crawl = Arc::new(Crawl { books, news: Condvar::new(), fetch });
        let start = |_| {
            let crawl = Arc::clone(&crawl);
            thread::spawn(move || crawl.work())
        };
        let all: Vec<_> = (0..threads).map(start).collect();
        all.into_iter().for_each(|thread| thread.join().unwrap());
        let mut books = crawl.books.lock().unwrap();
        std::mem::take(&mut books.fetched)
    }
}

// ANCHOR: solution
impl Crawl {
    /// What each thread does until no more work can turn up.
    fn work(&self) {
        // hole 2
        //| todo!("take a page, fetch it, and add its new links, until no more can turn up")
        loop {
            let mut books = self.books.lock().unwrap();
            // hole 1
            //| // Yours: wait for news while there is no page, but one may still turn up.
            while books.todo.is_empty() && books.in_flight > 0 {
                books = self.news.wait(books).unwrap();
            }
            // end hole
            let Some(page) = books.todo.pop_front() else { return };
            books.in_flight += 1;
            drop(books); // other threads can take the lock while this one waits
            let links = (self.fetch)(page);
            let mut books = self.books.lock().unwrap();
            books.in_flight -= 1;
            books.fetched.push(page);
            // hole 1
            //| let _ = links;
            //| todo!("add the links that are new, and tell the threads that wait")
            for link in links {
                if books.seen.insert(link) {
                    books.todo.push_back(link);
                }
            }
            self.news.notify_all();
            // end hole
        }
        // end hole
    }
}
// ANCHOR_END: solution

fn main() -> std::process::ExitCode {
    checks::pool::check::<Mine>()
}
