// Opens the built book in a browser, as its readers do: every page on a desk and on a
// phone, by day and by night. Prints each fault, and ends with 1 if there was one.
//
// `node tests/browser/main.mjs boards play` looks only at the parts with these names.

import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { audit, keyboard } from "./access.mjs";
import { folder, pages, playedPages } from "./book.mjs";
import { reader, start, within } from "./chromium.mjs";
import { landing, forgetful, place, progress, shortRoute, still } from "./frame.mjs";
import * as lanes from "./lanes.mjs";
import { measure, moves } from "./layout.mjs";
import { captions, colors, lines } from "./listings.mjs";
import * as os from "./os.mjs";
import * as ownTrace from "./own.mjs";
import * as player from "./player.mjs";
import { predict, predictWithoutStorage } from "./predict.mjs";
import * as run from "./run.mjs";
import { builds, finds, hidesAnswers, marks, search } from "./search.mjs";
import { serve } from "./server.mjs";
import { deck, fits, handout, legible, onPaper, readable, spoilt, steps, tooTall } from "./slides.mjs";
import { answers, copy, isIn, openFolds, printed, prints, themes, unfold } from "./use.mjs";

const DESKTOP = { width: 1280, height: 900 };
const LAPTOP = { width: 1280, height: 720, motion: "reduce" };
const PHONE = { width: 390, height: 844 };
// A4 without the margins of book.css.
const PAPER = { width: 703, height: 998 };

// Each width, in light and in dark. All figures in all themes are looked at on `print.html`.
const VARIANTS = [
    { name: "desktop, light", ...DESKTOP, stored: "light", prefers: "dark", theme: "light" },
    { name: "phone, prefers dark", ...PHONE, prefers: "dark", theme: "navy" },
];

// Each theme both chosen and preferred: how a page came to its theme changes nothing else, so
// one page is enough. What is chosen has to win over what is preferred.
const ORIGINS = [
    { name: "desktop, navy", ...DESKTOP, stored: "navy", prefers: "light", theme: "navy" },
    { name: "phone, prefers light", ...PHONE, prefers: "light", theme: "light" },
];

// A page of each kind.
const KINDS = [
    "index.html",
    "introduction.html",
    "executor.html",
    "from-resume-to-poll.html", // two exercises
    "glossary.html",
    "teaching.html",
    "playground.html",
    "whole-crawlers.html",
    "coverage.html",
    "files/stage1-callbacks.examples.ch04_selector.rs.html#L6-15",
];

/** How long all of it may take, in milliseconds: it is to end even where nothing else does. */
const LIMIT = 1_200_000;

const results = [];
// How long each part took. Two run at a time.
const seconds = new Map();
setTimeout(() => {
    results.push({ page: "all", variant: "all", faults: [{ kind: "too late", what: LIMIT }] });
    report();
    process.exit(1);
}, LIMIT).unref();

const book = await serve(folder);
const own = await serve(fileURLToPath(new URL(".", import.meta.url)));
const browser = await start();
await two([
    ...VARIANTS.map((variant) => part(`pages, ${variant.name}`, () => read(variant, pages()))),
    ...ORIGINS.map((variant) => part("themes", () => read(variant, ["executor.html"]))),
    use,
    around,
    ...KINDS.map((page) => part("access", () => access(page))),
    ...playedPages().map((page) => part("play", () => play(page))),
    players,
    threads,
    ...run.runnablePages().map((page) => part("runs", () => one(page, "desktop, runs", DESKTOP, run.runs))),
    programs,
    boards,
    ownTraces,
    withoutServer,
    slides,
    canFail,
    withoutOurScripts,
]);
await within(browser.close(), "closing").catch(() => {});
book.close();
own.close();
report();

/** These pages, as this reader sees them. */
async function read(variant, pages) {
    const isDesktop = variant.width === DESKTOP.width;
    const one = await reader(browser, variant);
    for (const page of pages) {
        const faults = await one.visit(`${book.origin}/${page}`, async (tab) => {
            // First of all: what the others open and scroll moves as well.
            const wrong = [...(await moves(tab)), ...(await isIn(tab, variant.theme))];
            return [...wrong, ...(await place(tab)), ...(await measure(tab, { isDesktop }))];
        });
        results.push({ page, variant: variant.name, faults });
    }
    await one.close();
}

