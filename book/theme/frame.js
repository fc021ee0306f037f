// The reader's place in the book: what was read to its end, where to continue, the table of
// contents of the short route, and the animation of the landing page. Without JavaScript nothing of it is missed.

"use strict";

{
    const KEY = "a-web-crawler-three-ways";
    const LANDING = "index.html";
    const main = document.querySelector("main");
    const file = location.pathname.split("/").pop() || LANDING;

    // A browser may keep nothing, or not let a page from file:// do so.
    function load() {
        try {
            const kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
            const files = (list) => (Array.isArray(list) ? list : []);
            const { last, isShort } = kept;
            return { begun: files(kept.begun), read: files(kept.read), last, isShort };
        } catch {
            return { begun: [], read: [] };
        }
    }

    function change(what) {
        try {
            const kept = load();
            what(kept);
            localStorage.setItem(KEY, JSON.stringify(kept));
        } catch {
            // Then it is not kept.
        }
    }

    const fileOf = (link) => link.getAttribute("href").split(/[/\\]/).pop();
    const pages = [...document.querySelectorAll(".sidebar .chapter-item a[href]")];
    const isPage = file !== LANDING && pages.some((link) => fileOf(link) === file);

    function tick() {
        const { read } = load();
        for (const link of pages.filter((it) => read.includes(fileOf(it)))) {
            if (!link.parentElement.querySelector(".tick")) {
                const mark = document.createElement("span");
                mark.className = "tick";
                mark.setAttribute("role", "img");
                mark.setAttribute("aria-label", "read");
                mark.textContent = "✓";
                link.after(mark);
            }
        }
    }
    tick();

    // The table of contents of the short route alone.
    const route = main.dataset.route?.split(" ").filter(Boolean) ?? [];
    const contents = pages[0]?.closest("ol");
    if (contents && route.length > 0) {
        pages.filter((link) => route.includes(fileOf(link))).forEach((link) => {
            link.closest("li").classList.add("on-route");
        });
        const label = document.createElement("label");
        label.className = "route";
        const box = document.createElement("input");
        box.type = "checkbox";
        box.checked = load().isShort === true;
        label.append(box, " Only the short route");
        contents.before(label);
        const show = () => contents.classList.toggle("is-short", box.checked);
        box.addEventListener("change", () => {
            change((kept) => (kept.isShort = box.checked));
            show();
        });
        show();
    }

    if (isPage) {
        // A page was read when its end was seen, after its beginning: on this visit or on an
        // earlier one. A link may lead to its end at once.
        const whenSeen = (element, act) => {
            const seen = new IntersectionObserver((entries) => {
                if (entries.some((entry) => entry.isIntersecting)) {
                    act(seen);
                }
            });
            // Before that, all pages are at their beginning.
            window.addEventListener("load", () => seen.observe(element));
        };
        const add = (list) => [...new Set([...list, file])];
        let hasBegun = load().begun.includes(file);
        whenSeen(main.querySelector("h1"), (seen) => {
            seen.disconnect();
            hasBegun = true;
            change((kept) => (kept.begun = add(kept.begun)));
        });
        // What is played with has no end.
        const isPlayed = main.querySelector(".run-all, .system-board, .own-trace") !== null;
        whenSeen(document.querySelector(".nav-wrapper"), (seen) => {
            if (hasBegun && !isPlayed) {
                seen.disconnect();
                change((kept) => (kept.read = add(kept.read)));
                tick();
            }
        });

        const leave = () => {
            const parts = [...main.querySelectorAll(":scope > h2[id]")];
            const part = parts.filter((it) => it.getBoundingClientRect().top < innerHeight / 2).pop();
            const title = main.querySelector("h1").textContent;
            const last = { file, part: part?.id, title, name: part?.textContent };
            change((kept) => (kept.last = last));
        };
        window.addEventListener("pagehide", leave);
        document.addEventListener("visibilitychange", () => document.hidden && leave());
    }

    const { last } = load();
    const isKnown = last && pages.some((link) => fileOf(link) === last.file);
    const lanes = document.querySelector(".lanes");
    const line = main.querySelector(".continue p");
    if (line && file === LANDING && isKnown) {
        const link = document.createElement("a");
        link.href = last.file + (last.part ? `#${last.part}` : "");
        link.textContent = "Continue where you stopped";
        line.replaceChildren(link, `: ${[last.title, last.name].filter(Boolean).join(", ")}`);
    }

    // What moves for five seconds can be stopped, and seen again.
    const moving = lanes?.getAnimations({ subtree: true }) ?? [];
    if (moving.length > 0) {
        const button = document.createElement("button");
        button.type = "button";
        lanes.append(button);
        const show = () => {
            const isRunning = moving.some((it) => it.playState === "running");
            button.textContent = isRunning ? "Stop" : "Play again";
        };
        moving.forEach((it) => it.addEventListener("finish", show));
        button.addEventListener("click", () => {
            const isRunning = moving.some((it) => it.playState === "running");
            moving.forEach((it) => {
                isRunning ? it.finish() : (it.cancel(), it.play());
            });
            show();
        });
        show();
    }
}
