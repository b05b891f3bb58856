//! Meshes, their skins and morph targets.

use glam::{Affine3A, Mat4};
use pyo3::prelude::*;
use rigscope::model::{
    BoneId, IdVec, Indices, Influences, InverseBindSkin, MaterialId, Mesh, MorphShape, MorphTarget,
    Skin, Streams, Subset, UvSet, VertexData, VertexId,
};

use super::dict_arg::{Dict, DictArg, vec2s, vec3s, vec4s};
use crate::arrays::{read_array, read_matrices};

pub(super) const MESH_KEYS: &[&str] = &[
    "name",
    "positions",
    "normals",
    "tangents",
    "colors",
    "uvs",
    "triangles",
    "subsets",
    "joints",
    "weights",
    "influences",
    "skin_bones",
    "inverse_bind_matrices",
    "attached_to",
    "morph_targets",
];

/// Inverse bind matrices of the bones at rest.
pub(super) type Binds = IdVec<BoneId, Option<Affine3A>>;

pub(super) fn mesh(of: &DictArg<'_, '_>, binds: &Binds) -> PyResult<Mesh> {
    let positions =
        read_array::<f32, 2>(&of.needed("positions")?, &of.what("positions"), [None, Some(3)])?;
    let num = positions.shape.first().copied();
    let mut streams = Streams { positions: vec3s(&positions.data), ..Streams::default() };
    if let Some(normals) = of.array("normals", [num, Some(3)])? {
        streams.normals = vec3s(&normals.data);
    }
    if let Some(tangents) = of.array("tangents", [num, Some(4)])? {
        streams.tangents = vec4s(&tangents.data);
    }
    if let Some(colors) = of.array("colors", [num, Some(4)])? {
        streams.colors = vec4s(&colors.data);
    }
    if let Some(sets) = of.get("uvs")? {
        // A list of sets of different types isn't an array.
        let num_dimensions = sets.py().import("numpy")?.call_method1("ndim", (&sets,));
        let is_one =
            num_dimensions.and_then(|num| num.extract::<usize>()).is_ok_and(|num| num == 2);
        let sets = if is_one { vec![sets] } else { sets.extract()? };
        for set in sets {
            let coords = read_array::<f32, 2>(&set, &of.what("uvs"), [num, Some(2)])?;
            streams.uv_sets.push(UvSet { coords: vec2s(&coords.data), ..UvSet::default() });
        }
    }
    let triangles = of.array::<u32, 2>("triangles", [None, Some(3)])?;
    let indices = triangles.map_or_else(Vec::new, |triangles| triangles.data);
    Ok(Mesh {
        name: of.text("name")?,
        subsets: subsets(of, indices.len())?,
        indices: Indices::U32(indices),
        skin: skin(of, num, binds)?,
        attached_to: of.typed("attached_to", "the number of a bone")?.map(BoneId),
        morph_targets: morph_targets(of, num)?,
        vertices: VertexData::Streams(streams),
        ..Mesh::default()
    })
}

fn subsets(of: &DictArg<'_, '_>, num_indices: usize) -> PyResult<Vec<Subset>> {
    let Some(given) = of.get("subsets")? else {
        let whole = u32::try_from(num_indices).map_err(|_| of.wrong("triangles", "too many"))?;
        let whole = Subset { first_index: 0, index_count: whole, material: None };
        return Ok(if num_indices > 0 { vec![whole] } else { Vec::new() });
    };
    let given: Vec<(u32, u32, Option<u32>)> = given.extract()?;
    let subset = |(first, num, material): (u32, u32, Option<u32>)| {
        let ends = first.checked_mul(3).zip(num.checked_mul(3));
        let (first_index, index_count) = ends.ok_or_else(|| of.wrong("subsets", "too many"))?;
        Ok(Subset { first_index, index_count, material: material.map(MaterialId) })
    };
    given.into_iter().map(subset).collect()
}

