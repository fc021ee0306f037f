//! A copy from one stream to another, which keeps its place while it waits.

use crate::{CountingWaker, cases, story};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

/// Copies all bytes of a source to a sink, and then closes the sink. Its output is the
/// number of bytes.
pub trait Copy: Future<Output = io::Result<u64>> + Unpin + 'static {
    /// A copy that has not begun.
    fn new(source: Source, sink: Sink) -> Self;
}

/// A stream to read from.
pub struct Source(Rc<RefCell<Script>>);

/// A stream to write to.
pub struct Sink(Rc<RefCell<Script>>);

impl Source {
    /// Reads into `buffer`. Returns how many bytes, and 0 at the end.
    pub fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut script = self.0.borrow_mut();
        script.count();
        assert!(!script.has_ended, "the source has ended, and is read again");
        assert!(
            !buffer.is_empty(),
            "a read into no room returns 0, which is not the end"
        );
        let poll = match script.reads.pop_front() {
            None => script.park(cx),
            Some(Step::Fails(kind)) => Poll::Ready(Err(kind.into())),
            Some(Step::Bytes(mut bytes)) => {
                let count = bytes.len().min(buffer.len());
                buffer[..count].copy_from_slice(&bytes[..count]);
                let rest = bytes.split_off(count);
                if !rest.is_empty() {
                    script.reads.push_front(Step::Bytes(rest));
                }
                script.has_ended = count == 0;
                Poll::Ready(Ok(count))
            }
        };
        story!("  read: {}", in_words(&poll));
        poll
    }
}

impl Sink {
    /// Takes some of these bytes. Returns how many.
    pub fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut script = self.0.borrow_mut();
        script.count();
        let poll = match script.writes.pop_front() {
            None => script.park(cx),
            Some(Room::Fails(kind)) => Poll::Ready(Err(kind.into())),
            Some(Room::For(room)) => {
                let count = bytes.len().min(room);
                script.written.extend(&bytes[..count]);
                Poll::Ready(Ok(count))
            }
        };
        story!("  write {:?}: {}", String::from_utf8_lossy(bytes), in_words(&poll));
        poll
    }

    /// Sends what it has taken, and announces the end.
    pub fn poll_close(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let mut script = self.0.borrow_mut();
        script.count();
        assert!(!script.is_closed, "the sink is closed twice");
        let poll = if script.may_close {
            script.is_closed = true;
            Poll::Ready(Ok(()))
        } else {
            script.park(cx)
        };
        story!("  close: {}", if poll.is_ready() { "done" } else { "has to wait" });
        poll
    }
}

enum Step {
    /// No bytes are the end.
    Bytes(Vec<u8>),
    Fails(ErrorKind),
}

enum Room {
    /// One write takes at most this number of bytes.
    For(usize),
    Fails(ErrorKind),
}

/// The calls after which a stream panics: the copy goes round and round.
const MOST_CALLS: usize = 500;

/// What happens at both ends. With an empty list, the next attempt has to wait.
#[derive(Default)]
struct Script {
    reads: VecDeque<Step>,
    writes: VecDeque<Room>,
    written: Vec<u8>,
    has_ended: bool,
    may_close: bool,
    is_closed: bool,
    waker: Option<Waker>,
    calls: usize,
}

impl Script {
    fn count(&mut self) {
        self.calls += 1;
        assert!(self.calls < MOST_CALLS, "{MOST_CALLS} calls: it goes round and round");
    }

    fn park<T>(&mut self, cx: &Context<'_>) -> Poll<T> {
        self.waker = Some(cx.waker().clone()); // it only counts: any order is fine
        Poll::Pending
    }
}

fn in_words(poll: &Poll<io::Result<usize>>) -> String {
    match poll {
        Poll::Pending => "has to wait".into(),
        Poll::Ready(Ok(count)) => format!("{count} bytes"),
        Poll::Ready(Err(error)) => error.kind().to_string(),
    }
}

