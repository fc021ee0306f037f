// A host for the programs of the book: enough of WASI (preview 1) for a program that prints,
// reads a clock, sleeps and writes files. The clock is the program's own: a sleep moves it,
// and returns at once. A plain script, for a page (also from file://) and for Node.
//
//     wasi({ args: ["stage3-async", "http://127.0.0.1/"], env: { SIM_SITE: "…" } }).run(module)
//
// `module` is a WebAssembly.Module. The result has the exit code, what was printed, the files
// (a Map of names to text), and the time that has passed, in microseconds. `code` is null if the
// program has trapped; then `trap` says why.
"use strict";

(function (global) {
    const [OK, BADF, NOSYS] = [0, 8, 52];
    const DIRECTORY = 3; // the one open directory, "/"
    // So long does the program take from one look at the clock to the next, in nanoseconds.
    const TICK = 1000n;

    function wasi({ args = ["program"], env = {}, tick = TICK } = {}) {
        const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
        const written = new Map([[1, []], [2, []]]); // by number: what was written, in pieces
        const names = new Map(); // of the files that were opened
        let [memory, clock, next] = [null, 0n, DIRECTORY + 1];
        const view = () => new DataView(memory.buffer);
        const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
        const u32 = (at, value) => (view().setUint32(at, value, true), OK);
        const u64 = (at, value) => (view().setBigUint64(at, value, true), OK);
        const zeroed = (list) => list.map((text) => encoder.encode(`${text}\0`));
        const strings = zeroed(args);
        const variables = zeroed(Object.entries(env).map(([name, value]) => `${name}=${value}`));
        const sizes = (list, count, size) => {
            u32(count, list.length);
            return u32(size, list.reduce((sum, text) => sum + text.length, 0));
        };
        const copy = (list, at, to) => {
            list.forEach((text, index) => {
                u32(at + 4 * index, to);
                bytes(to, text.length).set(text);
                to += text.length;
            });
            return OK;
        };
        const text = (number) => {
            const pieces = written.get(number);
            const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
            pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
            return decoder.decode(all);
        };
        class Exit extends Error {}
        const calls = {
            args_sizes_get: (count, size) => sizes(strings, count, size),
            args_get: (at, to) => copy(strings, at, to),
            environ_sizes_get: (count, size) => sizes(variables, count, size),
            environ_get: (at, to) => copy(variables, at, to),
            clock_time_get: (_id, _precision, at) => u64(at, (clock += tick)),
            clock_res_get: (_id, at) => u64(at, 1n),
            sched_yield: () => OK,
            // Always the same numbers, so that each run is the same.
            random_get: (at, length) =>
                (bytes(at, length).forEach((_, index, to) => (to[index] = index * 73 + 41)), OK),
            // std sleeps so: one event, of a clock. An absolute time has the first flag.
            poll_oneoff: (asked, events, _count, at) => {
                const time = view().getBigUint64(asked + 24, true);
                const until = view().getUint16(asked + 40, true) & 1 ? time : clock + time;
                clock = until > clock ? until : clock;
                bytes(events, 32).fill(0);
                u64(events, view().getBigUint64(asked, true));
                return u32(at, 1);
            },
            fd_write: (number, pieces, count, at) => {
                if (!written.has(number)) return BADF;
                let sum = 0;
                for (let piece = pieces; piece < pieces + 8 * count; piece += 8) {
                    const length = view().getUint32(piece + 4, true);
                    const from = view().getUint32(piece, true);
                    written.get(number).push(bytes(from, length).slice());
                    sum += length;
                }
                return u32(at, sum);
            },
            fd_read: (_number, _pieces, _count, at) => u32(at, 0), // nothing is there to read
            fd_prestat_get: (number, at) =>
                number === DIRECTORY ? (u32(at, 0), u32(at + 4, 1)) : BADF,
            fd_prestat_dir_name: (_number, at) => ((bytes(at, 1)[0] = 47), OK),
            fd_fdstat_get: (number, at) => {
                bytes(at, 24).fill(0);
                bytes(at, 1)[0] = number === DIRECTORY ? 3 : number < DIRECTORY ? 2 : 4;
                u64(at + 8, 0xffffffffn);
                return u64(at + 16, 0xffffffffn);
            },
            path_open: (_directory, _flags, at, length, _o, _r, _i, _f, to) => {
                names.set(next, decoder.decode(bytes(at, length).slice()));
                written.set(next, []);
                return u32(to, next++);
            },
            fd_filestat_get: (_number, at) => (bytes(at, 64).fill(0), (bytes(at + 16, 1)[0] = 4), OK),
            fd_close: () => OK,
            proc_exit: (code) => {
                throw Object.assign(new Exit(), { code });
            },
        };
        return {
            run(module) {
                const imports = { wasi_snapshot_preview1: {} };
                for (const { name } of WebAssembly.Module.imports(module)) {
                    imports.wasi_snapshot_preview1[name] = calls[name] ?? (() => NOSYS);
                }
                const instance = new WebAssembly.Instance(module, imports);
                memory = instance.exports.memory;
                let [code, trap] = [0, null];
                try {
                    instance.exports._start();
                } catch (error) {
                    if (error instanceof Exit) code = error.code;
                    else [code, trap] = [null, String(error)];
                }
                const files = new Map([...names].map(([number, name]) => [name, text(number)]));
                return { code, trap, out: text(1), err: text(2), files, us: Number(clock / 1000n) };
            },
        };
    }

    global.wasi = wasi;
})(globalThis);
