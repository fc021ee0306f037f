// A lane for the loop and for each task, along one axis: an empty second is as wide as it was
// long. Or, so that quick events are seen as well, each step is as wide as the others.

"use strict";

{
    const { plural, time } = Player;

    /** A pause from which the axis of time is the better one, in microseconds. */
    const LONG = 50_000;

    /** For each lane what it shows, from one event to another one: `{ kind, from, to }`. A run may
     * name the tasks that have lanes. A recorder does not know when the loop itself runs. */
    function lanes(run) {
        const isRecorded = Player.stage(run.program) === 4;
        const rows = new Map(isRecorded ? [] : [[0, []]]);
        const last = run.events.length - 1;
        const put = (lane, kind, index) => {
            const row = rows.get(lane) ?? rows.set(lane, []).get(lane);
            const before = row.at(-1);
            if (before?.kind === kind && before.to === index) {
                before.to = Math.min(index + 1, last);
            } else {
                row.push({ kind, from: index, to: Math.min(index + 1, last) });
            }
        };
        run.states.forEach((state, index) => {
            if (!isRecorded && (state.asleep || state.running === null)) {
                put(0, state.asleep ? "asleep" : "running", index);
            }
            for (const task of run.shown?.filter((it) => state.tasks.has(it)).map((it) => state.tasks.get(it)) ?? state.tasks.values()) {
                const kind = task.life === "running" || task.life === "ready" ? task.life
                    : task.waits === null ? "new"
                        : Player.isOfSocket(task.waits) ? "socket" : "other";
                put(task.id, kind, index);
            }
        });
        return rows;
    }

    /** Round numbers on an axis of this length. */
    function ticks(length) {
        const raw = length / 4;
        const power = 10 ** Math.floor(Math.log10(raw));
        const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= raw);
        return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
    }

    Player.Lanes = class {
        element = make("div", { class: "pane times" });
        #runs;
        #jump;
        #moments;
        #byTime;
        #cursor = make("div", { class: "cursor" });
        #chart = make("div", { class: "chart", role: "img" });
        #follow = null;

        /** `jump` is called with the moment that was clicked. */
        constructor(runs, moments, jump) {
            this.#runs = runs;
            this.#moments = moments;
            this.#jump = jump;
            const gaps = moments.slice(1).map((it, index) => it.us - moments[index].us);
            this.#byTime = runs.length > 1 || Math.max(...gaps) >= LONG;
            this.#chart.addEventListener("click", (click) => this.#clicked(click));
            this.element.append(...this.#head(), this.#chart);
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
            return [make("p", { class: "head" }, "Time", button)];
        }

        /** Where a time is, or the step of this number, from 0 to 1. */
        #x({ us }, moment) {
            const [first, last] = [this.#moments[0].us, this.#moments.at(-1).us];
            return this.#byTime ? (us - first) / Math.max(1, last - first) : moment / this.#moments.length;
        }

        #draw() {
            const percent = (x) => `${(100 * x).toFixed(3)}%`;
            const rows = [];
            const names = [];
            this.#runs.forEach((run, which) => {
                const span = time(run.events.at(-1).us - run.events[0].us);
                // Two runs are shown page by page: see pages.js.
                const [loop, other] = run.title ? ["the thread", "page"] : ["the loop", "task"];
                const all = lanes(run);
                const tasks = plural(all.size - all.has(0), other);
                names.push(`${run.title ? `${run.title}: ` : ""}${all.has(0) ? `${loop} and ` : ""}${tasks}, over ${span}`);
                if (run.title) {
                    rows.push(make("p", { class: "run" }, run.title));
                }
                for (const [task, bars] of [...all].sort(([a], [b]) => a - b)) {
                    const lane = make("div", { class: "lane", "data-lane": task, "data-run": which });
                    for (const { kind, from, to } of bars) {
                        const [a, b] = [from, to].map((index) => this.#x(run.events[index], run.moments[index]));
                        const bar = make("i", { class: kind, style: `left:${percent(a)};width:${percent(Math.max(b - a, 0))}` });
                        if (kind === "asleep" && b - a > 0.1) {
                            bar.append(make("span", {}, `asleep ${time(run.events[to].us - run.events[from].us)}`));
                        }
                        lane.append(bar);
                    }
                    rows.push(make("span", { class: "name" }, task === 0 ? loop : `${other} ${task}${run.names?.get(task) ?? ""}`), lane);
                }
            });
            const count = this.#runs.reduce((sum, run) => sum + lanes(run).size + (run.title ? 1 : 0), 0);
            rows.push(make("div", { class: "over", style: `grid-row: 1 / span ${count}` }, this.#cursor), this.#axis(percent));
            this.#chart.replaceChildren(...rows);
            this.#chart.setAttribute("aria-label", names.join("; "));
            this.#chart.classList.toggle("by-step", !this.#byTime);
        }

        #axis(percent) {
            const axis = make("div", { class: "axis" });
            if (this.#byTime) {
                const length = this.#moments.at(-1).us - this.#moments[0].us;
                for (const at of length > 0 ? ticks(length) : []) {
                    const side = at / length > 0.95 ? "last" : "";
                    axis.append(make("span", { class: side, style: `left:${percent(at / length)}` }, at === 0 ? "0" : time(at)));
                }
            } else {
                axis.append(make("span", { style: "left:0%" }, "one column for each step"));
            }
            return axis;
        }

        #shown = 0;

        show(moment, follow) {
            this.#shown = moment;
            this.#follow = follow;
            const x = this.#x(this.#moments[moment], moment);
            this.#cursor.style.left = `${100 * x}%`;
            this.#cursor.style.width = this.#byTime ? "" : `${100 / this.#moments.length}%`;
            for (const lane of this.#chart.querySelectorAll(".lane")) {
                const isOther = follow !== null && Number(lane.dataset.lane) !== follow;
                lane.classList.toggle("faint", isOther);
            }
        }

        /** The moment that is nearest to a click; in the lane of a task, one of its own. */
        #clicked({ clientX, target }) {
            const lane = target.closest(".lane");
            const box = (lane ?? this.#chart.querySelector(".over")).getBoundingClientRect();
            const x = (clientX - box.left) / box.width;
            const isOwn = ({ run, index }) => run === Number(lane?.dataset.run ?? run)
                && (!Number(lane?.dataset.lane) || this.#runs[run].events[index].task === Number(lane.dataset.lane));
            const half = this.#byTime ? 0 : 0.5 / this.#moments.length;
            const far = (moment) => Math.abs(this.#x(this.#moments[moment], moment) + half - x);
            const own = this.#moments.map((it, moment) => ({ it, moment })).filter(({ it }) => isOwn(it));
            const all = own.length > 0 ? own : this.#moments.map((it, moment) => ({ it, moment }));
            this.#jump(all.reduce((best, it) => (far(it.moment) < far(best.moment) ? it : best)).moment);
        }
    };
}
