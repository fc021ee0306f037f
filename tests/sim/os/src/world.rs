//! All sockets and selectors of a thread, and what will happen, and when.

use crate::clock;
use crate::log::{Choice, Happened, What};
use crate::site::{Act, Answers, Nothing, Site};
use crate::state::{Edge, Phase, Ready, State};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind};
use std::mem;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

/// In which order things happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Each when its time has come.
    #[default]
    InTime,
    /// Each time that the program sleeps, one of the things that may happen next: the
    /// first of each socket, in the order of the sockets, and then the program's next
    /// timer. What happens after the last of them is in `Then`.
    Chosen(Vec<Pick>, Then),
}

/// One of the things that may happen next, and how it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Its index.
    pub index: usize,
    /// Instead of it the connection is refused, or reset if it is established.
    pub fails: bool,
    /// The program sleeps on until the next choice has happened as well.
    pub sleeps_on: bool,
}

impl From<usize> for Pick {
    fn from(index: usize) -> Pick {
        Pick { index, fails: false, sleeps_on: false }
    }
}

/// What follows after the last choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Each when its time has come.
    InTime,
    /// The user presses Ctrl-C; and then in time.
    Interrupt,
    /// Nothing: the program's wait fails, so that a program without a Ctrl-C ends there.
    Fail,
}

/// What is called when the user presses Ctrl-C.
type Handler = Rc<dyn Fn()>;

/// A time and a running number: things that happen at once do so in the order in which
/// they were planned.
type When = (Duration, u64);

pub(crate) struct World {
    site: Box<dyn Site>,
    sockets: BTreeMap<usize, State>,
    /// The number of the socket that was made last.
    latest: usize,
    /// The sockets that each selector has to report, in the order of their edges.
    selectors: Vec<VecDeque<usize>>,
    agenda: BTreeMap<When, (usize, Event)>,
    planned: u64,
    /// The next choices; `None`: everything happens in time.
    choices: Option<(VecDeque<Pick>, Then)>,
    handler: Option<Handler>,
    log: Vec<Happened>,
}

/// What will happen to a socket.
enum Event {
    Connects,
    IsRefused,
    Act(Act),
}

thread_local! { static WORLD: RefCell<World> = RefCell::new(World::new(Box::new(Nothing))) }

/// A new world, with this site in it: at time zero, without a socket.
pub fn install(site: impl Site + 'static, order: Order) {
    clock::reset();
    let choices = match order {
        Order::InTime => None,
        Order::Chosen(choices, then) => Some((choices.into(), then)),
    };
    let world = World { choices, ..World::new(Box::new(site)) };
    // The old one is dropped without a borrow: its site may hold anything.
    let old = WORLD.with(|it| it.replace(world));
    drop(old);
}

/// Puts another site into the world of this thread, as it is.
pub fn replace_site(site: impl Site + 'static) {
    let old = with(|world| mem::replace(&mut world.site, Box::new(site)));
    drop(old);
}

/// Calls this when the user presses Ctrl-C: see [`Then::Interrupt`].
pub fn interrupt_with(handler: impl Fn() + 'static) {
    with(|world| world.handler = Some(Rc::new(handler)));
}

/// Takes what has happened so far.
pub fn log() -> Vec<Happened> {
    with(|world| mem::take(&mut world.log))
}

pub(crate) fn with<T>(of: impl FnOnce(&mut World) -> T) -> T {
    WORLD.with_borrow_mut(of)
}

/// The same at the end of a thread, where the world may be gone; and at the end of a
/// world, which drops the sockets that its site may have.
pub(crate) fn with_if_any(of: impl FnOnce(&mut World)) {
    let _ = WORLD.try_with(|world| world.try_borrow_mut().map(|mut it| of(&mut it)));
}

impl World {
    fn new(site: Box<dyn Site>) -> World {
        World {
            site,
            sockets: BTreeMap::new(),
            latest: 0,
            selectors: Vec::new(),
            agenda: BTreeMap::new(),
            planned: 0,
            choices: None,
            handler: None,
            log: Vec::new(),
        }
    }

    pub(crate) fn new_socket(&mut self) -> usize {
        self.latest += 1;
        self.sockets.insert(self.latest, State::default());
        self.latest
    }

