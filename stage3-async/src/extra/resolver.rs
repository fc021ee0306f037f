//! Host names to addresses. The system's look-up blocks, so it runs on other threads.

use super::set_once::SetOnce;
use super::thread_pool::ThreadPool;
use crate::{Leaf, Reactor};
use shared::resolve::{Answer, Host, LookupResult, NEGATIVE_TTL, host};
use shared::{FetchError, Options, Url};
use std::cell::RefCell;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

static LOOK_UP: Leaf = Leaf::named("resolve", "a look-up");

/// How many names are looked up at once. Other look-ups wait for a thread, while the
/// time of their attempts runs.
const LOOK_UPS_AT_ONCE: usize = 8;

/// Looks up names on other threads. All tasks that need the same name share one
/// look-up.
pub(crate) struct Resolver {
    /// Look-ups that are in progress or have ended.
    look_ups: RefCell<HashMap<String, SetOnce<Answer>>>,
    threads: ThreadPool,
    /// The look-up function, which blocks.
    system_lookup: Arc<dyn Fn(&str) -> LookupResult + Send + Sync>,
    /// How long a failed look-up is remembered.
    negative_ttl: Duration,
    reactor: Reactor,
}

impl Resolver {
    /// Creates a resolver that knows `options.hosts`, and looks up all other names.
    pub(crate) fn new(options: &Options, reactor: &Reactor) -> Resolver {
        let known = options.hosts.iter().map(|(name, addresses)| {
            let answer = Answer::permanent(name, addresses);
            (name.clone(), SetOnce::new(Some(answer), &LOOK_UP))
        });
        Resolver {
            look_ups: RefCell::new(known.collect()),
            threads: ThreadPool::new(LOOK_UPS_AT_ONCE, reactor),
            system_lookup: Arc::new(options.look_up),
            negative_ttl: NEGATIVE_TTL,
            reactor: reactor.clone(),
        }
    }

    /// Returns the addresses of a URL's host in the order of connecting, at least one.
    /// A look-up continues even if no task waits for it any more, and may serve a
    /// later attempt.
    pub(crate) async fn resolve(
        &self,
        url: &Url,
    ) -> Result<Vec<SocketAddr>, FetchError> {
        let (name, port) = match host(url) {
            Host::Address(address) => return Ok(vec![address]),
            Host::Name(name, port) => (name, port),
        };
        let look_up = self.look_up(name)?;
        let answer = look_up.get(|value| value.clone(), &self.reactor).await;
        answer.addresses(port)
    }

    /// Returns a look-up of this name: the latest one, unless it has failed too long
    /// ago, and then a new one.
    fn look_up(&self, name: &str) -> Result<SetOnce<Answer>, FetchError> {
        let is_stale = |answer: &Answer| answer.is_stale(self.negative_ttl);
        let is_valid =
            |it: &&SetOnce<Answer>| !it.peek(|it| it.as_ref().is_some_and(is_stale));
        if let Some(known) = self.look_ups.borrow().get(name).filter(is_valid) {
            return Ok(known.clone());
        }
        let (lookup, owned) = (Arc::clone(&self.system_lookup), name.to_string());
        let work = move || Answer::look_up(owned, |name| lookup(name));
        // If no thread can be started, the machine is short of resources: the error is
        // that of a machine without free sockets.
        let answer = self.threads.start(work, &LOOK_UP);
        let answer = answer.map_err(|_| FetchError::OutOfSockets)?;
        self.look_ups.borrow_mut().insert(name.to_string(), answer.clone());
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Executor, JoinHandle};
    use std::net::Ipv4Addr;
    use std::rc::Rc;
    use std::sync::{Condvar, Mutex};

    /// Blocks look-ups until a test lets them end, and counts them.
    #[derive(Default)]
    struct Gate {
        state: Mutex<Seen>,
        changed: Condvar,
    }

    #[derive(Default)]
    struct Seen {
        is_open: bool,
        calls: usize,
        at_once: usize,
        most_at_once: usize,
    }

    impl Gate {
        fn open(&self) {
            self.state.lock().expect("no panic").is_open = true;
            self.changed.notify_all();
        }

        fn look_up(&self) -> LookupResult {
            let mut seen = self.state.lock().expect("no panic");
            seen.calls += 1;
            seen.at_once += 1;
            seen.most_at_once = seen.most_at_once.max(seen.at_once);
            self.changed.notify_all();
            seen = self.changed.wait_while(seen, |it| !it.is_open).expect("no panic");
            seen.at_once -= 1;
            Ok(vec![(Ipv4Addr::LOCALHOST, 0).into()])
        }

