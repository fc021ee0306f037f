// The reader is the executor: polls a task, or lets the thread sleep. The recorded run is the
// referee, so what it did not do is judged, and not done.

"use strict";

{
    const { rich, plural, time, waits } = Player;

    /** What an executor decides: which task it polls next, or that it sleeps. */
    const isDecision = ({ event }) => event === "resumed" || event === "slept";

    Player.Turns = class {
        #ask = make("p", { class: "ask" });
        // Screen readers read what changes in a place that they know: this one stays.
        #verdict = make("p", { class: "verdict", role: "status" });
        #row = make("div", { class: "row" });
        element = make("div", { class: "turns" }, this.#ask, this.#row, this.#verdict);
        button = make("button", { type: "button", "aria-pressed": "false" }, "Be the executor");
        #run;
        #perSecond;
        #show;
        #next = null; // the decision that the reader makes: the place of its event
        #polls = 0;
        #wasted = 0;

        /** `perSecond`: the polls of an executor that never sleeps. `show` shows what was after
         * an event, and takes the focus. */
        constructor(run, perSecond, show) {
            this.#run = run;
            this.#perSecond = perSecond;
            this.#show = show;
            this.button.addEventListener("click", () => (this.isOn ? this.close() : this.#start()));
        }

        get isOn() {
            return this.button.getAttribute("aria-pressed") === "true";
        }

        close() {
            this.#set(false);
            [this.#ask, this.#row, this.#verdict].forEach((it) => it.replaceChildren());
        }

        #set(isOn) {
            this.button.setAttribute("aria-pressed", String(isOn));
        }

        #start() {
            [this.#polls, this.#wasted] = [0, 0];
            this.#goOn(0, "You see all that an executor knows: the ready queue, and the time of the next timer.");
            this.#set(true);
        }

        /** On to the next decision from this event on. */
        #goOn(from, said) {
            const { events } = this.#run;
            const next = events.findIndex((event, index) => index >= from && isDecision(event));
            this.#next = next < 0 ? null : next;
            this.#show((this.#next ?? events.length) - 1);
            this.#tell(this.#next === null ? `${said} ${this.#end()}` : said);
        }

        #tell(said) {
            const wasted = this.#wasted > 0 ? `, ${this.#wasted} of them wasted` : "";
            const count = `${plural(this.#polls, "poll")}${wasted}.`;
            const isOver = this.#next === null;
            this.#ask.replaceChildren(isOver ? count : `${count} What does the executor do next?`);
            this.#verdict.replaceChildren(...rich(said));
            const moves = isOver ? [["Once more", () => this.#start()]] : this.#moves();
            this.#row.replaceChildren(...moves.map(([text, act], index) => {
                const button = make("button", { type: "button" }, make("kbd", { "aria-hidden": "true" }, String(index + 1)), " ", ...rich(text));
                button.addEventListener("click", act);
                return button;
            }));
        }

        get #state() {
            return this.#run.states[this.#next - 1] ?? Player.START;
        }

        #moves() {
            const tasks = [...this.#state.tasks.keys()].sort((a, b) => a - b);
            return [
                ...tasks.map((task) => [`poll *task ${task}*`, () => this.#poll(task)]),
                ["sleep", () => this.#sleep()],
            ];
        }

        /** Moves by a key: `1` is the first button. Returns whether there is one. */
        key(key) {
            const button = this.isOn ? this.#row.children[Number(key) - 1] : undefined;
            button?.click();
            return button !== undefined;
        }

        #poll(task) {
            const { events } = this.#run;
            const { ready, tasks } = this.#state;
            if (events[this.#next].event === "resumed" && events[this.#next].task === task) {
                this.#polls += 1;
                const isEnd = (it) => it.task === task && ["paused", "finished", "cancelled"].includes(it.event);
                const end = events.findIndex((it, index) => index > this.#next && isEnd(it));
                this.#goOn(this.#next + 1, Player.say(this.#run, end));
            } else if (ready.includes(task)) {
                this.#tell(`*Task ${task}* is ready, but *task ${ready[0]}* has waited longer. This queue is first in, first out.`);
            } else {
                this.#polls += 1;
                this.#wasted += 1;
                this.#tell(`\`Pending\`, as before: a wasted poll. Nothing has woken *task ${task}*, which waits for ${waits(tasks.get(task).waits)}.`);
            }
        }

        #sleep() {
            const { events } = this.#run;
            const { ready, timers } = this.#state;
            if (ready.length > 0) {
                const waiting = ready.map((task) => `*task ${task}*`).join(" and ");
                const until = timers.length > 0 ? `until the timer at ${time(timers[0].when)}, or until an event comes for another task` : "until an event comes for another task";
                this.#tell(`While the thread sleeps, ${waiting} would wait in the queue, woken and not polled, ${until}. Poll first.`);
                return;
            }
            const woke = events.findIndex((it, index) => index > this.#next && it.event === "woke");
            this.#goOn(this.#next + 1, Player.say(this.#run, woke));
        }

        #end() {
            const { events } = this.#run;
            const executor = events.filter(({ event }) => event === "resumed").length;
            const spun = (events.at(-1).us - events[0].us) / 1e6 * this.#perSecond;
            const about = Number(spun.toPrecision(2)).toLocaleString("en");
            return `You polled *${plural(this.#polls, "time")}*, the executor *${plural(executor, "time")}*. `
                + `\`poll_all\`, which never sleeps, would have polled about *${about} times*.`;
        }
    };
}