    pub(crate) fn new_selector(&mut self) -> usize {
        self.selectors.push(VecDeque::new());
        self.selectors.len() - 1
    }

    pub(crate) fn socket(&mut self, number: usize) -> &mut State {
        self.sockets.get_mut(&number).expect("a socket of another thread, or world")
    }

    pub(crate) fn connect(&mut self, number: usize, to: SocketAddr) {
        let state = self.socket(number);
        state.phase = Phase::Connecting;
        state.peer = Some(to);
        let (after, answers) = self.site.connect(number, to, clock::now());
        match answers {
            Answers::Accepts => self.plan(number, after, Event::Connects),
            Answers::Refuses => self.plan(number, after, Event::IsRefused),
            Answers::Nothing => {}
        }
    }

    pub(crate) fn sent(&mut self, number: usize, bytes: &[u8]) {
        for (after, act) in self.site.receive(number, bytes, clock::now()) {
            self.plan(number, after, Event::Act(act));
        }
    }

    pub(crate) fn close(&mut self, number: usize) {
        if self.sockets.remove(&number).is_some() {
            self.site.hung_up(number, clock::now());
        }
    }

    fn plan(&mut self, number: usize, after: Duration, event: Event) {
        self.plan_at(number, clock::now() + after, event);
    }

    fn plan_at(&mut self, number: usize, when: Duration, event: Event) {
        let Some(state) = self.sockets.get_mut(&number) else { return };
        state.latest = state.latest.max(when);
        self.planned += 1;
        self.agenda.insert((state.latest, self.planned), (number, event));
    }

    /// Something about a socket has changed: its selector lists it.
    pub(crate) fn edge(&mut self, number: usize, edge: Edge) {
        let watched = self.sockets.get_mut(&number).and_then(|it| it.watched.as_mut());
        if let Some(watched) = watched
            && watched.notices(edge)
        {
            self.selectors[watched.selector].push_back(number);
        }
    }

    /// Lets happen what is due by now.
    pub(crate) fn catch_up(&mut self) {
        if self.choices.is_some() {
            return;
        }
        while self.run_site(clock::now()) {}
        while let Some((&when, _)) = self.agenda.first_key_value()
            && when.0 <= clock::now()
        {
            self.happens(when);
        }
    }

    /// Lets happen what is due, and takes what a selector has to report.
    pub(crate) fn look(&mut self, selector: usize) -> Vec<Ready> {
        self.catch_up();

        let listed = mem::take(&mut self.selectors[selector]);
        let report = |number: usize| {
            let state = self.sockets.get_mut(&number)?;
            let is_mine =
                state.watched.as_ref().is_some_and(|it| it.selector == selector);
            is_mine.then(|| state.report())?
        };
        listed.into_iter().filter_map(report).collect()
    }

    /// Sleeps until something happens, or until `limit`. Returns what is to be called, if
    /// the user presses Ctrl-C.
    pub(crate) fn sleep(
        &mut self,
        limit: Option<Duration>,
    ) -> io::Result<Option<Handler>> {
        while let Some((choices, then)) = &mut self.choices {
            if let Some(pick) = choices.pop_front() {
                self.choose(pick, limit)?;
                if pick.sleeps_on {
                    continue;
                }
                return Ok(None);
            }
            let then = *then;
            let choices = self.possible(limit).into_iter().map(|(it, _)| it).collect();
            self.note(What::Asked(choices, None));
            self.choices = None;
            match then {
                Then::InTime => {}
                Then::Interrupt => return Ok(self.handler.clone()),
                Then::Fail => return Err(io::Error::other("the choices have ended")),
            }
        }
        let planned = |world: &World| world.agenda.keys().next().map(|when| when.0);
        let until = planned(self).into_iter().chain(limit).min();
        self.run_site(until.unwrap_or(Duration::MAX));
        let next = planned(self);
        match next.into_iter().chain(limit).min() {
            None => Err(io::Error::other("nothing will ever happen")),
            Some(when) if next == Some(when) => {
                clock::advance(when);
                Ok(None)
            }
            Some(limit) => timer_is_due(limit).map(|()| None),
        }
    }

