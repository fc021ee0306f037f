// What a reader does with a question that is to be answered before its answer opens.

import { audit } from "./access.mjs";

const LINE = "executor-predict-mended";
const CHOICES = "one-way-to-wait-predict-drop";

/** What a fold looks like, with what is above it and in it. */
function state(page, id) {
    return page.evaluate((id) => {
        const fold = document.getElementById(id);
        const text = (it) => (it?.checkVisibility() ? it.innerText.replace(/\s+/g, " ").trim() : "");
        return {
            isOpen: fold.open,
            above: text(fold.previousElementSibling),
            inside: text(fold.querySelector(".predicted")),
            total: text(document.querySelector(".predictions-total")),
        };
    }, id);
}

/** Enters a prediction, opens the answer, judges; a page that is opened again knows it. */
export async function predict(page) {
    const faults = [];
    const check = async (what, id, expected) => {
        const found = await state(page, id);
        for (const [key, value] of Object.entries(expected)) {
            const isSo = value instanceof RegExp ? value.test(found[key]) : found[key] === value;
            if (!isSo) {
                faults.push({ kind: "prediction", what: `${what}: ${key} is ${found[key]}` });
            }
        }
    };
    const fold = page.locator(`#${LINE}`);
    const form = page.locator(`.predict:has(+ #${LINE})`);
    const address = page.url();

    await fold.locator("summary").click();
    await check("nothing entered", LINE, { isOpen: false, above: /First enter what you expect/, total: "" });
    await form.locator("input").pressSequentially("two <b>polls</b>");
    await page.keyboard.press("ArrowLeft"); // turns pages elsewhere
    await page.keyboard.press("Enter");
    await check("entered", LINE, { isOpen: false, above: /You predicted: two <b>polls<\/b>/ });
    await page.keyboard.press("Enter"); // the focus is on the fold
    await check("opened", LINE, { isOpen: true, above: "", inside: /You predicted: two <b>polls<\/b>/ });
    await page.getByRole("button", { name: "I was wrong" }).click();
    await check("judged", LINE, { total: "In this chapter you were right 0 of 1 time." });
    await page.getByRole("button", { name: "I was right" }).click();
    await check("judged again", LINE, { total: "In this chapter you were right 1 of 1 time." });
    faults.push(...(await audit(page, ["navy"])));

    await page.reload();
    await check("opened again", LINE, { isOpen: false, above: /You predicted: two/, total: /1 of 1 time\.$/ });
    if (page.url() !== address) {
        faults.push({ kind: "prediction", what: "an arrow key has turned the page" });
    }

    await page.goto(new URL("one-way-to-wait.html", address).href);
    await page.locator(`.predict:has(+ #${CHOICES})`).getByRole("button", { name: "from the outside in" }).click();
    await page.locator(`#${CHOICES} > summary`).click();
    await page.getByRole("button", { name: "I was wrong" }).click();
    await check("of the book", CHOICES, {
        inside: /You predicted: from the outside in/,
        total: "In this chapter you were right 0 of 1 time, in the whole book 1 of 2 times.",
    });
    const other = "one-way-to-wait-predict-again";
    await page.locator(`.predict:has(+ #${other})`).getByRole("button", { name: /rather not/ }).click();
    await check("rather not", other, { isOpen: true, inside: "You have entered no prediction." });
    const last = "one-way-to-wait-predict-swallowed";
    await page.evaluate((id) => (location.hash = id), last);
    await page.waitForFunction((id) => document.getElementById(id).open, last);
    await check("a link", last, { isOpen: true, above: "", inside: "You have entered no prediction." });

    // As if another tab had taken it back.
    await page.evaluate(() => localStorage.clear());
    await page.evaluate(() => window.dispatchEvent(new StorageEvent("storage")));
    await page.evaluate((id) => (document.getElementById(id).open = false), CHOICES);
    await page.locator(`#${CHOICES} > summary`).click();
    await check("taken back elsewhere", CHOICES, { isOpen: false, above: /First enter what you expect/ });

    await page.emulateMedia({ media: "print" });
    const shown = await page.locator("main :is(.predict, .predicted, .predictions-total)")
        .evaluateAll((all) => all.filter((it) => it.checkVisibility()).length);
    if (shown > 0) {
        faults.push({ kind: "prediction", what: `${shown} are printed` });
    }
    await page.emulateMedia({ media: "screen" });
    return faults;
}

/** Where nothing can be kept, all the same works until the page is left. */
export async function predictWithoutStorage(page) {
    await page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", { get() { throw new Error("refused"); } });
    });
    await page.reload();
    await page.locator(`.predict:has(+ #${LINE}) input`).fill("three");
    await page.keyboard.press("Enter");
    await page.locator(`#${LINE} > summary`).click();
    await page.getByRole("button", { name: "I was right" }).click();
    const { total } = await state(page, LINE);
    const isSo = total === "In this chapter you were right 1 of 1 time.";
    return isSo ? [] : [{ kind: "prediction", what: `without storage: ${total}` }];
}
