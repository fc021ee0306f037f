//! A deck: sections of slides, and the HTML of them.

use super::notes;
use crate::html::highlight::escaped;

/// All slides of a lecture.
#[derive(Clone, Debug, Default)]
pub(super) struct Deck {
    /// Its title, plain.
    pub(super) title: String,
    /// Its parts, in order.
    pub(super) sections: Vec<Section>,
}

/// The slides of a row of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    /// What is at the foot of its slides, plain: `0–8 · waiting`.
    pub(super) label: String,
    /// How long it takes, for the speaker's clock.
    pub(super) seconds: usize,
    /// Its slides.
    pub(super) slides: Vec<Slide>,
}

/// A slide.
#[derive(Clone, Debug, Default)]
pub(super) struct Slide {
    /// The title, as HTML; empty: none.
    pub(super) title: String,
    /// What is on it, as HTML.
    pub(super) body: String,
    /// A class for its style.
    pub(super) class: &'static str,
    /// What the speaker reads, as HTML.
    pub(super) notes: String,
}

impl Deck {
    /// The numbers of the first and the last slide of each section; the title is slide 1.
    pub(super) fn numbers(&self) -> Vec<(usize, usize)> {
        let mut before = 1;
        let numbers = |section: &Section| {
            let first = before + 1;
            before += section.slides.len();
            (first, before)
        };
        self.sections.iter().map(numbers).collect()
    }

    /// The HTML of all slides.
    pub(super) fn html(&self) -> String {
        let first = Slide {
            body: format!("<h1>{}</h1>", escaped(&self.title)),
            class: "title",
            notes: notes::KEYS.to_string(),
            ..Slide::default()
        };
        let mut html = first.html("", 0);
        for section in &self.sections {
            let times = times(section);
            for (slide, time) in section.slides.iter().zip(times) {
                html += &slide.html(&section.label, time);
            }
        }
        html
    }
}

/// The section's time, cut into pieces of whole seconds, one for each slide.
fn times(section: &Section) -> Vec<usize> {
    let count = section.slides.len();
    let until = |slide: usize| section.seconds * slide / count;
    (0..count).map(|slide| until(slide + 1) - until(slide)).collect()
}

impl Slide {
    fn html(&self, label: &str, seconds: usize) -> String {
        let Slide { title, body, class, notes } = self;
        let mut html = format!(
            "<section class=\"{class}\" data-timing=\"{seconds}\"><div class=\"page\">\n"
        );
        if !title.is_empty() {
            html += &format!("<h2>{title}</h2>\n");
        }
        html += &format!("<div class=\"body\">{body}</div>\n");
        if !label.is_empty() {
            html += &format!("<p class=\"where\">{}</p>\n", escaped(label));
        }
        html += "</div>\n";
        if !notes.is_empty() {
            html += &format!("<aside class=\"notes\">{notes}</aside>\n");
        }
        html + "</section>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deck(counts: &[usize]) -> Deck {
        let section = |count: &usize| Section {
            label: "0–1 · a < b".to_string(),
            seconds: 100,
            slides: vec![Slide::default(); *count],
        };
        Deck { sections: counts.iter().map(section).collect(), ..Deck::default() }
    }

    #[test]
    fn the_times_of_a_section_add_up() {
        assert_eq!(times(&deck(&[3]).sections[0]), [33, 33, 34]);
    }

    #[test]
    fn slides_are_counted_from_the_title_on() {
        assert_eq!(deck(&[3, 1, 2]).numbers(), [(2, 4), (5, 5), (6, 7)]);
        assert_eq!(deck(&[3, 1, 2]).html().matches("<section").count(), 7);
        assert!(deck(&[1]).html().contains("a &lt; b"));
    }
}
