// What the lanes of a step player show, and what it says of it: each mark is in the legend, wakes
// are told apart, and gaps in time are seen.

/** Goes to the steps at which something is so, and returns what the player shows there. Both
 * functions run in the page. */
function shownAt(page, name, isIt) {
    return page.evaluate(([name, isIt]) => {
        const player = Player.players.get(name);
        const section = document.querySelector(`[data-player="${name}"] .player`);
        const text = (selector) => section.querySelector(selector)?.textContent.replace(/\s+/g, " ").trim();
        return Player.data[name].runs[0].events.flatMap((event, index) => {
            if (!eval(isIt)(event)) {
                return [];
            }
            player.jump(index);
            const said = text(".say");
            const lit = section.querySelector(".line.lit")?.textContent ?? "";
            return [{ step: index + 1, event, said, lit, machine: text(".machine"), lights: section.querySelectorAll(".figure .now").length }];
        });
    }, [name, isIt.toString()]);
}

/** Each kind of bar, arrow and mark is in the legend, looks as it does there, and nothing else is.
 * The end of each task that has a lane is marked, with the whole mark in view, and so is each gap
 * between equally wide steps. */
export async function marks(page) {
    const faults = [];
    for (const player of await page.locator(".player").all()) {
        const button = player.getByRole("button", { name: "Equal steps" });
        for (let turn = 0; turn < 1 + (await button.count()); turn += 1) {
            faults.push(...await player.evaluate((it) => {
                const name = it.parentElement.dataset.player;
                const { runs } = Player.data[name];
                const isByStep = it.querySelector(".by-step") !== null;
                const where = `${name}, ${isByStep ? "steps" : "time"}`;
                const faults = [];
                const all = (selector) => [...it.querySelectorAll(selector)];
                const look = (one) => [getComputedStyle(one), getComputedStyle(one, "::before")]
                    .map(({ backgroundColor, backgroundImage, content }) => [backgroundColor, backgroundImage, content].join(" ")).join(" ");
                const kinds = new Map();
                for (const one of all(".lane i, .wire, .over .gap")) {
                    const kind = one.matches(".wire.itself") ? "itself" : one.matches(".wire") ? "wake" : one.className;
                    kinds.set(kind, one);
                }
                if (runs.length > 1) {
                    kinds.delete("other"); // a page that waits for something else is not there yet
                }
                kinds.delete("new");
                kinds.delete("loop"); // the lane of the loop says so
                const inLegend = new Map(all(".legend li").map((one) => [one.querySelector("i").className, one.querySelector("i")]));
                const [drawn, told] = [kinds, inLegend].map((it) => [...it.keys()].sort().join());
                if (drawn !== told || all(".legend li").some((one) => one.textContent === "" || !one.checkVisibility())) {
                    faults.push(`${where}: drawn are ${drawn}, and the legend has ${told}`);
                }
                for (const kind of ["running", "ready", "socket", "other", "asleep", "ended", "dropped"].filter((it) => kinds.has(it) && inLegend.has(it))) {
                    if (look(kinds.get(kind)) !== look(inLegend.get(kind))) {
                        faults.push(`${where}: ${kind} looks otherwise in the legend`);
                    }
                }
                if (runs.length > 1) {
                    return faults;
                }
                const [{ events }] = runs;
                for (const [event, kind] of [["finished", "ended"], ["cancelled", "dropped"]]) {
                    const tasks = events.filter((one) => one.event === event).map(({ task }) => String(task));
                    const marked = all(`.lane .${kind}`).map((one) => one.parentElement.dataset.lane);
                    if (tasks.sort().join() !== marked.sort().join()) {
                        faults.push(`${where}: ${event} are ${tasks}, and marked ${marked}`);
                    }
                    // A lane hides what is outside of it.
                    const isCut = (one) => {
                        const [mark, lane] = [one, one.parentElement].map((it) => it.getBoundingClientRect());
                        return mark.width < 3 || mark.left < lane.left - 0.1 || mark.right > lane.right + 0.1;
                    };
                    const cut = all(`.lane .${kind}`).filter(isCut).map((one) => one.parentElement.dataset.lane);
                    if (cut.length > 0) {
                        faults.push(`${where}: ${kind} is cut off in the lanes ${cut}`);
                    }
                }
                const times = events.slice(1).map(({ us }, index) => us - events[index].us);
                const long = times.filter((it) => it >= 500 && it >= 0.05 * (events.at(-1).us - events[0].us));
                const gaps = isByStep ? long.length : 0;
                if (all(".over .gap").length !== gaps || (gaps > 0 && !it.querySelector(".axis").textContent.includes("ms") && !it.querySelector(".axis").textContent.includes(" s"))) {
                    faults.push(`${where}: ${gaps} gaps, and ${all(".over .gap").length} are marked`);
                }
                return faults;
            }));
            if (turn < await button.count()) {
                await button.click();
            }
        }
    }
    return faults.map((what) => ({ kind: "marks in the lanes", what }));
}

