// What a reader runs in a page: the steps below their console blocks, and the playground. Each
// function tries it, and returns the faults that it met.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { digest, normal, recorded, steps, stored } from "../sim/steps.mjs";
import { auditShown } from "./access.mjs";
import { folder, pages } from "./book.mjs";
import { measure } from "./layout.mjs";

const STAGES = ["stage1-callbacks", "stage2-generators", "stage3-async"];

/** So many pages has the site of the playground, with its home page. */
const PAGES = 13;

/** The steps that run in a page, by name, with what is recorded of each. */
const record = recorded();
const table = new Map(
    steps().filter(({ how, name }) => how !== "not" && record.has(name))
        .map((step) => [step.name, { ...step, ...record.get(step.name) }]));

/** What a page says of a program that is older than the code. */
const OLDER = "built from an earlier version of the code";

/** The pages with buttons. */
export function runnablePages() {
    return pages().filter((page) => readFileSync(join(folder, page), "utf8").includes("data-run="));
}

/** The steps that can run in a page, and that no page runs. */
export function missing() {
    const html = runnablePages().map((page) => readFileSync(join(folder, page), "utf8")).join();
    return [...table.keys()].filter((name) => !html.includes(`data-run="${name}"`));
}

/** Each button of a page prints what the terminal prints, or says why not. A step with an
 * argument prints something else than is stored, and so may a program that is older than what is
 * stored, which the page says: these have to print anything. */
export async function runs(page) {
    const faults = [];
    await page.evaluate(() => document.querySelectorAll("details").forEach((it) => (it.open = true)));
    const blocks = await page.locator("main pre[data-run]").all();
    const bars = page.locator("main .run-here");
    if (blocks.length === 0 || (await bars.count()) !== blocks.length) {
        return [{ kind: "run", what: `${await bars.count()} buttons for ${blocks.length} blocks` }];
    }
    for (const [at, block] of blocks.entries()) {
        const { run: name, argument } = await block.evaluate((it) => ({ ...it.dataset }));
        const add = (what) => faults.push({ kind: "run", what: `${name}: ${what}` });
        const bar = bars.nth(at);
        await bar.locator("button").focus();
        await page.keyboard.press("Enter");
        await bar.getByText("Run it again").waitFor();
        const out = await bar.locator("+ pre code").textContent();
        const note = await bar.locator("[role=status]").textContent();
        const step = table.get(name);
        const { prints, why } = step;
        const isOlder = step.digest !== digest(stored(step));
        const says = ["The network and the clock are simulated", why, isOlder ? OLDER : ""];
        if (!says.every((text) => note.includes(text)) || note.includes(OLDER) !== isOlder) {
            add(`says “${note}”`);
        }
        const is = (text, other) => text === other || add(`prints ${text.slice(0, 80)}`);
        if (argument !== undefined || isOlder) {
            if (out === "") add("prints nothing");
        } else if (prints === "same") {
            is(out, stored(step));
        } else if (prints === "varies") {
            is(normal(out), normal(stored(step)));
        } else if (why === "" || out.split("\n").length < 3) {
            add(`differs: ${out.slice(0, 80)}`);
        }
    }
    return faults;
}

/** A block that cannot run in the page says why, or where the crawlers can be tried. */
export async function explained(page) {
    const texts = await page.locator("main pre[data-instead] + .run-instead").allTextContents();
    const blocks = await page.locator("main pre[data-instead]").count();
    const links = await page.locator(".run-instead a").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
    const isSo = blocks > 0 && texts.length === blocks && texts.every((it) => it.startsWith("It does not run in this page"));
    const leads = links.length > 0 && links.every((it) => it.startsWith("playground.html"));
    return isSo && leads ? [] : [{ kind: "run", what: `${blocks} blocks: ${texts.join("; ")}; ${links.join()}` }];
}

/** The programs are loaded by the first click, and not before. */
export async function waits(page) {
    const loaded = () => page.locator("script[src*='player/steps']").count();
    const before = await loaded();
    await page.locator(".run-here button").first().click();
    await page.getByText("Run it again").first().waitFor();
    return before === 0 && (await loaded()) === 1 ? [] : [{ kind: "run", what: "loads too early" }];
}

/** What is shown after a click is for all: by axe, and within the page. */
export async function forAll(page, isDesktop) {
    await page.locator(".run-here button:visible").first().click();
    await page.locator(".run-here button:visible").getByText("Run it again").first().waitFor();
    return [...(await auditShown(page)), ...(await measure(page, { isDesktop }))];
}

/** Runs the playground with each failure: the three crawlers finish, see all pages, and never
 * use more connections at once than there are tasks. */
