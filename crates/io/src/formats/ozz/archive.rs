//! Reads archive values in either byte order, and tags.
//!
//! Not for: the contents of objects.

use crate::formats::{Cursor, Limits, ReadError};
use rigscope_core::model::{Element, Field, Layout, Report, Scalar, Span, as_u32};

use super::ID;

/// Prefix of all ozz tags.
const TAG_PREFIX: &[u8] = b"ozz-";
/// Maximum length of a tag; a longer one isn't terminated.
const MAX_TAG_BYTES: usize = 64;

/// The tag of the first object; `None` if the bytes aren't an archive.
pub(super) fn first_tag(bytes: &[u8]) -> Option<&str> {
    let (order, rest) = bytes.split_first()?;
    let is_archive = *order <= 1 && rest.starts_with(TAG_PREFIX);
    is_archive.then(|| tag_of(rest)).flatten()
}

/// The printable text before the first zero.
fn tag_of(bytes: &[u8]) -> Option<&str> {
    let len = bytes.iter().take(MAX_TAG_BYTES).position(|&b| b == 0)?;
    let tag = bytes.get(..len)?;
    let is_printable = !tag.is_empty() && tag.iter().all(u8::is_ascii_graphic);
    is_printable.then_some(())?;
    std::str::from_utf8(tag).ok()
}

pub(super) struct Archive<'a> {
    /// For counts, slices and errors.
    pub(super) cursor: Cursor<'a>,
    report: &'a Report,
    is_big_endian: bool,
}

macro_rules! either_endian {
    ($($name:ident -> $ty:ty),+ $(,)?) => {$(
        pub(super) fn $name(&mut self, field: &'static str) -> Result<$ty, ReadError> {
            let bytes = self.cursor.array(field)?;
            Ok(match self.is_big_endian {
                true => <$ty>::from_be_bytes(bytes),
                false => <$ty>::from_le_bytes(bytes),
            })
        }
    )+};
}

impl<'a> Archive<'a> {
    /// Reads the byte order.
    pub(super) fn new(
        bytes: &'a [u8],
        limits: &Limits,
        report: &'a Report,
    ) -> Result<Self, ReadError> {
        let mut cursor = Cursor::new(ID, bytes, limits);
        let order = cursor.u8_le("byte order")?;
        if order > 1 {
            let what = format!("byte order {order} is neither 0 (big) nor 1 (little)");
            return Err(cursor.malformed("byte order", what));
        }
        const ORDER_FIELDS: &[Field] = &[Field::new("byte order", 0, Scalar::U8.one())];
        report.span(Span::new(Element::Header, 0, 1, 1).with_fields(ORDER_FIELDS));
        Ok(Self { cursor, report, is_big_endian: order == 0 })
    }

    pub(super) fn is_big_endian(&self) -> bool {
        self.is_big_endian
    }

    either_endian!(u16 -> u16, i16 -> i16, u32 -> u32, f32 -> f32);

    /// Reports the last bytes read as records of `element`, numbered from `first`, each with the given
    /// numbers and names.
    pub(super) fn report_records(
        &self,
        element: Element,
        first: usize,
        num: usize,
        fields: &[(&'static str, Scalar, usize)],
    ) {
        let mut stride = 0;
        let fields: Vec<Field> = fields
            .iter()
            .map(|&(name, scalar, count)| {
                let offset = u16::try_from(stride).unwrap_or(u16::MAX);
                stride += scalar.num_bytes() * count;
                let count = u16::try_from(count).unwrap_or(u16::MAX);
                let layout = scalar.times(count).big_endian(self.is_big_endian);
                Field::new(name, offset, layout)
            })
            .collect();
        let start = self.cursor.offset().saturating_sub(stride * num);
        let span = Span::new(element, start, stride, num).from_record(first);
        self.report.span(span.with_fields(fields));
    }

    /// Reports the last `len` bytes as text.
    pub(super) fn report_text(&self, element: Element, len: usize) {
        const TEXT_FIELDS: &[Field] = &[Field::new("text", 0, Layout::TEXT)];
        let start = self.cursor.offset().saturating_sub(len);
        let span = Span::new(element, start, len, 1);
        self.report.span(span.with_fields(TEXT_FIELDS));
    }

    /// Reports the last bytes as a list of zero-terminated texts.
    pub(super) fn report_texts(&self, element: Element, texts: &[u8]) {
        let start = self.cursor.offset().saturating_sub(texts.len());
        let zeros = texts.iter().enumerate().filter(|(_, byte)| **byte == 0);
        let ends: Vec<u32> = zeros.map(|(at, _)| as_u32(at + 1)).collect();
        self.report.span(Span::varied(element, start, ends));
    }

    /// Reports trailing bytes from `start`.
    pub(super) fn report_trailing(&self, start: usize, len: usize) {
        self.report.span(Span::new(Element::Trailing, start, len, 1));
    }

    /// A count that is stored as a signed integer, but must not be negative.
    pub(super) fn count(&mut self, field: &'static str) -> Result<u32, ReadError> {
        let count = self.u32(field)?;
        match i32::try_from(count) {
            Ok(_) => Ok(count),
            Err(_) => Err(self.cursor.malformed(field, format!("{field} {count} is negative"))),
        }
    }

    pub(super) fn floats<const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[f32; N], ReadError> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.f32(field)?;
        }
        Ok(floats)
    }