/** What there is to do in a book. All figures are on `print.html`. */
async function use() {
    for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        const isDesktop = size === DESKTOP;
        await one("introduction.html", `${name}, search`, size, (tab) => search(tab));
        await one("executor.html", `${name}, marks of a search`, size, marks);
        await one("executor.html", `${name}, predictions`, size, predict);
        await one("executor.html", `${name}, details`, size, unfold);
        await one("executor.html", `${name}, themes`, size, (tab) => themes(tab, isDesktop));
        await one("executor.html", `${name}, links into folds`, size, openFolds);
        await one("executor.html", `${name}, copy`, size, copy);
        await one("callbacks.html", `${name}, captions`, size, captions);
        await one("generators.html", `${name}, lines`, size, lines);
    }
    await one("introduction.html", "desktop, what a search finds", DESKTOP, finds);
    await one("introduction.html", "desktop, the index in parts", DESKTOP, builds);
    await one("introduction.html", "desktop, the printer's button", DESKTOP, prints);
    await one("introduction.html", "desktop, what a search hides", DESKTOP, hidesAnswers);
    await one("executor.html", "desktop, predictions, nothing kept", DESKTOP, predictWithoutStorage);
    await one("print.html", "desktop, themes", DESKTOP, (tab) => themes(tab, true));
    await one("print.html", "on paper", { ...PAPER, stored: "navy" }, printed);
    const bare = { ...DESKTOP, prefers: "dark", scripts: false };
    await one("print.html", "desktop, prefers dark, without scripts", bare, (tab) =>
        measure(tab, { isDesktop: true }));
    await one("callbacks.html", "desktop, prefers dark, colors without scripts", bare, colors);
    const bareOnPaper = { ...PAPER, prefers: "dark", scripts: false };
    await one("print.html", "on paper, prefers dark, without scripts", bareOnPaper, printed);
}

/** What is around the text: the landing page, and what the book remembers of its reader. */
async function around() {
    for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        await one("index.html", `${name}, landing page`, size, landing);
        await one("index.html", `${name}, without motion`, { ...size, motion: "reduce" }, still);
        await one("executor.html", `${name}, progress`, size, progress);
    }
    await one("index.html", "on paper", { ...PAPER, stored: "navy" }, printed);
    await one("executor.html", "on paper", { ...PAPER, stored: "navy" }, printed);
    await one("introduction.html", "desktop, short route", DESKTOP, shortRoute);
    await one("executor.html", "nothing is kept", { ...DESKTOP, keeps: false }, forgetful);
}

/** The step players of a page: what depends on its traces. */
async function play(page) {
    await one(page, "desktop, players by keys alone", DESKTOP, async (tab) =>
        [...(await player.weigh(tab)), ...(await player.walk(tab)), ...(await player.wires(tab)), ...(await lanes.marks(tab))]);
    await one(page, "laptop, a player keeps its height", LAPTOP, (tab) => player.keepsHeight(tab, true));
    await one(page, "phone, a player keeps its height", PHONE, (tab) => player.keepsHeight(tab, false));
}

/** Step players as each reader meets them. */
async function players() {
    for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        await one("reactor.html", `${name}, questions of a player`, size, player.ask);
        await one("reactor.html", `${name}, ways through a player`, size, player.jump);
        await one("introduction.html", `${name}, a question of two runs`, size, player.asksOfOneRun);
        for (const page of ["reactor.html", "introduction.html"]) {
            const brings = { ...size, stored: "light", motion: "reduce" };
            await one(page, `${name}, players for all`, brings, player.access);
        }
    }
    for (const page of ["reactor.html", "executor.html"]) {
        await one(page, "desktop, what has led to a run", DESKTOP, player.chain);
    }
    // Two runs, one run, two players, and a trace of stage 1: their scripts are the same everywhere.
    for (const page of ["introduction.html", "reactor.html", "executor.html", "callbacks.html"]) {
        await one(page, "desktop, a player keeps its reader", DESKTOP, player.keepsReader);
        await one(page, "desktop, the reader is the executor", DESKTOP, player.referee);
    }
    await one("executor.html", "desktop, wakes in the lanes, in words and in the figure", DESKTOP, lanes.wakes);
    await one("reactor.html", "desktop, without scripts", { ...DESKTOP, scripts: false }, player.table);
    await one("reactor.html", "on paper, a player", { ...PAPER, stored: "navy" }, player.onPaper);
    await one("print.html", "on paper, all players", PAPER, player.table);
    await playersCanFail();
}

