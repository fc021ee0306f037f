// What can be measured of a page that is laid out: what is too wide, and what a reader of
// its figures cannot read.

/** WCAG 2.1, level AA, for text of this size. */
const LEAST_CONTRAST = 4.5;

/** The smallest text, in pixels. That of a figure is measured as it is scaled. */
const SMALLEST = 12;

/** On paper no printed line of a block goes on in the next one, unless one has more characters. */
const COLUMNS = 122;

/** How much of a page may move while it is loaded, as Chromium counts it. */
const MOST_SHIFT = 0.02;

/** What has moved since the page began to load, though no reader has asked for it. */
export async function moves(page) {
    const { sum, what } = await page.evaluate(async () => {
        const seen = [];
        const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
        observer.observe({ type: "layout-shift", buffered: true });
        for (let frame = 0; frame < 8; frame += 1) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        seen.push(...observer.takeRecords());
        const moved = seen.flatMap(({ sources }) => sources).map(({ node }) => node?.textContent.trim());
        return { sum: seen.reduce((sum, it) => sum + it.value, 0), what: moved[0]?.slice(0, 40) };
    });
    return sum > MOST_SHIFT ? [{ kind: "page moves", what: `${sum.toFixed(3)}: ${what}` }] : [];
}

/**
 * Faults of a page as it stands, with all that is folded opened. On a desktop, and on paper,
 * nothing may have to be moved sideways. Paper is white in each theme: there all text counts.
 * Nothing can be opened there: what is folded has to be visible by itself.
 */
export function measure(page, { isDesktop, isPaper = false }) {
    return page.evaluate(inPage, { isDesktop, isPaper, leastContrast: LEAST_CONTRAST, smallest: SMALLEST, columns: COLUMNS });
}

