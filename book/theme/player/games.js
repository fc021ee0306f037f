// What the reader of `be-the-system` plays: the programs, the sites that they crawl, what may be
// chosen, and how a play has ended. The page has the texts.
//
// `words` are the choices that the reader has: `0` is the first of what may happen, after `0+` the
// program sleeps on until more has happened, and `0!` fails instead. A `verdict` has a `kind`:
// `lost`, what the puzzle looks for, `fine`, or `early`, the end before that could happen.

"use strict";

{
    const SMALL = `
        / 2ms 200 links=/a,/b
        /a 5ms 200 links=/c
        * 5ms 200 text=hello`;
    const FAILS = ["connected", "bytes", "closed"];
    const isRefused = ({ log }) => log.some(({ os }) => os === "refused" || os === "reset");
    const isWhole = ({ rows }) => rows.length === 4 && rows.every(({ outcome }) => outcome === "ok");
    /** How often the program woke up. */
    const wakes = ({ log }) => log.filter(({ os }) => os === "wakes").length;
    /** The last event of the task that fetches this page. */
    const lastOf = ({ run }, page) => run.events.findLastIndex((it) => it.event === "resumed" && Player.path(it.for) === page);
    const free = (program, fewest) => ({
        program,
        site: SMALL,
        options: ["--max-tasks", "3", "--max-tries", "2"],
        words: (asked) => asked.flatMap(({ what, socket }, index) => [
            `${index}`,
            ...(socket && asked.length > 1 ? [`${index}+`] : []),
            ...(FAILS.includes(what) ? [`${index}!`] : []),
        ]),
        goals: {
            retry: ["A connection fails, and all four pages arrive.", (result) => isWhole(result) && isRefused(result)],
            overtaken: ["`/b` is complete before `/a`, and nothing fails.",
                (result) => isWhole(result) && !isRefused(result) && lastOf(result, "/b") < lastOf(result, "/a")],
            fewest: [`All four pages arrive, and the program wakes only ${fewest} times.`,
                (result) => isWhole(result) && wakes(result) <= fewest],
        },
        verdict: (result) => ({
            kind: "fine",
            why: `The crawl is over: ${result.rows.filter(({ outcome }) => outcome === "ok").length} of 4 pages arrived, and the program woke ${Player.plural(wakes(result), "time")}.`,
        }),
    });

    /** Whether a page failed like this, and all others did not. */
    const only = (rows, path, outcome) => {
        const is = (row) => new URL(row.url).pathname === path;
        return rows.some((row) => is(row) && row.outcome === outcome)
            && rows.every((row) => is(row) || row.outcome === "ok");
    };

    const POLLED = {
        forgotten: "the task drops its waker and",
        stale: "the task keeps the waker that is in the box and",
    };
    /** What each of two threads does next, and what that has done: see tests/sim/steps/src/turns.rs. */
    const TURNS = {
        look: ["Executor: look at the flag", ({ flag }) => `The executor looks at the flag: it is ${flag ? "up" : "down"}.`],
        begin: ["Task 1: poll the future, then hand it to task 2", ({ letter }) => (letter
            ? "Task 1 polls the future, which finds the letter and is ready."
            : "Task 1 polls the future. The box is empty: the waker of task 1 is stored there. Then task 2 gets the future.")],
        poll: ["Executor: poll the task", ({ letter }, what) => (letter
            ? "The executor polls the task, which finds the letter and is ready."
            : `The executor polls the task. The box is empty: ${POLLED[what] ?? "the task stores its waker and"} returns \`Pending\`.`)],
        lower: ["Executor: lower the flag", ({ flag }) => `The executor lowers the flag${flag ? "" : ", which is down already"}.`],
        put: ["Other thread: put the letter into the box", ({ waker }) =>
            `The other thread puts the letter into the box${waker ? " and takes the waker." : ". There is no waker to call, so it ends."}`],
        wake: ["Other thread: call the waker", ({ isStale }) => (isStale
            ? "The other thread calls the waker: that of task 1, which has handed the future over."
            : "The other thread calls the waker, which raises the flag.")],
    };
    const isChosen = ({ log }, wanted) => log.some(({ choices, chosen }) => choices?.[chosen].what === wanted);
    /** The lines of the listings that a thread runs next: each has this text. */
    const LINES = { look: "while flag", poll: ".poll(", put: "letters.letter =", wake: ".wake()" };
    const EARLY = "The step ended before the other thread called the waker. An executor that sleeps would still be woken, so no wake was lost.";
    const turns = (what, why) => ({
        program: "lost-wake",
        args: [what],
        bundle: "steps",
        isStep: true,
        hasWays: what === "fixed" || what === "handed" ? "shown" : "found",
        listings: ["lost-wake-run", "lost-wake-other"],
        lines: { ...LINES, lower: what === "broken" ? "// poll, then lower" : "// lower the flag, then" },
        words: (asked) => asked.map((_, index) => `${index}`),
        short: (choice) => choice.what,
        loses: what === "forgotten" || what === "stale"
            ? ["leaves a task that nothing can wake", "leave a task that nothing can wake"] : ["loses the wake", "lose the wake"],
        ends: { lost: "lost", fine: "ready", early: "no wake yet" },
        title: (choice) => TURNS[choice.what][0],
        happened: ({ choices, chosen, ...before }, log) => {
            const put = log.findLast((it) => it.choices?.[it.chosen].what === "put");
            return TURNS[choices[chosen].what][1]({ ...before, isStale: put?.waker === "another task's" }, what);
        },
        asks: () => "Which thread goes on?",
        verdict: (result) => {
            if (result.out.includes("the task is ready")) {
                return { kind: "fine", why: "The task has its letter. Nothing was lost." };
            }
            return why(result);
        },
    });
    const lost = (what) => turns(what, (result) => (isChosen(result, "wake")
        ? { kind: "lost", why: "Solved. The letter is in the box and the waker was called, but the task is never polled again." }
        : { kind: "early", why: EARLY }));
    const forgotten = turns("forgotten", () =>
        ({ kind: "lost", why: "Solved. The task waits, and its waker is nowhere: whenever the letter comes, nothing will poll the task." }));
    const stale = turns("stale", (result) => ({
        kind: "lost",
        why: isChosen(result, "wake")
            ? "Solved. Task 1 was woken, which no longer has the future. Task 2 is never polled again, although the letter is there."
            : "Solved. The only waker is that of task 1, which no longer has the future: nothing can wake task 2.",
    }));

    const HANG = { connected: "connect", bytes: "data", closed: "close", timer: "timer" };
    const hang = (program, ways) => ({
        program,
        isStep: true,
        site: "/ 1ms 200 bytes=12000 pieces=3 every=1ms",
        hasWays: ways,
        // More may arrive before it wakes. The timer is due only while it sleeps, and after the
        // timer the step only looks whether something was left.
        words: (asked, { choices, log }) => {
            const isTimer = ({ what }) => what === "timer";
            const isLate = log.some((it) => it.os === "asked" && isTimer(it.choices[it.chosen]));
            const isHeld = choices.at(-1)?.endsWith("+");
            return asked.flatMap((choice, index) => {
                if (isLate || isTimer(choice)) {
                    return isTimer(choice) && !isHeld ? [`${index}`] : [];
                }
                return choice.what === "bytes" ? [`${index}`, `${index}+`] : [`${index}`];
            });
        },
        short: ({ what }, word) => `${HANG[what]}${word.endsWith("+") ? " …" : ""}`,
        loses: ["waits for data that it has", "wait for data that they have"],
        ends: { lost: "waits for what it has", fine: "complete", early: "gave up" },
        verdict: ({ out, err }) => {
            if (out.includes("is readable at once")) {
                return { kind: "lost", why: "Solved. The step waits for data that it has already received." };
            }
            if (out.includes("nothing has happened") || err.includes("TimedOut")) {
                return { kind: "early", why: "The step gave up, but nothing was there to be read: it waited for data that had not arrived yet." };
            }
            return { kind: "fine", why: "The page is complete, so nothing was lost." };
        },
    });

    Player.games = {
        "stage1-callbacks": free("stage1-callbacks", 6),
        "stage2-generators": free("stage2-generators", 6),
        "stage3-async": free("stage3-async", 4),
        hang: hang("ch05_broken_one_read", "found"),
        "hang-fixed": hang("ch05_fetcher", "shown"),
        "lost-wake": lost("broken"),
        "lost-wake-fixed": lost("fixed"),
        forgotten,
        stale,
        handed: lost("handed"),
        starve: {
            program: "stage3-async",
            options: ["--max-tasks", "3", "--max-tries", "1"],
            words: (asked) => asked.map((_, index) => `${index}`),
            site: `
                / 2ms 200 links=/a,/b,/c
                /b 5ms 200 links=/d
                * 5ms 200 text=hello`,
            verdict: ({ rows }) => {
                if (only(rows, "/a", "timeout")) {
                    return { kind: "lost", why: "Solved. Only the task of /a timed out: its socket never became ready, while all other pages arrived." };
                }
                const late = rows.filter(({ outcome }) => outcome !== "ok").map(({ url }) => new URL(url).pathname);
                const which = late.length === 0 ? "every page arrived" : `these failed: ${late.join(", ")}`;
                return { kind: "fine", why: `The crawl is over, and ${which}. Only /a may time out.` };
            },
        },
    };
}