/** Step players of runs with several threads. */
async function threads() {
    for (const page of ["more-threads.html", "blocking-and-threads.html"]) {
        await one(page, "desktop, what runs at once", DESKTOP, player.atOnce);
        await one(page, "desktop, a player keeps its reader", DESKTOP, player.keepsReader);
        await one(page, "desktop, no executor to be", DESKTOP, player.referee);
        for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
            const brings = { ...size, stored: "light", motion: "reduce" };
            await one(page, `${name}, players for all`, brings, player.access);
        }
    }
    await one("more-threads.html", "desktop, stolen tasks", DESKTOP, player.steals);
    await one("more-threads.html", "desktop, a thread that parks", DESKTOP, lanes.parks);
    await one("blocking-and-threads.html", "desktop, threads that are ready", DESKTOP, lanes.ready);
}

/** The boards on which the reader is the operating system. */
async function boards() {
    for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        const brings = { ...size, stored: "light", motion: "reduce" };
        await one(os.BOARDS, `${name}, a program is loaded`, size, os.weight);
        await one(os.BOARDS, `${name}, boards for all`, brings, (tab) => os.access(tab, size === DESKTOP));
    }
    await one(os.BOARDS, "desktop, puzzles", DESKTOP, os.puzzles);
    const still = { ...DESKTOP, motion: "reduce" };
    await one(os.BOARDS, "desktop, all ways of a puzzle", still, os.ways);
    await one(os.BOARDS, "desktop, goals of free play", still, os.goals);
    await one(os.BOARDS, "desktop, free play", still, os.plays);
    await one(os.BOARDS, "desktop, a wrong link", DESKTOP, os.wrongLink);
    await one(os.BOARDS, "desktop, boards without scripts", { ...DESKTOP, scripts: false }, os.sentence);
}

/** The page that plays a trace of the reader's. */
async function ownTraces() {
    for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        const brings = { ...size, stored: "light", motion: "reduce" };
        await one(ownTrace.PAGE, `${name}, an own trace for all`, brings, (tab) => ownTrace.access(tab, size === DESKTOP));
    }
    await one(ownTrace.PAGE, "desktop, own traces", DESKTOP, ownTrace.plays);
    await one(ownTrace.PAGE, "desktop, an own trace of two threads", DESKTOP, ownTrace.ofThreads);
    await one(ownTrace.PAGE, "desktop, an own trace of many threads", DESKTOP, ownTrace.ofMany);
    await one(ownTrace.PAGE, "desktop, what another part of an own trace tells", DESKTOP, ownTrace.acrossParts);
    await one(ownTrace.PAGE, "desktop, what is no trace", DESKTOP, ownTrace.refuses);
    await one(ownTrace.PAGE, "desktop, a long trace", DESKTOP, ownTrace.isLong);
    await one(ownTrace.PAGE, "desktop, a dropped trace", DESKTOP, ownTrace.drops);
    await one(ownTrace.PAGE, "desktop, a trace of `cargo lab play`", DESKTOP, ownTrace.isPlayed);
    await one(ownTrace.PAGE, "desktop, own traces without scripts", { ...DESKTOP, scripts: false }, ownTrace.bare);
    const someone = await reader(browser, DESKTOP);
    const faults = await someone.visit(pathToFileURL(join(folder, ownTrace.PAGE)).href, ownTrace.drops);
    results.push({ page: ownTrace.PAGE, variant: "file://, a dropped trace", faults });
    await someone.close();
}

