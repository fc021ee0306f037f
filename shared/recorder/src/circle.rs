//! Finds tasks that wait for each other.

use crate::state::{State, Wait};
use std::collections::{BTreeMap, BTreeSet};

/// A task, or the name of what a task must provide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node<'a> {
    Task(u64),
    Name(&'a str),
}

/// Leads from each task to what it waits for, and from there to the tasks that must
/// provide it.
type Edges<'a> = BTreeMap<Node<'a>, Vec<Node<'a>>>;

impl State {
    /// Returns tasks that wait for each other, each with the wait in question: the next
    /// task must provide what it waits for, and for the last task the first one. Empty if
    /// there is no such circle.
    pub(crate) fn circle(&self) -> Vec<(u64, &Wait)> {
        let mut edges = Edges::new();
        for (id, task) in &self.tasks {
            let names = task.innermost().map(|wait| Node::Name(&wait.name.text));
            edges.insert(Node::Task(*id), names.collect());
        }
        for it in self.must_provide.values() {
            let tasks = edges.entry(Node::Name(&it.name.text)).or_default();
            tasks.push(Node::Task(it.task));
        }
        let mut nodes = find_circle(&edges);
        if let Some(Node::Name(_)) = nodes.first() {
            nodes.rotate_left(1);
        }
        let links = nodes.chunks(2).filter_map(|pair| {
            let &[Node::Task(id), Node::Name(name)] = pair else { return None };
            let mut waits = self.tasks.get(&id)?.innermost();
            Some((id, waits.find(|wait| *wait.name.text == *name)?))
        });
        links.collect()
    }
}

/// Follows each edge once, from the oldest task on.
fn find_circle<'a>(edges: &Edges<'a>) -> Vec<Node<'a>> {
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
                    let from = path.iter().position(|it| *it == next);
                    return path.split_off(from.unwrap_or_default());
                }
                Some(next) => {
                    path.push(next); // and back at once, if its edges were followed
                    on_path.insert(next);
                }
            }
        }
    }
    Vec::new()
}
