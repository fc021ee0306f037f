// What a reader does with a page, beyond reading it: each function does it, and returns
// the faults that it met.

import { measure } from "./layout.mjs";

/** Opens what is folded, and folds it again. */
export async function unfold(page) {
    const faults = [];
    const details = page.locator("main details[id*='-check-']").first();
    const inside = details.locator(":scope > :not(summary)").first();
    for (const isOpen of [true, false]) {
        await details.locator("summary").click();
        if ((await inside.isVisible()) !== isOpen) {
            faults.push({ kind: "details", what: isOpen ? "does not open" : "does not close" });
        }
    }
    return faults;
}

/** A link into a fold opens it. */
export async function openFolds(page) {
    await page.evaluate(() => {
        window.fold = document.querySelector("main details[id]:not([open])");
        location.hash = window.fold.id;
    });
    const opened = page.waitForFunction(() => window.fold.open, null, { timeout: 3_000 });
    const isOpen = await opened.then(() => true, () => false);
    return isOpen ? [] : [{ kind: "fold stays closed", what: "of a link" }];
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

/** The printer's button prints this page. */
export async function prints(page) {
    const address = page.url();
    await page.evaluate(() => { window.print = () => { window.isPrinted = true; }; });
    await page.locator(".right-buttons a[aria-label^='Print']").click();
    const isSo = await page.evaluate(() => window.isPrinted === true);
    return isSo && page.url() === address ? [] : [{ kind: "print", what: `the button leads to ${page.url()}` }];
}

/** As it goes to the printer. */
export async function printed(page) {
    await page.emulateMedia({ media: "print" });
    const faults = await answers(page);
    return [...faults, ...(await measure(page, { isDesktop: true, isPaper: true }))];
}

/** On paper no answer is beside its question: each is at the end of its chapter, and without
 * scripts on none. After it was printed, the page is as it was, with the focus where it was. */
export async function answers(page) {
    const found = await page.evaluate(() => {
        const print = (what) => window.dispatchEvent(new Event(what));
        const main = document.querySelector("main");
        const hasScripts = document.documentElement.matches(".js");
        // print.html prints itself, and to lay it out again takes long.
        const isWhole = main.querySelector("[style*=break-before]") !== null;
        const before = isWhole ? "" : main.innerHTML;
        const summary = main.querySelector("details.answer > summary");
        summary?.focus({ preventScroll: true });
        print("beforeprint");
        const faults = [];
        for (const fold of main.querySelectorAll("details.answer:not(.answers *)")) {
            const text = fold.querySelector(":scope > :not(summary, .predicted)");
            const isShown = text.checkVisibility() && text.getBoundingClientRect().height > 0;
            if (isShown || hasScripts) {
                faults.push(`${fold.id} is ${isShown ? "beside its question" : "not printed"}`);
            }
        }
        for (const { nextElementSibling: next } of main.querySelectorAll(".answers")) {
            if (next && !next.matches("[style*=break-before]")) {
                faults.push(`${next.outerHTML.slice(0, 60)} is after the answers`);
            }
        }
        if (!isWhole) {
            print("afterprint");
            if (main.innerHTML !== before) {
                faults.push("it is not as it was before");
            }
            if (summary && document.activeElement !== summary) {
                faults.push("the focus is lost");
            }
            print("beforeprint");
        }
        return faults;
    });
    return found.map((what) => ({ kind: "answers on paper", what }));
}
