//! Looks for mistakes in English, in texts that are written in Markdown.
#![forbid(unsafe_code)]

use harper_core::linting::{AnA, Lint, LintGroup, Linter};
use harper_core::parsers::Markdown;
use harper_core::spell::{Dictionary, FstDictionary};
use harper_core::{Dialect, Document, TokenStringExt};
use std::collections::HashSet;
use std::sync::Arc;

/// Rules of harper that do not look for mistakes, or find what is none. All others that it
/// has on by itself are on.
const OFF: &[&str] = &[
    // Done here, in `misspelled` and `articles`.
    "SpellCheck",
    "AnA",
    // Taste: commas before "and" and after "otherwise", long sentences, short units.
    "DiscourseMarkers",
    "ExpandTimeShorthands",
    "LongSentences",
    "NoOxfordComma",
    "OxfordComma",
    "AvoidAndAlso",
    "CondenseAllThe",
    // Cells of tables, options of commands, and what is left where code was.
    "CommaFixes",
    "Dashes",
    "SentenceCapitalization",
    "Spaces",
    // Two words that could be one: "may be", "stack trace", "no body".
    "Anybody", // english: anybody
    "BuiltIn",
    "CompoundNouns",
    "DayOneNames",
    "Everyone", // english: everyone
    "HaveTakeALook",
    "InAWhile",
    "Nobody", // english: nobody
    "Overall",
    "PhrasalVerbAsCompoundNoun",
    "ToDoHyphen",
    "Widespread",
    // Words that can be a verb or a noun: each was wrong in all that it found.
    "AdjectiveOfA",
    "HowTo",
    "ItsContraction",
    "MissingPreposition",
    "Months",
    "MultipleSequentialPronouns",
    "NounCountability",
    "PronounInflectionBe",
    "PronounKnew",
];

const DIALECT: Dialect = Dialect::American;

/// Reads texts.
pub struct Checker {
    /// The words of harper.
    english: Arc<FstDictionary>,
    /// The words of the project, in small letters.
    own: HashSet<String>,
    rules: LintGroup,
}

impl Checker {
    /// Returns one to which these words are right: one on each line, besides those that
    /// begin with `#`.
    pub fn new(dictionary: &str) -> Checker {
        let english = FstDictionary::curated();
        let mut rules = LintGroup::new_curated(english.clone(), DIALECT);
        for name in OFF {
            rules.config.set_rule_enabled(name, false);
        }
        let own = own_words(dictionary).map(|word| word.to_lowercase()).collect();
        Checker { english, own, rules }
    }

    /// Returns what is wrong with a text, each with its line, counted from 0.
    pub fn check(&mut self, text: &str) -> Vec<(usize, String)> {
        let document = Document::new(text, &Markdown::default(), &self.english);
        let mut wrong = self.misspelled(&document);
        wrong.extend(self.articles(&document));
        wrong.extend(self.rules.lint(&document).iter().map(|lint| {
            let found = document.get_span_content_str(&lint.span);
            (lint.span.start, format!("`{found}`: {}", lint.message))
        }));
        wrong.sort();
        let source = document.get_source();
        let line = |at: usize| source[..at].iter().filter(|it| **it == '\n').count();
        let one_line =
            |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        wrong.into_iter().map(|(at, text)| (line(at), one_line(text))).collect()
    }

    fn misspelled(&self, document: &Document) -> Vec<(usize, String)> {
        let mut wrong = Vec::new();
        for token in document.iter_words() {
            let word = document.get_span_content_str(&token.span);
            if !self.is_word(&word) {
                let advice = "correct it, or add it to book/english/dictionary.txt";
                wrong
                    .push((token.span.start, format!("`{word}` is no word: {advice}")));
            }
        }
        wrong
    }

