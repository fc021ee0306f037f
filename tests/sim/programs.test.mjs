// What the pages of the book run, run as they run it: `node --test tests/sim`.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bytes, crawled, judged, listed, programs, run } from "./programs.mjs";
import { crawls, digest, eventsOf, judge, normal, recorded, recordOf } from "./steps.mjs";

const STAGES = ["stage1-callbacks", "stage2-generators", "stage3-async"];
const ROOT = "http://127.0.0.1:8000/";

// A crawl, with its trace.
const crawl = (stage, site, { options = [], ...env } = {}) =>
    run("page", [stage, ROOT, "--trace", "/trace", ...options], { SIM_SITE: site, ...env });
const events = (text) => text.trim().split("\n").map((line) => JSON.parse(line));
const seconds = (result) => result.us / 1e6;

test("no program is bigger than a page may load, or knows the machine that built it", () => {
    for (const name of programs) {
        const places = /\/(home|root|Users|work)\/\w{0,40}/.exec(bytes(name).toString("latin1"));
        assert.ok(globalThis.programs[name].length < 1.5 * 2 ** 20, name);
        assert.equal(places?.[0], undefined, name);
    }
});

describe("a step, or a crawl with a stored trace, does what is stored, or is older and listed", () => {
    for (const { name, state, why } of judged()) {
        test(`${name}: ${state}`, () => {
            assert.ok(["agrees", "older", "unrecorded"].includes(state), `${name} ${state}: ${why}`);
        });
    }
});

describe("a verdict", () => {
    const printed = (out) => ({ code: 0, trap: null, out, err: "" });
    const record = { program: "steps", prints: "same", digest: digest("one\n") };
    const verdict = (step) =>
        judge({ how: "same", expected: "one\n", record, run: printed("one\n"), ...step }).state;

    test("a program that prints what is stored agrees", () => {
        assert.equal(verdict({}), "agrees");
        const times = { expected: "after 5 ms\n", run: printed("after 7 ms\n") };
        const varies = { ...record, prints: "varies", digest: digest(times.expected) };
        assert.equal(verdict({ ...times, record: varies }), "agrees");
        assert.equal(verdict({ ...times, record: { ...varies, prints: "same" } }), "wrong");
    });

    test("a program that prints what was stored before is older, and listed with its output", () => {
        const old = { name: "ch00_old", how: "same", expected: "two\n", record, run: printed("one\n") };
        assert.equal(judge(old).state, "older");
        const list = listed([{ name: "ch00_new", state: "agrees" }, { name: old.name, ...judge(old) }]);
        assert.match(list, /build\.mjs\nch00_old, in a page:\n {4}one$/);
        assert.doesNotMatch(list, /ch00_new/);
        assert.equal(listed([{ name: "ch00_new", state: "agrees" }]), "");
    });

    test("a step whose output always differs is older as soon as another one is stored", () => {
        const differs = { how: "differs", record: { ...record, prints: "differs" }, run: printed("none\n") };
        assert.equal(verdict(differs), "agrees");
        assert.equal(verdict({ ...differs, expected: "two\n" }), "older");
        assert.equal(verdict({ ...differs, run: printed("one\n") }), "wrong");
    });

    test("a program that agrees with an output that was stored later has to be recorded again", () => {
        const again = { expected: "after 7 ms\n", run: printed("after 5 ms\n") };
        assert.equal(verdict(again), "unrecorded");
        assert.match(listed([{ name: "ch00_again", state: "unrecorded" }]), /--record\nch00_again$/);
    });

    test("a step that is in no program is missing", () => {
        assert.equal(verdict({ record: undefined }), "missing");
        assert.equal(verdict({ run: run("steps", ["ch00_none"]) }), "missing");
    });

    test("a program that crashes is a fault, whatever it has printed before", () => {
        assert.equal(verdict({ run: { ...printed("one\n"), code: null, trap: "unreachable" } }), "crashes");
        assert.equal(verdict({ run: { ...printed("one\n"), code: 1 } }), "crashes");
    });

    test("a program that no longer prints what it was recorded with is a fault", () => {
        assert.equal(verdict({ run: printed("two\n") }), "wrong");
        assert.equal(verdict({ how: "differs" }), "wrong");
    });

    test("only a step that prints what it has to is recorded", () => {
        const step = { name: "ch00_new", program: "steps", how: "same", expected: "one\n" };
        assert.deepEqual(recordOf({ ...step, run: printed("one\n") }), { name: "ch00_new", ...record });
        assert.equal(recordOf({ ...step, run: printed("two\n") }), null);
        assert.equal(recordOf({ ...step, run: { ...printed("one\n"), code: 1 } }), null);
        const row = `steps: 5 bytes\nch00_new steps same ${record.digest}\n`;
        assert.deepEqual(recorded(row), new Map([["ch00_new", record]]));
    });

    test("a crawl without a trace has failed", () => {
        const refused = crawled(["stage3-async", "--no-such-option", ROOT]);
        assert.equal(verdict({ run: refused }), "crashes");
        assert.match(refused.err, /no-such-option/);
    });

    test("the events of a crawl are compared without times, ports and lines of code", () => {
        const stored = '{"step":1,"us":3,"task":1,"for":"127.0.0.1:8","line":"a: \\"b\\", c"},\n';
        assert.equal(eventsOf(`{"v":2}\n${stored}`), '{"task":1,"for":"127.0.0.1"}');
        for (const stage of STAGES) {
            assert.ok(crawls().some(({ args, expected }) => args[0] === stage && expected !== ""), stage);
        }
    });

    test("only times, ports, sizes and addresses may differ", () => {
        assert.equal(normal("after 102 ms, 58 URLs"), normal("after 7 ms, 58 URLs"));
        assert.notEqual(normal("after 102 ms, 58 URLs"), normal("after 102 ms, 57 URLs"));
    });

    test("a digest is that of the book's build", () => {
        assert.equal(digest(""), "cbf29ce484222325");
        assert.equal(digest("a"), "af63dc4c8601ec8c");
    });
});

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

