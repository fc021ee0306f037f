// Runs the programs of the book in the page: a button below each console block whose command
// runs a step that can run here. The build has written which block is which step
// (tool/src/html/run.rs). The programs are WebAssembly, over a simulated network and clock
// (tests/sim); they are loaded when they are asked for.

"use strict";

/** The programs. `playground.js` runs them, too. */
const Runner = {
    folder: new URL("../player/", document.currentScript.src),
    loaded: new Map(),

    /** Loads a script, once. A script tag works from `file://`, and `fetch` does not. */
    load(name) {
        if (!this.loaded.has(name)) {
            this.loaded.set(name, new Promise((resolve, reject) => {
                const script = make("script", { src: new URL(`${name}.js`, this.folder).href });
                script.onload = resolve;
                script.onerror = () => {
                    this.loaded.delete(name);
                    reject(new Error(`${name}.js cannot be loaded`));
                };
                document.head.append(script);
            }));
        }
        return this.loaded.get(name);
    },

    modules: new Map(),

    /** Returns the compiled program, `steps` or `page`. */
    async module(program) {
        await Promise.all([this.load("wasi"), this.load(program)]);
        if (!this.modules.has(program)) {
            const zipped = Uint8Array.from(atob(programs[program]), (it) => it.charCodeAt(0));
            const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
            const bytes = await new Response(stream).arrayBuffer();
            this.modules.set(program, await WebAssembly.compile(bytes));
        }
        return this.modules.get(program);
    },

    /** Runs a program. `args` begin with its name; see wasi.js for what it resolves to. */
    async run(program, args, env = {}) {
        const module = await this.module(program);
        // What the button says is to be seen before the program keeps the page busy.
        await new Promise((resolve) => setTimeout(resolve));
        return wasi({ args, env }).run(module);
    },
};

{
    const SIMULATED = "It ran in this page. The network and the clock are simulated; the code is not.";
    const NOTES = {
        same: () => "",
        varies: () => " Times, ports, and addresses differ from run to run.",
        differs: (why) => ` What differs from a terminal: ${why}.`,
    };
    const OLDER = " The programs of these pages were built from an earlier version of the code,"
        + " so the output may differ from the printed one.";

    /** Puts the button below a block. */
    function equip(block) {
        const { run: name, program, prints, argument, why, older } = block.dataset;
        const button = make("button", { type: "button" }, "Run it here");
        const note = make("span", { role: "status" });
        const bar = make("div", { class: "run-here" }, button, note);
        const code = make("code", { class: "language-console hljs" });
        const output = make("pre", { class: "ran", hidden: "" }, code);
        block.after(bar, output);
        button.addEventListener("click", async () => {
            // A disabled button would lose the keyboard's focus.
            if (button.getAttribute("aria-disabled")) return;
            button.setAttribute("aria-disabled", "true");
            note.textContent = "Running…";
            try {
                const args = argument === undefined ? [name] : [name, argument];
                const { trap, out, err } = await Runner.run(program, args);
                code.textContent = [out, err, trap].filter(Boolean).join("");
                note.textContent = SIMULATED + NOTES[prints](why) + (older === undefined ? "" : OLDER);
            } catch (error) {
                code.textContent = "";
                note.textContent = `It cannot run here: ${error.message}.`;
            }
            output.hidden = code.textContent === "";
            button.textContent = "Run it again";
            button.removeAttribute("aria-disabled");
            // `reading.js` names what has to be moved sideways.
            window.dispatchEvent(new Event("resize"));
        });
    }

    /** Says below a block why it has no button. */
    function explain(block) {
        const { instead, link } = block.dataset;
        const where = link ? [" ", make("a", { href: link }, "playground"), "."] : [];
        block.after(make("p", { class: "run-instead" }, instead, ...where));
    }

    document.querySelectorAll("main pre[data-run]").forEach(equip);
    document.querySelectorAll("main pre[data-instead]").forEach(explain);
}
