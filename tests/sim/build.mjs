// Builds what the pages of the book run: `node tests/sim/build.mjs`. It needs the target:
// `rustup target add wasm32-wasip1`. With `--check` it only says whether what is committed
// was built from the sources as they are now.
//
// A program is a script, so that a page can load it from file://, too: it sets
// `programs.NAME` to the program's bytes, zipped, in base64.

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const workspace = join(root, "tests/sim");
export const folder = join(root, "book/theme/player");
export const programs = ["steps", "page"];
const TARGET = "wasm32-wasip1";
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

// All that gets into the programs.
const SOURCES = [
    ...["demo", "on_top", "os", "page", "sites", "steps"].map((name) => `tests/sim/${name}`),
    ...["Cargo.toml", "Cargo.lock", "build.mjs"].map((name) => `tests/sim/${name}`),
    ...["stage1-callbacks", "stage2-generators", "stage3-async"].flatMap((stage) =>
        ["Cargo.toml", "src", "examples"].map((name) => `${stage}/${name}`)),
    ...["Cargo.toml", "src", "demo/src", "features"].map((name) => `shared/${name}`),
    "Cargo.toml",
];
const ENDINGS = /\.(rs|toml|lock|txt|mjs|html|css|xml|png)$/;

function files(path) {
    if (!statSync(join(root, path)).isDirectory()) return [path];
    const names = readdirSync(join(root, path)).filter((name) => name !== "target");
    return names.sort().flatMap((name) => files(`${path}/${name}`)).filter((it) => ENDINGS.test(it));
}

// The hash of the sources: of each file its path, and its text with the line ends of Unix.
export function hashOfSources() {
    const hash = createHash("sha256");
    for (const path of SOURCES.flatMap(files)) {
        const bytes = readFileSync(join(root, path));
        const text = path.endsWith(".png") ? bytes : bytes.toString("utf8").replaceAll("\r\n", "\n");
        hash.update(`${path}\0`).update(text).update("\0");
    }
    return hash.digest("hex");
}

const hashFile = join(folder, "programs.txt");

export function isFresh() {
    const first = existsSync(hashFile) ? readFileSync(hashFile, "utf8").split("\n")[0] : "";
    return first === `sources ${hashOfSources()}`;
}

function build() {
    const hash = hashOfSources();
    // No path of this machine gets into the programs.
    const cargo = process.env.CARGO_HOME ?? join(homedir(), ".cargo");
    const flags = [[root.replace(/[/\\]$/, ""), "."], [cargo, "cargo"]]
        .map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
    const env = { ...process.env, CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") };
    const lines = [`sources ${hash}`];
    for (const name of programs) {
        execFileSync("cargo",
            ["build", "--locked", "-p", name, "--bin", name, "--target", TARGET, "--profile", "page"],
            { cwd: workspace, env, stdio: "inherit" });
        const bytes = readFileSync(join(target, `${TARGET}/page/${name}.wasm`));
        const zipped = gzipSync(bytes, { level: 9 });
        const script = `(globalThis.programs ??= {}).${name} =\n"${zipped.toString("base64")}";\n`;
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${name}.js`), script);
        lines.push(`${name}: ${bytes.length} bytes, zipped ${zipped.length}`);
    }
    writeFileSync(hashFile, `${lines.join("\n")}\n`);
    console.log(lines.join("\n"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    if (!process.argv.includes("--check")) build();
    else if (!isFresh()) {
        console.error("the programs of the book are stale: node tests/sim/build.mjs");
        process.exitCode = 1;
    }
}
