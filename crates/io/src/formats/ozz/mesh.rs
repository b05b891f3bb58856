//! Reads `ozz-sample-Mesh`: parts of vertices with equal numbers of influences, and one list of triangles.

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::archive::Archive;
use crate::formats::ReadError;
use rigscope_core::model::{
    BoneId, Element, Indices, Influences, InverseBindSkin, Mesh, Scalar, Skin, Streams, UvSet,
    VertexData, as_u32, color_from_srgb8,
};

/// Version of the mesh and of its parts.
pub(super) const VERSION: u32 = 1;
/// Size of seven empty lists.
const PART_MIN_BYTES: usize = 7 * 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PartShape {
    pub(super) num_vertices: usize,
    pub(super) num_influences: usize,
    pub(super) has_normals: bool,
    pub(super) has_tangents: bool,
    pub(super) has_uvs: bool,
    pub(super) has_colors: bool,
}

/// A mesh with the data for its details.
pub(super) struct MeshObject {
    pub(super) mesh: Mesh,
    /// The parts of the mesh.
    pub(super) parts: Vec<PartShape>,
    /// Stored v of each vertex in parts that have UVs.
    pub(super) up: Vec<f32>,
}

impl MeshObject {
    /// The highest joint number used by the mesh.
    pub(super) fn highest_joint(&self) -> Option<usize> {
        match &self.mesh.skin {
            Skin::InverseBind(skin) => skin.bones.iter().map(|bone| bone.index()).max(),
            _ => None,
        }
    }
}

/// The accumulated vertices of all parts.
#[derive(Default)]
struct Vertices {
    streams: Streams,
    uvs: Vec<Vec2>,
    first: Vec<u32>,
    slots: Vec<u32>,
    weights: Vec<f32>,
    parts: Vec<PartShape>,
    up: Vec<f32>,
}

/// Reads the data after the version of mesh number `mesh`.
pub(super) fn read(
    archive: &mut Archive<'_>,
    version: u32,
    mesh: u32,
) -> Result<MeshObject, ReadError> {
    if version != VERSION {
        let what = format!("sample mesh version {version}, only {VERSION} is read");
        return Err(archive.cursor.unsupported("sample mesh version", what));
    }
    let num_parts = archive.versioned_count(VERSION, "mesh parts")?;
    let mut vertices = Vertices { first: vec![0], ..Vertices::default() };
    archive
        .list(num_parts, PART_MIN_BYTES, "mesh parts", |archive| vertices.part(archive, mesh))?;
    let field = "triangle indices";
    let indices = archive.plain_list(2, field, |a| Ok(u32::from(a.u16(field)?)))?;
    let element = Element::Index { mesh };
    archive.report_records(element, 0, indices.len(), &[("vertex", Scalar::U16, 1)]);
    let field = "joint remaps";
    let remaps = archive.plain_list(2, field, |a| Ok(BoneId(u32::from(a.u16(field)?))))?;
    let element = Element::SkinBone { mesh };
    archive.report_records(element, 0, remaps.len(), &[("joint", Scalar::U16, 1)]);
    let field = "inverse bind poses";
    let inverse_binds = archive
        .plain_list(64, field, |archive| Ok(Mat4::from_cols_array(&archive.floats(field)?)))?;
    let matrix = ["column 0", "column 1", "column 2", "column 3"].map(|c| (c, Scalar::F32, 4));
    let element = Element::SkinInverseBind { mesh };
    archive.report_records(element, 0, inverse_binds.len(), &matrix);
    if inverse_binds.len() != remaps.len() {
        let (num, num_remaps) = (inverse_binds.len(), remaps.len());
        let what = format!("{num} inverse bind poses belong to {num_remaps} joint remaps");
        return Err(archive.cursor.malformed(field, what));
    }
    Ok(vertices.finish(indices, remaps, inverse_binds))
}

