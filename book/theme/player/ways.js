// All ways through a puzzle, as a map: what the reader has played is drawn, and where the other
// ways end is not said. The program itself is run with every list of choices that it takes.

"use strict";

{
    const { plural } = Player;
    const [COLUMN, ROW, LEFT, TOP] = [78, 25, 14, 22];
    const MARKS = { lost: "✗", fine: "✓", early: "✓" };

    /** Above that a map would be no picture. */
    const MOST = 400;

    function svg(name, attributes = {}, ...children) {
        const element = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const [key, value] of Object.entries(attributes)) {
            element.setAttribute(key, value);
        }
        element.append(...children);
        return element;
    }

    /** Runs a program with all lists of choices, and resolves to the tree of what can happen:
     * `{ way, kids: [{ ..., text, what }], kind }`; an end has a `kind` and no kids. */
    async function explore(game) {
        let count = 0;
        const visit = async (choices) => {
            count += 1;
            if (count > MOST) {
                throw new Error("there are too many ways");
            }
            if (count % 8 === 0) {
                await new Promise((resolve) => setTimeout(resolve)); // the page stays awake
            }
            const result = await Player.runSystem(game, choices);
            const node = { way: choices.join("."), kids: [] };
            if (result.isOver) {
                return { ...node, kind: game.verdict(result).kind };
            }
            for (const word of game.words(result.asked, result)) {
                const choice = result.asked[parseInt(word, 10)];
                const kid = await visit([...choices, word]);
                node.kids.push({ ...kid, text: game.short(choice, word), what: choice.what });
            }
            return node;
        };
        return visit([]);
    }

    const trees = new Map();
    const treeOf = async (game) => {
        try {
            return await (trees.get(game) ?? trees.set(game, explore(game)).get(game));
        } catch (error) {
            trees.delete(game); // the next time it is tried again
            throw error;
        }
    };

    const endsOf = (node) => (node.kids.length === 0 ? [node] : node.kids.flatMap(endsOf));
    const depthOf = (node) => 1 + Math.max(0, ...node.kids.map(depthOf));

    /** The map of one board. It remembers what was played of each of its games. */
    Player.Ways = class {
        element = make("div", { class: "pane ways", hidden: "" });
        #head = make("p", { class: "head" });
        #chart = make("div", { class: "map" });
        #turn = 0; // what was asked for last is drawn
        #seen = new Map(); // of a game: the ways that were played, and their beginnings

        constructor() {
            this.element.append(this.#head, this.#chart);
        }

        /** Shows where these choices have led. Resolves when the map is drawn, or says why it is not. */
        async show(name, choices) {
            const turn = ++this.#turn;
            const game = Player.games[name];
            this.element.hidden = !game.hasWays;
            if (!game.hasWays) {
                return;
            }
            const seen = this.#seen.get(name) ?? this.#seen.set(name, new Set()).get(name);
            choices.forEach((_, index) => seen.add(choices.slice(0, index + 1).join(".")));
            try {
                const tree = await treeOf(game);
                if (turn === this.#turn) {
                    this.#draw({ name, game, tree, seen, here: choices.join(".") });
                }
            } catch (error) {
                this.#head.textContent = `There is no map: ${error.message}`;
            }
        }

        #draw({ name, game, tree, seen, here }) {
            const ends = endsOf(tree);
            const isShown = game.hasWays === "shown";
            const isSeen = ({ way }) => isShown || way === "" || seen.has(way);
            const found = ends.filter(isSeen);
            const lost = found.filter(({ kind }) => kind === "lost").length;
            const [one, more] = game.loses;
            const loses = `${lost === 0 ? "none" : lost} of them ${lost > 1 ? more : one}`;
            this.#head.textContent = isShown
                ? `All ${ends.length} ways, which were all run: ${loses}.`
                : `Found ${found.length} of ${plural(ends.length, "way")}${found.length > 0 ? `: ${loses}` : ""}.`;
            const height = TOP + ROW * ends.length;
            const wide = LEFT + COLUMN * (depthOf(tree) - 1) + 150;
            const drawing = svg("svg", { width: wide, height, viewBox: `0 0 ${wide} ${height}`, role: "img", "aria-label": `All ways of the program: ${this.#head.textContent}` });
            const lines = svg("g");
            const dots = svg("g");
            const links = [];
            drawing.append(lines, dots);
            let row = 0;
            const put = (node, depth) => {
                const [x, y] = [LEFT + COLUMN * depth, TOP + ROW * row];
                const kinds = [isSeen(node) ? "seen" : "", here === node.way ? "here" : "", node.kind && isSeen(node) ? node.kind : ""];
                for (const kid of node.kids) {
                    const to = TOP + ROW * row;
                    const isOn = here === kid.way || here.startsWith(`${kid.way}.`);
                    const state = `${isSeen(kid) ? "seen" : ""} ${isOn ? "on" : ""}`;
                    lines.append(
                        svg("path", { class: state, d: `M${x} ${y}C${x + 18} ${y} ${x + 4} ${to} ${x + 24} ${to}H${x + COLUMN}` }),
                        svg("text", { class: `${state} ${kid.what}`, x: x + 24, y: to - 4 }, kid.text));
                    put(kid, depth + 1);
                }
                dots.append(svg("circle", { class: kinds.join(" "), cx: x, cy: y, r: here === node.way ? 7 : node.kind ? 5 : 3 }));
                if (node.kind) {
                    row += 1;
                    if (isSeen(node)) {
                        // Links are above the drawing, which is one image.
                        links.push(make("a", { class: `end ${node.kind}`, href: `#os=${name}:${node.way}`, style: `left: ${x + 10}px; top: ${y - 12}px` },
                            `${MARKS[node.kind]} ${game.ends[node.kind]}`));
                    } else {
                        dots.append(svg("text", { class: "end", x: x + 12, y: y + 4 }, "?"));
                    }
                }
            };
            put(tree, 0);
            const scrolls = { tabindex: "0", role: "region", "aria-label": "The map of all ways" };
            Object.entries(scrolls).forEach(([key, value]) => this.#chart.setAttribute(key, value));
            this.#chart.replaceChildren(make("div", {}, drawing, ...links));
            const at = Number(dots.querySelector(".here")?.getAttribute("cx") ?? 0);
            this.#chart.scrollLeft = at - this.#chart.clientWidth / 2;
        }
    };
}
