// The committed programs, loaded as a page loads them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { crawls, eventsOf, folder, judge, recorded, steps, stored } from "./steps.mjs";

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

/** Runs all steps that run in a page, and the crawls whose traces are stored:
 * `{ name, program, how, expected, run }`. */
export function ran() {
    const shown = steps().filter(({ how }) => how !== "not");
    return [
        ...shown.map((step) => ({ ...step, expected: stored(step), run: run(step.program, [step.name]) })),
        ...crawls().map((crawl) => ({ ...crawl, program: "crawl", run: crawled(crawl.args) })),
    ];
}

/** Runs a crawl: its output is the events of its trace. Whatever its exit code says of the site, a
 * crawl without a trace has failed. */
export function crawled(args) {
    const { code, trap, err, files } = run("page", args);
    const out = eventsOf(files.get("trace") ?? "");
    return { code: out === "" ? code || 1 : 0, trap, err, out };
}

/** Judges what they have done: `{ name, state, why }`. */
export function judged(all = ran(), record = recorded()) {
    // A trace that was stored later is no part of a program, so none can lack it.
    const known = ({ name, program }) => record.get(name) ?? (program === "crawl" ? {} : undefined);
    return all.map((step) => ({ name: step.name, ...judge({ ...step, record: known(step) }) }));
}

/** The list for people of what is older than the code. Empty if nothing is. */
export function listed(verdicts) {
    const older = verdicts.filter(({ state }) => state === "older")
        .map(({ name, why }) => `${name}, in a page:\n${shortened(why)}`);
    const unrecorded = verdicts.filter(({ state }) => state === "unrecorded").map(({ name }) => name);
    return [
        older.length === 0 ? [] : [OLDER, ...older],
        unrecorded.length === 0 ? [] : [UNRECORDED, ...unrecorded],
    ].flat().join("\n");
}

/** The first lines of an output; a trace has many. */
function shortened(text, most = 15) {
    const lines = text.trimEnd().split("\n");
    const shown = lines.length > most ? [...lines.slice(0, most), "…"] : lines;
    return shown.map((line) => `    ${line}`).join("\n");
}

const OLDER = `These steps and crawls do something else in a page than is stored, because the programs of the
pages were built from an earlier version of the code. The pages say so. At the end of the change, build the
programs again: node tests/sim/build.mjs`;
const UNRECORDED = `These steps and crawls do in a page what is stored, but were recorded with something else:
node tests/sim/build.mjs --record`;
