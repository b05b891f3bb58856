//! FAR (`.far`): the archive format of the game. Version 1, without compression.
//!
//! | part | layout, little-endian |
//! |---|---|
//! | header | `FAR!byAZ`, u32 version 1, u32 offset of the directory |
//! | directory | u32 count, then entries |
//! | entry | u32 size, u32 stored size (equal), u32 offset, u32 name length, name with `\` |
//!
//! Source: the archive reader published with VitaMoo. Entries may overlap.
//!
//! Not for: version 3 (The Sims Online), which compresses its entries.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::formats::record::fields;
use crate::formats::text::windows_1252;
use crate::formats::{Cursor, Folder, Limits, ReadError};
use rigscope_core::model::{
    ByteView, Element, Field, FindingKind, Layout, Place, Report, Scalar, Span, as_u32,
};

pub(super) const ID: &str = "far";
pub(super) const MAGIC: &[u8] = b"FAR!byAZ";
const VERSION: u32 = 1;
/// Limit on entries. The game's largest archives have some ten thousand, and each file reference is searched
/// for among them.
const MAX_ENTRIES: usize = 1 << 17;
/// Size of an entry with an empty name.
const ENTRY_MIN_BYTES: usize = 16;

const HEADER_FIELDS: &[Field] = &fields([
    ("signature", Layout::chars(8)),
    ("version", Scalar::U32.one()),
    ("directory offset", Scalar::U32.one()),
]);
const COUNT_FIELDS: &[Field] = &fields([("number of entries", Scalar::U32.one())]);
const ENTRY_FIELDS: &[Field] = &fields([
    ("entry size", Scalar::U32.one()),
    ("entry stored size", Scalar::U32.one()),
    ("entry offset", Scalar::U32.one()),
    ("entry name length", Scalar::U32.one()),
    ("entry name", Layout::TEXT),
]);

/// An archive as a folder of files.
pub(super) struct Archive {
    pub(super) name: String,
    bytes: Arc<Vec<u8>>,
    /// Separated by `/`, in directory order.
    paths: Vec<String>,
    /// The bytes of each path.
    ranges: Vec<Range<usize>>,
    /// The index of each path.
    known: HashMap<String, usize>,
}

impl Archive {
    /// Reads the directory; unreadable entries are reported and left out.
    pub(super) fn open(
        name: &str,
        bytes: Arc<Vec<u8>>,
        limits: &Limits,
        report: &Report,
    ) -> Result<Self, ReadError> {
        let shared = Arc::clone(&bytes);
        let mut cursor = Cursor::new(ID, &shared, limits);
        if cursor.take(MAGIC.len(), "signature")? != MAGIC {
            return Err(cursor.malformed("signature", "no FAR!byAZ".to_owned()));
        }
        let version = cursor.u32_le("version")?;
        if version != VERSION {
            let what = format!("version {version} is not read, only {VERSION}");
            return Err(cursor.unsupported("version", what));
        }
        let directory = cursor.u32_le("directory offset")?;
        report.span(Span::new(Element::Header, 0, cursor.offset(), 1).with_fields(HEADER_FIELDS));
        cursor.seek(u64::from(directory), "directory")?;
        let field = "number of entries";
        let num = cursor.u32_le(field)?;
        let num = cursor.fit(num, ENTRY_MIN_BYTES, field)?;
        if num > MAX_ENTRIES {
            let what = format!("{num} entries exceed the {MAX_ENTRIES} allowed");
            return Err(cursor.over_limit(field, what));
        }
        let mut archive = Self {
            name: name.to_owned(),
            bytes,
            paths: cursor.vec(num, field)?,
            ranges: cursor.vec(num, field)?,
            known: HashMap::new(),
        };
        let start = cursor.offset();
        report.span(Span::new(Element::Count, start - 4, 4, 1).with_fields(COUNT_FIELDS));
        let mut ends = cursor.vec(num, field)?;
        let mut read = Ok(());
        while ends.len() < num && read.is_ok() {
            if ends.len() % 4096 == 0 {
                report.progress("reading the archive", 0.05)?;
            }
            read = archive.entry(&mut cursor, report);
            if read.is_ok() {
                ends.push(as_u32(cursor.offset() - start));
            }
        }
        report.span(Span::varied(Element::EntryName, start, ends).with_fields(ENTRY_FIELDS));
        for (number, range) in archive.ranges.iter().enumerate() {
            let entry = Span::new(Element::Entry, range.start, range.len(), 1);
            report.span(entry.from_record(number));
        }
        read.map(|()| archive)
    }

    fn entry(&mut self, cursor: &mut Cursor<'_>, report: &Report) -> Result<(), ReadError> {
        let place = Place::Offset(cursor.offset() as u64);
        let size = cursor.u32_le("entry size")?;
        let stored_size = cursor.u32_le("entry stored size")?;
        let offset = cursor.u32_le("entry offset")?;
        let field = "entry name length";
        let name_len = cursor.u32_le(field)?;
        let name_len = cursor.fit(name_len, 1, field)?;
        let path = windows_1252(cursor.take(name_len, "entry name")?).replace('\\', "/");
        let start = offset as usize;
        let range = start..start.saturating_add(size as usize);
        if stored_size != size {
            report.add_many(FindingKind::BrokenRecord, place, 1, || {
                format!(
                    "{path:?} is left out, because its two sizes differ: {size} and {stored_size} bytes"
                )
            });
        } else if self.bytes.get(range.clone()).is_none() {
            report.add_many(FindingKind::BrokenRecord, place, 1, || {
                format!("{path:?} extends past the end of the archive and is left out")
            });
        } else {
            self.known.entry(path.clone()).or_insert(self.paths.len());
            self.paths.push(path);
            self.ranges.push(range);
        }
        Ok(())
    }

    /// The bytes of a file, without copying.
    pub(super) fn view(&self, path: &str) -> Option<ByteView> {
        let range = self.ranges.get(*self.known.get(path)?)?;
        ByteView::new(Arc::clone(&self.bytes), range.clone())
    }

    pub(super) fn bytes(&self, path: &str) -> Option<&[u8]> {
        let range = self.ranges.get(*self.known.get(path)?)?;
        self.bytes.get(range.clone())
    }
}

impl Folder for Archive {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
        self.bytes(path).map(<[u8]>::to_vec).ok_or_else(missing)
    }
}
