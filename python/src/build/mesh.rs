//! Meshes: vertices, triangles and subsets.

use pyo3::prelude::*;
use rigscope::model::value_names as names;
use rigscope::model::{
    BoneId, Indices, LooseGeometry, LooseKind, MaterialId, Mesh, Streams, Subset, UvSet, VertexData,
};

use super::dict_arg::{DictArg, vec2s, vec3s, vec4s};
use super::{morph, skin};
use crate::arrays::read_array;

pub(super) const MESH_KEYS: &[&str] = &[
    "name",
    "positions",
    "normals",
    "tangents",
    "colors",
    "uvs",
    "uv_names",
    "triangles",
    "subsets",
    "loose",
    "joints",
    "weights",
    "influences",
    "influence_positions",
    "influence_normals",
    "skin_bones",
    "inverse_bind_matrices",
    "blending",
    "attached_to",
    "hidden",
    "morph_targets",
];

pub(super) fn mesh(of: &DictArg<'_>, binds: &skin::Binds, num_materials: usize) -> PyResult<Mesh> {
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
    streams.uv_sets = uv_sets(of, num)?;
    let triangles = of.array::<u32, 2>("triangles", [None, Some(3)])?;
    let indices = triangles.map_or_else(Vec::new, |triangles| triangles.data);
    Ok(Mesh {
        name: of.text("name")?,
        subsets: subsets(of, indices.len())?,
        indices: Indices::U32(indices),
        loose: loose(of, num_materials)?,
        skin: skin::skin(of, num.unwrap_or_default(), binds)?,
        attached_to: of.typed("attached_to", "the number of a bone")?.map(BoneId),
        morph_targets: morph::targets(of, num)?,
        is_hidden: of.flag("hidden")?,
        vertices: VertexData::Streams(streams),
        ..Mesh::default()
    })
}

/// One set, or a list of sets.
fn uv_sets(of: &DictArg<'_>, num_vertices: Option<usize>) -> PyResult<Vec<UvSet>> {
    let names: Vec<String> = of.typed("uv_names", "a list of texts")?.unwrap_or_default();
    let Some(sets) = of.get("uvs")? else { return Ok(Vec::new()) };
    // Sets of different types don't form an array.
    let num_dimensions = sets.py().import("numpy")?.call_method1("ndim", (&sets,));
    let is_one = num_dimensions.and_then(|num| num.extract::<usize>()).is_ok_and(|num| num == 2);
    let sets = if is_one { vec![sets] } else { of.list("uvs", "an array or a list of arrays")? };
    if names.len() > sets.len() {
        return Err(of.wrong("uv_names", "has more names than there are UV sets"));
    }
    let names = names.into_iter().chain(std::iter::repeat(String::new()));
    let set = |(name, set)| {
        let coords = read_array::<f32, 2>(&set, &of.what("uvs"), [num_vertices, Some(2)])?;
        Ok(UvSet { name, coords: vec2s(&coords.data) })
    };
    names.zip(sets).map(set).collect()
}

fn subsets(of: &DictArg<'_>, num_indices: usize) -> PyResult<Vec<Subset>> {
    let expected = "a list of first triangle, number of triangles, and material";
    let given: Option<Vec<(u32, u32, Option<u32>)>> = of.typed("subsets", expected)?;
    let Some(given) = given else {
        let whole = u32::try_from(num_indices).map_err(|_| of.wrong("triangles", "too many"))?;
        let whole = Subset { first_index: 0, index_count: whole, material: None };
        return Ok(if num_indices > 0 { vec![whole] } else { Vec::new() });
    };
    let subset = |(first, num, material): (u32, u32, Option<u32>)| {
        let ends = first.checked_mul(3).zip(num.checked_mul(3));
        let (first_index, index_count) = ends.ok_or_else(|| of.wrong("subsets", "too many"))?;
        Ok(Subset { first_index, index_count, material: material.map(MaterialId) })
    };
    given.into_iter().map(subset).collect()
}

/// Lines and points outside triangles.
fn loose(of: &DictArg<'_>, num_materials: usize) -> PyResult<Vec<LooseGeometry>> {
    let given = of.dicts("loose", &["kind", "indices", "material"])?;
    let geometry = |of: &DictArg<'_>| {
        of.needed("kind")?;
        let kind = of.named("kind", names::LOOSE_KIND)?.unwrap_or(LooseKind::Points);
        let (indices, what) = (of.needed("indices")?, of.what("indices"));
        let indices = match kind {
            LooseKind::Lines => read_array::<u32, 2>(&indices, &what, [None, Some(2)])?,
            LooseKind::Points => read_array::<u32, 1>(&indices, &what, [None])?,
        };
        let material = of.index("material", "material", num_materials)?;
        Ok(LooseGeometry {
            kind,
            indices: indices.data,
            material: material.map(MaterialId::from_index),
        })
    };
    given.iter().map(geometry).collect()
}