impl Vertices {
    fn part(&mut self, archive: &mut Archive<'_>, mesh: u32) -> Result<(), ReadError> {
        let element = Element::Vertex { mesh };
        let first = self.streams.positions.len();
        let positions = components::<3>(archive, element, first, "positions")?;
        let normals = components::<3>(archive, element, first, "normals")?;
        let tangents = components::<4>(archive, element, first, "tangents")?;
        let uvs = components::<2>(archive, element, first, "uvs")?;
        let field = "colors";
        let colors = archive.plain_list(1, field, |a| a.cursor.u8_le(field))?;
        let (colors, _) = colors.as_chunks::<4>();
        archive.report_records(element, first, colors.len(), &[(field, Scalar::Unorm8, 4)]);
        let field_of_joints = "joint indices";
        let joints = archive.plain_list(2, field_of_joints, |a| a.u16(field_of_joints))?;
        let field = "joint weights";
        let num = positions.len();
        let each = |values: usize| values.checked_div(num).filter(|each| each * num == values);
        if let Some(each) = each(joints.len()) {
            archive.report_records(element, first, num, &[(field_of_joints, Scalar::U16, each)]);
        }
        let weights = archive.plain_list(4, field, |a| a.f32(field))?;
        if let Some(each) = each(weights.len()) {
            archive.report_records(element, first, num, &[(field, Scalar::F32, each)]);
        }
        let lens = [normals.len(), tangents.len(), uvs.len(), colors.len()];
        if let Some(len) = lens.into_iter().find(|&len| len != 0 && len != num) {
            let what = format!("{len} values of an attribute belong to {num} vertices");
            return Err(archive.cursor.malformed("mesh part", what));
        }
        let num_influences = joints.len().checked_div(num).unwrap_or(0);
        let num_weights = num_influences.saturating_sub(1) * num;
        if num_influences * num != joints.len() || num_weights != weights.len() {
            let what = format!(
                "{} joint indices and {} weights belong to {num} vertices",
                joints.len(),
                weights.len()
            );
            return Err(archive.cursor.malformed("mesh part", what));
        }

        let first = self.streams.positions.len();
        let streams = &mut self.streams;
        streams.positions.extend(positions.iter().map(|&p| Vec3::from_array(p)));
        append(
            &mut streams.normals,
            first,
            num,
            normals.iter().map(|&n| Vec3::from_array(n)),
            Vec3::ZERO,
        );
        append(
            &mut streams.tangents,
            first,
            num,
            tangents.iter().map(|&t| Vec4::from_array(t)),
            Vec4::ZERO,
        );
        // v points up in the file.
        append(
            &mut self.uvs,
            first,
            num,
            uvs.iter().map(|&[u, v]| Vec2::new(u, 1.0 - v)),
            Vec2::ZERO,
        );
        let colors_here = colors.iter().map(|&bytes| color_from_srgb8(bytes));
        append(&mut streams.colors, first, num, colors_here, Vec4::ONE);
        self.influences(&joints, &weights, num, num_influences);
        self.up.extend(uvs.iter().map(|[_, v]| *v));
        self.parts.push(PartShape {
            num_vertices: num,
            num_influences,
            has_normals: !normals.is_empty(),
            has_tangents: !tangents.is_empty(),
            has_uvs: !uvs.is_empty(),
            has_colors: !colors.is_empty(),
        });
        Ok(())
    }

    /// Reads `num` rows; the last weight of each is 1 minus the others.
    fn influences(&mut self, joints: &[u16], weights: &[f32], num: usize, num_influences: usize) {
        let mut joints = joints.iter();
        let mut weights = weights.iter();
        for _ in 0..num {
            let mut sum = 0.0;
            self.slots.extend(joints.by_ref().take(num_influences).map(|&joint| u32::from(joint)));
            for &weight in weights.by_ref().take(num_influences.saturating_sub(1)) {
                sum += weight;
                self.weights.push(weight);
            }
            if num_influences > 0 {
                // `max` would silently turn NaN into 0.
                let last = 1.0 - sum;
                self.weights.push(if last < 0.0 { 0.0 } else { last });
            }
            self.first.push(as_u32(self.slots.len()));
        }
    }

    fn finish(
        self,
        indices: Vec<u32>,
        bones: Vec<BoneId>,
        bone_from_mesh: Vec<Mat4>,
    ) -> MeshObject {
        let mut streams = self.streams;
        let num = streams.positions.len();
        fill(&mut streams.normals, num, Vec3::ZERO);
        fill(&mut streams.tangents, num, Vec4::ZERO);
        fill(&mut streams.colors, num, Vec4::ONE);
        let mut coords = self.uvs;
        fill(&mut coords, num, Vec2::ZERO);
        if !coords.is_empty() {
            streams.uv_sets.push(UvSet { name: String::new(), coords });
        }
        let skin = if bones.is_empty() {
            Skin::None
        } else {
            Skin::InverseBind(InverseBindSkin {
                bones,
                bone_from_mesh,
                influences: Influences::Rows {
                    first: self.first,
                    slots: self.slots,
                    weights: self.weights,
                },
                ..InverseBindSkin::default()
            })
        };
        MeshObject {
            mesh: Mesh {
                vertices: VertexData::Streams(streams),
                indices: Indices::U32(indices),
                skin,
                ..Mesh::default()
            },
            parts: self.parts,
            up: self.up,
        }
    }
}

/// Reads a stored list of floats, `N` per vertex.
fn components<const N: usize>(
    archive: &mut Archive<'_>,
    element: Element,
    first: usize,
    field: &'static str,
) -> Result<Vec<[f32; N]>, ReadError> {
    let floats = archive.plain_list(4, field, |archive| archive.f32(field))?;
    let (values, rest) = floats.as_chunks::<N>();
    archive.report_records(element, first, values.len(), &[(field, Scalar::F32, N)]);
    if !rest.is_empty() {
        let what = format!("{} numbers do not make {field} of {N} each", floats.len());
        return Err(archive.cursor.malformed(field, what));
    }
    Ok(values.to_vec())
}

/// Appends a part's attribute, which other parts may lack; their vertices get `missing`.
fn append<T: Copy>(
    all: &mut Vec<T>,
    first: usize,
    num: usize,
    values: impl ExactSizeIterator<Item = T>,
    missing: T,
) {
    if num > 0 && values.len() == num {
        all.resize(first, missing);
        all.extend(values);
    }
}

/// Extends an attribute to the number of positions, or leaves it empty.
fn fill<T: Copy>(all: &mut Vec<T>, num: usize, missing: T) {
    if !all.is_empty() {
        all.resize(num, missing);
    }
}