// The browser gets this function as text: it can use nothing from outside of it.
function inPage({ isDesktop, isPaper, leastContrast, smallest, columns }) {
    const faults = [];
    const add = (kind, what) => faults.push({ kind, what });
    const all = (selector, below = document) => [...below.querySelectorAll(selector)];
    const start = (text) => `"${text.trim().replace(/\s+/g, " ").slice(0, 40)}"`;
    for (const details of all("details")) {
        const inside = details.querySelector(":scope > :not(summary, .predicted)");
        if (!isPaper) {
            details.open = true;
        } else if (inside && details.checkVisibility() && !isShown(inside) && !isBeside(details)) {
            add("fold is not printed", start(details.textContent));
        }
    }

    // mdBook hides what is wider than its body, and scrolls the content in a box of its own.
    for (const box of [document.scrollingElement, ...all(".content")]) {
        if (box.scrollWidth > box.clientWidth) {
            const right = box.getBoundingClientRect().left + box.clientWidth;
            const wide = all("main *").find((it) => it.getBoundingClientRect().right > right + 1);
            const what = wide ? `, from ${wide.tagName} ${start(wide.textContent)}` : "";
            add("page too wide", `${box.scrollWidth} of ${box.clientWidth} pixels${what}`);
            break;
        }
    }
    if (isDesktop) {
        for (const box of all("pre > code, .table-wrapper")) {
            if (box.scrollWidth > box.clientWidth) {
                const kind = box.matches("code") ? "listing scrolls" : "table scrolls";
                const widths = `${box.scrollWidth} of ${box.clientWidth} pixels`;
                add(kind, `${widths}: ${start(box.textContent)}`);
            }
        }
    }
    if (!isPaper) {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const parent = texts.currentNode.parentElement;
            const isText = texts.currentNode.data.trim() && !parent.closest("title, script, style");
            if (isText && parent.checkVisibility()) {
                const size = Number.parseFloat(getComputedStyle(parent).fontSize) * scale(parent);
                if (size < smallest) {
                    add("text is small", `${size.toFixed(1)} pixels: ${start(parent.textContent)}`);
                }
            }
        }
    }
    if (isPaper) {
        for (const code of all("code.language-console").filter((it) => it.checkVisibility())) {
            const printed = all(".ln:not(.command)", code);
            const isWider = printed.some((it) => it.textContent.trimEnd().length > columns);
            const broken = printed.find((it) => !isWider && isBroken(it));
            if (broken) {
                add("printed line is broken", start(broken.textContent));
            }
        }
        const texts = all("main :is(p, li, td, th, summary, code, pre span)");
        for (const text of texts.filter((it) => it.textContent.trim())) {
            const ratio = contrast(colour(getComputedStyle(text).color), ground(text));
            if (ratio < leastContrast) {
                add("text is faint", `${start(text.textContent)}: contrast ${ratio.toFixed(2)}`);
            }
        }
    }
    // Icons are no figures. mdBook keeps each picture a second time, to enlarge it, and a player
    // has a copy of its figure, which is hidden from screen readers.
    const isFigure = (it) => !it.closest(".fa-svg, [aria-hidden=true]") && it.checkVisibility();
    all("main svg[viewBox], main img").filter(isFigure).forEach(figure);
    return faults;

    // Whether a line of code goes on in the next one.
    function isBroken(line) {
        const range = document.createRange();
        range.selectNodeContents(line);
        const tops = [...range.getClientRects()].filter((it) => it.width > 0).map((it) => it.top);
        return Math.max(...tops) - Math.min(...tops) > 5; // letters of another size begin elsewhere
    }

    // Without scripts an answer is not printed: it would be beside its question.
    function isBeside(details) {
        return details.matches(".answer:not(.answers *)");
    }

    // How large a pixel of its own is on the page.
    function scale(element) {
        const toPage = element.getScreenCTM?.();
        return toPage ? Math.hypot(toPage.a, toPage.b) : 1;
    }

    function isShown(element) {
        return element.checkVisibility() && element.getBoundingClientRect().height > 0;
    }

    function figure(svg) {
        const name = accessibleName(svg);
        if (!name) {
            add("figure without a name", svg.outerHTML.slice(0, 80));
        }
        const which = start(name);
        const column = svg.closest("main").getBoundingClientRect();
        const box = svg.getBoundingClientRect();
        if (isDesktop && (box.right > column.right + 1 || box.left < column.left - 1)) {
            add("figure too wide", `${which}: ${box.width} of ${column.width} pixels`);
        }
        all("text", svg).forEach((text) => figureText(svg, text, which));
    }

    function accessibleName(element) {
        if (element.matches("img")) {
            return element.alt.trim();
        }
        const ids = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/);
        const labels = ids.map((id) => document.getElementById(id)?.textContent ?? "");
        const label = labels.join(" ").trim() || (element.getAttribute("aria-label") ?? "");
        const isImage = element.getAttribute("role") === "img";
        return isImage ? label.trim() : "";
    }

    function figureText(svg, text, which) {
        const where = `${which}: ${start(text.textContent)}`;
        const toSvg = svg.getScreenCTM().inverse().multiply(text.getScreenCTM());
        const { x, y, width, height } = text.getBBox();
        const from = new DOMPoint(x, y).matrixTransform(toSvg);
        const to = new DOMPoint(x + width, y + height).matrixTransform(toSvg);
        const view = svg.viewBox.baseVal;
        const isInside = from.x >= view.x && from.y >= view.y &&
            to.x <= view.x + view.width && to.y <= view.y + view.height;
        if (!isInside) {
            add("figure text cut off", where);
        }
        const ink = colour(getComputedStyle(text).fill);
        for (const at of [0.02, 0.5, 0.98]) {
            const point = new DOMPoint(x + at * width, y + height / 2);
            const ratio = contrast(ink, under(svg, text, point));
            if (ratio < leastContrast) {
                add("figure text is faint", `${where}: contrast ${ratio.toFixed(2)}`);
                break;
            }
        }
    }

    // The last shape that was painted here before the text, or else the page.
    function under(svg, text, point) {
        const style = getComputedStyle(text);
        if (style.paintOrder.startsWith("stroke") && style.stroke !== "none") {
            return colour(style.stroke);
        }
        const onScreen = point.matrixTransform(text.getScreenCTM());
        for (const shape of all("rect, circle, ellipse, path, polygon", svg).reverse()) {
            const isBefore = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
            const fill = getComputedStyle(shape).fill;
            const here = onScreen.matrixTransform(shape.getScreenCTM().inverse());
            if (isBefore && fill !== "none" && shape.isPointInFill(here)) {
                return colour(fill);
            }
        }
        return ground(svg);
    }

    function ground(element) {
        for (let behind = element; behind; behind = behind.parentElement) {
            const found = colour(getComputedStyle(behind).backgroundColor);
            if (found.alpha === 1) {
                return found;
            }
        }
        return colour("rgb(255, 255, 255)");
    }

    function colour(text) {
        const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
        return { red, green, blue, alpha };
    }

    // https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio
    function contrast(one, other) {
        const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (light + 0.05) / (dark + 0.05);
    }

    function luminance({ red, green, blue }) {
        const [r, g, b] = [red, green, blue].map((part) => {
            const value = part / 255;
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    }
}
