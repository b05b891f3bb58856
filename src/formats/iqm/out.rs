//! A file being made.

use std::collections::HashMap;

use super::ID;
use super::header::{HEADER_BYTES, MAGIC};
use crate::formats::WriteError;
use crate::model::{Axes, NoteKind, Place, Report, UpAxis, Winding};

/// The axes of the format.
pub(super) fn axes() -> Axes {
    Axes { up: UpAxis::Z, winding: Winding::Clockwise, ..Axes::default() }
}

/// Offsets of header fields.
pub(super) mod at {
    pub(in super::super) const FILE_SIZE: usize = 20;
    pub(in super::super) const TEXT: usize = 28;
    pub(in super::super) const MESHES: usize = 36;
    pub(in super::super) const NUM_ARRAYS: usize = 44;
    pub(in super::super) const NUM_VERTICES: usize = 48;
    pub(in super::super) const ARRAYS: usize = 52;
    pub(in super::super) const TRIANGLES: usize = 56;
    pub(in super::super) const JOINTS: usize = 68;
    pub(in super::super) const POSES: usize = 76;
    pub(in super::super) const ANIMS: usize = 84;
    pub(in super::super) const NUM_FRAMES: usize = 92;
    pub(in super::super) const NUM_CHANNELS: usize = 96;
    pub(in super::super) const FRAMES: usize = 100;
    pub(in super::super) const BOUNDS: usize = 104;
    pub(in super::super) const COMMENT: usize = 108;
}

/// The version that is written.
const VERSION: u32 = 2;

/// A file being made: tables are put behind one another.
pub(super) struct Out<'a> {
    pub(super) report: &'a Report,
    bytes: Vec<u8>,
    text: Vec<u8>,
    known: HashMap<String, u32>,
}

impl<'a> Out<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.resize(HEADER_BYTES, 0);
        Self { report, bytes, text: vec![0], known: HashMap::new() }
    }

    /// Sets a field of the header.
    pub(super) fn set(&mut self, at: usize, value: u32) {
        if let Some(field) = self.bytes.get_mut(at..at + 4) {
            field.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// A number as the format counts.
    pub(super) fn count(what: &'static str, num: usize) -> Result<u32, WriteError> {
        u32::try_from(num).map_err(|_| WriteError::TooMany {
            format: ID,
            what,
            count: num as u64,
            limit: u64::from(u32::MAX),
        })
    }

    /// Puts bytes behind all others, at a multiple of four; where they are.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<u32, WriteError> {
        let offset = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(offset, 0);
        self.bytes.extend_from_slice(bytes);
        Self::count("bytes", self.bytes.len())?;
        Self::count("bytes", offset)
    }

    /// Writes a table, and its place into the header.
    pub(super) fn table(
        &mut self,
        at: usize,
        what: &'static str,
        num: usize,
        bytes: &[u8],
    ) -> Result<(), WriteError> {
        if num > 0 {
            let num = Self::count(what, num)?;
            let offset = self.append(bytes)?;
            self.set(at, num);
            self.set(at + 4, offset);
        }
        Ok(())
    }

    /// The offset of a name in the text; equal names are there once.
    pub(super) fn name(&mut self, name: &str) -> Result<u32, WriteError> {
        if name.contains('\0') {
            self.report.note(NoteKind::ChangedName, Place::File, format!("{name:?} ends early"));
        }
        let name = name.split('\0').next().unwrap_or_default();
        if name.is_empty() {
            return Ok(0);
        }
        if let Some(&offset) = self.known.get(name) {
            return Ok(offset);
        }
        let offset = Self::count("bytes of names", self.text.len())?;
        self.text.extend_from_slice(name.as_bytes());
        self.text.push(0);
        self.known.insert(name.to_owned(), offset);
        Ok(offset)
    }

    pub(super) fn finish(mut self) -> Result<Vec<u8>, WriteError> {
        let text = std::mem::take(&mut self.text);
        self.table(at::TEXT, "bytes of names", text.len(), &text)?;
        let size = Self::count("bytes", self.bytes.len())?;
        self.set(at::FILE_SIZE, size);
        Ok(self.bytes)
    }
}

pub(super) fn f32s(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

pub(super) fn u32s(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