/** A wake lights an arrow of the figure, and says of a marked line in a waker that it is there. A
 * task that has woken itself to let others run first is told apart from one that waits. */
export async function wakes(page) {
    const faults = [];
    const check = (what, isSo) => isSo || faults.push({ kind: "wakes", what });
    for (const name of ["executor-end", "executor-woken-in-poll"]) {
        const all = await shownAt(page, name, (it) => it.event === "woken");
        check(`${name}: no wake`, all.length > 3);
        for (const { step, said, lit, lights, event } of all) {
            const isSo = event.cancels ? lit.includes("fn cancel") && said.includes(" cancels task ")
                : lit.includes("fn wake") && said.includes("The marked line is in that waker");
            check(`${name}, step ${step}: ${said}: ${lit}`, isSo);
            check(`${name}, step ${step}: the figure lights nothing`, lights > 0);
        }
        const polls = await shownAt(page, name, (it) => it.event === "paused");
        for (const { step, said, event } of polls) {
            const isYield = event.waits === "turn";
            check(`${name}, step ${step}: ${said}`, said.includes("on purpose") === isYield && said.includes("waits for") !== isYield);
        }
        const yields = polls.filter(({ event }) => event.waits === "turn").length;
        check(`${name}: ${yields} yields`, (yields > 0) === (name === "executor-woken-in-poll"));
        const signs = await page.locator(`[data-player="${name}"] .wire.itself`).evaluateAll((all) =>
            all.map((it) => getComputedStyle(it, "::before").content));
        check(`${name}: ${signs.join()}`, signs.length === yields && signs.every((it) => it.includes("↻")));
    }
    return faults;
}

/** The future of `block_on` names the task that it waits for, and parks its thread. Where the trace
 * does not tell which task it is, the player says so. */
export async function parks(page) {
    const faults = [];
    const check = (what, isSo) => isSo || faults.push({ kind: "a thread that parks", what });
    const all = await shownAt(page, "more-threads-one-queue", (it) => it.event === "paused");
    check(`${all.length} pauses`, all.length === 2);
    for (const [index, { said, machine }] of all.entries()) {
        check(said, said.includes(`Task 3 waits for task ${index + 1}. Thread main polls no other task: it parks`));
        check(machine, machine.endsWith(`polltask ${index + 1}`));
    }
    const unknown = await page.evaluate(() => {
        const { events } = Player.data["more-threads-one-queue"].runs[0];
        const named = (events) => Player.awaited(events).filter((it) => it.event === "paused").map((it) => it.waits.named).join();
        return [events.slice(0, 9), events.map((it) => (it.event === "woken" ? { ...it, by: "thread" } : it))].map(named).join("; ");
    });
    const not = "another task (not named)";
    check(unknown, unknown === `${not}; ${not},${not}`);
    return faults;
}

/** Threads are ready, and in no queue. */
export async function ready(page) {
    const all = await shownAt(page, "blocking-and-threads-pool", () => true);
    const table = await page.locator(".trace[data-player] > .table-wrapper").innerText();
    const legend = await page.locator(".player .legend").innerText();
    const texts = [table, legend, ...all.flatMap(({ said, machine }) => [said, machine])];
    const faults = texts.filter((it) => /queue/i.test(it)).map((what) => ({ kind: "threads in a queue", what }));
    return /\bready\b/.test(table) ? faults : [...faults, { kind: "threads that are ready", what: table }];
}
