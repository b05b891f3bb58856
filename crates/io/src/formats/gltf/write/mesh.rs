//! Meshes: one per mesh of the model, with a primitive per subset; the primitives share their
//! vertices.

use std::collections::BTreeMap;

use gltf_json::accessor::Accessor;
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Index, Mesh as StoredMesh};

use super::super::primitive::MAX_UV_SETS;
use super::data::{FileData, Use, index};
use super::nodes::{Nodes, name};
use super::skin::Skins;
use super::{attributes, morph};
use crate::formats::WriteError;
use rigscope_core::model::{
    FindingKind, LooseKind, MaterialId, Mesh, Model, Place, Report, Skin, Streams, VertexData,
    as_u32, counted, singular_or_plural,
};

type Attributes = BTreeMap<Checked<Semantic>, Index<Accessor>>;

/// The meshes as written.
#[derive(Default)]
pub(super) struct WrittenMeshes {
    /// The node of each mesh; `None` for meshes without vertices, which the format can't store.
    pub(super) node_of: Vec<Option<usize>>,
    /// Morph target names per mesh in the file.
    pub(super) target_names: Vec<Vec<String>>,
}

/// Writes all meshes. `wanted` is the node that each skinned mesh was read from.
pub(super) fn write(
    model: &Model,
    wanted: &[Option<usize>],
    nodes: &mut Nodes,
    data: &mut FileData,
    report: &Report,
) -> Result<WrittenMeshes, WriteError> {
    let mut meshes = WrittenMeshes::default();
    let mut skins = Skins::default();
    let num_bones = model.skeleton.len();
    for (at, mesh) in model.meshes.iter().enumerate() {
        report.progress("writing meshes", 0.1 + 0.5 * at as f32 / model.meshes.len() as f32)?;
        let number = as_u32(at);
        let place = Place::Mesh(number);
        let streams = match &mesh.vertices {
            VertexData::Streams(streams) if !streams.positions.is_empty() => streams,
            _ => {
                report.add(
                    FindingKind::LeftOut,
                    place,
                    "the mesh has no vertices and isn't written",
                );
                meshes.node_of.push(None);
                continue;
            }
        };
        let wanted = wanted.get(at).copied().flatten();
        let node = nodes.mesh_node(mesh, wanted.filter(|&node| node < num_bones), report);
        let mut stored = vertices(model, mesh, streams, number, data, report);
        let skin = match &mesh.skin {
            Skin::InverseBind(skin) => {
                let sets = skins.add(skin, streams.positions.len(), nodes, report)?;
                for (set, (joints, weights)) in (0..).zip(&sets.list) {
                    let joints = data.joints(joints);
                    let weights = data.floats(weights, Use::Vertices);
                    stored.insert(Checked::Valid(Semantic::Joints(set)), index(joints));
                    stored.insert(Checked::Valid(Semantic::Weights(set)), index(weights));
                }
                Some(sets.skin)
            }
            _ => None,
        };
        let shapes = morph::shapes(mesh);
        let targets = morph::targets(&shapes, streams.positions.len(), data);
        let primitive = |part: PrimitiveSpec| Primitive {
            attributes: stored.clone(),
            extensions: None,
            extras: Default::default(),
            indices: part.indices.map(index),
            material: part.material.map(|id| index(id.index())),
            mode: Checked::Valid(part.mode),
            targets: (!targets.is_empty()).then(|| targets.clone()),
        };
        let parts = parts(mesh, place, data, report);
        nodes.set_mesh(node, data.root.meshes.len(), skin);
        data.root.meshes.push(StoredMesh {
            extensions: None,
            extras: Default::default(),
            name: name(&mesh.name),
            primitives: parts.into_iter().map(primitive).collect(),
            weights: (!shapes.is_empty())
                .then(|| shapes.iter().map(|shape| shape.default_weight).collect()),
        });
        meshes.node_of.push(Some(node));
        meshes.target_names.push(shapes.into_iter().map(|shape| shape.name).collect());
    }
    skins.finish(data);
    Ok(meshes)
}

