// Folds each stored trace, as the player of the book does: `node tests/browser/fold.mjs`.
// No event is unknown, no task runs while the loop sleeps, each line of the source is there,
// and in the end nothing is left.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";

const project = fileURLToPath(new URL("../../", import.meta.url));
const traces = join(project, "book", "traces");
// The script as a page loads it: it is no module.
runInThisContext(readFileSync(join(project, "book/theme/player/fold.js"), "utf8"));

const names = readdirSync(traces).filter((name) => name.endsWith(".json"));
let events = 0;
for (const name of names) {
    const trace = JSON.parse(readFileSync(join(traces, name), "utf8"));
    check(name, trace, foldTrace(trace));
    events += trace.events.length;
}
assert(names.length >= 20, `${names.length} traces`);
refuses();
console.log(`${names.length} traces with ${events} events folded`);

function check(name, trace, states) {
    const sources = new Map();
    for (const [file, { path }] of Object.entries(trace.sources)) {
        assert(existsSync(join(project, path)), `${name}: ${path}`);
        sources.set(file, readFileSync(join(project, path), "utf8").split("\n"));
    }
    trace.events.forEach((event, index) => {
        const where = `${name}, step ${event.step}`;
        const { running, isAsleep, tasks, ready, line } = states[index + 1];
        assert(!(isAsleep && running), `${where}: task ${running} runs`);
        assert(sources.get(line.file)?.[line.number - 1]?.trim(), `${where}: ${event.line}`);
        for (const task of [running, ...ready].filter(Boolean)) {
            assert(tasks.has(task), `${where}: there is no task ${task}`);
        }
    });
    const steps = trace.events.map((event) => event.step);
    for (const row of trace.rows ?? []) assert(steps.includes(row), `${name}: row ${row}`);
    const { running, ready, tasks, timers, isAsleep } = states.at(-1);
    const left = { running, ready: ready.length, tasks: tasks.size, timers: timers.size };
    assert.deepEqual(left, { running: 0, ready: 0, tasks: 0, timers: 0 }, name);
    assert(!isAsleep && states.some((state) => state.isAsleep), name);
}

/** What is no trace is an error, not a picture. */
function refuses() {
    const line = "src/a.rs:1";
    const folds = (v, ...all) => foldTrace({ v, events: all.map((it) => ({ line, ...it })) });
    assert.throws(() => folds(1), /version 1/);
    assert.throws(() => folds(2, { step: 1, event: "yawned" }), /step 1: yawned/);
    assert.throws(() => folds(2, { step: 1, event: "queued", task: 1, ready: 2 }), /1 tasks/);
}
