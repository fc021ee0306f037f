// The built book: where it is, and which pages it lists.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../", import.meta.url));

/** Where `cargo book build` writes. */
export const folder = join(process.env.CARGO_TARGET_DIR ?? join(project, "target"), "book");

/** The name of the book. */
export const title = /^title = "(.*)"$/m.exec(readFileSync(join(project, "book/book.toml"), "utf8"))[1];

/** Each page's file, in the order of its table of contents, and the page that opens first. */
export function pages() {
    const contents = readFileSync(join(folder, "toc.html"), "utf8");
    const links = [...contents.matchAll(/href="([^"#]+\.html)"/g)].map((found) => found[1]);
    return [...new Set(["index.html", ...links])];
}

/** Those with a step player. */
export function playedPages() {
    return pages().filter((page) => readFileSync(join(folder, page), "utf8").includes("data-player="));
}
