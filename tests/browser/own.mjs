// The page that plays a trace of the reader's: what it plays, what it refuses, and that a long
// trace makes the page no larger.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { auditShown } from "./access.mjs";
import { measure } from "./layout.mjs";
import { showTheme } from "./use.mjs";

export const PAGE = "your-own-trace.html";

const project = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "own-trace-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The programs on Tokio that hang, each with the kinds of what looks wrong in its trace. */
const HANGS = {
    blocked: "inside",
    forgotten: "lost",
    lock: "",
    unpolled: "unpolled",
    starved: "inside",
    full: "",
    circle: "",
};

const fault = (what) => [{ kind: "own trace", what }];

/** Writes a file with this text. Returns its path. */
function file(name, text) {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
}

/** The first line of a trace, of the version that the page plays. */
const head = (program) => {
    const [, version] = /VERSION = (\d+)/.exec(readFileSync(join(project, "book/theme/player/trace.js"), "utf8"));
    return `{"trace":${version},"program":"${program}"}`;
};

/** Records a program on Tokio. Returns the path of its trace. */
async function recorded(name) {
    const path = join(folder, `${name}.jsonl`);
    const example = `ch28_hang_${name}`;
    await promisify(execFile)("cargo", ["run", "--quiet", "-p", "recorder", "--example", example, "--", path], { cwd: project });
    return path;
}

/** A trace of a crawler, which the book has stored. */
function crawled() {
    const trace = JSON.parse(readFileSync(join(project, "book/traces/executor-end.json"), "utf8"));
    const lines = trace.events.map((event) => JSON.stringify(event));
    return file("crawl.jsonl", [head(trace.program), ...lines].join("\n"));
}

/** A trace with so many events, of so many tasks which are polled in turn; one poll is long. */
function long(events, tasks) {
    const lines = [head("recorder")];
    const put = (task, event, more, us = lines.length * 10) => lines.push(JSON.stringify({ us, task, event, ...more }));
    for (let task = 1; task <= tasks; task += 1) {
        put(task, "created", { for: `worker ${task}` });
    }
    for (let turn = 0; lines.length <= events; turn += 1) {
        const task = (turn % tasks) + 1;
        put(task, "resumed", { for: `worker ${task}`, state: turn < tasks ? "New" : "a job", at: "a job", ready: 0 });
        put(task, "paused", { state: "a job", at: "a job", waits: { named: "a job" }, wakers: 1 });
        put(task, "woken", { by: "runtime", thread: "main" });
        put(task, "queued", {});
    }
    return file(`long-${events}-${tasks}.jsonl`, lines.slice(0, events + 1).join("\n"));
}

/** Chooses a file, and waits until the page has said something of it. */
async function choose(page, path) {
    const name = path.split(/[/\\]/).at(-1);
    await page.locator(".own-trace input[type=file]").setInputFiles(path);
    await page.locator(".own-trace .summary", { hasText: name }).waitFor();
    return page.locator(".own-trace .summary").innerText();
}

const kinds = (page) => page.locator(".own-trace .finding").evaluateAll((all) => all.map((it) => it.dataset.kind).join());

/** The seven programs on Tokio, and a crawl: each is played from its beginning to its end. Each
 * kind of finding has its row in the page's table. */
export async function plays(page) {
    const faults = [];
    const names = await page.evaluate(() => Object.values(Player.KINDS).sort().join());
    const rows = await page.locator("#what-looks-wrong ~ * tbody tr td:first-child").allInnerTexts();
    if (names !== rows.sort().join()) {
        faults.push(...fault(`the kinds are ${names}, and the rows ${rows}`));
    }
    const paths = await Promise.all(Object.keys(HANGS).map(async (name) => [name, await recorded(name)]));
    for (const [name, path] of [...paths, ["crawl", crawled()]]) {
        const add = (what) => faults.push(...fault(`${name}: ${what}`));
        const said = await choose(page, path);
        const found = await kinds(page);
        if (found !== (HANGS[name] ?? "")) {
            add(`finds “${found}”`);
        }
        const unended = await page.locator(".own-trace .unended").count();
        if (unended !== (name === "crawl" ? 0 : 1) || (HANGS[name] === "" && !/Nothing looks wrong, but/.test(said))) {
            add(`says “${said}”`);
        }
        const links = await page.locator(".own-trace .finding a").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
        if (found && links.length === 0) {
            add("no chapter explains it");
        }
        await walk(page, add);
    }
    return faults;
}

/** A trace of two threads of a runtime, as `shared/recorder` writes it. Of the task of `block_on`
 * it has no thread. */
