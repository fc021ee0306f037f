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
for (const name of ["fold", "words", "say", "causes", "trace", "wrong"]) {
    runInThisContext(readFileSync(join(project, `book/theme/player/${name}.js`), "utf8"));
}

const CREATED = { event: "created", for: "a" };
const HEAD = JSON.stringify({ trace: Player.VERSION, program: "recorder" });
/** A trace of these events. */
const lines = (...events) => [HEAD, ...events.map((it) => JSON.stringify({ us: 0, task: 1, ...it }))].join("\n");

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
folds_parts();
reads();
finds();
refuses();
says();
names_awaited();
names_threads();
console.log(`${names.length} traces with ${events} events folded`);

function check(name, trace) {
    assert.equal(trace.v, Player.VERSION, name);
    const { states, unknown } = Player.fold(trace.events);
    assert.deepEqual(unknown, [], name);
    trace.events.forEach((event, index) => {
        const where = `${name}, step ${event.step}`;
        const { running, asleep, tasks, ready, line } = states[index];
        assert(!asleep || running.length === 0, `${where}: task ${running} runs`);
        // On each thread one task runs; where no thread is named, there is one.
        const threads = running.map((task) => (trace.tasks === "threads" ? task : tasks.get(task).thread));
        assert.equal(new Set(threads).size, threads.length, `${where}: ${running} run on ${threads}`);
        assert.equal(line, event.line, where);
        for (const task of [...running, ...ready]) {
            assert(tasks.has(task), `${where}: there is no task ${task}`);
        }
        if (Player.isWake(event, states[index - 1])) {
            const run = { program: trace.tasks ?? trace.program, events: trace.events, states, threads: Player.threadNames(trace.events) };
            callers.add(says_caller(event, Player.say(run, index), where, Player.unit(run)));
            const { by } = event;
            const cause = by === "thread" || (typeof by === "number" && by !== 0 ? running.includes(by) : running.length === 0);
            const next = trace.events.slice(index).find((it) => it.task === by);
            assert(cause || next.event === "cancelled", `${where}: ${running} runs`);
        }
    });
    chains({ ...trace, program: trace.tasks ?? trace.program, states }, name);
    const { running, ready, tasks, timers, asleep } = states.at(-1);
    const left = { running: running.length, ready: ready.length, tasks: tasks.size, timers: timers.length };
    assert.deepEqual(left, { running: 0, ready: 0, tasks: 0, timers: 0 }, name);
    const sleeps = trace.events.some(({ event }) => event === "slept");
    assert(!asleep && states.some((state) => state.asleep) === sleeps, name);
}

/** What has led to each run comes before it, in order. Of a trace with events of the system, one began there. */
function chains(trace, name) {
    const begins = new Set();
    trace.events.forEach(({ event }, index) => {
        if (event === "resumed") {
            const chain = Player.chain(trace, index);
            const isInOrder = chain.every((it, at) => at === 0 || it > chain[at - 1]);
            assert(isInOrder && chain.at(-1) === index, `${name}, event ${index}: ${chain}`);
            begins.add(trace.events[chain[0]].event);
        }
    });
    for (const source of ["arrived", "timer-fired"]) {
        const wakes = trace.events.some(({ event, by }) => event === "woken" && by === (source === "arrived" ? "reactor" : "timer"));
        assert(!wakes || begins.has(source), `${name}: no run began with ${source}, only with ${[...begins]}`);
    }
}

/** The sentence of a wake names what the observer has recorded. */
function says_caller({ by, task }, said, where, unit) {
    const [name, caller] = by === task ? ["itself", "its own waker"]
        : typeof by === "number" ? ["task", `*${unit === "task" ? "Task" : "Thread"} ${by}*`]
        : [by, { reactor: "The reactor", timer: "The timer", thread: "Another thread" }[by]];
    assert(said.includes(caller) && said.toLowerCase().includes(`*${unit} ${task}*`), `${where}: ${said}`);
    return name;
}

/** The trace of a program that `shared/recorder` has recorded is folded and told, too. */
function folds_other_programs() {
    const text = readFileSync(join(project, "shared/recorder/tests/player.jsonl"), "utf8");
    const { program, events } = Player.read(text);
    const { states, unknown } = Player.fold(events);
    assert.deepEqual(unknown, []);
    const { running, ready, tasks, ended, dropped } = states.at(-1);
    const left = { running: running.length, ready: ready.length, tasks: tasks.size, ended, dropped };
    assert.deepEqual(left, { running: 0, ready: 0, tasks: 0, ended: 2, dropped: 2 });
    const told = events.map((_, index) => Player.say({ program, events, states }, index));
    for (const sentence of told) {
        assert.doesNotMatch(sentence, /undefined|does not know/);
    }
    assert.match(told[12], /^\*Task 4\* calls the waker of \*task 1\*/);
    assert.match(told[9], /last waker of \*task 2\* is dropped/);
}

