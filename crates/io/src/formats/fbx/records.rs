//! Walks the node records of a binary file to find the first one that is truncated or malformed:
//! the library reports an error without its place.
//!
//! | record | version below 7500 | from 7500 |
//! |---|---|---|
//! | offset of its end, number of properties, their length in bytes | 3 u32 | 3 u64 |
//! | length of its name, name | u8, text | u8, text |
//! | properties: a letter and a value each | | |
//! | nested records, and an empty one after them | | |
//!
//! Source: the reader of `ufbx.c` 0.23 (`ufbxi_binary_parse_node`).
//! Only locates errors; the values aren't read.

use super::FbxFault;
use crate::formats::ufbx_scene::MAX_NODE_DEPTH;
use rigscope_core::model::Place;

/// Bytes before the first node: magic, byte order, version.
pub(super) const HEADER_BYTES: usize = 27;
/// Offset of the byte that is 1 in big-endian files.
const BYTE_ORDER_AT: usize = 22;
const VERSION_AT: usize = 23;
/// Numbers of records have 8 bytes from this version on.
const WIDE_VERSION: u32 = 7500;
/// The first two bytes of a zlib stream, as a big-endian number, are a multiple of this.
const ZLIB_CHECK: u32 = 31;

/// The first fault in the records of a file.
pub(super) fn first_fault(bytes: &[u8]) -> Option<FbxFault> {
    if bytes.len() < HEADER_BYTES {
        return Some(at(bytes.len(), "header", "the file ends within its header"));
    }
    let mut walk = RecordWalker {
        bytes,
        at: VERSION_AT,
        is_big_endian: bytes.get(BYTE_ORDER_AT) == Some(&1),
        is_wide: false,
    };
    let version = walk.u32()?;
    walk.is_wide = version >= WIDE_VERSION;
    walk.records().err()
}

fn at(offset: usize, field: &'static str, what: impl Into<String>) -> FbxFault {
    FbxFault { place: Place::Offset(offset as u64), field, what: what.into() }
}

struct RecordWalker<'a> {
    bytes: &'a [u8],
    at: usize,
    is_big_endian: bool,
    is_wide: bool,
}

/// Numbers at the start of a record.
struct NodeRecord {
    /// Offset of the record.
    start: usize,
    end: usize,
    num_properties: u64,
    properties_bytes: usize,
    name_len: usize,
}

impl RecordWalker<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let value = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*value)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        let bytes = self.take()?;
        Some(if self.is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn number(&mut self) -> Option<u64> {
        if !self.is_wide {
            return self.u32().map(u64::from);
        }
        let bytes = self.take()?;
        Some(if self.is_big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// Checks all records, including nested ones, up to the empty one after the last.
    fn records(&mut self) -> Result<(), FbxFault> {
        // Ends of the records that are open.
        let mut open: Vec<usize> = Vec::new();
        loop {
            let inside = open.last().copied();
            if inside == Some(self.at) {
                open.pop();
                continue;
            }
            let start = self.at;
            let record = self.record().ok_or_else(|| {
                let what = if start >= self.bytes.len() {
                    "the file ends before its last node"
                } else {
                    "the file ends within the header of a node"
                };
                at(start, "node", what)
            })?;
            if record.end == 0 {
                match open.pop() {
                    // The last node is followed by a footer, which isn't needed.
                    None => return Ok(()),
                    Some(end) if end == self.at => continue,
                    Some(end) => {
                        let what = format!(
                            "nested nodes end at {:#x}, but their parent ends at {end:#x}",
                            self.at
                        );
                        return Err(at(start, "node", what));
                    }
                }
            }
            self.check(&record, inside)?;
            self.properties(&record)?;
            if self.at < record.end {
                open.push(record.end);
                if open.len() > MAX_NODE_DEPTH as usize {
                    let what = format!("nodes are nested deeper than {MAX_NODE_DEPTH}");
                    return Err(at(start, "node", what));
                }
            }
        }
    }

    fn record(&mut self) -> Option<NodeRecord> {
        let start = self.at;
        let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        Some(NodeRecord {
            start,
            end: whole(self.number()?),
            num_properties: self.number()?,
            properties_bytes: whole(self.number()?),
            name_len: usize::from(self.u8()?),
        })
    }

    /// Checks that a record's ranges are valid.
    fn check(&mut self, record: &NodeRecord, inside: Option<usize>) -> Result<(), FbxFault> {
        let name = self.bytes.get(self.at..self.at + record.name_len);
        let is_text = name.is_some_and(|name| !name.iter().any(u8::is_ascii_control));
        self.at += record.name_len;
        let properties_end = self.at.saturating_add(record.properties_bytes);
        let len = self.bytes.len();
        let end = record.end;
        let what = match inside {
            _ if end <= record.start => format!("a node ends at {end:#x}, before its start"),
            Some(outer) if end > outer => {
                format!("a node ends at {end:#x}, past its parent's end at {outer:#x}")
            }
            _ if properties_end > end => {
                format!(
                    "properties end at {properties_end:#x}, past the end of their node at {end:#x}"
                )
            }
            _ if end > len => format!("a node ends at {end:#x}, past the file's end at {len:#x}"),
            _ if !is_text => "the name of a node isn't text".to_owned(),
            _ => return Ok(()),
        };
        Err(at(record.start, "node", what))
    }

    fn properties(&mut self, record: &NodeRecord) -> Result<(), FbxFault> {
        let end = self.at + record.properties_bytes;
        for number in 0..record.num_properties {
            let start = self.at;
            let kind = self.u8().unwrap_or_default();
            let len = self.property_bytes(kind).map_err(|what| at(start, "property", what))?;
            self.at = self.at.saturating_add(len);
            if self.at > end {
                let what = format!("property {number} reaches past the properties of its node");
                return Err(at(start, "property", what));
            }
        }
        // Remaining bytes of the properties are skipped.
        self.at = end;
        Ok(())
    }

    /// Bytes of a property after its type and, for lists, after their header.
    fn property_bytes(&mut self, kind: u8) -> Result<usize, String> {
        let ends = || "the file ends within a property".to_owned();
        Ok(match kind {
            b'C' | b'B' => 1,
            b'Y' => 2,
            b'I' | b'F' => 4,
            b'D' | b'L' => 8,
            b'S' | b'R' => self.u32().ok_or_else(ends)? as usize,
            b'c' | b'b' | b'i' | b'f' | b'd' | b'l' => {
                let value_bytes = match kind {
                    b'c' | b'b' => 1,
                    b'i' | b'f' => 4,
                    _ => 8,
                };
                let num = self.u32().ok_or_else(ends)? as usize;
                let encoding = self.u32().ok_or_else(ends)?;
                let packed = self.u32().ok_or_else(ends)? as usize;
                match encoding {
                    0 => num.saturating_mul(value_bytes),
                    1 => {
                        let head = self.bytes.get(self.at..self.at.saturating_add(2));
                        let head = head.map(|head| {
                            head.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte))
                        });
                        if packed > 0 && head.is_none_or(|head| head % ZLIB_CHECK != 0) {
                            return Err("a compressed list isn't a zlib stream".to_owned());
                        }
                        packed
                    }
                    _ => return Err(format!("a list has the unknown encoding {encoding}")),
                }
            }
            _ => {
                return Err(format!("a property has the unknown type {:?}", char::from(kind)));
            }
        })
    }
}
