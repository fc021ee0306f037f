// Why a task runs: the events that have led to it, from the operating system on.

"use strict";

{
    /** Returns the place of the last event before this one of which something is so, or -1. */
    const last = (events, before, isIt) => events.slice(0, before).findLastIndex(isIt);

    /** Whether an event is the begin of what the loop does for a task: one of the operating system's, or of the clock's. */
    const isSource = ({ event, task }, by, woken) => (by === "timer" ? event === "timer-fired" : event === "arrived" && task === woken);

    /**
     * Returns the places of the events that have led to this one, which begins a run: the first
     * one came from outside of all tasks. Each task runs because it was woken, or is new; what has
     * woken it was another run, the reactor, a timer, or another thread.
     */
    Player.chain = ({ events, program }, run) => {
        const chain = [run];
        let [at, { task }] = [run, events[run]];
        for (;;) {
            const isOwn = (name) => (it) => it.event === name && it.task === task;
            if (Player.stage(program) === 1) { // its loop calls the callback itself
                const paused = last(events, at, isOwn("paused"));
                const came = last(events, at, isOwn("arrived"));
                return came > paused ? [came, ...chain] : chain;
            }
            let cause = last(events, at, isOwn("queued"));
            // In no queue is the task of `block_on`: it runs because it was woken.
            if (cause < 0 || events[cause].by === undefined) {
                cause = last(events, cause < 0 ? at : cause, isOwn("woken"));
            }
            if (cause < 0) {
                return chain;
            }
            chain.unshift(cause);
            const { by } = events[cause];
            if (by === "reactor" || by === "timer") {
                const source = last(events, cause, (it) => isSource(it, by, task));
                return source < 0 ? chain : [source, ...chain];
            }
            const from = last(events, cause, (it) => it.event === "resumed" && it.task === by);
            // Nothing runs that drops a task, and what is outside of all tasks has no cause here.
            if (from < 0 || last(events, cause, (it) => it.event === "paused" && it.task === by) > from) {
                return chain;
            }
            [at, task] = [from, by];
        }
    };

    /** Returns the wakes of a run: the place of each, and the lanes from which and to which it goes.
     * `@name` is the lane of a thread that polls tasks. */
    Player.wakes = ({ events, states, start, threads = [] }) => events.flatMap((event, index) => {
        if (!Player.isWake(event, states[index - 1] ?? start ?? Player.START)) {
            return [];
        }
        const { by, task, thread } = event;
        const from = typeof by === "number" ? by : threads.includes(thread) ? `@${thread}` : by === "thread" ? by : 0;
        return [{ index, from, to: task }];
    });
}
