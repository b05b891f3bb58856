//! Writes `ozz-sample-Mesh`.
//!
//! Materials, names and subsets aren't stored; triangles are one list for all parts.

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::archive_writer::{ArchiveWriter, too_many};
use super::influences::{Rows, as_kept, bucketed, slots};
use super::mesh::{PartShape, VERSION};
use super::objects::MESH;
use super::originals::OriginalMesh;
use super::write_skeleton::Joints;
use crate::formats::WriteError;
use rigscope_core::model::{Mesh, Report, Skin, Streams, VertexData, as_u32, srgb8_from_color};

/// Triangles have 16-bit indices, and `fbx2mesh` refuses more vertices.
const MAX_VERTICES: usize = 65_535;

/// Writes a plain mesh without morph targets that isn't attached to a bone. Returns the mesh vertex of each
/// written vertex.
pub(super) fn put(
    out: &mut ArchiveWriter,
    mesh: &Mesh,
    joints: &Joints,
    kept: Option<&OriginalMesh>,
    report: &Report,
) -> Result<Vec<u32>, WriteError> {
    report.progress("writing meshes", 0.1)?;
    let VertexData::Streams(streams) = &mesh.vertices else { return Ok(Vec::new()) };
    let num = mesh.num_vertices();
    if num > MAX_VERTICES && !mesh.indices.is_empty() {
        return Err(too_many("vertices in a mesh", num, MAX_VERTICES as u64));
    }
    let as_read = kept.and_then(|kept| Some((kept, as_kept(mesh, &kept.parts)?)));
    let (kept, mut rows) = match as_read {
        Some((kept, rows)) => (Some(kept), rows),
        None => {
            let num_slots = match &mesh.skin {
                Skin::InverseBind(skin) => skin.bones.len(),
                Skin::None | Skin::BoneLocal(_) => 0,
            };
            let still = as_u32(num_slots);
            (None, bucketed(mesh, still))
        }
    };
    let slots = slots(mesh, &mut rows, joints, kept.is_some());
    if slots.joints.len() > usize::from(u16::MAX) {
        return Err(too_many("joints of a mesh", slots.joints.len(), u64::from(u16::MAX)));
    }
    out.object(MESH, VERSION);
    out.count("mesh parts", rows.parts.len())?;
    if !rows.parts.is_empty() {
        out.u32(VERSION);
    }
    let all = PartShape {
        has_normals: streams.normals.len() == num,
        has_tangents: streams.tangents.len() == num,
        has_uvs: streams.uv_sets.first().is_some_and(|set| set.coords.len() == num),
        has_colors: streams.colors.len() == num,
        ..PartShape::default()
    };
    let (mut first, mut first_influence) = (0, 0);
    for (number, &(num_vertices, num_influences)) in rows.parts.iter().enumerate() {
        let shape = kept.and_then(|kept| kept.parts.get(number)).unwrap_or(&all);
        let part = PartWriter {
            vertices: rows.order.get(first..first + num_vertices).unwrap_or_default(),
            shape,
            up: kept.map_or(&[], |kept| &kept.up),
        };
        part.put(out, streams)?;
        let end = first_influence + num_vertices * num_influences;
        let influences = rows.influences.get(first_influence..end).unwrap_or_default();
        put_influences(out, influences, num_influences)?;
        (first, first_influence) = (first + num_vertices, end);
        report.progress("writing meshes", first as f32 / num as f32)?;
    }
    put_triangles(out, mesh, &rows)?;
    out.list("joints of a mesh", &slots.joints)?;
    out.count("inverse bind poses", slots.sources.len())?;
    for source in slots.sources {
        let stored = match &mesh.skin {
            Skin::InverseBind(skin) => source.and_then(|slot| skin.bone_from_mesh.get(slot)),
            Skin::None | Skin::BoneLocal(_) => None,
        };
        out.f32s(stored.copied().unwrap_or(Mat4::IDENTITY).to_cols_array());
    }
    let number = |vertex: &usize| as_u32(*vertex);
    Ok(rows.order.iter().map(number).collect())
}

struct PartWriter<'a> {
    vertices: &'a [usize],
    shape: &'a PartShape,
    up: &'a [f32],
}

impl PartWriter<'_> {
    fn put(&self, out: &mut ArchiveWriter, streams: &Streams) -> Result<(), WriteError> {
        let list = self.of(&streams.positions, true, Vec3::to_array);
        out.list("positions", list.as_flattened())?;
        let list = self.of(&streams.normals, self.shape.has_normals, Vec3::to_array);
        out.list("normals", list.as_flattened())?;
        let list = self.of(&streams.tangents, self.shape.has_tangents, |t: &Vec4| t.to_array());
        out.list("tangents", list.as_flattened())?;
        let coords = streams.uv_sets.first().map_or(&[][..], |set| &set.coords);
        let mut list = self.of(coords, self.shape.has_uvs, Vec2::to_array);
        for ([_, v], vertex) in list.iter_mut().zip(self.vertices) {
            // v points up in the file.
            let stored = self.up.get(*vertex).copied();
            let is_same = |stored: &f32| (1.0 - stored).to_bits() == v.to_bits();
            *v = stored.filter(is_same).unwrap_or(1.0 - *v);
        }
        out.list("uvs", list.as_flattened())?;
        let list = self.of(&streams.colors, self.shape.has_colors, |c: &Vec4| srgb8_from_color(*c));
        out.count("colours", list.as_flattened().len())?;
        out.bytes(list.as_flattened());
        Ok(())
    }

    /// An attribute of the part's vertices; empty if the mesh lacks it.
    fn of<T, const N: usize, C>(
        &self,
        values: &[T],
        is_there: bool,
        components: impl Fn(&T) -> [C; N],
    ) -> Vec<[C; N]> {
        let vertices = self.vertices.iter().filter(|_| is_there);
        vertices.filter_map(|vertex| values.get(*vertex).map(&components)).collect()
    }
}

/// Joint indices, and all weights except the last of each vertex.
fn put_influences(
    out: &mut ArchiveWriter,
    influences: &[(u32, f32)],
    num_influences: usize,
) -> Result<(), WriteError> {
    let slot = |&(slot, _): &(u32, f32)| u16::try_from(slot).unwrap_or(u16::MAX);
    let slots: Vec<u16> = influences.iter().map(slot).collect();
    out.list("joint indices", &slots)?;
    let mut weights = Vec::new();
    if num_influences > 1 {
        for row in influences.chunks(num_influences) {
            let stored = row.split_last().map_or(&[][..], |(_, stored)| stored);
            weights.extend(stored.iter().map(|(_, weight)| *weight));
        }
    }
    out.list("joint weights", &weights)
}

fn put_triangles(out: &mut ArchiveWriter, mesh: &Mesh, rows: &Rows) -> Result<(), WriteError> {
    let mut place_of = vec![0u16; rows.order.len()];
    for (place, vertex) in rows.order.iter().enumerate() {
        if let Some(slot) = place_of.get_mut(*vertex) {
            *slot = u16::try_from(place).unwrap_or(u16::MAX);
        }
    }
    let place = |vertex: u32| place_of.get(vertex as usize).copied().unwrap_or_default();
    let indices: Vec<u16> = mesh.indices.iter().map(place).collect();
    out.list("triangle indices", &indices)
}
