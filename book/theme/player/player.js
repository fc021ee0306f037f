// Plays a trace in the page, event by event. The table of the trace stays, and its current row
// is marked. See README.md.

"use strict";

{
    const { rich, time } = Player;

    /** How wide a player is at the most, and what it leaves free beside it, in pixels. */
    const [WIDEST, MARGIN] = [1180, 16];

    Player.StepPlayer = class StepPlayer {
        at = 0;
        stops;
        /** The first and the last moment of the table; all, if there are two runs or no table. */
        excerpt;
        #name;
        #runs;
        #moments;
        #rows; // of the table
        #source; // of one run only
        #parts;
        #lanes;
        #turns = null; // of one run of an executor
        #controls;
        #say = make("p", { class: "say", role: "status" });
        #follow = make("select", {});
        #place;
        #element;

        constructor(place, data) {
            this.#name = place.dataset.player;
            this.#place = place;
            this.#rows = [...place.querySelectorAll("tbody tr")].map((row, index) => ({ row, event: data.rows[index] }));
            this.#runs = data.runs.map((run) => ({
                threads: Player.threadNames(run.events),
                queues: Player.queueNames(run.events),
                ...run,
                events: Player.awaited(run.events),
            })).map((run) => ({ ...run, states: Player.fold(run.events, run.start).states, moments: [] }));
            this.#moments = this.#runs
                .flatMap(({ events }, run) => events.map((event, index) => ({ us: event.us, run, index, event })))
                .filter(({ index, run }) => !data.steps || data.steps[run].includes(index))
                .sort((a, b) => a.us - b.us || a.run - b.run || a.index - b.index);
            this.#moments.forEach(({ run, index }, moment) => { this.#runs[run].moments[index] = moment; });
            const asked = this.#runs.at(-1);
            const title = asked.title ? `*${asked.title}*: ` : "";
            const stops = data.stops.map((stop) => ({ ...stop, ask: title + stop.ask, moment: asked.moments[stop.at] }));
            this.stops = new Player.Stops(stops, () => { this.#show(); this.#take(); });
            const jump = (moment) => { this.#controls.stop(); this.jump(moment); };
            const isWhole = this.#runs.length > 1 || this.#rows.length === 0;
            const [first, last] = isWhole ? [0, this.last] : [this.momentOf(1), this.momentOf(this.#rows.length)];
            this.excerpt = { first, last, isAll: first === 0 && last === this.last };
            this.#lanes = new Player.Lanes(this.#runs, this.#moments, jump, this.excerpt);
            const [{ program, moments, events, threads }] = this.#runs;
            if (data.spins && this.#runs.length === 1 && Player.stage(program) === 3 && threads.length === 0 && moments.length === events.length) {
                this.#turns = new Player.Turns(this.#runs[0], data.spins, (index) => {
                    this.#jump(moments[index] ?? 0);
                    this.#take();
                });
            }
            this.#build(place, data);
            this.#rows.forEach(({ row }, index) => {
                row.addEventListener("click", () => jump(this.momentOf(index + 1)));
            });
            this.jump(first);
        }

        #build(place, data) {
            const title = `the trace ${this.#name}`;
            this.#controls = new Player.Controls(this, title, ...this.#choice());
            const follow = (task) => this.follow(task);
            const isOne = this.#runs.length === 1;
            const machines = this.#runs.map((run) => (isOne ? new Player.Machine(run, follow) : new Player.Pages(run.title)));
            const figures = data.figure && document.getElementById(`fig-${data.figure}`)
                ? [new Player.Figure(data.figure, data.lights)] : [];
            this.#parts = [...machines, ...figures];
            // In the order of a phone, which has them below each other.
            const panes = make("div", { class: "panes" },
                ...[...figures, this.#lanes, ...machines].map((it) => it.element));
            if (isOne && this.#runs[0].pieces.length > 0) {
                this.#source = new Player.Source(title);
                panes.append(this.#source.element);
            }
            const told = make("div", { class: "told" }, this.#say, this.#hint(), this.#lanes.chain, this.stops.element, ...(this.#turns ? [this.#turns.element] : []));
            this.#element = make("section", { class: "player", tabindex: "0", "aria-label": `Step player of ${title}` },
                this.#controls.element, told, panes);
            this.#element.addEventListener("keydown", (event) => this.key(event));
            place.prepend(this.#element);
            figures.forEach((it) => it.crop());
        }

        /** Of one run the reader can follow a task. */
        #choice() {
            if (this.#runs.length > 1) {
                return [];
            }
            const tasks = new Set(this.#runs[0].events.map(({ task }) => task).filter(Boolean));
            const unit = Player.unit(this.#runs[0]);
            this.#follow.append(make("option", { value: "" }, `all ${unit}s`),
                ...[...tasks].sort((a, b) => a - b).map((task) => make("option", { value: task }, `${unit} ${task}`)));
            this.#follow.addEventListener("change", () => this.#show());
            return [make("label", {}, "Follow ", this.#follow), ...(this.#turns ? [this.#turns.button] : [])];
        }

        #hint() {
            const hint = make("p", { class: "hint" });
            hint.innerHTML = "<kbd>←</kbd> <kbd>→</kbd> step, <kbd>Shift</kbd> <kbd>→</kbd> next tick, <kbd>Space</kbd> play";
            if (this.#runs.length === 1) {
                hint.append(", ", make("kbd", {}, "w"), " why");
            }
            const { first, last, isAll } = this.excerpt;
            if (!isAll) {
                hint.append(` · The table below is about steps ${first + 1} to ${last + 1} of ${this.last + 1}, `
                    + "and playing stops after them. ");
                hint.append(make("kbd", {}, "Home"), " ", make("kbd", {}, "End"), " the rest");
            }
            return hint;
        }

        /** Takes the room that the page leaves beside the text, where it needs it. */
        widen(room) {
            const own = this.#place.getBoundingClientRect();
            const width = Math.min(room.width - 2 * MARGIN, WIDEST);
            const isWider = width > own.width;
            this.#element.style.inlineSize = isWider ? `${width}px` : "";
            this.#element.style.marginInlineStart = isWider ? `${room.left + (room.width - width) / 2 - own.left}px` : "";
        }

        /** Whether it covers a part of the window that is this box's, too. */
        covers(box) {
            const { top, bottom, right } = this.#element.getBoundingClientRect();
            return right > box.left && top < box.bottom && bottom > box.top;
        }

        /** Does what a key asks for. */
        key(event) {
            if (this.#controls.key(event) && !this.#element.contains(document.activeElement)) {
                this.#take();
            }
        }

        /** Takes the focus: what had it may be gone, as the buttons of a question are. */
        #take() {
            this.#element.focus({ preventScroll: true });
        }

        /** Returns how high its visible part is, in pixels; 0 if that is neither half of the player nor half of the window. */
        get seen() {
            const { top, bottom, height } = this.#element.getBoundingClientRect();
            const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
            return seen >= Math.min(height, innerHeight) / 2 ? seen : 0;
        }

        /** Chooses by a digit: the answer to a question, or what the executor does. */
        choose(key) {
            return this.stops.key(key) || Boolean(this.#turns?.key(key));
        }

        /** Shows or hides what has led to the run of the task. */
        why() {
            this.#lanes.why();
        }

        get last() {
            return this.#moments.length - 1;
        }

        get isAsleep() {
            const { run, index } = this.#moments[this.at];
            return this.#runs[run].events[index].event === "slept";
        }

        /** The moment of a row of the table, counted from 1. */
        momentOf(row) {
            const [run, index] = this.#rows[row - 1]?.event ?? [0, 0];
            return this.#runs[run].moments[index] ?? 0;
        }

        get #followed() {
            return this.#follow.value === "" ? null : Number(this.#follow.value);
        }

        /** Steps stop only at the events of this task, until it is chosen again. */
        follow(task) {
            this.#follow.value = this.#followed === task ? "" : String(task);
            this.#show();
        }

        #event(moment) {
            const { run, index } = this.#moments[moment];
            return this.#runs[run].events[index];
        }

        /** The next moment in this direction of which something is so, or the last one. */
        #find(way, isIt) {
            let moment = this.at + way;
            while (moment > 0 && moment < this.last && !isIt(this.#event(moment))) {
                moment += way;
            }
            return Math.min(Math.max(moment, 0), this.last);
        }

        #isFollowed = (event) => this.#followed === null || event.task === this.#followed;

        /** One step; returns whether there was one. A question is asked first. */
        step() {
            return this.#on(this.#find(1, this.#isFollowed));
        }

        /** On to the next sleep of the loop. */
        tick() {
            return this.#on(this.#find(1, ({ event }) => event === "slept"));
        }

        back() {
            this.jump(this.#find(-1, this.#isFollowed));
        }

        tickBack() {
            this.jump(this.#find(-1, ({ event }) => event === "slept"));
        }

        #on(moment) {
            if (this.stops.isOpen || this.#turns?.isOn) {
                return false;
            }
            const stop = this.stops.between(this.at, moment);
            if (stop) {
                this.at = stop.moment - 1;
                this.stops.ask(stop);
                this.#lanes.why(false); // a list over the answers
                this.#show();
                this.#controls.stop();
                return false;
            }
            const isMoved = moment !== this.at;
            this.jump(moment);
            return isMoved;
        }

        /** Shows a moment, without questions on the way. */
        jump(moment) {
            this.#turns?.close();
            this.#jump(moment);
        }

        #jump(moment) {
            this.at = Math.min(Math.max(moment, 0), this.last);
            this.stops.close();
            this.#show();
        }

        /** What is shown. A question is about the event before its own: of two runs, the moment
         * before may be one of the other run. */
        get #shown() {
            const { shown } = this.stops;
            return shown ? { run: this.#runs.length - 1, index: shown.at - 1 } : this.#moments[this.at];
        }

        #show() {
            const { run: which, index } = this.#shown;
            const run = this.#runs[which];
            const event = run.events[index];
            const { us } = event;
            this.#runs.forEach((other, number) => {
                // The state of the other run at this time.
                const last = number === which ? index
                    : other.events.findLastIndex((it) => it.us <= us);
                const state = other.states[last] ?? other.start ?? Player.START;
                const own = this.#runs.length > 1 ? [this.#parts[number]] : this.#parts;
                own.forEach((part) => part.show({ run: other, index: last, event, state }));
            });
            const text = this.#runs.length > 1 ? `*${run.title}*: ${Player.Pages.say(run, index)}` : Player.say(run, index);
            this.#source?.show({ run, index, state: run.states[index] });
            this.#say.replaceChildren(...rich(text));
            this.#lanes.show(this.at, this.#followed);
            const { first = 1, all = this.last + 1 } = this.#runs[0]; // of a part of a long trace
            this.#controls.show(this.at, `step ${(this.at + first).toLocaleString("en-US")} of ${all.toLocaleString("en-US")}, ${time(us)}`);
            this.#mark(which, index);
        }

        /** Marks the row of this event. */
        #mark(run, index) {
            this.#rows.forEach(({ row, event }) => {
                if (event?.[0] === run && event[1] === index) {
                    row.setAttribute("aria-current", "step");
                } else {
                    row.removeAttribute("aria-current");
                }
            });
        }

        /** Stops playing: another player takes its place. */
        stop() {
            this.#controls.stop();
        }

        /** Opens at a step, as a link to it does. */
        open(step) {
            this.#controls.stop();
            this.jump(step - 1);
            this.#element.scrollIntoView({ block: "start" });
            this.#take();
        }
    };

    /** The players of this page, by the names of their traces. */
    Player.players = new Map();
    for (const place of document.querySelectorAll("main .trace[data-player]")) {
        const { player } = place.dataset;
        if (Player.data?.[player]) {
            Player.players.set(player, new Player.StepPlayer(place, Player.data[player]));
        }
    }

    // The page has room beside its text, and what is there gives way to a player.
    const players = () => [...Player.players.values()];
    const content = document.querySelector(".content");
    const giveWay = () => {
        const contents = content.querySelector(".steps");
        const isCovered = contents && players().some((it) => it.covers(contents.getBoundingClientRect()));
        contents?.classList.toggle("covered", Boolean(isCovered));
    };
    new ResizeObserver(() => {
        players().forEach((it) => it.widen(content.getBoundingClientRect()));
        giveWay();
    }).observe(content);
    window.addEventListener("scroll", giveWay, { passive: true });

    // While nothing has the focus, the arrow keys are those of the player in view, before
    // mdBook turns a page.
    document.addEventListener("keydown", (event) => {
        const isFree = document.activeElement === null || document.activeElement.matches("body, main");
        if (isFree && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
            const [first] = players().toSorted((a, b) => b.seen - a.seen);
            if (first?.seen > 0) {
                first.key(event);
            }
        }
    }, true);
}
