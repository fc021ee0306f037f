//! A site made from a seed, and what a crawl of it must find, worked out from the graph
//! alone.

use crate::scripted::{Act, Site};
use fastrand::Rng;
use shared::Outcome;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// A site, and how it is to be crawled.
#[derive(Debug)]
pub struct RandomSite {
    seed: u64,
    nodes: Vec<Node>,
    /// Redirects that may be followed for one URL.
    pub max_redirect: u32,
    /// Attempts for one URL.
    pub max_tries: u32,
}

/// What is at one path.
#[derive(Debug)]
enum Node {
    /// A page with links to these, written in one of many ways.
    Page { links: Vec<usize>, is_html: bool },
    /// The same, after so many answers that were cut off.
    Late { links: Vec<usize>, drops: u32 },
    /// A redirect to this.
    Redirect(usize),
    /// An error, with links that do not count.
    Error(u16),
    /// An answer that is cut off, each time.
    Cut,
}

impl RandomSite {
    /// The site of this seed. Its first page is the root.
    pub fn new(seed: u64) -> RandomSite {
        let mut random = Rng::with_seed(seed);
        let count = random.usize(2..30);
        // Another attempt takes a pause, so only some sites have them.
        let max_tries = if random.u8(..10) == 0 { 2 } else { 1 };
        let nodes = (0..count).map(|_| node(&mut random, count, max_tries)).collect();
        let max_redirect = if random.bool() { 100 } else { random.u32(..4) };
        RandomSite { seed, nodes, max_redirect, max_tries }
    }

    /// The path of a node. Some have a query, some need encoding.
    pub fn path(&self, node: usize) -> String {
        match (self.seed as usize + node) % 5 {
            0 => format!("/{node}"),
            1 => format!("/folder/{node}.html"),
            2 => format!("/folder/?node={node}"),
            3 => format!("/f%C3%BCr/{node}"),
            _ => format!("/{node}/"),
        }
    }

