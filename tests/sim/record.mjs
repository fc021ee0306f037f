// Runs the crawlers, built from the sources as they are, over the simulated system and on its
// clock. `tests/src/simulated.rs` records the traces of the book so. It needs the target:
// `rustup target add wasm32-wasip1`.
//
// The argument: `[["stage3-async", "--trace", "/trace", "http://127.0.0.1:8000/"], …]`.
// Standard output: for each of them `{ "err": "…", "trace": "…" }`.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runInThisContext } from "node:vm";
import { root } from "./steps.mjs";

const [TARGET, PROGRAM] = ["wasm32-wasip1", "page"];
const workspace = join(root, "tests/sim");
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");

const built = spawnSync("cargo",
    ["build", "--quiet", "--locked", "-p", PROGRAM, "--target", TARGET, "--target-dir", target],
    { cwd: workspace, stdio: ["ignore", "ignore", "inherit"] });
if (built.status !== 0) process.exit(1); // cargo has said why
runInThisContext(readFileSync(join(root, "book/theme/player/wasi.js"), "utf8"));
const module = new WebAssembly.Module(readFileSync(join(target, TARGET, "debug", `${PROGRAM}.wasm`)));

const results = JSON.parse(process.argv[2]).map((args) => {
    const { trap, err, files } = globalThis.wasi({ args }).run(module);
    return { err: trap ?? err, trace: trap ? "" : files.get("trace") };
});
console.log(JSON.stringify(results));
