//! How sure a format is that some bytes are its own.

use std::borrow::Cow;

use super::text;

/// A probe sees this much of a file's front.
pub const PROBE_WINDOW_BYTES: usize = 16 * 1024;

/// How sure a format is. Ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The bytes cannot be this format.
    No,
    /// The bytes could be this format; more is likelier.
    Weak(u8),
    /// The bytes have the format's signature or can hardly be anything else.
    Strong,
}

/// What a probe may look at.
#[derive(Clone, Copy, Debug)]
pub struct ProbeInput<'a> {
    /// The first [`PROBE_WINDOW_BYTES`] of the file, or all of a shorter one.
    pub head: &'a [u8],
    /// Length of the whole file in bytes.
    pub len: u64,
}

impl<'a> ProbeInput<'a> {
    /// The window of a whole file.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { head: bytes.get(..PROBE_WINDOW_BYTES).unwrap_or(bytes), len: bytes.len() as u64 }
    }

    /// The window of a text, whatever its encoding and line ends: see [`text::plain`].
    pub fn text(&self) -> TextHead<'a> {
        let beyond = self.len.saturating_sub(self.head.len() as u64);
        TextHead {
            bytes: text::plain(self.head),
            // Nearly every character of a model is ASCII.
            beyond: match text::is_utf16(self.head) {
                true => beyond.div_ceil(2),
                false => beyond,
            },
        }
    }
}

/// The front of a text.
#[derive(Clone, Debug)]
pub struct TextHead<'a> {
    /// Without mark; ASCII as such, lines ending in LF or CR LF.
    pub bytes: Cow<'a, [u8]>,
    /// Bytes of the text that follow, or about as many.
    pub beyond: u64,
}
