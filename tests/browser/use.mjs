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
    const details = page.locator("main details").first();
    const inside = details.locator(":scope > :not(summary)").first();
    for (const isOpen of [true, false]) {
        await details.locator("summary").click();
        if ((await inside.isVisible()) !== isOpen) {
            faults.push({ kind: "details", what: isOpen ? "does not open" : "does not close" });
        }
    }
    return faults;
}

/** Chooses each theme from the menu; with each, figures have to be readable. */
export async function themes(page, isDesktop) {
    const faults = [];
    for (const theme of ["rust", "coal", "navy", "ayu", "light"]) {
        await page.locator("#mdbook-theme-toggle").click();
        await page.locator(`#mdbook-theme-${theme}`).click();
        // The colours of listings are a file of their own for each theme.
        await page.waitForFunction(() =>
            [...document.querySelectorAll("link[rel=stylesheet]")].every(
                (link) => link.disabled || link.sheet));
        faults.push(...(await isIn(page, theme)));
        const found = await measure(page, { isDesktop });
        faults.push(...found.map(({ kind, what }) => ({ kind, what: `${theme}: ${what}` })));
        await page.keyboard.press("Escape");
    }
    await page.reload();
    return [...faults, ...(await isIn(page, "light"))];
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
