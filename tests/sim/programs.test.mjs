// What the pages of the book run, run as they run it: `node --test tests/sim`.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runInThisContext } from "node:vm";
import { gunzipSync } from "node:zlib";
import { folder, isFresh, programs, root } from "./build.mjs";

const STAGES = ["stage1-callbacks", "stage2-generators", "stage3-async"];
const ROOT = "http://127.0.0.1:8000/";

// The scripts as a page loads them.
for (const name of ["wasi", ...programs]) {
    runInThisContext(readFileSync(join(folder, `${name}.js`), "utf8"), { filename: `${name}.js` });
}
const bytes = (name) => gunzipSync(Buffer.from(globalThis.programs[name], "base64"));
const modules = Object.fromEntries(
    programs.map((name) => [name, new WebAssembly.Module(bytes(name))]));

const run = (program, args, env = {}) => globalThis.wasi({ args, env }).run(modules[program]);

// A crawl, with its trace.
const crawl = (stage, site, { options = [], ...env } = {}) =>
    run("page", [stage, ROOT, "--trace", "/trace", ...options], { SIM_SITE: site, ...env });
const events = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const seconds = (result) => result.us / 1e6;

test("the programs were built from these sources: node tests/sim/build.mjs", () => {
    assert.ok(isFresh());
});

test("no program is bigger than a page may load, or knows the machine that built it", () => {
    for (const name of programs) {
        assert.ok(globalThis.programs[name].length < 1.5 * 2 ** 20, name);
        const places = /\/(home|root|Users|work)\/\w{0,40}/.exec(bytes(name).toString("latin1"));
        assert.equal(places?.[0], undefined, name);
    }
});

// As tests/src/outputs.rs has it: what differs in each run of the real ones.
const VARIES = [
    [/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"],
    [/\b\d+(\.\d+)? (ms|s|secs)\b/g, "TIME"],
    [/\b\d+ KB\b/g, "SIZE"],
    [/…[0-9a-f]{3}\b/g, "ADDRESS"],
    [/\b\d+ spins\b/g, "N spins"],
    [/\b\d+ polls\b/g, "N polls"],
    [/sockets at once: \d+/g, "sockets at once: N"],
    [/(an event for socket 1: read_response is called\n| {2}4096 bytes\n)+/g, "EDGES\n"],
];
const normal = (text) =>
    VARIES.reduce((text, [pattern, name]) => text.replace(pattern, name), text);

const table = readFileSync(join(root, "tests/sim/steps/steps.txt"), "utf8").split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split("|").map((cell) => cell.trim()));

describe("a step prints in a page what it prints on a terminal", () => {
    for (const [name, program, prints] of table.filter(([, program]) => program !== "-")) {
        test(`${name}: ${prints}`, () => {
            const outputs = STAGES.map((stage) => join(root, stage, "examples", `${name}.out`));
            const expected = readFileSync(outputs.find(existsSync), "utf8").replaceAll("\r\n", "\n");
            const { code, trap, out } = run(program, [name]);
            assert.deepEqual([code, trap], [0, null]);
            if (prints === "same") return assert.equal(out, expected);
            // Else the table says less than it could.
            assert.notEqual(out, expected);
            if (prints === "varies") return assert.equal(normal(out), normal(expected));
            assert.equal(prints, "differs");
            assert.notEqual(normal(out), normal(expected));
        });
    }
});

test("the table has each step once, and a reason for each that is not the same", () => {
    const names = STAGES.flatMap((stage) => stepsOf(stage));
    assert.deepEqual(table.map(([name]) => name).sort(), names.sort());
    for (const [name, , prints, reason] of table) {
        assert.equal(prints === "same", reason === "", name);
    }
});

function stepsOf(stage) {
    const names = readdirSync(join(root, stage, "examples"));
    return names.filter((name) => name.endsWith(".rs")).map((name) => name.slice(0, -3));
}

