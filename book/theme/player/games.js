// What the reader of `be-the-system` plays: the programs, the sites that they crawl, and when a
// puzzle is solved. The page has the texts.

"use strict";

{
    const SMALL = `
        / 2ms 200 links=/a,/b
        /a 5ms 200 links=/c
        * 5ms 200 text=hello`;
    const free = (program) => ({ program, site: SMALL, options: ["--max-tasks", "3", "--max-tries", "2"], failures: true, together: true });

    /** Whether a page failed like this, and all others did not. */
    const only = (rows, path, outcome) => {
        const is = (row) => new URL(row.url).pathname === path;
        return rows.some((row) => is(row) && row.outcome === outcome)
            && rows.every((row) => is(row) || row.outcome === "ok");
    };

    /** What each of two threads does next, and what that has done: see tests/sim/steps/src/turns.rs. */
    const TURNS = {
        look: ["Executor: look at the flag", ({ flag }) => `The executor looks at the flag: it is ${flag ? "up" : "down"}.`],
        poll: ["Executor: poll the task", ({ letter }) => (letter
            ? "The executor polls the task, which finds the letter and is ready."
            : "The executor polls the task. The box is empty: the task stores its waker and returns `Pending`.")],
        lower: ["Executor: lower the flag", ({ flag }) => `The executor lowers the flag${flag ? "" : ", which is down already"}.`],
        put: ["Other thread: put the letter into the box", ({ waker }) =>
            `The other thread puts the letter into the box${waker ? " and takes the waker." : ". There is no waker to call, so it ends."}`],
        wake: ["Other thread: call the waker", () => "The other thread calls the waker, which raises the flag."],
    };
    const isWoken = ({ log }) => log.some(({ choices, chosen }) => choices[chosen].what === "wake");
    const lost = (half) => ({
        program: "lost-wake",
        args: [half],
        bundle: "steps",
        isStep: true,
        title: ({ what }) => TURNS[what][0],
        happened: ({ choices, chosen, ...before }) => TURNS[choices[chosen].what][1](before),
        asks: ({ flag, letter, waker }) => `The flag is *${flag ? "up" : "down"}*. The box has *${letter ? "a letter" : "no letter"}*`
            + ` and *${waker ? "the task’s waker" : "no waker"}*. Which thread goes on?`,
        verdict: (result) => {
            if (result.out.includes("the task is ready")) {
                return { why: "The task has its letter. Nothing was lost." };
            }
            if (!isWoken(result)) {
                return { why: "The step ended before the other thread called the waker. An executor that sleeps would still be woken, so no wake was lost." };
            }
            return { isSolved: true, why: "Solved. The letter is in the box and the waker was called, but the task is never polled again." };
        },
    });

    Player.games = {
        "stage1-callbacks": free("stage1-callbacks"),
        "stage2-generators": free("stage2-generators"),
        "stage3-async": free("stage3-async"),
        hang: {
            program: "ch05_broken_one_read",
            isStep: true,
            site: "/ 1ms 200 bytes=12000 pieces=4 every=1ms",
            together: true,
            verdict: ({ out }) => {
                if (out.includes("is readable at once")) {
                    return { isSolved: true, why: "Solved. The step waits for data that it has already received." };
                }
                if (out.includes("nothing has happened")) {
                    return { why: "The step gave up, but nothing was there to be read: it waited for data that had not arrived yet." };
                }
                return { why: "The page is complete, so nothing was lost." };
            },
        },
        "lost-wake": lost("broken"),
        "lost-wake-fixed": lost("fixed"),
        starve: {
            program: "stage3-async",
            options: ["--max-tasks", "3", "--max-tries", "1"],
            site: `
                / 2ms 200 links=/a,/b,/c
                /b 5ms 200 links=/d
                * 5ms 200 text=hello`,
            verdict: ({ rows }) => {
                if (only(rows, "/a", "timeout")) {
                    return { isSolved: true, why: "Solved. Only the task of /a timed out: its socket never became ready, while all other pages arrived." };
                }
                const late = rows.filter(({ outcome }) => outcome !== "ok").map(({ url }) => new URL(url).pathname);
                const which = late.length === 0 ? "every page arrived" : `these failed: ${late.join(", ")}`;
                return { why: `The crawl is over, and ${which}. Only /a may time out.` };
            },
        },
    };
}
