// What a reader does with the step players of a page, with the keyboard alone.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { audit } from "./access.mjs";
import { folder } from "./book.mjs";
import { measure } from "./layout.mjs";

/** The most that a page may load, in bytes. */
const HEAVIEST = 1_500_000;

/** What a player shows, as far as it depends on the step. It runs in the page. */
function shown(player) {
    const text = (it) => it.textContent.replace(/\s+/g, " ").trim();
    const all = (selector, below = player) => [...below.querySelectorAll(selector)];
    const row = (rows) => {
        const at = rows.findIndex((it) => it.ariaCurrent === "step");
        return { row: at, number: at < 0 ? null : text(rows[at].cells[0]) };
    };
    return {
        at: Number(player.querySelector("input[type=range]").value),
        said: text(player.querySelector(".say")),
        machines: all(".machine").map(text).join(" / "),
        lit: all(".line:is(.lit, .was)").map((it) => `${it.className} ${it.dataset.n}`).join(),
        parked: all(".line b").map((it) => it.textContent).join(""),
        lights: all(".figure .now").length,
        drawn: all(".figure .of-queue").map(text),
        ...row(all(":scope > .table-wrapper tbody tr", player.parentElement)),
        count: text(player.querySelector(".bar output")),
        asks: text(player.querySelector(".stop")),
        isAsked: all(".stop button:not(:disabled)").length > 0,
    };
}

const state = (player) => player.evaluate(shown);

/** Notes what a player shows after each key: asking it each time would take most of the walk. */
function note(player) {
    return player.evaluate((player, shown) => {
        const state = eval(`(${shown})`);
        player.noted = [];
        player.addEventListener("keydown", () => player.noted.push(state(player)));
    }, shown.toString());
}

/** Holds a key down, so that it comes so many times. Returns what was shown after each. */
async function hold(page, player, key, times) {
    await player.evaluate((it) => { it.noted = []; });
    for (let i = 0; i < times; i += 1) {
        await page.keyboard.down(key);
    }
    await page.keyboard.up(key);
    return player.evaluate((it) => it.noted);
}

/** Each player of the page from its beginning to its end and back: a step shows the same in
 * both directions. Questions are asked, and wait for an answer. */
export async function walk(page) {
    const faults = [];
    const players = await page.locator(".player").all();
    const places = await page.locator(".trace[data-player]").count();
    if (players.length !== places || places === 0) {
        return [{ kind: "player", what: `${players.length} of ${places}` }];
    }
    for (const player of players) {
        const name = await player.evaluate((it) => it.parentElement.dataset.player);
        const add = (what) => faults.push({ kind: "player", what: `${name}: ${what}` });
        const last = Number(await player.locator("input[type=range]").getAttribute("max"));
        const rows = await player.evaluate((it) => it.parentElement.querySelectorAll(":scope > .table-wrapper tbody tr").length);
        await player.focus();
        await page.keyboard.press("Home");
        const seen = [await state(player)];
        await note(player);
        let asked = 0;
        for (let moved = 1; seen.at(-1).at < last && moved > 0;) {
            const now = await hold(page, player, "ArrowRight", last - seen.at(-1).at);
            const passed = now.filter(({ isAsked }) => !isAsked);
            seen.push(...passed);
            moved = passed.length;
            if (now.at(-1)?.isAsked) {
                await answer(page, player, asked, add);
                [asked, moved] = [asked + 1, moved + 1];
            }
        }
        const order = seen.map(({ at }) => at).join();
        if (order !== Array.from({ length: last + 1 }, (_, at) => at).join()) {
            add(`${order} is not each step to ${last}`);
        }
        for (const { at, said, lit, row, number, count, machines, drawn } of seen) {
            if (!count.startsWith(`step ${at + 1} of ${last + 1},`) || (row >= 0 && number !== String(at + 1))) {
                add(`row ${number} is “${count}”`);
            }
            if (said === "" || said.includes("does not know")) {
                add(`step ${at} says “${said}”`);
            }
            const queue = /Ready queue(.*?)(?=Timers|Waiting|$)/.exec(machines)?.[1].match(/\d+/g) ?? [];
            if (drawn.some((text, index) => (/\d+/.exec(text)?.[0] ?? "") !== (queue[index] ?? ""))) {
                add(`step ${at} draws the queue ${drawn}, which is ${queue}`);
            }
            if (lit === "" && row >= 0 && (await player.locator(".source").count()) > 0) {
                add(`step ${at} lights no line`);
            }
        }
        const marked = new Set(seen.map(({ row }) => row).filter((row) => row >= 0));
        if (marked.size !== rows) {
            add(`${marked.size} of ${rows} rows were marked`);
        }
        const ways = [await state(player), ...(await hold(page, player, "ArrowLeft", last))];
        for (const [index, there] of seen.reverse().entries()) {
            const back = ways[index] ?? {};
            for (const key of ["at", "said", "machines", "lit", "parked", "lights", "row"]) {
                if (back[key] !== there[key]) {
                    add(`back at ${there.at}, ${key} is ${back[key]}, and was ${there[key]}`);
                }
            }
        }
        await page.keyboard.press("End");
        await page.keyboard.press("Shift+ArrowLeft");
        const { said } = await state(player);
        if (!/sleep|created|begins|starts/.test(said)) {
            add(`the tick before the end says “${said}”`);
        }
    }
    return faults;
}

