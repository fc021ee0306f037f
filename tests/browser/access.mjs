// Whether everybody can read a page: with little contrast, with a screen reader, and with
// the keyboard alone.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { showTheme } from "./use.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a theme can change. All other rules find the same in each theme. */
const OF_COLORS = ["color-contrast", "link-in-text-block"];

/** So many stops of the Tab key may lie between the start of a page and its text. */
const STOPS = 3;

/** What axe finds in each of these themes, if it is serious or critical. */
export async function audit(page, themes) {
    const faults = await axe(page);
    for (const theme of themes) {
        await showTheme(page, theme);
        const found = await axe(page, OF_COLORS);
        faults.push(...found.map(({ kind, what }) => ({ kind, what: `${theme}: ${what}` })));
    }
    return faults;
}

/** What axe finds in what a page shows now: by all rules, or only by those about colors. */
export function auditShown(page, onlyColors = false) {
    return axe(page, onlyColors ? OF_COLORS : undefined);
}

async function axe(page, rules) {
    // Colours that are on their way to others are measured when they are there.
    await page.addStyleTag({ content: "*, ::before { transition: none !important; }" });
    if (!(await page.evaluate(() => "axe" in window))) {
        await page.evaluate(AXE);
    }
    const found = await page.evaluate(async (rules) => {
        // Off by default: a finger has to hit each target (WCAG 2.2, AA: 24 pixels, or as much room).
        const all = { "target-size": { enabled: true } };
        const options = { resultTypes: ["violations"], preload: false, rules: all };
        const { violations } = await axe.run(document, rules ? { ...options, runOnly: rules } : options);
        return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0].html }));
    }, rules);
    const grave = found.filter(({ impact }) => ["serious", "critical"].includes(impact));
    return grave.map(({ id, html }) => ({ kind: `axe ${id}`, what: html.slice(0, 120) }));
}

/** Goes through a page with the Tab key: into the text, and to all that has to be moved. */
export async function keyboard(page) {
    const faults = [];
    await page.evaluate(() => document.querySelectorAll("details").forEach((it) => (it.open = true)));
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.matches("a[href^='#']"))) {
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => location.hash !== "");
    }
    for (let stops = 1; stops < STOPS && !(await isInText(page)); stops += 1) {
        await page.keyboard.press("Tab");
    }
    if (!(await isInText(page))) {
        faults.push({ kind: "text is far", what: `more than ${STOPS} stops of the Tab key` });
    }
    const scrolling = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll("main :is(pre > code, .table-wrapper, figure)")];
        const moved = boxes.filter((it) => it.scrollWidth > it.clientWidth && it.checkVisibility());
        window.unreached = new Set(moved);
        document.querySelector("main").focus();
        return moved.length;
    });
    const most = await page.evaluate(() =>
        document.querySelectorAll("a, button, input, summary, [tabindex]").length);
    for (let i = 0; scrolling > 0 && i < most; i += 1) {
        await page.keyboard.press("Tab");
        const left = await page.evaluate(() => {
            window.unreached.delete(document.activeElement);
            return window.unreached.size;
        });
        if (left === 0) {
            break;
        }
    }
    const left = await page.evaluate(() =>
        [...window.unreached].map((it) => it.textContent.trim().slice(0, 40)));
    return [...faults, ...left.map((what) => ({ kind: "keyboard does not reach", what }))];
}

function isInText(page) {
    return page.evaluate(() => document.activeElement.closest("main") !== null);
}
