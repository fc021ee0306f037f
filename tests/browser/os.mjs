// The reader is the operating system: each puzzle is solved by some choices, and not by others.

import { audit, keyboard } from "./access.mjs";
import { measure } from "./layout.mjs";
import { within } from "./chromium.mjs";

/** The page with the boards. */
export const BOARDS = "be-the-system.html";

const SOLUTIONS = {
    hang: ["0.0.0.0+.0.1", "0.0+.0.1", "0.0+.0+.0+.0.0.0"],
    starve: ["0.0.0.1.1.1.1"],
    "lost-wake": ["0.0.1.1.0.0"],
};
const OTHERS = {
    hang: ["0.0.0.0.0", "0.1.1", "0.0.0.0+.0.0"],
    starve: ["0.0.3", "0.0.0.0.0.0.0.0"],
    // The wake comes too late, and too early; and the fixed half in the order that loses it.
    "lost-wake": ["0.0.0.0", "0.0.1.0.1.0.0"],
    "lost-wake-fixed": ["0.0.0.1.1.0.0.0"],
};

const board = (page, name) => page.locator(`.system-board[data-games~="${name}"] .player`);

/** Opens a board at a moment, as a link does, and waits until the program has run. */
async function open(page, name, choices) {
    await page.evaluate(([name, choices]) => (location.hash = `os=${name}:${choices}`), [name, choices]);
    await settled(page, name, choices);
}

/** The link of a board leads to these choices when the program has run with them. */
function settled(page, name, choices) {
    const link = board(page, name).locator(`.bar a[href="#os=${name}:${choices}"]`);
    return within(link.waitFor(), `${name}:${choices}`);
}

/** Follows more choices with the buttons, one after the other. */
async function choose(page, name, before, words) {
    const choices = [...before];
    for (const word of words) {
        choices.push(word);
        await board(page, name).locator(`[data-choice="${word}"]`).press("Enter");
        await settled(page, name, choices.join("."));
    }
    return choices;
}

const fault = (what) => [{ kind: "board", what }];

/** Each puzzle is solved by the recorded choices, and not by the others. */
export async function puzzles(page) {
    const faults = [];
    for (const [lists, isSolved] of [[OTHERS, false], [SOLUTIONS, true]]) {
        for (const [name, all] of Object.entries(lists)) {
            for (const choices of all) {
                await open(page, name, choices);
                const found = await board(page, name).evaluate((it) => it.classList.contains("solved"));
                const says = await board(page, name).locator(".say").innerText();
                if (found !== isSolved || /^The program (sleeps|still)/.test(says)) {
                    faults.push(...fault(`${name}:${choices} is ${found ? "" : "not "}solved: ${says}`));
                }
                const fold = page.locator(`#be-the-system-${name.replace("-fixed", "")}-why`);
                if (await fold.evaluate((it) => it.open) !== isSolved) {
                    faults.push(...fault(`${name}:${choices}: the explanation is ${isSolved ? "closed" : "open"}`));
                }
            }
        }
    }
    return faults;
}

/** Plays with the keyboard: each crawler to its end, a refusal, one choice back, and a restart. */
export async function plays(page) {
    const faults = [];
    for (const name of ["stage1-callbacks", "stage2-generators", "stage3-async"]) {
        await open(page, name, "");
        await choose(page, name, [], ["0", "0"]);
        const waiting = await board(page, name).locator(".machine tr[data-row]").count();
        if (waiting === 0) {
            faults.push(...fault(`${name}: no task is shown to wait`));
        }
        await choose(page, name, ["0", "0"], ["0!"]);
        const log = await board(page, name).locator(".log").innerText();
        if (!/refused|reset/.test(log)) {
            faults.push(...fault(`${name}: nothing has failed: ${log}`));
        }
        await board(page, name).locator(".undo").press("Enter");
        await settled(page, name, "0.0");
        await board(page, name).locator(".restart").press("Enter");
        await settled(page, name, "");
        let choices = [];
        while (await board(page, name).locator("[data-choice='0']").count() > 0) {
            choices = await choose(page, name, choices, ["0"]);
        }
        const rows = await board(page, name).locator(".panes ul li").allInnerTexts();
        if (rows.length !== 4 || !rows.every((row) => row.endsWith(": ok"))) {
            faults.push(...fault(`${name} ends with ${rows.join("; ")}`));
        }
    }
    return faults;
}

/** Choices that do not exist lead to the beginning, and what is no link leads nowhere. */
export async function wrongLink(page) {
    await page.evaluate(() => (location.hash = "%"));
    await page.evaluate(() => (location.hash = "os=starve:0.9"));
    await settled(page, "starve", "");
    const says = await board(page, "starve").locator(".say").innerText();
    return says.includes("What happens next?") ? [] : fault(`after a wrong link: ${says}`);
}

/** A board in the middle of a crawl: axe, the keyboard, and nothing wider than the page. */
export async function access(page, isDesktop) {
    await open(page, "stage3-async", "0.0.0");
    await open(page, "hang", "0.0+");
    return [...(await measure(page, { isDesktop })), ...(await audit(page, ["navy"])), ...(await keyboard(page))];
}

/** Without scripts each board is one sentence, and nothing else is there. */
export async function sentence(page) {
    const shown = await page.locator(".system-board > .instead").evaluateAll((all) =>
        all.filter((it) => it.checkVisibility()).length);
    return shown === 4 ? [] : fault(`${shown} of 4 sentences are shown`);
}

/** A program is loaded when it is started, and not before. Puzzle three needs only the small one. */
export async function weight(page) {
    const loaded = () => page.evaluate(() => performance.getEntriesByType("resource")
        .map(({ name }) => /player\/(page|steps)\.js$/.exec(name)?.[1]).filter(Boolean).join());
    const seen = [await loaded()];
    for (const name of ["lost-wake", "hang"]) {
        await board(page, name).getByRole("button", { name: "Start the program" }).click();
        await settled(page, name, "");
        seen.push(await loaded());
    }
    return seen.join("; ") === "; steps; steps,page" ? [] : fault(`loaded: ${seen.join("; ")}`);
}
