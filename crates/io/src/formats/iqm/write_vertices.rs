//! Writes vertex arrays in the number formats that every reader supports.

use super::file_builder::FileBuilder;
use super::vertices::{
    ArrayRecord, BLEND_INDEXES, BLEND_WEIGHTS, COLOR, NORMAL, POSITION, TANGENT, TEXCOORD,
};
use super::write_joints::WrittenJoints;
use crate::formats::WriteError;
use crate::formats::record::{Record, bytes_of};
use crate::formats::rigged_model::RiggedModel;
use rigscope_core::model::{Mesh, VertexData, srgb8_from_color};
use rigscope_core::pack::{MAX_PACKED_INFLUENCES, quantise_weights};

/// Number formats.
const U8: u32 = 1;
const F32: u32 = 7;
/// Sum of the stored weights of a vertex.
const WEIGHT_SUM: f32 = 255.0;
/// Vertices between two checks for cancellation.
const VERTICES_PER_LOOK: usize = 65536;

/// Records of the arrays written so far.
#[derive(Default)]
struct ArrayRecords(Vec<ArrayRecord>);

impl ArrayRecords {
    fn add(
        &mut self,
        out: &mut FileBuilder<'_>,
        kind: u32,
        format: u32,
        size: u32,
        bytes: &[u8],
    ) -> Result<(), WriteError> {
        let offset = out.append(bytes)?;
        self.0.push(ArrayRecord { kind, flags: 0, format, size, offset });
        Ok(())
    }

    fn floats<T: Record>(
        &mut self,
        out: &mut FileBuilder<'_>,
        kind: u32,
        size: u32,
        values: &[T],
    ) -> Result<(), WriteError> {
        self.add(out, kind, F32, size, &bytes_of(values))
    }
}

/// Writes all arrays of a mesh with vertices.
pub(super) fn vertices(
    out: &mut FileBuilder<'_>,
    rigged: &RiggedModel,
    mesh: &Mesh,
    joints: &WrittenJoints<'_>,
) -> Result<(), WriteError> {
    let num = mesh.num_vertices();
    let VertexData::Streams(streams) = &mesh.vertices else { return Ok(()) };
    if num == 0 {
        return Ok(());
    }
    out.report.progress("writing vertices", 0.2)?;
    let mut arrays = ArrayRecords::default();
    arrays.floats(out, POSITION, 3, &streams.positions)?;
    if let Some(set) = streams.uv_sets.first().filter(|set| set.coords.len() == num) {
        arrays.floats(out, TEXCOORD, 2, &set.coords)?;
    }
    if streams.normals.len() == num {
        arrays.floats(out, NORMAL, 3, &streams.normals)?;
    }
    if streams.tangents.len() == num {
        arrays.floats(out, TANGENT, 4, &streams.tangents)?;
    }
    if !rigged.slots.is_empty() {
        let (indexes, weights) = influences(out, rigged, joints, num)?;
        arrays.add(out, BLEND_INDEXES, U8, 4, &indexes)?;
        arrays.add(out, BLEND_WEIGHTS, U8, 4, &weights)?;
    }
    if streams.colors.len() == num {
        let colors: Vec<u8> =
            (streams.colors.iter()).flat_map(|color| srgb8_from_color(*color)).collect();
        arrays.add(out, COLOR, U8, 4, &colors)?;
    }
    out.header.vertex_arrays = out.append(&bytes_of(&arrays.0))?;
    out.header.num_vertex_arrays = FileBuilder::count("vertex arrays", arrays.0.len())?;
    out.header.num_vertices = FileBuilder::count("vertices", num)?;
    Ok(())
}

/// A fraction as a byte.
fn byte(value: f32) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 8 bits")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to 8 bits")]
    let stored = (value.clamp(0.0, 1.0) * 255.0).round() as u8;
    stored
}

/// Blend indexes and weights of all vertices, four of each.
fn influences(
    out: &FileBuilder<'_>,
    rigged: &RiggedModel,
    joints: &WrittenJoints<'_>,
    num_vertices: usize,
) -> Result<(Vec<u8>, Vec<u8>), WriteError> {
    let mut indexes = Vec::with_capacity(num_vertices * MAX_PACKED_INFLUENCES);
    let mut weights = Vec::with_capacity(num_vertices * MAX_PACKED_INFLUENCES);
    let mut list = Vec::new();
    let mut named = Vec::new();
    for vertex in 0..num_vertices {
        if vertex % VERTICES_PER_LOOK == 0 {
            let share = vertex as f32 / num_vertices as f32;
            out.report.progress("writing influences", 0.2 + 0.2 * share)?;
        }
        rigged.influences(vertex, &mut list);
        named.clear();
        named.extend(list.iter().map(|&(bone, weight)| {
            let joint = joints.number_of.get(bone).copied().unwrap_or_default();
            // Joints with vertices are among the first 256.
            (u8::try_from(joint).unwrap_or(u8::MAX), weight)
        }));
        let (bones, shares) = match as_stored(&named) {
            Some(stored) => stored,
            None => {
                let packed = quantise_weights(&named);
                (packed.bones, packed.weights)
            }
        };
        indexes.extend(bones);
        weights.extend(shares);
    }
    Ok((indexes, weights))
}

/// Weights that are multiples of 1/255 already, in their order.
fn as_stored(list: &[(u8, f32)]) -> Option<([u8; 4], [u8; 4])> {
    let (mut bones, mut weights) = ([0; 4], [0; 4]);
    let mut sum = 0.0;
    if list.len() > MAX_PACKED_INFLUENCES {
        return None;
    }
    for ((&(bone, weight), stored_bone), stored_weight) in
        list.iter().zip(&mut bones).zip(&mut weights)
    {
        (*stored_bone, *stored_weight) = (bone, byte(weight));
        sum += f32::from(*stored_weight);
        if (f32::from(*stored_weight) / WEIGHT_SUM - weight).abs() > 1e-6 {
            return None;
        }
    }
    (sum == WEIGHT_SUM).then_some((bones, weights))
}
