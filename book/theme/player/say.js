// A sentence for each event: what happens, from the event and the states around it.

"use strict";

{
    const { path, time, waits, plural } = Player;

    /** The last part of a place, `net.rs:read`: what is called. */
    const called = (at = "") => `\`${at.split(":").pop()}\``;
    const file = (at = "") => `\`${at.split(":")[0]}\``;
    const work = (name) => (name?.startsWith("http") ? ` (\`${path(name)}\`)` : "");
    const token = (socket) => (socket === null || socket === undefined ? "" : `, with token ${socket}`);

    /** Whether it runs for the first time. */
    const isNew = (event) => event.state === "New";

    const RESUMED = {
        1: (event) => `The event loop calls ${called(event.at)}, the callback of *task ${event.task}*${work(event.for)}.`,
        2: (event) => (isNew(event)
            ? `The event loop resumes *task ${event.task}*${work(event.for)} for the first time.`
            : `The event loop resumes *task ${event.task}*. It goes on where it yielded: in ${called(event.at)}, in ${file(event.at)}.`),
        3: (event, on) => (isNew(event) || on
            ? `${on ?? "The executor"} polls *task ${event.task}* ${isNew(event) ? "for the first time" : "again"}.`
            : `The executor polls *task ${event.task}*${work(event.for)}. The poll goes down to ${called(event.at)}, in ${file(event.at)}.`),
        4: (event, on) => (isNew(event)
            ? `${on ?? "The runtime"} polls *task ${event.task}* (\`${event.for}\`) for the first time.`
            : `${on ?? "The runtime"} polls *task ${event.task}* (\`${event.for}\`), which waits for ${waits({ named: event.state })}.`),
    };

    /** What a poll that returns `Pending` leaves behind. It is not wasted if the task has woken
     * itself. A part of a long trace may not have that wake: what it waits for tells it as well. */
    function pending(event, { itself, before, threads, stage }) {
        if (itself?.cancels) {
            return `*Task ${event.task}* was cancelled, so its next turn only drops it.`;
        }
        if (event.waits === "turn") {
            const isAlone = before.ready.every((task) => task === event.task);
            return `*Task ${event.task}* has called its own waker, on purpose: it is ready again, `
                + `${isAlone ? "as the only task" : "behind the others"}.`;
        }
        if (itself) {
            return `*Task ${event.task}* has called its own waker in this poll, so it is polled again.`;
        }
        const waits = `*Task ${event.task}* waits for ${Player.waits(event.waits)}`;
        const isMain = event.thread && threads.length > 0 && before.tasks.get(event.task)?.name === "block_on";
        return isMain ? `${waits}. ${capital(onThread(event.thread))} polls no other task: it parks until this one is woken.`
            : `${waits}, and ${stage === 4 ? "the runtime has the thread back" : "the thread is free"}.`;
    }

    const PAUSED = {
        1: (event) => `*Task ${event.task}* stores its next callback, ${called(event.at)}, and returns to the loop. It waits for ${waits(event.waits)}.`,
        2: (event) => `${called(event.at)} yields, up to the loop. *Task ${event.task}* waits for ${waits(event.waits)}; its frames are kept.`,
        3: (event, about) => (about.threads.length > 0 ? "The poll"
            : about.from === null || isNew(about.from)
            ? called(event.at)
            : about.from.at === event.at
            ? (event.waits === "turn" ? "That turn has come. The next " : "") + called(event.at)
            : `The wait in ${called(about.from.at)} is over. The poll goes on to ${called(event.at)}, which`)
            + ` returns \`Pending\`. ${pending(event, about)}`,
        4: (event, about) => `The poll returns \`Pending\`. ${pending(event, about)}`,
    };

    /** What the loop sees of an event that arrived. */
    function arrived(event) {
        const kinds = ["readable", "writable"].filter((kind) => event[kind]);
        const is = kinds.length > 0 ? ` is ${kinds.join(" and ")}` : " has an event";
        return `The OS has reported that the socket of *task ${event.task}*${is}${token(event.socket)}.`;
    }

    function slept(event, before) {
        const until = event.until === null || event.until === undefined
            ? ""
            : `, or until the timer at ${time(event.until)} is due`;
        const count = before.tasks.size;
        return `No task is ready${count > 0 ? `, and ${plural(count, "task waits", "tasks wait")}` : ""}. `
            + `The thread goes to sleep in the OS until an event is there${until}.`;
    }

    function woke(event, since, { until }) {
        // Less than what `time` shows is no wait worth telling.
        const slept = since === null ? ""
            : event.us - since < 50 ? " almost at once"
            : ` after *${time(event.us - since)}* in which none of our code ran`;
        const count = event.events ?? 0;
        const isDue = until !== null && event.us >= until;
        const none = isDue ? "no event: a timer is due" : "no event of a socket: another thread or a signal has ended the wait";
        return `The OS wakes the thread${slept}, with ${count === 0 ? none : plural(count, "event")}.`;
    }

    /** What has woken a task, as the subject of a sentence. */
    function caller({ by, thread }, { running, tasks }, threads) {
        if (by === "thread") {
            return thread ? `The thread \`${thread}\`` : "Another thread";
        }
        if (by === 0) {
            return "The loop";
        }
        const name = typeof by === "number" ? `*Task ${by}*` : `The ${by}`;
        if (threads.length > 0) {
            const on = tasks.get(by)?.thread ?? thread;
            return on ? `${name}, on ${onThread(on)},` : name;
        }
        return typeof by === "string" || running.includes(by) ? name : `${name}, which is being dropped,`;
    }

    /** A thread, as a sentence names it: our own are called `thread 0`. */
    const onThread = (name) => (name.startsWith("thread ") ? `*${name}*` : `thread \`${name}\``);
    const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1).replace(/^t/, "T");

    function queued(event, { before, after, threads }) {
        const behind = after.ready.length > 1 ? `, behind ${plural(after.ready.length - 1, "other", "others")}.` : ".";
        // Stage 2 has no wakers: what ends a wait queues the task.
        if (Player.isWake(event, before)) {
            return `${caller(event, before, threads)} ends the wait of *task ${event.task}*, which is put into the ready queue${behind}`;
        }
        if (event.queue) {
            return `*Task ${event.task}* is put into the ${event.queue}.`;
        }
        return event.by > 0
            ? `*Task ${event.by}* puts *task ${event.task}*, which is new, into the ready queue${behind}`
            : `*Task ${event.task}* is put into the ready queue${behind}`;
    }

    const owner = (task) => (task ? `*Task ${task}*` : "The program");
    const taskOf = ({ timer }, { timers }) => timers.find((it) => it.timer === timer)?.task;

    /** Where a task was polled before, and what the other threads run: of two of them, and of how many more. */
    function elsewhere({ task, thread }, { before, after }) {
        const { thread: last, queue } = before.tasks.get(task) ?? {};
        const taken = queue && thread && !queue.endsWith(thread) ? ` It has taken that task out of the ${queue}.` : "";
        const moved = last && last !== thread ? ` Its last poll was on ${onThread(last)}.` : "";
        const others = after.running.map((it) => after.tasks.get(it)).filter((it) => it.thread && it.thread !== thread);
        const named = others.slice(0, 2).map((it) => `*task ${it.id}* runs on ${onThread(it.thread)}`);
        const more = others.length - named.length;
        const all = more > 0 ? `${named.join(", ")}, and ${plural(more, "more task runs", "more tasks run")}` : named.join(", and ");
        return taken + moved + (all ? ` At the same time, ${all}.` : "");
    }

    /** Where threads are numbered, and no tasks. */
    const THREADS = {
        created: (event) => `*Thread ${event.task}* starts.`,
        resumed: (event, { before }) => {
            const it = before.tasks.get(event.task) ?? {};
            return isNew(event) ? `*Thread ${event.task}* runs, and locks the books.`
                : Player.isOfPage(it.waits) ? `The page \`${path(it.waits.named)}\` is there: ${called(event.at)} returns, and *thread ${event.task}* runs again.`
                    : `*Thread ${event.task}* has the lock, and looks into \`todo\` again.`;
        },
        paused: (event, { before }) => (Player.isOfPage(event.waits)
            ? `*Thread ${event.task}* has a URL and calls ${called(event.at)}, which blocks until the page \`${path(event.waits.named)}\` is there.`
            : `*Thread ${event.task}* finds \`todo\` empty, while a page is in flight. It sleeps on \`news\`.`),
        woken: (event) => `*Thread ${event.by}* calls \`notify_all\`, which wakes *thread ${event.task}*.`,
        queued: (event) => `*Thread ${event.task}* may run again, as soon as it gets the lock of the books.`,
        finished: (event) => `*Thread ${event.task}* finds \`todo\` empty and no page in flight, and ends.`,
    };

    const SAY = {
        created: (event, { stage }) => (stage === 1
            ? `*Task ${event.task}* begins: a connection for \`${path(event.for)}\`.`
            : `*Task ${event.task}* is created${stage === 4 || event.for === "block_on" ? ` (\`${event.for}\`)` : work(event.for)}. None of its code has run yet.`),
        queued,
        moved: (event, { before }) => `${event.thread ? capital(onThread(event.thread)) : "A thread"} takes *task ${event.task}* out of the ${before.tasks.get(event.task)?.queue ?? "queue"}`
            + ` and puts it into the ${event.queue}.`,
        resumed: (event, about) => (about.threads.length === 0
            ? RESUMED[about.stage](event)
            : RESUMED[about.stage](event, event.thread ? capital(onThread(event.thread)) : undefined) + elsewhere(event, about)),
        paused: (event, about) => PAUSED[about.stage](event, about),
        woken: (event, { before, threads, hasLine }) => (event.cancels
            ? `${caller(event, before, threads)} cancels *task ${event.task}*: marks it, and wakes it. ${event.by === event.task ? "It runs on until it has to wait, and is then dropped" : "Its next turn is its last: its future is dropped"}.`
            : (event.by === event.task
                ? `*Task ${event.task}* calls its own waker, and runs on.`
                : `${caller(event, before, threads)} calls the waker of *task ${event.task}*. That only means: poll it again.`)
            + (hasLine ? " The marked line is in that waker: the trace does not have the line that calls it." : "")),
        orphaned: (event) => `The last waker of *task ${event.task}* is dropped. Nothing can wake that task.`,
        registered: (event) => `*Task ${event.task}* registers its socket with the OS${token(event.socket)}.`,
        arrived,
        finished: (event) => `*Task ${event.task}* is done.`,
        cancelled: (event, { before }) => {
            const at = before.tasks.get(event.task)?.at;
            return `*Task ${event.task}* is dropped before its end${at ? `, suspended in ${called(at)}` : ""}.`;
        },
        slept: (event, { before }) => slept(event, before),
        woke: (event, { since, before }) => woke(event, since, before),
        "timer-set": (event, { before }) => `${owner(event.task || before.running.at(-1))} sets a timer, `
            + (event.when > event.us ? `which is due in ${time(event.when - event.us)}.` : "which is due at once."),
        "timer-fired": (event, { before }) => `A timer is due: that of ${owner(taskOf(event, before)).toLowerCase()}.`,
        "timer-cleared": (event, { before }) => `The timer of ${owner(taskOf(event, before)).toLowerCase()} is cleared. It will wake no task.`,
    };

    /**
     * The sentence for an event of a run. `states` are those after each event.
     */
    Player.say = (run, index) => {
        const event = run.events[index];
        const before = run.states[index - 1] ?? run.start ?? Player.START;
        const last = (isIt) => run.events.slice(0, index).findLast(isIt) ?? null;
        const slept = event.event === "woke" ? last((it) => it.event === "slept") : null;
        // Where the poll began that pauses now.
        const from = event.event === "paused" ? last((it) => it.event === "resumed" && it.task === event.task) : null;
        // Where the task that pauses has called its own waker in this poll, or has cancelled itself.
        const woken = event.event === "paused" ? last((it) => it.task === event.task && ["resumed", "woken"].includes(it.event)) : null;
        const itself = woken?.by === event.task ? woken : null;
        const stage = Player.stage(run.program);
        const hasLine = Boolean(run.at?.[event.line]);
        const about = { stage, threads: run.threads ?? [], before, after: run.states[index], since: slept?.us ?? null, from, itself, hasLine };
        const say = (stage === 5 ? THREADS : SAY)[event.event] ?? SAY[event.event];
        return say?.(event, about) ?? `${event.event}, which this player does not know.`;
    };
}
