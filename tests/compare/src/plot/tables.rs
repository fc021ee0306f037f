//! Reads the tables that `table` writes.

/// A job, and a row for each crawler that has done it.
#[derive(Debug, PartialEq)]
pub(super) struct Table {
    pub(super) work: Work,
    pub(super) rows: Vec<Row>,
}

/// What the job is, as its title says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Work {
    /// Pages that come at once, over connections that are kept.
    Kept,
    /// Pages that take a while.
    Waits {
        pages: f64,
        ms: f64,
        connections: f64,
    },
    Other,
}

/// A row, as far as it is drawn.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) rate: Option<Measured>,
    pub(super) cpu: Option<Measured>,
    pub(super) memory: Option<f64>,
}

/// `516 ±14 %`
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) median: f64,
    pub(super) percent: f64,
}

impl Measured {
    fn read(cell: &str) -> Option<Measured> {
        let (median, percent) = cell.split_once('±')?;
        let percent = number(percent.trim_end_matches('%'))?;
        Some(Measured { median: number(median)?, percent })
    }

    pub(super) fn low(&self) -> f64 {
        self.median * (1.0 - self.percent / 100.0)
    }

    pub(super) fn high(&self) -> f64 {
        self.median * (1.0 + self.percent / 100.0)
    }

    /// How long so much takes at this rate. Its spread is as large in percent.
    pub(super) fn inverse(&self, work: f64) -> Measured {
        Measured { median: work / self.median, percent: self.percent }
    }
}

impl Table {
    /// Whether it has a connection for each page.
    pub(super) fn is_crowd(&self) -> bool {
        matches!(self.work, Work::Waits { pages, connections, .. } if pages == connections)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.name.clone()).collect()
    }
}

/// All tables of a text in Markdown.
pub(super) fn read(text: &str) -> Vec<Table> {
    let sections = text.split("\n## ").map(|it| it.trim_start_matches("## "));
    sections.filter_map(table).collect()
}

fn table(section: &str) -> Option<Table> {
    let (title, below) = section.split_once('\n')?;
    let rows: Vec<Row> = below.lines().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table { work: work(title), rows })
}

/// A line that has numbers.
fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
    let [name, rate, _, cpu, _, memory, ..] = cells[..] else { return None };
    let row = Row {
        name: name.to_string(),
        rate: Measured::read(rate),
        cpu: Measured::read(cpu),
        memory: number(memory),
    };
    row.rate.is_some().then_some(row)
}

/// `10,000 pages of 1,000 ms, 10,000 at a time`
fn work(title: &str) -> Work {
    let numbers = || {
        let (pages, rest) = title.split_once(" pages of ")?;
        let (ms, rest) = rest.split_once(" ms, ")?;
        let connections = rest.strip_suffix(" at a time")?;
        Some((number(pages)?, number(ms)?, number(connections)?))
    };
    match numbers() {
        Some((pages, ms, connections)) => Work::Waits { pages, ms, connections },
        None if title.contains("connections are kept") => Work::Kept,
        None => Work::Other,
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', "").parse().ok()
}
