//! Buffer views compressed by meshoptimizer (`EXT_meshopt_compression`, `KHR_meshopt_compression`).
//!
//! The decoders are C++ behind safe functions that return an error code on bad input. Preconditions
//! that they merely assert (strides, counts that are multiples of 3) are checked here first.

use gltf_json::buffer;
use serde_json::Value;

use super::fault::malformed;
use crate::formats::ReadError;

const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
const FIELD: &str = "meshopt_compression";
/// The decoder's largest stride.
const MAX_STRIDE: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
enum CompressionMode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CompressionFilter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

/// Location and encoding of a compressed view.
pub(super) struct Compressed {
    pub(super) buffer: usize,
    pub(super) offset: u64,
    pub(super) len: u64,
    /// Distance between elements in bytes.
    pub(super) stride: usize,
    count: usize,
    mode: CompressionMode,
    filter: CompressionFilter,
}

impl Compressed {
    /// The compression of `view`, if it has any.
    pub(super) fn of(view: &buffer::View) -> Result<Option<Self>, ReadError> {
        let Some(extensions) = &view.extensions else { return Ok(None) };
        let mut names = NAMES.iter();
        match names.find_map(|name| extensions.others.get(*name)) {
            Some(value) => Self::parse(value).map(Some),
            None => Ok(None),
        }
    }

    fn parse(value: &Value) -> Result<Self, ReadError> {
        let number = |key: &str| match value.get(key) {
            None => Ok(0),
            Some(number) => {
                number.as_u64().ok_or_else(|| malformed(FIELD, format!("{key} is not an integer")))
            }
        };
        let length = |key: &str| {
            let number = number(key)?;
            usize::try_from(number)
                .map_err(|_| malformed(FIELD, format!("{key} {number} is too large")))
        };
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let packed = Self {
            buffer: length("buffer")?,
            offset: number("byteOffset")?,
            len: number("byteLength")?,
            stride: length("byteStride")?,
            count: length("count")?,
            mode: match text("mode") {
                "ATTRIBUTES" => CompressionMode::Attributes,
                "TRIANGLES" => CompressionMode::Triangles,
                "INDICES" => CompressionMode::Indices,
                other => return Err(malformed(FIELD, format!("unknown mode {other:?}"))),
            },
            filter: match text("filter") {
                "" | "NONE" => CompressionFilter::None,
                "OCTAHEDRAL" => CompressionFilter::Octahedral,
                "QUATERNION" => CompressionFilter::Quaternion,
                "EXPONENTIAL" => CompressionFilter::Exponential,
                "COLOR" => CompressionFilter::Color,
                other => return Err(malformed(FIELD, format!("unknown filter {other:?}"))),
            },
        };
        packed.check()?;
        Ok(packed)
    }

    /// Checks that count, stride, mode and filter match, as the extensions require.
    fn check(&self) -> Result<(), ReadError> {
        let (stride, count) = (self.stride, self.count);
        let fits = match self.mode {
            CompressionMode::Attributes => {
                stride > 0 && stride <= MAX_STRIDE && stride.is_multiple_of(4)
            }
            CompressionMode::Triangles => matches!(stride, 2 | 4) && count.is_multiple_of(3),
            CompressionMode::Indices => matches!(stride, 2 | 4),
        };
        let is_filtered_right = match self.filter {
            CompressionFilter::None => true,
            CompressionFilter::Octahedral | CompressionFilter::Color => stride == 4 || stride == 8,
            CompressionFilter::Quaternion => stride == 8,
            CompressionFilter::Exponential => stride.is_multiple_of(4),
        };
        let may_filter =
            self.mode == CompressionMode::Attributes || self.filter == CompressionFilter::None;
        if fits && is_filtered_right && may_filter {
            Ok(())
        } else {
            let what = format!("{count} elements of {stride} bytes do not fit the mode");
            Err(malformed(FIELD, what))
        }
    }

    /// Size after decompression.
    pub(super) fn num_bytes(&self) -> Result<usize, ReadError> {
        self.count
            .checked_mul(self.stride)
            .ok_or_else(|| malformed(FIELD, format!("count {} is too large", self.count)))
    }

