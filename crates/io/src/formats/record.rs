//! Fixed-size records of binary files. Each is declared once with [`record!`], which generates the struct,
//! its fields in the byte map, a reader and a writer.
//!
//! ```ignore
//! record! {
//!     /// A mesh.
//!     pub(super) struct Mesh {
//!         /// Offset in the text.
//!         name: u32 = "name";
//!         triangles: Table = "first triangle", "number of triangles";
//!     }
//! }
//! ```
//!
//! Each row is a struct field, its type, and the name of every number or text in it, for the byte map and for
//! errors. Types are numbers, arrays of numbers, vectors and other records; a byte array is text. Values are
//! little-endian and without padding, so offsets are never written by hand.
//!
//! For: `Cursor::record`, which reports the truncated field; [`list`] and [`bytes_of`] for arrays.
//! Not for: records of variable length; for their fixed parts [`fields`] computes the offsets.

use glam::{Quat, Vec2, Vec3, Vec4};

use rigscope_core::model::{Field, Layout, Scalar};

/// A value with a fixed size in bytes.
pub(super) trait Record: Sized {
    /// The numbers and texts that it consists of, in file order. The field of a single number or text has an
    /// empty name.
    const FIELDS: &'static [Field];
    /// Size in bytes.
    const BYTES: usize = end(Self::FIELDS);

    /// Reads the value from the beginning of `bytes`; missing bytes count as zero.
    fn from_bytes(bytes: &[u8]) -> Self;

    /// Appends the bytes.
    fn put(&self, out: &mut Vec<u8>);
}

/// The records in `bytes`, without gaps.
pub(super) fn list<T: Record>(bytes: &[u8]) -> impl ExactSizeIterator<Item = T> {
    bytes.chunks_exact(T::BYTES).map(T::from_bytes)
}

/// The bytes of consecutive records.
pub(super) fn bytes_of<T: Record>(records: &[T]) -> Vec<u8> {
    let mut out = Vec::with_capacity(records.len() * T::BYTES);
    records.iter().for_each(|record| record.put(&mut out));
    out
}

