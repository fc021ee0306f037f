// Listings: where they are from, which lines a sentence points at, and their colors. Each
// function tries it, and returns the faults that it met.

/** The caption of a listing leads to its lines, in the page of the file. */
export async function captions(page) {
    const link = page.locator(".caption a[href*='#L']").first();
    const code = await link.evaluate((it) =>
        it.closest(".listing").querySelector("code").textContent);
    const from = (await link.getAttribute("href")).match(/#L(\d+)/)[1];
    await Promise.all([page.waitForEvent("load"), link.click()]);
    const first = page.locator(`#L${from}`);
    const isSeen = await first.evaluate((line) => new Promise((resolve) => {
        new IntersectionObserver(([entry]) => resolve(entry.isIntersecting)).observe(line);
    }));
    const faults = isSeen ? [] : [{ kind: "captions", what: "the first line is not in view" }];
    const lit = await page.locator(".ln.lit").allTextContents();
    const shown = lit.filter((line) => !line.trimEnd().endsWith("// observe"));
    if (shown.join("").trim() !== code.trim()) {
        faults.push({ kind: "captions", what: `other lines are lit: ${shown.join("")}` });
    }
    return faults;
}

/** Words such as "the fourth line" light it: under the pointer, with the keyboard, on a click. */
export async function lines(page) {
    const faults = [];
    const words = page.getByRole("link", { name: "the fourth line" });
    const check = async (numbers, what) => {
        const lit = await page.locator(".ln.lit").evaluateAll((all) => all.map((it) => it.dataset.n));
        if (lit.join() !== numbers.join()) {
            faults.push({ kind: "lines", what });
        }
    };
    await words.hover();
    await check(["4"], "not lit under the pointer");
    await page.mouse.move(0, 0);
    await check([], "still lit without the pointer");
    await words.focus();
    await check(["4"], "not lit with the keyboard");
    await page.locator("main").focus();
    await check([], "still lit without the keyboard");
    await words.click();
    await page.mouse.move(0, 0);
    await page.locator("main").focus();
    await check(["4"], "not lit after a click");
    return faults;
}

/** Listings are colored when the book is built: a browser needs no script for it. */
export function colors(page) {
    return page.evaluate(() => {
        const faults = [];
        const style = (selector) => getComputedStyle(document.querySelector(selector));
        const code = style("main pre > code.language-rust");
        const page = style("body");
        if (code.backgroundColor === page.backgroundColor) {
            faults.push({ kind: "colors", what: "a listing has no ground of its own" });
        }
        for (const kind of ["comment", "keyword", "name", "string", "type"]) {
            if (style(`main .language-rust .hl-${kind}`).color === code.color) {
                faults.push({ kind: "colors", what: `${kind} looks like other code` });
            }
        }
        return faults;
    });
}
