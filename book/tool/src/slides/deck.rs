//! A deck: sections of slides, and the HTML of them.

use crate::html::highlight::escaped;

/// The class of a slide with a vote. The one after it has the key.
pub(super) const VOTE: &str = "vote";

/// All slides of a lecture.
#[derive(Clone, Debug, Default)]
pub(super) struct Deck {
    /// Its title, plain.
    pub(super) title: String,
    /// The first slide.
    pub(super) first: Slide,
    /// Its parts, in order.
    pub(super) sections: Vec<Section>,
}

/// The slides of a row of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Section {
    /// What is at the foot of its slides, plain: `0–8 · waiting`.
    pub(super) label: String,
    /// What it is about, as HTML.
    pub(super) topic: String,
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
    /// The numbers of the slides with a vote, each with the topic; the title is slide 1.
    pub(super) fn votes(&self) -> Vec<(usize, &str)> {
        let slides = self.sections.iter().flat_map(|section| {
            section.slides.iter().map(|slide| (slide.class, section.topic.as_str()))
        });
        let votes = (2..).zip(slides).filter(|(_, (class, _))| *class == VOTE);
        votes.map(|(number, (_, topic))| (number, topic)).collect()
    }

    /// The HTML of all slides.
    pub(super) fn html(&self) -> String {
        let mut html = self.first.html("", 0);
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
            topic: String::new(),
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
        let mut votes = deck(&[3, 1, 2]);
        votes.sections[0].slides[1].class = VOTE;
        votes.sections[2].slides[0].class = VOTE;
        assert_eq!(votes.votes(), [(3, ""), (6, "")]);
        assert_eq!(deck(&[3, 1, 2]).html().matches("<section").count(), 7);
        assert!(deck(&[1]).html().contains("a &lt; b"));
    }
}