/** A player that does not know an event says so, and one is found that asks no question, marks no
 * end as it was, or where it is not seen, or loses what a thread has taken. */
async function playersCanFail() {
    const someone = await reader(browser, DESKTOP);
    const found = await someone.visit(`${book.origin}/reactor.html`, async (tab) => {
        await tab.route(/player\/player\.js$/, async (route) => {
            const text = await (await route.fetch()).text();
            const changes = [
                ["woken: (event, {", "other: (event, {"],
                ["const isNext =", "const isNext = () => false; const unused ="],
                ['finished: "ended"', 'finished: "dropped"'],
                ["style: `--x:", "style: `left:100%; --x:"],
                ["return held.filter(", "return [].filter("],
            ];
            const missing = changes.filter(([old]) => !text.includes(old));
            results.push({ page: "player.js", variant: "what is to be broken", faults: missing.map(([old]) => ({ kind: "checks", what: `no ${old}` })) });
            const body = changes.reduce((text, [old, its]) => text.replace(old, its), text);
            await route.fulfill({ body, contentType: "text/javascript" });
        });
        await tab.reload();
        const faults = [...(await player.walk(tab)), ...(await player.ask(tab)), ...(await lanes.marks(tab))];
        await tab.goto(`${book.origin}/more-threads.html`);
        return [...faults, ...(await player.steals(tab))];
    });
    await someone.close();
    const has = (text) => found.some(({ what }) => what.includes(text));
    const areSeen = ["does not know", "it is not asked", "finished are", "is cut off"].every(has);
    const isSo = areSeen && found.some(({ kind }) => kind === "stolen tasks");
    const faults = isSo ? [] : [{ kind: "checks", what: `found only ${found.map(({ what }) => what).join("; ")}` }];
    results.push({ page: "reactor.html", variant: "players that are broken", faults });
}

/** Programs that run in the page, as each reader meets them. */
async function programs() {
    for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        const brings = { ...size, stored: "light" };
        const isDesktop = size === DESKTOP;
        await one("playground.html", `${name}, playground`, brings, (tab) => run.playground(tab, isDesktop));
        await one("executor.html", `${name}, a run for all`, brings, (tab) => run.forAll(tab, isDesktop));
    }
    await one("executor.html", "desktop, programs wait for a click", DESKTOP, run.waits);
    await one("stage-two-crawls.html", "desktop, why there is no button", DESKTOP, run.explained);
    await one("playground.html", "desktop, guesses", { ...DESKTOP, motion: "reduce" }, run.guesses);
    await one("playground.html", "desktop, run again at once", DESKTOP, run.again);
    await one("playground.html", "desktop, without scripts", { ...DESKTOP, scripts: false }, run.bare);
    const faults = run.missing().map((name) => ({ kind: "run", what: `no page runs ${name}` }));
    results.push({ page: "all", variant: "steps that can run", faults });
    await programsCanFail();
}

/** A program that cannot be loaded is noticed, and so is one that prints something else, or of
 * which the page says without reason that it is older than the code. */
async function programsCanFail() {
    const someone = await reader(browser, DESKTOP);
    const found = await someone.visit(`${book.origin}/generators.html`, async (tab) => {
        await tab.route(/player\/wasi\.js$/, async (route) => {
            const text = await (await route.fetch()).text();
            await route.fulfill({ body: text.replace("out: text(1)", 'out: `${text(1)}!`'), contentType: "text/javascript" });
        });
        const faults = await run.runs(tab);
        await tab.goto(`${book.origin}/future-and-task.html`);
        await tab.route(/player\/wasi\.js$/, (route) => route.fulfill({ body: "nothing", contentType: "text/javascript" }));
        faults.push(...(await run.runs(tab)));
        await tab.unroute(/player\/wasi\.js$/);
        await tab.route(/executor\.html$/, async (route) => {
            const text = await (await route.fetch()).text();
            await route.fulfill({ body: text.replaceAll(" data-run=", " data-older data-run="), contentType: "text/html" });
        });
        await tab.goto(`${book.origin}/executor.html`);
        return [...faults, ...(await run.runs(tab))];
    });
    await someone.close();
    const has = (text) => found.some(({ what }) => what.includes(text));
    const isSo = has("ch09_generator: prints") && has("It cannot run here") && has("earlier version of the code");
    const faults = isSo ? [] : [{ kind: "checks", what: `found only ${found.map(({ what }) => what).join("; ")}` }];
    results.push({ page: "generators.html", variant: "programs that are broken", faults });
}