fn skin(of: &DictArg<'_, '_>, num_vertices: Option<usize>, binds: &Binds) -> PyResult<Skin> {
    let influences = match (of.get("influences")?, of.get("joints")?) {
        (None, None) => return Ok(Skin::None),
        (Some(rows), _) => {
            let (first, slots, weights): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>) =
                rows.extract()?;
            let what = of.what("influences");
            let slots = read_array::<u32, 1>(&slots, &what, [None])?;
            let weights = read_array::<f32, 1>(&weights, &what, [Some(slots.data.len())])?;
            let num_first = num_vertices.map(|num| num + 1);
            let first = read_array::<u32, 1>(&first, &what, [num_first])?.data;
            let ends = (first.first().copied(), first.last().map(|last| *last as usize));
            if ends != (Some(0), Some(slots.data.len())) || !first.is_sorted() {
                let why =
                    "the first entry of each vertex must rise from 0 to the number of entries";
                return Err(of.wrong("influences", why));
            }
            Influences::Rows { first, slots: slots.data, weights: weights.data }
        }
        (None, Some(joints)) => {
            let joints = read_array::<u32, 2>(&joints, &of.what("joints"), [num_vertices, None])?;
            let width = joints.shape.get(1).copied().unwrap_or(0);
            let shape = [num_vertices, Some(width)];
            let weights =
                read_array::<f32, 2>(&of.needed("weights")?, &of.what("weights"), shape)?.data;
            let width = width.max(1);
            let rows = joints.data.chunks_exact(width).zip(weights.chunks_exact(width));
            let rows = rows.map(|(slots, weights)| {
                let pairs = slots.iter().copied().zip(weights.iter().copied());
                pairs.filter(|(_, weight)| *weight != 0.0).collect::<Vec<_>>()
            });
            let rows: Vec<_> = rows.collect();
            Influences::from_lists(rows.iter().map(Vec::as_slice))
        }
    };
    let given = of.get("inverse_bind_matrices")?;
    let given = given.map(|value| read_matrices(&value, &of.what("inverse_bind_matrices")));
    let given = given.transpose()?;
    let bones: Vec<BoneId> = match (of.array::<u32, 1>("skin_bones", [None])?, &given) {
        (Some(bones), _) => bones.data.into_iter().map(BoneId).collect(),
        (None, Some(matrices)) => (0..).take(matrices.len()).map(BoneId).collect(),
        (None, None) => binds.ids().collect(),
    };
    if bones.is_empty() {
        return Err(of.wrong("skin_bones", "joints require bones"));
    }
    let bone_from_mesh: Vec<Mat4> = match given {
        Some(matrices) if matrices.len() == bones.len() => matrices,
        Some(_) => {
            let why = "must have one matrix per entry of skin_bones";
            return Err(of.wrong("inverse_bind_matrices", why));
        }
        None => {
            // A bone that doesn't exist is found by the check of the model.
            let at_rest = |bone: &BoneId| binds.get(*bone).copied().flatten().unwrap_or_default();
            bones.iter().map(|bone| Mat4::from(at_rest(bone))).collect()
        }
    };
    Ok(Skin::InverseBind(InverseBindSkin {
        bones,
        bone_from_mesh,
        influences,
        ..InverseBindSkin::default()
    }))
}

fn morph_targets(of: &DictArg<'_, '_>, num_vertices: Option<usize>) -> PyResult<Vec<MorphTarget>> {
    let Some(given) = of.get("morph_targets")? else { return Ok(Vec::new()) };
    let given: Vec<Dict<'_>> = given.extract()?;
    let target = |(number, dict)| {
        let keys = &["name", "vertices", "position_offsets", "normal_offsets"];
        let of = DictArg::new("morph_targets", number, dict, keys)?;
        let what = of.what("position_offsets");
        let vertices = of.array::<u32, 1>("vertices", [None])?;
        let num = vertices.as_ref().map_or(num_vertices, |vertices| Some(vertices.data.len()));
        let offsets = of.needed("position_offsets")?;
        let offsets = read_array::<f32, 2>(&offsets, &what, [num, Some(3)])?;
        let normals = of.array::<f32, 2>("normal_offsets", [num, Some(3)])?;
        let all = || (0..).take(offsets.data.len() / 3).collect();
        let vertices: Vec<u32> = vertices.map_or_else(all, |vertices| vertices.data);
        let shape = MorphShape {
            vertices: vertices.into_iter().map(VertexId).collect(),
            position_offsets: vec3s(&offsets.data),
            normal_offsets: normals.map_or_else(Vec::new, |normals| vec3s(&normals.data)),
            ..MorphShape::default()
        };
        Ok(MorphTarget::single(of.text("name")?, shape))
    };
    given.iter().enumerate().map(target).collect()
}
