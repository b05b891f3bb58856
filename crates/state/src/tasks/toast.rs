//! Toasts: short messages that disappear after a few seconds.

use crate::{Log, ToastLevel};

/// Display time in seconds, long enough to read two lines.
const LIFE_SECS: f64 = 6.0;
/// More at once would cover the view; the oldest is dropped.
const MAX_TOASTS: usize = 4;

/// The subject of a message. A newer message on the same subject replaces the older one, which it
/// repeats or contradicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The file of a tab, as read or on disk.
    File(u64),
    Export,
    /// Fixing a file.
    Fix,
    /// Saving an image.
    ImageExport,
    Clipboard,
    Comparison,
    /// The state of the GPU.
    Gpu,
    /// Saving the settings.
    Settings,
    /// A command that can't be run now.
    Command,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    pub id: u64,
    pub level: ToastLevel,
    /// The subject, if a newer message can replace this one.
    pub subject: Option<Subject>,
    pub text: String,
    /// Remaining display time.
    pub secs_left: f64,
}

/// The messages shown, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Toasts {
    list: Vec<Toast>,
    next_id: u64,
    log: Log,
}

impl Toasts {
    /// Shows a message. A repetition restarts its display time.
    pub fn push(&mut self, level: ToastLevel, text: impl Into<String>) {
        self.add(None, level, text.into());
    }

    /// Shows a message in place of those on the same subject.
    pub fn push_about(&mut self, subject: Subject, level: ToastLevel, text: impl Into<String>) {
        self.withdraw(&subject);
        self.add(Some(subject), level, text.into());
    }

    /// Removes the messages on a subject that is resolved.
    pub fn withdraw(&mut self, subject: &Subject) {
        self.list.retain(|toast| toast.subject.as_ref() != Some(subject));
    }

    fn add(&mut self, subject: Option<Subject>, level: ToastLevel, text: String) {
        self.log.push(level, &text);
        self.list.retain(|toast| toast.text != text);
        if self.list.len() == MAX_TOASTS {
            self.list.remove(0);
        }
        self.list.push(Toast { id: self.next_id, level, subject, text, secs_left: LIFE_SECS });
        self.next_id += 1;
    }

    /// Adds a message only to the log.
    pub fn report(&mut self, level: ToastLevel, text: impl AsRef<str>) {
        self.log.push(level, text.as_ref());
    }

    /// All messages, including those no longer shown.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Sets the wall-clock time of the next messages, formatted for display.
    pub fn set_clock(&mut self, clock: String) {
        self.log.set_clock(clock);
    }

    pub(crate) fn clear_log(&mut self) {
        self.log.clear();
    }

    /// The messages shown, oldest first.
    pub fn list(&self) -> &[Toast] {
        &self.list
    }

    pub(crate) fn dismiss(&mut self, id: u64) {
        self.list.retain(|toast| toast.id != id);
    }

    /// Removes messages whose time is up.
    pub(crate) fn tick(&mut self, dt_secs: f64) {
        for toast in &mut self.list {
            toast.secs_left -= dt_secs;
        }
        self.list.retain(|toast| toast.secs_left > 0.0);
    }

    /// Seconds until the next message disappears.
    pub(crate) fn next_secs(&self) -> Option<f64> {
        let left = self.list.iter().map(|toast| toast.secs_left);
        left.min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_expire_and_repeated_ones_are_merged() {
        let mut toasts = Toasts::default();
        assert_eq!(toasts.next_secs(), None);
        toasts.push(ToastLevel::Info, "a");
        toasts.tick(LIFE_SECS / 2.0);
        toasts.push(ToastLevel::Info, "b");
        toasts.push(ToastLevel::Info, "b");
        assert_eq!(toasts.list().len(), 2);
        toasts.tick(LIFE_SECS / 2.0);
        assert_eq!(toasts.list().len(), 1);
        toasts.tick(LIFE_SECS);
        assert!(toasts.list().is_empty());
    }

    #[test]
    fn newer_message_replaces_one_with_the_same_subject() {
        let mut toasts = Toasts::default();
        let about = |tab| Subject::File(tab);
        toasts.push_about(about(1), ToastLevel::Warning, "the file is gone");
        toasts.push_about(about(2), ToastLevel::Warning, "another is gone");
        toasts.push_about(about(1), ToastLevel::Info, "reloaded");
        let texts: Vec<_> = toasts.list().iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(texts, ["another is gone", "reloaded"]);
        toasts.withdraw(&about(2));
        assert_eq!(toasts.list().len(), 1);
        assert_eq!(toasts.log().entries().len(), 3, "the log keeps all messages");
    }

    #[test]
    fn only_the_newest_messages_remain() {
        let mut toasts = Toasts::default();
        for number in 0..10 {
            toasts.push(ToastLevel::Info, number.to_string());
        }
        assert_eq!(toasts.list().len(), MAX_TOASTS);
        assert_eq!(toasts.list().last().unwrap().text, "9");
    }
}
