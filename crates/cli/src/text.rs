//! Formats numbers and names for text output.

use std::path::Path;

use glam::Vec3;

pub(super) use rigscope_core::model::numbers::grouped;
use rigscope_core::model::{display_text, numbers, plural};
use rigscope_io::files::path_text;

/// Longer messages are cut in text output; JSON has the whole message.
const MAX_MESSAGE_CHARS: usize = 4000;

/// A message in printable form.
pub(super) fn plain(text: &str) -> String {
    display_text::shortened(text, MAX_MESSAGE_CHARS).into_owned()
}

/// A name from a file, in printable form.
pub(super) fn name(text: &str) -> String {
    display_text::name(text).into_owned()
}

/// Joins names; after 40, only the number of the others is given.
pub(super) fn names(all: impl ExactSizeIterator<Item = String>) -> String {
    const MAX_NAMES: usize = 40;
    let num_more = all.len().saturating_sub(MAX_NAMES);
    let mut names: Vec<String> = all.take(MAX_NAMES).collect();
    if num_more > 0 {
        names.push(format!("and {} more", grouped(num_more as u64)));
    }
    names.join(", ")
}

/// A path in printable form, never shortened, so that it can be copied.
pub(super) fn path(path: &Path) -> String {
    display_text::escaped(&path_text(path)).into_owned()
}

/// `1 file`, `2 files`.
pub(super) fn counted(number: u64, one: &str) -> String {
    format!("{} {}", grouped(number), plural(number, one))
}

/// A point, rounded for display.
pub(super) fn point(v: Vec3) -> String {
    numbers::aligned(&v.to_array()).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right() {
        let shown: Vec<_> = [0, 7, 999, 1000, 1_317_065].map(grouped).into();
        assert_eq!(shown, ["0", "7", "999", "1,000", "1,317,065"]);
        assert_eq!(counted(1, "file"), "1 file");
        assert_eq!(counted(1200, "file"), "1,200 files");
    }

    #[test]
    fn long_messages_names_and_lists_are_truncated() {
        let long = "x".repeat(5000);
        assert_eq!(plain(&long).chars().count(), MAX_MESSAGE_CHARS + 1);
        assert!(name(&long).len() < 200);
        let many = vec!["a".to_owned(); 1040].into_iter();
        assert!(names(many).ends_with("a, a, and 1,000 more"));
        assert_eq!(names(["a".to_owned(), "b".to_owned()].into_iter()), "a, b");
    }
}