function ofTwoThreads() {
    const [one, other] = ["tokio-rt-worker", "tokio-rt-worker 2"];
    const resumed = (task, thread) => ({ task, thread, event: "resumed", for: `task ${task}`, state: "New", at: "New" });
    const paused = (task, thread) => ({ task, thread, event: "paused", state: "it", at: "it", waits: { named: "it" }, wakers: 1 });
    const events = [
        ...[1, 2].map((task) => ({ task, thread: "main", event: "created", for: `task ${task}` })),
        resumed(1, one),
        resumed(2, other),
        paused(1, one),
        { task: 1, thread: other, event: "woken", by: 2 },
        { task: 1, thread: other, event: "queued" },
        paused(2, other),
        { task: 2, thread: other, event: "woken", by: "runtime" },
        { task: 2, thread: other, event: "queued" },
        { task: 2, thread: "main", event: "woken", by: "thread" },
        resumed(1, other),
        { task: 1, thread: other, event: "finished" },
        resumed(2, one),
        { task: 2, thread: one, event: "finished" },
        { task: 3, event: "created", for: "block_on" },
        { ...resumed(3), for: "block_on" },
        paused(3),
        { task: 3, event: "cancelled" },
    ];
    return file("threads.jsonl", [head("recorder"), ...events.map((it, us) => JSON.stringify({ us, ...it }))].join("\n"));
}

/** Two tasks that run at once are both shown, each on its thread; each wake has one arrow, which
 * comes from the thread if no task has woken it. */
export async function ofThreads(page) {
    const faults = [];
    const check = (what, isSo) => isSo || faults.push(...fault(`two threads: ${what}`));
    await choose(page, ofTwoThreads());
    const player = page.locator(".own-trace .player");
    await player.focus();
    await page.keyboard.press("Home");
    for (let step = 0; step < 3; step += 1) {
        await page.keyboard.press("ArrowRight");
    }
    const text = async (selector) => (await player.locator(selector).innerText()).replace(/\s+/g, " ");
    const machine = await text(".machine");
    check(machine, /tokio-rt-worker runs task 1 tokio-rt-worker 2 runs task 2/.test(machine));
    const said = await text(".say");
    check(said, said.includes("At the same time, task 1 runs on thread tokio-rt-worker."));
    const lanes = await player.locator(".lane[data-lane^='@']").evaluateAll((all) => all.map((it) => [it.dataset.lane, it.textContent].join(" ")));
    check(lanes.join("; "), lanes.join() === "@tokio-rt-worker 12,@tokio-rt-worker 2 21");
    const wires = await player.locator(".wire").evaluateAll((all) => all.map((it) => [it.dataset.from, it.dataset.to].join(">")));
    check(wires.join("; "), wires.join() === "2>1,@tokio-rt-worker 2>2,thread>2");
    await walk(page, (what) => check(what, false));
    return faults;
}

/** Of many threads and many tasks that run, what has no place is counted. A queue that a part
 * does not name is shown, too. A bar of a thread says why its task runs, and stays when that task is followed. */
export async function ofMany(page) {
    const faults = [];
    const check = (what, isSo) => isSo || faults.push(...fault(`many threads: ${what}`));
    const threads = Array.from({ length: 14 }, (_, at) => `a worker with a name ${at + 1}`);
    const tasks = Array.from({ length: 30 }, (_, at) => at + 1);
    const events = [
        ...tasks.map((task) => ({ task, event: "created", for: `task with a long name ${task}` })),
        ...tasks.map((task) => ({ task, event: "queued", queue: "shared queue" })),
        // One on each thread; the last one has all that remain.
        ...tasks.map((task) => ({ task, event: "resumed", for: `task with a long name ${task}`, state: "New", at: "a", thread: threads[task - 1] ?? threads.at(-1) })),
        ...Array.from({ length: 300 }, () => ({ task: 1, event: "registered" })),
    ];
    const said = await choose(page, file("many.jsonl", [head("recorder"), ...events.map((it, us) => JSON.stringify({ us, ...it }))].join("\n")));
    check(said, said.includes("30 tasks"));
    await page.locator(".own-trace .parts").getByRole("button", { name: "Later" }).click();
    const player = page.locator(".own-trace .player");
    const machine = (await player.locator(".machine").innerText()).replace(/\s+/g, " ");
    const names = [...machine.matchAll(/name (\d+) runs task (\d+)/gi)].map(([, thread, task]) => `${thread}:${task}`).join();
    check(machine, names === "1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8");
    check(machine, /other threads run task 9 task 10 .*task 20 and 10 more/i.test(machine) && /shared queue empty/i.test(machine));
    const label = await player.locator(".chart").getAttribute("aria-label");
    check(label, label.startsWith("14 threads and 12 tasks"));
    const hidden = (await page.locator(".own-trace .hidden").allInnerTexts()).join(" ");
    check(hidden, hidden === "18 other tasks have no lane here. 2 other threads have no lane here.");
    const titles = await player.locator(".chart .name[title]").evaluateAll((all) => all.map((it) => it.title));
    check(titles.join(), titles.includes(threads[0]) && titles.includes("task 1 task with a long name 1"));
    const lane = player.locator(`.lane[data-lane="@${threads[1]}"]`);
    await player.getByLabel("Follow").selectOption("1");
    check("its lane is faint", !/faint/.test(await lane.getAttribute("class")));
    await lane.locator("[data-task='2']").click();
    check("a click does not say why", await player.locator(".chain").isVisible());
    return faults;
}

