// Builds what the pages of the book run: `node tests/sim/build.mjs`. It needs the target:
// `rustup target add wasm32-wasip1`. Then it runs all steps, and records with which stored
// outputs they agree; `--record` does only that. `--list` prints which steps of the committed
// programs are older than the code.
//
// A program is a script, so that a page can load it from file://, too: it sets
// `programs.NAME` to the program's bytes, zipped, in base64.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { bytes, judged, listed, programs, ran } from "./programs.mjs";
import { folder, recorded, recordFile, recordOf, root } from "./steps.mjs";

const workspace = join(root, "tests/sim");
const TARGET = "wasm32-wasip1";
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");

function build() {
    // No path of this machine gets into the programs.
    const cargo = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
    const flags = [[root.replace(/[/\\]$/, ""), "."], [cargo, "cargo"]]
        .map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
    const env = { ...process.env, CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
    for (const name of programs) {
        execFileSync("cargo",
            ["build", "--locked", "-p", name, "--bin", name, "--target", TARGET, "--profile", "page"],
            { cwd: workspace, env, stdio: "inherit" });
        const zipped = gzipSync(readFileSync(join(target, TARGET, "page", `${name}.wasm`)), { level: 9 });
        const script = `(globalThis.programs ??= {}).${name} =\n"${zipped.toString("base64")}";\n`;
        writeFileSync(join(folder, `${name}.js`), script);
    }
}

/** Records with which outputs the programs agree. A step that does not agree keeps what was
 * recorded before. */
function record(before) {
    const rows = [];
    for (const step of ran()) {
        const { name, program, prints, digest } = recordOf(step) ?? { name: step.name, ...before.get(step.name) };
        if (digest) {
            rows.push([name, program, prints, digest].join(" "));
        } else {
            console.error(`${name} does not print in a page what it has to:\n${step.run.out}${step.run.trap ?? step.run.err}`);
            process.exitCode = 1;
        }
    }
    const sizes = programs.map((name) => `${name}: ${bytes(name).length} bytes, zipped and in base64 ${globalThis.programs[name].length}`);
    writeFileSync(recordFile, `${[...sizes, ...rows].join("\n")}\n`);
    console.log(sizes.join("\n"));
}

if (process.argv.includes("--list")) {
    const list = listed(judged());
    if (list) console.log(list);
} else if (process.argv.includes("--record")) {
    record(recorded());
} else {
    build();
    record(new Map());
}
