//! Queries for searching the bytes of a file.
//!
//! Numbers are only matched at plausible offsets: in known fields, at multiples of their size from
//! the start of the field; elsewhere, at any byte. In big-endian fields, they are matched as
//! big-endian.

use rigscope_core::model::{
    Cancelled, Layout, Number, Provenance, Report, Scalar, pack_snorm1010102,
};

/// Most matches to store.
const MAX_FOUND: usize = 100_000;
/// Offsets to test between calls to the report.
const CHUNK: usize = 1 << 20;
/// The bits of x, y and z in a packed direction.
const SNORM10_XYZ: u32 = (1 << 30) - 1;

/// The interpretation of the query text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteKind {
    /// UTF-8, ignoring the case of ASCII letters.
    #[default]
    Text,
    /// Pairs of hexadecimal digits.
    Hex,
    /// A number of this type.
    Number(Scalar),
    /// A direction with three components of 10 bits each.
    Snorm10,
}

impl ByteKind {
    /// All kinds offered in the pane.
    pub const ALL: [Self; 8] = [
        Self::Text,
        Self::Hex,
        Self::Number(Scalar::F32),
        Self::Number(Scalar::F16),
        Self::Number(Scalar::U8),
        Self::Number(Scalar::U16),
        Self::Number(Scalar::U32),
        Self::Snorm10,
    ];

    /// The label in the list.
    pub fn label(self) -> &'static str {
        match self {
            Self::Text => "Text",
            Self::Hex => "Hex",
            Self::Number(scalar) => scalar.word(),
            Self::Snorm10 => "snorm10x3",
        }
    }

    /// The expected input, for users.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Text => "Finds text, ignoring case.",
            Self::Hex => "Finds bytes. Type two hex digits for each.",
            Self::Number(Scalar::F32 | Scalar::F16) => {
                "Finds a number. With two or more decimals, numbers that round to it also match."
            }
            Self::Number(_) => "Finds a whole number.",
            Self::Snorm10 => "Finds a packed direction. Type x, y and z, each from -1 to 1.",
        }
    }

    /// An example of the input, short enough for the narrowest field.
    pub fn example(self) -> &'static str {
        match self {
            Self::Text => "spine",
            Self::Hex => "0f a2 ff",
            Self::Number(Scalar::F32 | Scalar::F16) => "0.25",
            Self::Number(_) => "255",
            Self::Snorm10 => "0 0.7 0.7",
        }
    }
}

/// A search query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteQuery {
    /// The interpretation of the text.
    pub kind: ByteKind,
    /// The text as typed.
    pub text: String,
}

/// The bytes to compare with.
#[derive(Clone, Debug, PartialEq)]
enum Pattern {
    /// ASCII letters in lower case.
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    /// Any number in this inclusive range.
    Number(Scalar, [f64; 2]),
    /// x, y and z of a packed direction.
    Snorm10(u32),
}

/// The matches of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteMatches {
    /// File offsets, ascending.
    pub at: Vec<u64>,
    /// Bytes per match.
    pub len: u64,
    /// Whether there are more matches than stored.
    pub has_more: bool,
}

impl ByteMatches {
    /// Whether the byte at `at` is part of a match.
    pub fn contains(&self, at: u64) -> bool {
        let next = self.at.partition_point(|start| start + self.len <= at);
        self.at.get(next).is_some_and(|start| *start <= at)
    }
}

impl ByteQuery {
    /// Parses the text.
    fn pattern(&self) -> Result<Pattern, &'static str> {
        let text = self.text.trim();
        match self.kind {
            ByteKind::Text => Ok(Pattern::Text(self.text.to_ascii_lowercase().into_bytes())),
            ByteKind::Hex => {
                hex(text).map(Pattern::Bytes).ok_or("Type pairs of hex digits, such as 0f a2 ff")
            }
            ByteKind::Number(scalar) => {
                let is_float = matches!(scalar, Scalar::F32 | Scalar::F16);
                let range = if is_float { float(text, scalar) } else { whole(text, scalar) };
                let why = if is_float { "Not a number" } else { "Not a whole number of this size" };
                Ok(Pattern::Number(scalar, range.ok_or(why)?))
            }
            ByteKind::Snorm10 => {
                direction(text).map(Pattern::Snorm10).ok_or("Type x, y and z, each from -1 to 1")
            }
        }
    }

    /// The reason why the query is invalid; `None` if it is valid or empty.
    pub fn fault(&self) -> Option<&'static str> {
        if self.text.is_empty() { None } else { self.pattern().err() }
    }

    /// Whether the query is valid and not empty.
    pub fn is_usable(&self) -> bool {
        !self.text.is_empty() && self.pattern().is_ok()
    }

    /// Finds the matches in `bytes`.
    pub(super) fn find(
        &self,
        bytes: &[u8],
        provenance: &Provenance,
        report: &Report,
    ) -> Result<ByteMatches, Cancelled> {
        let Some(pattern) = self.pattern().ok().filter(|_| !self.text.is_empty()) else {
            return Ok(ByteMatches::default());
        };
        let len = pattern.num_bytes();
        let mut found = ByteMatches { len: len as u64, ..ByteMatches::default() };
        let num_places = (bytes.len() + 1).saturating_sub(len);
        for first in (0..num_places).step_by(CHUNK) {
            report.progress("searching bytes", first as f32 / num_places as f32)?;
            for at in first..(first + CHUNK).min(num_places) {
                let Some(window) = bytes.get(at..at + len) else { continue };
                let offset = at as u64;
                if !pattern.matches(window) || !pattern.can_be_at(window, offset, provenance) {
                    continue;
                }
                if found.at.len() == MAX_FOUND {
                    found.has_more = true;
                    return Ok(found);
                }
                found.at.push(offset);
            }
        }
        Ok(found)
    }
}

