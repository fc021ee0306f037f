// A lane for the loop and for each task, along one axis: an empty second is as wide as it was
// long. Or, so that quick events are seen as well, each step is as wide as the others, and a mark
// is where much time passes between two. An arrow for each wake goes from the lane of its cause to
// that of the task. A legend has what these lanes show.

"use strict";

{
    const { NAME, plural, rich, short, time } = Player;

    /** What lanes show, in the order of the legend, and its words for tasks and for threads. */
    const LEGEND = {
        running: { task: "runs" },
        ready: { task: "in the ready queue", thread: "ready to run" },
        socket: { task: "waits for its socket", thread: "waits for a page", page: "asked for" },
        other: { task: "waits for something else", page: null },
        asleep: { task: "the thread sleeps" },
        ended: { task: "ends" },
        dropped: { task: "is dropped" },
        wake: { task: "wakes" },
        itself: { task: "wakes itself, to run again" },
        gap: { task: "a long time passes" },
    };

    /** The marks at the end of a lane, by their events. */
    const ENDS = { finished: "ended", cancelled: "dropped" };

    /** Where steps are equally wide, a gap between two is marked if it is at least this part of the
     * whole time, and at least this long, in microseconds. */
    const [GAP, SHORTEST] = [0.05, 500];

    /** Times below gaps are at least so far apart, as a part of the axis. */
    const APART = 0.135;

    /** A pause from which the axis of time is the better one, in microseconds. */
    const LONG = 50_000;

    /** For each lane what it shows, from one event to another one: `{ kind, from, to }`. A run may
     * name the tasks that have lanes. A recorder does not know when the loop itself runs. Of several
     * threads each has a lane, with the tasks that it polls. */
    function lanes(run) {
        const hasLoop = Player.stage(run.program) < 4 && run.threads.length === 0;
        const unit = Player.unit(run);
        const rows = new Map(hasLoop ? [[0, []]] : []);
        const last = run.events.length - 1;
        const put = (lane, kind, index, task = null) => {
            const row = rows.get(lane) ?? rows.set(lane, []).get(lane);
            const before = row.at(-1);
            if (before?.kind === kind && before.task === task && before.to === index) {
                before.to = Math.min(index + 1, last);
            } else {
                row.push({ kind, task, from: index, to: Math.min(index + 1, last) });
            }
        };
        run.threads.forEach((name) => rows.set(`@${name}`, []));
        run.states.forEach((state, index) => {
            // A thread runs one task, or one within another: then the inner one.
            for (const [lane, task] of new Map(state.running.map((it) => [`@${state.tasks.get(it).thread}`, it]))) {
                if (rows.has(lane)) {
                    put(lane, "running", index, task);
                }
            }
            if (hasLoop && (state.asleep || state.running.length === 0)) {
                put(0, state.asleep ? "asleep" : "loop", index);
            }
            for (const task of run.shown?.filter((it) => state.tasks.has(it)).map((it) => state.tasks.get(it)) ?? state.tasks.values()) {
                const kind = task.life === "running" || task.life === "ready" ? task.life
                    : task.waits === null ? "new"
                        : Player.isOfSocket(task.waits) || (unit === "thread" && Player.isOfPage(task.waits)) ? "socket" : "other";
                put(task.id, kind, index);
            }
        });
        if (Player.wakes(run).some(({ from }) => from === "thread")) {
            rows.set("thread", []);
        }
        return rows;
    }

    /** Lanes of threads are above those of tasks, but for that of all other threads. */
    const rank = (lane) => (lane === "thread" ? 2 : String(lane).startsWith("@") ? 0 : 1);

    /** The name of a lane; of one that is cut, the whole is shown at the pointer. */
    function nameOf(lane, loop, unit, names) {
        const [before, whole, cut] = rank(lane) === 0
            // Names of one runtime differ at their end.
            ? ["", lane.slice(1), (name) => (name.length > NAME ? `…${name.slice(1 - NAME)}` : name)]
            : lane === 0 ? ["", loop, String]
                : lane === "thread" ? ["", "a thread", String]
                    : names?.has(lane) ? [`${unit} ${lane} `, names.get(lane), short] : ["", `${unit} ${lane}`, String];
        return [before + cut(whole), cut(whole) === whole ? {} : { title: before + whole }];
    }

    /** The events that have led to what runs at a moment, and what to say if there are none. */
    function causes(run, index) {
        const { event, task, by } = run.events[index];
        if (event === "cancelled" && run.events.slice(0, index).findLast((it) => it.event === "woken" && it.task === task)?.cancels) {
            return [Player.chain(run, index), ""];
        }
        const all = run.states[index].running;
        const running = [task, by].find((it) => all.includes(it)) ?? all.at(-1) ?? (["paused", "finished"].includes(event) ? task : null);
        const begins = run.events.slice(0, index + 1).findLastIndex((it) => it.event === "resumed" && it.task === running);
        const none = running === null ? `No ${Player.unit(run)} runs now.` : "This run began before the events that are shown.";
        return [begins < 0 ? [] : Player.chain(run, begins), none];
    }

    Player.Lanes = class {
        element = make("div", { class: "pane times" });
        /** Why the task runs that runs now: a line for each cause. It may be put elsewhere. */
        chain = make("ol", { class: "chain", "aria-live": "polite", hidden: "" });
        #why = make("button", { type: "button", class: "quiet", "aria-pressed": "false" }, "Why does it run?");
        #runs;
        #jump;
        #moments;
        #byTime;
        #cursor = make("div", { class: "cursor" });
        #chart = make("div", { class: "chart", role: "img" });
        #legend = make("ul", { class: "legend", "aria-label": "What the lanes show" });
        #follow = null;
        #excerpt;

        /** `jump` is called with the moment that was clicked. An excerpt is marked, if it is not all. */
        constructor(runs, moments, jump, excerpt = { isAll: true }) {
            this.#runs = runs;
            this.#moments = moments;
            this.#jump = jump;
            this.#excerpt = excerpt;
            const gaps = moments.slice(1).map((it, index) => it.us - moments[index].us);
            this.#byTime = runs.length > 1 || (Math.max(...gaps) >= LONG && Player.unit(runs[0]) === "task");
            this.#chart.addEventListener("click", (click) => this.#clicked(click));
            this.element.append(...this.#head(), this.#chart, this.#legend, this.chain);
            this.#draw();
        }

        #head() {
            if (this.#runs.length > 1) {
                return []; // steps of two runs have no common order
            }
            const button = make("button", { type: "button", class: "quiet", "aria-pressed": String(!this.#byTime) }, "Equal steps");
            button.addEventListener("click", () => {
                this.#byTime = !this.#byTime;
                button.setAttribute("aria-pressed", String(!this.#byTime));
                this.#draw();
                this.show(this.#shown, this.#follow);
            });
            this.#why.addEventListener("click", () => this.why());
            return [make("p", { class: "head" }, "Time", make("span", {}, this.#why, button))];
        }

        /** Where a time is, or the step of this number, from 0 to 1. */
        #x({ us }, moment) {
            const [first, last] = [this.#moments[0].us, this.#moments.at(-1).us];
            return this.#byTime ? (us - first) / Math.max(1, last - first) : moment / this.#moments.length;
        }

        #draw() {
            const percent = (x) => `${(100 * x).toFixed(3)}%`;
            const half = this.#byTime ? 0 : 0.5 / this.#moments.length;
            const rows = [];
            const used = new Set(); // of the legend
            const names = [];
            let count = 0; // of the rows above
            const gaps = this.#byTime ? [] : this.#gaps();
            this.#runs.forEach((run, which) => {
                const span = time(run.events.at(-1).us - run.events[0].us);
                // Two runs are shown page by page: see pages.js.
                const [loop, other] = [run.title ? "the thread" : "the loop", Player.unit(run)];
                const all = lanes(run);
                const tasks = plural([...all.keys()].filter((it) => it > 0).length, other);
                const threads = run.threads.length > 0 ? `${plural(run.threads.length + (run.moreThreads ?? 0), "thread")} and ` : "";
                // Only those of lanes that are shown: a recorder knows no loop.
                const wakes = Player.wakes(run).filter(({ from, to }) => all.has(from) && all.has(to));
                const ends = run.title ? [] : run.events.map(({ event, task }) => all.has(task) && ENDS[event]).filter(Boolean);
                const ended = [["ended", "ends", "end"], ["dropped", "is dropped", "are dropped"]]
                    .map(([end, ...verbs]) => [ends.filter((it) => it === end).length, verbs])
                    .filter(([count]) => count > 0).map(([count, verbs]) => plural(count, ...verbs));
                names.push(`${run.title ? `${run.title}: ` : ""}${all.has(0) ? `${loop} and ` : threads}${tasks}, over ${span}, with ${plural(wakes.length, "wake")}`
                    + (gaps.length > 0 ? ` and ${plural(gaps.length, "long gap")}` : "")
                    + (ended.length > 0 ? `; of the ${other}s, ${ended.join(" and ")}` : ""));
                if (run.title) {
                    count += 1;
                    rows.push(make("p", { class: "run", style: `grid-row: ${count}` }, run.title));
                }
                const row = new Map();
                for (const [task, bars] of [...all].sort(([a], [b]) => rank(a) - rank(b) || a - b || 0)) {
                    count += 1;
                    row.set(task, count);
                    const lane = make("div", { class: "lane", "data-lane": task, "data-run": which, style: `grid-row: ${count}` });
                    for (const { kind, task: runs, from, to } of bars) {
                        const [a, b] = [from, to].map((index) => this.#x(run.events[index], run.moments[index]));
                        const bar = make("i", { class: kind, style: `left:${percent(a)};width:${percent(Math.max(b - a, 0))}` });
                        if (kind === "asleep" && b - a > 0.1) {
                            bar.append(make("span", {}, `asleep ${time(run.events[to].us - run.events[from].us)}`));
                        }
                        used.add(kind);
                        if (runs !== null) {
                            bar.append(make("span", {}, String(runs)));
                            bar.dataset.task = runs;
                        }
                        lane.append(bar);
                    }
                    for (const [index, event] of run.events.entries()) {
                        const end = event.task === task && !run.title && ENDS[event.event];
                        if (end) {
                            used.add(end);
                            const x = this.#x(event, run.moments[index]) + (end === "dropped" ? half : 0);
                            lane.append(make("i", { class: end, style: `--x:${percent(x)}` }));
                        }
                    }
                    const [name, title] = nameOf(task, loop, other, run.names);
                    rows.push(make("span", { class: "name", style: `grid-row: ${count}`, ...title }, name), lane);
                }
                for (const { index, from, to } of wakes) {
                    const [a, b] = [row.get(from), row.get(to)];
                    const way = a === b ? "itself" : a < b ? "down" : "up";
                    used.add(a === b ? "itself" : "wake");
                    const x = this.#x(run.events[index], run.moments[index]) + half;
                    rows.push(make("i", {
                        class: `wire ${way}`, "data-run": which, "data-wire": index, "data-from": from, "data-to": to,
                        style: `grid-row: ${Math.min(a, b)} / ${Math.max(a, b) + 1}; margin-inline-start: ${percent(x)}`,
                    }));
                }
            });
            if (gaps.length > 0) {
                used.add("gap");
            }
            const marks = gaps.map(({ x }) => make("div", { class: "gap", style: `left:${percent(x)}` }));
            rows.push(make("div", { class: "over", style: `grid-row: 1 / span ${count}` }, ...marks, this.#cursor, ...this.#mark(percent)), this.#axis(percent, gaps));
            this.#chart.replaceChildren(...rows);
            const word = ({ task, [Player.unit(this.#runs[0])]: own = task }) => (used.has("socket") ? own : own?.replace(" for something else", ""));
            this.#legend.replaceChildren(...Object.keys(LEGEND).filter((kind) => used.has(kind) && word(LEGEND[kind])).map((kind) =>
                make("li", {}, make("i", { class: kind }), word(LEGEND[kind]))));
            this.#chart.setAttribute("aria-label", names.join("; "));
            this.#chart.classList.toggle("by-step", !this.#byTime);
        }

        /** A bracket around what the table has. */
        #mark(percent) {
            const { first, last, isAll } = this.#excerpt;
            if (isAll) {
                return [];
            }
            const after = this.#byTime ? last : last + 1;
            const [a, b] = [first, after].map((moment) => this.#x(this.#moments[Math.min(moment, this.#moments.length - 1)], moment));
            return [make("div", { class: "excerpt", style: `left:${percent(a)};width:${percent(b - a)}` })];
        }

        /** Where steps are equally wide, and much time is between two of them. */
        #gaps() {
            const long = Math.max(SHORTEST, GAP * (this.#moments.at(-1).us - this.#moments[0].us));
            return this.#moments.map(({ us }, moment) => ({ x: this.#x({ us }, moment), us: us - (this.#moments[moment - 1]?.us ?? us) }))
                .filter(({ us }) => us >= long);
        }

        #axis(percent, gaps) {
            const axis = make("div", { class: "axis" });
            if (this.#byTime) {
                const length = this.#moments.at(-1).us - this.#moments[0].us;
                for (const at of length > 0 ? Player.ticks(length) : []) {
                    const side = at / length > 0.95 ? "last" : "";
                    axis.append(make("span", { class: side, style: `left:${percent(at / length)}` }, at === 0 ? "0" : time(at)));
                }
            } else {
                let free = 0; // from here on there is room for a time
                for (const { x, us } of gaps) {
                    if (x >= free) {
                        axis.append(make("span", { class: x > 0.95 ? "last" : "", style: `left:${percent(x)}` }, time(us)));
                        free = x + APART;
                    }
                }
            }
            return axis;
        }

        #shown = 0;

        /** Shows or hides why the task runs that runs now. Two runs are of pages, which nothing wakes. */
        why(isShown = this.chain.hidden) {
            if (this.#runs.length > 1) {
                return;
            }
            this.chain.hidden = !isShown;
            this.#why.setAttribute("aria-pressed", String(isShown));
            this.show(this.#shown, this.#follow);
        }

        /** Says the causes, if they are shown, and lights their arrows and that of the event. */
        #light({ run: which, index }) {
            const run = this.#runs[which];
            const [lit, none] = this.chain.hidden ? [[], ""] : causes(run, index);
            // The first sentence of each is enough.
            const said = lit.map((it) => Player.say(run, it)).map((text) => /^[^]*?[.](?= |$)/.exec(text)?.[0] ?? text);
            this.chain.replaceChildren(...(said.length > 0 ? said : [none]).map((text) => make("li", {}, ...rich(text))));
            for (const wire of this.#chart.querySelectorAll(".wire")) {
                const isOurs = Number(wire.dataset.run) === which;
                wire.classList.toggle("lit", isOurs && [index, ...lit].includes(Number(wire.dataset.wire)));
            }
            this.#chart.classList.toggle("caused", lit.length > 0);
        }

        show(moment, follow) {
            this.#light(this.#moments[moment]);
            this.#shown = moment;
            this.#follow = follow;
            const x = this.#x(this.#moments[moment], moment);
            this.#cursor.style.left = `${100 * x}%`;
            this.#cursor.style.width = this.#byTime ? "" : `${100 / this.#moments.length}%`;
            for (const lane of this.#chart.querySelectorAll(".lane")) {
                const isOther = follow !== null && rank(lane.dataset.lane) > 0 && Number(lane.dataset.lane) !== follow;
                lane.classList.toggle("faint", isOther);
            }
        }

        /** The moment that is nearest to a click; in the lane of a task, or where a thread runs one, one of its own. */
        #clicked({ clientX, target }) {
            const lane = target.closest(".lane");
            const bar = target.closest(".running");
            const task = Number(bar?.dataset.task ?? lane?.dataset.lane); // NaN, 0: of none
            const box = (lane ?? this.#chart.querySelector(".over")).getBoundingClientRect();
            const x = (clientX - box.left) / box.width;
            const isOwn = ({ run, index }) => run === Number(lane?.dataset.run ?? run)
                && (!task || this.#runs[run].events[index].task === task);
            const half = this.#byTime ? 0 : 0.5 / this.#moments.length;
            const far = (moment) => Math.abs(this.#x(this.#moments[moment], moment) + half - x);
            const own = this.#moments.map((it, moment) => ({ it, moment })).filter(({ it }) => isOwn(it));
            const all = own.length > 0 ? own : this.#moments.map((it, moment) => ({ it, moment }));
            this.#jump(all.reduce((best, it) => (far(it.moment) < far(best.moment) ? it : best)).moment);
            if (bar && task) {
                this.why(true);
            }
        }
    };
}