/** A question holds a step up until there is an answer, right or wrong. */
async function answer(page, player, before, add) {
    const { at, asks } = await state(player);
    await page.keyboard.press("ArrowRight");
    if ((await state(player)).at !== at) {
        add(`“${asks}” does not wait`);
    }
    // Once the first option, then the others.
    await page.keyboard.press(String((before % 2) + 1));
    const verdict = await player.locator(".stop .verdict").innerText();
    const isRight = (await player.locator(".stop button.wrong").count()) === 0;
    if (!verdict.startsWith(isRight ? "Right." : "Not this time.")) {
        add(`“${asks}”: ${verdict}`);
    }
    if ((await player.locator(".stop button.right").count()) !== 1) {
        add(`“${asks}” has no right answer`);
    }
}

/** A question by the pointer: wrong, right, and no answer. `row` of `name` is before it. */
export async function ask(page) {
    const faults = [];
    const check = (what, isSo) => isSo || faults.push({ kind: "question", what });
    const player = page.locator(".player").first();
    const stop = player.locator(".stop");
    const forth = async () => {
        const step = player.getByRole("button", { name: "Step", exact: true });
        while (!(await stop.isVisible()) && (await step.isEnabled())) {
            await step.click();
        }
    };
    for (const [button, verdict] of [["wrong", /^Not this time\. ./], ["right", /^Right\. ./], [null, /^\S/]]) {
        await page.reload();
        await forth();
        if (!(await stop.isVisible())) {
            check(`${button}: it is not asked`, false);
            continue;
        }
        const options = stop.locator("button:not(.quiet)");
        const right = await page.evaluate(() => {
            const { player } = document.querySelector(".trace").dataset;
            return Player.data[player].stops[0].right;
        });
        const choice = button === "right" ? right : right === 0 ? 1 : 0;
        await (button ? options.nth(choice) : stop.getByText("rather not")).click();
        check(`${button}: verdict`, verdict.test(await stop.locator(".verdict").innerText()));
        check(`${button}: marked`, (await stop.locator("button.wrong").count()) === (button === "wrong" ? 1 : 0));
        const before = (await state(player)).at;
        await player.getByRole("button", { name: "Step", exact: true }).click();
        check(`${button}: it goes on`, (await state(player)).at === before + 1 && !(await stop.isVisible()));
    }
    return faults;
}

