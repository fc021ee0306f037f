// The chapter's figure, whose numbers light up with the events.

"use strict";

{
    /** What is left of a figure's margins, in its own pixels: half of its thickest line. */
    const EDGE = 3;

    /** The chapter's figure, with the numbers that belong to the event. */
    Player.Figure = class {
        element = make("div", { class: "pane figure" });
        #lights;
        #svg;
        #queue = []; // the texts in the cells of the ready queue
        #tasks = []; // the texts of tasks, `[task, text]`

        /** A figure of the page, copied without the ids that must be there once. */
        constructor(name, lights) {
            this.#lights = lights;
            const title = document.getElementById(`fig-${name}`);
            this.#svg = title?.closest("svg").cloneNode(true);
            if (this.#svg) {
                this.#svg.removeAttribute("aria-labelledby");
                this.#svg.removeAttribute("role");
                this.#svg.setAttribute("aria-hidden", "true"); // the sentence says it
                this.#svg.querySelectorAll("title, [id]").forEach((it) => it.remove());
                this.element.append(this.#svg);
                this.#find();
            }
        }

        /** Finds what a state fills: the cells of `ready`, and the rows `1: …` of tasks. */
        #find() {
            const texts = [...this.#svg.querySelectorAll("text")];
            let cell = texts.find((it) => it.matches(".fig-head") && it.textContent.startsWith("ready"))?.nextElementSibling;
            while (cell?.matches("rect.fig-cell") && cell.nextElementSibling?.matches("text")) {
                cell.nextElementSibling.classList.add("of-queue");
                this.#queue.push(cell.nextElementSibling);
                cell = cell.nextElementSibling.nextElementSibling;
            }
            this.#tasks = texts.map((text) => [Number(/^(\d+): /.exec(text.textContent)?.[1]), text]).filter(([task]) => task);
        }

        #fill({ ready, tasks }) {
            this.#queue.forEach((text, index) => {
                const isMore = index === this.#queue.length - 1 && ready.length > this.#queue.length;
                text.textContent = `${ready[index] ?? ""}${isMore ? ", …" : ""}`;
            });
            for (const [task, text] of this.#tasks) {
                text.style.visibility = tasks.has(task) ? "" : "hidden";
            }
        }

        /** Leaves the empty margins of the page's figure out. It has to be in the page. */
        crop() {
            const { x, y, width, height } = this.#svg.getBBox();
            const size = { width: width + 2 * EDGE, height: height + 2 * EDGE };
            const box = [x - EDGE, y - EDGE, size.width, size.height];
            Object.entries({ ...size, viewBox: box.join(" ") }).forEach(([key, value]) => this.#svg.setAttribute(key, value));
        }

        /** On a phone the figure is moved sideways: to what is lit, and with the keyboard. */
        #reach() {
            if (this.element.scrollWidth <= this.element.clientWidth) {
                return;
            }
            const attributes = { tabindex: "0", role: "region", "aria-label": "The figure of the chapter" };
            Object.entries(attributes).forEach(([key, value]) => this.element.setAttribute(key, value));
            const disc = this.#svg.querySelector(".fig-disc.now");
            if (disc) {
                const [own, its] = [this.element, disc].map((it) => it.getBoundingClientRect());
                this.element.scrollLeft += its.x + its.width / 2 - own.x - own.width / 2;
            }
        }

        show({ event, state }) {
            this.#fill(state);
            this.#svg?.querySelectorAll(".now").forEach((it) => it.classList.remove("now"));
            const inPoll = state.running.length === 0 ? undefined : this.#lights[`${event.event} in a poll`];
            const numbers = this.#lights[`${event.event} ${event.state}`] ?? inPoll ?? this.#lights[event.event] ?? [];
            for (const number of numbers) {
                this.#svg?.querySelectorAll(`.fig-step-${number}`).forEach((it) => it.classList.add("now"));
            }
            this.#reach();
        }
    };
}
