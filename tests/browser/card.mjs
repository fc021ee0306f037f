// Draws the picture that previews of the book show, theme/card.png, from theme/card.svg, with
// the fonts of the built book.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { folder } from "./book.mjs";
import { start } from "./chromium.mjs";

const theme = fileURLToPath(new URL("../../book/theme/", import.meta.url));
const browser = await start();
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await page.goto(pathToFileURL(join(folder, "index.html")).href);
await page.addStyleTag({ content: "body::before { display: none !important; }" });
await page.evaluate((svg) => {
    document.body.innerHTML = svg;
    document.body.firstElementChild.style.cssText = "position: fixed; inset: 0; display: block";
    return document.fonts.ready.then(() => true);
}, readFileSync(join(theme, "card.svg"), "utf8"));
await page.screenshot({ path: join(theme, "card.png") });
await browser.close();
