// Two threads and what they share: the line that each of them runs next, in the listings of the
// page, and the flag, the box, and the waker in it.

"use strict";

{
    const POLE = "M14 60V4";
    const CLOTH = "M14 5l28 8-28 8z";
    const BOX = "M4 20h88v40H4zM4 20l8-12h72l8 12";
    const LETTER = "M12 30h32v20H12zM12 30l16 11 16-11";
    const BELL = "M58 50v-8a9 9 0 0 1 18 0v8zM65 54h4M67 30v3";

    function drawn(name, width, ...shapes) {
        const element = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        const all = { viewBox: `0 0 ${width} 64`, width, height: 64, class: name, "aria-hidden": "true" };
        Object.entries(all).forEach(([key, value]) => element.setAttribute(key, value));
        for (const [kind, shape] of shapes) {
            const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
            path.setAttribute("d", shape);
            path.setAttribute("class", kind);
            element.append(path);
        }
        return element;
    }

    /** A listing of the page, a line for each of its own. */
    class Listing {
        element = make("pre", { tabindex: "0", role: "region" });
        #lines;

        constructor(id, label) {
            const code = document.getElementById(id);
            const lines = [...code?.querySelectorAll(".ln") ?? []];
            const indents = lines.map(({ textContent }) => textContent.search(/\S/)).filter((it) => it >= 0);
            this.#lines = lines.map((line) => {
                const copy = make("span", { class: "line", "data-n": line.dataset.n });
                copy.append(...[...line.childNodes].map((it) => it.cloneNode(true)));
                const first = copy.firstChild;
                if (first?.nodeType === Node.TEXT_NODE) {
                    first.data = first.data.slice(Math.min(...indents));
                }
                return copy;
            });
            this.element.setAttribute("aria-label", label);
            this.element.append(make("code", {}, ...this.#lines));
        }

        /** Lights the line with this text, or none. */
        light(text) {
            for (const line of this.#lines) {
                const isLit = text !== undefined && line.textContent.includes(text);
                line.classList.toggle("lit", isLit);
                if (isLit) {
                    this.element.scrollTop = line.offsetTop - this.element.clientHeight / 2;
                }
            }
        }
    }

    Player.Threads = class {
        element = make("div", { class: "pane threads" });
        #all;
        #shared = make("div", { class: "shared" });

        constructor({ listings }) {
            const names = ["The executor’s thread", "The other thread"];
            this.#all = listings.map((id, index) => new Listing(id, names[index]));
            const [first, second] = this.#all.map(({ element }, index) =>
                make("div", {}, make("p", { class: "head" }, names[index]), element));
            second.append(this.#shared);
            this.element.append(first, second);
        }

        /** `asked` is what each thread does next; `moment` has the flag, the letter, and the waker. */
        show({ lines }, { asked, moment }) {
            const isOther = ({ what }) => what === "put" || what === "wake";
            const next = [asked.find((it) => !isOther(it)), asked.find(isOther)];
            this.#all.forEach((listing, index) => listing.light(next[index] && lines[next[index].what]));
            const { flag, letter, waker } = moment;
            const isTaken = asked.some(({ what }) => what === "wake");
            const part = (picture, text) => make("div", {}, picture, make("span", {}, text));
            const inBox = [...(letter ? ["the letter"] : []), ...(waker ? [waker === "another task's" ? "the waker of task 1" : "the waker"] : [])];
            this.#shared.replaceChildren(
                part(drawn(flag ? "flag" : "flag down", 56, ["", POLE], ["cloth", CLOTH]), `The flag is ${flag ? "up" : "down"}.`),
                part(drawn("box", 96, ["", BOX], ...(letter ? [["letter", LETTER]] : []), ...(waker ? [["waker", BELL]] : [])),
                    `In the box: ${inBox.join(", ") || "nothing"}.`),
                ...(isTaken ? [part(drawn("hand", 96, ["waker", BELL]), "The other thread has the waker.")] : []));
        }
    };
}
