//! The addresses of a host, which an attempt tries one after the other.

use crate::error::FetchError;
use crate::resolve::time_for_address;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Instant;
use std::vec;

/// The addresses that are still to be tried, and the most telling error so far.
#[derive(Debug)]
pub struct Addresses {
    remaining: vec::IntoIter<SocketAddr>,
    /// The deadline of the whole attempt.
    deadline: Instant,
    failure: FetchError,
}

impl Addresses {
    /// Creates the list for an attempt that ends at `deadline`. The order of
    /// `addresses` is kept.
    pub fn new(addresses: Vec<SocketAddr>, deadline: Instant) -> Addresses {
        let failure = FetchError::Network(ErrorKind::AddrNotAvailable);
        Addresses { remaining: addresses.into_iter(), deadline, failure }
    }

    /// Returns the next address and the end of its share of the time, so that an
    /// address that swallows packets leaves time for the others. `None` means no
    /// share: the last address may use the time up to the deadline. There is no share
    /// after the deadline either, since then the attempt itself times out.
    pub fn next_address(&mut self) -> Option<(SocketAddr, Option<Instant>)> {
        let address = self.remaining.next()?;
        let others = self.remaining.len();
        let now = Instant::now();
        let left = self.deadline.saturating_duration_since(now);
        let share = now + time_for_address(left, others + 1);
        Some((address, (others > 0 && !left.is_zero()).then_some(share)))
    }

    /// Records a failed connection. Of all errors the most telling one is kept.
    pub fn on_failure(&mut self, error: FetchError) {
        self.failure = self.failure.clone().more_telling(error);
    }

    /// Returns the most telling error of the addresses that failed.
    pub fn failure(&self) -> FetchError {
        self.failure.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn each_address_but_the_last_has_a_share_of_the_time() {
        let address: SocketAddr = "192.0.2.1:80".parse().expect("an address");
        let begin = Instant::now();
        let deadline = begin + Duration::from_secs(2);
        let mut addresses = Addresses::new(vec![address; 2], deadline);
        let (_, share) = addresses.next_address().expect("there are two");
        let share = share.expect("there is another one");
        assert!(share < deadline && share >= begin + Duration::from_secs(1));
        assert_eq!(addresses.next_address(), Some((address, None)));
        assert_eq!(addresses.next_address(), None);
    }

    #[test]
    fn after_the_deadline_no_address_has_a_share_that_ends_later() {
        let address: SocketAddr = "192.0.2.1:80".parse().expect("an address");
        let mut addresses = Addresses::new(vec![address; 2], Instant::now());
        assert_eq!(addresses.next_address(), Some((address, None)));
    }

    #[test]
    fn the_most_telling_failure_is_kept() {
        let mut addresses = Addresses::new(Vec::new(), Instant::now());
        let refused = FetchError::Network(ErrorKind::ConnectionRefused);
        addresses.on_failure(refused.clone());
        addresses.on_failure(FetchError::Network(ErrorKind::AddrNotAvailable));
        assert_eq!(addresses.failure(), refused);
    }
}
