// What is shown of a moment, beside the lanes and the figure: the source and the machine.

"use strict";

{
    const { path, time, waits } = Player;
    const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

    /** How many tasks of the ready queue are shown. */
    const CHIPS = 12;

    /** A chip for a task: everywhere of one color and with its number. */
    const chip = (task, kind) => make("span", { class: `chip role-task ${kind}`, "data-task": task }, `task ${task}`);

    /** The function in which the event was recorded, with the lines where tasks are parked. */
    Player.Source = class {
        element = make("div", { class: "pane source" });
        #head = make("p", { class: "head" });
        #code = make("code");
        #box;
        #shown = null;

        constructor(title) {
            this.#box = make("pre", { tabindex: "0", role: "region", "aria-label": `The lines that run in ${title}` }, this.#code);
            this.element.append(this.#head, this.#box);
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
                this.#head.replaceChildren(link, about);
                this.#code.replaceChildren(...piece.lines.map(([number, html]) => {
                    const line = make("span", { class: "line", "data-n": number }, make("b"), make("span"));
                    line.lastChild.innerHTML = `${html}\n`; // from our own highlighter
                    return line;
                }));
            }
            this.#lightUp(run, state, lit);
        }

        #lightUp(run, state, lit) {
            const parked = new Map();
            for (const task of state.tasks.values()) {
                const [at, line] = run.at[task.line] ?? [];
                if (task.waits && run.pieces[at] === this.#shown) {
                    parked.set(line, [...(parked.get(line) ?? []), task.id]);
                }
            }
            [...this.#code.children].forEach((line, index) => {
                line.classList.toggle("lit", index === lit);
                const tasks = parked.get(index) ?? [];
                line.firstChild.textContent = tasks.length > 3 ? `${tasks.length}×` : tasks.join(" ");
            });
            const line = this.#code.children[lit];
            const middle = line ? line.offsetTop - (this.#box.clientHeight - line.offsetHeight) / 2 : 0;
            this.#box.scrollTo({ top: Math.max(0, middle), left: 0 });
        }
    };

    /** What runs, the ready queue, what waits where for what, and the timers. */
    Player.Machine = class {
        element = make("div", { class: "pane machine" });
        #run;
        #hasQueue;
        #hasTimers;
        #isOneOfTwo;
        #follow;
        #order;

        /** `follow` is called with the number of a task that is chosen in the table. */
        constructor(run, follow, title) {
            this.#run = run;
            this.#follow = follow;
            const has = (name) => run.events.some(({ event }) => event === name);
            this.#isOneOfTwo = Boolean(title); // two of them leave room for less
            this.#hasQueue = has("queued") && !this.#isOneOfTwo;
            this.#hasTimers = has("timer-set") && !this.#isOneOfTwo;
            this.#order = title ? [make("p", { class: "head title" }, title)] : [];
        }

        show({ state }) {
            const before = this.#places();
            const parts = [...this.#order, this.#part("Running", this.#running(state))];
            if (this.#hasQueue) {
                const queue = state.ready.slice(0, CHIPS).map((task) => chip(task, "ready"));
                if (state.ready.length > CHIPS) {
                    queue.push(` and ${state.ready.length - CHIPS} more`);
                }
                parts.push(this.#part("Ready queue", queue.length > 0 ? queue : [make("i", {}, "empty")]));
            }
            parts.push(this.#part("Waiting", [this.#waiting(state)], " waiting"));
            if (this.#hasTimers) {
                const timers = state.timers.slice(0, 4).map(({ task, when }) =>
                    make("span", { class: "chip role-loop timer" }, `${time(when)}${task ? `, task ${task}` : ""}`));
                const more = state.timers.length - timers.length;
                parts.push(this.#part("Timers", timers.length > 0
                    ? [...timers, ...(more > 0 ? [` and ${more} more`] : [])]
                    : [make("i", {}, "none")]));
            }
            this.element.replaceChildren(...parts);
            this.#slide(before);
        }

        #part(name, children, kind = "") {
            return make("div", { class: `part${kind}` }, make("p", { class: "head" }, name), make("div", { class: "chips" }, ...children));
        }

        #running(state) {
            if (state.asleep) {
                return [make("span", { class: "chip role-os asleep" }, "none: the thread sleeps in the OS")];
            }
            if (state.running === null) {
                return [make("span", { class: "chip role-loop" }, this.#loop())];
            }
            const name = path(state.tasks.get(state.running)?.name);
            return [chip(state.running, "running"), ...(name ? [make("code", {}, name)] : [])];
        }

        #loop() {
            const name = { 3: "executor and reactor", 4: "none of the tasks" }[Player.stage(this.#run.program)] ?? "the event loop";
            return this.#isOneOfTwo ? "the loop itself" : name;
        }

        #waiting(state) {
            const tasks = [...state.tasks.values()].filter((task) => task.waits && ["parked", "due"].includes(task.life));
            if (tasks.length === 0) {
                return make("i", {}, "no task");
            }
            // A recorder knows names, and no functions.
            const isRecorded = Player.stage(this.#run.program) === 4;
            const rows = tasks.slice(0, 6).map((task) => make("tr", { "data-row": task.id },
                make("td", {}, chip(task.id, "parked")),
                make("td", {}, make("code", {}, isRecorded ? task.name : (task.at ?? "").split(":").pop())),
                make("td", {}, waits(task.waits))));
            rows.forEach((row) => row.addEventListener("click", () => this.#follow(Number(row.dataset.row))));
            if (tasks.length > rows.length) {
                rows.push(make("tr", {}, make("td", { colspan: "3" }, `and ${tasks.length - rows.length} more`)));
            }
            const head = ["task", isRecorded ? "name" : "in", "waits for"].map((name) => make("th", { scope: "col" }, name));
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