/** With two runs, a question and what is shown above and below it are of the same run. */
export async function asksOfOneRun(page) {
    const player = page.locator(".player").first();
    await player.focus();
    for (let i = 0; i < 60 && !(await state(player)).isAsked; i += 1) {
        await page.keyboard.press("ArrowRight");
    }
    const { title, asked } = await player.evaluate((it) => {
        const { runs, stops } = Player.data[it.parentElement.dataset.player];
        const { events, title } = runs.at(-1);
        return { title, asked: new Set(events.slice(0, stops[0].at).map(({ task }) => task).filter(Boolean)).size };
    });
    const { asks, said } = await state(player);
    const shown = await player.locator(".pages").last().locator(".of-page.asked").count();
    const faults = shown === asked ? [] : [`${shown} pages are asked for, and not ${asked}`];
    faults.push(...[asks, said].filter((text) => !text.startsWith(`${title}: `)));
    // A reader of the first page knows no task, no source and no timer.
    const text = await player.innerText();
    faults.push(...["task", "30.0 s", "queue"].filter((it) => text.includes(it)));
    return faults.map((what) => ({ kind: "question of two runs", what }));
}

/** The room of a player on a small laptop, in pixels of its height. */
const ROOM = 640;

/** Each player of the page has its height at all steps and questions, and all that it says fits
 * into the place for it. On a small laptop it fits into the window, and its figure can be read. */
export async function keepsHeight(page, isDesktop) {
    const found = await page.evaluate(([room, isDesktop]) => [...Player.players].flatMap(([name, player]) => {
        const section = document.querySelector(`[data-player="${name}"] .player`);
        const one = (selector) => section.querySelector(selector);
        const heights = new Set();
        const faults = new Set();
        const note = () => {
            heights.add(Math.round(section.getBoundingClientRect().height));
            const fits = isDesktop ? [".say", ".stop", ".machine", ".times"] : [".say"];
            for (const box of fits.map(one).filter(Boolean)) {
                const { bottom } = (box.matches(".pane") ? box : box.parentElement).getBoundingClientRect();
                const low = [...box.children, box].map((it) => it.getBoundingClientRect().bottom);
                if (box.scrollHeight > box.clientHeight || Math.max(...low) > bottom + 1) {
                    faults.add(`step ${player.at + 1}: what is in ${box.className} does not fit`);
                }
            }
        };
        player.jump(0);
        note();
        for (let last = -1; player.at !== last || player.stops.isOpen;) {
            last = player.at;
            player.step();
            note();
            if (player.stops.isOpen) {
                one(".stop button").click();
                note();
                last = -1;
            }
        }
        if (heights.size > 1) {
            faults.add(`heights from ${Math.min(...heights)} to ${Math.max(...heights)} pixels`);
        }
        if (isDesktop) {
            const [text] = section.querySelectorAll(".figure text");
            const scale = text?.getScreenCTM().a ?? 1;
            if (Math.max(...heights) > room || scale * 14 < 12) {
                faults.add(`${Math.max(...heights)} pixels high, and its figure at ${Math.round(100 * scale)} %`);
            }
        } else if (one("details.source")?.open) {
            faults.add("the code is not folded");
        }
        return [...faults].map((what) => `${name}: ${what}`);
    }), [ROOM, isDesktop]);
    if (!isDesktop) {
        // In the middle of a player the bar is still there.
        const player = page.locator(".player").first();
        const top = await player.evaluate((it) => {
            scrollTo(0, it.getBoundingClientRect().top + scrollY + 200);
            return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
                done(it.querySelector(".bar").getBoundingClientRect().top))));
        });
        found.push(...(top >= 0 && top < 100 ? [] : [`the bar is at ${top} pixels`]));
    }
    return found.map((what) => ({ kind: "height of a player", what }));
}

