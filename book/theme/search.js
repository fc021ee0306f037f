// The search of the book. mdBook's own puts answers among its hits and knows no Chinese; ours
// reads the index that `tool/src/html/search.rs` makes. The index and MiniSearch are loaded
// when a reader begins to search, as scripts: a page that was opened as a file may load
// nothing else.

"use strict";

{
    const root = new URL("../", document.currentScript.src);
    const HITS = 24; // in all
    const ON_A_PAGE = 3;
    const SNIPPET = 150; // characters
    // So many hits that have all the words are enough: those that have only some are left out.
    const ENOUGH = 5;

    // Words of a question that say nothing about what is asked. Words that are also code, such
    // as `then` and `for`, are not among them.
    const PASSED_OVER = new Set(("a an the of to in is are was my i it its and or on with at as by " +
        "be that this what which how why when who does do did can could should").split(" "));

    const WORD = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu;
    const HAN = /\p{Script=Han}/u;
    const segmenter = "Segmenter" in Intl ? new Intl.Segmenter("zh", { granularity: "word" }) : null;

    /* Words */

    const words = (text) => text.match(WORD) ?? [];

    /** Chinese has no spaces: a run of it is cut where a dictionary says so, or anywhere. */
    function cut(word) {
        if (!HAN.test(word)) {
            return [word];
        }
        return segmenter ? [...segmenter.segment(word)].map((it) => it.segment) : [...word];
    }

    /** `JoinHandle` and `task_done` are found by their parts, too. */
    function withParts(word) {
        const parts = word.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2").split(/_+/);
        return parts.length > 1 ? [word, ...parts.filter((it) => it.length > 1)] : cut(word);
    }

    /** The same term for one and for many. */
    function stem(word) {
        const term = word.toLowerCase();
        return term.length > 3 && /[^siu]s$/.test(term) ? term.slice(0, -1) : term;
    }

    const term = (word) => (PASSED_OVER.has(word.toLowerCase()) ? null : stem(word));
    const nameOf = (text) => words(text).map(stem).join(" ");

    /* The index */

    let index; // a promise, once a reader has begun

    function load() {
        index ??= Promise.all(["minisearch.js", "index.js"].map(script)).then(build);
        index.catch(() => (index = undefined));
        return index;
    }

    function script(name) {
        return new Promise((resolve, reject) => {
            const element = document.createElement("script");
            element.src = new URL(`search/${name}`, root).href;
            element.addEventListener("load", resolve);
            element.addEventListener("error", () => reject(new Error(name)));
            document.head.append(element);
        });
    }

    /** In parts: a reader who types meanwhile sees the letters. */
    async function build() {
        const { pages, sections } = window.bookIndex;
        const byName = new Map();
        let before = -1;
        const all = sections.map(([page, id, title, text, code, names], number) => {
            for (const name of names.map(nameOf)) {
                byName.set(name, [...(byName.get(name) ?? []), number]);
            }
            const isFirst = page !== before;
            before = page;
            const [file, pageTitle, weight] = pages[page];
            return { number, file, pageTitle, weight: weight * (isFirst ? 1.5 : 1), id, title, text, code, names };
        });
        const mini = new MiniSearch({
            idField: "number",
            fields: ["names", "title", "text", "code"],
            extractField: (section, field) =>
                field === "names" ? section.names.join(" ") : section[field],
            tokenize: (text) => words(text).flatMap(withParts),
            processTerm: term,
            searchOptions: {
                tokenize: (text) => words(text).flatMap(cut),
                boost: { names: 6, title: 4, code: 0.3 },
                boostDocument: (number) => all[number].weight,
                prefix: (it) => it.length > 1 || HAN.test(it),
                fuzzy: (it) => (it.length > 4 && !HAN.test(it) ? 0.2 : false),
            },
        });
        await mini.addAllAsync(all, { chunkSize: 40 });
        return { mini, all, byName };
    }

    /**
     * What is found: sections in groups, a group for each page. A section that is called what
     * the reader has written comes first.
     */
    function find({ mini, all, byName }, query) {
        const named = byName.get(nameOf(query)) ?? [];
        const asked = words(query).flatMap(cut).map(term).filter(Boolean);
        const found = new Map(named.map((number) => [number, asked]));
        // First what has all the words as they were written, then what is like it. A part of a
        // Chinese word is another word.
        const enough = HAN.test(query) ? 1 : ENOUGH;
        for (const how of [{ fuzzy: false }, {}, { combineWith: "OR" }]) {
            if (how.fuzzy !== false && found.size >= enough) {
                break;
            }
            for (const { id, terms } of mini.search(query, { combineWith: "AND", ...how })) {
                found.set(id, [...(found.get(id) ?? []), ...terms]);
            }
        }
        // What is called "deadlock" here is explained under the name "stuck".
        for (const { names } of found.size < ENOUGH ? named.map((it) => all[it]) : []) {
            for (const { id, terms } of mini.search(names[0], { combineWith: "AND", fuzzy: false })) {
                found.set(id, found.get(id) ?? terms);
            }
        }
        const groups = new Map();
        let count = 0;
        for (const [number, terms] of found) {
            const section = all[number];
            const group = groups.get(section.file) ?? [];
            if (group.length < ON_A_PAGE && count < HITS) {
                group.push({ ...section, terms, query });
                groups.set(section.file, group);
                count += 1;
            }
        }
        return { groups: [...groups.values()], count };
    }

    /* Marks */

    /** Finds words that begin so. */
    function pattern(terms) {
        const plain = terms.map((it) => it.replace(/[^\p{L}\p{N}_]/gu, "")).filter(Boolean);
        const long = [...new Set(plain)].sort((a, b) => b.length - a.length);
        const one = (it) => (HAN.test(it) ? it : `(?<![\\p{L}\\p{N}])${it}[\\p{L}\\p{N}]*`);
        return long.length > 0 ? new RegExp(long.map(one).join("|"), "giu") : null;
    }

    /** The text with its words marked, as nodes. */
    function marked(text, words, name = "mark") {
        const parts = [];
        let end = 0;
        for (const { 0: word, index } of words ? text.matchAll(words) : []) {
            const mark = document.createElement(name);
            mark.className = "hit";
            mark.textContent = word;
            parts.push(text.slice(end, index), mark);
            end = index + word.length;
        }
        return [...parts, text.slice(end)];
    }

    function snippet(text, words) {
        const first = words ? text.search(words) : -1;
        let from = Math.max(0, first - SNIPPET / 3);
        from = from > 0 ? text.indexOf(" ", from) + 1 : 0;
        const to = text.length > from + SNIPPET ? text.lastIndexOf(" ", from + SNIPPET) : text.length;
        const part = text.slice(from, Math.max(to, from + 1));
        return `${from > 0 ? "… " : ""}${part}${to < text.length ? " …" : ""}`;
    }

    /* What the reader sees */

    const field = make("input", {
        id: "search-field", type: "search", role: "combobox", "aria-label": "Search the book",
        "aria-autocomplete": "list", "aria-controls": "search-hits", "aria-expanded": "false",
        autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go",
        placeholder: "Search the book: waker, my future hangs, 执行器 …",
    });
    const status = make("p", { id: "search-status", role: "status" });
    const list = make("div", { id: "search-hits", role: "listbox", "aria-label": "Hits" });
    const close = make("button", { type: "button", "aria-label": "Close the search" }, "✕");
    const head = make("div", { class: "search-head" }, field, close);
    const dialog = make("dialog", { id: "search", "aria-label": "Search" }, head, status, list);
    const button = document.getElementById("search-open");

    let active = -1;
    const options = () => [...list.querySelectorAll("[role=option]")];

    function choose(next) {
        const all = options();
        active = all.length > 0 ? (next + all.length) % all.length : -1;
        all.forEach((it, i) => it.setAttribute("aria-selected", String(i === active)));
        if (active < 0) {
            field.removeAttribute("aria-activedescendant");
            return;
        }
        field.setAttribute("aria-activedescendant", all[active].id);
        all[active].scrollIntoView({ block: "nearest" });
    }

    function show({ groups, count }) {
        let number = 0;
        list.replaceChildren(...groups.map((group, i) => {
            const name = make("div", { id: `search-page-${i}`, class: "search-page", role: "presentation" }, group[0].pageTitle);
            const hits = group.map((hit) => option(hit, number++));
            return make("div", { role: "group", "aria-labelledby": name.id }, name, ...hits);
        }));
        list.scrollTop = 0;
        field.setAttribute("aria-expanded", String(count > 0));
        const pages = groups.length === 1 ? "one page" : `${groups.length} pages`;
        status.textContent = count > 0
            ? `${count === 1 ? "One place" : `${count} places`} on ${pages}`
            : "Nothing was found. Fewer words, or fewer letters, find more.";
        active = -1;
        field.removeAttribute("aria-activedescendant");
    }

    function option({ file, id, title, text, names, terms, query }, number) {
        const address = new URL(file, root);
        address.searchParams.set("highlight", [...new Set(terms)].slice(0, 8).join(" "));
        address.hash = id;
        const words = pattern(terms);
        const link = make("a", {
            id: `search-hit-${number}`, role: "option", tabindex: "-1", "aria-selected": "false", href: address.href,
        }, make("span", { class: "search-title" }, ...marked(title, words)));
        // An entry that was found by another name says so.
        const name = names.find((it) => nameOf(it) === nameOf(query));
        if (name && !title.toLowerCase().includes(name)) {
            link.append(make("span", { class: "search-name" }, name));
        }
        if (text) {
            link.append(make("span", { class: "search-text" }, ...marked(snippet(text, words), words)));
        }
        link.addEventListener("click", shut);
        return link;
    }

    // The last question is there again on the next page. A browser may refuse to keep it.
    const KEPT = "web-crawler-three-ways.search";
    const keep = (query) => {
        try {
            sessionStorage.setItem(KEPT, query);
        } catch { /* then it is asked again */ }
    };
    const kept = () => {
        try {
            return sessionStorage.getItem(KEPT) ?? "";
        } catch {
            return "";
        }
    };

    async function look() {
        const query = field.value.trim();
        keep(query);
        if (!query) {
            show({ groups: [], count: 0 });
            status.textContent = "";
            return;
        }
        try {
            const ready = await load();
            // Meanwhile more may have been written.
            if (field.value.trim() === query) {
                show(find(ready, query));
            }
        } catch {
            status.textContent = "The index of the search could not be loaded.";
        }
    }

    function open() {
        if (!dialog.open) {
            dialog.showModal();
            field.value = kept();
            field.select();
            look();
            load().catch(() => {});
        }
        field.focus();
    }

    // If no element of the page had the focus before, the hidden field would keep it.
    function shut() {
        dialog.close();
        field.blur();
    }

    button.addEventListener("click", open);
    close.addEventListener("click", shut);
    field.addEventListener("input", look);
    dialog.addEventListener("click", (event) => event.target === dialog && shut());
    field.addEventListener("keydown", (event) => {
        const moves = { ArrowDown: active + 1, ArrowUp: active < 0 ? -1 : active - 1 };
        if (event.key in moves) {
            event.preventDefault();
            choose(moves[event.key]);
        } else if (event.key === "Enter" && !event.isComposing) {
            event.preventDefault();
            options()[Math.max(active, 0)]?.click();
        } else if (event.key === "Escape" && !event.isComposing) {
            event.preventDefault();
            shut();
        }
    });

    // mdBook turns pages with the arrow keys, unless a search has them. A field of a page needs
    // them as much.
    const isWriting = () => document.activeElement?.matches("input, textarea, select, [contenteditable]");
    window.search = { hasFocus: () => dialog.open || isWriting() };
    document.addEventListener("keydown", (event) => {
        const isKey = event.key === "/" || event.key.toLowerCase() === "s";
        const isOther = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
        if (isKey && !isOther && !window.search.hasFocus()) {
            event.preventDefault();
            open();
        }
    });

    document.body.append(dialog);
    document.querySelector("#mdbook-help-popup > div")?.prepend(
        make("p", {}, "Press ", make("kbd", {}, "S"), " or ", make("kbd", {}, "/"), " to search in the book"));

    /* `?highlight=` marks words in the page that a hit leads to. */

    const main = document.querySelector("main");
    const asked = new URLSearchParams(location.search).get("highlight");
    if (main && asked) {
        const terms = words(asked).map(term).filter(Boolean);
        mark(main, pattern(terms));
        main.addEventListener("click", (event) => event.target.matches("mark.hit") && unmark());
        document.addEventListener("keydown", (event) => event.key === "Escape" && unmark());
    }

    function mark(below, words) {
        const isText = (node) => node.parentElement.closest("svg, script, style, button, nav")
            ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
        const walker = document.createTreeWalker(below, NodeFilter.SHOW_TEXT, isText);
        const texts = [];
        while (words && walker.nextNode()) {
            texts.push(walker.currentNode);
        }
        for (const text of texts.filter((it) => it.data.search(words) >= 0)) {
            // A fold opens for what is found in it, unless it is an answer.
            const folds = [];
            for (let fold = text.parentElement.closest("details"); fold; fold = fold.parentElement.closest("details")) {
                folds.push(fold);
            }
            if (!folds.some((it) => it.matches(".answer"))) {
                folds.filter((it) => !it.matches(".steps > *")).forEach((it) => (it.open = true));
            }
            text.replaceWith(...marked(text.data, words));
        }
    }

    function unmark() {
        for (const hit of main.querySelectorAll("mark.hit")) {
            hit.replaceWith(...hit.childNodes);
        }
        main.normalize();
    }
}