/** A part of a trace, from the state before it, is folded to the states of the whole. */
function folds_parts() {
    const { events } = JSON.parse(readFileSync(join(traces, "executor-end.json"), "utf8"));
    const { states } = Player.fold(events);
    for (let at = 0; at <= events.length; at += 7) {
        assert.deepEqual(Player.after(events, at), states[at - 1] ?? Player.START, `${at}`);
        const part = Player.fold(events.slice(at), Player.after(events, at)).states;
        assert.deepEqual(part, states.slice(at), `${at}`);
    }
}

/** What is no trace is refused with what was expected; a last line that was cut off is left out. */
function reads() {
    const whole = lines(CREATED);
    for (const [text, isCut] of [[whole, false], [`${whole}\r\n\n`, false], [`${whole}\n{"us":`, true]]) {
        assert.deepEqual(Player.read(text), { program: "recorder", name: "recorder", events: [{ us: 0, task: 1, ...CREATED }], isCut });
    }
    for (const [text, message] of [
        ["", /empty/],
        ["\n \n", /empty/],
        ["hello\nworld", /begins with `hello`.*first line of a trace is like/],
        ["null", /begins with `null`/],
        ["[\n{}", /for Perfetto/],
        [HEAD.replace(`${Player.VERSION}`, "1"), new RegExp(`version 1, and this page plays version ${Player.VERSION}`)],
        [HEAD, /no event after its first line/],
        [`${HEAD}\n{"us":`, /no event after its first line/],
        [`${whole}\nhello\n{}`, /^Line 3 is no event: it is no JSON object/],
        [lines({ event: "toString" }), /does not know the event `toString`/],
        [lines({ event: "created" }), /^Line 2 .* has no `for`/],
        [lines({ event: "created", for: 1 }), /`for` is of another kind/],
        [lines({ ...CREATED, us: -1 }), /`us` is of another kind/],
        [lines({ ...CREATED, us: 2 }, { event: "woken", us: 1, by: 1 }), /^Line 3 .* its time is before/],
        [lines({ event: "woken", by: 1, cancels: "no" }), /`cancels` is of another kind/],
        [lines(CREATED, { event: "paused", state: "x", at: "x", waits: {} }), /`waits` is of another kind/],
    ]) {
        assert.throws(() => Player.read(text), { name: "Error", message });
    }
}

/** What looks wrong, and what does not although it nearly does. */
function finds() {
    const found = (...events) => Player.wrong(events.map((it) => ({ us: 0, task: 1, ...it })))
        .findings.map(({ kind, task, at }) => `${kind} ${task} ${at}`).join();
    const [resumed, queued, woken] = ["resumed", "queued", "woken"].map((event) => ({ event }));
    const paused = (us, wakers = 1) => ({ event: "paused", us, wakers, waits: { named: "it" } });
    const [finished, cancelled, orphaned] = ["finished", "cancelled", "orphaned"].map((event) => ({ event }));

    assert.equal(found(CREATED, resumed, paused(10_000), resumed, finished), "");
    assert.equal(found(CREATED, resumed, paused(10_001), queued, resumed, finished), "long 1 1");
    assert.equal(found(CREATED, resumed, { ...finished, us: 10_001 }), "long 1 1");
    assert.equal(found(CREATED, resumed), "inside 1 1");
    assert.equal(found(CREATED), "unpolled 1 0");
    assert.equal(found(CREATED, queued), "ready 1 1");
    assert.equal(found(CREATED, resumed, queued, paused(0)), "ready 1 2");
    assert.equal(found(CREATED, resumed, paused(0)), "");
    assert.equal(found(CREATED, resumed, paused(0, 0)), "lost 1 2");
    assert.equal(found(CREATED, resumed, paused(0, 0), cancelled), "");
    assert.equal(found(CREATED, resumed, paused(0), orphaned), "lost 1 3");
    assert.equal(found(CREATED, resumed, finished, woken, woken), "stale 1 3");
    assert.equal(found(CREATED, resumed, woken, finished), "");
    // A thread is in no poll, which could be too long.
    const thread = Player.wrong([CREATED, resumed, { ...finished, us: 10_001 }, woken].map((it) => ({ us: 0, task: 1, ...it })), "thread");
    assert.deepEqual(thread.findings.map(({ text }) => text), ["*Thread 1* is woken, and has ended."]);
    const { left } = Player.wrong([{ us: 0, task: 1, ...CREATED }]);
    assert.deepEqual(left.map(({ task, name }) => [task, name]), [[1, "a"]]);
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

    // What cancels a task, and what follows.
    const cancelled = (by) => {
        const [a, b] = [1, 2].map((task) => ({ event: "created", task, for: "a" }));
        const events = [a, b, { event: "queued", task: 1, ready: 1, by: 0 }, { event: "resumed", task: 1, state: "New", at: "a", ready: 0 },
            { event: "woken", task: 2, cancels: true, by }, { event: "queued", task: 2, ready: 1 },
            { event: "finished", task: 1 }, { event: "cancelled", task: 2 }];
        const run = { program: "stage3-async", events, states: Player.fold(events).states };
        return `${Player.say(run, 4)} ${Player.wakes(run).map(({ from, to }) => `${from} ${to}`)} ${Player.chain(run, 7)}`;
    };
    assert.match(cancelled(1), /^\*Task 1\* cancels \*task 2\*: .* its future is dropped\. 1 2 2,4,7$/);
    assert.match(cancelled(2), /^\*Task 2\*.* cancels \*task 2\*: .* runs on until it has to wait/);
    assert.match(cancelled("thread"), /^Another thread cancels \*task 2\*: .* thread 2 4,7$/);

    assert.match(polled("connect", "read"), /^The wait in `connect` is over\. The poll goes on to `read`, which returns `Pending`/);
    assert.match(polled("read", "read"), /^`read` returns `Pending`/);
    assert.match(polled("New", "read"), /^`read` returns `Pending`/);
}

