//! A transfer that may be cancelled wherever it waits, and loses nothing.

use crate::{cases, story};
use std::cell::Cell;
use std::future::poll_fn;
use std::mem::replace;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// How many units there are on one side.
pub type Account = Rc<Cell<u32>>;

/// A transfer in a box.
pub type Boxed = Pin<Box<dyn Future<Output = Result<(), No>>>>;

/// Why nothing was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum No {
    /// The bank has refused the transfer.
    Refused,
    /// The account is empty.
    Empty,
}

/// Moves one unit.
pub trait Transfer: 'static {
    /// Asks the bank, and moves one unit once it agrees. Returns an error if nothing
    /// was moved. When the transfer is cancelled, nothing is moved.
    fn transfer(from: Account, to: Account, bank: Rc<Bank>) -> Boxed;
}

/// A bank that answers when the case says so.
#[derive(Default)]
pub struct Bank {
    answer: Cell<Option<Result<(), No>>>,
}

impl Bank {
    /// Asks whether a unit may be moved. Each answer has to be waited for.
    pub async fn ask(&self) -> Result<(), No> {
        let mut has_waited = false;
        poll_fn(|_| match (replace(&mut has_waited, true), self.answer.get()) {
            (true, Some(answer)) => Poll::Ready(answer),
            _ => Poll::Pending,
        })
        .await
    }

    fn answer(&self, answer: Result<(), No>) {
        story!("the bank answers: {answer:?}");
        self.answer.set(Some(answer));
    }
}

cases! {
    Transfer:
    a_transfer_that_is_granted_moves_one_unit,
    nothing_arrives_before_the_bank_agrees,
    a_transfer_that_is_cancelled_moves_nothing,
    a_transfer_that_is_refused_moves_nothing,
    two_transfers_cannot_move_the_same_unit,
    two_transfers_move_two_units,
    a_transfer_to_the_same_account_makes_no_unit,
    a_transfer_that_is_cancelled_leaves_another_alone,
}

/// Two accounts, one with this many units and one with none, and their bank.
fn accounts(units: u32) -> (Account, Account, Rc<Bank>) {
    story!("units: {units} here, 0 there");
    (Rc::new(Cell::new(units)), Rc::default(), Rc::default())
}

fn transfer<T: Transfer>((from, to, bank): &(Account, Account, Rc<Bank>)) -> Boxed {
    T::transfer(Rc::clone(from), Rc::clone(to), Rc::clone(bank))
}

fn poll(name: &str, transfer: &mut Boxed) -> Poll<Result<(), No>> {
    story!("{name} is polled");
    let poll = transfer.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    story!("{name}: {poll:?}");
    poll
}

fn a_transfer_that_is_granted_moves_one_unit<T: Transfer>() {
    let world = accounts(5);
    let mut moving = transfer::<T>(&world);
    assert!(poll("the transfer", &mut moving).is_pending(), "the bank was not asked");
    world.2.answer(Ok(()));
    let end = poll("the transfer", &mut moving);
    assert_eq!(end, Poll::Ready(Ok(())), "the bank was asked once, and has agreed");
    drop(moving);
    assert_eq!((world.0.get(), world.1.get()), (4, 1), "units (here, there)");
}

fn nothing_arrives_before_the_bank_agrees<T: Transfer>() {
    let world = accounts(5);
    let mut moving = transfer::<T>(&world);
    assert!(poll("the transfer", &mut moving).is_pending());
    assert_eq!(world.1.get(), 0, "units there, before the bank has answered");
}

fn a_transfer_that_is_cancelled_moves_nothing<T: Transfer>() {
    for polls in 0..4 {
        let world = accounts(5);
        let mut moving = transfer::<T>(&world);
        for number in 0..polls {
            if poll("the transfer", &mut moving).is_ready() {
                return; // it cannot be cancelled so late
            }
            if number == 0 {
                world.2.answer(Ok(()));
            }
        }
        story!("the transfer is cancelled after {polls} polls");
        drop(moving);
        assert_eq!(
            (world.0.get(), world.1.get()),
            (5, 0),
            "units (here, there): an await is a place where a function may end"
        );
    }
}

fn a_transfer_that_is_refused_moves_nothing<T: Transfer>() {
    let world = accounts(5);
    let mut moving = transfer::<T>(&world);
    assert!(poll("the transfer", &mut moving).is_pending());
    world.2.answer(Err(No::Refused));
    assert_eq!(poll("the transfer", &mut moving), Poll::Ready(Err(No::Refused)));
    drop(moving);
    assert_eq!((world.0.get(), world.1.get()), (5, 0), "units (here, there)");
}

/// Both wait when the bank agrees, and there is one unit.
fn two_transfers_cannot_move_the_same_unit<T: Transfer>() {
    let world = accounts(1);
    let (mut first, mut second) = (transfer::<T>(&world), transfer::<T>(&world));
    let early = [poll("transfer 1", &mut first), poll("transfer 2", &mut second)];
    world.2.answer(Ok(()));
    let late = [("transfer 1", first, early[0]), ("transfer 2", second, early[1])];
    // A transfer may find out at its first poll that there is nothing to move.
    let ends = late.map(|(name, mut transfer, early)| match early {
        Poll::Pending => poll(name, &mut transfer),
        end => end,
    });
    assert_eq!(
        (world.0.get(), world.1.get()),
        (0, 1),
        "units (here, there): what was true before an await may have changed after it"
    );
    let right = [Poll::Ready(Ok(())), Poll::Ready(Err(No::Empty))];
    assert_eq!(ends, right, "the one unit was moved once");
}

/// Both wait when the bank agrees.
fn two_transfers_move_two_units<T: Transfer>() {
    let world = accounts(5);
    let (mut first, mut second) = (transfer::<T>(&world), transfer::<T>(&world));
    assert!(poll("transfer 1", &mut first).is_pending());
    assert!(poll("transfer 2", &mut second).is_pending());
    world.2.answer(Ok(()));
    assert_eq!(poll("transfer 1", &mut first), Poll::Ready(Ok(())));
    assert_eq!(poll("transfer 2", &mut second), Poll::Ready(Ok(())));
    let units = (world.0.get(), world.1.get());
    assert_eq!(units, (3, 2), "units (here, there) after two transfers were granted");
}

fn a_transfer_to_the_same_account_makes_no_unit<T: Transfer>() {
    let (account, _, bank) = accounts(5);
    let mut moving =
        T::transfer(Rc::clone(&account), Rc::clone(&account), bank.clone());
    assert!(poll("the transfer", &mut moving).is_pending());
    bank.answer(Ok(()));
    assert_eq!(poll("the transfer", &mut moving), Poll::Ready(Ok(())));
    assert_eq!(account.get(), 5, "units here, after one was taken and one arrived");
}

fn a_transfer_that_is_cancelled_leaves_another_alone<T: Transfer>() {
    let world = accounts(5);
    let (mut first, mut second) = (transfer::<T>(&world), transfer::<T>(&world));
    assert!(poll("transfer 1", &mut first).is_pending());
    assert!(poll("transfer 2", &mut second).is_pending());
    world.2.answer(Ok(()));
    assert_eq!(poll("transfer 2", &mut second), Poll::Ready(Ok(())));
    story!("transfer 1 is cancelled");
    drop(first);
    let units = (world.0.get(), world.1.get());
    assert_eq!(units, (4, 1), "units (here, there) after transfer 2 was granted");
}