/** A page for all readers: in each theme, and with the keyboard. */
async function access(page) {
    for (const [name, size] of [["desktop", DESKTOP], ["phone", PHONE]]) {
        const brings = { ...size, stored: "light" };
        const someone = await reader(browser, brings);
        // The colors of a theme are the same on a phone.
        const themes = size === DESKTOP ? ["rust", "coal", "navy", "ayu"] : ["navy"];
        for (const [what, look] of [
            ["axe", (tab) => audit(tab, themes)],
            ["keyboard", keyboard],
        ]) {
            const faults = await someone.visit(`${book.origin}/${page}`, look);
            results.push({ page, variant: `${name}, ${what}`, faults });
        }
        await someone.close();
    }
}

async function one(page, variant, brings, look) {
    const someone = await reader(browser, brings);
    results.push({ page, variant, faults: await someone.visit(`${book.origin}/${page}`, look) });
    await someone.close();
}

/** A book that somebody has downloaded. */
async function withoutServer() {
    const someone = await reader(browser, DESKTOP);
    for (const page of ["index.html", "executor.html", "whole-crawlers.html"]) {
        const file = pathToFileURL(join(folder, page)).href;
        const faults = await someone.visit(file, (tab) => measure(tab, { isDesktop: true }));
        results.push({ page, variant: "file://", faults });
    }
    const executor = pathToFileURL(join(folder, "executor.html")).href;
    const kept = await someone.visit(executor, progress);
    results.push({ page: "executor.html", variant: "file://, progress", faults: kept });
    const first = pathToFileURL(join(folder, "introduction.html")).href;
    for (const [what, look] of [["search", search], ["what a search finds", finds]]) {
        const faults = await someone.visit(first, (tab) => look(tab));
        results.push({ page: "introduction.html", variant: `file://, ${what}`, faults });
    }
    for (const [page, what, look] of [
        ["callbacks.html", "captions", captions],
        ["executor.html", "predictions", predict],
        ["reactor.html", "players", player.walk],
        ["introduction.html", "two runs in a player", player.walk],
        ["callbacks.html", "runs", run.runs],
        ["playground.html", "playground", (tab) => run.playground(tab, true)],
        [os.BOARDS, "puzzles", os.puzzles],
    ]) {
        const faults = await someone.visit(pathToFileURL(join(folder, page)).href, look);
        results.push({ page, variant: `file://, ${what}`, faults });
    }
    await someone.close();
}

/** The slides, at the size that they are made for, and the handout on paper. Both are opened
 * as files: no server is there in a lecture hall. */
async function slides() {
    const someone = await reader(browser, { width: 1280, height: 720, prefers: "light" });
    const one = async (page, variant, look) => {
        const faults = await someone.visit(page.href, look);
        results.push({ page: page.name, variant, faults });
    };
    await one(deck, "slides", fits);
    await one(deck, "slides, as large as it has to be", readable);
    await one(deck, "slides, keys", steps);
    await one(deck, "slides, axe", legible);
    await one(handout, "on paper", onPaper);
    // A slide that is too tall is noticed.
    const found = await someone.visit(deck.href, tooTall);
    const isSo = found.length === 1 && found[0].kind === "slide too full";
    const faults = isSo ? [] : [{ kind: "checks", what: `found ${JSON.stringify(found)}` }];
    results.push({ page: deck.name, variant: "slides, one too tall", faults });
    const spoiled = (await someone.visit(deck.href, spoilt)).map(({ kind }) => kind).sort();
    const areSeen = spoiled.join() === "half empty,small letters,vote";
    const missed = areSeen ? [] : [{ kind: "checks", what: `found ${spoiled.join()}` }];
    results.push({ page: deck.name, variant: "slides, some spoiled", faults: missed });
    await someone.close();
}