    /// Decompresses the bytes. The caller charges them to the budget.
    pub(super) fn decode(&self, encoded: &[u8]) -> Result<Vec<u8>, ReadError> {
        if self.count == 0 {
            return Ok(Vec::new());
        }
        // The C++ decoders check the compressed bytes as they go. They don't check count and
        // stride, but `check` has, and the output has that many elements. Decoded indices may have
        // any value: the mesh reader checks them against its vertices, as it does with uncompressed
        // ones.
        let decoded = match (self.mode, self.stride) {
            (CompressionMode::Attributes, _) => self.attributes(encoded),
            (CompressionMode::Triangles, 2) => {
                meshopt::decode_index_buffer(encoded, self.count).map(from_u16)
            }
            (CompressionMode::Triangles, _) => {
                meshopt::decode_index_buffer(encoded, self.count).map(from_u32)
            }
            (CompressionMode::Indices, 2) => {
                meshopt::decode_index_sequence(encoded, self.count).map(from_u16)
            }
            (CompressionMode::Indices, _) => {
                meshopt::decode_index_sequence(encoded, self.count).map(from_u32)
            }
        };
        decoded.map_err(|error| {
            let what = format!("the compressed bytes are damaged: {error}");
            malformed(FIELD, what.to_lowercase())
        })
    }

    fn attributes(&self, encoded: &[u8]) -> meshopt::Result<Vec<u8>> {
        let count = self.count;
        match (self.filter, self.stride) {
            (CompressionFilter::None, _) => records(encoded, count, self.stride),
            (CompressionFilter::Octahedral, 4) => {
                let mut list: Vec<[i8; 4]> = meshopt::decode_vertex_buffer(encoded, count)?;
                meshopt::decode_filter_oct(&mut list);
                let bytes = list.into_iter().flatten();
                Ok(bytes.flat_map(i8::to_le_bytes).collect())
            }
            (CompressionFilter::Octahedral, _) => {
                let mut list: Vec<[i16; 4]> = meshopt::decode_vertex_buffer(encoded, count)?;
                meshopt::decode_filter_oct(&mut list);
                Ok(from_i16(list))
            }
            (CompressionFilter::Quaternion, _) => {
                let mut list: Vec<[i16; 4]> = meshopt::decode_vertex_buffer(encoded, count)?;
                meshopt::decode_filter_quat(&mut list);
                Ok(from_i16(list))
            }
            (CompressionFilter::Color, 4) => {
                let mut list: Vec<[u8; 4]> = meshopt::decode_vertex_buffer(encoded, count)?;
                meshopt::decode_filter_color(&mut list);
                Ok(list.into_flattened())
            }
            (CompressionFilter::Color, _) => {
                let mut list: Vec<[u16; 4]> = meshopt::decode_vertex_buffer(encoded, count)?;
                meshopt::decode_filter_color(&mut list);
                Ok(from_u16(list.into_flattened()))
            }
            (CompressionFilter::Exponential, stride) => {
                let bytes = records(encoded, count, stride)?;
                let (words, _) = bytes.as_chunks::<4>();
                let words = words.iter().map(|&word| [u32::from_le_bytes(word)]);
                let mut words: Vec<[u32; 1]> = words.collect();
                meshopt::decode_filter_exp(&mut words);
                Ok(from_u32(words.into_flattened()))
            }
        }
    }
}

fn from_i16(list: Vec<[i16; 4]>) -> Vec<u8> {
    let values = list.into_iter().flatten();
    values.flat_map(i16::to_le_bytes).collect()
}

fn from_u16(list: Vec<u16>) -> Vec<u8> {
    list.into_iter().flat_map(u16::to_le_bytes).collect()
}

fn from_u32(list: Vec<u32>) -> Vec<u8> {
    list.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// An element whose stride is encoded in its type, as the decoder requires.
#[derive(Clone)]
struct StrideRecord<const N: usize>([u8; N]);

impl<const N: usize> Default for StrideRecord<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

fn records_of<const N: usize>(encoded: &[u8], count: usize) -> meshopt::Result<Vec<u8>> {
    let list: Vec<StrideRecord<N>> = meshopt::decode_vertex_buffer(encoded, count)?;
    let mut bytes = Vec::with_capacity(count * N);
    for record in list {
        bytes.extend_from_slice(&record.0);
    }
    Ok(bytes)
}

macro_rules! by_stride {
    ($stride:expr, $encoded:expr, $count:expr, $($n:literal)+) => {
        match $stride {
            $($n => records_of::<$n>($encoded, $count),)+
            other => Err(meshopt::Error::Parse(format!("stride {other}"))),
        }
    };
}

fn records(encoded: &[u8], count: usize, stride: usize) -> meshopt::Result<Vec<u8>> {
    by_stride!(stride, encoded, count,
        4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64
        68 72 76 80 84 88 92 96 100 104 108 112 116 120 124 128
        132 136 140 144 148 152 156 160 164 168 172 176 180 184 188 192
        196 200 204 208 212 216 220 224 228 232 236 240 244 248 252 256)
}