cases! {
    Copy:
    all_bytes_arrive_and_are_counted,
    more_bytes_than_fit_arrive_in_order,
    a_short_write_is_continued,
    bytes_are_written_before_the_next_ones_arrive,
    a_write_that_waits_keeps_its_place,
    the_sink_is_closed_after_the_last_byte,
    a_close_that_waits_is_continued,
    a_sink_that_takes_nothing_is_an_error,
    an_error_of_the_source_is_passed_on,
    an_error_of_the_sink_is_passed_on,
    no_bytes_are_a_copy_too,
}

/// A copy, and the script of both ends.
struct World<C> {
    copy: C,
    script: Rc<RefCell<Script>>,
    task: Arc<CountingWaker>,
}

impl<C: Copy> World<C> {
    fn new() -> World<C> {
        let script =
            Rc::new(RefCell::new(Script { may_close: true, ..Script::default() }));
        let copy = C::new(Source(Rc::clone(&script)), Sink(Rc::clone(&script)));
        World { copy, script, task: CountingWaker::new("the task") }
    }

    /// These bytes arrive. An empty text is the end.
    fn arrive(&self, texts: &[&str]) {
        story!("there arrive: {texts:?}");
        let steps = texts.iter().map(|text| Step::Bytes(text.as_bytes().to_vec()));
        self.script.borrow_mut().reads.extend(steps);
        self.wake();
    }

    /// Each of the next writes takes the number of bytes in its place of `rooms`.
    fn room(&self, rooms: &[usize]) {
        story!("the next writes take up to: {rooms:?}");
        self.script
            .borrow_mut()
            .writes
            .extend(rooms.iter().map(|room| Room::For(*room)));
        self.wake();
    }

    fn wake(&self) {
        let waker = self.script.borrow_mut().waker.take();
        waker.into_iter().for_each(Waker::wake);
    }

    fn poll(&mut self) -> Poll<Result<u64, ErrorKind>> {
        story!("the copy is polled");
        let waker = self.task.waker();
        let poll = Pin::new(&mut self.copy).poll(&mut Context::from_waker(&waker));
        let poll = poll.map_err(|error| error.kind());
        story!("the copy: {poll:?}");
        let waits = self.script.borrow().waker.is_some();
        assert!(
            poll.is_ready() || waits,
            "it is pending, and neither end has its waker"
        );
        poll
    }

    fn written(&self) -> String {
        String::from_utf8_lossy(&self.script.borrow().written).into_owned()
    }
}

const PLENTY: [usize; 30] = [100; 30];

fn all_bytes_arrive_and_are_counted<C: Copy>() {
    let mut world = World::<C>::new();
    world.arrive(&["seven!", ""]);
    world.room(&PLENTY);
    assert_eq!(world.poll(), Poll::Ready(Ok(6)), "the number of bytes");
    assert_eq!(world.written(), "seven!", "what the sink has");
}

fn more_bytes_than_fit_arrive_in_order<C: Copy>() {
    let mut world = World::<C>::new();
    let text = "abcdefghijklmnopqrstuvwxyz";
    world.arrive(&[text, text, ""]);
    world.room(&PLENTY);
    assert_eq!(world.poll(), Poll::Ready(Ok(52)), "the number of bytes");
    assert_eq!(world.written(), format!("{text}{text}"), "what the sink has");
}

fn a_short_write_is_continued<C: Copy>() {
    let mut world = World::<C>::new();
    world.arrive(&["abcdefg", "hij", ""]);
    world.room(&[3, 1, 2, 2, 1, 1, 1, 5, 5, 5]);
    let poll = world.poll();
    assert_eq!(world.written(), "abcdefghij", "a write may take a part");
    assert_eq!(poll, Poll::Ready(Ok(10)), "the number of bytes");
}

