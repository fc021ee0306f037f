// Stops: before some events the player asks what comes, and goes on when it was answered.

"use strict";

{
    const { rich } = Player;

    Player.Stops = class {
        // Screen readers read what changes in a place that they know: these two stay.
        #ask = make("p", { class: "ask", role: "status" });
        #verdict = make("p", { class: "verdict", role: "status" });
        #row = make("div", { class: "row" });
        element = make("div", { class: "stop" }, this.#ask, this.#row, this.#verdict);
        #stops;
        #answered = new Map(); // what was chosen; null: the reader would rather not say
        #open = null;
        #done;

        /** `done` is called when a question was answered. */
        constructor(stops, done) {
            this.#stops = stops;
            this.#done = done;
        }

        /** The question that is shown, answered or not. */
        get shown() {
            return this.#open;
        }

        get isOpen() {
            return this.#open !== null && !this.#answered.has(this.#open);
        }

        /** The first question on the way from one moment to a later one. */
        between(from, to) {
            const isNext = (stop) => stop.moment > from && stop.moment <= to && !this.#answered.has(stop);
            return this.#stops.filter(isNext).sort((a, b) => a.moment - b.moment)[0] ?? null;
        }

        ask(stop) {
            this.#open = stop;
            this.#show();
        }

        close() {
            this.#open = null;
            [this.#ask, this.#row, this.#verdict].forEach((it) => it.replaceChildren());
        }

        /** Chooses by a key: `1` is the first option. Returns whether there is one. */
        key(key) {
            const index = Number(key) - 1;
            const may = this.isOpen && Boolean(this.#open.options[index]);
            if (may) {
                this.#answer(index);
            }
            return may;
        }

        #answer(index) {
            this.#answered.set(this.#open, index);
            this.#show();
            this.#done();
        }

        #show() {
            const stop = this.#open;
            const isAnswered = this.#answered.has(stop);
            const chosen = this.#answered.get(stop);
            const options = stop.options.map((option, index) => {
                const state = !isAnswered ? "" : index === stop.right ? "right" : index === chosen ? "wrong" : "";
                const button = make("button", { type: "button", class: state },
                    make("kbd", { "aria-hidden": "true" }, String(index + 1)), " ", ...rich(option));
                button.disabled = isAnswered;
                button.addEventListener("click", () => this.#answer(index));
                return button;
            });
            const skip = make("button", { type: "button", class: "quiet" }, "I’d rather not say");
            skip.addEventListener("click", () => this.#answer(null));
            this.#row.replaceChildren(...options, ...(isAnswered ? [] : [skip]));
            if (isAnswered) {
                const word = chosen === stop.right ? "Right." : chosen === null ? "" : "Not this time.";
                this.#verdict.replaceChildren(make("strong", {}, word), " ", ...rich(stop.why));
            } else {
                this.#ask.replaceChildren(...rich(stop.ask));
                this.#verdict.replaceChildren();
            }
        }
    };
}
