//! Values of a binary layer: counts, and values inside of others.

use std::collections::HashSet;

use super::Fault;
use super::bytes::Bytes;

const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;
const COMPRESSED: u64 = 1 << 61;
pub(super) const PAYLOAD: u64 = (1 << 48) - 1;
/// Arrays with fewer elements aren't compressed.
const MIN_COMPRESSED: u64 = 4;
/// The most dictionaries inside of one another.
const MAX_DEPTH: u32 = 64;
/// Memory of a value in a list or dictionary.
const VALUE_BYTES: u64 = 96;

/// Types of values, by the numbers in the file.
mod kind {
    pub(super) const BOOL: u64 = 1;
    pub(super) const INT: u64 = 3;
    pub(super) const UINT64: u64 = 6;
    pub(super) const HALF: u64 = 7;
    pub(super) const DOUBLE: u64 = 9;
    pub(super) const STRING: u64 = 10;
    pub(super) const TOKEN: u64 = 11;
    pub(super) const ASSET_PATH: u64 = 12;
    pub(super) const DICTIONARY: u64 = 31;
    pub(super) const TOKEN_LIST: u64 = 32;
    pub(super) const PATH_LIST: u64 = 34;
    pub(super) const REFERENCE_LIST: u64 = 35;
    pub(super) const INT_LIST: u64 = 36;
    pub(super) const UINT64_LIST: u64 = 39;
    pub(super) const PATH_VECTOR: u64 = 40;
    pub(super) const TOKEN_VECTOR: u64 = 41;
    pub(super) const VARIANTS: u64 = 45;
    pub(super) const TIME_SAMPLES: u64 = 46;
    pub(super) const DOUBLE_VECTOR: u64 = 48;
    pub(super) const LAYER_OFFSETS: u64 = 49;
    pub(super) const STRING_VECTOR: u64 = 50;
    pub(super) const UNREGISTERED_LIST: u64 = 54;
    pub(super) const PAYLOAD_LIST: u64 = 55;
    pub(super) const TIME_CODE: u64 = 56;
    pub(super) const PATH_EXPRESSION: u64 = 57;
    pub(super) const RELOCATES: u64 = 58;
}

/// Bytes of an element of an array, by type; 0 for types without arrays of a fixed size.
const SIZES: [u64; 31] = [
    0, 1, 1, 4, 4, 8, 8, 2, 4, 8, 4, 4, 4, 32, 72, 128, 32, 16, 8, 16, 8, 4, 8, 24, 12, 6, 12, 32,
    16, 8, 16,
];

/// Checks the values of fields.
pub(super) fn check(reader: &mut Bytes<'_>, reps: Vec<u64>) -> Result<(), Fault> {
    reader.field = "values";
    let mut values = Values { reader, seen: HashSet::new() };
    reps.into_iter().try_for_each(|rep| values.value(rep, 0, false))
}

struct Values<'a, 'b> {
    reader: &'a mut Bytes<'b>,
    /// Values that are checked: several fields may have the same one.
    seen: HashSet<u64>,
}

impl Values<'_, '_> {
    fn value(&mut self, rep: u64, depth: u32, is_sample: bool) -> Result<(), Fault> {
        let kind = rep >> 48 & 0xff;
        let is_nested = matches!(kind, kind::DICTIONARY | kind::TIME_SAMPLES);
        if is_nested && (depth > MAX_DEPTH || (is_sample && kind == kind::TIME_SAMPLES)) {
            return Err(self.reader.fault("values are nested too deeply"));
        }
        // Dictionaries are checked again wherever they occur, because that determines their depth.
        // The library ignores the mark of these types.
        if rep & INLINED != 0 && (rep & ARRAY != 0 || kind == kind::PAYLOAD_LIST) {
            return Err(self.reader.fault("a list is marked as part of its reference"));
        }
        if rep & INLINED != 0 || (!self.seen.insert(rep) && !is_nested) {
            return Ok(());
        }
        let payload = rep & PAYLOAD;
        if rep & ARRAY != 0 || matches!(kind, kind::DOUBLE_VECTOR) {
            return if payload == 0 { Ok(()) } else { self.array(kind, rep, payload) };
        }
        let is_stored = (kind::DICTIONARY..=kind::RELOCATES).contains(&kind);
        if is_stored {
            self.reader.seek(payload)?;
        }
        match kind {
            kind::DICTIONARY => self.dictionary(depth),
            kind::TOKEN_LIST..=kind::UINT64_LIST | kind::UNREGISTERED_LIST | kind::PAYLOAD_LIST => {
                self.list(kind, depth)
            }
            kind::PATH_VECTOR | kind::TOKEN_VECTOR | kind::STRING_VECTOR => self.indices(),
            kind::VARIANTS | kind::RELOCATES => {
                let num = self.reader.count(8)?;
                self.reader.charge(num, VALUE_BYTES)
            }
            kind::LAYER_OFFSETS => self.reader.count(16).map(|_| ()),
            kind::TIME_SAMPLES => self.samples(depth),
            _ => Ok(()),
        }
    }

