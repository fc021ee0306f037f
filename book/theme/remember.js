// What remembers a page while no code runs for it: for each of the three crawlers the struct, the
// enum's variant, or the await, and how it is called again. All of it is found by the events of the
// runs (`at`, `state`, `line`) in the sources of the book.

"use strict";

{
    const { rich, say } = Player;

    /** The lines of a file as they are read, each with its HTML. */
    class File {
        #lines;

        constructor(name, [page, lines]) {
            const text = make("pre");
            this.name = name;
            this.page = page;
            this.#lines = lines.map((html) => {
                text.innerHTML = html;
                return { html, text: text.textContent };
            });
        }

        text(number) {
            return this.#lines[number - 1]?.text ?? "";
        }

        /** The first line from this one on of which something is so, in a direction; 0: there is none. */
        find(isIt, from = 1, way = 1) {
            for (let number = from; number >= 1 && number <= this.#lines.length; number += way) {
                if (isIt(this.text(number))) {
                    return number;
                }
            }
            return 0;
        }

        /** The line that is nearest to this one of those with a text. */
        nearest(text, number) {
            const isIt = (line) => line.includes(text);
            const [above, below] = [this.find(isIt, number, -1), this.find(isIt, number)];
            return !above || (below && below - number < number - above) ? below : above;
        }

        /** The item that begins with a line like `head`, at or above this one, to its `}`. */
        item(head, number) {
            const from = this.find((line) => head.test(line), number, -1);
            const indent = /^ */.exec(this.text(from))[0];
            return from ? [from, this.find((line) => line === `${indent}}`, from)] : null;
        }

        /** These lines, one of them lit: without what only records, and without their indentation. */
        show([from, to], lit, isShort) {
            const indent = /^ */.exec(this.text(from))[0].length;
            const isCode = (text) => !/\/\/ (observe|ANCHOR.*|ANCHOR_END.*)$/.test(text) && !/^\s*\/\/ (ANCHOR|Traces)/.test(text);
            // Of a long function what is around the line, and its head.
            const isNear = (number) => !isShort || number === from || Math.abs(number - lit) <= 4;
            const rows = [];
            for (let number = from; number <= to; number += 1) {
                const { html, text } = this.#lines[number - 1];
                if (isCode(text) && isNear(number)) {
                    const row = make("span", { class: `line${number === lit ? " lit" : ""}`, "data-n": number });
                    const full = html.replace(/^(<span[^>]*><\/span>)+/, ""); // where a token has ended
                    row.innerHTML = `${full.startsWith(" ") ? full.slice(indent) : full}\n`; // from our own highlighter
                    rows.push(row);
                }
            }
            const link = make("a", { href: `${this.page}#L${lit}` }, `${this.name.replace("src/", "")}:${lit}`);
            const code = make("pre", { tabindex: "0", role: "region", "aria-label": `${this.name}, line ${lit}` }, make("code", {}, ...rows));
            return make("div", { class: "piece" }, link, code);
        }
    }

    const FUNCTION = /^ *(pub(\([a-z]+\))? )?(async )?fn /;
    const fileOf = (files, at) => files.find(({ name }) => name.endsWith(`/${at.split(":")[0]}`));
    const numberOf = (line) => Number(line?.split(":")[1] ?? 1);

    /** What remembers it, as pieces of code with a sentence, for each stage. */
    const REMEMBERS = {
        // A struct, moved into a closure, and the name of the callback.
        "stage1-callbacks": (files, { at, state, line }) => {
            const file = fileOf(files, at);
            const lit = file.nearest(`"${state}"`, numberOf(line));
            const head = file.text(file.find((text) => text.startsWith("impl"), lit, -1));
            const [, type] = /^impl(?:<[^>]*>)? (\w+)/.exec(head);
            const struct = file.find((text) => new RegExp(`struct ${type}\\b`).test(text));
            return [
                `The struct \`${type}\`, moved into a callback. The next callback is \`${state}\`.`,
                file.show(file.item(/struct /, struct), struct),
                file.show(file.item(FUNCTION, lit), lit, true),
            ];
        },
        // A variant of the enum.
        "stage2-generators": (files, { at, state, line }) => {
            const own = new RegExp(`^    ${state} ?[{(,]`);
            const types = files.find((file) => file.find((text) => own.test(text)));
            const variant = types.find((text) => own.test(text));
            const [, type] = /enum (\w+)/.exec(types.text(types.item(/enum /, variant)[0]));
            const file = fileOf(files, at);
            const parked = file.nearest(`park_at("${at.split(":")[1]}"`, numberOf(line));
            const waits = file.find((text) => text.includes(".attempt("), parked);
            return [
                `The enum \`${type}\`, in its variant \`${state}\`. It is resumed in \`${at.split(":")[1]}\`.`,
                types.show(types.item(/enum /, variant), variant),
                file.show(file.item(FUNCTION, parked), waits, true),
            ];
        },
        // The compiler's enum: an await is its state.
        "stage3-async": (files, { at, state, line }) => {
            const file = fileOf(files, at);
            const leaf = file.nearest(`leaf.set(&${state.toUpperCase()})`, numberOf(line));
            const lit = file.find((text) => text.includes(".await"), leaf);
            const inner = file.item(FUNCTION, leaf);
            const [, name] = /fn (\w+)/.exec(file.text(inner[0]));
            const isCall = (text) => text.includes(`.${name}(`) && text.includes(".await");
            const caller = files.find((other) => other !== file && other.find(isCall));
            const call = caller?.find(isCall);
            return [
                `The future of an \`async fn\`: the compiler’s own enum, whose state is the \`.await\` in \`${name}\`${caller ? ", below the one that calls it" : ""}.`,
                ...(caller ? [caller.show(caller.item(FUNCTION, call), call, true)] : []),
                file.show(inner, lit, true),
            ];
        },
    };

    const sources = new Map();

    /** The files of a stage, each parsed once. */
    function filesOf(program) {
        if (!sources.has(program)) {
            const files = Object.entries(Player.sources[program]).map(([name, file]) => new File(name, file));
            sources.set(program, files);
        }
        return sources.get(program);
    }

    /** What each event says from the one that ends the sleep until the task runs again. */
    function again(run, { index }) {
        const { task } = run.events[index];
        const to = run.events.findIndex((event, at) => at > index && event.task === task && event.event === "resumed");
        run.states ??= Player.fold(run.events).states;
        const own = ["arrived", "woken", "queued", "timer-fired", "resumed"];
        const taskOf = (event, at) => (event.event === "timer-fired"
            ? run.states[at - 1].timers.find((it) => it.timer === event.timer)?.task : event.task);
        return run.events.slice(0, to + 1).flatMap((event, at) =>
            (at > index && own.includes(event.event) && taskOf(event, at) === task ? [make("li", {}, ...rich(say(run, at)))] : []));
    }

    /** The bar of another run that is most like this one: of the same page, in the same wait. */
    function like(run, bar) {
        const middle = (bar.from + bar.to) / 2;
        const far = (it) => Math.abs((it.from + it.to) / 2 - middle) + (it.connects === bar.connects ? 0 : 1e9);
        const own = run.bars.filter(({ page }) => page === bar.page);
        return own.reduce((best, it) => (best && far(best) <= far(it) ? best : it), null);
    }

    const seconds = (us) => `${(us / 1e6).toFixed(3)} s`;

    function column(run, bar, wanted) {
        const head = make("p", {}, make("strong", {}, run.title));
        if (!bar || bar.connects !== wanted.connects) {
            const why = wanted.connects ? "It opens no connection for this page: it uses one that it has kept." : "It does not wait so for this page.";
            return make("section", { "aria-label": run.title }, head, make("p", {}, why));
        }
        const event = run.events[bar.index];
        const [text, ...pieces] = REMEMBERS[run.program](filesOf(run.program), event);
        head.append(` task ${event.task}, from ${seconds(bar.from)} to ${seconds(bar.to)}`);
        return make("section", { "aria-label": run.title }, head,
            make("p", {}, ...rich(text)), ...pieces,
            make("p", {}, make("strong", {}, "How it is called again")), make("ol", {}, ...again(run, bar)));
    }

    /** Shows what remembers the page of a bar, in each of the runs. */
    Player.remember = async (place, runs, run, bar) => {
        await Runner.load("sources");
        const columns = runs.map((it) => column(it, it === run ? bar : like(it, bar), bar));
        const head = make("p", { class: "asks", role: "status" }, make("strong", {}, `What remembers ${bar.page}? `),
            `While it ${bar.connects ? "connects" : "waits for its answer"}, no code of it runs, and its thread does other work.`);
        place.replaceChildren(head, make("div", { class: "columns" }, ...columns));
    };
}
