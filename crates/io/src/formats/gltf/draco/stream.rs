//! Decodes a Draco stream to arrays, by the crate `draco-core`.

use rigscope_core::model::as_u32;
use std::collections::HashMap;

use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex,
};
use gltf_json::accessor::ComponentType;

/// Largest sizes that a stream may decode to.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamLimits {
    pub(super) num_vertices: usize,
    pub(super) num_triangles: usize,
    /// Bytes of all attributes.
    pub(super) num_bytes: usize,
}

/// A decoded stream.
#[derive(Debug)]
pub(super) struct DecodedStream {
    pub(super) num_vertices: usize,
    /// The corners of the triangles; `None` for point clouds.
    pub(super) triangles: Option<Vec<u32>>,
    /// By the id that the extension uses.
    pub(super) attributes: HashMap<u32, DecodedAttribute>,
}

/// An attribute of a stream.
#[derive(Debug)]
pub(super) struct DecodedAttribute {
    pub(super) num_components: usize,
    data_type: DataType,
    is_fraction: bool,
    /// One value per vertex, tightly packed.
    bytes: Vec<u8>,
}

/// Decodes a stream, or describes why it can't be decoded.
pub(super) fn decode(bytes: &[u8], limits: StreamLimits) -> Result<DecodedStream, String> {
    /// Position of the geometry type in the header, after the magic and two version numbers.
    const TYPE_AT: usize = 7;
    let is_mesh = bytes.get(TYPE_AT) == Some(&1);
    let of_decoder = DecodeLimits::default()
        .with_max_points(limits.num_vertices as u64)
        .with_max_faces(limits.num_triangles as u64)
        .with_max_decoded_bytes(limits.num_bytes as u64);
    let mut buffer = DecoderBuffer::new(bytes).with_limits(of_decoder);
    let mut mesh = Mesh::new();
    MeshDecoder::new().decode(&mut buffer, &mut mesh).map_err(|error| error.to_string())?;
    let num_vertices = mesh.num_points();
    // The decoder's limit on points applies only to point clouds.
    if num_vertices > limits.num_vertices {
        return Err(format!("it has {num_vertices} vertices; {} are stated", limits.num_vertices));
    }
    let of_face = |face: &[PointIndex; 3]| face.map(|point| point.0);
    let triangles = is_mesh.then(|| mesh.faces().iter().flat_map(of_face).collect());
    let attributes = (0..mesh.num_attributes()).map(|attribute| {
        let attribute = mesh.try_attribute(attribute).map_err(|error| error.to_string())?;
        Ok((attribute.unique_id(), decoded(attribute, num_vertices)?))
    });
    let attributes = attributes.collect::<Result<_, String>>()?;
    Ok(DecodedStream { num_vertices, triangles, attributes })
}

/// The values of an attribute in the order of the vertices, several of which may share one.
fn decoded(attribute: &PointAttribute, num_vertices: usize) -> Result<DecodedAttribute, String> {
    let num_components = usize::from(attribute.num_components());
    let num_bytes = num_components * attribute.data_type().byte_length();
    let stride = usize::try_from(attribute.byte_stride()).unwrap_or(0);
    let stored = attribute.buffer().data();
    let missing = || format!("attribute {} has too few values", attribute.unique_id());
    let mut bytes = Vec::new();
    if attribute.is_mapping_identity() && stride == num_bytes {
        let all = num_vertices.checked_mul(num_bytes).and_then(|end| stored.get(..end));
        bytes.extend_from_slice(all.ok_or_else(missing)?);
    } else {
        bytes.reserve_exact(num_vertices.saturating_mul(num_bytes));
        for vertex in 0..as_u32(num_vertices) {
            let value = attribute.mapped_index(PointIndex(vertex)).0 as usize;
            let start = value.checked_mul(stride);
            let range = start.and_then(|start| Some(start..start.checked_add(num_bytes)?));
            let value = range.and_then(|range| stored.get(range));
            bytes.extend_from_slice(value.ok_or_else(missing)?);
        }
    }
    Ok(DecodedAttribute {
        num_components,
        data_type: attribute.data_type(),
        is_fraction: attribute.normalized(),
        bytes,
    })
}

/// The numbers of a decoded attribute.
enum Values {
    Integers(Vec<i64>),
    /// Integers that stand for fractions of the largest one.
    Fractions(Vec<i64>, i64),
    Floats(Vec<f64>),
}

impl DecodedAttribute {
    /// The values as components of the type that an accessor states; `None` if they don't fit it.
    pub(super) fn bytes_as(&self, kind: ComponentType) -> Option<Vec<u8>> {
        if component(self.data_type) == Some(kind) {
            return Some(self.bytes.clone());
        }
        match (self.values()?, kind) {
            (Values::Integers(list), ComponentType::F32) => Some(floats(list, 1)),
            (Values::Fractions(list, one), ComponentType::F32) => Some(floats(list, one)),
            #[expect(clippy::cast_possible_truncation, reason = "the accessor stores floats")]
            (Values::Floats(list), ComponentType::F32) => {
                Some(list.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect())
            }
            (Values::Integers(list) | Values::Fractions(list, _), kind) => integers(&list, kind),
            (Values::Floats(_), _) => None,
        }
    }