/** A page with each fault once: what reports nothing here would find nothing in the book. */
async function canFail() {
    const someone = await reader(browser, DESKTOP);
    const found = await someone.visit(`${own.origin}/broken.html`, async (tab) => [
        ...(await measure(tab, { isDesktop: true, isPaper: true })),
        ...(await measure(tab, { isDesktop: true })),
        ...(await keyboard(tab)),
        ...(await audit(tab, [])),
        ...(await moves(tab)),
    ]);
    await someone.close();
    const kinds = [...new Set(found.map((fault) => fault.kind))].sort();
    const expected = [
        "axe button-name",
        "axe color-contrast",
        "axe scrollable-region-focusable",
        "axe target-size",
        "console error",
        "failed request",
        "figure text cut off",
        "figure text is faint",
        "figure too wide",
        "figure without a name",
        "fold is not printed",
        "foreign request",
        "keyboard does not reach",
        "listing scrolls",
        "page error",
        "page moves",
        "page too wide",
        "printed line is broken",
        "table scrolls",
        "text is faint",
        "text is far",
        "text is small",
    ];
    // In a paragraph, and in a figure that is scaled.
    const small = found.filter(({ kind }) => kind === "text is small").length;
    const isSo = kinds.join() === expected.join() && small === 2;
    const faults = isSo ? [] : [{ kind: "checks", what: `found only ${kinds.join(", ")}, and ${small} small texts` }];
    results.push({ page: "broken.html", variant: "desktop", faults });
}

/** The book without our scripts: what they are for has to be missed. */
async function withoutOurScripts() {
    const someone = await reader(browser, DESKTOP);
    const found = await someone.visit(`${book.origin}/executor.html`, async (tab) => {
        await tab.route(/(reading|listings)-[^/]*\.js$/, (route) => route.fulfill({ body: "" }));
        await tab.reload();
        const faults = [...(await copy(tab)), ...(await openFolds(tab)), ...(await answers(tab)).slice(0, 1)];
        await tab.addStyleTag({ content: "details.answer::details-content { display: block !important; }" });
        await tab.emulateMedia({ media: "print" });
        faults.push(...(await answers(tab)).slice(0, 1));
        await tab.emulateMedia({ media: null });
        await tab.goto(`${book.origin}/generators.html`);
        faults.push(...(await lines(tab)));
        await tab.goto(`${book.origin}/callbacks.html`);
        return [...faults, ...(await captions(tab))];
    });
    await someone.close();
    const missed = found.map(({ kind, what }) => `${kind}: ${what.split(":")[0]}`).join("; ");
    const expected = [
        "copy: console",
        "fold stays closed: of a link",
        "answers on paper: executor-predict-mended is not printed",
        "answers on paper: executor-predict-mended is beside its question",
        "lines: not lit under the pointer",
        "lines: not lit with the keyboard",
        "lines: not lit after a click",
        "captions: other lines are lit",
    ].join("; ");
    const faults = missed === expected ? [] : [{ kind: "checks", what: `found only ${missed}` }];
    results.push({ page: "executor.html", variant: "without our scripts", faults });
}

/** A function with this name. */
function part(name, run) {
    return Object.defineProperty(run, "name", { value: name });
}

/** As many at a time as a small machine has processors. */
async function two(tasks) {
    const wanted = process.argv.slice(2);
    const line = tasks.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).values();
    const worker = async () => {
        for (const task of line) {
            const begun = performance.now();
            await task();
            const took = performance.now() - begun;
            seconds.set(task.name, (seconds.get(task.name) ?? 0) + took / 1000);
        }
    };
    await Promise.all([worker(), worker()]);
}

function report() {
    for (const { page, variant, faults } of results) {
        for (const { kind, what } of faults) {
            console.log(`${page} (${variant}): ${kind}: ${what}`);
        }
    }
    const slowest = [...seconds].sort(([, one], [, other]) => other - one);
    console.log(slowest.map(([name, took]) => `${name}: ${took.toFixed(0)} s`).join("; "));
    const failed = results.filter((result) => result.faults.length > 0).length;
    console.log(`${results.length - failed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
}
