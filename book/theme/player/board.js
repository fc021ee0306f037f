// The board on which the reader is the operating system: what has happened, what the tasks do,
// and a button for each thing that may happen next.

"use strict";

{
    const { rich, time, path } = Player;

    const HAPPENED = {
        connected: "the connection is established",
        refused: "the connection is refused",
        bytes: "data arrives",
        closed: "the server closes the connection",
        reset: "the connection is reset",
        timer: "the next timer is due",
    };
    const FAILS = { connected: "refuse it", bytes: "reset it", closed: "reset it" };
    const TITLES = {
        "stage1-callbacks": "Callbacks",
        "stage2-generators": "Generators",
        "stage3-async": "async/await",
        "lost-wake": "Broken",
        "lost-wake-fixed": "Fixed",
    };
    const SIZES = { page: "1.4 MB", steps: "0.2 MB" };

    class Board {
        choices = [];
        #game;
        #fold;
        #names;
        #place;
        #element;
        #say = make("p", { class: "say", role: "status" });
        #next = make("div", { class: "choices" });
        #log = make("ol", {});
        #panes = make("div", { class: "panes" });
        #bar = make("div", { class: "bar" });
        #turn = 0;

        constructor(place) {
            this.#place = place;
            this.#names = place.dataset.games.split(" ");
            this.#game = this.#names[0];
            this.#fold = document.getElementById(place.dataset.why ?? "");
            const start = make("button", { type: "button" }, "Start the program");
            start.addEventListener("click", () => this.play(this.#game, []));
            this.#next.append(start);
            const log = make("div", { class: "pane log" }, make("p", { class: "head" }, "What has happened"), this.#log);
            this.#element = make("section", { class: "player system", tabindex: "-1", "aria-label": place.dataset.title },
                this.#bar, this.#say, this.#next, log, this.#panes);
            const size = SIZES[Player.games[this.#game].bundle ?? "page"];
            this.#say.append(`The program has not started. It is loaded when you start it: ${size}.`);
            this.#head();
            place.append(this.#element);
        }

        has(name) {
            return this.#names.includes(name);
        }

        /** Which program, one choice back, back to the start, and the link. */
        #head() {
            const button = (text, act, attributes = {}) => {
                const it = make("button", { type: "button", ...attributes }, text);
                it.addEventListener("click", act);
                return it;
            };
            const stages = this.#names.length < 2 ? [] : this.#names.map((name) =>
                button(TITLES[name], () => this.play(name, []), { "aria-pressed": String(name === this.#game) }));
            const link = make("a", { href: `#os=${this.#game}:${this.choices.join(".")}` }, "Link to this moment");
            const isAtStart = String(this.choices.length === 0);
            this.#bar.replaceChildren(...stages,
                button("Undo", () => this.#back(this.choices.slice(0, -1)), { "aria-disabled": isAtStart, class: "undo" }),
                button("Restart", () => this.#back([]), { "aria-disabled": isAtStart, class: "restart" }),
                ...(this.#turn > 0 ? [link] : []));
        }

        #back(choices) {
            if (this.choices.length > 0) {
                this.play(this.#game, choices, "undo");
            }
        }

        /** Runs a program with these choices, and shows where that leads. */
        async play(name, choices, focus = "next") {
            const turn = ++this.#turn;
            this.#say.replaceChildren("The program runs…");
            try {
                const result = await Player.runSystem(Player.games[name], choices);
                if (turn !== this.#turn) {
                    return; // there was another choice meanwhile
                }
                if (result.isWrong) {
                    return void this.play(name, []);
                }
                [this.#game, this.choices] = [name, choices];
                this.#show(result, focus);
            } catch (error) {
                this.#say.replaceChildren(`The program does not run in this browser: ${error.message}`);
            }
        }

        #show(result, focus) {
            this.#head();
            this.#next.replaceChildren(...this.#buttons(result));
            this.#log.replaceChildren(...this.#lines(result));
            this.#panes.replaceChildren(...this.#machine(result));
            this.#say.replaceChildren(...rich(this.#sentence(result)));
            const verdict = result.isOver ? Player.games[this.#game].verdict?.(result) : null;
            this.#element.classList.toggle("solved", Boolean(verdict?.isSolved));
            if (verdict) {
                this.#say.replaceChildren(verdict.why);
                if (this.#fold && verdict.isSolved) {
                    this.#fold.open = true;
                }
            }
            const target = focus === "next" ? this.#next.querySelector("button") : null;
            (target ?? this.#element.querySelector(".undo")).focus({ preventScroll: true });
        }

        #sentence({ isOver, run, moment }) {
            if (isOver) {
                return "The program has ended.";
            }
            const { asks } = Player.games[this.#game];
            if (asks) {
                return asks(moment);
            }
            const isHeld = this.choices.at(-1)?.endsWith("+");
            const asleep = isHeld ? "The program still sleeps and has noticed nothing of this." : "The program sleeps.";
            const count = run.states.at(-1)?.tasks.size;
            return `${asleep} ${count ? `*${Player.plural(count, "task has", "tasks have")}* not ended. ` : ""}What happens next?`;
        }

        #buttons({ asked, run }) {
            const { failures, together, title: titled } = Player.games[this.#game];
            return asked.map((choice, index) => {
                const { what, socket } = choice;
                const task = socket && Player.waiterOf(run, socket);
                const name = task ? ` (task ${task.id}${task.name?.startsWith("http") ? `, ${path(task.name)}` : ""})` : "";
                const title = titled?.(choice)
                    ?? (socket ? `Socket ${socket}${name}: ${HAPPENED[what]}` : "The next timer is due");
                const act = (text, word, label) => {
                    const button = make("button", { type: "button", "data-choice": word, ...(label ? { "aria-label": label } : {}) }, text);
                    button.addEventListener("click", () => this.play(this.#game, [...this.choices, word]));
                    return button;
                };
                const row = [act(title, `${index}`)];
                if (together && socket && asked.length > 1) {
                    row.push(act("… and something else before it wakes", `${index}+`, `… and something else before it wakes: ${title}`));
                }
                if (failures && FAILS[what]) {
                    row.push(act(FAILS[what], `${index}!`, `${FAILS[what]}: socket ${socket}`));
                }
                return make("div", { class: "row" }, ...row);
            });
        }

        /** A line for each thing that has happened, with when. */
        #lines({ log }) {
            const { happened } = Player.games[this.#game];
            return happened ? log.map((it) => make("li", {}, ...rich(happened(it)))) : log.flatMap(({ os, us, socket, count, chosen, choices }, index) => {
                const isTimer = os === "asked" && choices[chosen] && !choices[chosen].socket;
                if (!isTimer && !HAPPENED[os]) {
                    return [];
                }
                const bytes = count ? ` (${count} bytes)` : "";
                const text = isTimer ? "The next timer is due." : `Socket ${socket}: ${HAPPENED[os]}${bytes}.`;
                return [make("li", {}, text, " ", make("small", {}, time(isTimer ? log[index + 1]?.us ?? us : us)))];
            });
        }

        /** What the program did since, and how its tasks are: the player's own panes. */
        #machine({ run, out, rows }) {
            if (out) {
                const text = make("pre", { tabindex: "0", role: "region", "aria-label": "What the step prints" }, make("code", {}, out));
                return [make("div", { class: "pane" }, make("p", { class: "head" }, "The step has printed"), text)];
            }
            if (run.events.length === 0) {
                return [];
            }
            const moments = run.events.map((event, index) => ({ us: event.us, run: 0, index, event }));
            const whole = { ...run, moments: moments.map((_, index) => index) };
            const machine = new Player.Machine(whole, () => {});
            machine.show({ state: run.states.at(-1) });
            const lanes = new Player.Lanes([whole], moments, () => {});
            lanes.show(moments.length - 1, null);
            const woke = run.events.slice(0, -1).findLastIndex(({ event }) => event === "woke");
            const said = run.events.slice(woke + 1).map((_, index) =>
                make("li", {}, ...rich(Player.say(whole, woke + 1 + index))));
            const summary = make("summary", {}, `What the program did then (${Player.plural(said.length, "event")})`);
            const since = make("details", { class: "pane" }, summary, make("ol", {}, ...said));
            const ended = rows.length > 0 ? [make("div", { class: "pane" }, make("p", { class: "head" }, "The report"), make("ul", {}, ...rows.map(({ url, outcome }) => make("li", {}, `${path(url)}: ${outcome}`))))] : [];
            return [...ended, machine.element, since, lanes.element];
        }

        /** Plays it for a link. */
        open(name, choices) {
            this.#place.scrollIntoView({ block: "start" });
            return this.play(name, choices);
        }
    }

    const boards = [...document.querySelectorAll("main .system-board")].map((place) => new Board(place));

    /** What is after `#`, decoded. A reader may type what cannot be decoded. */
    function moment() {
        try {
            return decodeURIComponent(location.hash);
        } catch {
            return "";
        }
    }

    /** `#os=hang:0.0+.1` is a moment of the puzzle `hang`. */
    function followLink() {
        const [, name, list] = /^#os=([\w-]+):([\d.!+]*)$/.exec(moment()) ?? [];
        const board = boards.find((it) => name && it.has(name));
        board?.open(name, list.split(".").filter(Boolean));
    }
    window.addEventListener("hashchange", followLink);
    window.addEventListener("load", followLink);
}
