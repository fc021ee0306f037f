// Lights lines of listings. Without it, links lead to the listing, or to the first line.

"use strict";

{
    const all = (selector, below = document) => [...below.querySelectorAll(selector)];
    const light = (lines, isOn) => lines.forEach((line) => line.classList.toggle("lit", isOn));

    // "Look at line 4": while the pointer or the keyboard is at these words, the lines are lit.
    // A click keeps them so, until another one.
    let kept = [];
    for (const link of all("a.lines")) {
        const [from, to] = link.dataset.lines.split("-").map(Number);
        const listing = document.getElementById(link.hash.slice(1));
        const lines = all(".ln", listing).slice(from, to + 1);
        const on = () => light(lines, true);
        const off = () => kept === lines || light(lines, false);
        link.addEventListener("pointerenter", on);
        link.addEventListener("pointerleave", off);
        link.addEventListener("focus", on);
        link.addEventListener("blur", off);
        link.addEventListener("click", () => {
            light(kept, false);
            kept = lines;
            on();
        });
    }

    // The page of a file: `#L120-141` are the lines of a listing.
    function range() {
        const [, from, to] = /^#L(\d+)-(\d+)$/.exec(location.hash) ?? [];
        if (document.querySelector("code.file")) {
            light(all(".ln.lit"), false);
            const isIn = (line) => Number(line.dataset.n) >= from && Number(line.dataset.n) <= to;
            light(all(".ln").filter(isIn), true);
            const first = document.getElementById(location.hash.slice(1))?.closest(".ln");
            first?.scrollIntoView();
            first?.closest("code").scrollTo(0, 0); // only the page moves
        }
    }
    window.addEventListener("hashchange", range);
    window.addEventListener("load", range);
}