    /// A list of indices.
    fn indices(&mut self) -> Result<(), Fault> {
        let num = self.reader.count(4)?;
        self.reader.take(num * 4)?;
        self.reader.charge(num, VALUE_BYTES)
    }

    fn array(&mut self, kind: u64, rep: u64, payload: u64) -> Result<(), Fault> {
        self.reader.seek(payload)?;
        if matches!(kind, kind::STRING | kind::ASSET_PATH | kind::PATH_EXPRESSION) {
            return self.indices();
        }
        if self.reader.version < 5 {
            self.reader.u32()?;
        }
        let num = if self.reader.version < 7 {
            u64::from(self.reader.u32()?)
        } else {
            self.reader.u64()?
        };
        let is_int = (kind::INT..=kind::UINT64).contains(&kind) && self.reader.version >= 5;
        let is_float = (kind::HALF..=kind::DOUBLE).contains(&kind)
            || matches!(kind, kind::DOUBLE_VECTOR | kind::TIME_CODE);
        let is_float = is_float && self.reader.version >= 6;
        let is_compressed = rep & COMPRESSED != 0 && num >= MIN_COMPRESSED;
        if is_compressed && is_int {
            return self.reader.skip_ints(num);
        }
        if is_compressed && is_float {
            return match self.reader.u8()? {
                b't' => {
                    let num_values = u64::from(self.reader.u32()?);
                    let size = self.size_of(kind)?;
                    self.reader.check_count(num_values, size)?;
                    self.reader.take(num_values * size)?;
                    self.reader.skip_ints(num)
                }
                _ => self.reader.skip_ints(num),
            };
        }
        let size = self.size_of(kind)?;
        self.reader.check_count(num, size)?;
        if kind == kind::TOKEN || kind == kind::BOOL {
            self.reader.charge(num, 24)?;
        }
        // The library copies some arrays once more.
        self.reader.charge(num, size)
    }

    fn size_of(&self, kind: u64) -> Result<u64, Fault> {
        let size = match kind {
            kind::DOUBLE_VECTOR | kind::TIME_CODE => Some(8),
            _ => usize::try_from(kind).ok().and_then(|kind| SIZES.get(kind)).copied(),
        };
        let size = size.filter(|size| *size > 0);
        size.ok_or_else(|| self.reader.fault(format!("there are no arrays of type {kind}")))
    }

    fn dictionary(&mut self, depth: u32) -> Result<(), Fault> {
        let num = self.reader.count(20)?;
        self.reader.charge(num, VALUE_BYTES)?;
        for _ in 0..num {
            self.reader.u32()?;
            self.nested(depth, false)?;
        }
        Ok(())
    }

    /// A value behind an offset, after which reading continues behind the stored value.
    fn nested(&mut self, depth: u32, is_sample: bool) -> Result<(), Fault> {
        let by = self.reader.i64()?;
        self.reader.jump(by.saturating_sub(8))?;
        let rep = self.reader.u64()?;
        let next = self.reader.position();
        self.value(rep, depth + 1, is_sample)?;
        self.reader.seek(next)
    }

    fn list(&mut self, kind: u64, depth: u32) -> Result<(), Fault> {
        let bits = self.reader.u8()?;
        // Bit 0 states whether the list is explicit; each other bit announces a list of items.
        for _ in 0..(bits >> 1).count_ones() {
            match kind {
                kind::TOKEN_LIST..=kind::PATH_LIST | kind::UNREGISTERED_LIST => self.indices()?,
                kind::INT_LIST..=kind::UINT64_LIST => {
                    let size = if kind.is_multiple_of(2) { 4 } else { 8 };
                    let num = self.reader.count(size)?;
                    self.reader.take(num * size)?;
                }
                kind::REFERENCE_LIST => {
                    let num = self.reader.count(32)?;
                    self.reader.charge(num, VALUE_BYTES)?;
                    for _ in 0..num {
                        self.reader.take(24)?;
                        self.dictionary(depth)?;
                    }
                }
                _ => {
                    let size = if self.reader.version >= 8 { 24 } else { 8 };
                    let num = self.reader.count(size)?;
                    self.reader.take(num * size)?;
                    self.reader.charge(num, VALUE_BYTES)?;
                }
            }
        }
        Ok(())
    }

    fn samples(&mut self, depth: u32) -> Result<(), Fault> {
        self.nested(depth, true)?;
        let by = self.reader.i64()?;
        self.reader.jump(by.saturating_sub(8))?;
        let num = self.reader.count(8)?;
        self.reader.charge(num, VALUE_BYTES)?;
        let first = self.reader.position();
        for at in 0..num {
            self.reader.seek(first + at * 8)?;
            let rep = self.reader.u64()?;
            self.value(rep, depth + 1, true)?;
        }
        Ok(())
    }
}