/// Attributes except joints and weights.
fn vertices(
    model: &Model,
    mesh: &Mesh,
    streams: &Streams,
    number: u32,
    data: &mut FileData,
    report: &Report,
) -> Attributes {
    let mut stored = Attributes::new();
    let mut put = |semantic, accessor| {
        stored.insert(Checked::Valid(semantic), index(accessor));
    };
    let positions: Vec<_> = streams.positions.iter().map(|p| p.to_array()).collect();
    put(Semantic::Positions, data.bounded(&positions, Use::Vertices));
    let normals = attributes::normals(mesh, streams, number, report);
    if !normals.is_empty() {
        put(Semantic::Normals, data.floats(&normals, Use::Vertices));
    }
    let tangents = attributes::tangents(streams, &normals, number, report);
    if !tangents.is_empty() {
        put(Semantic::Tangents, data.floats(&tangents, Use::Vertices));
    }
    let colors = attributes::colors(streams, number, report);
    if !colors.is_empty() {
        put(Semantic::Colors(0), data.floats(&colors, Use::Vertices));
    }
    let sets = streams.uv_sets.iter().map(|set| &set.coords[..]);
    let named = streams.uv_sets.iter().enumerate();
    let num_named = named.filter(|(at, set)| !set.name.is_empty() && set.name != uv_name(*at));
    let num_named = num_named.count() as u64;
    report.add_many(FindingKind::Altered, Place::Mesh(number), num_named, || {
        "UV sets have numbers instead of names".to_owned()
    });
    let zeros = vec![glam::Vec2::ZERO; streams.positions.len()];
    // The UV set of a texture must exist (section 3.9.3).
    let num_needed = num_sets_needed(model, mesh).max(sets.len());
    let sets = sets.chain(std::iter::repeat(&zeros[..]));
    for (set, coords) in (0..MAX_UV_SETS).zip(sets.take(num_needed)) {
        let coords: Vec<_> = coords.iter().map(|uv| uv.to_array()).collect();
        put(Semantic::TexCoords(set), data.floats(&coords, Use::Vertices));
    }
    stored
}

/// The name that the reader gives a UV set.
fn uv_name(set: usize) -> String {
    format!("TEXCOORD_{set}")
}

/// Number of UV sets that the textures of a mesh's materials use.
fn num_sets_needed(model: &Model, mesh: &Mesh) -> usize {
    let of_subsets = mesh.subsets.iter().map(|subset| subset.material);
    let of_loose = mesh.loose.iter().map(|loose| loose.material);
    let materials = of_subsets.chain(of_loose).flatten();
    let materials = materials.map(|id| model.material(id));
    let sets = materials.flat_map(|m| &m.textures).map(|t| usize::from(t.uv_set) + 1);
    sets.max().unwrap_or_default()
}

/// The properties in which primitives of a mesh differ.
struct PrimitiveSpec {
    /// The accessor of the indices.
    indices: Option<usize>,
    material: Option<MaterialId>,
    mode: Mode,
}

/// Triangles by subset, then lines and points; a mesh with only vertices becomes points.
fn parts(mesh: &Mesh, place: Place, data: &mut FileData, report: &Report) -> Vec<PrimitiveSpec> {
    let num_vertices = mesh.num_vertices();
    let mut drawn = vec![false; mesh.indices.len()];
    let mut primitives = Vec::new();
    for subset in mesh.subsets.iter().filter(|subset| subset.index_count > 0) {
        let range = subset.range();
        let list: Vec<u32> = range.clone().filter_map(|at| mesh.indices.get(at)).collect();
        if let Some(drawn) = drawn.get_mut(range) {
            drawn.fill(true);
        }
        if !list.is_empty() {
            primitives.push(PrimitiveSpec {
                indices: Some(data.indices(&list, num_vertices)),
                material: subset.material,
                mode: Mode::Triangles,
            });
        }
    }
    let num_left = drawn.iter().filter(|is_drawn| !**is_drawn).count() / 3;
    if primitives.is_empty() && num_left > 0 {
        let list: Vec<u32> = mesh.indices.iter().collect();
        primitives.push(PrimitiveSpec {
            indices: Some(data.indices(&list, num_vertices)),
            material: None,
            mode: Mode::Triangles,
        });
    } else {
        report.add_many(FindingKind::LeftOut, place, num_left as u64, || {
            let belong = singular_or_plural(num_left as u64, "belongs", "belong");
            let arent = singular_or_plural(num_left as u64, "isn't", "aren't");
            let triangles = counted(num_left as u64, "triangle");
            format!("{triangles} {belong} to no subset and {arent} written")
        });
    }
    primitives.extend(mesh.loose.iter().map(|loose| PrimitiveSpec {
        indices: Some(data.indices(&loose.indices, num_vertices)),
        material: loose.material,
        mode: match loose.kind {
            LooseKind::Lines => Mode::Lines,
            LooseKind::Points => Mode::Points,
        },
    }));
    if primitives.is_empty() {
        primitives.push(PrimitiveSpec {
            indices: None,
            material: mesh.subsets.first().and_then(|subset| subset.material),
            mode: Mode::Points,
        });
    }
    primitives
}
