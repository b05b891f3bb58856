//! The lines of text output.
//!
//! Invariant: only [`Lines`] ends lines. A line end in a name or message is escaped, so that it can't begin a line that
//! looks like one of this program or like a command of a CI system.

use std::borrow::Cow;

/// Lines that are printed together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lines(String);

impl Lines {
    /// Adds a line; an empty one for a gap.
    pub(super) fn push(&mut self, line: impl AsRef<str>) {
        self.0.push_str(&one_line(line.as_ref()));
        self.0.push('\n');
    }

    /// Adds lines.
    pub(super) fn extend(&mut self, lines: impl IntoIterator<Item: AsRef<str>>) {
        lines.into_iter().for_each(|line| self.push(line));
    }

    /// Adds the lines of `other`.
    pub(super) fn append(&mut self, other: &Self) {
        self.0.push_str(&other.0);
    }

    /// Text of several lines that contains nothing from files.
    pub(super) fn constant(text: &str) -> Self {
        let mut lines = Self::default();
        lines.extend(text.lines());
        lines
    }

    /// Each line ends with a line feed.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<S: AsRef<str>> FromIterator<S> for Lines {
    fn from_iter<T: IntoIterator<Item = S>>(iter: T) -> Self {
        let mut lines = Self::default();
        lines.extend(iter);
        lines
    }
}

/// `text` with escaped line ends; other invisible characters are escaped when it is printed, because colours need some.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text);
    }
    text.replace('\n', "\\n").replace('\r', "\\r").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_in_a_line_are_escaped() {
        let mut lines = Lines::default();
        lines.push("a\n::set-output name=x::y\r\nb");
        lines.push("");
        lines.append(&["c"].into_iter().collect());
        assert_eq!(lines.as_str(), "a\\n::set-output name=x::y\\r\\nb\n\nc\n");
    }
}