/** → goes on, and turns no page: in a player that is in view, and after an answer. */
export async function keepsReader(page) {
    const address = page.url();
    for (const player of await page.locator(".player").all()) {
        const name = await player.evaluate((it) => it.parentElement.dataset.player);
        const option = player.locator(".stop button").first();
        // Goes on to the next question, and leaves no focus. Returns whether there is one.
        const open = () => player.evaluate((it) => {
            const { at, last } = Player.players.get(it.parentElement.dataset.player);
            const step = it.querySelector("button[title='One step']");
            for (let i = at; i < last && !it.querySelector(".stop .quiet"); i += 1) {
                step.click();
            }
            document.activeElement.blur();
            return it.querySelector(".stop .quiet") !== null;
        });
        const ways = [
            ["in view", () => player.evaluate((it) => {
                it.querySelector("button[title='To the first step']").click();
                document.activeElement.blur();
                it.scrollIntoView({ block: "start" });
                return true;
            })],
            ["after Home on an answer", async () => (await open()) && option.press("Home").then(() => true)],
            ["after a click on an answer", async () => (await open()) && option.click().then(() => true)],
            ["after Enter on an answer", async () => (await open()) && option.press("Enter").then(() => true)],
        ];
        for (const [what, begin] of ways) {
            if (!(await begin())) {
                continue;
            }
            if (what !== "in view") {
                await page.evaluate(() => scrollTo(0, 0)); // where it is not in view, it needs the focus
            }
            const { at: before, isAsked: isOpen } = await state(player);
            await page.keyboard.press("ArrowRight");
            const { at, isAsked } = await state(player);
            if (isOpen || (at !== before + 1 && !isAsked) || page.url() !== address) {
                return [{ kind: "player", what: `${name}: → ${what} leads from step ${before} to ${at}` }];
            }
        }
    }
    return [];
}

/** A link to a row, a row, a lane, the slider, one task, and the play button. */
export async function jump(page) {
    const faults = [];
    const check = (what, isSo) => isSo || faults.push({ kind: "player", what });
    const player = page.locator(".player").first();
    const name = await player.evaluate((it) => it.parentElement.dataset.player);
    const row = async () => (await state(player)).row + 1;

    const place = page.locator(".trace > .table-wrapper tbody tr").nth(3).locator("[id]");
    await page.evaluate((id) => (location.hash = id), await place.getAttribute("id"));
    await page.waitForFunction(() => document.activeElement.matches(".player"));
    check("a link does not lead to row 4", (await row()) === 4);
    await page.reload();
    await page.waitForFunction(() => document.activeElement.matches(".player"));
    check("a page does not open at row 4", (await row()) === 4);
    check("the player of a link is not seen", await player.evaluate((it) => {
        const { top } = it.getBoundingClientRect();
        return top >= 0 && top < innerHeight / 2;
    }));

    await page.locator(".trace > .table-wrapper tbody tr").nth(2).click();
    check("a click on row 3", (await row()) === 3);
    const { at } = await state(player);
    await player.locator("input[type=range]").focus();
    await page.keyboard.press("ArrowLeft");
    check("← on the slider", (await state(player)).at === at - 1);
    await page.keyboard.press("End");
    const lane = player.locator(".lane").first();
    // The scroll that a click needs moves mdBook's menu, and that moves the player's bar.
    await lane.scrollIntoViewIfNeeded();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await lane.click({ position: { x: 2, y: 5 } });
    check("a click at the begin of a lane", (await state(player)).at < at);

    // A phone has no menu of the tasks: there, one of those that wait is touched.
    const select = player.locator("select");
    if (await select.isVisible()) {
        await select.selectOption({ index: 1 });
        await page.keyboard.press("Escape");
    } else {
        const waiting = player.locator(".machine [data-row]");
        await player.focus();
        await page.keyboard.press("Home");
        for (let i = 0; i < 20 && (await waiting.count()) === 0; i += 1) {
            await page.keyboard.press("ArrowRight");
        }
        await waiting.first().click();
    }
    const task = await select.inputValue();
    await player.focus();
    await page.keyboard.press("Home");
    for (let i = 0; i < 3; i += 1) {
        await page.keyboard.press("ArrowRight");
        const { isAsked, at } = await state(player);
        const own = await page.evaluate(({ name, at }) => Player.data[name].runs[0].events[at].task, { name, at });
        check(`step ${at} is of task ${own}`, isAsked || String(own) === task || at === 0);
    }

    const address = page.url();
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    const begun = (await state(player)).at;
    const isPlaying = page.waitForFunction(
        (begun) => Number(document.querySelector(".player input[type=range]").value) > begun, begun);
    check("it does not play", await isPlaying.then(() => true, () => false));
    await page.keyboard.press(" ");
    check("a key has turned the page", page.url() === address);
    return faults;
}

