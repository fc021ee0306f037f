// The state of a loop and its tasks after each event of a trace. It is the same for all three
// stages. A plain script, for pages and for node (it defines `Player`).

"use strict";

globalThis.Player ??= {};

{
    /** Nothing has happened yet. A state is never changed, so that states share what is equal. */
    const START = Object.freeze({
        running: [], // the tasks that run: on several threads more than one; none: the loop itself does
        asleep: false, // the loop waits in the operating system
        until: null, // with `asleep`: the time of its next timer, in microseconds
        ready: [], // the ready queue, front first
        tasks: new Map(), // of those that have not ended, by their numbers
        timers: [], // { timer, task, when }, the next one first
        ended: 0, // how many tasks have returned
        dropped: 0, // how many tasks were dropped before
        line: null, // where it happened: "src/machine/net.rs:60"
    });

    /** Whether the parts of a state are changed where they are, because no other state has them. */
    let inPlace = false;
    const own = (tasks) => (inPlace ? tasks : new Map(tasks));

    function withItem(list, item) {
        const mine = inPlace ? list : [...list];
        mine.push(item);
        return mine;
    }

    function without(list, item) {
        const at = list.indexOf(item);
        if (at < 0) {
            return list;
        }
        const mine = inPlace ? list : [...list];
        mine.splice(at, 1);
        return mine;
    }

    /** A task changes; one that has ended is left as it is. */
    function change(state, id, changes) {
        if (!state.tasks.has(id)) {
            return state;
        }
        const tasks = own(state.tasks);
        tasks.set(id, { ...state.tasks.get(id), ...changes });
        return { ...state, tasks };
    }

    function removed(state, id, count) {
        const { life, isQueued } = state.tasks.get(id) ?? {};
        const tasks = own(state.tasks);
        tasks.delete(id);
        return {
            ...state,
            tasks,
            ready: isQueued ? without(state.ready, id) : state.ready,
            running: life === "running" ? without(state.running, id) : state.running,
            [count]: state[count] + 1,
        };
    }

    /**
     * What each event changes. `running` has the tasks whose life is "running", and `ready` those with
     * `isQueued`: a list that does not have the task is not searched, however long it is.
     */
    const CHANGES = {
        created: (state, { task, for: name }) => (state.tasks.has(task)
            ? state // no program does this, but a file may
            : {
                ...state,
                tasks: own(state.tasks).set(task, { id: task, name, life: "new", isQueued: false, at: "", waits: null, socket: null }),
            }),
        queued: (state, { task, queue }) => {
            const it = state.tasks.get(task);
            if (!it) {
                return state; // its waker has lived longer than the task
            }
            const life = it.life === "running" ? it.life : "ready";
            const ready = it.isQueued ? state.ready : withItem(state.ready, task);
            return change({ ...state, ready }, task, { life, isQueued: true, ...(queue && { queue }) });
        },
        // A thread has taken a task out of a queue, for its own.
        moved: (state, { task, queue }) => change(state, task, { queue }),
        resumed: (state, { task, for: name, at, state: name_of_state, thread }) => {
            const it = state.tasks.get(task);
            if (!it) {
                return state; // no program does this, but a file may
            }
            const ready = it.isQueued ? without(state.ready, task) : state.ready;
            const others = it.life === "running" ? without(state.running, task) : state.running;
            return change(
                { ...state, running: withItem(others, task), asleep: false, ready },
                task, { name, at, state: name_of_state, thread, life: "running", isQueued: false, waits: null });
        },
        paused: (state, { task, waits, at, line = null, state: name_of_state, socket = null }) => {
            const { life, isQueued } = state.tasks.get(task) ?? {};
            return change(
                { ...state, running: life === "running" ? without(state.running, task) : state.running },
                task, { at, line, waits, socket, state: name_of_state, life: isQueued ? "ready" : "parked" });
        },
        woken: (state) => state,
        // Of `shared/recorder`: the last waker of a parked task was dropped.
        orphaned: (state) => state,
        registered: (state, { task, socket = null }) => change(state, task, { socket }),
        arrived: (state, { task }) =>
            state.tasks.get(task)?.life === "parked" ? change(state, task, { life: "due" }) : state,
        finished: (state, { task }) => removed(state, task, "ended"),
        cancelled: (state, { task }) => removed(state, task, "dropped"),
        slept: (state, { until = null }) => ({ ...state, asleep: true, until }),
        woke: (state) => ({ ...state, asleep: false, until: null }),
        // Task 0 is the loop itself: in stage 1 its timers belong to no task.
        "timer-set": (state, { timer, task, when }) => {
            const timers = inPlace ? state.timers : [...state.timers];
            const later = timers.findLastIndex((it) => it.when <= when);
            timers.splice(later + 1, 0, { timer, task: task || (state.running.at(-1) ?? null), when });
            return { ...state, timers };
        },
        "timer-fired": withoutTimer,
        "timer-cleared": withoutTimer,
    };

    function withoutTimer(state, { timer }) {
        return { ...state, timers: without(state.timers, state.timers.find((other) => other.timer === timer)) };
    }

    const next = (state, event) => {
        const changed = CHANGES[event.event]?.(state, event);
        return { changed, state: { ...(changed ?? state), line: event.line ?? state.line } };
    };

    /**
     * Folds the events of a trace, from a state on. Returns `{ states, unknown }`: the state after each event,
     * and the events that it does not know, or that say of the ready queue what is not so.
     */
    Player.fold = (events, start = START) => {
        const unknown = [];
        let state = start;
        const states = events.map((event) => {
            const { changed, state: after } = next(state, event);
            const count = after.ready.length;
            if (!changed || (event.ready ?? count) !== count) {
                unknown.push(event);
            }
            state = after;
            return state;
        });
        return { states, unknown };
    };

    /** Whether an event ends a wait. Stage 2 has no wakers: there, a task is queued, and is not new. */
    Player.isWake = ({ event, task, by }, before) => event === "woken"
        || (event === "queued" && by !== undefined && before.tasks.get(task)?.life !== "new");

    /**
     * Returns the tasks that a thread has taken out of a queue at once, but that are not yet where
     * it takes them: it has recorded one after the other that they move, and then that it polls one.
     */
    Player.held = (events, { ready }, index) => {
        const { event, thread } = events[index];
        const held = [];
        const own = event === "moved" ? events.slice(index + 1).filter((it) => it.thread === thread) : [];
        for (const { event, task } of own) {
            if (event === "moved" || event === "resumed") {
                held.push(task);
            }
            if (event !== "moved") {
                break;
            }
        }
        return held.filter((task) => ready.includes(task)).sort((a, b) => a - b);
    };

    /**
     * Returns the events, in which a task that waits for another task names that one: it is the one
     * that wakes it at its own end, and does not cancel it. A trace that ends before, or where
     * something else wakes the task, does not tell.
     */
    Player.awaited = (events) => {
        // From the end on: of each task its next event, and what wakes it next, if that ends with it.
        const [next, wakes] = [new Map(), new Map()];
        return events.toReversed().map((it) => {
            const { event, task, by, cancels } = it;
            if (event === "woken" && !cancels) {
                wakes.set(task, ["finished", "cancelled"].includes(next.get(by)) ? `task ${by}` : undefined);
            } else if (event === "resumed") {
                wakes.delete(task);
            }
            if (event !== "woken" && event !== "queued") {
                next.set(task, event);
            }
            const isAnother = event === "paused" && it.waits?.named === "another task";
            return isAnother ? { ...it, waits: { named: wakes.get(task) ?? "another task (not named)" } } : it;
        }).toReversed();
    };

    /** The state after so many events, without those before it: of a long trace they would not fit. */
    Player.after = (events, count) => {
        let state = { ...START, tasks: new Map(), running: [], ready: [], timers: [] };
        inPlace = true;
        try {
            for (let index = 0; index < count; index += 1) {
                ({ state } = next(state, events[index]));
            }
        } finally {
            inPlace = false;
        }
        return state;
    };

    /** Whether a trace may have an event of this name. */
    Player.knows = (name) => Object.hasOwn(CHANGES, name);

    Player.START = START;
}