impl Pattern {
    fn num_bytes(&self) -> usize {
        match self {
            Self::Text(bytes) | Self::Bytes(bytes) => bytes.len(),
            Self::Number(scalar, _) => scalar.num_bytes(),
            Self::Snorm10(_) => 4,
        }
    }

    /// Whether `window` may match, in either byte order.
    fn matches(&self, window: &[u8]) -> bool {
        match self {
            Self::Text(bytes) => window.eq_ignore_ascii_case(bytes),
            Self::Bytes(bytes) => window == bytes,
            Self::Number(scalar, range) => {
                is_in(scalar.number(window), range) || is_in(scalar.number_be(window), range)
            }
            Self::Snorm10(xyz) => {
                let word = window.first_chunk().map(|word| u32::from_le_bytes(*word));
                word.is_some_and(|word| word & SNORM10_XYZ == *xyz)
            }
        }
    }

    /// Whether a match at this offset agrees with the known type of the bytes.
    fn can_be_at(&self, window: &[u8], at: u64, provenance: &Provenance) -> bool {
        if matches!(self, Self::Text(_) | Self::Bytes(_)) {
            return true;
        }
        let len = window.len() as u64;
        let hit = provenance.at(at);
        let field = hit.as_ref().and_then(|hit| hit.field);
        let layout = field.map(|field| field.layout);
        let is_whole = hit.as_ref().is_none_or(|hit| {
            let inside = at - hit.field_bytes.start;
            inside.is_multiple_of(len) && at + len <= hit.field_bytes.end
        });
        let is_kind = match (self, layout) {
            (_, None) => true,
            (Self::Snorm10(_), Some(layout)) => matches!(layout, Layout::Snorm10 { .. }),
            (_, Some(layout)) => matches!(layout, Layout::Numbers { .. }),
        };
        let is_big_endian = matches!(layout, Some(Layout::Numbers { is_big_endian: true, .. }));
        let is_it = match self {
            Self::Number(scalar, range) if is_big_endian => is_in(scalar.number_be(window), range),
            Self::Number(scalar, range) => is_in(scalar.number(window), range),
            _ => true,
        };
        is_whole && is_kind && is_it
    }
}

fn is_in(number: Option<Number>, [low, high]: &[f64; 2]) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "numbers of up to 32 bits are looked for")]
    let value = match number {
        Some(Number::Unsigned(value)) => value as f64,
        Some(Number::Signed(value)) => f64::from(value),
        Some(Number::F32(value) | Number::Fraction(value)) => f64::from(value),
        Some(Number::F64(value)) => value,
        None => return false,
    };
    (*low..=*high).contains(&value)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let text = text.strip_prefix("0x").unwrap_or(text);
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    // `from_str_radix` would accept a sign.
    let is_digits = digits.iter().all(u8::is_ascii_hexdigit);
    digits.chunks(2).map(pair).collect::<Option<_>>().filter(|_| is_digits)
}

/// With two or more decimals, the range of numbers that round to the text; otherwise the number
/// itself.
fn float(text: &str, scalar: Scalar) -> Option<[f64; 2]> {
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    // Half of the last bit stored.
    let rounding = match scalar {
        Scalar::F16 => 2f64.powi(-11),
        _ => 2f64.powi(-24),
    };
    let decimals = match text.split_once('.') {
        Some((_, tail)) if tail.bytes().all(|byte| byte.is_ascii_digit()) => tail.len(),
        _ => 0,
    };
    let typed = match decimals {
        0 | 1 => 0.0,
        decimals => 0.5 * 10f64.powi(-i32::try_from(decimals).ok()?),
    };
    // The number is found even if more digits are typed than it can store.
    let within = typed.max(rounding * value.abs());
    Some([value - within, value + within])
}

fn whole(text: &str, scalar: Scalar) -> Option<[f64; 2]> {
    let value: u32 = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => text.parse().ok()?,
    };
    let most = u32::MAX >> (32 - 8 * scalar.num_bytes().min(4));
    (value <= most).then_some([f64::from(value); 2])
}

