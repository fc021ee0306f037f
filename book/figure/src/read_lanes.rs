//! Reads the axis of a figure, and what is on its lanes.

use super::geometry::{Area, point};
use super::lanes::{Axis, Bar, Lane, Style};
use super::role::Role;
use super::text;
use super::words::Words;

impl Axis {
    /// `X Y W FROM TO STEP "unit"`
    pub(super) fn read(line: usize, words: &mut Words) -> Result<Axis, String> {
        let at = point(words.number("X")?, words.number("Y")?);
        Ok(Axis {
            line,
            at,
            width: words.number("W")?,
            from: words.number("FROM")?,
            to: words.number("TO")?,
            step: words.number("STEP")?,
            unit: words.next("\"unit\"")?,
            ticks: Vec::new(),
        })
    }

    /// `AT "text"`: a tick with a text of its own.
    pub(super) fn read_tick(&mut self, words: &mut Words) -> Result<(), String> {
        let tick = (self.number("AT", words)?, words.next("\"text\"")?);
        self.ticks.push(tick);
        Ok(())
    }

    fn number(&self, what: &str, words: &mut Words) -> Result<f64, String> {
        let value = words.number(what)?;
        let why = || format!("{value} is not between {} and {}", self.from, self.to);
        (self.from..=self.to).contains(&value).then_some(value).ok_or_else(why)
    }
}

impl Lane {
    /// `FROM TO ["text"]`
    pub(super) fn read_bar(
        &mut self,
        axis: &Axis,
        row: &Area,
        style: Style,
        words: &mut Words,
        role: Option<Role>,
    ) -> Result<(), String> {
        let (from, to) = (axis.number("FROM", words)?, axis.number("TO", words)?);
        let text = words.optional().unwrap_or_default();
        let (x, right) = (axis.x(from), axis.x(to));
        let area = Area { x, w: right - x, ..*row };
        let need = text::width(&text) + 4.0;
        if style != Style::Run && style != Style::Spin && need > area.w {
            return Err(format!(
                "\"{text}\" needs {need} px, and there are {}",
                area.w
            ));
        }
        self.bars.push(Bar { style, area, text, role });
        Ok(())
    }

    /// `AT ["text"]`
    pub(super) fn read_mark(
        &mut self,
        axis: &Axis,
        row: &Area,
        words: &mut Words,
    ) -> Result<(), String> {
        let x = axis.x(axis.number("AT", words)?);
        let text = words.optional().unwrap_or_default();
        self.marks.push((point(x, row.centre().y), text));
        Ok(())
    }
}
