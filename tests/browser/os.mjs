// The reader is the operating system: each puzzle is solved by some choices, and not by others.

import { audit, keyboard } from "./access.mjs";
import { measure } from "./layout.mjs";
import { within } from "./chromium.mjs";

/** The page with the boards. */
export const BOARDS = "be-the-system.html";

const SOLUTIONS = {
    hang: ["0.0.0+.0.1", "0.0+.0.1", "0.0+.0+.0+.0.0"],
    starve: ["0.0.0.1.1.1.1"],
    "lost-wake": ["0.0.1.1.0.0"],
    forgotten: ["0.0.0.1.0"],
    stale: ["0.0.0.0.1.1.0", "0.0.0.0.0"],
};
const OTHERS = {
    hang: ["0.0.0.0", "0.1.1", "0.0.0+.0.0"],
    "hang-fixed": ["0.0+.0+.0", "0.0.1"],
    starve: ["0.0.3", "0.0.0.0.0.0.0.0"],
    // The wake comes too late, and too early; and the fixed half in the order that loses it.
    "lost-wake": ["0.0.0.0", "0.0.1.0.1.0.0"],
    "lost-wake-fixed": ["0.0.0.1.1.0.0.0"],
    forgotten: ["0.0.1.0"],
    stale: ["0.1.1.0.0.0"],
    handed: ["0.0.0.0.1.1.0.0.0"],
};

/** The explanations of the boards that have more than one game. */
const WHY = { "hang-fixed": "hang", "lost-wake-fixed": "lost-wake", forgotten: "leaf", stale: "leaf", handed: "leaf" };

/** Choices of free play that reach its goals. */
const GOALS = {
    "stage1-callbacks": { retry: "0!.0.0.0.0.0.0.0.0.0", fewest: "0.0.0+.0.0+.0+.0.0.0", overtaken: "0.0.0+.0.1+.1.0.0.0" },
    "stage2-generators": { retry: "0!.0.0.0.0.0.0.0.0.0", fewest: "0.0.0+.0.0+.0+.0.0.0", overtaken: "0.0.0+.0.1+.0+.0+.0.0.0" },
    "stage3-async": { retry: "0!.0.0.0.0.0.0.0", fewest: "0.0.0+.0.0+.0", overtaken: "0.0.1.1+.0.0" },
};

/** What generators and async/await meet is the same as `fewest` of callbacks. */
const SAME = "0.0.1.0.1.0";

const board = (page, name) => page.locator(`.system-board[data-games~="${name}"] .player`);

/** Opens a board at a moment, as a link does, and waits until the program has run. */
async function open(page, name, choices) {
    await page.evaluate(([name, choices]) => {
        location.hash = ""; // the same link again changes nothing
        location.hash = `os=${name}:${choices}`;
    }, [name, choices]);
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

/** The map of a puzzle: how many of its ways were played, how many there are, and how many are
 * known to lose something. */
function map(page, name) {
    return board(page, name).locator(".ways").evaluate((it) => ({
        says: it.querySelector(".head").textContent,
        all: it.querySelectorAll(".end").length,
        links: [...it.querySelectorAll("a")].map((link) => link.getAttribute("href")),
        lost: it.querySelectorAll("a.lost").length,
    }));
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
                const fold = page.locator(`#be-the-system-${WHY[name] ?? name}-why`);
                if (await fold.evaluate((it) => it.open) !== isSolved) {
                    faults.push(...fault(`${name}:${choices}: the explanation is ${isSolved ? "closed" : "open"}`));
                }
            }
        }
    }
    return faults;
}

/** Plays all ways of a puzzle with the buttons: the map knows each of them, and how it ends. The
 * map of the fixed program has all ways, and none of them loses anything. */
