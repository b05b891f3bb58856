//! Revisions of a file.

/// A commit that changed a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// The full hash.
    pub id: String,
    /// Day of the author, `2026-11-28`.
    pub date: String,
    pub author: String,
    /// First line of the message.
    pub subject: String,
    /// Path of the file in this commit, relative to the repository; it differs if the file was renamed later.
    pub path: String,
}

impl Revision {
    /// As in lists: the first digits of the hash.
    #[must_use]
    pub fn short(&self) -> &str {
        self.id.get(..10).unwrap_or(&self.id)
    }
}

/// `REV`, or `REV..REV`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionRange {
    pub old: String,
    /// `None` for the files on disk.
    pub new: Option<String>,
}

impl std::str::FromStr for RevisionRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (old, new) = match text.split_once("..") {
            Some((_, new)) if new.starts_with('.') => {
                return Err("three dots aren't supported; use REV or OLD..NEW".to_owned());
            }
            Some((old, new)) => (old, Some(if new.is_empty() { "HEAD" } else { new })),
            None => (text, None),
        };
        let old = if old.is_empty() { "HEAD" } else { old };
        for revision in [Some(old), new].into_iter().flatten() {
            // Git would read it as an option.
            if revision.starts_with('-') {
                return Err(format!("{revision} isn't a revision"));
            }
        }
        Ok(Self { old: old.to_owned(), new: new.map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_one_or_two_revisions() {
        let parts = |text: &str| {
            text.parse::<RevisionRange>().map(|range| (range.old, range.new.unwrap_or_default()))
        };
        let both = |old: &str, new: &str| Ok((old.to_owned(), new.to_owned()));
        assert_eq!(parts("v1"), both("v1", ""));
        assert_eq!(parts("v1..main"), both("v1", "main"));
        assert_eq!(parts("v1.."), both("v1", "HEAD"));
        assert_eq!(parts("..v2"), both("HEAD", "v2"));
        assert!(parts("a...b").is_err());
        assert!(parts("--output=x").is_err());
        assert!(parts("a..-x").is_err());
    }
}