/** The task that another one waits for, and a wake before a task yields, are in other parts. */
export async function acrossParts(page) {
    const faults = [];
    const paused = (task, waits) => ({ task, event: "paused", state: "a", at: "a", waits });
    const resumed = (task) => ({ task, event: "resumed", for: "a", state: "New", at: "a" });
    const events = [
        ...[1, 2].map((task) => ({ task, event: "created", for: "a" })),
        resumed(1),
        paused(1, { named: "another task" }),
        resumed(2),
        { task: 2, event: "woken", by: 2 },
        ...Array.from({ length: 300 }, () => ({ task: 2, event: "registered" })),
        paused(2, "turn"),
        resumed(2),
        { task: 1, event: "woken", by: 2 },
        { task: 2, event: "finished" },
    ];
    await choose(page, file("parts.jsonl", [head("stage3-async"), ...events.map((it, us) => JSON.stringify({ us, ...it }))].join("\n")));
    const says = async (index) => {
        await page.evaluate((index) => Player.players.get("own").jump(index), index % 300);
        const said = await page.locator(".own-trace .say").innerText();
        return [said, await page.locator(".own-trace .bar output").innerText()].join(" ");
    };
    const waits = await says(3);
    await page.locator(".own-trace .parts").getByRole("button", { name: "Later" }).click();
    const yields = await says(306);
    for (const [said, pattern] of [[waits, /Task 1 waits for task 2, .* step 4 of 310/], [yields, /on purpose.* step 307 of 310/]]) {
        faults.push(...(pattern.test(said) ? [] : fault(`in parts: ${said}`)));
    }
    return faults;
}

/** Steps from the first event to the last one: each has a sentence. */
async function walk(page, add) {
    const player = page.locator(".own-trace .player");
    const last = Number(await player.locator(".bar input[type=range]").getAttribute("max"));
    await player.focus();
    await page.keyboard.press("Home");
    for (let at = 0; at <= last; at += 1) {
        const { says, shown } = await player.evaluate((it) => ({
            says: it.querySelector(".say").textContent,
            shown: Number(it.querySelector(".bar input").value),
        }));
        if (shown !== at || says === "" || /undefined|null|does not know/.test(says)) {
            add(`event ${shown} instead of ${at} says “${says}”`);
            break;
        }
        await page.keyboard.press("ArrowRight");
    }
}

/** What is no trace gets a message that says what was expected, and nothing is played. */
export async function refuses(page) {
    const faults = [];
    const good = readFileSync(crawled(), "utf8");
    for (const [path, message] of [
        [file("empty.jsonl", ""), /is empty\. The first line of a trace is like/],
        [file("text.txt", "Dear diary"), /begins with Dear diary, and the first line of a trace is like/],
        [file("old.jsonl", '{"trace":1,"program":"recorder"}\n'), /has version 1, and this page plays version \d/],
        [file("broken.jsonl", `${good}\nhello\n{}`), /Line \d+ is no event.*Each line after the first is a JSON object/s],
        [file("binary.bin", Buffer.from([0x1f, 0x8b, 0xff, 0xfe, 0])), /is no trace/],
    ]) {
        await choose(page, crawled()); // which is gone afterwards
        const said = await choose(page, path);
        const players = await page.locator(".own-trace .player").count();
        if (!message.test(said) || players !== 0) {
            faults.push(...fault(`${path}: “${said}”, ${players} players`));
        }
    }
    const cut = await choose(page, file("cut.jsonl", good.slice(0, -20)));
    if (!cut.includes("last line is not complete") || (await page.locator(".own-trace .player").count()) !== 1) {
        faults.push(...fault(`a trace that was cut off: “${cut}”`));
    }
    // No program does this, but a file may: tasks that were never created, odd names.
    const odd = ["w1", "w2"].map((thread, task) => JSON.stringify(
        { us: task, task, event: "resumed", for: "a", state: "toString", at: "a", thread }));
    for (const [at, [head, name]] of [
        ['"program":"recorder"', "1 task over 0.0 ms, by recorder"],
        ['"program":"toString"', "1 task over 0.0 ms, by toString"],
        ['"program":"a","tasks":"threads"', "1 thread over 0.0 ms, by a"],
    ].entries()) {
        const said = await choose(page, file(`odd-${at}.jsonl`, `{"trace":4,${head}}\n${odd.join("\n")}\n`));
        if (!said.includes(`${name}.`) || (await page.locator(".own-trace .player").count()) !== 1) {
            faults.push(...fault(`${head}: “${said}”`));
        }
    }
    return faults;
}

