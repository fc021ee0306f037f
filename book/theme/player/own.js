// Plays a trace that the reader drops on the page, and says what looks wrong in it. A long trace
// is played in parts, so that the page has no more nodes than for a short one.

"use strict";

{
    const { plural, rich, short, time, waits } = Player;

    /** How many events are played at a time, and how many tasks, and how many threads, have lanes. */
    const PART = 300;
    const LANES = 12;

    /** How many findings of a kind are listed, and how many tasks that have not ended. */
    const LISTED = 8;

    /** The largest file that is read, in bytes: about two million events. */
    const LARGEST = 256 * 1024 * 1024;

    const count = (number) => number.toLocaleString("en-US");

    class OwnTrace {
        #input = make("input", { type: "file" });
        #result = make("div", { class: "result" });
        // Screen readers read what changes in a place that they know: it stays.
        #say = make("p", { class: "summary", role: "status" });
        #name;
        #program;
        #events;
        #unit; // what is numbered
        #threads; // of the whole trace, and its queues: a part may have fewer
        #queues;
        #part;
        #parts;
        #place = make("div", { class: "trace" });
        #player;
        #turn = 0; // the file that was chosen last is shown

        constructor(place) {
            const label = make("label", {}, make("strong", {}, "Choose a trace"), " or drop it here ", this.#input);
            const drop = make("div", { class: "drop" }, label);
            this.#input.addEventListener("click", () => { this.#input.value = ""; }); // the same file again
            this.#input.addEventListener("change", () => this.open(this.#input.files[0]));
            for (const [name, isOver] of [["dragenter", true], ["dragover", true], ["dragleave", false], ["drop", false]]) {
                place.addEventListener(name, (event) => {
                    event.preventDefault();
                    drop.classList.toggle("over", isOver);
                });
            }
            place.addEventListener("drop", ({ dataTransfer }) => this.open(dataTransfer.files[0]));
            place.replaceChildren(drop, this.#say, this.#result);
        }

        async open(file) {
            if (!file) {
                return;
            }
            const turn = ++this.#turn;
            if (file.size > LARGEST) {
                this.fail(file.name, `The file has ${count(Math.ceil(file.size / 1e6))} MB, and this page reads at most ${count(Math.floor(LARGEST / 1e6))} MB. Record less, or cut the file after a line.`);
                return;
            }
            let trace;
            try {
                trace = Player.read(await file.text());
            } catch (error) {
                // It cannot be read, it is a folder, or it is no trace.
                return void (turn === this.#turn && this.fail(file.name, error.message));
            }
            if (turn !== this.#turn) {
                return;
            }
            try {
                this.show(file.name, trace);
            } catch (error) {
                this.fail(file.name, error.message); // no part of a player is left behind
            }
        }

        show(name, trace) {
            const { program } = trace;
            const events = Player.awaited(trace.events); // a part alone does not tell it
            const unit = Player.unit(trace);
            [this.#name, this.#program, this.#events] = [name, program, events];
            [this.#unit, this.#threads, this.#queues] = [unit, Player.threadNames(events), Player.queueNames(events)];
            const { findings, left } = Player.wrong(events, unit);
            this.#parts = Math.ceil(events.length / PART);
            const span = time(events.at(-1).us - events[0].us);
            const tasks = new Set(events.map(({ task }) => task).filter(Boolean)).size;
            this.#say.replaceChildren(...rich(`*${name.replaceAll("*", "")}*: ${count(events.length)} events of ${plural(tasks, unit)} over ${span}, by \`${trace.name.slice(0, 40).replaceAll("`", "'")}\`. `
                + (findings.length > 0 ? `${plural(findings.length, "thing looks", "things look")} wrong.`
                    : left.length > 0 ? `Nothing looks wrong, but ${plural(left.length, `${unit} has`, `${unit}s have`)} not ended.` : "Nothing looks wrong.")
                + (trace.isCut ? " The last line is not complete and is left out." : "")));
            this.#result.replaceChildren(...this.#findings(findings), ...this.#left(left, findings.length === 0), this.#bar(), this.#place);
            this.play(findings[0]?.at ?? 0, findings[0]?.task);
        }

        fail(name, message) {
            this.#say.replaceChildren(...rich(`*${name.replaceAll("*", "")}* cannot be played. ${message}`));
            this.#result.replaceChildren();
            this.#player?.stop();
            Player.players.delete("own");
        }

        /** A list for each kind of finding, with the links of its row in the page's table. */
        #findings(findings) {
            const rows = [...document.querySelectorAll("#what-looks-wrong ~ * tbody tr")];
            return Object.entries(Player.KINDS).flatMap(([kind, name]) => {
                const all = findings.filter((it) => it.kind === kind);
                const items = all.slice(0, LISTED).map(({ at, task, text }) =>
                    make("li", {}, ...rich(text), " ", this.#button(at, task)));
                if (all.length > LISTED) {
                    items.push(make("li", {}, `… and ${count(all.length - LISTED)} more`));
                }
                const row = rows.find(({ cells }) => cells[0].textContent === name);
                const links = [...(row?.cells[2].cloneNode(true).childNodes ?? [])];
                const head = make("p", { class: "kind" }, name, " (", ...links, ")");
                return items.length > 0 ? [make("div", { class: "finding", "data-kind": kind }, head, make("ul", {}, ...items))] : [];
            });
        }

        /** A list of the tasks that have not ended, open if nothing else is there to look at. */
        #left(left, isOpen) {
            const items = left.slice(0, LISTED).map(({ task, name, at, waits: reason }) =>
                make("li", {}, ...rich(`*${this.#unit} ${task}* `.replace("t", "T")), make("code", {}, short(name)), reason ? `, which waits for ${waits(reason)} ` : " ", this.#button(at, task)));
            if (left.length > LISTED) {
                items.push(make("li", {}, `… and ${count(left.length - LISTED)} more`));
            }
            const head = make("summary", {}, `${plural(left.length, this.#unit)} had not ended when the trace did`);
            return items.length > 0 ? [make("details", { class: "unended", ...(isOpen && { open: "" }) }, head, make("ul", {}, ...items))] : [];
        }

        #button(at, task) {
            const button = make("button", { type: "button" }, `event ${count(at + 1)}`);
            button.addEventListener("click", () => {
                this.play(at, task);
                this.#place.scrollIntoView({ block: "start" });
            });
            return button;
        }

        /** Chooses the part of a long trace. */
        #bar() {
            if (this.#parts === 1) {
                return "";
            }
            this.#part = make("input", { type: "range", min: "1", max: String(this.#parts), "aria-label": "Part of the trace" });
            this.#part.addEventListener("change", () => this.play((Number(this.#part.value) - 1) * PART));
            const to = (step) => () => this.play((Math.min(Math.max(Number(this.#part.value) + step, 1), this.#parts) - 1) * PART);
            const [back, on] = [["Earlier", -1], ["Later", 1]].map(([name, step]) => {
                const button = make("button", { type: "button" }, name);
                button.addEventListener("click", to(step));
                return button;
            });
            return make("div", { class: "parts" }, back, this.#part, on, make("output", {}));
        }

        /** Plays the part with this event, and shows it, with a lane for this task. */
        play(at, task = null) {
            const from = Math.floor(at / PART) * PART;
            const events = this.#events.slice(from, from + PART);
            const start = Player.after(this.#events, from);
            const threads = this.#threads.slice(0, LANES);
            const moreThreads = this.#threads.length - threads.length;
            const run = { program: this.#program, events, start, threads, moreThreads, queues: this.#queues, at: {}, pieces: [], first: from + 1, all: this.#events.length, ...this.#lanes(events, start, task) };
            const bar = this.#part?.parentElement;
            if (bar?.isConnected) {
                this.#part.value = String(from / PART + 1);
                const text = `events ${count(from + 1)} to ${count(from + events.length)} of ${count(this.#events.length)}`;
                this.#part.setAttribute("aria-valuetext", text);
                bar.lastChild.textContent = text;
            }
            this.#place.replaceChildren();
            this.#place.dataset.player = this.#name;
            this.#player?.stop();
            this.#player = new Player.StepPlayer(this.#place, { rows: [], runs: [run], stops: [] });
            for (const [hidden, unit] of [[run.hidden, this.#unit], [moreThreads, "thread"]].filter(([hidden]) => hidden > 0)) {
                this.#place.append(make("p", { class: "hidden" }, `${plural(hidden, `other ${unit} has`, `other ${unit}s have`)} no lane here.`));
            }
            Player.players.set("own", this.#player);
            this.#player.jump(at - from);
        }

        /** Which tasks of a part have lanes: this one, those with events, and then the others. */
        #lanes(events, start, task) {
            const names = new Map([...start.tasks.values()].map((it) => [it.id, it.name]));
            for (const event of events) {
                if (event.event === "created") {
                    names.set(event.task, event.for);
                }
            }
            const all = new Set([task, ...events.map((event) => event.task), ...start.tasks.keys()].filter((it) => names.has(it)));
            const shown = [...all].slice(0, LANES).sort((a, b) => a - b);
            const isRecorded = Player.stage(this.#program) === 4;
            const labels = new Map(isRecorded ? shown.map((it) => [it, names.get(it)]) : []);
            return { shown, names: labels, hidden: all.size - shown.length };
        }
    }

    const own = [...document.querySelectorAll("main .own-trace")].map((place) => new OwnTrace(place));

    // `cargo lab play FILE` writes this script and opens the page: a page of a file may not read
    // another file.
    if (own.length > 0 && location.hash === "#played") {
        const script = make("script", { src: "played.js" });
        script.addEventListener("load", () => own[0].open(new File([Player.played.text], Player.played.name)));
        script.addEventListener("error", () => own[0].fail("played.js", "It is not there: run `cargo lab play FILE` again."));
        document.body.append(script);
    }
}
