//! A titled table of `info --dump`, and hashes that change with the values they summarise.

use glam::Vec3;

use super::lines::Lines;
use super::table::Table;
use rigscope_io::files::hash;

/// Moments of a clip whose poses are summarised.
pub(super) const MOMENTS_PER_CLIP: usize = 9;
/// Clips that are summarised; the others have only the facts of `info`.
pub(super) const MAX_CLIPS: usize = 64;
/// Hexadecimal digits of a hash.
const HASH_DIGITS: usize = 10;

/// A table below its title.
pub(super) fn section<const N: usize>(title: &str, table: &Table<N>) -> Lines {
    let mut lines = Lines::default();
    lines.extend(["".to_owned(), format!("  {title}")]);
    lines.extend(table.lines().iter().map(|line| format!("    {line}")));
    lines
}

/// Values whose text changes with any of them.
#[derive(Clone, Default)]
pub(super) struct Digest {
    bytes: Vec<u8>,
}

impl Digest {
    pub(super) fn add(&mut self, value: Vec3) {
        for part in value.to_array() {
            // -0 and 0 are the same.
            self.bytes.extend((part + 0.0).to_le_bytes());
        }
    }

    pub(super) fn add_index(&mut self, index: u32) {
        self.bytes.extend(index.to_le_bytes());
    }

    pub(super) fn text(&self) -> String {
        hash(&self.bytes).chars().take(HASH_DIGITS).collect()
    }
}
