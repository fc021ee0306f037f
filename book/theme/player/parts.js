// What is shown of a moment, beside the lanes and the figure: the source and the machine.

"use strict";

{
    const { path, time, waits } = Player;
    const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

    /** How many tasks of a queue, or that run, are shown. */
    const CHIPS = 12;

    /** Of so many threads is shown what they run. */
    const THREADS = 8;

    /** A chip for a task: everywhere of one color and with its number. */
    const chip = (unit, task, kind) => make("span", { class: `chip role-task ${kind}`, "data-task": task }, `${unit} ${task}`.trim());

    /** Chips for these tasks, and how many more there are. */
    function chips(unit, tasks, kind) {
        const more = tasks.length - CHIPS;
        return [...tasks.slice(0, CHIPS).map((task) => chip(unit, task, kind)), ...(more > 0 ? [` and ${more} more`] : [])];
    }

    /** Of these events the line is not one that runs now, but where their task was left. */
    const LEFT = ["resumed", "finished", "cancelled"];

    /** The function in which the event was recorded, with the lines where tasks are parked. */
    Player.Source = class {
        element;
        #head = make("p", { class: "head" });
        #left = make("span", { class: "was" });
        #code = make("code");
        #box;
        #shown = null;
        #lit = null;

        constructor(title) {
            this.#box = make("pre", { tabindex: "0", role: "region", "aria-label": `The lines that run in ${title}` }, this.#code);
            this.element = make("details", { class: "pane source" }, make("summary", {}, "The code"), this.#head, this.#box);
            // On a phone it is folded.
            const isWide = matchMedia("(min-width: 601px)");
            const fold = () => { this.element.open = isWide.matches; };
            isWide.addEventListener("change", fold);
            fold();
            this.element.addEventListener("toggle", () => this.#reach());
        }

        show({ run, index, state }) {
            // Of an event without a line, the last one that had one is shown.
            const lines = [state.line, ...run.states.slice(0, index).map((it) => it.line).reverse()];
            const [at, lit] = run.at[lines.find((line) => run.at[line])] ?? [0, -1];
            const piece = run.pieces[at];
            if (!piece) {
                return;
            }
            if (this.#shown !== piece) {
                this.#shown = piece;
                const number = piece.lines[0][0];
                const link = make("a", { href: `${piece.page}#L${number}` }, piece.path.split("/src/").pop());
                const about = make("span");
                about.innerHTML = piece.around ? ` in <code>${piece.around}</code>` : "";
                this.#head.replaceChildren(make("span", {}, link, about), this.#left);
                this.#code.replaceChildren(...piece.lines.map(([number, html]) => {
                    const line = make("span", { class: "line", "data-n": number }, make("b"), make("span"));
                    line.lastChild.innerHTML = `${html}\n`; // from our own highlighter
                    return line;
                }));
            }
            this.#lightUp(run, state, lit, left(run, index));
        }

        /** Lights the line of now; one where the task was left has only an outline. */
        #lightUp(run, state, lit, left) {
            const parked = new Map();
            for (const task of state.tasks.values()) {
                const [at, line] = run.at[task.line] ?? [];
                if (task.waits && run.pieces[at] === this.#shown) {
                    parked.set(line, [...(parked.get(line) ?? []), task.id]);
                }
            }
            [...this.#code.children].forEach((line, index) => {
                line.classList.toggle("lit", index === lit && left === null);
                line.classList.toggle("was", index === lit && left !== null);
                const tasks = parked.get(index) ?? [];
                line.firstChild.textContent = tasks.length > 3 ? `${tasks.length}×` : tasks.join(" ");
            });
            this.#left.textContent = left ?? "";
            this.#lit = this.#code.children[lit] ?? null;
            this.#reach();
        }

        #reach() {
            const line = this.#lit;
            const middle = line ? line.offsetTop - (this.#box.clientHeight - line.offsetHeight) / 2 : 0;
            this.#box.scrollTo({ top: Math.max(0, middle), left: 0 });
        }
    };

    /** What the task of an event did at its line, and when, if that was in an earlier step. */
    function left({ events, moments, first = 1 }, index) {
        const { event, task, line } = events[index];
        const isIt = (it) => it.task === task && it.line === line && ["created", "paused"].includes(it.event);
        const before = LEFT.includes(event) ? events.slice(0, index).findLastIndex(isIt) : -1;
        if (before < 0) {
            return null;
        }
        const what = events[before].event === "created" ? "created here in" : "parked here since";
        return `task ${task}: ${what} step ${moments[before] + first}`;
    }

    /** As many rows has the table of waiting tasks. */
    const LONGEST = 6;

    const waiting = ({ tasks }) => [...tasks.values()].filter(({ waits, life }) => waits && ["parked", "due"].includes(life));

    /** The thread whose queue this is. */
    const ofThread = (queue) => /^queue of (.*)/.exec(queue)?.[1];

    /** What runs, the ready queue, what waits where for what, and the timers. */
    Player.Machine = class {
        element = make("div", { class: "pane machine" });
        #run;
        #unit;
        #hasTimers;
        #most; // tasks that wait at the same time
        #follow;

        /** `follow` is called with the number of a task that is chosen in the table. */
        constructor(run, follow) {
            this.#run = run;
            this.#unit = Player.unit(run);
            this.#follow = follow;
            this.#hasTimers = run.states.some(({ timers }) => timers.length > 0);
            this.#most = run.states.reduce((most, state) => Math.max(most, waiting(state).length), 0);
        }

        show({ index, state: all }) {
            const before = this.#places();
            // What a thread has taken out of a queue is not in it, although no event has told it yet.
            // Of a thread that has no place here, it stays there.
            const { thread: name } = this.#run.events[index] ?? {};
            const held = this.#run.threads.slice(0, THREADS).includes(name) ? Player.held(this.#run.events, all, index) : [];
            const state = held.length > 0 ? { ...all, ready: all.ready.filter((task) => !held.includes(task)) } : all;
            const parts = this.#run.threads.length > 0 ? this.#threads(state, { name, held }) : [this.#part("Running", this.#running(state))];
            // The queue of a thread is beside what the thread runs.
            for (const name of this.#run.queues.filter((it) => !ofThread(it))) {
                parts.push(this.#part(name ?? (this.#unit === "thread" ? "Ready to run" : "Ready queue"), this.#queue(name, state)));
            }
            if (this.#hasTimers) {
                const timers = state.timers.slice(0, 2).map(({ task, when }) =>
                    make("span", { class: "chip role-loop timer" }, `${time(when)}${task ? `, task ${task}` : ""}`));
                const more = state.timers.length - timers.length;
                parts.push(this.#part("Timers", timers.length > 0
                    ? [...timers, ...(more > 0 ? [` and ${more} more`] : [])]
                    : [make("i", {}, "none")]));
            }
            this.element.replaceChildren(...parts, ...(this.#most > 0 ? [this.#waiting(state)] : []));
            this.#slide(before);
        }

        #part(name, children) {
            return make("div", { class: "part" }, make("p", { class: "head" }, name), make("div", { class: "chips" }, ...children));
        }

        /** The ready tasks of a queue. */
        #queue(name, { ready, tasks }) {
            const all = name === null ? ready : ready.filter((task) => tasks.get(task).queue === name);
            // Of several queues, the numbers are enough.
            const shown = chips(name === null ? this.#unit : "", all, "ready");
            return shown.length > 0 ? shown : [make("i", {}, "empty")];
        }

        /** For each thread what it runs, and its queue, if it has one; and what all others run. */
        #threads(state, { name: holder, held }) {
            const shown = this.#run.threads.slice(0, THREADS);
            const parts = shown.map((name) => {
                const runs = state.running.filter((task) => state.tasks.get(task).thread === name);
                const own = this.#run.queues.find((it) => ofThread(it) === name);
                return this.#part(name, [
                    ...(name === holder && held.length > 0 ? ["has taken ", ...chips("", held, "held")] : this.#runs(runs, "runs")),
                    ...(own ? ["queue: ", ...this.#queue(own, state)] : []),
                ]);
            });
            const others = state.running.filter((task) => !shown.includes(state.tasks.get(task).thread));
            if (this.#run.threads.length > THREADS || others.length > 0) {
                parts.push(this.#part("other threads", this.#runs(others, "run")));
            }
            return parts;
        }

        #runs(tasks, verb) {
            return tasks.length > 0 ? [`${verb} `, ...chips(this.#unit, tasks, "running")] : [make("i", {}, `${verb} no ${this.#unit}`)];
        }

        #running(state) {
            if (state.asleep) {
                return [make("span", { class: "chip role-os asleep" }, "none: asleep in the OS")];
            }
            if (state.running.length === 0) {
                return [make("span", { class: "chip role-loop" }, this.#loop())];
            }
            const isNamed = state.running.length === 1 && this.#unit === "task";
            const name = isNamed ? path(state.tasks.get(state.running[0])?.name) : "";
            return [...chips(this.#unit, state.running, "running"), ...(name ? [make("code", {}, name)] : [])];
        }

        #loop() {
            return { 3: "executor and reactor", 4: "none of the tasks", 5: "none of the threads" }[Player.stage(this.#run.program)] ?? "the event loop";
        }

        #waiting(state) {
            const tasks = waiting(state);
            // A recorder knows names, and no functions.
            const isRecorded = Player.stage(this.#run.program) === 4;
            const rows = tasks.slice(0, LONGEST).map((task) => make("tr", { "data-row": task.id },
                make("td", {}, chip(this.#unit, task.id, "parked")),
                make("td", {}, make("code", {}, isRecorded ? task.name : (task.at ?? "").split(":").pop())),
                make("td", {}, waits(task.waits))));
            rows.forEach((row) => row.addEventListener("click", () => this.#follow(Number(row.dataset.row))));
            const more = tasks.length - rows.length;
            if (more > 0 || rows.length === 0) {
                const text = more > 0 ? `and ${more} more` : make("i", {}, `no ${this.#unit}`);
                rows.push(make("tr", {}, make("td", { colspan: "3" }, text)));
            }
            // So that its height stays.
            while (rows.length < Math.min(this.#most, LONGEST + 1)) {
                rows.push(make("tr", { class: "free" }, make("td", { colspan: "3" }, "\u00a0")));
            }
            const head = ["Waiting", isRecorded ? "name" : "in", "for"].map((name) => make("th", { scope: "col" }, name));
            return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
        }

        /* A chip that is elsewhere now slides there from where it was. */

        #places() {
            const chips = [...this.element.querySelectorAll("[data-task]")];
            return new Map(chips.map((it) => [it.dataset.task, it.getBoundingClientRect()]));
        }

        #slide(before) {
            if (reduced()) {
                return;
            }
            for (const it of this.element.querySelectorAll("[data-task]")) {
                const [was, is] = [before.get(it.dataset.task), it.getBoundingClientRect()];
                if (was && (was.x !== is.x || was.y !== is.y)) {
                    const from = `translate(${was.x - is.x}px, ${was.y - is.y}px)`;
                    it.animate([{ transform: from }, { transform: "none" }], { duration: 260, easing: "ease-out" });
                }
            }
        }
    };
}