        fn wait_for_calls(&self, calls: usize) {
            let seen = self.state.lock().expect("no panic");
            drop(self.changed.wait_while(seen, |it| it.calls < calls));
        }
    }

    fn resolver(
        executor: &Executor,
        look_up: impl Fn(&str) -> LookupResult + Send + Sync + 'static,
    ) -> Rc<Resolver> {
        let resolver = Resolver::new(&Options::default(), executor.reactor());
        Rc::new(Resolver { system_lookup: Arc::new(look_up), ..resolver })
    }

    type Resolved = Result<Vec<SocketAddr>, FetchError>;

    fn resolve(
        executor: &Executor,
        resolver: &Rc<Resolver>,
        name: &str,
    ) -> JoinHandle<Resolved> {
        let url = Url::parse(&format!("http://{name}/")).expect("a URL");
        let resolver = Rc::clone(resolver);
        executor.spawn(async move { resolver.resolve(&url).await })
    }

    fn ends<T>(executor: &Executor, task: JoinHandle<T>) -> T {
        let joined = executor.block_on(task).expect("it is not stuck");
        joined.unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn only_so_many_names_are_looked_up_at_once() {
        let (executor, gate) = (Executor::new().expect("a selector"), Gate::default());
        let gate = Arc::new(gate);
        let shared = Arc::clone(&gate);
        let resolver = resolver(&executor, move |_| shared.look_up());
        let all: Vec<_> = (0..LOOK_UPS_AT_ONCE + 5)
            .map(|number| resolve(&executor, &resolver, &format!("{number}.test")))
            .collect();
        let wait = async {
            crate::yield_now().await; // until all have begun
            gate.wait_for_calls(LOOK_UPS_AT_ONCE);
            gate.open();
            for task in all {
                assert!(task.await.expect("it does not panic").is_ok());
            }
        };
        executor.block_on(wait).expect("it is not stuck");
        let seen = gate.state.lock().expect("no panic");
        assert_eq!(seen.calls, LOOK_UPS_AT_ONCE + 5);
        assert_eq!(seen.most_at_once, LOOK_UPS_AT_ONCE);
    }

    #[test]
    fn tasks_that_need_one_name_share_its_look_up() {
        let (executor, gate) = (Executor::new().expect("a selector"), Gate::default());
        let gate = Arc::new(gate);
        let shared = Arc::clone(&gate);
        let resolver = resolver(&executor, move |_| shared.look_up());
        let all = [(); 3].map(|()| resolve(&executor, &resolver, "one.test"));
        gate.open();
        let wait = async {
            for task in all {
                assert!(task.await.expect("it does not panic").is_ok());
            }
        };
        executor.block_on(wait).expect("it is not stuck");
        assert!(ends(&executor, resolve(&executor, &resolver, "one.test")).is_ok());
        assert_eq!(gate.state.lock().expect("no panic").calls, 1);
    }

    #[test]
    fn a_look_up_that_panics_is_an_error() {
        let executor = Executor::new().expect("a selector");
        let resolver = resolver(&executor, |_| panic!("on purpose"));
        let found = ends(&executor, resolve(&executor, &resolver, "bad.test"));
        assert_eq!(found, Err(FetchError::NoSuchName("bad.test".to_string())));
    }

    #[test]
    fn a_failure_is_known_for_a_while_and_then_forgotten() {
        let executor = Executor::new().expect("a selector");
        for (is_known_for, calls) in [(Duration::MAX, 1), (Duration::ZERO, 3)] {
            let gate = Arc::new(Gate::default());
            gate.open();
            let shared = Arc::clone(&gate);
            let failing = move |name: &str| {
                shared.look_up()?;
                Err(FetchError::NoSuchName(name.to_string()))
            };
            let resolver = Resolver {
                negative_ttl: is_known_for,
                system_lookup: Arc::new(failing),
                ..Resolver::new(&Options::default(), executor.reactor())
            };
            let resolver = Rc::new(resolver);
            for _ in 0..3 {
                let found = ends(&executor, resolve(&executor, &resolver, "no.test"));
                assert!(matches!(found, Err(FetchError::NoSuchName(_))));
            }
            assert_eq!(gate.state.lock().expect("no panic").calls, calls);
        }
    }
}
