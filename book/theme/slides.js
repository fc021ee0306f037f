// Starts the slides: the keys, the lines of a listing that are lit, light and dark.

const THEME = 84; // the key T

Reveal.initialize({
    width: 1280,
    height: 720,
    margin: 0,
    minScale: 0.1,
    maxScale: 4,
    center: false,
    controls: false,
    hash: true,
    // The window with the notes shows the same slide, and numbers are those of the handout.
    slideNumber: "c/t",
    transition: "none",
    backgroundTransition: "none",
    autoAnimate: false,
    pdfSeparateFragments: false,
    // With it the speaker's clock compares the time with that of the slides.
    defaultTiming: 0,
    plugins: [RevealNotes],
    keyboard: { [THEME]: changeTheme },
});

for (const event of ["ready", "slidechanged", "fragmentshown", "fragmenthidden"]) {
    Reveal.on(event, light);
}

/** Lights the lines of the last step that is shown. Before the first step none is lit. */
function light() {
    for (const listing of Reveal.getCurrentSlide()?.querySelectorAll(".listing") ?? []) {
        const step = String(listing.querySelectorAll(".step.visible").length);
        for (const line of listing.querySelectorAll(".ln")) {
            line.classList.toggle("lit", line.dataset.lit.split(" ").includes(step));
        }
    }
}

/** From light to dark and back, beginning with what the browser prefers. */
function changeTheme() {
    const root = document.documentElement;
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const before = root.dataset.theme ?? (isDark ? "dark" : "light");
    root.dataset.theme = before === "dark" ? "light" : "dark";
}