    /// Lets one of the things happen that are possible.
    fn choose(&mut self, pick: Pick, limit: Option<Duration>) -> io::Result<()> {
        let choice = pick.index;
        let possible = self.possible(limit);
        let when = possible.get(choice).map(|(_, when)| *when);
        let choices = possible.into_iter().map(|(choice, _)| choice).collect();
        self.note(What::Asked(choices, Some(choice)));
        match when {
            Some(Some(when)) => {
                if pick.fails {
                    self.fails(when);
                }
                clock::advance(when.0);
                self.happens(when);
                Ok(())
            }
            Some(None) if pick.fails => {
                Err(io::Error::new(ErrorKind::InvalidInput, "a timer cannot fail"))
            }
            Some(None) => timer_is_due(limit.expect("it was among the choices")),
            None => {
                let why = format!("nothing has the number {choice} here");
                Err(io::Error::new(ErrorKind::InvalidInput, why))
            }
        }
    }

    /// What may happen next, and what that is in the agenda.
    fn possible(&self, limit: Option<Duration>) -> Vec<(Choice, Option<When>)> {
        let mut first = BTreeMap::new();
        for (when, (number, event)) in &self.agenda {
            if self.sockets.contains_key(number) {
                first.entry(*number).or_insert((*when, event.name()));
            }
        }
        let of_socket = |(number, (when, what))| {
            (Choice { socket: Some(number), what }, Some(when))
        };
        let timer = limit.map(|_| (Choice { socket: None, what: "timer" }, None));
        first.into_iter().map(of_socket).chain(timer).collect()
    }

    /// Lets a site that runs by itself run until it does something to a connection.
    /// Returns whether it has done so.
    fn run_site(&mut self, until: Duration) -> bool {
        let next = self.site.next(until);
        let is_some = next.is_some();
        if let Some((when, number, act)) = next {
            self.plan_at(number, when, Event::Act(act));
        }
        is_some
    }

    /// Puts a failure in the place of what was planned for a socket, and of all that would
    /// have followed.
    fn fails(&mut self, when: When) {
        let Some((number, event)) = self.agenda.remove(&when) else { return };
        let failure = match event {
            Event::Connects | Event::IsRefused => Event::IsRefused,
            Event::Act(_) => Event::Act(Act::Reset),
        };
        self.agenda.retain(|_, (other, _)| *other != number);
        self.agenda.insert(when, (number, failure));
    }

    fn happens(&mut self, when: When) {
        let Some((number, event)) = self.agenda.remove(&when) else { return };
        let Some(state) = self.sockets.get_mut(&number) else { return };
        let (edge, what) = match event {
            Event::Connects => {
                state.phase = Phase::Connected;
                (Edge::Writable, What::Connected(number))
            }
            Event::IsRefused => {
                state.phase = Phase::Broken;
                state.error = Some(ErrorKind::ConnectionRefused);
                (Edge::Both, What::Refused(number))
            }
            Event::Act(Act::Send(bytes)) => {
                state.inbox.extend_from_slice(&bytes);
                (Edge::Readable, What::Bytes(number, bytes.len()))
            }
            Event::Act(Act::Close) => {
                state.is_closed = true;
                (Edge::Readable, What::Closed(number))
            }
            Event::Act(Act::Reset) => {
                state.phase = Phase::Broken;
                state.error = Some(ErrorKind::ConnectionReset);
                state.inbox.clear();
                state.is_closed = true;
                (Edge::Both, What::Reset(number))
            }
        };
        self.note(what);
        self.edge(number, edge);
    }

    pub(crate) fn sleeps(&mut self, limit: Option<Duration>) {
        self.note(What::Sleeps(limit));
    }

    pub(crate) fn wakes(&mut self) {
        self.note(What::Wakes);
    }

    fn note(&mut self, what: What) {
        self.log.push(Happened { at: clock::now(), what });
    }
}

impl Event {
    fn name(&self) -> &'static str {
        match self {
            Event::Connects => "connected",
            Event::IsRefused => "refused",
            Event::Act(Act::Send(_)) => "bytes",
            Event::Act(Act::Close) => "closed",
            Event::Act(Act::Reset) => "reset",
        }
    }
}

fn timer_is_due(limit: Duration) -> io::Result<()> {
    if !clock::can_fire_timers() {
        return Err(io::Error::new(
            ErrorKind::Unsupported,
            "a timer is due, and a native program's clock cannot be moved: run it as wasm",
        ));
    }
    clock::advance(limit);
    Ok(())
}
