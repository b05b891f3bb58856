//! Meshes: attributes, subsets, skins and morph targets. Every list must have one entry per vertex.

use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};

use super::parse::malformed;
use super::rows::Rows;
use super::schema::{MeshText, MorphTargetText, matrix};
use crate::formats::ReadError;
use rigscope_core::model::{
    BoneId, IdVec, Indices, Influences, InverseBindSkin, MaterialId, Mesh, MorphShape, MorphTarget,
    Skin, Streams, Subset, UvSet, VertexData, VertexId,
};

type Binds = IdVec<BoneId, Option<Affine3A>>;

/// The mesh with that number; `binds` are the inverse bind matrices of the bones at rest.
pub(super) fn mesh(number: usize, text: MeshText, binds: &Binds) -> Result<Mesh, ReadError> {
    let at = Lengths { mesh: number, num_vertices: text.positions.len() };
    let skin = skin(&text, &at, binds)?;
    let subsets = subsets(&text, &at)?;
    let morphs = text.morph_targets.into_iter().enumerate();
    let morph_targets =
        morphs.map(|(target, text)| morph_target(target, text, &at)).collect::<Result<_, _>>()?;
    let mut streams = Streams {
        positions: text.positions.into_iter().map(Vec3::from_array).collect(),
        normals: at.optional("normals", text.normals)?.into_iter().map(Vec3::from_array).collect(),
        tangents: at
            .optional("tangents", text.tangents)?
            .into_iter()
            .map(Vec4::from_array)
            .collect(),
        colors: at.optional("colors", text.colors)?.into_iter().map(Vec4::from_array).collect(),
        ..Streams::default()
    };
    let first = Some(text.uvs).filter(|uvs| !uvs.is_empty());
    for set in first.into_iter().chain(text.more_uvs) {
        let set = at.exact("uvs", set)?.into_iter();
        streams
            .uv_sets
            .push(UvSet { coords: set.map(Vec2::from_array).collect(), ..UvSet::default() });
    }
    Ok(Mesh {
        name: text.name,
        subsets,
        indices: Indices::U32(text.triangles.into_flattened()),
        skin,
        attached_to: text.attached_to.map(BoneId),
        morph_targets,
        vertices: VertexData::Streams(streams),
        ..Mesh::default()
    })
}

/// Checks the lengths of the lists of a mesh.
struct Lengths {
    mesh: usize,
    num_vertices: usize,
}

impl Lengths {
    fn fault(&self, what: &str) -> ReadError {
        malformed("meshes", format!("meshes[{}].{what}", self.mesh))
    }

    fn exact<T>(&self, name: &str, list: Vec<T>) -> Result<Vec<T>, ReadError> {
        self.check(name, list.len(), self.num_vertices, "positions")?;
        Ok(list)
    }

    /// An empty list means that the mesh doesn't have the attribute.
    fn optional<T>(&self, name: &str, list: Vec<T>) -> Result<Vec<T>, ReadError> {
        if list.is_empty() { Ok(list) } else { self.exact(name, list) }
    }

    fn check(&self, name: &str, num: usize, expected: usize, other: &str) -> Result<(), ReadError> {
        if num == expected {
            return Ok(());
        }
        Err(self.fault(&format!("{name} has {num} entries, but {other} has {expected}")))
    }
}

fn subsets(text: &MeshText, at: &Lengths) -> Result<Vec<Subset>, ReadError> {
    let too_many = || at.fault("triangles has more corners than indices can name");
    let Some(given) = &text.subsets else {
        let num = u32::try_from(text.triangles.len()).ok().and_then(|num| num.checked_mul(3));
        let index_count = num.ok_or_else(too_many)?;
        let whole = Subset { first_index: 0, index_count, material: None };
        return Ok(if index_count > 0 { vec![whole] } else { Vec::new() });
    };
    let subset = |&(first, num, material): &(u32, u32, Option<u32>)| {
        let ends = first.checked_mul(3).zip(num.checked_mul(3));
        let (first_index, index_count) = ends.ok_or_else(too_many)?;
        Ok(Subset { first_index, index_count, material: material.map(MaterialId) })
    };
    given.iter().map(subset).collect()
}