/** For all readers, in each theme, at a question, too. */
export async function access(page) {
    const faults = await audit(page, ["navy", "coal", "ayu", "rust"]);
    const player = page.locator(".player").first();
    const said = await player.evaluate((it) => {
        window.live = [...it.querySelectorAll("[role=status]")];
        const names = [...it.querySelectorAll("[role=img], [role=region]")].map((one) => one.ariaLabel);
        const count = 3 + it.querySelectorAll(".turns").length;
        return { isNamed: it.querySelector(".chart[role=img]") !== null && names.every(Boolean), isLive: window.live.length === count };
    });
    await player.focus();
    for (let i = 0; i < 60 && !(await state(player)).isAsked; i += 1) {
        await page.keyboard.press("ArrowRight");
    }
    faults.push(...(await audit(page, ["navy", "light"])));
    const small = await page.keyboard.press("1").then(() => player.evaluate((it) => {
        const isText = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        return [...it.querySelectorAll(":not(svg, svg *)")].filter((one) => isText(one) && one.checkVisibility())
            .map((one) => [Number.parseFloat(getComputedStyle(one).fontSize), one.textContent.trim().slice(0, 20)])
            .filter(([size]) => size < 12).map(([size, text]) => `${size} px: ${text}`);
    }));
    const isKept = await page.evaluate(() => window.live.every((it) => it.isConnected && it.checkVisibility()));
    const low = await page.locator(".steps a").evaluateAll((links) =>
        links.filter((it) => it.checkVisibility() && it.getBoundingClientRect().height < 24).map((it) => it.textContent));
    const add = (kind, list) => faults.push(...list.map((what) => ({ kind, what })));
    add("small text", [...new Set(small)]);
    add("target is not 24 pixels high", low);
    add("not for screen readers", [
        ...(said.isNamed ? [] : ["the lanes have no name"]),
        ...(said.isLive && isKept ? [] : ["a place that is read is not kept"]),
    ]);
    return faults;
}

/** The table is there without a player: on paper, and without JavaScript. */
export async function table(page) {
    const faults = [];
    const tables = await page.locator(".trace > .table-wrapper table").all();
    for (const table of tables) {
        if (!(await table.isVisible())) {
            faults.push({ kind: "player", what: "the table is not there" });
        }
    }
    if (tables.length === 0 || (await page.locator(".player:visible").count()) > 0) {
        faults.push({ kind: "player", what: `${tables.length} tables, and a player` });
    }
    return faults;
}

/** As it goes to the printer. */
export async function onPaper(page) {
    await page.locator(".player").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.emulateMedia({ media: "print" });
    return [...(await table(page)), ...(await measure(page, { isDesktop: true, isPaper: true }))];
}

/** What the page loads, compressed as a server may do it, in bytes. */
async function weight(page) {
    const loaded = await page.evaluate(() =>
        [location.href, ...performance.getEntriesByType("resource").map((it) => it.name)]);
    const files = new Set(loaded.map((address) => decodeURIComponent(new URL(address).pathname)));
    return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
}

/** A page with players is not too heavy. */
export async function weigh(page) {
    const bytes = await weight(page);
    return bytes > HEAVIEST ? [{ kind: "too heavy", what: `${bytes} bytes` }] : [];
}

