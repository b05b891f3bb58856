//! Reasons for rejecting an image.

/// The reason for rejecting an image, as a phrase that follows its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes aren't an image of a supported kind.
    Unreadable(String),
    /// The image exceeds the limits.
    TooLarge(String),
}

impl Refusal {
    pub(super) fn unreadable(why: impl Into<String>) -> Self {
        Self::Unreadable(why.into())
    }

    /// An error message from a decoder.
    pub(super) fn damaged(error: &dyn std::fmt::Display) -> Self {
        Self::Unreadable(format!("can't be decoded: {error}"))
    }

    /// The bytes end within `what`.
    pub(super) fn truncated(what: &str) -> Self {
        Self::Unreadable(format!("ends within its {what}"))
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Unreadable(why) | Self::TooLarge(why)) = self;
        f.write_str(why)
    }
}
