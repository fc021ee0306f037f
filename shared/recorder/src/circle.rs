//! Finds tasks that wait for each other.

use crate::state::State;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// A task, or the name of something that is owed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node<'a> {
    Task(u64),
    Name(&'a str),
}

/// Leads from each task to what it waits for, and from there to the tasks that owe it.
type Edges<'a> = BTreeMap<Node<'a>, Vec<Node<'a>>>;

/// Tasks that wait for each other.
pub(crate) struct Circle {
    /// The tasks, each with the name of what it waits for and the next one owes. After the
    /// last one the first follows.
    links: Vec<(u64, Arc<str>)>,
    /// When the last of them began to wait.
    pub(crate) since: u64,
}

impl Circle {
    pub(crate) fn first(&self) -> u64 {
        self.links.first().map_or(0, |(task, _)| *task)
    }
}

impl Display for Circle {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let next = self.links.iter().cycle().skip(1);
        for (index, ((task, name), (next, _))) in
            self.links.iter().zip(next).enumerate()
        {
            let semicolon = if index == 0 { "" } else { "; " };
            write!(
                out,
                "{semicolon}task {task} waits for {name:?}, which task {next} owes"
            )?;
        }
        Ok(())
    }
}

impl State {
    /// Returns a circle of waits, if there is one.
    pub(crate) fn circle(&self) -> Option<Circle> {
        let mut edges = Edges::new();
        for (id, task) in &self.tasks {
            let names = task.innermost().map(|wait| Node::Name(&wait.name.text));
            edges.insert(Node::Task(*id), names.collect());
        }
        for debt in self.debts.values() {
            let owners = edges.entry(Node::Name(&debt.name.text)).or_default();
            owners.push(Node::Task(debt.task));
        }
        let mut nodes = find_circle(&edges)?;
        if matches!(nodes[0], Node::Name(_)) {
            nodes.rotate_left(1);
        }
        let mut circle = Circle { links: Vec::new(), since: 0 };
        for pair in nodes.chunks(2) {
            let &[Node::Task(id), Node::Name(name)] = pair else { return None };
            let mut waits = self.tasks.get(&id)?.innermost();
            let wait = waits.find(|wait| *wait.name.text == *name)?;
            circle.since = circle.since.max(wait.since);
            circle.links.push((id, Arc::clone(&wait.name.text)));
        }
        Some(circle)
    }
}

/// Follows each edge once, from the oldest task on.
fn find_circle<'a>(edges: &Edges<'a>) -> Option<Vec<Node<'a>>> {
    let mut followed: BTreeMap<Node, usize> = BTreeMap::new(); // how many edges of a node
    for &start in edges.keys() {
        let (mut path, mut on_path) = (vec![start], BTreeSet::from([start]));
        while let Some(&node) = path.last() {
            let count = followed.entry(node).or_default();
            let next = edges.get(&node).and_then(|all| all.get(*count)).copied();
            *count += 1;
            match next {
                None => {
                    path.pop();
                    on_path.remove(&node);
                }
                Some(next) if on_path.contains(&next) => {
                    let from = path.iter().position(|it| *it == next)?;
                    return Some(path.split_off(from));
                }
                Some(next) => {
                    path.push(next); // and back at once, if its edges were followed
                    on_path.insert(next);
                }
            }
        }
    }
    None
}
