//! Where a binary layer stores uncompressed arrays.
//!
//! Source: OpenUSD, `crateFile.cpp`. An attribute is a path with a set of fields, of which `default` refers to the
//! value: a count of 64 bits and the elements.

use std::collections::HashMap;

use super::guard::{Bytes, Fault};

/// The first version whose arrays begin with a count of 64 bits.
const MIN_VERSION: u8 = 7;
const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const COMPRESSED: u64 = 1 << 61;
const OFFSET: u64 = (1 << 48) - 1;
/// Bytes of the count before the elements.
const COUNT_BYTES: u64 = 8;
/// The type of a spec that is an attribute.
const ATTRIBUTE: i32 = 1;
const NAME_BYTES: usize = 16;

/// An array: where its elements begin, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredArray {
    pub(super) offset: u64,
    pub(super) count: u64,
    /// Numbers in single precision per element.
    pub(super) width: u16,
}

/// Default values by path of the attribute, such as `/Hero/Body.points`.
pub(super) type StoredArrays = HashMap<String, StoredArray>;

/// The number of floats per element of a type.
fn width(kind: u64) -> Option<u16> {
    match kind {
        8 => Some(1),
        20 => Some(2),
        24 => Some(3),
        _ => None,
    }
}

/// The arrays of floats in a layer that the guard has accepted.
pub(super) fn stored_arrays(layer: &[u8]) -> Result<StoredArrays, Fault> {
    let mut reader = Bytes::new(layer, u64::MAX);
    reader.seek(8)?;
    let [_, version, ..] = reader.array::<8>()?;
    if version < MIN_VERSION {
        return Ok(StoredArrays::new());
    }
    let table = reader.u64()?;
    reader.seek(table)?;
    let num = reader.u64()?;
    let mut starts: HashMap<Vec<u8>, u64> = HashMap::new();
    for _ in 0..num {
        let name = reader.array::<NAME_BYTES>()?;
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
        let start = reader.u64()?;
        reader.u64()?;
        starts.insert(name, start);
    }
    let mut enter = |reader: &mut Bytes<'_>, name: &str| -> Result<u64, Fault> {
        let missing =
            || Fault { offset: None, field: "sections", what: "a section is missing".to_owned() };
        reader.seek(starts.remove(name.as_bytes()).ok_or_else(missing)?)?;
        reader.u64()
    };
    enter(&mut reader, "TOKENS")?;
    let size = reader.u64()?;
    let text = reader.decompressed(size)?;
    let tokens: Vec<&[u8]> = text.split(|byte| *byte == 0).collect();
    let num = enter(&mut reader, "FIELDS")?;
    let names = reader.ints(num)?;
    let values = reader.decompressed(num.saturating_mul(8))?;
    let values: Vec<u64> =
        values.as_chunks::<8>().0.iter().map(|value| u64::from_le_bytes(*value)).collect();
    let num = enter(&mut reader, "FIELDSETS")?;
    let sets = reader.ints(num)?;
    enter(&mut reader, "PATHS")?;
    let num = reader.u64()?;
    let tree = [reader.ints(num)?, reader.ints(num)?, reader.ints(num)?];
    let paths = paths(&tree, &tokens);
    let num = enter(&mut reader, "SPECS")?;
    let specs = [reader.ints(num)?, reader.ints(num)?, reader.ints(num)?];
    let [of_path, of_set, kinds] = &specs;
    let token = |field: usize| {
        let name = names.get(field).and_then(|name| usize::try_from(*name).ok());
        name.and_then(|name| tokens.get(name)).copied().unwrap_or_default()
    };
    let mut out = StoredArrays::new();
    for ((path, set), kind) in of_path.iter().zip(of_set).zip(kinds) {
        let (Some(path), Ok(set)) = (paths.get(path), usize::try_from(*set)) else { continue };
        let fields = sets
            .get(set..)
            .unwrap_or_default()
            .iter()
            .map_while(|field| usize::try_from(*field).ok());
        let value =
            fields.filter(|field| token(*field) == b"default").find_map(|field| values.get(field));
        let Some(value) = value.filter(|_| *kind == ATTRIBUTE) else { continue };
        if value & ARRAY == 0 || value & (INLINED | COMPRESSED) != 0 {
            continue;
        }
        let Some(width) = width(value >> 48 & 0xff) else { continue };
        let offset = value & OFFSET;
        if offset == 0 {
            continue;
        }
        reader.seek(offset)?;
        let count = reader.u64()?;
        out.insert(path.clone(), StoredArray { offset: offset + COUNT_BYTES, count, width });
    }
    Ok(out)
}

/// The paths of nodes by their number. Each node has a child next to it, a sibling at a distance, both or neither.
fn paths([indices, names, jumps]: &[Vec<i32>; 3], tokens: &[&[u8]]) -> HashMap<i32, String> {
    let mut out = HashMap::new();
    // The guard has checked that each node is reached once.
    let mut open = vec![(0usize, String::new())];
    while let Some((mut at, mut parent)) = open.pop() {
        while let (Some(index), Some(name), Some(jump)) =
            (indices.get(at), names.get(at), jumps.get(at))
        {
            let token = usize::try_from(name.unsigned_abs()).ok().and_then(|name| tokens.get(name));
            let token = String::from_utf8_lossy(token.copied().unwrap_or_default());
            // The first node is the root.
            let own = match (at, *name < 0) {
                (0, _) => String::new(),
                (_, true) => format!("{parent}.{token}"),
                (_, false) => format!("{parent}/{token}"),
            };
            out.insert(*index, own.clone());
            if *jump > 0 {
                open.push((at + usize::try_from(*jump).unwrap_or(usize::MAX / 2), parent.clone()));
            }
            match *jump {
                -1 | 1.. => parent = own,
                0 => {}
                _ => break,
            }
            at += 1;
        }
    }
    out
}
