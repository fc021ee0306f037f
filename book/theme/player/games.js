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
