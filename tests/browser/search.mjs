// What a reader finds with the book's search, and how.

import { audit } from "./access.mjs";

/**
 * Questions, and where the first hit of each is to lead. With `within`, any of the first so
 * many pages will do. The first table of hits is the promise; the order below it is not.
 */
const WANTED = [
    ["waker", "glossary.html#waker"],
    ["wakers", "glossary.html#waker"],
    ["Pin", "glossary.html#pin"],
    ["deadlock", "glossary.html#stuck"],
    ["my future hangs", "troubleshooting.html#a-program-hangs", 3],
    ["task_done", "queue.html", 2],
    ["task_done", "glossary.html"],
    ["epoll", "glossary.html#selector"],
    // After the glossary, the erratum with epoll in its title, and the reactor's part whose
    // further reading is its manual page.
    ["epoll", "the-first-event-loop.html", 4],
    ["C10K", "glossary.html#c10k"],
    ["take_error", "the-loop-that-spins.html", 3],
    ["lost wake", "glossary.html#lost-wake"],
    ["lost wake", "executor.html", 2],
    ["timeout", "glossary.html#time-out"],
    ["JoinHandle", "glossary.html#joinhandle"],
    ["cancel safety", "glossary.html#cancel-safe"],
    ["who calls poll the second time", "reactor.html"],
    ["address already in use", "troubleshooting.html#ports"],
    ["too many open files", "troubleshooting.html#too-many-open-files"],
    ["executor.rs", "whole-crawlers.html", 5],
    ["excutor", "glossary.html#executor"],
    ["执行器", "glossary.html#executor"],
    ["执行器", "executor.html", 2],
    ["异步执行器", "glossary.html#executor"],
    ["等待", "glossary.html#await"],
    ["唤醒器", "glossary.html#waker"],
    ["协程", "glossary.html#coroutine"],
    ["事件循环", "glossary.html#event-loop"],
    ["反应器", "glossary.html#reactor"],
    ["任务", "glossary.html#task"],
    ["回调", "glossary.html#callback"],
    ["非阻塞", "glossary.html#non-blocking"],
    ["取消", "glossary.html#cancel"],
    ["超时", "glossary.html#time-out"],
    ["队列", "glossary.html#queue"],
    ["生成器", "glossary.html#generator"],
    ["并发", "glossary.html#concurrency"],
    ["线程", "blocking-and-threads.html"],
    ["固定", "glossary.html#pin"],
    ["死锁", "glossary.html#stuck"],
];

const field = (page) => page.locator("#search-field");

async function open(page) {
    await page.locator("#search-open").click();
    await field(page).waitFor();
}

/** What is listed for a question: pages in their order, each with the addresses of its hits. */
async function ask(page, question) {
    await field(page).fill("");
    await page.waitForFunction(() => document.querySelector("#search-status").textContent === "");
    await field(page).fill(question);
    await page.waitForFunction(() => document.querySelector("#search-status").textContent !== "");
    return page.evaluate(() => [...document.querySelectorAll("#search-hits [role=group]")].map((group) =>
        [...group.querySelectorAll("[role=option]")].map((hit) => {
            const { pathname, hash } = new URL(hit.href);
            return pathname.split("/").at(-1) + hash;
        })));
}

/** Each question of the table leads where it should. */
export async function finds(page) {
    await open(page);
    const faults = [];
    for (const [question, wanted, within = 1] of WANTED) {
        const groups = await ask(page, question);
        // The first hit counts, or else the first one of each page.
        const first = groups.slice(0, within).map((group) => group[0] ?? "");
        const isThere = first.some((it) => it === wanted || it.split("#")[0] === wanted);
        if (!isThere) {
            faults.push({ kind: "search", what: `"${question}": ${first.join(", ")} and not ${wanted}` });
        }
        for (const group of groups.filter((it) => it.length > 3)) {
            faults.push({ kind: "search", what: `"${question}": ${group.length} hits of one page` });
        }
    }
    return faults;
}

/** The index is built in parts, between which the page can show what is typed. */
export async function builds(page) {
    await page.evaluate(() => {
        window.parts = [];
        let MiniSearch;
        Object.defineProperty(window, "MiniSearch", {
            get: () => MiniSearch,
            set: (value) => {
                MiniSearch = value;
                const { addAll } = value.prototype;
                value.prototype.addAll = function (sections) {
                    window.parts.push(sections.length);
                    return addAll.call(this, sections);
                };
            },
        });
    });
    await open(page);
    await ask(page, "waker");
    const { parts, all } = await page.evaluate(() => ({ parts: window.parts, all: window.bookIndex.sections.length }));
    const sum = parts.reduce((sum, it) => sum + it, 0);
    const isSo = sum === all && Math.max(...parts) <= all / 10;
    return isSo ? [] : [{ kind: "search", what: `${all} sections are added as ${parts.join(" + ")}` }];
}