export async function playground(page, isDesktop) {
    const faults = [];
    const add = (what) => faults.push({ kind: "playground", what });
    const before = await page.locator("script[src*='player/page']").count();
    if (before !== 0) add("loads the programs too early");
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const [failure, tasks] of [["none", 1], ["none", 10], ["refuse", 4], ["reset", 4], ["silent", 4]]) {
        await page.getByLabel("Tasks").fill(`${tasks}`);
        await page.getByLabel("Failure").selectOption(failure);
        await page.getByRole("button", { name: "Run all three" }).click();
        await page.locator(".run-all form > button:not([aria-disabled])").waitFor();
        const lanes = await page.locator(".run-all section").evaluateAll((all) => all.map((it) => ({
            title: it.ariaLabel,
            most: Number(/at most (\d+) at once/.exec(it.querySelector(".total").textContent)[1]),
            now: it.querySelector(".now").textContent,
            bars: it.querySelectorAll(".bars button").length,
            report: it.querySelector("pre").textContent,
        })));
        if (lanes.length !== STAGES.length) add(`${failure}: ${lanes.length} lanes`);
        for (const { title, most, now, bars, report } of lanes) {
            const is = (isSo, what) => isSo || add(`${title}, ${failure}, ${tasks} tasks: ${what}`);
            const [, ok, urls, peak] = /(\d+) ok,[^]*Finished (\d+) urls.*peak (\d+)/.exec(report) ?? [];
            const lost = failure === "reset" || failure === "silent" ? 1 : 0;
            is(Number(ok) === PAGES - lost, `${ok} are ok`);
            is(Number(urls) === PAGES, `${urls} addresses`);
            is(most === Number(peak) && most <= tasks, `${most} at once, and reported ${peak}`);
            is(now === "finished", `at the end it says ${now}`);
            is(bars >= PAGES, `${bars} bars`);
        }
    }
    await page.getByLabel("Clock").fill("0");
    const start = await page.locator(".run-all .now").allTextContents();
    if (start.includes("finished")) add("finished at the start");
    await page.locator(".run-all summary").first().click();
    // A row of the report is one line.
    const report = page.locator(".run-all details[open] code");
    const high = await report.evaluate((it) => it.clientHeight / parseFloat(getComputedStyle(it).lineHeight));
    const rows = (await report.textContent()).trim().split("\n").length;
    if (high > rows + 3) add(`a report of ${rows} lines is ${high.toFixed(0)} lines high`);
    await page.evaluate(() => (location.hash = "tasks=7&latency=300&failure=silent"));
    const set = async (label) => page.getByLabel(label).inputValue();
    const settings = [await set("Tasks"), await set("Latency"), await set("Failure")].join();
    if (settings !== "7,300,silent") add(`a link sets ${settings}`);
    await page.evaluate(() => (location.hash = "tasks=99&failure=none&failure=hunger&form=1"));
    const bounds = [await set("Tasks"), await set("Failure")].join();
    if (bounds !== "10,none") add(`a wrong link sets ${bounds}`);
    return [...faults, ...(await auditShown(page)), ...(await measure(page, { isDesktop }))];
}

/** Runs the crawlers again while the clock still runs over their last runs. */
export async function again(page) {
    const button = page.getByRole("button", { name: "Run all three" });
    for (const tasks of [4, 5]) {
        await page.getByLabel("Tasks").fill(`${tasks}`);
        await button.click();
        await page.locator(".run-all form > button:not([aria-disabled])").waitFor();
        await page.waitForFunction(() => Number(document.querySelector(".run-all .clock input").value) > 0);
    }
    // What an animation throws is a fault of the page.
    await page.waitForFunction(() => document.querySelector(".run-all .clock input").value === "1000");
    const now = await page.locator(".run-all .now").allTextContents();
    return now.join() === "finished,finished,finished" ? [] : [{ kind: "playground", what: `ends with ${now}` }];
}

/** A guess stays beside the run, three rounds are counted, and a click on a bar shows for each stage
 * what remembers its page, with lines that are lit. */
export async function guesses(page) {
    const faults = [];
    const add = (what) => faults.push({ kind: "playground", what });
    const settled = () => page.locator(".run-all form > button:not([aria-disabled])").waitFor();
    for (const [guess, score] of [["0.8", "1 of 1"], ["6", "1 of 2"], ["4.5", "2 of 3"]]) {
        await page.getByLabel("Your guess").fill(guess);
        await page.getByRole("button", { name: "Run all three" }).press("Enter");
        await page.locator(".run-all .score").waitFor();
        await settled();
        const said = await page.locator(".run-all .score").textContent();
        const lines = await page.locator(".bars .guess").count();
        if (!said.includes(`Close in ${score}`) || lines !== 3) add(`after ${guess} s: ${said}, ${lines} lines`);
        if (score !== "2 of 3") await page.getByRole("button", { name: "Next round" }).press("Enter");
    }
    const fails = await page.locator(".bars .fails").evaluateAll((all) => [...new Set(all.map((it) => it.title.split(" ")[0]))].join());
    if (fails !== "/3") add(`failed: ${fails}`);
    for (const what of ["/3 connects", "/5 waits"]) {
        await page.locator(`.bars button[title^="${what}"]`).first().evaluate((it) => it.click());
        await page.locator(".memory", { hasText: `What remembers ${what.split(" ")[0]}?` }).waitFor();
        const columns = await page.locator(".memory section").evaluateAll((all) => all.map((it) =>
            [it.querySelectorAll(".lit").length, it.querySelectorAll("ol li").length]));
        const isSo = columns.length === 3 && columns.every(([lit, said]) => lit > 0 && said > 0);
        // Stage 3 may have kept a connection.
        if (!isSo && !(what === "/3 connects" && columns.length === 3 && columns.slice(0, 2).every(([lit]) => lit === 2))) add(`${what}: ${JSON.stringify(columns)}`);
    }
    return faults;
}

/** Without scripts a sentence says what the page would do. */
export async function bare(page) {
    const text = await page.locator(".run-all").textContent();
    return text.includes("With JavaScript") ? [] : [{ kind: "playground", what: `says “${text}”` }];
}
