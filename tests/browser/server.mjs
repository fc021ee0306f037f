// Serves a folder on 127.0.0.1, as any web server would serve the book.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
};

/** Resolves to `{ origin, close }` once it listens, on a port that the system chooses. */
export async function serve(folder) {
    const server = createServer(async (request, response) => {
        const path = decodeURIComponent(new URL(request.url, "http://any/").pathname);
        try {
            const file = join(folder, normalize(path === "/" ? "/index.html" : path));
            const body = await readFile(file);
            response.setHeader("content-type", TYPES[extname(file)] ?? "text/plain");
            response.end(body);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve, reject) => {
        server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    const close = () => {
        server.close();
        server.closeAllConnections();
    };
    return { origin: `http://127.0.0.1:${server.address().port}`, close };
}
