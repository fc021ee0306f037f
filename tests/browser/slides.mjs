// The slides of `cargo book slides 90` and the handout of `cargo book handout 90`: whether a class
// can see all of every slide, and whether the keys work.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { auditShown } from "./access.mjs";
import { folder } from "./book.mjs";

/** How many pages of paper the handout has, how high a page is in pixels (A4 without its margins),
 * and how much of the second one is filled. */
const SHEETS = 2;
const SHEET = (297 - 24) / 25.4 * 96;
const FULL = 0.88;

/** The smallest letters: on a slide in pixels, and in a figure on paper in points. */
const LEAST = 22;
const LEAST_ON_PAPER = 7;

/** How much of a slide's height the title and what is on it take, without what is between them. */
const USED = 0.45;

/** How many votes there are. */
const VOTES = 5;

const file = (name) => ({ name, href: pathToFileURL(join(folder, "..", "slides", name)).href });

export const deck = file("90.html");

/** What is printed for a class. */
export const handout = file("handout-90.html");

/** The texts below an element that a person sees, each with the size of its letters, also where a
 * figure is scaled. It runs in the page. */
function letters(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement;
        const text = walker.currentNode.textContent.trim();
        if (text && !parent.closest(".notes, title, desc, style") && parent.getClientRects().length > 0) {
            const size = parseFloat(getComputedStyle(parent).fontSize);
            const scale = parent.ownerSVGElement ? parent.getScreenCTM().d : 1;
            found.push({ text: text.slice(0, 30), size: Math.round(size * scale * 10) / 10 });
        }
    }
    return found;
}

/** Letters can be read from the last row, no slide is half empty, and each vote has four options
 * and a slide with its key. */
export async function readable(page) {
    const slides = await page.evaluate((letters) => {
        const sizes = new Function(`return ${letters}`)();
        return Reveal.getSlides().map((slide, index) => {
            Reveal.slide(index, 0, 1_000);
            const scale = Reveal.getScale();
            const all = [...slide.querySelectorAll("h2, .body > *")].map((it) => it.getBoundingClientRect());
            const used = all.reduce((sum, { height }) => sum + height, 0);
            return {
                kind: slide.className.split(" ").filter((it) => /^(title|question|vote|key|long)$/.test(it)).join(" "),
                small: sizes(slide).map(({ text, size }) => ({ text, size: size / (scale || 1) })),
                used: used / (720 * scale),
                options: slide.querySelectorAll(".options .letter").length,
                keys: slide.querySelectorAll(".options .right").length,
            };
        });
    }, letters.toString());
    const faults = [];
    for (const [index, { kind, small, used, options, keys }] of slides.entries()) {
        const tiny = small.find(({ size }) => size < LEAST - 0.05);
        if (tiny) {
            faults.push({ kind: "small letters", what: `${index + 1}: ${tiny.size} px, ${tiny.text}` });
        }
        const isLarge = kind.startsWith("title") || kind.startsWith("question");
        if (!isLarge && used < USED) {
            faults.push({ kind: "half empty", what: `${index + 1}: ${Math.round(used * 100)} %` });
        }
        const next = slides[index + 1];
        const isVote = kind === "vote" && options === 4 && keys === 0;
        if (kind === "vote" && !(isVote && next?.kind === "vote key" && next.options === 4 && next.keys === 1)) {
            faults.push({ kind: "vote", what: `${index + 1}: ${options} options, then ${next?.kind}` });
        }
    }
    const votes = slides.filter(({ kind }) => kind === "vote").length;
    if (votes !== VOTES) {
        faults.push({ kind: "votes", what: votes });
    }
    return faults;
}

/** A slide gets small letters, and another one loses what is on it. */
export async function spoilt(page) {
    await page.evaluate(() => {
        Reveal.getSlides()[1].querySelector("td").style.fontSize = "21px";
        const body = Reveal.getSlides()[3].querySelector(".body");
        body.replaceChildren(body.lastElementChild);
        Reveal.getSlides().find((it) => it.className.includes("vote")).querySelector(".options li").remove();
    });
    return readable(page);
}

/** Each slide, with all that appears on it, is within the screen and above its foot. */
export function fits(page) {
    return page.evaluate(() => {
        const faults = [];
        const count = Reveal.getTotalSlides();
        if (count < 3) {
            faults.push({ kind: "few slides", what: `${count}` });
        }
        for (let index = 0; index < count; index += 1) {
            Reveal.slide(index, 0, 1_000);
            const slide = Reveal.getCurrentSlide();
            const foot = slide.querySelector(".where");
            const bottom = foot ? foot.getBoundingClientRect().top : innerHeight;
            const isOut = (it) => {
                const { top, right, bottom: end, left, width } = it.getBoundingClientRect();
                const isBeside = left < 0 || right > innerWidth || top < 0;
                return width > 0 && (isBeside || end > bottom + 1);
            };
            const out = [...slide.querySelectorAll("h2, .body, .body *")].find(isOut);
            const cut = [...slide.querySelectorAll("pre, .body")].find(
                (it) => it.scrollWidth > it.clientWidth + 1);
            const wrong = out ?? cut;
            if (wrong) {
                const text = wrong.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
                faults.push({ kind: "slide too full", what: `${index + 1}: ${wrong.tagName} ${text}` });
            }
        }
        return faults;
    });
}