/** Each wake of a run has one arrow, from the lane of what the trace says to that of the task. */
export async function wires(page) {
    const faults = [];
    for (const player of await page.locator(".player").all()) {
        faults.push(...await player.evaluate((it) => {
            const { player } = it.parentElement.dataset;
            const middle = (element) => {
                const { top, height } = element.getBoundingClientRect();
                return top + height / 2;
            };
            return Player.data[player].runs.flatMap(({ events, program }, run) => {
                const lane = (name) => it.querySelector(`.lane[data-run="${run}"][data-lane="${name}"]`);
                const born = new Set();
                const wakes = events.map((event, index) => {
                    const isNew = event.event === "queued" && !born.has(event.task);
                    born.add(event.event === "queued" ? event.task : 0);
                    const isWake = event.event === "woken" || (program === "stage2-generators" && event.event === "queued" && !isNew);
                    return isWake ? { ...event, index } : null;
                }).filter(Boolean);
                const drawn = it.querySelectorAll(`.wire[data-run="${run}"]`);
                const wrong = wakes.filter(({ index, by, task }) => {
                    const wires = it.querySelectorAll(`.wire[data-run="${run}"][data-wire="${index}"]`);
                    if (wires.length !== 1 || !wires[0].checkVisibility()) {
                        return true;
                    }
                    const from = middle(lane(["reactor", "timer"].includes(by) ? 0 : by));
                    const to = middle(lane(task));
                    const box = wires[0].getBoundingClientRect();
                    const isIn = box.left >= lane(task).getBoundingClientRect().left - 1 && box.left <= lane(task).getBoundingClientRect().right + 1;
                    const spans = from === to ? Math.abs(middle(wires[0]) - from) < 2
                        : Math.abs(box.top - Math.min(from, to)) < 2 && Math.abs(box.bottom - Math.max(from, to)) < 2;
                    const way = from === to ? "itself" : from < to ? "down" : "up";
                    return !isIn || !spans || !wires[0].classList.contains(way);
                });
                const what = [
                    ...wrong.map(({ step }) => `${player}, run ${run}: the wake of step ${step} has no arrow as it is`),
                    ...(drawn.length === wakes.length ? [] : [`${player}, run ${run}: ${drawn.length} arrows for ${wakes.length} wakes`]),
                ];
                return what.map((it) => ({ kind: "wake wires", what: it }));
            });
        }));
    }
    return faults;
}

/** Of several threads all are shown at once: in the lanes, in the machine, and in the sentence of
 * a poll that begins while another lasts. In chapter 2 the lanes are threads. */
export async function atOnce(page) {
    const found = await page.evaluate(() => (Player.players.size === 0 ? ["the page has no player"] : [...Player.players].flatMap(([name, player]) => {
        const section = document.querySelector(`[data-player="${name}"] .player`);
        const text = (it) => it.textContent.replace(/\s+/g, " ").trim();
        const { program, events } = Player.data[name].runs[0];
        const faults = [];
        const running = new Map(); // the thread of each task that runs
        let most = 0;
        for (const [index, event] of events.entries()) {
            if (event.event === "resumed") {
                running.set(event.task, event.thread);
            } else if (["paused", "finished"].includes(event.event)) {
                running.delete(event.task);
            }
            most = Math.max(most, running.size);
            player.jump(index);
            const machine = text(section.querySelector(".machine"));
            const said = text(section.querySelector(".say"));
            const axis = section.querySelector(".over").getBoundingClientRect(); // with a column for each step
            const middle = axis.left + axis.width * (index + 0.5) / events.length;
            for (const [task, thread] of running) {
                const unit = program === "threads" ? "thread" : "task";
                const bars = (lane) => [...section.querySelectorAll(`.lane[data-lane="${lane}"] .running`)].filter((it) => {
                    const { left, right } = it.getBoundingClientRect();
                    return left <= middle && middle <= right;
                });
                const isShown = thread ? machine.includes(`${thread}runs ${unit} ${task}`) : machine.includes(`${unit} ${task}`);
                const isDrawn = bars(task).length === 1 && (!thread || bars(`@${thread}`).map(text).join() === String(task));
                const isTold = event.event !== "resumed" || event.task === task || !thread || said.includes(`task ${task} runs on thread `);
                if (!isShown || !isDrawn || !isTold) {
                    faults.push(`${name}, step ${index + 1}: ${unit} ${task} on ${thread}: ${isShown}, ${isDrawn}, ${isTold}: ${machine}: ${said}`);
                }
            }
        }
        const moves = events.some((it) => it.event === "moved");
        return program === "threads" || moves || most > 1 || !events.some(({ thread }) => thread) ? faults
            : [...faults, `${name}: at most ${most} tasks run at once`];
    })));
    return found.map((what) => ({ kind: "tasks at once", what }));
}

/** At each step of a steal each task that waits for a thread is in one queue, or a thread has taken
 * it out of one. The table ends with the run of the task that is stolen. */
