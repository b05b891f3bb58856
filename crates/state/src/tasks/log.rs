//! The message log.

use std::collections::VecDeque;

/// Most entries; the oldest are dropped.
const MAX_ENTRIES: usize = 1000;

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToastLevel {
    Info,
    Warning,
    Error,
}

impl ToastLevel {
    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Wall-clock time as `hh:mm:ss`; empty without a clock.
    pub clock: String,
    pub level: ToastLevel,
    pub text: String,
    /// How many times it was repeated in a row, at least 1.
    pub count: u32,
}

/// All messages, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    entries: VecDeque<LogEntry>,
    clock: String,
}

impl Log {
    pub fn entries(&self) -> &VecDeque<LogEntry> {
        &self.entries
    }

    /// Sets the time of the next entries.
    pub(super) fn set_clock(&mut self, clock: String) {
        self.clock = clock;
    }

    /// Adds an entry. A repetition of the last entry only increments its count.
    pub(crate) fn push(&mut self, level: ToastLevel, text: &str) {
        if let Some(last) = self.entries.back_mut()
            && last.level == level
            && last.text == text
        {
            last.count = last.count.saturating_add(1);
            last.clock.clone_from(&self.clock);
            return;
        }
        if self.entries.len() == MAX_ENTRIES {
            self.entries.pop_front();
        }
        self.entries.push_back(LogEntry {
            clock: self.clock.clone(),
            level,
            text: text.to_owned(),
            count: 1,
        });
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}

impl LogEntry {
    /// The entry as one line of text.
    pub fn to_line(&self) -> String {
        let times = match self.count {
            1 => String::new(),
            count => format!(" (×{count})"),
        };
        let level = self.level.name();
        let text = format!("{}  {level}  {}{times}", self.clock, self.text);
        text.trim_start().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_messages_are_counted_and_the_oldest_are_dropped() {
        let mut log = Log::default();
        log.set_clock("10:20:30".into());
        log.push(ToastLevel::Warning, "a");
        log.push(ToastLevel::Warning, "a");
        assert_eq!(log.entries().len(), 1);
        assert_eq!(log.entries()[0].to_line(), "10:20:30  warning  a (×2)");
        for number in 0..MAX_ENTRIES {
            log.push(ToastLevel::Info, &number.to_string());
        }
        assert_eq!(log.entries().len(), MAX_ENTRIES);
        assert_eq!(log.entries()[0].text, "0");
    }
}
