// What looks wrong in a trace, and which tasks have not ended. Works in Node, too.

"use strict";

{
    const { time, waits } = Player;

    /** The longest poll that is no finding, in microseconds. */
    const LONG = 10_000;

    /** The kinds of findings, each with its name in the table of the page `your-own-trace.md`. */
    Player.KINDS = {
        lost: "a task that nothing can wake",
        inside: "a poll that had not returned",
        ready: "a task that was woken and never polled again",
        unpolled: "a task that was never polled",
        long: "a poll longer than 10 ms",
        stale: "a wake of a task that has ended",
    };

    /**
     * Returns `{ findings, left }`. A finding is `{ kind, task, at, text }`: `at` is the number
     * of an event, from 0. `left` are the tasks that had not ended, `{ task, name, at, waits }`.
     * Where the unit is a thread, nothing is polled, and no run is too long.
     */
    Player.wrong = (events, unit = "task") => {
        const findings = [];
        const tasks = new Map();
        const ended = new Set();
        const called = ({ task, name }) => `*${unit} ${task}* (\`${name.slice(0, 40).replaceAll("`", "'")}\`)`;
        const add = (kind, task, at, text) => findings.push({ kind, task, at, text });
        const returned = (it, { task, us }) => {
            if (unit === "task" && it.began !== null && us - events[it.began].us > LONG) {
                add("long", task, it.began, `A poll of ${called(it)} takes ${time(us - events[it.began].us)}.`);
            }
            it.began = null;
        };
        const end = (it, event, at) => {
            returned(it, event);
            tasks.delete(event.task);
            ended.add(event.task);
        };
        // `began`, `queued`, `lost`: the event since which it is in a poll, ready, or without a waker.
        const SEE = {
            resumed: (it, event, at) => Object.assign(it, { began: at, queued: null, lost: null, polled: true, at }),
            paused: (it, event, at) => {
                returned(it, event);
                Object.assign(it, { waits: event.waits, at, lost: event.wakers === 0 && it.queued === null ? at : null });
            },
            queued: (it, event, at) => Object.assign(it, { queued: at, lost: null, at }),
            orphaned: (it, event, at) => Object.assign(it, { lost: at }),
            finished: end,
            cancelled: end,
        };
        events.forEach((event, at) => {
            if (event.event === "created") {
                const { task, for: name } = event;
                tasks.set(task, { task, name, at, began: null, queued: null, lost: null, polled: false, waits: null });
            }
            const it = tasks.get(event.task);
            if (it && Object.hasOwn(SEE, event.event)) {
                SEE[event.event](it, event, at);
            } else if (event.event === "woken" && ended.has(event.task)) {
                ended.delete(event.task); // one finding for each task
                add("stale", event.task, at, unit === "task"
                    ? `The waker of *task ${event.task}* is called, and that task has ended.`
                    : `*Thread ${event.task}* is woken, and has ended.`);
            }
        });
        const left = [...tasks.values()];
        const [inside, ready, unpolled] = unit === "task"
            ? ["did not return from this poll before the trace ended.", "was woken here, and not polled again.", "was created here, and never polled."]
            : ["still ran when the trace ended.", "was woken here, and did not run again.", "was created here, and never ran."];
        for (const it of left) {
            const { task } = it;
            const [kind, at, text] = it.began !== null ? ["inside", it.began, inside]
                : it.queued !== null ? ["ready", it.queued, ready]
                    : !it.polled ? ["unpolled", it.at, unpolled]
                        : it.lost !== null ? ["lost", it.lost, `has no waker left. It waits for ${waits(it.waits)}.`] : [];
            if (kind) {
                add(kind, task, at, `${called(it).replace("t", "T")} ${text}`);
            }
        }
        const kinds = Object.keys(Player.KINDS);
        const order = ({ kind }) => kinds.indexOf(kind);
        findings.sort((a, b) => order(a) - order(b) || a.at - b.at);
        return { findings, left };
    };
}
