// A prediction is entered before its answer opens, and compared with it afterwards. All of it
// stays in this browser. Without JavaScript, and on paper, there is only the fold.
//
// Elements with `data-predictions-total` are filled with how often the reader was right, in
// the whole book or, with the value `page`, in this page.

"use strict";

{
    const KEPT = "web-crawler-three-ways.predictions";
    const main = document.querySelector("main");
    const isWhole = main.querySelectorAll("h1").length > 1; // all pages in one, to be printed
    const folds = isWhole ? [] : [...main.querySelectorAll("details[id*='-predict-']")];

    /* What was predicted: for each fold `{ said, right }`. `said` is null if the reader would
       rather not say, and `right` is missing until the reader has judged. */

    let known = {};
    let isKept = true;

    function read() {
        if (!isKept) {
            return; // there is more in this page than was kept
        }
        try {
            const stored = JSON.parse(localStorage.getItem(KEPT));
            known = stored && typeof stored === "object" ? stored : {};
        } catch { /* what is known stays in this page */ }
    }

    function write(id, prediction) {
        read();
        if (prediction) {
            known[id] = prediction;
        } else {
            delete known[id];
        }
        try {
            localStorage.setItem(KEPT, JSON.stringify(known));
        } catch {
            isKept = false; // it counts until the page is left
        }
        total();
    }

    function count(all) {
        const judged = all.filter((it) => typeof it?.right === "boolean");
        return { right: judged.filter((it) => it.right).length, of: judged.length };
    }

    const times = ({ right, of }) => `${right} of ${of} ${of === 1 ? "time" : "times"}`;

    /* Elements */

    function button(text, act, attributes = {}) {
        const element = make("button", { type: "button", ...attributes }, text);
        element.addEventListener("click", act);
        return element;
    }

    /** What is above a fold, and what is in it before the answer. */
    class Prediction {
        #fold;
        #summary;
        #above = make("form", { class: "predict" });
        #inside = make("div", { class: "predicted" });
        #shown;

        constructor(fold) {
            this.#fold = fold;
            this.#summary = fold.querySelector("summary");
            fold.before(this.#above);
            this.#summary.after(this.#inside);
            this.#above.addEventListener("submit", (event) => {
                event.preventDefault();
                const said = this.#above.querySelector("input")?.value.trim();
                if (said) {
                    this.#enter(said);
                } else {
                    this.#remind();
                }
            });
            // A link, a search in the page and the printer open it as before.
            this.#summary.addEventListener("click", (event) => {
                if (!fold.open && !known[fold.id]) {
                    event.preventDefault();
                    this.#remind();
                }
            });
            this.show();
        }

        /** Shows what another page of the book has changed; what is being typed here stays. */
        refresh() {
            if (JSON.stringify(known[this.#fold.id]) !== this.#shown) {
                this.show();
            }
        }

        show() {
            const prediction = known[this.#fold.id];
            this.#shown = JSON.stringify(prediction);
            const choices = this.#fold.dataset.choices;
            if (!prediction) {
                this.#above.replaceChildren(...(choices ? this.#choices(choices.split("|")) : this.#line()),
                    make("p", { role: "status" }));
                this.#inside.replaceChildren(make("p", {}, "You have entered no prediction."));
            } else if (prediction.said === null) {
                this.#above.replaceChildren(make("p", { class: "row" },
                    "You would rather not say.", this.#again("Predict after all")));
                this.#inside.replaceChildren(make("p", {}, "You have entered no prediction."));
            } else {
                this.#above.replaceChildren(make("p", { class: "row" },
                    said(prediction), this.#again("Change it")));
                this.#inside.replaceChildren(make("p", {}, said(prediction)), this.#verdict(prediction));
            }
        }

        #line() {
            const id = `${this.#fold.id}-field`;
            const field = make("input", { id, type: "text", maxlength: "200", autocomplete: "off" });
            const row = make("div", { class: "row" }, field, make("button", { type: "submit" }, "Enter"), this.#silent());
            return [make("label", { for: id }, "Your prediction"), row];
        }

        #choices(all) {
            const row = make("div", { class: "row" });
            row.append(...all.map((it) => button(it.trim(), () => this.#enter(it.trim()))), this.#silent());
            return [make("fieldset", {}, make("legend", {}, "Your prediction"), row)];
        }

        #silent() {
            const open = () => {
                this.#enter(null);
                this.#fold.open = true;
            };
            return button("I’d rather not say", open, { class: "quiet" });
        }

        #again(text) {
            const forget = () => {
                write(this.#fold.id);
                this.#fold.open = false;
                this.show();
                this.#above.querySelector("input, button").focus();
            };
            return button(text, forget, { class: "quiet" });
        }

        #verdict(prediction) {
            const judge = (text, right) => button(text, () => {
                write(this.#fold.id, { ...prediction, right });
                this.show();
                this.#inside.querySelector("[aria-pressed=true]").focus();
            }, { "aria-pressed": String(prediction.right === right) });
            return make("div", { class: "row" }, judge("I was right", true), judge("I was wrong", false));
        }

        // Many answers say "Run it, then open this": so it stays closed.
        #enter(said) {
            write(this.#fold.id, { said });
            this.show();
            this.#summary.focus();
        }

        #remind() {
            const status = this.#above.querySelector("[role=status]");
            status.textContent = "First enter what you expect. A guess will do.";
            this.#above.querySelector("input, button").focus();
        }
    }

    function said(prediction) {
        return make("span", { class: "said" }, "You predicted: ", make("strong", {}, prediction.said));
    }

    /* Totals */

    let end;

    function total() {
        const book = count(Object.values(known));
        const page = count(folds.map((fold) => known[fold.id]));
        for (const element of document.querySelectorAll("[data-predictions-total]")) {
            const { right, of } = element.dataset.predictionsTotal === "page" ? page : book;
            element.textContent = of > 0 ? `You were right ${times({ right, of })}.` : "";
        }
        if (end) {
            const isOther = book.of > page.of;
            end.hidden = book.of === 0;
            end.querySelector("p").textContent = page.of > 0
                ? `In this chapter you were right ${times(page)}${isOther ? `, in the whole book ${times(book)}` : ""}.`
                : `In the whole book you were right ${times(book)}.`;
        }
    }

    read();
    if (folds.length > 0) {
        end = make("div", { class: "predictions-total", role: "status" }, make("p"));
        folds.at(-1).after(end);
    }
    const predictions = folds.map((fold) => new Prediction(fold));
    // Another page of the book may have been open meanwhile.
    const again = () => {
        read();
        predictions.forEach((it) => it.refresh());
        total();
    };
    window.addEventListener("storage", again);
    window.addEventListener("pageshow", again);
    total();
}