    fn values(&self) -> Option<Values> {
        let integers: Vec<i64> = match self.data_type {
            DataType::Int8 => components(&self.bytes, i8::from_le_bytes, i64::from),
            DataType::Uint8 | DataType::Bool => {
                components(&self.bytes, u8::from_le_bytes, i64::from)
            }
            DataType::Int16 => components(&self.bytes, i16::from_le_bytes, i64::from),
            DataType::Uint16 => components(&self.bytes, u16::from_le_bytes, i64::from),
            DataType::Int32 => components(&self.bytes, i32::from_le_bytes, i64::from),
            DataType::Uint32 => components(&self.bytes, u32::from_le_bytes, i64::from),
            DataType::Float64 => {
                return Some(Values::Floats(components(&self.bytes, f64::from_le_bytes, |v| v)));
            }
            DataType::Float32 => {
                return Some(Values::Floats(components(
                    &self.bytes,
                    f32::from_le_bytes,
                    f64::from,
                )));
            }
            DataType::Int64 | DataType::Uint64 | DataType::Invalid => return None,
        };
        let one = match self.data_type {
            DataType::Int8 => i64::from(i8::MAX),
            DataType::Uint8 => i64::from(u8::MAX),
            DataType::Int16 => i64::from(i16::MAX),
            DataType::Uint16 => i64::from(u16::MAX),
            DataType::Int32 => i64::from(i32::MAX),
            DataType::Uint32 => i64::from(u32::MAX),
            _ => 1,
        };
        Some(if self.is_fraction {
            Values::Fractions(integers, one)
        } else {
            Values::Integers(integers)
        })
    }
}

fn component(data_type: DataType) -> Option<ComponentType> {
    Some(match data_type {
        DataType::Int8 => ComponentType::I8,
        DataType::Uint8 => ComponentType::U8,
        DataType::Int16 => ComponentType::I16,
        DataType::Uint16 => ComponentType::U16,
        DataType::Uint32 => ComponentType::U32,
        DataType::Float32 => ComponentType::F32,
        _ => return None,
    })
}

fn components<const N: usize, T, U>(
    bytes: &[u8],
    of_bytes: impl Fn([u8; N]) -> T,
    widened: impl Fn(T) -> U,
) -> Vec<U> {
    let (components, _) = bytes.as_chunks::<N>();
    components.iter().map(|component| widened(of_bytes(*component))).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "the accessor stores floats")]
fn floats(list: Vec<i64>, one: i64) -> Vec<u8> {
    let fraction = |value: i64| (value as f64 / one as f64) as f32;
    list.into_iter().flat_map(|value| fraction(value).to_le_bytes()).collect()
}

fn integers(list: &[i64], kind: ComponentType) -> Option<Vec<u8>> {
    fn all<const N: usize, T: TryFrom<i64>>(
        list: &[i64],
        bytes: impl Fn(T) -> [u8; N],
    ) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(list.len() * N);
        for value in list {
            out.extend(bytes(T::try_from(*value).ok()?));
        }
        Some(out)
    }
    match kind {
        ComponentType::I8 => all(list, i8::to_le_bytes),
        ComponentType::U8 => all(list, u8::to_le_bytes),
        ComponentType::I16 => all(list, i16::to_le_bytes),
        ComponentType::U16 => all(list, u16::to_le_bytes),
        ComponentType::U32 => all(list, u32::to_le_bytes),
        ComponentType::F32 => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(data_type: DataType, is_fraction: bool, bytes: &[u8]) -> DecodedAttribute {
        DecodedAttribute { num_components: 1, data_type, is_fraction, bytes: bytes.to_vec() }
    }

    #[test]
    fn values_are_converted_to_the_type_of_the_accessor_if_they_fit() {
        let bytes = attribute(DataType::Uint8, false, &[0, 7, 255]);
        assert_eq!(bytes.bytes_as(ComponentType::U8), Some(vec![0, 7, 255]));
        assert_eq!(bytes.bytes_as(ComponentType::U16), Some(vec![0, 0, 7, 0, 255, 0]));
        assert_eq!(bytes.bytes_as(ComponentType::I8), None, "255 is out of range");
        let floats = bytes.bytes_as(ComponentType::F32).unwrap();
        assert_eq!(floats[8..], 255f32.to_le_bytes());
        let fractions = attribute(DataType::Uint8, true, &[255]);
        assert_eq!(fractions.bytes_as(ComponentType::F32), Some(1f32.to_le_bytes().to_vec()));
        let wide = attribute(DataType::Int32, false, &(-3i32).to_le_bytes());
        assert_eq!(wide.bytes_as(ComponentType::I16), Some(vec![0xfd, 0xff]));
        assert_eq!(wide.bytes_as(ComponentType::U16), None);
        let single = attribute(DataType::Float32, false, &1f32.to_le_bytes());
        assert_eq!(single.bytes_as(ComponentType::U8), None, "fractions would be lost");
        let double = attribute(DataType::Float64, false, &0.5f64.to_le_bytes());
        assert_eq!(double.bytes_as(ComponentType::F32), Some(0.5f32.to_le_bytes().to_vec()));
    }

    #[test]
    fn bytes_that_are_not_draco_are_an_error() {
        let limits = StreamLimits { num_vertices: 9, num_triangles: 9, num_bytes: 999 };
        for bytes in [&b""[..], b"DRACO", b"DRACO\x02\x02\x01\x01\0\0", &[0xff; 64]] {
            assert!(decode(bytes, limits).is_err());
        }
    }
}
