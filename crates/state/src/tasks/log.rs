//! All that was said, to be read later.

use std::collections::VecDeque;

/// Entries kept; the oldest go first.
const MAX_ENTRIES: usize = 1000;

/// How a message is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToastLevel {
    /// Something was done.
    Info,
    /// Something is not as it should be.
    Warning,
    /// Something failed.
    Error,
}

impl ToastLevel {
    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Wall-clock time, as `hh:mm:ss`; empty where the shell has given none.
    pub clock: String,
    /// How it is coloured.
    pub level: ToastLevel,
    /// What it says.
    pub text: String,
    /// How often it was said in a row.
    pub count: u32,
}

/// All messages, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    entries: VecDeque<LogEntry>,
    clock: String,
}

impl Log {
    /// All messages, the oldest first.
    pub fn entries(&self) -> &VecDeque<LogEntry> {
        &self.entries
    }

    /// Tells the time of what comes.
    pub(super) fn set_clock(&mut self, clock: String) {
        self.clock = clock;
    }

    /// Adds an entry; the same one again only counts.
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

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }
}

impl LogEntry {
    /// As a line of text.
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
    fn what_is_said_again_is_counted_and_the_oldest_go_first() {
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
