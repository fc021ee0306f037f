// Names, times and texts, as all parts of the player write them.

"use strict";

{
    const STAGES = { __proto__: null, "stage1-callbacks": 1, "stage2-generators": 2, "stage3-async": 3, recorder: 4, threads: 5 };

    /** Which of the three crawlers was traced; 4 is a program that `shared/recorder` has recorded,
     * and in 5 there is no task: what is numbered are threads. */
    Player.stage = (program) => STAGES[program] ?? 3;

    /** What is numbered. */
    Player.unit = ({ program, title }) => (title ? "page" : Player.stage(program) === 5 ? "thread" : "task");

    /** Puts names in order: `thread 2` before `thread 10`. */
    const byName = new Intl.Collator("en", { numeric: true }).compare;

    /** The names of the threads that have polled tasks, if there is more than one. */
    Player.threadNames = (events) => {
        const names = new Set(events.filter(({ event, thread }) => event === "resumed" && thread).map(({ thread }) => thread));
        return names.size > 1 ? [...names].sort(byName) : [];
    };

    /** The names of the ready queues: null, if there is one. Empty: nothing is queued. */
    Player.queueNames = (events) => {
        const names = new Set(events.map(({ queue }) => queue).filter(Boolean));
        return names.size > 0 ? [...names].sort(byName) : events.some(({ event }) => event === "queued") ? [null] : [];
    };

    /** How many characters of a name are shown in a lane or in a list. */
    Player.NAME = 16;

    Player.short = (name) => (name.length > Player.NAME ? `${name.slice(0, Player.NAME - 1)}…` : name);

    /** A URL without its site, which is the same for all tasks. */
    Player.path = (name = "") => name.replace(/^https?:\/\/127\.0\.0\.1(:\d+)?/, "");

    /** A time or a duration of so many microseconds. */
    Player.time = (us) => {
        const [value, unit] = us < 950_000 ? [us / 1000, "ms"] : [us / 1e6, "s"];
        return `${value.toFixed(unit === "ms" && value >= 99.95 ? 0 : 1)} ${unit}`;
    };

    const WAITS = {
        __proto__: null,
        socket: "its socket",
        readable: "its socket to be readable",
        writable: "its socket to be writable",
        turn: "its next turn",
        timer: "its timer",
    };

    /** What a task waits for, after "waits for". */
    Player.waits = (waits) => WAITS[waits] ?? (waits?.named && Player.path(waits.named)) ?? String(waits ?? "nothing");

    /** Whether a task waits for its socket, and not for a timer or for another task. */
    Player.isOfSocket = (waits) => ["socket", "readable", "writable"].includes(waits);

    /** Whether a thread waits for a page, in a call that blocks. */
    Player.isOfPage = (waits) => Boolean(waits?.named?.startsWith("http"));

    Player.plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

    /** A text as nodes: what is between backticks is code, between asterisks strong. */
    Player.rich = (text) => text.split(/(`[^`]*`|\*[^*]*\*)/).filter(Boolean).map((part) => {
        if (part.startsWith("`")) {
            return make("code", {}, part.slice(1, -1));
        }
        return part.startsWith("*") ? make("strong", {}, part.slice(1, -1)) : part;
    });

    /** Round numbers on an axis of this length: 0, and about four more. */
    Player.ticks = (length) => {
        const power = 10 ** Math.floor(Math.log10(length / 4));
        const step = [1, 2, 5, 10].map((it) => it * power).find((it) => it >= length / 4);
        return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => Number((index * step).toFixed(3)));
    };
}
