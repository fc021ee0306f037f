//! What a process takes from the machine, by Linux's `/proc`. On other systems there
//! are no figures.

use std::fs;
use std::ops::RangeInclusive;

/// One look at a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Bytes of memory that it has now.
    pub memory: u64,
    /// The most that it has had.
    pub peak_memory: u64,
    /// Threads.
    pub threads: usize,
    /// Open files and sockets.
    pub descriptors: usize,
}

impl Figures {
    /// Looks at a process, while there is one.
    pub fn of(process: u32) -> Option<Figures> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        let descriptors = fs::read_dir(format!("/proc/{process}/fd")).ok()?.count();
        Some(Figures {
            memory: number("VmRSS:")? * 1024,
            peak_memory: number("VmHWM:")? * 1024,
            threads: usize::try_from(number("Threads:")?).ok()?,
            descriptors,
        })
    }
}

/// What was seen in the course of a crawl: how many requests had come, and the figures.
#[derive(Clone, Debug, Default)]
pub struct Course(pub Vec<(usize, Figures)>);

impl Course {
    /// The least and the most.
    pub fn range(&self, of: fn(&Figures) -> usize) -> Option<RangeInclusive<usize>> {
        let values = self.0.iter().map(|(_, figures)| of(figures));
        Some(values.clone().min()?..=values.max()?)
    }

    /// Bytes of memory that each request has left behind, from the first fifth of the
    /// course on: the slope of the line that is nearest to all looks.
    pub fn growth(&self) -> Option<f64> {
        let last = self.0.last()?.0;
        let looks = self.0.iter().filter(|(requests, _)| requests * 5 >= last);
        let points: Vec<(f64, f64)> = looks
            .map(|(requests, figures)| (*requests as f64, figures.memory as f64))
            .collect();
        let count = points.len() as f64;
        let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
        let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let product = |(x, y): &(f64, f64)| (x - mean_x) * (y - mean_y);
        let square = |(x, _): &(f64, f64)| (x - mean_x) * (x - mean_x);
        let spread = points.iter().map(square).sum::<f64>();
        (points.len() > 2).then(|| points.iter().map(product).sum::<f64>() / spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_bytes_a_request_and_its_beginning_is_left_out() {
        let look = |requests: usize| {
            let memory = if requests < 20 { 0 } else { 5000 + 7 * requests as u64 };
            let figures =
                Figures { memory, peak_memory: 0, threads: 1, descriptors: 9 };
            (requests, figures)
        };
        let course = Course((1..=100).map(look).collect());
        let growth = course.growth().expect("there are enough looks");
        assert!((growth - 7.0).abs() < 1e-6, "{growth}");
        assert_eq!(course.range(|figures| figures.descriptors), Some(9..=9));
        assert_eq!(Course::default().growth(), None);
    }
}