/** No answer can be found: neither its words nor its fold. Questions can. */
export async function hidesAnswers(page) {
    await open(page);
    await ask(page, "waker");
    const found = await page.evaluate(async () => {
        const { pages, sections } = window.bookIndex;
        const parser = new DOMParser();
        const faults = [];
        let answers = 0;
        for (const [number, [file]] of pages.entries()) {
            const html = parser.parseFromString(await (await fetch(file)).text(), "text/html");
            const own = sections.filter(([page]) => page === number);
            const texts = own.map(([, , title, text]) => `${title} ${text}`).join(" ");
            for (const fold of html.querySelectorAll("details:is([id*='-predict-'], [id*='-check-'], [id*='-exercise-'])")) {
                answers += 1;
                const said = [...fold.querySelectorAll(":scope > p")].map((it) => it.textContent.replace(/\s+/g, " ").trim());
                const shown = said.find((it) => it.length > 40 && texts.includes(it));
                if (shown || own.some(([, id]) => id === fold.id)) {
                    faults.push({ kind: "answer in the index", what: `${fold.id}: ${shown}` });
                }
            }
            const drawn = [...html.querySelectorAll("main svg title")].map((it) => it.textContent.trim());
            faults.push(...drawn.filter((it) => it.length > 40 && texts.includes(it))
                .map((what) => ({ kind: "figure in the index", what })));
        }
        return answers > 100 ? faults : [{ kind: "answer in the index", what: `looked at ${answers} only` }];
    });
    return found;
}

/** Searches with the keyboard, and follows a hit to the words that it marks. */
export async function search(page, word = "waker") {
    const faults = [];
    const add = (what) => faults.push({ kind: "search", what });
    const before = page.url();
    for (const key of ["/", "s"]) {
        await page.keyboard.press(key);
        await field(page).waitFor();
        if ((await field(page).inputValue()) !== "") {
            add(`the key ${key} is also written`);
        }
        await page.keyboard.press("Escape");
        await field(page).waitFor({ state: "hidden" });
    }
    await open(page);
    await field(page).pressSequentially(word);
    await page.locator("#search-hits [role=option]").first().waitFor();
    await page.keyboard.press("ArrowLeft"); // turns pages elsewhere
    const active = () => page.evaluate(() => {
        const field = document.querySelector("#search-field");
        const hit = document.getElementById(field.getAttribute("aria-activedescendant"));
        const chosen = [...document.querySelectorAll("#search-hits [aria-selected=true]")];
        return chosen.length === 1 && chosen[0] === hit ? hit.id : chosen.length;
    });
    const walk = [["ArrowDown", "search-hit-0"], ["ArrowDown", "search-hit-1"], ["ArrowUp", "search-hit-0"]];
    for (const [key, hit] of walk) {
        await page.keyboard.press(key);
        if ((await active()) !== hit) {
            add(`${key}: ${await active()} is active and not ${hit}`);
        }
    }
    if (page.url() !== before) {
        add("an arrow key has turned the page");
    }
    faults.push(...(await audit(page, [])));
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    const marks = await page.locator("main mark.hit").allInnerTexts();
    if (!marks.some((it) => it.toLowerCase().startsWith(word))) {
        add(`${page.url()} does not mark "${word}"`);
    }
    return faults;
}

/** A hit opens the fold that it is in, unless that is an answer. */
export async function marks(page) {
    await page.goto(`${page.url().replace(/[?#].*/, "")}?highlight=waker#checkpoint`);
    await page.locator("main mark.hit").first().waitFor({ state: "attached" });
    const found = await page.evaluate(() => {
        const answer = "[id*='-predict-'], [id*='-check-'], [id*='-exercise-']";
        const hits = [...document.querySelectorAll("main details:not(.steps > *) mark.hit")];
        const folds = hits.map((it) => it.closest("details"));
        return {
            opened: folds.filter((it) => it.matches(answer) && it.open).map((it) => it.id),
            closed: folds.filter((it) => !it.matches(answer) && !it.open).map((it) => it.id),
            isBoth: folds.some((it) => it.matches(answer)) && folds.some((it) => !it.matches(answer)),
        };
    });
    const faults = [
        ...found.opened.map((what) => ({ kind: "search opens an answer", what })),
        ...found.closed.map((what) => ({ kind: "fold stays closed", what: `of a search: ${what}` })),
    ];
    if (!found.isBoth) {
        faults.push({ kind: "search", what: "the page has not both kinds of folds" });
    }
    await page.keyboard.press("Escape");
    if ((await page.locator("main mark.hit").count()) > 0) {
        faults.push({ kind: "search", what: "marks stay after Esc" });
    }
    return faults;
}