export async function ways(page) {
    const faults = [];
    for (const [name, all, lost, other, complete] of [
        ["lost-wake", 8, 1, "lost-wake-fixed", 6],
        ["forgotten", 5, 2, "handed", 13],
        ["stale", 13, 3, "handed", 13],
        ["hang", 16, 8, "hang-fixed", 13],
    ]) {
        await open(page, name, "");
        const begun = await map(page, name);
        if (begun.all !== all || begun.links.length !== 0 || begun.says !== `Found 0 of ${all} ways.`) {
            faults.push(...fault(`${name} begins with ${JSON.stringify(begun)}`));
        }
        let count = 0;
        const visit = async (choices) => {
            const next = await board(page, name).locator("[data-choice]").evaluateAll((it) => it.map((button) => button.dataset.choice));
            const lines = await board(page, name).locator(".threads .line.lit").count();
            // The poll of task 1 is in no listing.
            if (["lost-wake", "forgotten"].includes(name) && lines !== next.length) {
                faults.push(...fault(`${name}:${choices.join(".")}: ${lines} lines are lit for ${next.length} threads`));
            }
            count += next.length === 0 ? 1 : 0;
            for (const word of next) {
                await open(page, name, choices.join("."));
                await visit(await choose(page, name, choices, [word]));
            }
        };
        await visit([]);
        const found = await map(page, name);
        const isSo = count === all && new Set(found.links).size === all && found.lost === lost
            && found.says.startsWith(`Found ${all} of ${all} ways`);
        if (!isSo) {
            faults.push(...fault(`${name}: ${count} ways were played, and the map has ${JSON.stringify(found)}`));
        }
        // A way of the map leads to its end.
        const first = found.links.at(-1);
        await board(page, name).locator(`.ways a[href="${first}"]`).click();
        await settled(page, name, first.split(":")[1]);
        await open(page, other, "");
        const whole = await map(page, other);
        if (!/^All \d+ ways.*: none of them/.test(whole.says) || whole.lost > 0 || whole.links.length !== complete) {
            faults.push(...fault(`${other} has ${JSON.stringify(whole)}`));
        }
    }
    return faults;
}

/** The goals of free play are reached by some choices, and the end leads to the same choices with
 * the next crawler. */
export async function goals(page) {
    const faults = [];
    for (const [name, choices] of Object.entries(GOALS)) {
        for (const [goal, words] of Object.entries(choices)) {
            const item = board(page, name).locator(`.goals [data-goal="${goal}"]`);
            const seen = [];
            for (const list of ["", words]) {
                await open(page, name, list);
                seen.push(await item.evaluate((it) => it.classList.contains("reached")));
            }
            if (seen.join() !== "false,true") {
                faults.push(...fault(`${name}:${words} reaches ${goal}: ${seen.join()}`));
            }
        }
    }
    const { fewest } = GOALS["stage1-callbacks"];
    await open(page, "stage1-callbacks", fewest);
    await board(page, "stage1-callbacks").locator(".same").press("Enter");
    await settled(page, "stage2-generators", fewest);
    await board(page, "stage2-generators").locator(".same").press("Enter");
    // Stage 3 keeps a connection, so one of them is not established.
    await settled(page, "stage3-async", SAME);
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
        const rows = await board(page, name).locator(".panes ul:not(.legend) li").allInnerTexts();
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
    await board(page, "hang").locator(".map svg").waitFor();
    await open(page, "lost-wake", "0.0.1");
    await board(page, "lost-wake").locator(".map svg").waitFor();
    await page.evaluate(() => scrollTo(0, 0)); // to where mdBook's menus are
    return [...(await measure(page, { isDesktop })), ...(await audit(page, ["navy"])), ...(await keyboard(page))];
}

/** Without scripts each board is one sentence, and nothing else is there. */
export async function sentence(page) {
    const shown = await page.locator(".system-board > .instead").evaluateAll((all) =>
        all.filter((it) => it.checkVisibility()).length);
    return shown === 5 ? [] : fault(`${shown} of 5 sentences are shown`);
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
