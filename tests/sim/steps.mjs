// The steps that run in a page, and the crawls whose traces are stored: what each has to print
// there, and how the committed programs compare with that. A program may be older than the code: then its record (`programs.txt`)
// has the digest of another output than the one that is stored now.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const folder = join(root, "book/theme/player");
export const recordFile = join(folder, "programs.txt");

// The text with the line ends of Unix.
export const read = (file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n");

/** All examples, as their first lines describe them: `how` is `same`, `differs` or `not`. */
export function steps() {
    const cargo = process.env.CARGO ?? "cargo";
    const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
    const table = execFileSync(cargo, ["run", "-q", "-p", "step", "--", "table"], options);
    return table.split("\n").filter(Boolean).map((line) => {
        const [name, file, program, how, why] = line.split("\t");
        return { name, file, program, how, why };
    });
}

/** What a step prints on a terminal. */
export const stored = ({ file }) => read(join(root, file.replace(/\.rs$/, ".out")));

/** The events of a trace, without times, ports, and lines of code. (Also in `run.rs`.) */
export const eventsOf = (text) => text.split("\n")
    .filter((line) => line.startsWith('{"step":'))
    .map((line) => line.replace(/^\{"step":\d+,"us":\d+,/, "{").replace(/,"line":"(?:[^"\\]|\\.)*"/, "").replace(/,$/, ""))
    .join("\n")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1");

/** The crawls of book/traces that can run in a page, which has the demo site, but neither threads
 * nor https: `args` begin with the crawler, and `expected` are the events that are stored. */
export function crawls() {
    const traces = join(root, "book/traces");
    return readdirSync(traces).filter((file) => file.endsWith(".json")).flatMap((file) => {
        const text = read(join(traces, file));
        const { program, command } = JSON.parse(text);
        if (!command.startsWith("cargo lab stage") || / --helpers [^0]/.test(command) || !command.includes("http://127.0.0.1:8000/")) return [];
        const words = command.replace(" --helpers 0", "").match(/'[^']*'|\S+/g).slice("cargo lab stage".split(" ").length);
        const options = words.map((word) => (word === "TRACE" ? "/trace" : word.replaceAll("'", "")));
        return [{ name: basename(file, ".json"), how: "same", args: [program, ...options], expected: eventsOf(text) }];
    });
}

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
export const normal = (text) =>
    VARIES.reduce((text, [pattern, name]) => text.replace(pattern, name), text);

/** FNV-1a with 64 bits, as `book/tool/src/html/run.rs` has it. */
export function digest(text) {
    let hash = 0xcbf29ce484222325n;
    for (const byte of Buffer.from(text)) {
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
    return hash.toString(16).padStart(16, "0");
}

/** How what a step has printed compares with what is stored: `same` to the byte; `varies`, but for
 * ports, addresses and times; or `differs`. */
export function compared(out, expected) {
    if (out === expected) return "same";
    return normal(out) === normal(expected) ? "varies" : "differs";
}

/** The record of the programs: for each step `{ program, prints, digest }`. That of a stored crawl
 * has `crawl` for its program. */
export function recorded(text = read(recordFile)) {
    const rows = text.split("\n").map((line) => line.split(" ")).filter((row) => row.length === 4);
    return new Map(rows.map(([name, program, prints, digest]) => [name, { program, prints, digest }]));
}

/** Whether a step prints what is stored, or something else where it says that it does. */
const isRight = (prints, how) => (prints === "differs") === (how === "differs");

/**
 * Judges one step, or one crawl, of a committed program. `run` is what it has done: see wasi.js.
 *
 * - `agrees`: it prints what is stored.
 * - `older`: it was built when another output was stored, and does not print what is stored now.
 * - `unrecorded`: it prints what is stored, but was recorded with another output. (Only times
 *   have changed since, or an earlier output was restored.)
 * - `missing`, `crashes`, `wrong`: faults. A program is wrong if it no longer prints what it printed
 *   when it was built: its host (wasi.js) has changed, or what the step says about itself.
 */
export function judge({ how, expected, record, run }) {
    if (!record || /not a step of this program/.test(run.err)) return { state: "missing" };
    if (run.code !== 0 || run.trap) {
        return { state: "crashes", why: run.trap ?? `exit code ${run.code}: ${run.err}` };
    }
    const prints = compared(run.out, expected);
    const isRecorded = record.digest === digest(expected);
    if (isRecorded) {
        const agrees = prints === record.prints && isRight(prints, how);
        return agrees ? { state: "agrees" } : { state: "wrong", why: run.out };
    }
    // A step whose output differs in any case cannot tell which version it is of.
    const agrees = how !== "differs" && isRight(prints, how);
    return { state: agrees ? "unrecorded" : "older", why: run.out };
}

/** What to record of a step that has just run; `null` if it does not print what it has to. */
export function recordOf({ name, program, how, expected, run }) {
    const prints = compared(run.out, expected);
    const isFine = run.code === 0 && !run.trap && isRight(prints, how);
    return isFine ? { name, program, prints, digest: digest(expected) } : null;
}
