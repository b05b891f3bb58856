//! Why an image is not shown.

/// Why an image is not shown, as a phrase that follows its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its bytes are not those of an image, or of none that is known.
    Unreadable(String),
    /// It would take too much.
    TooLarge(String),
}

impl Refusal {
    pub(super) fn unreadable(why: impl Into<String>) -> Self {
        Self::Unreadable(why.into())
    }

    /// A decoder's own words.
    pub(super) fn damaged(error: &dyn std::fmt::Display) -> Self {
        Self::Unreadable(format!("cannot be decoded: {error}"))
    }

    /// Bytes end within `what`.
    pub(super) fn cut(what: &str) -> Self {
        Self::Unreadable(format!("ends within its {what}"))
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Unreadable(why) | Self::TooLarge(why)) = self;
        f.write_str(why)
    }
}