export async function steals(page) {
    const found = await page.evaluate(() => {
        const name = "more-threads-steal";
        const player = Player.players.get(name);
        const section = document.querySelector(`[data-player="${name}"] .player`);
        const shown = (kind, task) => [...section.querySelectorAll(".machine .part")]
            .filter((it) => [...it.querySelectorAll(`.chip.${kind}`)].some((chip) => chip.textContent === String(task)))
            .map((it) => it.querySelector(".head").textContent).join();
        const { events } = Player.data[name].runs[0];
        const ready = new Set();
        const places = events.map(({ event, task }, index) => {
            if (event === "queued") {
                ready.add(task);
            } else if (event !== "moved") {
                ready.delete(task);
            }
            player.jump(index);
            return [...ready].map((task) => `${task} ${shown("ready", task)}${shown("held", task) && ` held by ${shown("held", task)}`}`);
        });
        const rows = [...section.parentElement.querySelectorAll(":scope > .table-wrapper tbody tr")].map((it) => it.textContent);
        return { places, moves: events.flatMap(({ event }, index) => (event === "moved" ? [index] : [])), last: rows.slice(-3).join("; ") };
    });
    const { places, moves, last } = found;
    const faults = [];
    const check = (what, isSo) => isSo || faults.push({ kind: "stolen tasks", what });
    for (const [index, all] of places.entries()) {
        const isOnce = (it) => /^\d (shared queue|thread [01]| held by thread [01])$/.test(it);
        check(`step ${index + 1}: ${all.join("; ")}`, all.every(isOnce));
    }
    const [first, stolen] = [places[moves[0]], places[moves.at(-1)]].map((it) => it.join("; "));
    check(first, first.startsWith("1  held by thread 0; 2 thread 0; 3  held by thread 0; 4  held by thread 0; 5 shared queue"));
    check(stolen, stolen === "2  held by thread 1; 3 thread 1; 4 thread 0");
    check(last, /3\s*moved.*2\s*resumed.*2\s*finished/s.test(last));
    return faults;
}

/** What has led to a run, by a key and by a click on it, back to the operating system. */
export async function chain(page) {
    const player = page.locator(".player").first();
    const name = await player.evaluate((it) => it.parentElement.dataset.player);
    // Of the last run of task 1: task 2 has called its waker, because the reactor had called that of task 2.
    const at = await player.evaluate((it, name) => {
        const { events } = Player.data[name].runs[0];
        const at = events.findLastIndex(({ event, task }, index) => event === "resumed" && task === 1
            && events.slice(0, index).findLast((it) => it.event === "woken" && it.task === 1).by === 2
            && events.slice(0, index).findLast((it) => it.event === "resumed").task === 2);
        Player.players.get(name).jump(at);
        return at;
    }, name);
    const links = player.locator(".chain li");
    const lit = () => player.locator(".wire.lit").evaluateAll((all) => all.map((it) => [it.dataset.from, it.dataset.to].join(">")).join(" "));
    const faults = [];
    const check = (what, isSo) => isSo || faults.push({ kind: "chain of wakes", what: `${name}, step ${at}: ${what}` });
    await player.focus();
    const top = () => player.locator(".lane").first().evaluate((it) => it.getBoundingClientRect().top + scrollY);
    const before = await top();
    await page.keyboard.press("w");
    const said = await links.allInnerTexts();
    const words = [/^The OS .* task 2 /, /^The reactor calls the waker of task 2\./, ...Array(said.length - 4).fill(/^Task 2 calls its own waker/), /^Task 2 calls the waker of task 1\./, /^The executor polls task 1/];
    check(said.join(" "), said.length === words.length && said.every((text, index) => words[index].test(text)));
    check(`lit ${await lit()}`, (await lit()) === ["0>2", ...Array(said.length - 4).fill("2>2"), "2>1"].join(" "));
    check("the lanes move", (await top()) === before);
    await page.keyboard.press("w");
    check("w does not close it", (await links.filter({ visible: true }).count()) === 0 && (await lit()) === "");
    const earlier = await page.evaluate(({ name, at }) =>
        Player.data[name].runs[0].events.slice(0, at).filter(({ event, task }) => event === "resumed" && task === 1).length, { name, at });
    await player.locator(".lane[data-lane='1'] .running").nth(earlier).click();
    check("a click on the run shows nothing", (await links.filter({ visible: true }).count()) === said.length);
    await page.evaluate((name) => Player.players.get(name).jump(0), name);
    const isAsked = () => player.locator(".stop").isVisible();
    for (let i = 0; i < 60 && !(await isAsked()); i += 1) {
        await page.keyboard.press("ArrowRight");
    }
    check("a question is covered by it", (await isAsked()) && !(await player.locator(".chain").isVisible()));
    return faults;
}

