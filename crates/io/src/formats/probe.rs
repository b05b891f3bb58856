//! Format detection from the beginning of a file.

use std::borrow::Cow;

use super::text;

/// Number of bytes from the beginning of a file that probes can use.
pub const PROBE_WINDOW_BYTES: usize = 16 * 1024;

/// How certain a format is. Ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The bytes can't be this format.
    No,
    /// The bytes could be this format; higher is more likely.
    Weak(u8),
    /// The bytes have the format's signature or are very unlikely to be another format.
    Strong,
}

/// The input of a probe.
#[derive(Clone, Copy, Debug)]
pub struct ProbeInput<'a> {
    /// The first [`PROBE_WINDOW_BYTES`] of the file, or all of a shorter one.
    pub head: &'a [u8],
    /// Size of the whole file in bytes.
    pub len: u64,
}

impl<'a> ProbeInput<'a> {
    /// The input for a whole file.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self { head: bytes.get(..PROBE_WINDOW_BYTES).unwrap_or(bytes), len: bytes.len() as u64 }
    }

    /// The beginning as text in any encoding and with any line ends; see [`text::plain`].
    pub fn text(&self) -> TextHead<'a> {
        let beyond = self.len.saturating_sub(self.head.len() as u64);
        TextHead {
            bytes: text::plain(self.head),
            // Nearly all characters in model files are ASCII.
            beyond: if text::is_utf16(self.head) { beyond.div_ceil(2) } else { beyond },
        }
    }
}

/// The beginning of a text file.
#[derive(Clone, Debug)]
pub struct TextHead<'a> {
    /// Without byte order mark; ASCII, with lines ending in LF or CR LF.
    pub bytes: Cow<'a, [u8]>,
    /// Approximate size of the following text, in bytes.
    pub beyond: u64,
}