fn skin(text: &MeshText, at: &Lengths, binds: &Binds) -> Result<Skin, ReadError> {
    let (joints, weights) = match (&text.joints, &text.weights) {
        (None, None) => return Ok(Skin::None),
        (Some(joints), Some(weights)) => (joints, weights),
        (Some(_), None) => return Err(at.fault("joints needs weights")),
        (None, Some(_)) => return Err(at.fault("weights needs joints")),
    };
    at.check("joints", joints.len(), at.num_vertices, "positions")?;
    at.check("weights", weights.len(), at.num_vertices, "positions")?;
    let mut lengths = joints.lengths().zip(weights.lengths());
    if let Some(vertex) = lengths.position(|(joints, weights)| joints != weights) {
        return Err(at.fault(&format!("joints[{vertex}] and weights[{vertex}] differ in length")));
    }
    let bones: Vec<BoneId> = match &text.skin_bones {
        Some(bones) => bones.iter().copied().map(BoneId).collect(),
        None => binds.ids().collect(),
    };
    if bones.is_empty() {
        return Err(at.fault("joints needs bones"));
    }
    let bone_from_mesh: Vec<Mat4> = match &text.inverse_bind_matrices {
        Some(matrices) => {
            let other = if text.skin_bones.is_some() { "skin_bones" } else { "bones" };
            at.check("inverse_bind_matrices", matrices.len(), bones.len(), other)?;
            matrices.iter().map(matrix).collect()
        }
        None => {
            // A bone that doesn't exist is found by the check of the model.
            let at_rest = |bone: &BoneId| binds.get(*bone).copied().flatten().unwrap_or_default();
            bones.iter().map(|bone| Mat4::from(at_rest(bone))).collect()
        }
    };
    let influences = influences(joints, weights);
    Ok(Skin::InverseBind(InverseBindSkin {
        bones,
        bone_from_mesh,
        influences,
        ..InverseBindSkin::default()
    }))
}

/// Without entries of weight 0, which fill lists of a fixed length.
fn influences(joints: &Rows<u32>, weights: &Rows<f32>) -> Influences {
    let (mut first, mut slots, mut used) = (vec![0], Vec::new(), Vec::new());
    let mut pairs = joints.values.iter().zip(&weights.values);
    for num in joints.lengths() {
        for (&slot, &weight) in pairs.by_ref().take(num) {
            if weight != 0.0 {
                slots.push(slot);
                used.push(weight);
            }
        }
        first.push(u32::try_from(slots.len()).unwrap_or(u32::MAX));
    }
    Influences::Rows { first, slots, weights: used }
}

fn morph_target(
    target: usize,
    text: MorphTargetText,
    at: &Lengths,
) -> Result<MorphTarget, ReadError> {
    let path = |name: &str| format!("morph_targets[{target}].{name}");
    let num = text.position_offsets.len();
    let vertices: Vec<VertexId> = match text.vertices {
        Some(vertices) => {
            at.check(&path("position_offsets"), num, vertices.len(), "its list of vertices")?;
            if !vertices.is_sorted_by(|a, b| a < b) {
                return Err(at.fault(&format!("{} doesn't rise", path("vertices"))));
            }
            vertices.into_iter().map(VertexId).collect()
        }
        None => {
            at.check(&path("position_offsets"), num, at.num_vertices, "positions")?;
            (0..).take(num).map(VertexId).collect()
        }
    };
    if !text.normal_offsets.is_empty() {
        at.check(&path("normal_offsets"), text.normal_offsets.len(), num, "position_offsets")?;
    }
    let shape = MorphShape {
        vertices,
        position_offsets: text.position_offsets.into_iter().map(Vec3::from_array).collect(),
        normal_offsets: text.normal_offsets.into_iter().map(Vec3::from_array).collect(),
        ..MorphShape::default()
    };
    Ok(MorphTarget::single(text.name, shape))
}