/** A task waits for the one that wakes it at its own end, and not for one that cancels it. Of a
 * task that has cancelled itself no other turn is promised. */
function names_awaited() {
    const paused = { event: "paused", task: 1, waits: { named: "another task" } };
    const woken = (by, more) => ({ event: "woken", task: 1, by, ...more });
    const [resumed, finished] = [{ event: "resumed", task: 1 }, { event: "finished", task: 2 }];
    const waits = (...events) => Player.awaited([paused, ...events])[0].waits.named;
    const not = "another task (not named)";
    assert.equal(waits(woken(2), { event: "queued", task: 1 }, finished), "task 2");
    assert.equal(waits(woken(2)), not);
    assert.equal(waits(woken(2), resumed, finished), "task 2"); // on another thread
    assert.equal(waits(woken(2), { event: "paused", task: 2 }, finished), not);
    assert.equal(waits(woken("reactor"), finished), not);
    assert.equal(waits(resumed, woken(2), finished), not);
    assert.equal(waits(woken(2, { cancels: true }), finished), not);
    const twice = Player.awaited([paused, woken(2), finished, resumed, paused, woken(3), { ...finished, task: 3 }]);
    assert.deepEqual([twice[0], twice[4]].map((it) => it.waits.named), ["task 2", "task 3"]);

    const events = [
        { event: "created", task: 1, for: "a" },
        { event: "resumed", task: 1, state: "New", at: "a" },
        { event: "woken", task: 1, by: 1, cancels: true },
        { event: "paused", task: 1, state: "a", at: "a", waits: "readable" },
    ];
    const said = Player.say({ program: "stage3-async", events, states: Player.fold(events).states }, 3);
    assert.match(said, /was cancelled, so its next turn only drops it\.$/);
}

/** Numbers in names are in their order; of many threads two are named; a thread without a name is none. */
function names_threads() {
    const at = (task, event, more) => ({ us: 0, task, event, for: "a", state: "New", at: "a", ...more });
    const ids = [1, 2, 10, 4];
    const events = [
        ...ids.map((task) => at(task, "created")),
        ...ids.map((task) => at(task, "resumed", { thread: `w ${task}` })),
        at(1, "woken", { by: 0 }),
        at(1, "woken", { by: 3 }),
        at(4, "paused", { waits: { named: "it" } }),
        at(4, "resumed"),
    ];
    const threads = Player.threadNames(events);
    assert.deepEqual(threads, ["w 1", "w 2", "w 4", "w 10"]);
    const { states } = Player.fold(events);
    const say = (index) => Player.say({ program: "recorder", events, states, threads }, index);
    assert.match(say(6), / At the same time, \*task 1\* runs on thread `w 1`, and \*task 2\* runs on thread `w 2`\.$/);
    assert.match(say(7), / on thread `w 1`, \*task 2\* runs on thread `w 2`, and 1 more task runs\.$/);
    assert.match(say(8), /^The loop calls/);
    assert.match(say(9), /^\*Task 3\* calls/);
    assert.match(say(11), /^The runtime polls \*task 4\*/);
    assert.deepEqual(Player.queueNames([{ queue: "queue of w 10" }, { queue: "queue of w 9" }]), ["queue of w 9", "queue of w 10"]);
    // A task that is in no queue runs because it was woken.
    assert.deepEqual(Player.chain({ program: "recorder", events: [at(1, "woken", { by: "thread" }), at(1, "resumed")] }, 1), [0, 1]);
}
