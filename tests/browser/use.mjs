// What a reader does with a page, beyond reading it: each function does it, and returns
// the faults that it met.

import { measure } from "./layout.mjs";

/** Searches for a word, and follows the first result. */
export async function search(page, word = "waker") {
    await page.locator("#mdbook-search-toggle").click();
    await page.locator("#mdbook-searchbar").pressSequentially(word);
    const first = page.locator("#mdbook-searchresults li a").first();
    await first.waitFor();
    await Promise.all([page.waitForEvent("load"), first.click()]);
    const text = await page.locator("main").innerText();
    const isThere = text.toLowerCase().includes(word);
    return isThere ? [] : [{ kind: "search", what: `${page.url()} does not say "${word}"` }];
}

/** Opens what is folded, and folds it again. */
export async function unfold(page) {
    const faults = [];
    const details = page.locator("main details[id]").first();
    const inside = details.locator(":scope > :not(summary)").first();
    for (const isOpen of [true, false]) {
        await details.locator("summary").click();
        if ((await inside.isVisible()) !== isOpen) {
            faults.push({ kind: "details", what: isOpen ? "does not open" : "does not close" });
        }
    }
    return faults;
}

/** A link into a fold opens it, and so does a hit of a search. */
export async function openFolds(page) {
    const faults = [];
    const check = async (what, look) => {
        if (!(await page.waitForFunction(look, null, { timeout: 3_000 }).then(() => true, () => false))) {
            faults.push({ kind: "fold stays closed", what });
        }
    };
    await page.evaluate(() => {
        window.fold = document.querySelector("main details[id]:not([open])");
        location.hash = window.fold.id;
    });
    await check("of a link", () => window.fold.open);
    await page.goto(page.url().replace(/#.*/, "?highlight=waker#checkpoint"));
    await check("of a search", () => {
        const hits = [...document.querySelectorAll("main details mark")];
        return hits.length > 0 && hits.every((it) => it.checkVisibility());
    });
    return faults;
}

/** Of a console block only the command is copied, and of a listing no line's number. */
export async function copy(page) {
    const faults = [];
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    for (const kind of ["console", "rust"]) {
        const block = page.locator(`main pre:has(> .language-${kind})`).first();
        await block.locator(".clip-button").click();
        await block.locator(".tooltipped").waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        const text = await block.locator("code").evaluate((code) => code.textContent);
        const expected = kind === "rust" ? text : text.split("\n")[0].replace("$ ", "");
        if (copied.trim() !== expected.trim()) {
            faults.push({ kind: "copy", what: `${kind}: ${copied.slice(0, 60)}` });
        }
    }
    return faults;
}

/** Chooses each theme from the menu; with each, figures have to be readable. */
export async function themes(page, isDesktop) {
    const faults = [];
    for (const theme of ["rust", "coal", "navy", "ayu", "light"]) {
        await showTheme(page, theme);
        faults.push(...(await isIn(page, theme)));
        const found = await measure(page, { isDesktop });
        faults.push(...found.map(({ kind, what }) => ({ kind, what: `${theme}: ${what}` })));
    }
    await page.reload();
    return [...faults, ...(await isIn(page, "light"))];
}

/** Chooses a theme from the menu. */
export async function showTheme(page, theme) {
    await page.locator("#mdbook-theme-toggle").click();
    await page.locator(`#mdbook-theme-${theme}`).click();
    // The colours of listings are a file of their own for each theme.
    await page.waitForFunction(() =>
        [...document.querySelectorAll("link[rel=stylesheet]")].every(
            (link) => link.disabled || link.sheet));
    await page.keyboard.press("Escape");
}

/** A page has this theme, of mdBook's. */
export async function isIn(page, theme) {
    const classes = await page.evaluate(() => document.documentElement.className);
    const isSo = classes.split(" ").includes(theme);
    return isSo ? [] : [{ kind: "theme", what: `${classes} and not ${theme}` }];
}

/** As it goes to the printer. */
export async function printed(page) {
    await page.emulateMedia({ media: "print" });
    return measure(page, { isDesktop: true, isPaper: true });
}
