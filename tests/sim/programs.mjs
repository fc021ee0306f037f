// The committed programs, loaded as a page loads them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { folder, judge, recorded, steps, stored } from "./steps.mjs";

export const programs = ["steps", "page"];

const script = (name) =>
    runInThisContext(readFileSync(join(folder, `${name}.js`), "utf8"), { filename: `${name}.js` });
const modules = new Map();

/** The bytes of a program. */
export function bytes(name) {
    script(name);
    return gunzipSync(Buffer.from(globalThis.programs[name], "base64"));
}

function module(name) {
    if (!modules.has(name)) modules.set(name, new WebAssembly.Module(bytes(name)));
    return modules.get(name);
}

/** Runs a program. `args` begin with the name of a crawler or of a step. */
export function run(program, args, env = {}) {
    if (!globalThis.wasi) script("wasi");
    return globalThis.wasi({ args, env }).run(module(program));
}

/** Runs all steps that run in a page: `{ name, program, how, expected, run }`. */
export function ran() {
    return steps().filter(({ how }) => how !== "not").map((step) =>
        ({ ...step, expected: stored(step), run: run(step.program, [step.name]) }));
}

/** Judges what they have done: `{ name, state, why }`. */
export function judged(all = ran(), record = recorded()) {
    return all.map((step) => ({ name: step.name, ...judge({ ...step, record: record.get(step.name) }) }));
}

/** The list for people of what is older than the code. Empty if nothing is. */
export function listed(verdicts) {
    const older = verdicts.filter(({ state }) => state === "older")
        .map(({ name, why }) => `${name} prints in a page:\n${why.trimEnd().replace(/^/gm, "    ")}`);
    const unrecorded = verdicts.filter(({ state }) => state === "unrecorded").map(({ name }) => name);
    return [
        older.length === 0 ? [] : [OLDER, ...older],
        unrecorded.length === 0 ? [] : [UNRECORDED, ...unrecorded],
    ].flat().join("\n");
}

const OLDER = `These steps print something else in a page than is stored, because the programs of the pages
were built from an earlier version of the code. The pages say so. At the end of the change, build the
programs again: node tests/sim/build.mjs`;
const UNRECORDED = `These steps print in a page what is stored, but were recorded with another output:
node tests/sim/build.mjs --record`;