/** A hundred thousand events are played in parts, and the page is no larger than for a thousand. */
export async function isLong(page) {
    const faults = [];
    const nodes = [];
    for (const [events, tasks] of [[1_000, 20], [100_000, 20], [100_000, 5_000]]) {
        await choose(page, long(events, tasks));
        const bar = page.locator(".own-trace .parts");
        await bar.getByRole("slider").fill("3");
        const third = await bar.locator("output").innerText();
        if (third !== `events 601 to 900 of ${events.toLocaleString("en-US")}`) {
            faults.push(...fault(`the third part: ${third}`));
        }
        await bar.getByRole("button", { name: "Later" }).click();
        await bar.getByRole("slider").fill(String(Math.ceil(events / 300)));
        const last = await bar.locator("output").innerText();
        if (!last.includes(` to ${events.toLocaleString("en-US")} of `)) {
            faults.push(...fault(`the last part: ${last}`));
        }
        nodes.push(await page.locator(".own-trace *").count());
    }
    if (Math.max(...nodes) > 1_500 || nodes[1] > nodes[0] + 100) {
        faults.push(...fault(`${nodes} nodes`));
    }
    // A finding leads to its event, wherever that is.
    const button = page.locator(".own-trace .finding li button").last();
    await button.click();
    const number = (await button.innerText()).replace("event ", "");
    const step = await page.locator(".own-trace .bar output").innerText();
    if (!step.startsWith(`step ${number} of 100,000,`)) {
        faults.push(...fault(`event ${number} is “${step}”`));
    }
    const task = await page.locator(".own-trace .finding li strong").last().innerText();
    const says = await page.locator(".own-trace .say").innerText();
    if (!says.startsWith(task.replace("t", "T"))) {
        faults.push(...fault(`the finding about ${task} leads to “${says}”`));
    }
    return faults;
}

/** A file is dropped on the page, from a server and without one. */
export async function drops(page) {
    const text = readFileSync(crawled(), "utf8");
    const dropped = await page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.jsonl"));
        return data;
    }, text);
    await page.locator(".own-trace").dispatchEvent("drop", { dataTransfer: dropped });
    await page.locator(".own-trace .summary", { hasText: "dropped.jsonl" }).waitFor();
    return (await page.locator(".own-trace .player").count()) === 1 ? [] : fault("what is dropped is not played");
}

/** The script that `cargo lab play FILE` writes is loaded by a link to it, and by no other. */
export async function isPlayed(page) {
    const played = { name: "played.jsonl", text: readFileSync(crawled(), "utf8") };
    let count = 0;
    await page.route("**/played.js", (route) => {
        count += 1;
        return route.fulfill({ body: `Player.played = ${JSON.stringify(played)};`, contentType: "text/javascript" });
    });
    await page.reload();
    if (count > 0) {
        return fault("the script is loaded by every page");
    }
    await page.goto(`${page.url()}#played`);
    await page.reload();
    await page.locator(".own-trace .summary", { hasText: "played.jsonl" }).waitFor();
    return count === 1 ? [] : fault(`the script is loaded ${count} times`);
}

/** The page with a trace and with a message, in all themes (on a phone, whose colors are the
 * same, in one more); nothing is too wide. */
export async function access(page, isDesktop) {
    const faults = [];
    const hang = await recorded("forgotten");
    const themes = isDesktop ? ["rust", "coal", "navy", "ayu", "light"] : ["navy"];
    for (const path of [hang, long(2_000, 20), file("empty.jsonl", "")]) {
        await choose(page, path);
        faults.push(...(await auditShown(page)), ...(await measure(page, { isDesktop })));
        for (const theme of themes) {
            await showTheme(page, theme);
            faults.push(...(await auditShown(page, true)));
        }
    }
    return faults;
}

/** Without scripts the page says what it would do. */
export async function bare(page) {
    const text = await page.locator(".own-trace").innerText();
    return text.includes("With JavaScript") ? [] : fault(`says “${text}”`);
}
