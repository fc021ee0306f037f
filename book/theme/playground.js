// The playground: the three crawlers over one simulated site, on one clock. The reader guesses how
// long they take before they run. What is drawn comes from their traces: a bar for each time that a
// task waits for a connection. A click on a bar shows what remembers its page (remember.js).

"use strict";

{
    const STAGES = [
        ["stage1-callbacks", "Stage 1: callbacks"],
        ["stage2-generators", "Stage 2: generators"],
        ["stage3-async", "Stage 3: async/await"],
    ];
    const [PAGES, MOMENTS, LENGTH] = [12, 1000, 2500];

    /** What the reader guesses: settings, and why it takes as long as it does. */
    const ROUNDS = [
        [{ tasks: 4, latency: 200, failure: "none" }, `${PAGES} pages, 200 ms each, 4 tasks`,
            `The home page comes first, alone. Then ${PAGES} pages and 4 tasks make three rounds.`],
        [{ tasks: 10, latency: 200, failure: "none" }, "The same site, 10 tasks",
            `The home page is still alone, and ${PAGES} pages do not fit into one round of ten. So 10 tasks are not ten times as fast as one.`],
        [{ tasks: 4, latency: 200, failure: "silent" }, "4 tasks again, and page 3 never answers",
            "Page 3 is tried twice, and each try waits 2 s. The other pages are done long before: one task waits, and no other."],
    ];
    /** A guess is close if it is off by less than this part of the time that it took. */
    const CLOSE = 0.25;
    const LONGEST = 6; // of a guess, in seconds
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

    /** Returns the bars of a trace: `{ from, to, row, connects, page, index }`, in microseconds, with
     * the number of the event that begins it. A connection stays in its row, and a row is used again
     * when nothing waits in it. */
    function bars(trace) {
        const [found, waiting, rows, names] = [[], new Map(), [], new Map()];
        for (const [index, { event, task, socket, waits, state, us, for: name }] of trace.entries()) {
            names.set(task, name ?? names.get(task)); // a cancellation names no page
            const bar = waiting.get(task);
            if (bar && ["resumed", "cancelled", "finished"].includes(event)) {
                bar.to = us;
                bar.page = Player.path(names.get(task));
                waiting.delete(task);
            }
            if (event !== "paused" || socket === undefined) continue;
            const isFree = (row) => ![...waiting.values()].some((it) => it.row === row);
            const kept = rows.indexOf(socket);
            let row = kept >= 0 && isFree(kept) ? kept : 0;
            while (row !== kept && !isFree(row)) row += 1;
            rows[row] = socket;
            const connects = waits === "writable" || /^connect/.test(state);
            const next = { from: us, to: us, row, connects, page: "", index };
            waiting.set(task, next);
            found.push(next);
        }
        return found;
    }

    /** Marks the bars whose attempt failed: the page has to connect again, or the report has no 200. */
    function judge(bars, report) {
        const isFine = (page) => new RegExp(`^ +200 .*:8000${page}$`, "m").test(report);
        for (const [index, bar] of bars.entries()) {
            const next = bars.slice(index + 1).find(({ page }) => page === bar.page);
            bar.fails = next ? next.connects : !isFine(bar.page);
        }
        return bars;
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
        const guess = range("guess", { min: 0, max: LONGEST, step: 0.1, value: 0 });
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
        const asks = make("p", { class: "asks" });
        const verdict = make("div", { class: "verdict", role: "status" });
        const form = make("form", {},
            asks,
            knob("Your guess", guess, " s"),
            knob("Tasks", tasks, ""),
            knob("Latency of a page", latency, " ms"),
            knob("Failure", failure),
            button);
        const clock = range("clock", { min: 0, max: MOMENTS, value: 0 });
        const time = make("output", { for: clock.id });
        const at = make("div", { class: "clock", hidden: "" },
            make("label", { for: clock.id }, "Clock"), clock, time);
        const lanes = make("div", { class: "lanes-of-runs" });
        const memory = make("div", { class: "memory" });
        place.replaceChildren(form, note, verdict, at, lanes, memory);

        let [runs, axis, frame] = [[], 1, 0];

        /* A round is asked, or it was answered, or the reader has settings of their own: then it is
           null. */
        let [round, isAsked, hasGuess] = [0, true, false];
        const score = [];

        /** Sets what a round asks about. */
        function ask(number) {
            [round, isAsked, hasGuess] = [number, true, false];
            const [settings, text] = ROUNDS[number];
            for (const [name, value] of Object.entries(settings)) {
                set(document.getElementById(id(name)), value);
            }
            set(guess, 0);
            asks.replaceChildren(make("strong", {}, `Round ${number + 1} of ${ROUNDS.length}. `),
                `${text}: how long does the crawl take? Move the handle, then run it.`);
            verdict.replaceChildren();
        }

        function set(input, value) {
            input.value = value;
            input.dispatchEvent(new Event("input"));
        }

        /** Compares the guess with what it took. */
        function compare() {
            isAsked = false;
            const [, , why] = ROUNDS[round];
            const took = axisOf(runs) / 1e6;
            const isClose = Math.abs(guess.value - took) < CLOSE * took;
            score[round] = isClose;
            const close = score.filter(Boolean).length;
            const said = make("p", {}, make("strong", {}, isClose ? "Close. " : "Not this time. "),
                `You said ${guess.value} s, and it took ${took.toFixed(2)} s. ${why}`);
            const next = make("button", { type: "button" }, round + 1 < ROUNDS.length ? "Next round" : "Play again");
            next.addEventListener("click", () => {
                if (round + 1 === ROUNDS.length) score.length = 0;
                ask((round + 1) % ROUNDS.length);
                guess.focus();
            });
            verdict.replaceChildren(said, make("p", { class: "score" }, `Close in ${close} of ${score.length}. `, next));
        }

        /** The reader has chosen something else than a round asks about. */
        function leave() {
            if (round === null) return;
            [round, hasGuess] = [null, false];
            const back = make("button", { type: "button" }, "Guess in three rounds");
            back.addEventListener("click", () => ask(0));
            asks.replaceChildren("Your own settings. ", back);
            verdict.replaceChildren();
        }

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

        /** Draws the last runs, and the guess. */
        function draw() {
            const guessed = hasGuess ? guess.value * 1e6 : null;
            axis = Math.max(axisOf(runs), guessed ?? 0);
            const remember = (run, bar) => Player.remember(memory, runs, run, bar).catch((error) => {
                memory.replaceChildren(make("p", {}, `It cannot be shown here: ${error.message}`));
            });
            lanes.replaceChildren(ruler(axis), ...runs.map((run) => lane(run, axis, guessed, remember)));
            memory.replaceChildren();
            at.hidden = false;
        }

        let isAgain = false; // a setting has changed while they ran
        async function run() {
            if (button.getAttribute("aria-disabled")) {
                isAgain = true;
                return;
            }
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
                draw();
                note.textContent = "They ran in this page. The network and the clock are simulated; the crawlers are not.";
                if (round !== null && isAsked && hasGuess) compare();
                play();
            } catch (error) {
                note.textContent = `It cannot run here: ${error.message}.`;
            }
            button.removeAttribute("aria-disabled");
            window.dispatchEvent(new Event("resize"));
            if (isAgain) {
                isAgain = false;
                await run();
            }
        }

        guess.addEventListener("input", () => {
            hasGuess = Number(guess.value) > 0;
        });
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            if (round !== null && isAsked && !hasGuess) leave(); // it was not to be guessed
            run();
        });
        // A setting of one's own shows at once what it does.
        form.addEventListener("change", ({ target }) => {
            if (target === guess) return;
            leave();
            if (runs.length > 0) run();
        });
        ask(0);
        place.addEventListener("settle", leave);
    }

    const axisOf = (runs) => Math.max(...runs.map(({ us }) => us));

    async function crawl(name, title, tasks, latency, failure) {
        const args = options(tasks);
        const env = { SIM_SITE: site(latency, failure) };
        const { code, trap, out, err, files } =
            await Runner.run("page", [name, ...args, "--trace", "/trace"], env);
        if (code !== 0) throw new Error(`${name}: ${trap ?? err.trim()}`);
        const trace = files.get("/trace") ?? files.get("trace");
        const events = trace.trim().split("\n").map((line) => JSON.parse(line));
        const command = `$ ${[name, ...args].join(" ")}`;
        const moves = events.filter(({ event }) => event);
        return { program: name, title, command, out, events: moves, us: moves.at(-1).us, bars: judge(bars(moves), out) };
    }

    function ruler(axis) {
        const marks = Player.ticks(axis / 1e6).map((at) => {
            const x = (at * 1e6) / axis;
            return make("span", { class: x > 0.94 ? "last" : "", style: `--at: ${x}` }, `${at} s`);
        });
        return make("div", { class: "ruler", "aria-hidden": "true" }, ...marks);
    }

    /** A lane: the bars, the total, and the report. Keeps in `run.now` where it says how many
     * connections there are at the moment of the clock. The arrow keys go from bar to bar. */
    function lane(run, axis, guessed, remember) {
        const moments = run.bars.map(({ from }) => atOnce(run.bars, from));
        const most = Math.max(0, ...moments);
        run.now = make("span", { class: "now" });
        const total = make("span", { class: "total" }, `${seconds(run.us)}, at most ${most} at once`);
        const rows = Math.max(1, ...run.bars.map(({ row }) => row + 1));
        const drawn = make("div", {
            class: "bars",
            role: "group",
            "aria-label": `${run.title}: ${seconds(run.us)}, at most ${most} connections at once. A bar for each wait.`,
            style: `--rows: ${rows}`,
        });
        for (const [index, bar] of run.bars.entries()) {
            const { from, to, row, connects, page, fails } = bar;
            const what = connects ? "connects" : "waits for its answer";
            const name = `${page} ${what} from ${seconds(from)} to ${seconds(to)}${fails ? ", and fails" : ""}`;
            const isWide = (to - from) / axis > 0.035;
            const button = make("button", {
                type: "button",
                class: `${connects ? "connects" : "reads"}${fails ? " fails" : ""}`,
                style: `--from: ${from / axis}; --for: ${(to - from) / axis}; --row: ${row}`,
                tabindex: index === 0 ? "0" : "-1",
                title: name,
                "aria-label": name,
            }, isWide ? `${fails ? "✕ " : ""}${page}` : "");
            button.addEventListener("click", () => {
                drawn.parentElement.parentElement.querySelectorAll(".bars .chosen").forEach((it) => it.classList.remove("chosen"));
                button.classList.add("chosen");
                remember(run, bar);
            });
            drawn.append(button);
        }
        drawn.addEventListener("keydown", (event) => {
            const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            const all = [...drawn.querySelectorAll("button")];
            const next = all[all.indexOf(event.target) + way];
            if (way === undefined) return;
            event.preventDefault();
            event.stopPropagation(); // elsewhere in the book they turn the page
            if (next) {
                event.target.tabIndex = -1;
                next.tabIndex = 0;
                next.focus();
            }
        });
        if (guessed !== null) {
            drawn.append(make("span", { class: "guess", style: `--at: ${guessed / axis}` }, "your guess"));
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
            input.closest(".run-all").dispatchEvent(new Event("settle"));
        }
    }

    document.querySelectorAll("main .run-all").forEach(equip);
    settle();
    window.addEventListener("hashchange", settle);
}
