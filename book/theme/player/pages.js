// Two runs beside each other, page by page. In their events a page has the place of a task.

"use strict";

{
    const { plural, time } = Player;

    const LIVES = {
        new: "not asked for",
        asked: "asked for",
        here: "arrived",
    };

    const count = ({ events }) => Math.max(...events.map(({ task }) => task));

    /** Whether an event says that a page is there, and not only its connection. */
    const isAnswer = ({ event, readable }) => event === "arrived" && readable;

    /** What a page is at this moment: one of `LIVES`. */
    function life(run, index, page) {
        const own = run.events.slice(0, index + 1).filter(({ task }) => task === page);
        return own.some(isAnswer) ? "here" : own.length > 0 ? "asked" : "new";
    }

    /** Names several pages: `pages 2, 3 and 5`. */
    function named(pages) {
        const list = [...pages].sort((a, b) => a - b);
        const isAll = list.length > 2 && list.at(-1) - list[0] === list.length - 1;
        const text = isAll ? `${list[0]} to ${list.at(-1)}` : list.join(", ").replace(/, (\d+)$/, " and $1");
        return `*${list.length === 1 ? "page" : "pages"} ${text}*`;
    }

    const upper = (text) => text.replace(/\w/, (letter) => letter.toUpperCase());

    const SAY = {
        slept: (run, index) => {
            const asked = pagesOf(run).filter((page) => life(run, index, page) === "asked");
            return asked.length === 0
                ? "The thread sleeps. The program waits for the list of the pages."
                : `The thread sleeps. ${upper(named(asked))} ${asked.length === 1 ? "has" : "have"} been asked for.`;
        },
        woke: (run, index) => {
            const { us } = run.events[index];
            const slept = run.events.slice(0, index).findLast(({ event }) => event === "slept");
            const after = run.events.slice(index + 1);
            const end = after.findIndex(({ event }) => event === "slept");
            const come = after.slice(0, end < 0 ? after.length : end).filter(isAnswer);
            const what = come.length === 0 ? "an answer is there" : `${named(come.map(({ task }) => task))} ${come.length === 1 ? "has" : "have"} arrived`;
            return `After *${time(us - slept.us)}* of sleep, ${what}, and the thread runs.`;
        },
        finished: (run, index) => `The program has read ${named([run.events[index].task])}.`,
    };

    const pagesOf = (run) => Array.from({ length: count(run) }, (_, index) => index + 1);

    Player.Pages = class {
        element = make("div", { class: "pane pages" });
        #title;

        constructor(title) {
            this.#title = title;
        }

        show({ run, index, state }) {
            const thread = state.asleep
                ? make("span", { class: "chip role-os" }, "the thread sleeps")
                : make("span", { class: "chip role-loop" }, "the thread runs");
            const chips = pagesOf(run).map((page) => {
                const what = life(run, index, page);
                return make("span", { class: `chip role-task of-page ${what}`, title: LIVES[what] }, `page ${page}`);
            });
            const lives = pagesOf(run).map((page) => life(run, index, page));
            const sums = Object.entries(LIVES).map(([name, text]) => `${lives.filter((it) => it === name).length} ${text}`);
            this.element.replaceChildren(
                make("p", { class: "title" }, this.#title, thread),
                make("div", { class: "chips" }, ...chips),
                make("p", { class: "head" }, sums.join(", ")));
        }

        /** The sentence for an event. */
        static say(run, index) {
            if (index === 0) {
                return `The crawl of ${plural(count(run), "page")} begins.`;
            }
            if (index === run.events.length - 1) {
                return `The program has all ${count(run)} pages, after *${time(run.events[index].us)}*.`;
            }
            return SAY[run.events[index].event]?.(run, index) ?? `${upper(named([run.events[index].task]))} is asked for.`;
        }
    };
}
