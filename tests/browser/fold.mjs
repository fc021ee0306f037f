// Folds each stored trace, as the player of the book does: `node tests/browser/fold.mjs`.
// No event is unknown, no task runs while the loop sleeps, and in the end nothing is left.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";

const project = fileURLToPath(new URL("../../", import.meta.url));
const traces = join(project, "book", "traces");
// The scripts as a page loads them: they are no modules.
for (const name of ["fold", "words", "say"]) {
    runInThisContext(readFileSync(join(project, `book/theme/player/${name}.js`), "utf8"));
}

const names = readdirSync(traces).filter((name) => name.endsWith(".json"));
let events = 0;
const callers = new Set();
for (const name of names) {
    const trace = JSON.parse(readFileSync(join(traces, name), "utf8"));
    check(name, trace);
    events += trace.events.length;
}
assert(names.length >= 20, `${names.length} traces`);
assert.deepEqual([...callers].sort(), ["itself", "reactor", "task", "thread", "timer"]);
folds_other_programs();
refuses();
says();
console.log(`${names.length} traces with ${events} events folded`);

function check(name, trace) {
    assert.equal(trace.v, 3, name);
    const { states, unknown } = Player.fold(trace.events);
    assert.deepEqual(unknown, [], name);
    trace.events.forEach((event, index) => {
        const where = `${name}, step ${event.step}`;
        const { running, asleep, tasks, ready, line } = states[index];
        assert(!(asleep && running), `${where}: task ${running} runs`);
        assert.equal(line, event.line, where);
        for (const task of [running, ...ready].filter(Boolean)) {
            assert(tasks.has(task), `${where}: there is no task ${task}`);
        }
        if (Player.isWake(event, states[index - 1])) {
            const said = Player.say({ program: trace.program, events: trace.events, states }, index);
            callers.add(says_caller(event, said, where));
            const { by } = event;
            const cause = by === "thread" || running === (typeof by === "number" ? by : null);
            const next = trace.events.slice(index).find((it) => it.task === by);
            assert(cause || next.event === "cancelled", `${where}: ${running} runs`);
        }
    });
    const { running, ready, tasks, timers, asleep } = states.at(-1);
    const left = { running, ready: ready.length, tasks: tasks.size, timers: timers.length };
    assert.deepEqual(left, { running: null, ready: 0, tasks: 0, timers: 0 }, name);
    const sleeps = trace.events.some(({ event }) => event === "slept");
    assert(!asleep && states.some((state) => state.asleep) === sleeps, name);
}

/** The sentence of a wake names what the observer has recorded. */
function says_caller({ by, task }, said, where) {
    const [name, caller] = by === task ? ["itself", "its own waker"]
        : typeof by === "number" ? ["task", `*Task ${by}*`]
        : [by, { reactor: "The reactor", timer: "The timer", thread: "Another thread" }[by]];
    assert(said.includes(caller) && said.toLowerCase().includes(`*task ${task}*`), `${where}: ${said}`);
    return name;
}

/** The trace of a program that `shared/recorder` has recorded is folded and told, too. */
function folds_other_programs() {
    const text = readFileSync(join(project, "shared/recorder/tests/player.jsonl"), "utf8");
    const [head, ...events] = text.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(head.trace, 3);
    const { states, unknown } = Player.fold(events);
    assert.deepEqual(unknown, []);
    const { running, ready, tasks, ended, dropped } = states.at(-1);
    const left = { running, ready: ready.length, tasks: tasks.size, ended, dropped };
    assert.deepEqual(left, { running: null, ready: 0, tasks: 0, ended: 2, dropped: 2 });
    const told = events.map((_, index) => Player.say({ program: head.program, events, states }, index));
    for (const sentence of told) {
        assert.doesNotMatch(sentence, /undefined|does not know/);
    }
    assert.match(told[12], /^\*Task 4\* calls the waker of \*task 1\*/);
    assert.match(told[9], /last waker of \*task 2\* is dropped/);
}

/** An event that is unknown, or that says what is not so, is not passed over. */
function refuses() {
    const unknown = (...events) => Player.fold(events).unknown.map(({ event }) => event);
    const created = { event: "created", task: 1, for: "a" };
    assert.deepEqual(unknown(created, { event: "yawned", task: 1 }), ["yawned"]);
    assert.deepEqual(unknown(created, { event: "queued", task: 1, ready: 1 }), []);
    assert.deepEqual(unknown(created, { event: "queued", task: 1, ready: 2 }), ["queued"]);
}

/** A wait without an event has ended by a timer only if the timer was due. */
function says() {
    const woken = (until, us) => {
        const events = [{ event: "slept", us: 0, until }, { event: "woke", us, events: 0 }];
        return Player.say({ program: "stage2-generators", events, states: Player.fold(events).states }, 1);
    };
    assert.match(woken(5000, 5001), /a timer is due/);
    assert.match(woken(5000, 4000), /another thread or a signal/);
    assert.match(woken(null, 4000), /another thread or a signal/);

    // A poll that goes past the leaf in which it began says so.
    const polled = (began, ended) => {
        const events = [
            { event: "created", task: 1, for: "a" },
            { event: "queued", task: 1, ready: 1 },
            { event: "resumed", task: 1, state: began, at: `net.rs:${began}`, ready: 0 },
            { event: "paused", task: 1, state: ended, at: `net.rs:${ended}`, waits: "readable" },
        ];
        return Player.say({ program: "stage3-async", events, states: Player.fold(events).states }, 3);
    };
    assert.match(polled("connect", "read"), /^The wait in `connect` is over\. The poll goes on to `read`, which returns `Pending`/);
    assert.match(polled("read", "read"), /^`read` returns `Pending`/);
    assert.match(polled("New", "read"), /^`read` returns `Pending`/);
}
