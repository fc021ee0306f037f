//! The results as a person reads them: a table for each job, in Markdown.

use crate::numbers::grouped;
use crate::results::{Compared, Figures, Results, Row, Spread};
use comfy_table::{CellAlignment, Table, presets};

const HEAD: [&str; 9] = [
    "crawler",
    "pages/s",
    "× best",
    "CPU µs/page",
    "× best",
    "memory MiB",
    "threads",
    "connections",
    "calls/page",
];

/// At the end of the head where instructions were counted.
const INSTRUCTIONS: [&str; 2] = ["instructions/page", "× best"];

const EXPLAINED: &str = "\
Medians of all rounds, and how far the middle half of the rounds is from them. × best: the
most pages in a second, the least CPU. A page's CPU is the crawler's own, in the program and
in the system for it. Threads, connections: at once, at the most; one thread of ours waits for
Ctrl-C. Calls: of the system, counted in a round before. –: this system does not tell, or it
was not counted.
";

/// All tables, and on which machine it was.
pub fn tables(results: &Results) -> String {
    let mut text = format!("{}\n\n{EXPLAINED}", results.machine);
    for job in &results.jobs {
        let rows = aligned(&table(job).to_string(), 1);
        text.push_str(&format!("\n## {}\n\n{rows}\n", job.job.title));
        text.push_str(&errors(job));
        text.push_str(&site(job));
    }
    text
}

fn table(compared: &Compared) -> Table {
    let rows = &compared.rows;
    let all = || rows.iter().filter_map(|row| row.figures.as_ref());
    let pages = all().map(|it| it.pages_per_second.median).fold(0.0, f64::max);
    let cpus = all().filter_map(|it| Some(it.cpu_per_page?.median));
    let cpu = cpus.fold(f64::INFINITY, f64::min);
    let instructions = rows.iter().filter_map(|row| row.instructions_per_page);
    let fewest = instructions.fold(f64::INFINITY, f64::min);
    let mut head = HEAD.to_vec();
    head.extend(INSTRUCTIONS.iter().filter(|_| fewest.is_finite()));
    let mut table = markdown(&head, 1);
    for row in rows {
        let Some(figures) = &row.figures else {
            table.add_row([row.crawler, "error"]);
            continue;
        };
        let mut cells = cells(row, figures, pages, cpu).to_vec();
        if fewest.is_finite() {
            let count = row.instructions_per_page;
            cells.push(or_dash(count.map(grouped)));
            cells.push(or_dash(count.map(|count| format!("{:.2}", count / fewest))));
        }
        table.add_row(cells);
    }
    table
}

/// An empty table with this head, in Markdown. After the first `names` columns all have
/// numbers.
pub(super) fn markdown(head: &[&str], names: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(head);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The same table with a colon at the end of each rule but the first `names`: so Markdown
/// aligns numbers to the right.
pub(super) fn aligned(table: &str, names: usize) -> String {
    let is_rule = |line: &str| line.starts_with("|-");
    let lines = table.lines().map(|line| match is_rule(line) {
        true => line.replace("-|", ":|").replacen(":|", "-|", names),
        false => line.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn cells(row: &Row, figures: &Figures, pages: f64, cpu: f64) -> [String; 9] {
    let rate = figures.pages_per_second;
    let ratio = |value: f64, best: f64| format!("{:.2}", value / best);
    [
        row.crawler.to_string(),
        with_spread(&rate),
        ratio(rate.median, pages),
        or_dash(figures.cpu_per_page.as_ref().map(with_spread)),
        or_dash(figures.cpu_per_page.map(|it| ratio(it.median, cpu))),
        or_dash(figures.memory.map(|it| format!("{:.1}", it.median))),
        or_dash(figures.threads.map(|threads| threads.to_string())),
        or_dash(figures.connections.map(|connections| connections.to_string())),
        or_dash(row.calls_per_page.map(|calls| format!("{calls:.1}"))),
    ]
}

fn with_spread(spread: &Spread) -> String {
    format!("{} ±{:.0} %", grouped(spread.median), spread.percent())
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or("–".to_string())
}

/// What went wrong, a line for each crawler.
pub(super) fn errors(compared: &Compared) -> String {
    let failed =
        compared.rows.iter().filter_map(|row| Some((row.crawler, row.error.as_ref()?)));
    failed.map(|(crawler, why)| format!("\n{crawler}: error: {why}\n")).collect()
}

/// Whether the site may have been what was waited for.
fn site(compared: &Compared) -> String {
    let figures = compared.rows.iter().filter_map(|row| row.figures.as_ref());
    let cpu = figures.filter_map(|figures| Some(figures.site_cpu_per_page?.median));
    Spread::of(cpu).map_or(String::new(), |cpu| {
        format!("\nThe site itself: {:.0} µs a page.\n", cpu.median)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Size, jobs};

    fn row(crawler: &'static str, rate: f64, cpu: f64) -> Row {
        let spread = |median| Spread { median, low: median * 0.9, high: median };
        let figures = Figures {
            seconds: spread(1.0),
            pages_per_second: spread(rate),
            cpu_per_page: Some(spread(cpu)),
            site_cpu_per_page: None,
            memory: None,
            threads: Some(2),
            connections: Some(10),
        };
        let (figures, calls_per_page) = (Some(figures), Some(4.25));
        Row { crawler, figures, calls_per_page, ..Row::default() }
    }

    #[test]
    fn a_table_has_a_line_for_each_crawler_with_ratios_to_the_best() {
        let job = jobs(Size::Tiny, 100).swap_remove(0);
        let error = Some("it failed: why".to_string());
        let failed = Row { crawler: "c", error, ..Row::default() };
        let rows = vec![row("a", 2_000.0, 50.0), row("b", 1_000.0, 25.0), failed];
        let compared = Compared { job, rows };
        assert_eq!(errors(&compared), "\nc: error: it failed: why\n");
        let text = table(&compared).to_string();
        let lines: Vec<Vec<&str>> = text
            .lines()
            .map(|line| {
                line.split('|').map(str::trim).filter(|it| !it.is_empty()).collect()
            })
            .collect();
        let a = ["a", "2,000 ±10 %", "1.00", "50 ±10 %", "2.00", "–", "2", "10", "4.2"];
        assert_eq!(lines[2], a);
        let b = ["b", "1,000 ±10 %", "0.50", "25 ±10 %", "1.00", "–", "2", "10", "4.2"];
        assert_eq!(lines[3], b);
        assert_eq!(lines[4], ["c", "error"]);
    }

    #[test]
    fn numbers_stand_on_the_right_also_in_a_browser() {
        let table = "| a | b | c |\n|---|---|---|\n| - | - | - |";
        assert_eq!(aligned(table, 1), "| a | b | c |\n|---|--:|--:|\n| - | - | - |");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let texts = [0.4, 999.0, 1_000.0, 1_234_567.0].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
    }
}
