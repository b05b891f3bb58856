//! Makes binary layers of the crate `openusd` 0.6 readable for OpenUSD 26, which refuses or misreads two kinds of
//! values:
//!
//! - lists of children, which are arrays of tokens there; OpenUSD requires vectors, which have the same bytes and another
//!   type;
//! - arrays of 4 to 15 integers, which are compressed there; OpenUSD reads arrays below 16 as they are.
//!
//! Source: OpenUSD, `crateFile.cpp` and `crateDataTypes.h`.

use super::super::guard::{Bytes, Fault};

const CHILDREN: [&[u8]; 2] = [b"primChildren", b"properties"];
/// The bits of a value's type, with the one that marks arrays.
const TYPE: u64 = 0x80ff << 48;
const TOKEN_ARRAY: u64 = 0x800b << 48;
const TOKEN_VECTOR: u64 = 0x0029 << 48;
/// The bits of the type, and the mark of compression.
const COMPRESSED_INTS: u64 = 0xa003 << 48;
const COMPRESSED: u64 = 1 << 61;
const TYPE_AND_MARKS: u64 = 0xffff << 48;
const OFFSET: u64 = (1 << 48) - 1;
/// The least length of an array that OpenUSD compresses.
const MIN_COMPRESSED: u64 = 16;
/// Where the header has the offset of the table of sections.
const TABLE_OFFSET: u64 = 16;
/// Bytes of a section's name, and of its entry in the table.
const NAME_BYTES: usize = 16;
const ENTRY_BYTES: u64 = 32;

/// A section: its entry in the table, and its range in the file.
struct Section {
    name: [u8; NAME_BYTES],
    start: u64,
    size: u64,
}

/// The layer with these values as OpenUSD expects them.
pub(super) fn corrected(layer: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut reader = Bytes::new(layer, u64::MAX);
    reader.seek(TABLE_OFFSET)?;
    let table = reader.u64()?;
    let sections = sections(&mut reader, table)?;
    let find = |name: &str| {
        sections.iter().find(|own| {
            own.name.starts_with(name.as_bytes()) && own.name.get(name.len()) == Some(&0)
        })
    };
    let (Some(tokens), Some(fields)) = (find("TOKENS"), find("FIELDS")) else {
        return Ok(layer.to_vec());
    };
    let tokens = children_tokens(&mut reader, tokens.start)?;
    let (values, patched) = patched_fields(&mut reader, fields, &tokens)?;
    let mut out = Vec::with_capacity(layer.len() + 64);
    let part = |from: u64, to: u64| {
        let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
        range.and_then(|(from, to)| layer.get(from..to)).unwrap_or_default()
    };
    let end = fields.start + fields.size;
    out.extend_from_slice(part(0, fields.start));
    out.extend_from_slice(&values);
    out.extend_from_slice(&patched);
    out.extend_from_slice(part(end, table));
    let new_end = fields.start + (values.len() + patched.len()) as u64;
    let moved = |start: u64| match start {
        start if start >= end => start - end + new_end,
        start if start == fields.start => start + values.len() as u64,
        start => start,
    };
    let new_table = out.len() as u64;
    out.extend_from_slice(&(sections.len() as u64).to_le_bytes());
    for own in &sections {
        let size = if own.start == fields.start { patched.len() as u64 } else { own.size };
        out.extend_from_slice(&own.name);
        out.extend_from_slice(&moved(own.start).to_le_bytes());
        out.extend_from_slice(&size.to_le_bytes());
    }
    let place = usize::try_from(TABLE_OFFSET).unwrap_or_default();
    if let Some(slot) = out.get_mut(place..place + 8) {
        slot.copy_from_slice(&new_table.to_le_bytes());
    }
    Ok(out)
}

fn sections(reader: &mut Bytes<'_>, table: u64) -> Result<Vec<Section>, Fault> {
    reader.seek(table)?;
    let num = reader.u64()?;
    let mut out = Vec::new();
    for at in 0..num {
        reader.seek(table + 8 + at * ENTRY_BYTES)?;
        let name = reader.array::<NAME_BYTES>()?;
        out.push(Section { name, start: reader.u64()?, size: reader.u64()? });
    }
    Ok(out)
}

/// The numbers of the tokens that name lists of children.
fn children_tokens(reader: &mut Bytes<'_>, start: u64) -> Result<Vec<i32>, Fault> {
    reader.seek(start)?;
    let _num = reader.u64()?;
    let size = reader.u64()?;
    let text = reader.decompressed(size)?;
    let tokens = (0..).zip(text.split(|byte| *byte == 0));
    Ok(tokens.filter(|(_, token)| CHILDREN.contains(token)).map(|(number, _)| number).collect())
}

/// Values that are inserted before the section, and the section that refers to them.
fn patched_fields(
    reader: &mut Bytes<'_>,
    section: &Section,
    tokens: &[i32],
) -> Result<(Vec<u8>, Vec<u8>), Fault> {
    reader.seek(section.start)?;
    let num = reader.u64()?;
    let names = reader.ints(num)?;
    let names_end = reader.position();
    let stored = reader.decompressed(num.saturating_mul(8))?;
    let mut values: Vec<u8> = Vec::with_capacity(stored.len());
    let mut inserted: Vec<u8> = Vec::new();
    for (value, name) in stored.as_chunks::<8>().0.iter().zip(&names) {
        let mut value = u64::from_le_bytes(*value);
        if tokens.contains(name) && value & TYPE == TOKEN_ARRAY {
            value = value & !TYPE | TOKEN_VECTOR;
        }
        if value & TYPE_AND_MARKS == COMPRESSED_INTS {
            reader.seek(value & OFFSET)?;
            let len = reader.u64()?;
            if len < MIN_COMPRESSED {
                value = value & !COMPRESSED & !OFFSET | (section.start + inserted.len() as u64);
                inserted.extend_from_slice(&len.to_le_bytes());
                inserted.extend(reader.ints(len)?.into_iter().flat_map(i32::to_le_bytes));
            }
        }
        values.extend_from_slice(&value.to_le_bytes());
    }
    reader.seek(section.start)?;
    let mut out = reader.take(names_end - section.start)?.to_vec();
    let block = lz4_flex::compress(&values);
    out.extend_from_slice(&(block.len() as u64 + 1).to_le_bytes());
    // The number of chunks, 0 for a single block.
    out.push(0);
    out.extend_from_slice(&block);
    Ok((inserted, out))
}