    pub(super) fn u16s<const N: usize>(
        &mut self,
        field: &'static str,
    ) -> Result<[u16; N], ReadError> {
        let mut values = [0; N];
        for value in &mut values {
            *value = self.u16(field)?;
        }
        Ok(values)
    }

    /// Reads `num` values of `bytes` bytes each.
    pub(super) fn list<T>(
        &mut self,
        num: u32,
        bytes: usize,
        field: &'static str,
        mut read: impl FnMut(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        let num = self.cursor.fit(num, bytes, field)?;
        let mut list = self.cursor.vec(num, field)?;
        for _ in 0..num {
            list.push(read(self)?);
        }
        Ok(list)
    }

    /// Reads a stored list of elements without version.
    pub(super) fn plain_list<T>(
        &mut self,
        bytes: usize,
        field: &'static str,
        read: impl FnMut(&mut Self) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        let num = self.u32(field)?;
        self.report_records(Element::Count, 0, 1, &[(field, Scalar::U32, 1)]);
        self.list(num, bytes, field, read)
    }

    /// Reads the count of a stored list whose elements must have version `version`.
    pub(super) fn versioned_count(
        &mut self,
        version: u32,
        field: &'static str,
    ) -> Result<u32, ReadError> {
        let num = self.u32(field)?;
        self.report_records(Element::Count, 0, 1, &[(field, Scalar::U32, 1)]);
        if num > 0 {
            let stored = self.u32("version")?;
            self.report_records(Element::Count, 0, 1, &[("version", Scalar::U32, 1)]);
            if stored != version {
                let what = format!("{field} are of version {stored}, only {version} is read");
                return Err(self.cursor.unsupported(field, what));
            }
        }
        Ok(num)
    }

    /// Reads `len` bytes as text and reports them as `element`.
    pub(super) fn text(
        &mut self,
        len: u32,
        element: Element,
        field: &'static str,
    ) -> Result<String, ReadError> {
        let len = self.cursor.fit(len, 1, field)?;
        let bytes = self.cursor.take(len, field)?;
        match element {
            Element::BoneName => self.report_texts(element, bytes),
            element => self.report_text(element, len),
        }
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Reads the tag of the next object; `None`, without reading anything, if the remaining bytes don't start
    /// with one.
    pub(super) fn tag(&mut self) -> Result<Option<&'a str>, ReadError> {
        let start = self.cursor.offset();
        let rest = self.cursor.take(self.cursor.remaining(), "tag")?;
        let tag = tag_of(rest);
        // An unterminated tag means a truncated file, not foreign bytes.
        let is_cut = tag.is_none()
            && rest.len() < MAX_TAG_BYTES
            && (TAG_PREFIX.starts_with(rest) || rest.starts_with(TAG_PREFIX));
        let end = tag.map_or(start, |tag| start + tag.len() + 1);
        self.cursor.seek(end as u64, "tag")?;
        if is_cut {
            Err(self.cursor.malformed("tag", "the file ends inside a tag".into()))
        } else {
            Ok(tag)
        }
    }
}
