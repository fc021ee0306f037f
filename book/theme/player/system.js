// Runs a program whose operating system is the reader: from its beginning, with all choices so
// far. See tests/sim/README.md. The program is loaded at the first run, and only then.

"use strict";

{
    const ROOT = "http://127.0.0.1:8000/";

    /** Loads a script that is beside this one. A page from file:// can load only so. */
    const own = document.currentScript.src;
    const load = (name) => new Promise((resolve, reject) => {
        const script = make("script", { src: new URL(name, own).href });
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => reject(new Error(`${name} cannot be loaded`)));
        document.head.append(script);
    });

    async function compiled(bundle) {
        await Promise.all([load("wasi.js"), load(`${bundle}.js`)]);
        const zipped = Uint8Array.from(atob(globalThis.programs[bundle]), (it) => it.charCodeAt(0));
        const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
        return WebAssembly.compile(await new Response(stream).arrayBuffer());
    }
    const modules = {};

    const lines = (text = "") => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

    /**
     * Runs a program with these choices, words like `0`, `1!` and `0+`. `game` is one of
     * `Player.games`; its `bundle` is the script that has the program. Returns what has happened
     * until the program slept for the last time, and in `moment` what was so then, or at its end.
     */
    Player.runSystem = async ({ program, site, options = [], isStep, args: own, bundle = "page" }, choices) => {
        modules[bundle] ??= compiled(bundle);
        const env = {
            ...(site ? { SIM_SITE: site } : {}),
            SIM_CHOICES: choices.join(" "),
            SIM_THEN: isStep ? "fail" : "interrupt",
            SIM_LOG: "/log",
        };
        const args = isStep ? own ?? [ROOT] : [ROOT, "--trace", "/trace", "--format", "jsonl", ...options];
        const loaded = await modules[bundle];
        const result = globalThis.wasi({ args: [program, ...args], env }).run(loaded);
        const whole = lines(result.files.get("log"));
        const open = whole.findIndex(({ os, chosen }) => os === "asked" && chosen === undefined);
        const trace = lines(result.files.get("trace"));
        const asked = whole[open] ?? null;
        const events = cut(trace.filter(({ event }) => event), asked);
        return {
            log: open < 0 ? whole : whole.slice(0, open),
            asked: asked?.choices ?? [],
            moment: asked ?? whole.findLast(({ os }) => os === "asked" || os === "ended") ?? null,
            isOver: asked === null,
            isWrong: /nothing has the number|not a choice|cannot fail/.test(result.err),
            run: { program, events, threads: [], queues: Player.queueNames(events), states: Player.fold(events).states },
            rows: isStep || asked ? [] : lines(result.out).filter(({ url }) => url),
            out: isStep ? result.out : "",
            err: result.err,
            choices,
        };
    };

    /** The events until the program fell asleep; what follows is the end by Ctrl-C. */
    function cut(events, asked) {
        const last = asked ? events.findLastIndex(({ event, us }) => event === "slept" && us <= asked.us) : -1;
        return last < 0 ? events : events.slice(0, last + 1);
    }

    /**
     * Which task waits for a socket: the first socket of the system is the one that was
     * registered first. The programs give them other numbers.
     */
    Player.waiterOf = ({ events, states }, socket) => {
        const tokens = [];
        events.filter(({ event }) => event === "registered").forEach((it) => {
            if (!tokens.includes(it.socket)) {
                tokens.push(it.socket);
            }
        });
        const tasks = [...(states.at(-1)?.tasks.values() ?? [])];
        return tasks.find((task) => task.socket === tokens[socket - 1] && task.waits) ?? null;
    };
}
