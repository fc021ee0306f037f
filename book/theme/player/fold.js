// What a trace says of the machine: after each event, which task runs, which are ready, what
// each task waits for and where, which timers are set, and whether the loop sleeps.
//
// A plain script, for pages (also from file://) and for node: it defines `foldTrace`.
"use strict";

/**
 * Folds a trace (`traces/NAME.json`). Returns a list of states, the first one before all
 * events: `states[i + 1]` is how things are after `trace.events[i]`. States share what an
 * event leaves as it was, so change none of them.
 *
 * - `running`: the number of the task that runs; 0 if none does.
 * - `ready`: the numbers of the tasks in the ready queue, in their order.
 * - `tasks`: a Map of the tasks that have not ended, by their number. Each has `label`, what
 *   it is for; `state`; `waits`, what it waits for: a text, or null; `socket`, the number of
 *   the socket that it waits for, or null; `at`, the place by its name; and `line`.
 * - `timers`: a Map of the timers that are set, by their number: `task` and `when`.
 * - `isAsleep`, and `until`: when the sleep ends at the latest, or null.
 * - `line`: the line of the source, as `{ file, number }`.
 */
function foldTrace(trace) {
    if (trace.v !== 2) throw new Error(`a trace of version ${trace.v}`);
    let state = {
        running: 0,
        ready: [],
        tasks: new Map(),
        timers: new Map(),
        isAsleep: false,
        until: null,
        line: null,
    };
    const states = [state];
    for (const event of trace.events) {
        const follow = foldTrace.events[event.event];
        if (!follow) throw new Error(`step ${event.step}: ${event.event} is unknown`);
        const [, file, number] = /^(.+):(\d+)$/.exec(event.line);
        state = { ...state, ...follow(state, event), line: { file, number: Number(number) } };
        if ("ready" in event && event.ready !== state.ready.length) {
            throw new Error(`step ${event.step}: ${state.ready.length} tasks are ready`);
        }
        states.push(state);
    }
    return states;
}

/** For each event what it changes. */
foldTrace.events = (() => {
    const changed = (tasks, number, change) => {
        const task = tasks.get(number);
        return task ? new Map(tasks).set(number, { ...task, ...change }) : tasks;
    };
    const without = (map, number) => new Map([...map].filter(([key]) => key !== number));
    const nothing = () => ({});
    const ended = (state, { task }) => ({
        running: state.running === task ? 0 : state.running,
        ready: state.ready.filter((it) => it !== task),
        tasks: without(state.tasks, task),
    });
    const timerGone = (state, { timer }) => ({ timers: without(state.timers, timer) });
    return {
        created: (state, { task, for: label, line }) => ({
            tasks: new Map(state.tasks).set(task, {
                label, state: null, waits: null, socket: null, at: null, line,
            }),
        }),
        queued: (state, { task }) => ({
            ready: state.ready.includes(task) ? state.ready : [...state.ready, task],
        }),
        resumed: (state, { task, state: name, for: label, at, line }) => ({
            running: task,
            ready: state.ready.filter((it) => it !== task),
            tasks: changed(state.tasks, task, {
                label, state: name, waits: null, socket: null, at, line,
            }),
        }),
        paused: (state, { task, state: name, waits, socket = null, at, line }) => ({
            running: 0,
            tasks: changed(state.tasks, task, {
                state: name, waits: waits.named ?? waits, socket, at, line,
            }),
        }),
        finished: ended,
        cancelled: ended,
        slept: (_, { until }) => ({ isAsleep: true, until }),
        woke: () => ({ isAsleep: false, until: null }),
        "timer-set": (state, { timer, task, when }) => ({
            timers: new Map(state.timers).set(timer, { task, when }),
        }),
        "timer-fired": timerGone,
        "timer-cleared": timerGone,
        // They change nothing of the machine: the next event does.
        registered: nothing,
        arrived: nothing,
        woken: nothing,
    };
})();

globalThis.foldTrace = foldTrace;
