//! The words of a line: some are quoted, some are numbers, the last may be a list.

use super::role::Role;

/// A word.
pub(super) struct Word {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// The words of a line, the next one last.
pub(super) struct Words(pub(super) Vec<Word>);

impl Words {
    pub(super) fn of(text: &str) -> Words {
        let (mut words, mut rest) = (Vec::new(), text.trim_start());
        while !rest.is_empty() {
            let quoted = rest.strip_prefix('"').and_then(|it| it.split_once('"'));
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, after) = quoted.unwrap_or(rest.split_at(end));
            words.push(Word { text: word.to_string(), quoted: quoted.is_some() });
            rest = after.trim_start();
        }
        words.reverse();
        Words(words)
    }

    /// Takes `as ROLE` off the end of the line.
    pub(super) fn role(&mut self) -> Result<Option<Role>, String> {
        match &self.0[..] {
            [role, word, ..] if word.text == "as" && !word.quoted && !role.quoted => {
                let role = Role::read(&role.text)?;
                self.0.drain(..2);
                Ok(Some(role))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn optional(&mut self) -> Option<String> {
        self.0.pop().map(|word| word.text)
    }

    pub(super) fn next(&mut self, what: &str) -> Result<String, String> {
        self.optional().ok_or(format!("{what} is missing"))
    }

    pub(super) fn number(&mut self, what: &str) -> Result<f64, String> {
        let word = self.next(what)?;
        word.parse().map_err(|_| format!("`{word}` is no number: it should be {what}"))
    }

    /// All that is left, as one list.
    pub(super) fn list(&mut self, separator: char) -> Vec<String> {
        let mut words = Vec::new();
        while let Some(word) = self.optional() {
            words.push(word);
        }
        let text = words.join(" ");
        let parts = text.split(separator).map(|part| part.trim().to_string());
        if text.is_empty() { Vec::new() } else { parts.collect() }
    }

    pub(super) fn end(self) -> Result<(), String> {
        match self.0.last() {
            Some(word) => Err(format!("`{}` is too much for this line", word.text)),
            None => Ok(()),
        }
    }
}