fn bytes_are_written_before_the_next_ones_arrive<C: Copy>() {
    let mut world = World::<C>::new();
    world.room(&PLENTY);
    for (part, whole) in [("ab", "ab"), ("c", "abc"), ("de", "abcde")] {
        world.arrive(&[part]);
        assert!(world.poll().is_pending());
        assert_eq!(world.written(), whole, "what was read does not wait for more");
    }
    world.arrive(&[""]);
    assert_eq!(world.poll(), Poll::Ready(Ok(5)), "the number of bytes");
}

fn a_write_that_waits_keeps_its_place<C: Copy>() {
    let mut world = World::<C>::new();
    let whole = "abcdefghijkl";
    world.arrive(&["abcdef", "ghijkl", ""]);
    for room in [0, 4, 2, 1, 2, 1] {
        let before = world.written();
        let rooms = [room];
        world.room(if room == 0 { &[] } else { &rooms });
        assert!(world.poll().is_pending());
        let written = world.written();
        assert!(whole.starts_with(&written), "{written:?} is not how {whole:?} begins");
        assert_eq!(written.len() > before.len(), room > 0, "there was room for a byte");
    }
    world.room(&PLENTY);
    assert_eq!(world.poll(), Poll::Ready(Ok(12)), "the number of bytes");
    assert_eq!(world.written(), whole, "after a wait it goes on where it was");
}

fn the_sink_is_closed_after_the_last_byte<C: Copy>() {
    let mut world = World::<C>::new();
    world.arrive(&["abc", ""]);
    world.room(&[2]);
    assert!(world.poll().is_pending());
    assert!(!world.script.borrow().is_closed, "closed, and a byte is missing");
    world.room(&[1]);
    assert!(world.poll().is_ready());
    assert!(
        world.script.borrow().is_closed,
        "the reader of the copy waits for its end"
    );
}

fn a_close_that_waits_is_continued<C: Copy>() {
    let mut world = World::<C>::new();
    world.script.borrow_mut().may_close = false;
    world.arrive(&["abc", ""]);
    world.room(&[2, 1]);
    for _ in 0..2 {
        assert!(world.poll().is_pending());
        assert_eq!(world.written(), "abc", "what the sink has");
    }
    story!("the sink has sent all that it had");
    world.script.borrow_mut().may_close = true;
    world.wake();
    assert_eq!(world.poll(), Poll::Ready(Ok(3)), "the number of bytes");
    assert!(world.script.borrow().is_closed, "the sink has to be closed");
}

fn a_sink_that_takes_nothing_is_an_error<C: Copy>() {
    let mut world = World::<C>::new();
    world.arrive(&["abc", ""]);
    world.room(&[2, 0, 0, 0]);
    let end = world.poll();
    assert_eq!(end, Poll::Ready(Err(ErrorKind::WriteZero)), "it would never end");
}

fn an_error_of_the_source_is_passed_on<C: Copy>() {
    let mut world = World::<C>::new();
    world.arrive(&["abc"]);
    world.script.borrow_mut().reads.push_back(Step::Fails(ErrorKind::ConnectionReset));
    world.room(&PLENTY);
    let end = world.poll();
    assert_eq!(end, Poll::Ready(Err(ErrorKind::ConnectionReset)), "not a whole copy");
    assert!(!world.script.borrow().is_closed, "closed, as if the copy were whole");
    assert_eq!(world.written(), "abc", "what came before the error");
}

fn an_error_of_the_sink_is_passed_on<C: Copy>() {
    let mut world = World::<C>::new();
    world.arrive(&["abc", ""]);
    world.room(&[1]);
    world.script.borrow_mut().writes.push_back(Room::Fails(ErrorKind::BrokenPipe));
    assert_eq!(world.poll(), Poll::Ready(Err(ErrorKind::BrokenPipe)));
}

fn no_bytes_are_a_copy_too<C: Copy>() {
    let mut world = World::<C>::new();
    world.arrive(&[""]);
    assert_eq!(world.poll(), Poll::Ready(Ok(0)), "the number of bytes");
    assert!(world.script.borrow().is_closed, "the sink has to be closed");
}