for (const stage of STAGES) {
    describe(stage, () => {
        test("five pages of a second take five seconds, and one with five tasks", () => {
            const site = "/ 10ms 200 links=/1,/2,/3,/4,/5\n* 1s 200";
            for (const [tasks, from, to] of [["1", 5, 5.1], ["5", 1, 1.1]]) {
                const result = crawl(stage, site, { options: ["--max-tasks", tasks] });
                assert.equal(result.code, 0, result.err);
                assert.ok(from <= seconds(result) && seconds(result) < to, `${seconds(result)} s`);
                const ends = events(result.files.get("trace")).at(-1).us / 1e6;
                assert.ok(from <= ends && ends < to, `${ends} s`);
            }
        });

        test("two runs are the same to the byte", () => {
            const runs = [1, 2].map(() => crawl(stage, "/ 1ms 200 links=/a\n* 9ms 404", { SIM_LOG: "/log" }));
            assert.deepEqual(runs[0], runs[1]);
            assert.match(runs[0].files.get("log"), /"os":"sleeps"/);
        });

        test("a day of retries takes no time", () => {
            // Half a minute is the longest pause that a crawler grants.
            const tries = (24 * 60 * 60) / 30 + 1;
            const result = crawl(stage, "/ 0ms 503 retry-after=30",
                { options: ["--format", "jsonl", "--max-tries", `${tries}`] });
            const [row] = events(result.out);
            assert.deepEqual([row.outcome, row.attempts], ["http-error", tries]);
            const hours = seconds(result) / 3600;
            assert.ok(24 <= hours && hours < 24.1, `${hours} hours`);
        });

        test("a server that says nothing is given up after each of its time-outs", () => {
            const result = crawl(stage, "/ 0ms nothing",
                { options: ["--format", "jsonl", "--timeout", "3600", "--max-tries", "24"] });
            const [row] = events(result.out);
            assert.deepEqual([row.outcome, row.attempts], ["timeout", 24]);
            const hours = seconds(result) / 3600;
            assert.ok(24 <= hours && hours < 25, `${hours} hours`);
        });

        test("a choice decides what happens next, and the list may end with Ctrl-C", () => {
            const site = "/ 1ms 200 links=/1,/2\n* 1s 200";
            const env = { SIM_CHOICES: "0 0", SIM_THEN: "interrupt", SIM_LOG: "/log" };
            const result = crawl(stage, site, env);
            assert.equal(result.code, 130, result.err);
            const asked = events(result.files.get("log")).filter(({ os }) => os === "asked");
            assert.equal(asked.length, 3);
            assert.ok(asked[2].choices.some(({ what }) => what === "timer"));
            assert.ok(events(result.files.get("trace")).length > 5);
        });
    });
}

// All ways in which two threads can take turns, as the puzzle of `be-the-system` lets them. How each
// ends, and whether the waker was called: `stuck, woken` is a lost wake.
function ways(half, choices = []) {
    const env = { SIM_CHOICES: choices.join(" "), SIM_LOG: "/log" };
    const { code, trap, out, files } = run("steps", ["lost-wake", half], env);
    assert.deepEqual([code, trap], [0, null]);
    const log = events(files.get("log"));
    const open = log.find(({ chosen }) => chosen === undefined);
    if (open) {
        return open.choices.flatMap((_, index) => ways(half, [...choices, index]));
    }
    const isWoken = log.some(({ choices, chosen }) => choices[chosen].what === "wake");
    return [`${/ready|stuck/.exec(out)}, ${isWoken ? "" : "not "}woken`];
}

test("one of eight ways loses the wake of the broken step, and none of the fixed one", () => {
    assert.deepEqual(ways("broken").sort(), [
        ...Array(2).fill("ready, not woken"),
        ...Array(2).fill("ready, woken"),
        ...Array(3).fill("stuck, not woken"),
        "stuck, woken",
    ]);
    assert.deepEqual(ways("fixed").sort(), [
        ...Array(3).fill("ready, not woken"),
        "ready, woken",
        ...Array(2).fill("stuck, not woken"),
    ]);
});

test("the three crawlers report the same of the demo site", () => {
    const reports = STAGES.map((stage) => {
        const { code, trap, out } = run("page", [stage, ROOT, "--format", "jsonl"]);
        assert.deepEqual([code, trap], [0, null]);
        // On a connection that was kept, a request that is not answered does not count as an
        // attempt: stage 3 keeps connections.
        const same = { elapsed_ms: 0, attempts: 0 };
        const rows = events(out).slice(0, -1).map((row) => JSON.stringify({ ...row, ...same }));
        return rows.sort();
    });
    assert.ok(reports[0].length > 60);
    assert.deepEqual(reports[0], reports[1]);
    assert.deepEqual(reports[0], reports[2]);
});
