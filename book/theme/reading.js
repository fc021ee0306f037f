// What mdBook's own scripts leave out. Each part works alone; a page without JavaScript has
// its whole text, and prints it.

"use strict";

{
    const all = (selector, below = document) => [...below.querySelectorAll(selector)];
    const main = document.querySelector("main");

    // A console block has what is typed and what was printed. Only commands are copied, and
    // without their prompt. `playground_text` is what mdBook's copy button calls.
    const textOf = window.playground_text;
    window.playground_text = (pre, hidden) => {
        const code = pre.querySelector("code.language-console");
        return code ? commands(code.textContent) : textOf(pre, hidden);
    };

    function commands(text) {
        const lines = text.split("\n");
        const isTyped = (line, i) => line.startsWith("$ ") || (i > 0 && lines[i - 1].endsWith("\\"));
        return lines.filter(isTyped).map((line) => line.replace(/^\$ /, "")).join("\n");
    }

    for (const code of all("code.language-console", main)) {
        const button = code.parentElement.querySelector(".clip-button");
        if (button) {
            button.title = "Copy command";
            button.setAttribute("aria-label", "Copy command");
        }
    }

    // What a reader types after the `#` may be no name at all.
    function nameIn(hash) {
        try {
            return decodeURIComponent(hash.slice(1));
        } catch {
            return "";
        }
    }

    // A link may lead into a fold: it opens.
    function unfold() {
        const name = nameIn(location.hash);
        const target = name ? document.getElementById(name) : null;
        for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
            fold.open = true;
        }
        target?.scrollIntoView();
    }
    window.addEventListener("hashchange", unfold);
    window.addEventListener("load", unfold);

    // Paper has no folds. The style sheet shows what is in them, where a browser lets it. An answer
    // is printed at the end of its chapter, and a link takes its place.
    let closed = [];
    let moved = [];
    let focused = null; // what is moved loses the focus
    window.addEventListener("beforeprint", () => {
        if (moved.length > 0) {
            return; // print.html prints itself, and may be printed as well
        }
        focused = document.activeElement;
        closed = all("details:not([open])");
        closed.forEach((fold) => (fold.open = true));
        const breaks = all("[style*='break-before']", main); // between the chapters of print.html
        const isBehind = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
        const answers = all("details.answer", main).filter((it) => !it.parentElement.closest(".answer"));
        const ends = answers.map((it) => breaks.find((end) => isBehind(it, end)) ?? null);
        let [section, number] = [null, 0];
        moved = answers.map((answer, i) => {
            if (i === 0 || ends[i] !== ends[i - 1]) {
                section = element("section", { className: "answers" }, element("h2", {}, "Answers"));
                ends[i] ? ends[i].before(section) : main.append(section);
                number = 0;
            }
            number += 1;
            // Of a hint and a solution, the summary says which it is. That of an answer may be
            // "Run it, then open this".
            const isPlain = /-(predict|check)-/.test(answer.id);
            const title = answer.querySelector("summary").textContent.trim();
            const name = isPlain ? `Answer ${number}` : `${title} (answer ${number})`;
            const id = `${answer.id}-question`;
            const pointer = element("p", { id, className: "to-answer" }, element("a", { href: `#${answer.id}` }, name));
            const back = element("a", { href: `#${id}` }, "to the question");
            const heading = element("p", { className: "answer-name" }, element("strong", {}, name), " ", back);
            answer.replaceWith(pointer);
            answer.prepend(heading);
            section.append(answer);
            return { answer, pointer, heading, section };
        });
    });
    window.addEventListener("afterprint", () => {
        for (const { answer, pointer, heading, section } of moved) {
            heading.remove();
            pointer.replaceWith(answer);
            section.remove();
        }
        moved = [];
        closed.forEach((fold) => (fold.open = false));
        focused?.focus({ preventScroll: true });
    });

    function element(name, properties, ...inside) {
        const made = Object.assign(document.createElement(name), properties);
        made.append(...inside);
        return made;
    }

    // The whole book is a large page to print, and `cargo book pdf` prints it better.
    const printer = document.querySelector(".right-buttons a[href$='print.html']");
    if (printer) {
        printer.title = "Print this page";
        printer.setAttribute("aria-label", printer.title);
        printer.addEventListener("click", (event) => {
            event.preventDefault();
            window.print();
        });
    }

    // What has to be moved sideways can be reached with the keyboard.
    const KINDS = [["pre > code", "Listing"], [".table-wrapper", "Table"], ["figure", "Figure"]];
    function nameWhatScrolls() {
        for (const [selector, kind] of KINDS) {
            all(selector, main).forEach((box, i) => {
                const scrolls = box.scrollWidth > box.clientWidth;
                const values = { tabindex: "0", role: "region", "aria-label": `${kind} ${i + 1}` };
                for (const [name, value] of Object.entries(values)) {
                    scrolls ? box.setAttribute(name, value) : box.removeAttribute(name);
                }
            });
        }
    }
    window.addEventListener("resize", nameWhatScrolls);
    window.addEventListener("load", nameWhatScrolls);
    main.addEventListener("toggle", nameWhatScrolls, true);

    // mdBook scrolls its table of contents to this page, and browsers then begin there with
    // the Tab key. The first stop is to be the link that skips it.
    if (!location.hash) {
        const top = document.createElement("span");
        top.style.position = "fixed";
        document.body.prepend(top);
        top.scrollIntoView({ block: "nearest" });
    }

    // mdBook's button for the table of contents is a label, which the keyboard passes over.
    const contents = document.getElementById("mdbook-sidebar-toggle");
    contents.setAttribute("role", "button");
    contents.setAttribute("tabindex", "0");
    contents.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            contents.click();
        }
    });

    // What is on this page: open where it is beside the text, with a mark at the part that is
    // being read.
    const steps = main.querySelector(".steps > details");
    if (steps) {
        const links = all("a", steps);
        const parts = links.map((link) => document.getElementById(nameIn(link.hash)));
        const isBeside = window.matchMedia("(min-width: 1265px)");
        const place = () => (steps.open = isBeside.matches);
        isBeside.addEventListener("change", place);
        place();
        const mark = () => {
            const passed = parts.filter((it) => it.getBoundingClientRect().top < innerHeight / 3);
            links.forEach((link, i) => {
                const isHere = i === passed.length - 1;
                isHere ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
            });
        };
        window.addEventListener("scroll", mark, { passive: true });
        mark();
    }

    // mdBook moves its menu when the reader scrolls, and takes a jump for a scroll that has not
    // ended: until the next one, the menu would lie over the text.
    window.addEventListener("hashchange", () => {
        requestAnimationFrame(() => document.dispatchEvent(new Event("scroll")));
    });
}