    /// The script for a server. How responses are cut into pieces and delayed follows
    /// from the seed, too.
    pub fn site(&self) -> Site {
        let mut random = Rng::with_seed(!self.seed);
        let mut site = Site::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let drops = if let Node::Late { drops, .. } = node { *drops } else { 0 };
            // A response that has begun: else a kept connection would seem to have been
            // dead.
            let dropped = vec![Act::Send(b"HTTP/1.1 2".to_vec())];
            let mut acts = vec![dropped; drops as usize];
            acts.push(self.answer(node, &mut random));
            site = site.acts(&self.path(number), acts);
        }
        site
    }

    fn answer(&self, node: &Node, random: &mut Rng) -> Vec<Act> {
        let html = "Content-Type: text/html\r\n";
        match node {
            Node::Page { links, is_html } => {
                let kind = if *is_html { html } else { "Content-Type: text/plain\r\n" };
                self.pieces("200 OK", kind, &self.anchors(links, random), random)
            }
            Node::Late { links, .. } => {
                self.pieces("200 OK", html, &self.anchors(links, random), random)
            }
            Node::Redirect(to) => {
                let location = format!("Location: {}\r\n", self.path(*to));
                self.pieces("302 Found", &location, "", random)
            }
            Node::Error(status) => {
                let status = format!("{status} No");
                self.pieces(&status, html, "<a href=/none>", random)
            }
            Node::Cut => {
                let head =
                    format!("HTTP/1.1 200 OK\r\n{html}Content-Length: 99\r\n\r\n");
                vec![Act::Send(format!("{head}<a href=/none>").into_bytes())]
            }
        }
    }

    fn anchors(&self, links: &[usize], random: &mut Rng) -> String {
        let mut text = " ".repeat(random.usize(..2_000));
        for link in links {
            let fragment = if random.bool() { "#x" } else { "" };
            text += &format!("<a href='{}{fragment}'>", self.path(*link));
        }
        text
    }

    /// An answer in one of three framings, in pieces.
    fn pieces(
        &self,
        status: &str,
        headers: &str,
        body: &str,
        random: &mut Rng,
    ) -> Vec<Act> {
        let framing = random.u8(..3);
        let bytes = match framing {
            0 => {
                let length = body.len();
                format!(
                    "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
                )
            }
            1 => {
                let chunks = chunks(body, random);
                format!(
                    "HTTP/1.1 {status}\r\n{headers}Transfer-Encoding: chunked\r\n\r\n{chunks}"
                )
            }
            _ => {
                format!("HTTP/1.1 {status}\r\n{headers}Connection: close\r\n\r\n{body}")
            }
        };
        let mut acts = split(bytes.as_bytes(), random);
        if framing < 2 && random.bool() {
            acts.push(Act::Keep);
        }
        acts
    }

    /// What a crawl must find: for each path that is reached its outcome, and how many
    /// links it is away from the root.
    pub fn expected(&self) -> BTreeMap<String, (Outcome, u32)> {
        let budgets = self.budgets();
        let depths = self.depths();
        let reached = depths.into_iter().map(|(node, depth)| {
            let outcome = match &self.nodes[node] {
                Node::Redirect(_) if budgets[&node] == 0 => Outcome::TooManyRedirects,
                Node::Redirect(_) if self.is_endless(node, &budgets) => {
                    Outcome::TooManyRedirects
                }
                Node::Redirect(_) => Outcome::Redirect,
                Node::Error(_) => Outcome::HttpError,
                Node::Cut => Outcome::Truncated,
                Node::Late { drops, .. } if *drops >= self.max_tries => {
                    Outcome::Truncated
                }
                Node::Page { .. } | Node::Late { .. } => Outcome::Ok,
            };
            (self.path(node), (outcome, depth))
        });
        reached.collect()
    }

    /// The nodes that are reached, and with how many redirects left at the most.
    fn budgets(&self) -> BTreeMap<usize, u32> {
        let mut budgets = BTreeMap::from([(0, self.max_redirect)]);
        let mut changed = vec![0];
        while let Some(node) = changed.pop() {
            for (next, is_link) in self.leads_to(node) {
                let left = match is_link {
                    true => Some(self.max_redirect),
                    false => budgets[&node].checked_sub(1),
                };
                if left > budgets.get(&next).copied() {
                    budgets.insert(next, left.expect("more than none"));
                    changed.push(next);
                }
            }
        }
        budgets
    }

    /// Whether the redirects that are followed from here never end: after more of them
    /// than there are nodes there is still one.
    fn is_endless(&self, mut node: usize, budgets: &BTreeMap<usize, u32>) -> bool {
        for _ in 0..=self.nodes.len() {
            match &self.nodes[node] {
                Node::Redirect(to) if budgets[&node] > 0 => node = *to,
                _ => return false,
            }
        }
        true
    }

    /// Breadth first: a link is one step, a redirect none, and a path with too many
    /// redirects leads nowhere.
    fn depths(&self) -> BTreeMap<usize, u32> {
        let (mut depths, mut seen) = (BTreeMap::new(), BTreeSet::new());
        let mut queue = VecDeque::from([(0, self.max_redirect, 0)]);
        while let Some((node, left, depth)) = queue.pop_front() {
            if !seen.insert((node, left)) {
                continue;
            }
            depths.entry(node).or_insert(depth);
            for (next, is_link) in self.leads_to(node) {
                match is_link {
                    true => queue.push_back((next, self.max_redirect, depth + 1)),
                    false if left > 0 => queue.push_front((next, left - 1, depth)),
                    false => {}
                }
            }
        }
        depths
    }

    /// Where a node leads, and whether by a link.
    fn leads_to(&self, node: usize) -> Vec<(usize, bool)> {
        match &self.nodes[node] {
            Node::Page { links, is_html: true } => {
                links.iter().map(|link| (*link, true)).collect()
            }
            Node::Late { links, drops } if *drops < self.max_tries => {
                links.iter().map(|link| (*link, true)).collect()
            }
            Node::Redirect(to) => vec![(*to, false)],
            _ => Vec::new(),
        }
    }
}

fn node(random: &mut Rng, count: usize, max_tries: u32) -> Node {
    let links = |random: &mut Rng| {
        let how_many = random.usize(..6);
        (0..how_many).map(|_| random.usize(..count)).collect()
    };
    match random.u8(..20) {
        0..=9 => Node::Page { links: links(random), is_html: true },
        10 => Node::Page { links: links(random), is_html: false },
        11..=15 => Node::Redirect(random.usize(..count)),
        16 | 17 => Node::Error(*random.choice(&[404, 403, 500, 410]).expect("four")),
        18 => Node::Cut,
        _ => Node::Late { links: links(random), drops: random.u32(1..=max_tries) },
    }
}

fn chunks(body: &str, random: &mut Rng) -> String {
    let (mut text, mut rest) = (String::new(), body);
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(random.usize(1..=rest.len()));
        text += &format!("{:x}\r\n{chunk}\r\n", chunk.len());
        rest = after;
    }
    text + "0\r\n\r\n"
}

/// Cuts an answer in pieces, some of which come a little later.
fn split(mut bytes: &[u8], random: &mut Rng) -> Vec<Act> {
    let mut acts = Vec::new();
    for _ in 0..random.usize(..4) {
        let (piece, rest) = bytes.split_at(random.usize(..=bytes.len()));
        acts.push(Act::Send(piece.to_vec()));
        if let Some((late, rest)) = rest.split_first().filter(|_| random.bool()) {
            let pause = Duration::from_millis(random.u64(..3));
            acts.push(Act::Drip(vec![*late], pause));
            bytes = rest;
        } else {
            bytes = rest;
        }
    }
    acts.push(Act::Send(bytes.to_vec()));
    acts
}
