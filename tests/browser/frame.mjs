// What is around the text of a page: its title, its place in the book, the landing page, and
// what the book remembers of its reader.

import { title } from "./book.mjs";

const fault = (kind, what) => ({ kind, what });

/** A page has one title, and a chapter says where it is. */
export function place(page) {
    return page.evaluate((book) => {
        const faults = [];
        const add = (kind, what) => faults.push({ kind, what });
        const file = location.pathname.split("/").pop();
        const links = [...document.querySelectorAll(".sidebar .chapter-item a[href]")];
        const link = links.find((it) => it.getAttribute("href").endsWith(file));
        if (!link) {
            return faults; // print.html
        }
        const number = link.querySelector("strong")?.textContent.trim() ?? "";
        const listed = link.textContent.replace(number, "").trim();
        const heading = document.querySelector("main h1").textContent.trim();
        // The bar has the name of the chapter, and the window that of the book, too.
        const bar = document.querySelector(".menu-title").textContent.trim();
        if (listed !== heading) {
            add("title", `${listed} in the table of contents, ${heading} on the page`);
        }
        const expected = file === "index.html" ? [book, book] : [heading, `${heading} - ${book}`];
        if (bar !== expected[0] || document.title !== expected[1]) {
            add("title", `${document.title} in the window, ${bar} in the bar, ${heading} on the page`);
        }
        const said = document.querySelector("main > h1 + .place > p")?.textContent.trim() ?? "";
        const count = links.filter((it) => it.querySelector("strong")).length;
        const begin = number
            ? `Part \\w+ · Chapter ${parseInt(number)} of ${count} · `
            : "Before chapter 1 · ";
        const isSaid = new RegExp(`^${begin}\\d+ min to read, \\d+ to work(, \\d+ for the exercises)?( · needs chapters? [\\d, and]+)?$`);
        if ((number || file === "introduction.html") && !isSaid.test(said)) {
            add("place", `"${said}" below the title`);
        }
        return faults;
    }, title);
}

/** The landing page leads on, and its lanes move, can be stopped, and move again. */
export async function landing(page) {
    const faults = [];
    const links = await page.locator("main a[href]").evaluateAll((all) =>
        all.map((link) => link.getAttribute("href")));
    for (const target of ["introduction.html", "introduction.html#something-runs-your-code", "teaching.html"]) {
        if (!links.includes(target)) {
            faults.push(fault("landing page", `no link to ${target}`));
        }
    }
    if (!(await page.locator(".continue a").getAttribute("href")).startsWith("introduction.html")) {
        faults.push(fault("landing page", "a new reader is to continue"));
    }
    const button = page.locator(".lanes button");
    const is = async (name, state) => {
        const states = await page.evaluate(() =>
            document.querySelector(".lanes").getAnimations({ subtree: true }).map((it) => it.playState));
        const text = await button.textContent();
        const isSo = text === name && states.length > 0 && states.includes("running") === state;
        return isSo ? [] : [fault("lanes", `${text}, ${[...new Set(states)].join()}`)];
    };
    // The page may have taken longer to open than the lanes take to end.
    if (await button.textContent() === "Stop") {
        await button.click();
    }
    faults.push(...(await is("Play again", false)));
    await button.click();
    faults.push(...(await is("Stop", true)));
    return [...faults, ...(await place(page))];
}

/** Who does not want motion sees the end of it. */
export async function still(page) {
    return page.evaluate(() => {
        const lanes = document.querySelector(".lanes");
        const moving = lanes.getAnimations({ subtree: true }).length;
        const buttons = lanes.querySelectorAll("button").length;
        const end = [...lanes.querySelectorAll("strong")].map((it) => it.textContent).join();
        const isWhole = [...lanes.querySelectorAll("i, strong")].every((it) => {
            const { clipPath, visibility } = getComputedStyle(it);
            return clipPath === "none" && visibility === "visible";
        });
        const isSo = moving === 0 && buttons === 0 && isWhole && end === "5.0 s,1.0 s";
        return isSo ? [] : [{ kind: "lanes without motion", what: `${moving}, ${buttons}, ${end}` }];
    });
}

/** Waits until the page, too, has been told that this part of it is seen. */
function seen(page, selector) {
    return page.evaluate((selector) => new Promise((resolve) => {
        new IntersectionObserver((entries) => entries[0].isIntersecting && resolve())
            .observe(document.querySelector(selector));
    }), selector);
}

async function end(page) {
    await page.locator(".nav-wrapper").scrollIntoViewIfNeeded();
    await seen(page, ".nav-wrapper");
}

/** A page that was read to its end is ticked, and the landing page leads back to it. */
export async function progress(page) {
    const faults = [];
    const ticks = () => page.locator(".sidebar .tick").evaluateAll((all) =>
        all.map((tick) => tick.previousElementSibling.getAttribute("href").split("/").pop()).join());
    if (await ticks() !== "") {
        faults.push(fault("progress", `${await ticks()} before anything was read`));
    }
    const start = page.url();
    await seen(page, "main h1");
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
    await page.goto(`${start}#checkpoint`);
    await end(page);
    if (await ticks() !== "") {
        faults.push(fault("progress", `${await ticks()} though only its end was seen`));
    }
    await page.locator("main h1").scrollIntoViewIfNeeded();
    await seen(page, "main h1");
    await page.locator("#checkpoint").scrollIntoViewIfNeeded();
    await end(page);
    await page.locator(".sidebar .tick").waitFor({ state: "attached" });
    await page.goto(page.url().replace(/executor\.html.*/, "index.html"));
    if (await ticks() !== "executor.html") {
        faults.push(fault("progress", `${await ticks()} after executor.html`));
    }
    await page.locator(".continue a").click();
    await page.waitForURL(/executor\.html#./);
    return faults;
}

/** The short route leads from page to page, and the table of contents can show it alone. */
export async function shortRoute(page) {
    const route = (await page.locator("main").getAttribute("data-route")).split(" ");
    const shown = () => page.locator(".sidebar .chapter-item a[href]").evaluateAll((all) =>
        all.filter((link) => link.checkVisibility()).map((link) => link.getAttribute("href")));
    const faults = [];
    if ((await shown()).length <= route.length) {
        faults.push(fault("short route", "other pages are hidden before anyone has asked"));
    }
    await page.locator(".sidebar .route input").check();
    const visited = [];
    for (let file = route[0]; file && visited.length <= route.length; ) {
        visited.push(file);
        await page.goto(page.url().replace(/[^/]*$/, file));
        if ((await shown()).join() !== route.join()) {
            faults.push(fault("short route", `${file} shows ${await shown()}`));
        }
        const next = page.locator("main .route a");
        file = await next.count() > 0 ? await next.last().getAttribute("href") : undefined;
    }
    if (visited.join() !== route.join()) {
        faults.push(fault("short route", `its links lead to ${visited}`));
    }
    return faults;
}

/** A browser that keeps nothing shows the page all the same. */
export async function forgetful(page) {
    await page.locator(".nav-wrapper").scrollIntoViewIfNeeded();
    return page.evaluate(() => {
        const isThere = document.querySelector(".steps") && document.querySelector(".place");
        return isThere ? [] : [{ kind: "nothing is kept", what: "a part of the page is missing" }];
    });
}
