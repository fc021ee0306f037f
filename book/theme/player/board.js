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
        hang: "Broken",
        "hang-fixed": "Fixed",
        "lost-wake": "Broken",
        "lost-wake-fixed": "Fixed",
        forgotten: "Forgotten",
        stale: "Stale",
        handed: "Fixed",
    };

    /** How long an event is shown of what the program has done, and how long all of them, in milliseconds. */
    const [EVENT, ALL] = [150, 2400];

    function button(text, act, attributes = {}) {
        const it = make("button", { type: "button", ...attributes }, text);
        it.addEventListener("click", act);
        return it;
    }

    class Board {
        choices = [];
        #game;
        #fold;
        #names;
        #place;
        #element;
        #say = make("p", { class: "say", role: "status" });
        #next = make("div", { class: "choices" });
        #goals = make("ul", { class: "goals", hidden: "" });
        #reached = new Set();
        #log = make("ol", {});
        #happened;
        #panes = make("div", { class: "panes" });
        #bar = make("div", { class: "bar" });
        #ways = new Player.Ways();
        #threads = null;
        #turn = 0;

        constructor(place) {
            this.#place = place;
            this.#names = place.dataset.games.split(" ");
            this.#game = this.#names[0];
            this.#fold = document.getElementById(place.dataset.why ?? "");
            this.#next.append(button("Start the program", () => this.play(this.#game, [])));
            const game = Player.games[this.#game];
            this.#threads = game.listings ? new Player.Threads(game) : null;
            this.#happened = make("div", { tabindex: "0", role: "region", "aria-label": "What has happened" }, this.#log);
            const log = make("div", { class: "pane log" }, make("p", { class: "head" }, "What has happened"), this.#happened);
            this.#element = make("section", { class: "player system", tabindex: "-1", "aria-label": place.dataset.title },
                this.#bar, this.#say, this.#goals, make("div", { class: "above" }, this.#next, log),
                ...(this.#threads ? [this.#threads.element] : []), this.#ways.element, this.#panes);
            this.#say.append(`The program has not started. It is loaded when you start it: ${Player.sizes[game.bundle ?? "page"]}.`);
            this.#head();
            this.#aim(null);
            place.append(this.#element);
        }

        has(name) {
            return this.#names.includes(name);
        }

        /** Which program, one choice back, back to the start, and the link. */
        #head() {
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
                await this.#ways.show(name, choices);
            } catch (error) {
                this.#fail(turn, error);
            }
        }

        #fail(turn, error) {
            if (turn === this.#turn) {
                this.#say.replaceChildren(`The program does not run in this browser: ${error.message}`);
            }
        }

        #show(result, focus) {
            const game = Player.games[this.#game];
            this.#head();
            this.#next.replaceChildren(...(result.isOver ? this.#after() : this.#buttons(result)));
            this.#log.replaceChildren(...this.#lines(result));
            this.#happened.scrollTop = this.#happened.scrollHeight;
            this.#threads?.show(game, result);
            this.#panes.replaceChildren(...this.#machine(result));
            this.#say.replaceChildren(...rich(this.#sentence(result)));
            const verdict = result.isOver ? game.verdict(result) : null;
            const isSolved = verdict?.kind === "lost";
            this.#element.classList.toggle("solved", isSolved);
            if (verdict) {
                this.#say.replaceChildren(verdict.why);
                if (this.#fold && isSolved) {
                    this.#fold.open = true;
                }
            }
            this.#aim(result);
            const target = focus === "next" ? this.#next.querySelector("button") : null;
            (target ?? this.#element.querySelector(".undo")).focus({ preventScroll: true });
        }

        /** The goals of a game, and which of them were reached in this visit. */
        #aim(result) {
            const goals = Object.entries(Player.games[this.#game].goals ?? {});
            this.#goals.hidden = goals.length === 0;
            this.#goals.replaceChildren(...goals.map(([name, [text, isReached]]) => {
                const id = `${this.#game} ${name}`;
                if (result?.isOver && isReached(result)) {
                    this.#reached.add(id);
                }
                const is = this.#reached.has(id);
                return make("li", { class: is ? "reached" : "", "data-goal": name },
                    make("span", {}, is ? "✓ reached: " : "Goal: "), ...rich(text));
            }));
        }

        #sentence({ isOver, run, moment }) {
            const { asks } = Player.games[this.#game];
            if (isOver || asks) {
                return isOver ? "The program has ended." : asks(moment);
            }
            const isHeld = this.choices.at(-1)?.endsWith("+");
            const asleep = isHeld ? "The program still sleeps and has noticed nothing of this." : "The program sleeps.";
            const count = run.states.at(-1)?.tasks.size;
            return `${asleep} ${count ? `*${Player.plural(count, "task has", "tasks have")}* not ended. ` : ""}What happens next?`;
        }

        /** A row for each thing that may happen next, with a button for each way in which it may. */
        #buttons(result) {
            const { words, title: titled } = Player.games[this.#game];
            const all = words(result.asked, result);
            return result.asked.flatMap((choice, index) => {
                const { what, socket } = choice;
                const task = socket && Player.waiterOf(result.run, socket);
                const name = task ? ` (task ${task.id}${task.name?.startsWith("http") ? `, ${path(task.name)}` : ""})` : "";
                const title = titled?.(choice)
                    ?? (socket ? `Socket ${socket}${name}: ${HAPPENED[what]}` : "The next timer is due");
                const texts = {
                    "": [title],
                    "+": ["… and more before it wakes", `… and more before it wakes: ${title}`],
                    "!": [FAILS[what], `${FAILS[what]}: socket ${socket}`],
                };
                const row = all.filter((word) => parseInt(word, 10) === index).map((word) => {
                    const [text, label] = texts[word.replace(/^\d+/, "")];
                    return button(text, () => this.play(this.#game, [...this.choices, word]),
                        { "data-choice": word, ...(label ? { "aria-label": label } : {}) });
                });
                return row.length > 0 ? [make("div", { class: "row" }, ...row)] : [];
            });
        }

        /** What there is to do after the end: the same with the next program, or once more. */
        #after() {
            const next = this.#names[this.#names.indexOf(this.#game) + 1];
            if (!next) {
                return [button("Once more, from the start", () => this.play(this.#game, []))];
            }
            const { goals } = Player.games[next];
            return [goals
                ? button(`The same again with ${TITLES[next]}`, () => this.#same(next), { class: "same" })
                : button(`Now the next one: ${TITLES[next]}`, () => this.play(next, []))];
        }

        /** Lets another program meet the same: each thing that it can meet, too. (A crawler that keeps
         * its connections has fewer to establish.) */
        async #same(name) {
            const turn = ++this.#turn;
            this.#say.replaceChildren("The program runs…");
            try {
                const same = await this.#translated(name);
                if (turn === this.#turn) {
                    await this.play(name, same);
                }
            } catch (error) {
                this.#fail(turn, error);
            }
        }

        async #translated(name) {
            const [from, to] = [Player.games[this.#game], Player.games[name]];
            /** What a choice is about. A worker of stage 3 has no page before its second poll. */
            const about = ({ run }, { what, socket }) => {
                const name = socket ? Player.waiterOf(run, socket)?.name ?? "" : "timer";
                return { what, page: name.startsWith("http") || !socket ? name : null };
            };
            const isSame = (one, other) => one.what === other.what && (one.page === other.page || !one.page || !other.page);
            const same = [];
            for (const [index, word] of this.choices.entries()) {
                const was = await Player.runSystem(from, this.choices.slice(0, index));
                const event = about(was, was.asked[parseInt(word, 10)]);
                const find = async () => {
                    const is = await Player.runSystem(to, same);
                    const found = is.asked.findIndex((it) => isSame(about(is, it), event));
                    const words = to.words(is.asked, is);
                    return [`${found}${word.replace(/^\d+/, "")}`, `${found}`].find((it) => words.includes(it));
                };
                let found = await find();
                if (!found && same.at(-1)?.endsWith("+")) {
                    same.push(same.pop().replace("+", "")); // it cannot happen before the program wakes
                    found = await find();
                }
                same.push(...(found ? [found] : []));
            }
            return same;
        }

        /** A line for each thing that has happened, with when. */
        #lines({ log }) {
            const { happened } = Player.games[this.#game];
            const asked = log.filter(({ os }) => os === "asked");
            return happened ? asked.map((it, index) => make("li", {}, ...rich(happened(it, asked.slice(0, index))))) : log.flatMap(({ os, us, socket, count, chosen, choices }, index) => {
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
            if (out && !this.#threads) {
                const text = make("pre", { tabindex: "0", role: "region", "aria-label": "What the step prints" }, make("code", {}, out));
                return [make("div", { class: "pane" }, make("p", { class: "head" }, "The step has printed"), text)];
            }
            if (run.events.length === 0) {
                return [];
            }
            const moments = run.events.map((event, index) => ({ us: event.us, run: 0, index, event }));
            const whole = { ...run, moments: moments.map((_, index) => index) };
            const machine = new Player.Machine(whole, () => {});
            const lanes = new Player.Lanes([whole], moments, () => {});
            const first = run.events.slice(0, -1).findLastIndex(({ event }) => event === "woke") + 1;
            const said = run.events.slice(first).map((_, index) =>
                make("li", {}, ...rich(Player.say(whole, first + index))));
            const list = make("div", { tabindex: "0", role: "region", "aria-label": "What the program did then" }, make("ol", {}, ...said));
            const since = make("div", { class: "pane since" }, make("p", { class: "head" }, "What the program did then"), list);
            this.#replay(said.length, (index) => {
                machine.show({ state: run.states[first + index] });
                lanes.show(first + index, null);
                said.forEach((it, at) => it.classList.toggle("now", at === index));
                const { offsetTop, offsetHeight } = said[index];
                list.scrollTop = offsetTop - list.offsetTop + offsetHeight - list.clientHeight;
            });
            const ended = rows.length > 0 ? [make("div", { class: "pane" }, make("p", { class: "head" }, "The report"), make("ul", {}, ...rows.map(({ url, outcome }) => make("li", {}, `${path(url)}: ${outcome}`))))] : [];
            return [...ended, since, machine.element, lanes.element];
        }

        /** Shows one event after the other, until the next choice; at once for a reader who wants
         * no motion. */
        #replay(count, show) {
            const turn = this.#turn;
            const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
            const next = (index) => {
                if (turn === this.#turn) {
                    show(index);
                    if (index + 1 < count) {
                        setTimeout(next, Math.min(EVENT, ALL / count), index + 1);
                    }
                }
            };
            // The panes are in the page only after this.
            queueMicrotask(() => next(isStill ? count - 1 : 0));
        }

        /** Plays it for a link. A way of the map leads to where the reader is already. */
        open(name, choices) {
            const { top, bottom } = this.#element.getBoundingClientRect();
            if (bottom < 0 || top > innerHeight) {
                this.#place.scrollIntoView({ block: "start" });
            }
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
    // A second click on the same link changes nothing in the address.
    document.addEventListener("click", ({ target }) => {
        const link = target.closest?.("a[href^='#os=']");
        if (link && link.getAttribute("href") === location.hash) {
            followLink();
        }
    });
}
