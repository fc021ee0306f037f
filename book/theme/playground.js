// The playground: the three crawlers over one simulated site, on one clock. What is drawn comes
// from their traces: a bar for each time that a task waits for a connection.

"use strict";

{
    const STAGES = [
        ["stage1-callbacks", "Stage 1: callbacks"],
        ["stage2-generators", "Stage 2: generators"],
        ["stage3-async", "Stage 3: async/await"],
    ];
    const [PAGES, MOMENTS, LENGTH] = [12, 1000, 2500];
    const ROOT = "http://127.0.0.1:8000/";
    const FAILURES = {
        none: "none",
        refuse: "refuse: the third connection is refused, and tried again",
        reset: "reset: page 3 resets the connection",
        silent: "silent: page 3 is never answered",
    };

    /** The site, in the language of `tests/sim/sites/src/script.rs`. */
    function site(latency, failure) {
        const links = Array.from({ length: PAGES }, (_, at) => `/${at + 1}`);
        const third = { reset: `/3 ${latency}ms reset`, silent: "/3 0ms nothing" };
        return [
            "connect 5ms",
            failure === "refuse" ? "refuse 3" : "",
            `/ ${latency}ms 200 links=${links}`,
            third[failure] ?? "",
            `* ${latency}ms 200`,
        ].join("\n");
    }

    const options = (tasks) => [ROOT, "--max-tasks", tasks, "--max-tries", "2", "--timeout", "2"];

    /** Returns the bars of a trace: `{ from, to, row, connects }`, in microseconds. A connection
     * stays in its row, and a row is used again when nothing waits in it. */
    function bars(trace) {
        const [found, waiting, rows] = [[], new Map(), []];
        for (const { event, task, socket, waits, state, us } of trace) {
            const bar = waiting.get(task);
            if (bar && ["resumed", "cancelled", "finished"].includes(event)) {
                bar.to = us;
                waiting.delete(task);
            }
            if (event !== "paused" || socket === undefined) continue;
            const isFree = (row) => ![...waiting.values()].some((it) => it.row === row);
            const kept = rows.indexOf(socket);
            let row = kept >= 0 && isFree(kept) ? kept : 0;
            while (row !== kept && !isFree(row)) row += 1;
            rows[row] = socket;
            const connects = waits === "writable" || /^connect/.test(state);
            const next = { from: us, to: us, row, connects };
            waiting.set(task, next);
            found.push(next);
        }
        return found;
    }

    const atOnce = (bars, us) => bars.filter(({ from, to }) => from <= us && us < to).length;
    const seconds = (us) => `${(us / 1e6).toFixed(3)} s`;

    function equip(place, number) {
        const id = (name) => `playground-${number}-${name}`;
        const range = (name, values) => make("input", { id: id(name), type: "range", ...values });
        const tasks = range("tasks", { min: 1, max: 10, value: 4 });
        const latency = range("latency", { min: 0, max: 1000, step: 50, value: 200 });
        const failure = make("select", { id: id("failure") });
        for (const [name, text] of Object.entries(FAILURES)) {
            failure.append(make("option", { value: name }, text));
        }
        const button = make("button", {}, "Run all three");
        const note = make("p", { role: "status" });
        const knob = (text, input, unit) => {
            const label = make("label", { for: input.id }, text);
            if (unit === undefined) return make("div", {}, label, input);
            const value = make("output", { for: input.id });
            const show = () => (value.textContent = `${input.value}${unit}`);
            input.addEventListener("input", show);
            show();
            return make("div", {}, label, input, value);
        };
        const form = make("form", {},
            knob("Tasks", tasks, ""),
            knob("Latency of a page", latency, " ms"),
            knob("Failure", failure),
            button);
        const clock = range("clock", { min: 0, max: MOMENTS, value: 0 });
        const time = make("output", { for: clock.id });
        const at = make("div", { class: "clock", hidden: "" },
            make("label", { for: clock.id }, "Clock"), clock, time);
        const lanes = make("div", { class: "lanes-of-runs" });
        place.replaceChildren(form, note, at, lanes);

        let [runs, axis, frame] = [[], 1, 0];
        /** Shows a moment: a line in each lane, and how many connections wait then. */
        function show() {
            const us = (axis * clock.value) / MOMENTS;
            time.textContent = seconds(us);
            lanes.style.setProperty("--now", clock.value / MOMENTS);
            for (const run of runs) {
                run.now.textContent = us >= run.us ? "finished" : `${atOnce(run.bars, us)} at once`;
            }
        }
        clock.addEventListener("input", () => {
            cancelAnimationFrame(frame);
            show();
        });
        /** Lets the clock run, unless the reader wants no motion. */
        function play() {
            cancelAnimationFrame(frame);
            clock.value = MOMENTS;
            if (matchMedia("(prefers-reduced-motion: reduce)").matches) return show();
            let began;
            const step = (now) => {
                began ??= now;
                clock.value = Math.min(MOMENTS, ((now - began) / LENGTH) * MOMENTS);
                show();
                if (Number(clock.value) < MOMENTS) frame = requestAnimationFrame(step);
            };
            frame = requestAnimationFrame(step);
        }

        form.addEventListener("submit", async (event) => {
            event.preventDefault();
            if (button.getAttribute("aria-disabled")) return;
            button.setAttribute("aria-disabled", "true");
            note.textContent = "Running…";
            try {
                // The clock may still run over the last runs.
                const next = [];
                for (const [name, title] of STAGES) {
                    next.push(await crawl(name, title, tasks.value, latency.value, failure.value));
                }
                cancelAnimationFrame(frame);
                runs = next;
                axis = Math.max(...runs.map(({ us }) => us));
                lanes.replaceChildren(...runs.map((run) => lane(run, axis)));
                at.hidden = false;
                note.textContent = "They ran in this page. The network and the clock are simulated; the crawlers are not.";
                play();
            } catch (error) {
                note.textContent = `It cannot run here: ${error.message}.`;
            }
            button.removeAttribute("aria-disabled");
            window.dispatchEvent(new Event("resize"));
        });
    }

    async function crawl(name, title, tasks, latency, failure) {
        const args = options(tasks);
        const env = { SIM_SITE: site(latency, failure) };
        const { code, trap, out, err, files } =
            await Runner.run("page", [name, ...args, "--trace", "/trace"], env);
        if (code !== 0) throw new Error(`${name}: ${trap ?? err.trim()}`);
        const trace = files.get("/trace") ?? files.get("trace");
        const events = trace.trim().split("\n").map((line) => JSON.parse(line));
        const command = `$ ${[name, ...args].join(" ")}`;
        return { title, command, out, us: events.at(-1).us, bars: bars(events) };
    }

    /** A lane: the bars, the total, and the report. Keeps in `run.now` where it says how many
     * connections there are at the moment of the clock. */
    function lane(run, axis) {
        const moments = run.bars.map(({ from }) => atOnce(run.bars, from));
        const most = Math.max(0, ...moments);
        run.now = make("span", { class: "now" });
        const total = make("span", { class: "total" }, `${seconds(run.us)}, at most ${most} at once`);
        const rows = Math.max(1, ...run.bars.map(({ row }) => row + 1));
        const drawn = make("div", {
            class: "bars",
            role: "img",
            "aria-label": `${run.title}: ${seconds(run.us)}, at most ${most} connections at once`,
            style: `--rows: ${rows}`,
        });
        for (const { from, to, row, connects } of run.bars) {
            drawn.append(make("i", {
                class: connects ? "connects" : "reads",
                style: `--from: ${from / axis}; --for: ${(to - from) / axis}; --row: ${row}`,
            }));
        }
        const scrolls = { tabindex: "0", role: "region", "aria-label": `The report of ${run.title}` };
        const code = make("code", { class: "language-console hljs", ...scrolls }, `${run.command}\n${run.out.trimEnd()}\n`);
        const report = make("details", {}, make("summary", {}, "Its report"), make("pre", {}, code));
        const head = make("p", {}, make("strong", {}, run.title), total, run.now);
        return make("section", { "aria-label": run.title }, head, drawn, report);
    }

    /** `#tasks=10&latency=200&failure=silent` are settings, as links from chapters have them. */
    function settle() {
        for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
            const input = document.getElementById(`playground-0-${name}`);
            if (!input?.matches(".run-all form *")) continue;
            const is = input.value;
            input.value = value;
            if (input.value === "") input.value = is; // no such choice
            input.dispatchEvent(new Event("input"));
        }
    }

    document.querySelectorAll("main .run-all").forEach(equip);
    settle();
    window.addEventListener("hashchange", settle);
}
