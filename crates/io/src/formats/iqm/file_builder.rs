//! A file under construction.

use std::collections::HashMap;

use super::ID;
use super::header::{IqmHeader, MAGIC, TableLocation, VERSION};
use crate::formats::WriteError;
use crate::formats::record::{Record, bytes_of};
use rigscope_core::model::{Axes, FindingKind, Place, Report, UpAxis, Winding};

pub(super) fn axes() -> Axes {
    Axes { up: UpAxis::Z, winding: Winding::Clockwise, ..Axes::default() }
}

/// A file under construction, to which tables are appended.
pub(super) struct FileBuilder<'a> {
    pub(super) report: &'a Report,
    pub(super) header: IqmHeader,
    bytes: Vec<u8>,
    text: Vec<u8>,
    known: HashMap<String, u32>,
}

impl<'a> FileBuilder<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Self {
            report,
            header: IqmHeader { magic: *MAGIC, version: VERSION, ..IqmHeader::default() },
            // The header is filled in at the end.
            bytes: vec![0; IqmHeader::BYTES],
            text: vec![0],
            known: HashMap::new(),
        }
    }

    /// Converts a count to the format's 32 bits.
    pub(super) fn count(what: &'static str, num: usize) -> Result<u32, WriteError> {
        u32::try_from(num).map_err(|_| WriteError::TooMany {
            format: ID,
            what,
            count: num as u64,
            limit: u64::from(u32::MAX),
        })
    }

    /// Appends bytes, aligned to four, and returns their offset.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<u32, WriteError> {
        let offset = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(offset, 0);
        self.bytes.extend_from_slice(bytes);
        Self::count("bytes", self.bytes.len())?;
        Self::count("bytes", offset)
    }

    /// Appends a table of `num` records.
    pub(super) fn table(
        &mut self,
        what: &'static str,
        num: usize,
        bytes: &[u8],
    ) -> Result<TableLocation, WriteError> {
        match num {
            0 => Ok(TableLocation::default()),
            _ => Ok(TableLocation { num: Self::count(what, num)?, offset: self.append(bytes)? }),
        }
    }

    /// Appends a table of these records.
    pub(super) fn list<T: Record>(
        &mut self,
        what: &'static str,
        records: &[T],
    ) -> Result<TableLocation, WriteError> {
        self.table(what, records.len(), &bytes_of(records))
    }

    /// The offset of a name in the text table; equal names are stored once.
    pub(super) fn name(&mut self, name: &str) -> Result<u32, WriteError> {
        if name.contains('\0') {
            let what = format!("the name {name:?} is cut at its zero character");
            self.report.add(FindingKind::ChangedName, Place::File, what);
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
        self.header.text = self.table("bytes of names", text.len(), &text)?;
        self.header.file_size = Self::count("bytes", self.bytes.len())?;
        self.bytes.splice(..IqmHeader::BYTES, bytes_of(&[self.header]));
        Ok(self.bytes)
    }
}