/** The reader as the executor: the trace is the referee. */
export async function referee(page) {
    const faults = [];
    for (const player of await page.locator(".player").all()) {
        const { name, program, runs } = await player.evaluate((it) => {
            const { player } = it.parentElement.dataset;
            const { runs } = Player.data[player];
            const isThreaded = runs[0].events.some(({ thread }) => thread);
            return { name: player, program: isThreaded ? "threads" : runs[0].program, runs: runs.length };
        });
        const button = player.getByRole("button", { name: "Be the executor" });
        const check = (what, isSo) => isSo || faults.push({ kind: "be the executor", what: `${name}: ${what}` });
        const isOffered = program === "stage3-async" && runs === 1;
        check("it is offered", (await button.count()) === (isOffered ? 1 : 0));
        if (!isOffered) {
            continue;
        }
        await button.click();
        const { events, spins } = await player.evaluate((it) => {
            const { runs, spins } = Player.data[it.parentElement.dataset.player];
            return { events: runs[0].events, spins };
        });
        const said = () => player.locator(".turns .verdict").innerText();
        const counted = () => player.locator(".turns .ask").innerText();
        const move = (text) => player.locator(".turns").getByRole("button", { name: new RegExp(`^(\\d )?${text}$`) }).click();
        let [polls, wasted, waiting] = [0, 0, 0];
        const ready = new Set();
        const parked = new Set();
        for (const [index, { event, task }] of events.entries()) {
            if (event === "queued") {
                ready.add(task);
            } else if (event === "paused") {
                parked.add(task);
            } else if (event === "finished" || event === "cancelled") {
                [ready, parked].forEach((it) => it.delete(task));
            }
            if (event !== "resumed" && event !== "slept") {
                continue;
            }
            const at = Number(await player.locator("input[type=range]").inputValue());
            check(`decision ${index} is made at ${at}`, at === Math.max(index - 1, 0));
            const idle = [...parked].find((it) => !ready.has(it));
            if (idle && wasted < 2) {
                [polls, wasted] = [polls + 1, wasted + 1];
                await move(`poll task ${idle}`);
                check(`a wasted poll: ${await said()}`, (await said()).startsWith("Pending, as before: a wasted poll."));
                check(`not counted: ${await counted()}`, (await counted()).startsWith(`${polls} poll${polls === 1 ? "" : "s"}, ${wasted} of them wasted.`));
            }
            if (ready.size > 0 && waiting < 2) {
                waiting += 1;
                await move("sleep");
                for (const it of ready) {
                    check(`task ${it} does not wait: ${await said()}`, (await said()).includes(`task ${it}`) && (await said()).includes("would wait"));
                }
            }
            if (event === "resumed") {
                const last = [...ready].at(-1);
                if (last !== task) {
                    await move(`poll task ${last}`);
                    check(`out of order: ${await said()}`, (await said()).startsWith(`Task ${last} is ready, but task ${task}`));
                }
                [polls] = [polls + 1, ready.delete(task), parked.delete(task)];
                await move(`poll task ${task}`);
            } else {
                await move("sleep");
            }
        }
        const executor = events.filter(({ event }) => event === "resumed").length;
        const about = Number(((events.at(-1).us - events[0].us) / 1e6 * spins).toPrecision(2)).toLocaleString("en");
        const end = `You polled ${polls} times, the executor ${executor} times. poll_all, which never sleeps, would have polled about ${about} times.`;
        check(`the end: ${await said()}`, (await said()).endsWith(end) && polls === executor + wasted);
        await page.keyboard.press("Home");
        check("Home does not end it", (await button.getAttribute("aria-pressed")) === "false");
    }
    return faults;
}
