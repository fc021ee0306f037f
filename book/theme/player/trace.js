// Reads a trace: a first line with its version and its program, and a line for each event. What
// is no trace is an error whose message says what was expected. Works in Node, too.

"use strict";

{
    /** The version of traces that this page plays. */
    Player.VERSION = 4;

    const FIRST = `{"trace":${Player.VERSION},"program":"recorder"}`;
    const RECORD = "Record one with `shared/recorder`, or with the option `--trace FILE` of a crawler.";

    /** What each key has to be, where it is there. */
    const isText = (value) => typeof value === "string";
    const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
    const isCountOrNull = (value) => value === null || isCount(value);
    const KEYS = {
        us: isCount, task: isCount, event: isText, for: isText, at: isText, state: isText, line: isText,
        thread: isText, queue: isText, by: (value) => isText(value) || isCount(value), ready: isCount, wakers: isCount, timer: isCount, when: isCount,
        cancels: (value) => typeof value === "boolean",
        events: isCount, socket: isCountOrNull, until: isCountOrNull,
        waits: (value) => isText(value) || isText(value?.named),
    };
    const NEEDED = ["us", "task", "event"];
    const NEEDED_BY = {
        __proto__: null, // an event may be called `toString`
        created: ["for"],
        resumed: ["for", "state", "at"],
        paused: ["state", "waits", "at"],
        woken: ["by"],
        moved: ["queue"],
        "timer-set": ["timer", "when"],
    };

    /** The beginning of a line, as a message quotes it. */
    const begin = (line) => `\`${line.slice(0, 60).replaceAll("`", "'")}${line.length > 60 ? "…" : ""}\``;

    function parsed(line) {
        try {
            return JSON.parse(line);
        } catch {
            return null;
        }
    }

    /** What is wrong with an event; null: nothing. */
    function wrong(event, before) {
        if (typeof event !== "object" || event === null) {
            return "it is no JSON object";
        }
        const needed = [...NEEDED, ...(NEEDED_BY[event.event] ?? [])];
        const missing = needed.find((key) => !Object.hasOwn(event, key));
        if (missing) {
            return `it has no \`${missing}\``;
        }
        const key = Object.keys(KEYS).find((it) => Object.hasOwn(event, it) && !KEYS[it](event[it]));
        if (key) {
            return `the value of \`${key}\` is of another kind`;
        }
        if (!Player.knows(event.event)) {
            return `this page does not know the event \`${event.event.slice(0, 30)}\``;
        }
        return event.us < before ? "its time is before that of the line above" : null;
    }

    /** Returns the kind of the program, as `Player.stage` knows it, and its name. */
    function program(line) {
        const head = parsed(line);
        if (Array.isArray(head) || line.trim() === "[") {
            throw new Error("This is a trace for Perfetto. This page plays the other format: leave out `--trace-format`.");
        }
        if (typeof head?.trace !== "number") {
            throw new Error(`This is no trace: it begins with ${begin(line)}, and the first line of a trace is like \`${FIRST}\`. ${RECORD}`);
        }
        if (head.trace !== Player.VERSION) {
            throw new Error(`This trace has version ${head.trace}, and this page plays version ${Player.VERSION}. `
                + "Record it again with the programs of this edition, or open it with the book of the other one.");
        }
        const name = isText(head.program) ? head.program : "a program";
        return { program: head.tasks === "threads" ? head.tasks : name, name };
    }

    /**
     * Returns `{ program, name, events, isCut }`; with `isCut`, the last line was not complete.
     * Throws an `Error` whose message is for the reader.
     */
    Player.read = (text) => {
        const lines = text.split("\n").map((line) => line.trimEnd());
        while (lines.at(-1) === "") {
            lines.pop();
        }
        if (lines.length === 0) {
            throw new Error(`The file is empty. The first line of a trace is like \`${FIRST}\`. A program that is killed `
                + "before it calls `finish` may leave an empty file.");
        }
        const head = program(lines[0].replace(/^\uFEFF/, ""));
        const events = [];
        let isCut = false;
        for (const [index, line] of lines.entries()) {
            if (index === 0) {
                continue;
            }
            const event = parsed(line);
            if (event === null && index === lines.length - 1) {
                isCut = true; // its program was killed
                continue;
            }
            const why = wrong(event, events.at(-1)?.us ?? 0);
            if (why) {
                throw new Error(`Line ${index + 1} is no event: ${why}. It begins with ${begin(line)}. `
                    + "Each line after the first is a JSON object with `us`, `task` and `event`.");
            }
            events.push(event);
        }
        if (events.length === 0) {
            throw new Error("The trace has no event after its first line. No task was created, or the program was killed before it called `finish`.");
        }
        return { ...head, events, isCut };
    };
}
