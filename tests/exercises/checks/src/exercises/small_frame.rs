//! What is alive across an await is stored in the frame of each task that waits.

use crate::{cases, story};
use std::any::type_name_of_val;
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The bytes that one read returns.
pub const CHUNK: usize = 16 * 1024;

/// The most bytes of a frame.
const MOST: usize = 512;

/// Visits a page.
pub trait Visit: 'static {
    /// Waits until the page arrives, then reads it, then lets other tasks run, and then
    /// reports how many bytes and links the page has, each once. Returns the number of
    /// links.
    fn visit(page: Page) -> impl Future<Output = usize>;
}

#[derive(Default)]
struct Inner {
    has_arrived: Cell<bool>,
    reads: Cell<usize>,
    /// The chunks that are alive.
    chunks: Cell<usize>,
    report: Cell<Option<(usize, usize)>>,
    /// Whether the other tasks have had their turn.
    has_turned: Cell<bool>,
    turned_before_report: Cell<bool>,
    read_before_turn: Cell<bool>,
}

/// A page that a server sends. It fits into one chunk.
pub struct Page(Rc<Inner>);

impl Page {
    /// Waits until the page has arrived.
    pub async fn arrives(&self) {
        poll_fn(
            |_| if self.0.has_arrived.get() { Poll::Ready(()) } else { Poll::Pending },
        )
        .await;
    }

    /// Reads the page.
    pub fn read(&self) -> Chunk {
        story!("it reads");
        let Inner { has_arrived, reads, chunks, .. } = &*self.0;
        assert!(has_arrived.get(), "it reads, and nothing has arrived");
        reads.set(reads.get() + 1);
        chunks.set(chunks.get() + 1);
        let mut bytes = [b'.'; CHUNK];
        bytes[..12].copy_from_slice(b"<a> <a> <a> ");
        Chunk { bytes, page: Rc::clone(&self.0) }
    }

    /// Lets the other tasks run.
    pub async fn turn(&self) {
        self.0.read_before_turn.set(self.0.reads.get() > 0);
        self.pause("turn").await;
        self.0.has_turned.set(true);
    }

    /// Reports how many bytes and links the page has, to a log that is slow.
    pub async fn report(&self, bytes: usize, links: usize) {
        story!("it reports {bytes} bytes and {links} links");
        self.0.turned_before_report.set(self.0.has_turned.get());
        self.0.report.set(Some((bytes, links)));
        self.pause("report").await;
    }

    /// Waits for one poll.
    async fn pause(&self, at: &str) {
        let mut was_polled = false;
        poll_fn(|_| {
            if was_polled {
                return Poll::Ready(());
            }
            was_polled = true;
            story!("it waits in {at}; chunks that are alive: {}", self.0.chunks.get());
            Poll::Pending
        })
        .await;
    }
}

/// The bytes that one read has returned.
pub struct Chunk {
    bytes: [u8; CHUNK],
    page: Rc<Inner>,
}

impl Chunk {
    /// Returns how many bytes it has.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns how many links are in it.
    pub fn links(&self) -> usize {
        self.bytes.windows(3).filter(|it| it == b"<a>").count()
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        self.page.chunks.set(self.page.chunks.get() - 1);
    }
}

cases! {
    Visit:
    it_reads_when_the_page_has_arrived,
    it_lets_others_run_and_reports_once,
    the_page_is_read_once,
    no_chunk_is_alive_while_it_waits,
    the_frame_has_no_room_for_a_chunk,
}

/// Polls a visit to its end. Returns what is left of the page, the most chunks that
/// were alive while it waited, the number of waits, and what it returns.
fn visit<V: Visit>() -> (Rc<Inner>, usize, usize, usize) {
    let page = Rc::new(Inner::default());
    let mut visit = pin!(V::visit(Page(Rc::clone(&page))));
    let mut context = Context::from_waker(Waker::noop());
    story!("it is polled, and nothing has arrived");
    assert!(visit.as_mut().poll(&mut context).is_pending(), "nothing has arrived");
    page.has_arrived.set(true);
    story!("the page has arrived");
    let (mut most, mut waits) = (0, 0);
    loop {
        if let Poll::Ready(links) = visit.as_mut().poll(&mut context) {
            return (page, most, waits, links);
        }
        (most, waits) = (most.max(page.chunks.get()), waits + 1);
        assert!(waits < 10, "it waits again and again");
    }
}

fn it_reads_when_the_page_has_arrived<V: Visit>() {
    let (_, _, _, links) = visit::<V>();
    assert_eq!(links, 3, "the links of the page");
}

fn it_lets_others_run_and_reports_once<V: Visit>() {
    let (page, _, waits, _) = visit::<V>();
    let is_right = page.turned_before_report.get();
    assert!(is_right, "it reports before it lets others run");
    let is_right = page.read_before_turn.get();
    assert!(is_right, "it lets others run before it has read the page");
    assert_eq!(page.report.get(), Some((CHUNK, 3)), "the bytes and links it reports");
    assert_eq!(
        waits, 2,
        "waits after the page has arrived: one in turn, one in report"
    );
}

fn the_page_is_read_once<V: Visit>() {
    let (page, ..) = visit::<V>();
    assert_eq!(page.reads.get(), 1, "reads of the page");
}

fn no_chunk_is_alive_while_it_waits<V: Visit>() {
    let (_, most, ..) = visit::<V>();
    assert_eq!(most, 0, "chunks of 16 KB that are alive while the task waits");
}

fn the_frame_has_no_room_for_a_chunk<V: Visit>() {
    let frame = V::visit(Page(Rc::default()));
    let name = type_name_of_val(&frame);
    assert!(
        !name.starts_with("core::pin::Pin<alloc::boxed::Box"),
        "the frame is in a box, in which this case cannot see how large it is: the heap \
         has room for it in each task, too"
    );
    let size = size_of_val(&frame);
    assert!(
        size <= MOST,
        "the frame has {size} bytes: it keeps room for the chunk until the end of its \
         block, even if it was dropped before"
    );
}