fn direction(text: &str) -> Option<u32> {
    let parts = text.split([' ', ',', ';']).filter(|part| !part.is_empty());
    let parts: Option<Vec<f32>> = parts.map(|part| part.parse().ok()).collect();
    let &[x, y, z] = parts?.as_slice() else { return None };
    let is_inside = [x, y, z].iter().all(|part| (-1.0..=1.0).contains(part));
    is_inside.then(|| pack_snorm1010102(glam::Vec3::new(x, y, z), 0) & SNORM10_XYZ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::{CancelToken, Element, Field, Span};

    fn found(kind: ByteKind, text: &str, bytes: &[u8], provenance: &Provenance) -> Vec<u64> {
        let query = ByteQuery { kind, text: text.into() };
        query.find(bytes, provenance, &Report::new()).unwrap().at
    }

    fn anywhere(kind: ByteKind, text: &str, bytes: &[u8]) -> Vec<u64> {
        found(kind, text, bytes, &Provenance::default())
    }

    #[test]
    fn texts_and_bytes_are_found_up_to_the_end_of_the_file() {
        let bytes = b"Bone_arm bone_ARM\x00\xff\x00\xff";
        assert_eq!(anywhere(ByteKind::Text, "bone_arm", bytes), [0, 9]);
        assert_eq!(anywhere(ByteKind::Hex, "00FF", bytes), [17, 19]);
        assert_eq!(anywhere(ByteKind::Hex, "ff 00 ff", bytes), [18]);
        assert_eq!(anywhere(ByteKind::Hex, "f", bytes), [0; 0]);
        assert_eq!(anywhere(ByteKind::Text, "longer than all of the bytes", bytes), [0; 0]);
        assert_eq!(anywhere(ByteKind::Text, "", bytes), [0; 0]);
    }

    #[test]
    fn numbers_are_found_in_their_stored_encoding() {
        let mut bytes = vec![7u8];
        bytes.extend(0.123_456f32.to_le_bytes());
        bytes.extend([0x00, 0xc1]);
        bytes.extend(0x0102_0304u32.to_le_bytes());
        let number = |scalar, text: &str| anywhere(ByteKind::Number(scalar), text, &bytes);
        assert_eq!(number(Scalar::F32, "0.123456"), [1]);
        assert_eq!(number(Scalar::F32, "0.12"), [1], "it rounds to that");
        assert_eq!(number(Scalar::F32, "0.1"), [0; 0], "one decimal is meant as it is");
        assert_eq!(number(Scalar::F16, "-2.5"), [5]);
        assert!(number(Scalar::U32, "16909060").contains(&7));
        assert!(number(Scalar::U16, "0x0304").contains(&7));
        assert_eq!(number(Scalar::U8, "7"), [0]);
        let fault = |kind, text: &str| ByteQuery { kind, text: text.into() }.fault().is_some();
        assert!(fault(ByteKind::Number(Scalar::U8), "256"));
        assert!(fault(ByteKind::Number(Scalar::F32), "nan"));
        assert!(fault(ByteKind::Snorm10, "0 0 2") && !fault(ByteKind::Snorm10, "0, 0, 1"));
    }

    #[test]
    fn numbers_match_single_fields_in_their_byte_order() {
        const FIELDS: &[Field] = &[
            Field::new("id", 0, Scalar::U16.one()),
            Field::new("place", 2, Scalar::F32.times(2).big_endian(true)),
            Field::new("normal", 10, Layout::Snorm10 { has_sign: true }),
        ];
        let mut bytes = vec![0u8, 0];
        bytes.extend([1.0f32, 0.5].iter().flat_map(|value| value.to_be_bytes()));
        let normal = pack_snorm1010102(glam::Vec3::new(0.6, 0.0, 0.8), -1);
        bytes.extend(normal.to_le_bytes());
        let span = Span::new(Element::Header, 0, 14, 1).with_fields(FIELDS);
        let known = Provenance::from_spans(vec![span]);
        let float = ByteKind::Number(Scalar::F32);
        assert_eq!(found(float, "0.5", &bytes, &known), [6]);
        // 00 00 3f 80 is 1 as big-endian bytes, and starts within another field.
        assert_eq!(found(ByteKind::Number(Scalar::U32), "0", &bytes, &known), [0; 0]);
        assert_eq!(found(ByteKind::Snorm10, "0.6 0 0.8", &bytes, &known), [10]);
        assert_eq!(found(ByteKind::Snorm10, "0.6 0 0.81", &bytes, &known), [0; 0]);
    }

    #[test]
    fn search_can_be_cancelled_and_limits_the_number_of_matches() {
        let query = ByteQuery { kind: ByteKind::Hex, text: "00".into() };
        let cancel = CancelToken::default();
        let report = Report::with_progress(|_| (), cancel.clone());
        let found = query.find(&vec![0; MAX_FOUND + 1], &Provenance::default(), &report).unwrap();
        assert!(found.has_more && found.at.len() == MAX_FOUND);
        cancel.cancel();
        assert!(query.find(&[0], &Provenance::default(), &report).is_err());
    }
}