/// Consecutive fields with the given layouts.
#[expect(clippy::indexing_slicing, reason = "worked out at compile time")]
pub(super) const fn fields<const N: usize>(rows: [(&'static str, Layout); N]) -> [Field; N] {
    let mut all = [Field::new("", 0, Layout::TEXT); N];
    let mut at = 0;
    while at < N {
        let (name, layout) = rows[at];
        let offset = end(all.split_at(at).0);
        assert!(offset <= u16::MAX as usize, "a record is too long");
        #[expect(clippy::cast_possible_truncation, reason = "checked before")]
        let field = Field::new(name, offset as u16, layout);
        all[at] = field;
        at += 1;
    }
    all
}

/// The layouts of `parts` as consecutive fields with the given names.
#[expect(clippy::indexing_slicing, reason = "worked out at compile time")]
pub(super) const fn named<const N: usize>(
    names: [&'static str; N],
    parts: &[&[Field]],
) -> [Field; N] {
    let mut rows = [("", Layout::TEXT); N];
    let (mut row, mut part) = (0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            rows[row] = (names[row], parts[part][at].layout);
            (row, at) = (row + 1, at + 1);
        }
        part += 1;
    }
    assert!(row == N, "a name too many");
    fields(rows)
}

/// Offset of the field with this name.
#[expect(clippy::indexing_slicing, reason = "worked out at compile time")]
pub(super) const fn offset_of(fields: &[Field], name: &str) -> u16 {
    let mut at = 0;
    while !is_same(fields[at].name.as_bytes(), name.as_bytes()) {
        at += 1;
    }
    fields[at].offset
}

#[expect(clippy::indexing_slicing, reason = "worked out at compile time")]
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Offset of the end of `fields`.
pub(super) const fn end(fields: &[Field]) -> usize {
    match fields.last() {
        Some(last) => last.offset as usize + last.len as usize,
        None => 0,
    }
}

/// Reads the next record of `rest` and removes it from `rest`.
pub(super) fn next<T: Record>(rest: &mut &[u8]) -> T {
    let (own, others) = rest.split_at_checked(T::BYTES).unwrap_or((*rest, &[]));
    *rest = others;
    T::from_bytes(own)
}

/// Declares records: see [`self`].
macro_rules! record {
    ($(
        $(#[$about:meta])*
        $vis:vis struct $name:ident {
            $($(#[$doc:meta])* $field:ident: $type:ty = $($label:literal),+;)+
        }
    )+) => {$(
        $(#[$about])*
        $vis struct $name {
            $($(#[$doc])* $vis $field: $type,)+
        }

        impl $crate::formats::record::Record for $name {
            const FIELDS: &'static [rigscope_core::model::Field] = &$crate::formats::record::named(
                [$($($label),+),+],
                &[$(<$type as $crate::formats::record::Record>::FIELDS),+],
            );

            fn from_bytes(mut bytes: &[u8]) -> Self {
                Self { $($field: $crate::formats::record::next(&mut bytes)),+ }
            }

            fn put(&self, out: &mut Vec<u8>) {
                $($crate::formats::record::Record::put(&self.$field, out);)+
            }
        }
    )+};
}
pub(super) use record;

macro_rules! numbers {
    ($($type:ty => $scalar:ident),+ $(,)?) => {$(
        impl Record for $type {
            const FIELDS: &'static [Field] = &[Field::new("", 0, Scalar::$scalar.one())];

            fn from_bytes(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or_else(Self::default, |own| Self::from_le_bytes(*own))
            }

            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }

        impl<const N: usize> Record for [$type; N] {
            #[expect(clippy::cast_possible_truncation, reason = "records are short")]
            const FIELDS: &'static [Field] =
                &[Field::new("", 0, Scalar::$scalar.times(N as u16))];

            fn from_bytes(mut bytes: &[u8]) -> Self {
                std::array::from_fn(|_| next(&mut bytes))
            }

            fn put(&self, out: &mut Vec<u8>) {
                self.iter().for_each(|number| number.put(out));
            }
        }
    )+};
}
numbers!(u16 => U16, i16 => I16, u32 => U32, i32 => I32, u64 => U64, f32 => F32);

/// Text of a fixed length.
impl<const N: usize> Record for [u8; N] {
    #[expect(clippy::cast_possible_truncation, reason = "records are short")]
    const FIELDS: &'static [Field] = &[Field::new("", 0, Layout::chars(N as u16))];

    fn from_bytes(bytes: &[u8]) -> Self {
        bytes.first_chunk().copied().unwrap_or([0; N])
    }

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }
}

macro_rules! vectors {
    ($($type:ty => $count:literal),+ $(,)?) => {$(
        impl Record for $type {
            const FIELDS: &'static [Field] = <[f32; $count]>::FIELDS;

            fn from_bytes(bytes: &[u8]) -> Self {
                Self::from_array(<[f32; $count]>::from_bytes(bytes))
            }

            fn put(&self, out: &mut Vec<u8>) {
                self.to_array().put(out);
            }
        }
    )+};
}
vectors!(Vec2 => 2, Vec3 => 3, Vec4 => 4, Quat => 4);

#[cfg(test)]
mod tests {
    use super::*;

    record! {
        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Table {
            num: u32 = "number";
            offset: u64 = "offset";
        }

        #[derive(Clone, Copy, Debug, PartialEq)]
        struct Head {
            magic: [u8; 4] = "magic";
            lines: Table = "number of lines", "lines";
            parent: i32 = "parent";
            center: Vec3 = "center";
            steps: [u16; 2] = "steps";
        }
    }

    const HEAD: Head = Head {
        magic: *b"head",
        lines: Table { num: 7, offset: 1 << 40 },
        parent: -2,
        center: Vec3::new(0.5, -1.0, 2.0),
        steps: [1, 0xffff],
    };

    #[test]
    fn fields_are_contiguous() {
        let spelled: Vec<String> = (Head::FIELDS.iter())
            .map(|field| format!("{} {} {}", field.offset, field.name, field.layout))
            .collect();
        assert_eq!(
            spelled,
            [
                "0 magic char[4]",
                "4 number of lines u32",
                "8 lines u64",
                "16 parent i32",
                "20 center f32x3",
                "32 steps u16x2"
            ]
        );
        assert_eq!(Head::BYTES, 36);
        assert_eq!(offset_of(Head::FIELDS, "lines"), 8);
    }

    #[test]
    fn records_round_trip() {
        let bytes = bytes_of(&[HEAD, HEAD]);
        assert_eq!(bytes.len(), 2 * Head::BYTES);
        assert_eq!(bytes[..8], *b"head\x07\0\0\0");
        assert_eq!(bytes[32..36], [1, 0, 0xff, 0xff]);
        assert!(list::<Head>(&bytes).eq([HEAD, HEAD]));
        let cut = Head::from_bytes(&bytes[..34]);
        assert_eq!((cut.center, cut.steps), (HEAD.center, [1, 0]));
    }
}
