//! A small wiki about crawlers: three levels of pages, with links in all directions.

use crate::answer::{Answer, html, page};
use crate::page::frame;

/// A page of the wiki. Its text is HTML, with links relative to `path`.
struct Entry {
    path: &'static str,
    title: &'static str,
    text: &'static str,
}

/// Responds with a page of the wiki, or with the page that has a `base`.
pub(crate) fn answer(path: &str, _query: Option<&str>) -> Option<Answer> {
    if path == "/wiki/base" {
        return Some(based());
    }
    let entry = ENTRIES.iter().find(|entry| entry.path == path)?;
    Some(page(entry.title, &format!("<p>{}</p>", entry.text.trim())))
}

/// Makes a page whose `base` is `web/`, so its links are not relative to its own
/// address.
fn based() -> Answer {
    let text = r#"<p>This page says where its links start: <a href="link">link</a> and
        <a href="url">URL</a> are in the chapter on the web,
        <a href="../waiting/">waiting</a> is beside it.</p>"#;
    let whole = frame("Another base", text);
    html(whole.replacen("<head>", r#"<head><base href="web/">"#, 1))
}

const ENTRIES: &[Entry] = &[
    Entry {
        path: "/wiki/",
        title: "A wiki about crawlers",
        text: r#"
            Three chapters: <a href="waiting/">waiting</a>, <a href="web/">the web</a>
            and <a href="crawler/">the crawler</a>. One more page has
            <a href="base">another base</a> for its links.
        "#,
    },
    Entry {
        path: "/wiki/waiting/",
        title: "Waiting",
        text: r#"
            A program that fetches pages mostly waits. Here is how it can wait for many
            things at once: <a href="event-loop">event loop</a>,
            <a href="callback">callback</a>, <a href="coroutine">coroutine</a>,
            <a href="future">future</a>, <a href="task">task</a>. <a href="../">Up</a>.
        "#,
    },
    Entry {
        path: "/wiki/waiting/event-loop",
        title: "Event loop",
        text: r#"
            Asks the system which sockets have news, delivers the news to what waits for
            it, and asks again: a <a href="callback">callback</a> or a
            <a href="task">task</a>.
        "#,
    },
    Entry {
        path: "/wiki/waiting/callback",
        title: "Callback",
        text: r#"
            A function left behind for the moment when something happens. Whatever it
            needs then, it has to carry along, which a <a href="coroutine">coroutine</a>
            does by itself.
        "#,
    },
    Entry {
        path: "/wiki/waiting/coroutine",
        title: "Coroutine",
        text: r#"
            A function that can stop in the middle, keep its variables, and go on later.
            Often it stops to wait for a <a href="future">future</a>.
        "#,
    },
    Entry {
        path: "/wiki/waiting/future",
        title: "Future",
        text: r#"
            A result that is not there yet. Two languages mean two things by it; see
            <a href="./task">task</a> for what runs one.
        "#,
    },
    Entry {
        path: "/wiki/waiting/task",
        title: "Task",
        text: r#"
            A <a href="coroutine">coroutine</a> that the loop drives: resumed when its
            news arrives, left alone until then. A crawler's tasks share a
            <a href="../crawler/frontier">frontier</a>.
        "#,
    },
    Entry {
        path: "/wiki/web/",
        title: "The web",
        text: r#"
            What comes over the wire: <a href="url">URL</a>, <a href="link">link</a>,
            <a href="redirect">redirect</a>, <a href="charset">charset</a>,
            <a href="chunk">chunk</a>, <a href="length">length</a>. <a href="..">Up</a>.
        "#,
    },
    Entry {
        path: "/wiki/web/url",
        title: "URL",
        text: r#"
            The address of a page. One page can be written in many ways, so a crawler
            brings each address into one form before it asks whether it was
            <a href="../crawler/frontier">seen</a>.
        "#,
    },
    Entry {
        path: "/wiki/web/link",
        title: "Link",
        text: r#"
            How one page names another: with a whole address, or only with the part that
            differs from its own <a href="URL/../url#relative">URL</a>.
        "#,
    },
    Entry {
        path: "/wiki/web/redirect",
        title: "Redirect",
        // english: whoever
        text: r#"
            An answer that says: not here, there. Whoever follows it without counting
            can be led in circles, so see <a href="../crawler/limits">limits</a>.
        "#,
    },
    Entry {
        path: "/wiki/web/charset",
        title: "Charset",
        text: r#"
            Which bytes stand for which letters. The header may tell, the page may tell,
            the first bytes may tell, and all three may be wrong.
            <a href="link">Links</a> still have to be found.
        "#,
    },
    Entry {
        path: "/wiki/web/chunk",
        title: "Chunk",
        // english: nobody
        text: r#"
            A piece of a body, sent with its own <a href="length">length</a> when nobody
            knows yet how long the whole will be.
        "#,
    },
    Entry {
        path: "/wiki/web/length",
        title: "Length",
        // english: nobody
        text: r#"
            Known in advance, told <a href="chunk">chunk</a> by chunk, or simply over
            when the connection is. In the last case nobody can tell the end from an
            accident.
        "#,
    },
    Entry {
        path: "/wiki/crawler/",
        title: "The crawler",
        text: r#"
            What it has to decide: <a href="frontier">frontier</a>,
            <a href="scope">scope</a>, <a href="politeness">politeness</a>,
            <a href="limits">limits</a>. <a href="/wiki/">Up</a>.
        "#,
    },
    Entry {
        path: "/wiki/crawler/frontier",
        title: "Frontier",
        text: r#"
            The pages that are known and not yet fetched. Each enters once, when the
            first <a href="../web/link">link</a> to it is found.
        "#,
    },
    Entry {
        path: "/wiki/crawler/scope",
        title: "Scope",
        text: r#"
            Where the crawl ends. Without it the <a href="frontier">frontier</a> would
            be the whole web.
        "#,
    },
    Entry {
        path: "/wiki/crawler/politeness",
        title: "Politeness",
        text: r#"
            Not asking one server for everything at once, and coming back later when it
            says that it is busy. <a href="limits">Limits</a> are the other half.
        "#,
    },
    Entry {
        path: "/wiki/crawler/limits",
        title: "Limits",
        text: r#"
            How long, how big, how often: a program that reads what strangers send needs
            a number for each. Start again at <a href="../waiting/event-loop">the
            loop</a>.
        "#,
    },
];
