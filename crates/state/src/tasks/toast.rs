//! Short messages that go away by themselves.

use crate::{Log, ToastLevel};

/// How long a message stays: long enough to read two lines.
const LIFE_SECS: f64 = 6.0;
/// More at once would cover the view; the oldest goes first.
const MAX_TOASTS: usize = 4;

/// What a message is about: a newer one about the same takes the place of an older one, which it
/// repeats or contradicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The file that a tab shows, as it is on disk and was read.
    File(u64),
    /// An export.
    Export,
    /// A picture that is saved.
    Picture,
    /// The clipboard.
    Clipboard,
    /// What a document is compared with.
    Comparison,
    /// Whether the GPU works.
    Gpu,
    /// Settings on disk.
    Settings,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Toast {
    /// Differs from that of every other message.
    pub id: u64,
    /// How it is coloured.
    pub level: ToastLevel,
    /// What it is about, where that can change.
    pub subject: Option<Subject>,
    /// What it says.
    pub text: String,
    /// How long it stays.
    pub secs_left: f64,
}

/// The messages shown, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Toasts {
    list: Vec<Toast>,
    next_id: u64,
    log: Log,
}

impl Toasts {
    /// Shows a message; the same one again only starts its time anew.
    pub fn push(&mut self, level: ToastLevel, text: impl Into<String>) {
        self.add(None, level, text.into());
    }

    /// Shows a message in place of those about the same.
    pub fn push_about(&mut self, subject: Subject, level: ToastLevel, text: impl Into<String>) {
        self.withdraw(&subject);
        self.add(Some(subject), level, text.into());
    }

    /// Takes away what is no longer so.
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

    /// Writes down what nobody must read at once.
    pub fn note(&mut self, level: ToastLevel, text: impl AsRef<str>) {
        self.log.push(level, text.as_ref());
    }

    /// All that was said, also what has gone by now.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Tells the wall-clock time of what will be said, for people.
    pub fn set_clock(&mut self, clock: String) {
        self.log.set_clock(clock);
    }

    /// Forgets what was said.
    pub(crate) fn clear_log(&mut self) {
        self.log.clear();
    }

    /// The messages shown.
    pub fn list(&self) -> &[Toast] {
        &self.list
    }

    /// Takes a message away.
    pub(crate) fn dismiss(&mut self, id: u64) {
        self.list.retain(|toast| toast.id != id);
    }

    /// Lets time pass.
    pub(crate) fn tick(&mut self, dt_secs: f64) {
        for toast in &mut self.list {
            toast.secs_left -= dt_secs;
        }
        self.list.retain(|toast| toast.secs_left > 0.0);
    }

    /// When the next message goes away.
    pub(crate) fn next_secs(&self) -> Option<f64> {
        let left = self.list.iter().map(|toast| toast.secs_left);
        left.min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_leave_after_their_time_and_repeat_themselves_once() {
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
    fn a_newer_message_takes_the_place_of_one_about_the_same() {
        let mut toasts = Toasts::default();
        let about = |tab| Subject::File(tab);
        toasts.push_about(about(1), ToastLevel::Warning, "the file is gone");
        toasts.push_about(about(2), ToastLevel::Warning, "another is gone");
        toasts.push_about(about(1), ToastLevel::Info, "reloaded");
        let texts: Vec<_> = toasts.list().iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(texts, ["another is gone", "reloaded"]);
        toasts.withdraw(&about(2));
        assert_eq!(toasts.list().len(), 1);
        assert_eq!(toasts.log().entries().len(), 3, "the log keeps what was said");
    }

    #[test]
    fn only_the_newest_stay() {
        let mut toasts = Toasts::default();
        for number in 0..10 {
            toasts.push(ToastLevel::Info, number.to_string());
        }
        assert_eq!(toasts.list().len(), MAX_TOASTS);
        assert_eq!(toasts.list().last().unwrap().text, "9");
    }
}