    /// Names with digits, abbreviations in capitals or without vowels, and single letters
    /// are always right.
    fn is_word(&self, word: &str) -> bool {
        let word = word.replace('’', "'").replace(['.', '*', '_'], "");
        let stem = word.strip_suffix("'s").unwrap_or(&word);
        let is_name = stem.contains(|it: char| it.is_numeric())
            || !stem.contains(char::is_lowercase)
            || !stem.to_lowercase().contains(['a', 'e', 'i', 'o', 'u', 'y'])
            || stem.chars().count() < 2;
        is_name
            || [stem, &word].into_iter().any(|word| {
                self.own.contains(&word.to_lowercase()) || self.is_english(word)
            })
    }

    /// A word with a capital is right where it is a name, or where any word may have one.
    fn is_english(&self, word: &str) -> bool {
        let small = word.to_lowercase();
        [word, &small].into_iter().any(|word| {
            let known = self.english.get_word_metadata_str(word);
            self.english.contains_exact_word_str(word)
                && known.is_some_and(|it| it.dialects.is_dialect_enabled(DIALECT))
        })
    }

    /// `a` and `an` before plain words. How "HEAD", "URL" or "http" sound harper cannot
    /// know.
    fn articles(&self, document: &Document) -> Vec<(usize, String)> {
        let mut wrong = Vec::new();
        for Lint { span, .. } in AnA.lint(document) {
            let rest = document.get_source()[span.end..].iter();
            let rest = rest.skip_while(|it| it.is_whitespace());
            let next: String = rest.take_while(|it| it.is_alphabetic()).collect();
            let is_plain = next.chars().count() > 1
                && !next.contains(char::is_uppercase)
                && self.is_english(&next);
            if is_plain {
                let found = document.get_span_content_str(&span);
                wrong.push((span.start, format!("`{found} {next}`: a or an?")));
            }
        }
        wrong
    }
}

fn own_words(dictionary: &str) -> impl Iterator<Item = String> {
    let words = dictionary.lines().map(str::trim);
    words.filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = include_str!("../../english/dictionary.txt");

    fn wrong(text: &str) -> Vec<(usize, String)> {
        Checker::new("# Ours.\nwaker\nTokio\n").check(text)
    }

    #[track_caller]
    fn assert_finds(text: &str, line: usize, part: &str) {
        let wrong = wrong(text);
        let [(at, message)] = &wrong[..] else { panic!("{wrong:?}") };
        assert!(*at == line && message.contains(part), "{wrong:?}");
    }

    #[test]
    fn mistakes_are_found_in_their_lines() {
        assert_finds("A task\nis wokken.\n", 1, "`wokken` is no word");
        assert_finds("The color of a neighbour.\n", 0, "`neighbour` is no word");
        assert_finds("It waits for\nfor a socket.\n", 0, "`for for`");
        assert_finds("# Title\n\nThis is an task.\n", 2, "`an task`");
        assert_finds("They could of waited.\n", 0, "of");
    }

    #[test]
    fn what_is_right_stays() {
        for text in [
            "The waker's task, two wakes, and Tokio's loop. Waker first, tokio next.\n",
            "A HEAD request for an http URL, on an x86-64 machine, in 20 ms.\n",
            "It calls `wokken` and an `task`.\n\n```text\nwokken\n```\n",
            "It holds a socket, a buffer and a waker. Otherwise it ends.\n",
        ] {
            assert_eq!(wrong(text), [], "{text}");
        }
    }

    #[test]
    fn rules_that_are_off_exist() {
        let rules = LintGroup::new_curated(FstDictionary::curated(), DIALECT);
        let missing: Vec<_> =
            OFF.iter().filter(|name| !rules.contains_key(name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn our_dictionary_is_sorted_and_has_only_what_english_lacks() {
        let own: Vec<String> = own_words(OWN).collect();
        let sorted =
            own.windows(2).all(|two| two[0].to_lowercase() < two[1].to_lowercase());
        assert!(sorted, "sort it, and leave out what is there twice");
        let checker = Checker::new("");
        let known: Vec<_> = own.iter().filter(|word| checker.is_word(word)).collect();
        assert!(known.is_empty(), "{known:?}");
    }
}
