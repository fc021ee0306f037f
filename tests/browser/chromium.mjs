// A browser that speaks to nobody but 127.0.0.1, and tells what a page does wrong.

import { chromium } from "playwright-core";

/** How long, in milliseconds, one thing that a page does may take. */
export const PATIENCE = 45_000;

/** How long a whole visit may take: five themes on the page that has all others. */
const LONG = 120_000;

const FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // What the browser itself might look up is stopped here; what a page asks for is
    // stopped by the reader, and recorded.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Starts Chromium with a user's folder of its own, which goes when the browser goes. */
export function start() {
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        headless: true,
        args: FLAGS,
        timeout: 2 * PATIENCE,
    });
}

/** What a reader brings: a window, a theme chosen before or only preferred, scripts or none,
 * a wish for little motion, a browser that keeps nothing. */
export async function reader(browser, { width, height, stored, prefers, scripts = true, motion, keeps = true }) {
    const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: prefers,
        reducedMotion: motion,
        javaScriptEnabled: scripts,
        serviceWorkers: "block",
    });
    context.setDefaultTimeout(PATIENCE);
    await context.route(isForeign, (route) => route.abort("blockedbyclient"));
    await context.routeWebSocket(/.*/, (socket) => socket.close());
    if (stored) {
        await context.addInitScript((theme) => {
            localStorage.setItem("mdbook-theme", theme);
        }, stored);
    }
    if (!keeps) {
        await context.addInitScript(() => {
            const get = () => { throw new DOMException("no storage", "SecurityError"); };
            Object.defineProperty(window, "localStorage", { get });
        });
    }
    return new Reader(context);
}

/** Opens one page after the other in one tab: a new one costs more than a page does. */
class Reader {
    #context;
    #page;
    #faults = [];

    constructor(context) {
        this.#context = context;
    }

    /**
     * Opens an address and calls `look` with the page. Resolves to a list of faults, each
     * `{ kind, what }`: those that the browser tells, and those that `look` returns.
     */
    async visit(address, look) {
        this.#faults = [];
        try {
            const page = (this.#page ??= await this.#tab());
            await page.goto(address, { waitUntil: "load" });
            await within(page.evaluate(() => document.fonts.ready.then(() => true)), "fonts");
            this.#faults.push(...(await within(look(page), "looking at the page", LONG)));
        } catch (error) {
            this.#add("not finished", error.message.split("\n")[0]);
            await this.#drop();
        }
        return this.#faults;
    }

    async close() {
        await within(this.#context.close(), "closing").catch(() => {});
    }

    async #tab() {
        const page = await within(this.#context.newPage(), "a new tab");
        watch(page, (kind, what) => this.#add(kind, what));
        return page;
    }

    // The next page is not to suffer from a tab that hangs.
    async #drop() {
        const page = this.#page;
        this.#page = undefined;
        page?.removeAllListeners();
        await within(page?.close(), "closing").catch(() => {});
    }

    #add(kind, what) {
        this.#faults.push({ kind, what: what.replace(/\s+/g, " ") });
    }
}

function watch(page, add) {
    page.on("pageerror", (error) => add("page error", error.message));
    page.on("console", (message) => {
        // A file that did not come is told below, with its address.
        const isFile = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isFile) {
            add("console error", message.text());
        }
    });
    page.on("request", (request) => {
        if (isForeign(new URL(request.url()))) {
            add("foreign request", request.url());
        }
    });
    page.on("websocket", (socket) => add("foreign request", socket.url()));
    page.on("requestfailed", (request) => {
        const why = request.failure()?.errorText;
        // An icon may still be on its way when we leave the page.
        const isLeft = why === "net::ERR_ABORTED";
        if (!isLeft && !isForeign(new URL(request.url()))) {
            add("failed request", `${request.url()}: ${why}`);
        }
    });
    page.on("response", (response) => {
        if (response.status() >= 400) {
            add("failed request", `${response.url()}: ${response.status()}`);
        }
    });
}

function isForeign(url) {
    const isLocal = ["file:", "data:", "blob:", "about:"].includes(url.protocol);
    return !isLocal && url.hostname !== "127.0.0.1";
}

/** Not all that playwright does ends by itself when a page hangs. */
export async function within(promise, what, patience = 2 * PATIENCE) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`${what}: too late`)), patience);
    });
    try {
        return await Promise.race([promise, late]);
    } finally {
        clearTimeout(timer);
    }
}