/** The space bar shows one thing after the other, and then the next slide; it goes back, too. */
export async function steps(page) {
    const faults = [];
    const shown = () =>
        page.evaluate(() => {
            const { indexh } = Reveal.getState();
            const all = Reveal.getCurrentSlide().querySelectorAll(".fragment.visible");
            return [indexh, all.length].join();
        });
    const where = await page.evaluate(() => {
        const slides = Reveal.getSlides();
        const index = slides.findIndex((it) => it.querySelectorAll(".terminal .fragment").length > 2);
        Reveal.slide(index, 0, -1);
        return { index, lines: slides[index].querySelectorAll(".fragment").length };
    });
    const moves = [["Space", 1], ["ArrowRight", 2], ["PageDown", 3], ["ArrowLeft", 2]];
    for (const [key, lines] of moves) {
        await page.keyboard.press(key);
        const now = await shown();
        if (now !== `${where.index},${lines}`) {
            faults.push({ kind: "key", what: `${key}: ${now}, and not ${where.index},${lines}` });
        }
    }
    for (let line = 2; line <= where.lines; line += 1) {
        await page.keyboard.press("Space");
    }
    if (!(await shown()).startsWith(`${where.index + 1},`)) {
        faults.push({ kind: "key", what: `after all lines: ${await shown()}` });
    }
    const lit = await page.evaluate(() => {
        const slides = Reveal.getSlides();
        Reveal.slide(slides.findIndex((it) => it.querySelector(".listing .step")), 0, 0);
        return Reveal.getCurrentSlide().querySelectorAll(".ln.lit").length;
    });
    if (lit === 0) {
        faults.push({ kind: "no line is lit", what: "in the first step of a listing" });
    }
    return faults;
}

/** What axe finds on a slide of each kind, in light and in dark, to which a key changes. */
export async function legible(page) {
    const faults = [];
    const kinds = await page.evaluate(() => {
        const seen = new Set();
        const isNew = (slide) => {
            const parts = [".terminal", ".listing", "svg", "table", "ul"];
            const kind = [slide.classList[0], ...parts.map((it) => !!slide.querySelector(it))].join();
            return !seen.has(kind) && seen.add(kind);
        };
        return Reveal.getSlides().flatMap((slide, index) => (isNew(slide) ? [index] : []));
    });
    for (const theme of ["light", "dark"]) {
        for (const index of kinds) {
            await page.evaluate((index) => Reveal.slide(index, 0, 1_000), index);
            const found = await auditShown(page, theme === "dark");
            const name = `${theme}, slide ${index + 1}`;
            faults.push(...found.map(({ kind, what }) => ({ kind, what: `${name}: ${what}` })));
        }
        await page.keyboard.press("t");
    }
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.keyboard.press("t");
    const other = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    if (ground === other) {
        faults.push({ kind: "theme", what: `the key T leaves it ${ground}` });
    }
    return faults;
}

/** The handout on paper: nothing is wider than a page, and it has its pages. */
export async function onPaper(page) {
    const faults = [];
    await page.emulateMedia({ media: "print" });
    const wide = await page.evaluate(() => {
        const right = document.querySelector("main").getBoundingClientRect().right;
        const all = [...document.querySelectorAll("main *")];
        return all.find((it) => it.getBoundingClientRect().right > right + 1)?.outerHTML;
    });
    if (wide) {
        faults.push({ kind: "too wide", what: wide.slice(0, 80) });
    }
    faults.push(...(await auditShown(page)));
    const { ends, sizes } = await page.evaluate((letters) => {
        const sizes = new Function(`return ${letters}`)();
        const main = document.querySelector("main").getBoundingClientRect();
        const turn = document.querySelector("hr").getBoundingClientRect().top;
        const figures = [...document.querySelectorAll("svg.fig")].flatMap((it) => sizes(it));
        return { ends: [turn - main.top, main.bottom - turn], sizes: figures };
    }, letters.toString());
    for (const [index, end] of ends.entries()) {
        if (end < FULL * SHEET) {
            faults.push({ kind: "page not full", what: `${index + 1}: ${Math.round(end / SHEET * 100)} %` });
        }
    }
    const tiny = sizes.find(({ size }) => size * 0.75 < LEAST_ON_PAPER);
    if (tiny || sizes.length === 0) {
        faults.push({ kind: "small letters", what: `${tiny?.size} px, ${tiny?.text}` });
    }
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length;
    if (sheets !== SHEETS) {
        faults.push({ kind: "pages", what: `${sheets} and not ${SHEETS}` });
    }
    await page.emulateMedia({ media: null });
    return faults;
}

/** One slide gets too much. */
export async function tooTall(page) {
    await page.evaluate(() => {
        const more = document.createElement("p");
        more.textContent = "more ".repeat(2_000);
        Reveal.getSlides()[4].querySelector(".body").append(more);
    });
    return fits(page);
}
