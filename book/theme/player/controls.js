// Buttons, the slider, and the keys.

"use strict";

{
    /** How long a step is shown while the player plays, in milliseconds, and a sleep. */
    const [STEP, SLEEP] = [1100, 2200];

    const ICONS = {
        first: "M4 3v10M13 3L6 8l7 5z",
        back: "M11 3L4 8l7 5z",
        step: "M5 3l7 5-7 5z",
        tick: "M3 3l5 5-5 5zM8 3l5 5-5 5zM14 3v10",
        play: "M4 2l10 6-10 6z",
        pause: "M4 3h3v10H4zM9 3h3v10H9z",
    };

    function icon(name) {
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
        for (const [key, value] of Object.entries({ viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" })) {
            svg.setAttribute(key, value);
        }
        shape.setAttribute("d", ICONS[name]);
        svg.append(shape);
        return svg;
    }

    Player.Controls = class {
        element = make("div", { class: "bar" });
        #player;
        #slider;
        #count = make("output", {});
        #play;
        #timer = null;
        #buttons = {};

        /** `more` is what the bar has besides. */
        constructor(player, title, ...more) {
            this.#player = player;
            const button = (name, text, title, act) => {
                const element = make("button", { type: "button", title }, icon(name), ...(text ? [make("span", {}, text)] : []));
                if (!text) {
                    element.setAttribute("aria-label", title);
                }
                element.addEventListener("click", act);
                this.#buttons[name] = element;
                return element;
            };
            this.#slider = make("input", { type: "range", min: "0", max: String(player.last), value: "0", "aria-label": `Step of ${title}` });
            const slide = make("span", { class: "slide" }, this.#slider);
            const { first, last, isAll } = player.excerpt;
            if (!isAll) {
                slide.classList.add("excerpt");
                slide.style.setProperty("--first", first / player.last);
                slide.style.setProperty("--last", last / player.last);
            }
            this.#slider.addEventListener("input", () => {
                this.stop();
                player.jump(Number(this.#slider.value));
            });
            this.#play = button("play", "", "Play", () => this.toggle());
            this.element.append(
                button("first", "", "To the first step", () => player.jump(0)),
                button("back", "", "One step back", () => player.back()),
                this.#play,
                button("step", "Step", "One step", () => player.step()),
                button("tick", "Next tick", "To the next sleep of the loop", () => player.tick()),
                slide, this.#count, ...more);
        }

        show(moment, text) {
            this.#slider.value = String(moment);
            this.#slider.setAttribute("aria-valuetext", text);
            this.#count.textContent = text;
            // A button that is disabled would lose the focus.
            const isFirst = moment === 0;
            const isLast = moment === this.#player.last;
            this.#buttons.first.setAttribute("aria-disabled", String(isFirst));
            this.#buttons.back.setAttribute("aria-disabled", String(isFirst));
            this.#buttons.step.setAttribute("aria-disabled", String(isLast));
            this.#buttons.tick.setAttribute("aria-disabled", String(isLast));
        }

        toggle() {
            if (this.#timer !== null) {
                this.stop();
                return;
            }
            if (this.#player.at === this.#player.last) {
                this.#player.jump(0);
            }
            this.#set(true);
            this.#next();
        }

        stop() {
            clearTimeout(this.#timer);
            this.#timer = null;
            this.#set(false);
        }

        #next() {
            this.#timer = setTimeout(() => {
                const before = this.#player.at;
                const isMoved = this.#player.step();
                // The end of the table is one, unless it is played on from there.
                const ends = [this.#player.excerpt.last, this.#player.last];
                const isAtEnd = ends.some((end) => before < end && end <= this.#player.at);
                if (isMoved && !isAtEnd) {
                    this.#next();
                } else {
                    this.stop();
                }
            }, this.#player.isAsleep ? SLEEP : STEP);
        }

        #set(isPlaying) {
            const name = isPlaying ? "Pause" : "Play";
            this.#play.replaceChildren(icon(name.toLowerCase()));
            this.#play.title = name;
            this.#play.setAttribute("aria-label", name);
        }

        /** Does what a key asks for. Returns whether it did. Elsewhere in the book the key may turn
         * the page: here it does not, even if what it asks for fails. */
        key(event) {
            const { key, shiftKey, altKey, ctrlKey, metaKey, target } = event;
            const take = () => { event.preventDefault(); event.stopPropagation(); };
            if (altKey || ctrlKey || metaKey || target.matches("select")) {
                return false;
            }
            if (this.#player.choose(key)) {
                take();
                return true;
            }
            const player = this.#player;
            const acts = {
                ArrowRight: () => (shiftKey ? player.tick() : player.step()),
                ArrowLeft: () => (shiftKey ? player.tickBack() : player.back()),
                Home: () => player.jump(0),
                End: () => player.jump(player.last),
                w: () => player.why(),
                " ": () => this.toggle(),
            };
            // Of a button, a link and a fold the space bar and Enter are their own.
            const isOwn = key === " " && target.matches("button, a, summary");
            if (!acts[key] || isOwn) {
                return false;
            }
            take();
            if (key !== " ") {
                this.stop();
            }
            acts[key]();
            return true;
        }
    };
}
