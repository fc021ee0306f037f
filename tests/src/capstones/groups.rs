//! Promises in groups. Each group holds or does not.

/// A group of promises that a reader understands as one.
#[derive(Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name on the command line.
    pub key: &'static str,
    /// What it promises.
    pub title: &'static str,
    /// The page of the book that explains it in each part, without `.md`.
    pub pages: [&'static str; 3],
}

/// The part of the book that a crawler belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Stage 1.
    Callbacks,
    /// Stage 2.
    Generators,
    /// Stage 3.
    Async,
}

impl Group {
    /// Returns the page of the book that explains it to the readers of this part.
    pub fn page(&self, stage: Stage) -> &'static str {
        self.pages[stage as usize]
    }
}

const fn group(
    key: &'static str,
    title: &'static str,
    pages: [&'static str; 3],
) -> Group {
    Group { key, title, pages }
}

/// The promises of the capstone itself, where a stage is changed.
pub const TASK: Group = group(
    "task",
    "it does what this capstone is about",
    ["the-bill", "one-way-to-wait", "workers"],
);

// Of a machine. Each of its rules names its own chapter.
const RUNS: Group = group("runs", "tasks run, and their output arrives", EXECUTOR);
const WAKES: Group = group("wakes", "no wake-up is lost or goes astray", EXECUTOR);
const THREADS: Group =
    group("threads", "a wake-up from another thread arrives", ["reactor"; 3]);
const BORROWS: Group =
    group("borrows", "nothing is borrowed while other code runs", EXECUTOR);
const CANCELS: Group =
    group("cancels", "a cancelled task is dropped, and no other", ["cancelling"; 3]);
const PANICS: Group =
    group("panics", "a task that panics ends nothing but itself", ["cancelling"; 3]);
const CLEANS: Group =
    group("cleans", "at the end of a run every task is dropped", ["cancelling"; 3]);
const TIMERS: Group =
    group("timers", "timers are on time, and leave nothing behind", ["reactor"; 3]);
const SOCKETS: Group =
    group("sockets", "sockets lose no byte and no event", ["sockets-that-await"; 3]);
const QUEUE: Group = group("queue", "the queue loses no item", ["queue"; 3]);
const BUDGET: Group = group("budget", "no task starves another", ["blocking-work"; 3]);

const EXECUTOR: [&str; 3] = ["executor"; 3];

// Of a crawler.
const CRAWLS: Group = group(
    "crawls",
    "it crawls a site",
    ["todo-and-seen", "stage-two-crawls", "workers"],
);
const EDGES: Group = group(
    "edges",
    "no event and no byte is missed",
    ["callbacks", "yield-from", "sockets-that-await"],
);
const ENDS: Group = group(
    "ends",
    "it ends, and in time",
    ["the-bill", "one-way-to-wait", "cancelling"],
);
const ONCE: Group = group(
    "once",
    "nothing is fetched twice, nothing is lost",
    ["todo-and-seen", "todo-and-seen", "workers"],
);
const TRIES: Group = group(
    "tries",
    "another attempt is made where it may help",
    ["todo-and-seen", "stage-two-crawls", "workers"],
);
const PEERS: Group =
    group("peers", "a bad response harms only its own page", ["the-task"; 3]);
const PAGES: Group = group("pages", "pages are read as browsers do", ["the-task"; 3]);
const CHECKS: Group =
    group("checks", "what is broken on a site is reported", ["the-task"; 3]);
const MANNERS: Group =
    group("manners", "requests are well-formed and polite", ["the-task"; 3]);
const KEEPS: Group =
    group("keeps", "a kept connection is used only while it is good", ["workers"; 3]);
const HTTPS: Group = group("https", "https proves the host", ["blocking-work"; 3]);

/// All groups, in the order in which they are judged.
pub const ALL: &[&Group] = &[
    &TASK, &RUNS, &WAKES, &THREADS, &BORROWS, &CANCELS, &PANICS, &CLEANS, &TIMERS,
    &SOCKETS, &QUEUE, &BUDGET, &CRAWLS, &EDGES, &ENDS, &ONCE, &TRIES, &PEERS, &PAGES,
    &CHECKS, &MANNERS, &KEEPS, &HTTPS,
];

type Named = (&'static Group, &'static [&'static str]);

/// Rules of a machine that are not in the group of their part.
const RULES: &[Named] = &[
    (
        &WAKES,
        &[
            "executor::a_wake_during_the_poll_is_not_lost",
            "executor::waking_twice_is_one_poll",
            "executor::a_waker_may_outlive_its_task_and_its_executor",
            "executor::a_stale_waker_wakes_no_other_task",
            "executor::the_latest_waker_is_woken",
            "executor::where_no_task_can_go_on_block_on_returns_stuck",
            "executor::a_dropped_handle_leaves_no_waker_behind",
            "time::a_sleep_wakes_the_latest_waker",
        ],
    ),
    (
        &THREADS,
        &[
            "executor::a_wake_from_another_thread_ends_the_wait",
            "executor::a_wake_from_another_thread_reaches_a_task",
        ],
    ),
    (
        &BORROWS,
        &[
            "executor::an_output_without_a_handle_is_dropped_with_nothing_borrowed",
            "executor::a_handle_wakes_with_nothing_borrowed",
            "time::a_timer_wakes_with_nothing_borrowed",
            "queue::it_wakes_with_nothing_borrowed",
        ],
    ),
    (
        &CANCELS,
        &[
            "executor::a_cancelled_task_is_dropped_at_its_next_turn",
            "executor::cancelling_runs_no_destructor_inside_the_caller",
            "executor::a_task_that_is_cancelled_before_its_first_turn_never_runs",
            "executor::a_task_can_cancel_itself",
            "executor::the_first_end_of_a_task_counts",
            "executor::a_task_that_has_ended_is_not_cancelled",
            "ends::a_destructor_may_cancel_another_task",
        ],
    ),
    (
        &PANICS,
        &[
            "executor::a_panic_in_a_task_ends_that_task_alone",
            "executor::a_panic_while_a_task_is_dropped_ends_no_other_task",
            "ends::a_future_whose_destructor_panics_at_its_end_is_a_task_that_panicked",
            "ends::an_output_whose_destructor_panics_ends_no_other_task",
            "ends::a_panic_of_the_main_future_is_not_lost_if_a_task_panics_as_it_is_dropped",
        ],
    ),
    (
        &CLEANS,
        &[
            "executor::tasks_that_are_left_are_dropped_when_block_on_returns",
            "executor::tasks_are_dropped_when_the_main_future_panics",
            "executor::what_the_main_future_spawns_as_it_is_dropped_is_dropped_too",
            "executor::what_a_task_spawns_as_it_is_dropped_is_dropped_too",
        ],
    ),
];

/// Cases of the suite that are not in the group of their part.
const CASES: &[Named] = &[
    (
        &EDGES,
        &[
            "rules::a_page_larger_than_one_turn_is_read_whole",
            "rules::bodies_beyond_the_budget_wait_and_arrive_whole",
            "rules::urgent_bytes_are_no_part_of_an_answer",
        ],
    ),
    (
        &ENDS,
        &[
            "rules::a_time_out_is_tried_again",
            "rules::a_stop_ends_the_crawl_with_what_was_done",
            "rules::a_stop_wakes_the_loop_each_time",
            "rules::a_stop_before_the_crawl_ends_it_at_once",
            "rules::a_stop_that_is_seen_before_its_wake_ends_the_crawl",
            "rules::the_end_of_max_time_leaves_a_report_of_what_was_done",
            "rules::max_time_does_not_hold_up_a_crawl_that_is_done",
            "rules::a_body_that_waits_for_room_can_time_out",
            "rules::no_roots_no_rows",
            "rules::a_connection_that_never_stands_is_a_time_out",
            "hostile::says_nothing",
            "hostile::drips_its_head",
            "hostile::drips_its_body",
            "hostile::is_slow_twice",
            "retries::silence",
            "politeness::the_end_of_max_time_comes_in_a_pause_too",
            "politeness::a_pause_does_not_outlast_the_crawl",
        ],
    ),
    (
        &ONCE,
        &[
            "aiohttp_original::cycle",
            "aiohttp_original::redirects_that_join",
            "rules::a_link_is_fetched_once_however_often_it_stands",
            "rules::new_links_add_up_to_the_urls_that_were_found",
            "rules::a_redirect_already_seen_is_not_fetched_twice",
            "rules::a_larger_budget_of_redirects_queues_a_url_again",
            "rules::equal_rows_at_any_number_of_tasks",
            "rules::max_pages_takes_the_same_each_time",
        ],
    ),
    (
        &TRIES,
        &[
            "aiohttp_original::max_tries",
            "rules::dropped_twice_and_then_answered",
            "rules::a_busy_server_is_asked_again_when_it_says",
            "rules::a_server_that_stays_busy_is_an_http_error",
            "rules::a_404_is_not_asked_again",
            "rules::a_refused_connection_is_a_network_error",
            "rules::connections_that_fail_at_once_leave_room_for_others",
            "rules::all_addresses_of_a_host_are_tried",
            "rules::an_unknown_host_is_a_network_error",
            "rules::a_name_that_does_not_exist_is_not_attempted_again",
            "rules::an_address_that_is_silent_leaves_time_for_the_next",
        ],
    ),
    (
        &MANNERS,
        &[
            "rules::a_request_has_these_fields_and_no_others",
            "rules::a_fragment_is_not_sent_and_a_query_is",
            "rules::credentials_are_not_sent",
        ],
    ),
    (
        &PAGES,
        &[
            "aiohttp_original::encoding",
            "aiohttp_original::content_type",
            "aiohttp_original::non_html",
            "aiohttp_original::non_http",
            "rules::a_base_is_honoured",
            "rules::entities_in_links_are_decoded",
            "rules::links_in_comments_are_none",
        ],
    ),
];

/// Returns the group of a machine's rule.
///
/// # Panics
/// A part has no group.
pub fn of_rule(part: &str, name: &str) -> &'static Group {
    named(RULES, part, name).unwrap_or_else(|| match part {
        "executor" => &RUNS,
        "ends" => &CLEANS,
        "time" => &TIMERS,
        "net" => &SOCKETS,
        "queue" => &QUEUE,
        "budget" => &BUDGET,
        _ => panic!("{part} has no group"),
    })
}

/// Returns the group of a case of the suite.
///
/// # Panics
/// A part has no group.
pub fn of_case(part: &str, name: &str) -> &'static Group {
    let of_part = || match part {
        "hostile" if name.contains("stall") => &ENDS,
        "hostile" if is_about_edges(name) => &EDGES,
        "hostile" => &PEERS,
        "aiohttp_original" | "rules" | "plain" => &CRAWLS,
        "content" | "scope" => &PAGES,
        "retries" => &TRIES,
        "checks" => &CHECKS,
        "politeness" => &MANNERS,
        "keep_alive" => &KEEPS,
        "https" => &HTTPS,
        _ => panic!("{part} has no group"),
    };
    named(CASES, part, name).unwrap_or_else(of_part)
}

/// Returns whether a case is about the end of a connection or about more bytes than one
/// read takes: that is where an event is missed.
fn is_about_edges(name: &str) -> bool {
    let parts = ["closed_", "a_reset_", "a_large_body", "a_body_at_the_limit"];
    parts.iter().any(|part| name.starts_with(part))
}

/// Returns the promises that are assigned to a group by their names, each as often as it is
/// in a table.
pub fn named_promises() -> impl Iterator<Item = &'static str> {
    RULES.iter().chain(CASES).flat_map(|(_, names)| *names).copied()
}

fn named(table: &[Named], part: &str, name: &str) -> Option<&'static Group> {
    let full = format!("{part}::{name}");
    let (group, _) = table.iter().find(|(_, names)| names.contains(&full.as_str()))?;
    Some(group)
}
