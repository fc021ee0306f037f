//! A deck: sections of slides, and the HTML of them.

use crate::html::highlight::escaped;

/// All slides of a lecture.
#[derive(Clone, Debug, Default)]
pub(super) struct Deck {
    /// Its title, plain.
    pub(super) title: String,
    /// A line below the title, as HTML.
    pub(super) below: String,
    /// What the speaker reads at the title.
    pub(super) notes: String,
    /// Its parts, in order.
    pub(super) sections: Vec<Section>,
}

/// The slides of a row of a plan, or of a chapter.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    /// What is at the foot of its slides, plain: `0–8 · waiting`.
    pub(super) label: String,
    /// How long it takes, for the speaker's clock; none: no clock.
    pub(super) seconds: Option<usize>,
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
        let (title, below) = (escaped(&self.title), &self.below);
        let first = Slide {
            body: format!("<h1>{title}</h1><div class=\"below\">{below}</div>"),
            class: "title",
            notes: self.notes.clone(),
            ..Slide::default()
        };
        let has_clock = self.sections.iter().any(|section| section.seconds.is_some());
        let mut html = first.html("", has_clock.then_some(0));
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
fn times(section: &Section) -> Vec<Option<usize>> {
    let count = section.slides.len();
    let Some(seconds) = section.seconds else { return vec![None; count] };
    let until = |slide: usize| seconds * slide / count;
    (0..count).map(|slide| Some(until(slide + 1) - until(slide))).collect()
}

impl Slide {
    fn html(&self, label: &str, seconds: Option<usize>) -> String {
        let Slide { title, body, class, notes } = self;
        let seconds =
            seconds.map_or(String::new(), |it| format!(" data-timing=\"{it}\""));
        let mut html =
            format!("<section class=\"{class}\"{seconds}><div class=\"page\">\n");
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
            seconds: Some(100),
            slides: vec![Slide::default(); *count],
        };
        Deck { sections: counts.iter().map(section).collect(), ..Deck::default() }
    }

    #[test]
    fn the_times_of_a_section_add_up() {
        let section = &deck(&[3]).sections[0];
        let times: Vec<usize> = times(section).into_iter().flatten().collect();
        assert_eq!(times, [33, 33, 34]);
    }

    #[test]
    fn slides_are_counted_from_the_title_on() {
        assert_eq!(deck(&[3, 1, 2]).numbers(), [(2, 4), (5, 5), (6, 7)]);
        assert_eq!(deck(&[3, 1, 2]).html().matches("<section").count(), 7);
        assert!(deck(&[1]).html().contains("a &lt; b"));
    }
}