// All ways in which two threads can take turns, as the puzzles of `be-the-system` let them. How each
// ends, and whether the waker was called: `stuck, woken` is a lost wake.
function ways(what, choices = []) {
    const env = { SIM_CHOICES: choices.join(" "), SIM_LOG: "/log" };
    const { code, trap, out, files } = run("steps", ["lost-wake", what], env);
    assert.deepEqual([code, trap], [0, null]);
    const log = events(files.get("log")).filter(({ os }) => os === "asked");
    const open = log.find(({ chosen }) => chosen === undefined);
    if (open) {
        return open.choices.flatMap((_, index) => ways(what, [...choices, index]));
    }
    const isWoken = log.some(({ choices, chosen }) => choices[chosen].what === "wake");
    return [`${/ready|stuck/.exec(out)}, ${isWoken ? "" : "not "}woken`];
}

/** How many ways end so. */
const counted = (all) => Object.fromEntries([...new Set(all)].sort().map((it) => [it, all.filter((other) => other === it).length]));

test("one of eight ways loses the wake of the broken step, and none of the fixed one", () => {
    assert.deepEqual(counted(ways("broken")),
        { "ready, not woken": 2, "ready, woken": 2, "stuck, not woken": 3, "stuck, woken": 1 });
    assert.deepEqual(counted(ways("fixed")), { "ready, not woken": 3, "ready, woken": 1, "stuck, not woken": 2 });
});

test("a task whose leaf has forgotten its waker, or keeps that of another task, is stuck", () => {
    assert.deepEqual(counted(ways("forgotten")), { "ready, not woken": 3, "stuck, not woken": 2 });
    const others = { "ready, not woken": 4, "stuck, not woken": 2 };
    assert.deepEqual(counted(ways("stale")), { ...others, "ready, woken": 6, "stuck, woken": 1 });
    assert.deepEqual(counted(ways("handed")), { ...others, "ready, woken": 7 });
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
