//! Builds meshes from nodes: primitives with the same attributes become subsets of one mesh.

use std::collections::{BTreeSet, HashMap};

use glam::Affine3A;
use gltf_json::mesh::{Mode, Primitive};
use gltf_json::validation::Checked;

use super::accessor::Integers;
use super::asset::Asset;
use super::fault::{malformed, nth, over_limit, within};
use super::geometry::GroupGeometry;
use super::instances::{self, InstanceRoom};
use super::primitive::Attributes;
use super::spans::AccessorUse;
use super::{loose, morph, triangles};
use crate::formats::ReadError;
use crate::formats::record::bytes_of;
use rigscope_core::model::numbers::grouped;
use rigscope_core::model::{
    BoneId, ByteView, Element, FindingKind, Indices, LooseGeometry, MaterialId, Mesh, MeshId,
    Place, Skin, StoredMesh, Subset, VertexData, as_u32,
};

#[derive(Default)]
pub(super) struct Meshes {
    pub(super) list: Vec<Mesh>,
    /// The meshes of each node, for its morph weights.
    pub(super) of_node: HashMap<usize, Vec<MeshId>>,
    room: InstanceRoom,
}

/// A primitive that can be shown.
struct DrawnPrimitive<'a> {
    primitive: &'a Primitive,
    mode: Mode,
    attributes: Attributes,
}

impl Meshes {
    /// Builds the meshes of all nodes in `shown`.
    pub(super) fn read(asset: &mut Asset<'_>, shown: &[bool]) -> Result<Self, ReadError> {
        let nodes = &asset.root.nodes;
        let mut meshes = Self::default();
        for (at, (node, is_shown)) in nodes.iter().zip(shown).enumerate() {
            let Some(mesh) = node.mesh else { continue };
            // `structure::scenes` reports meshes that aren't shown.
            if !is_shown {
                continue;
            }
            let fraction = at as f32 / nodes.len() as f32;
            asset.report.progress("reading meshes", 0.2 + 0.2 * fraction)?;
            meshes.of_node(asset, at, mesh.value())?;
        }
        Ok(meshes)
    }

    /// The node of each mesh, 4 bytes each, preserved for writing the file again.
    pub(super) fn nodes(&self) -> ByteView {
        let mut nodes = vec![u32::MAX; self.list.len()];
        for (&node, meshes) in &self.of_node {
            for mesh in meshes {
                if let Some(slot) = nodes.get_mut(mesh.index()) {
                    *slot = as_u32(node);
                }
            }
        }
        ByteView::whole(bytes_of(&nodes))
    }

    fn of_node(
        &mut self,
        asset: &mut Asset<'_>,
        node: usize,
        mesh: usize,
    ) -> Result<(), ReadError> {
        let stored = nth(&asset.root.meshes, mesh, "mesh")?;
        let mut drawn = Vec::new();
        for primitive in &stored.primitives {
            drawn.extend(self.drawn_primitive(asset, primitive)?);
        }
        let has_one_layout = drawn
            .windows(2)
            .all(|pair| matches!(pair, [a, b] if a.attributes.layout() == b.attributes.layout()));
        let groups: Vec<&[DrawnPrimitive<'_>]> =
            if has_one_layout { vec![&drawn] } else { drawn.chunks(1).collect() };
        let instances = instances::transforms(asset, node)?;
        for group in groups.into_iter().filter(|group| !group.is_empty()) {
            let number = as_u32(self.list.len());
            let instances = instances.as_deref();
            let made = group_mesh(asset, group, node, mesh, number, instances, &mut self.room)?;
            let made_of = self.of_node.entry(node).or_default();
            made_of.push(MeshId::from_index(self.list.len()));
            self.list.push(made);
        }
        Ok(())
    }

    /// The primitive, if it can be shown.
    fn drawn_primitive<'a>(
        &self,
        asset: &Asset<'_>,
        primitive: &'a Primitive,
    ) -> Result<Option<DrawnPrimitive<'a>>, ReadError> {
        let place = Place::Mesh(as_u32(self.list.len()));
        let mode = match primitive.mode {
            Checked::Invalid => {
                return Err(malformed("mode", "a primitive has an unknown mode"));
            }
            Checked::Valid(mode) => mode,
        };
        let Some(attributes) = Attributes::of(primitive) else {
            let what = "a primitive has no positions (POSITION) and isn't shown";
            asset.report.add(FindingKind::Dropped, place, what);
            return Ok(None);
        };
        Ok(Some(DrawnPrimitive { primitive, mode, attributes }))
    }
}

/// Builds mesh `number` of the model from primitives with the same attributes.
fn group_mesh(
    asset: &mut Asset<'_>,
    group: &[DrawnPrimitive<'_>],
    node: usize,
    mesh: usize,
    number: u32,
    instances: Option<&[Affine3A]>,
    room: &mut InstanceRoom,
) -> Result<Mesh, ReadError> {
    let stored = nth(&asset.root.meshes, mesh, "mesh")?;
    let stored_node = nth(&asset.root.nodes, node, "node")?;
    let has_influences = group.iter().all(|d| d.attributes.layout().is_skinned);
    let skin = stored_node.skin.map(|skin| skin.value());
    if skin.is_some() && !has_influences {
        asset.report.add_many(FindingKind::SkinWithoutJoints, Place::Mesh(number), 1, || {
            let (node, mesh) = (asset.node_name(node), asset.mesh_name(mesh));
            format!("{node} has a skin, but a primitive of {mesh} has no joints or no weights")
        });
    }
    let skin = skin.filter(|_| has_influences);
    let name = asset.mesh_name(mesh);
    let mut all = geometry(asset, group, skin.is_some(), number, &name, instances.is_none())?;
    if let Some(transforms) = instances {
        let num_left = if skin.is_some() {
            transforms.len().saturating_sub(1)
        } else {
            instances::expand(asset, &mut all, transforms, room)?
        };
        let (kind, place) = (FindingKind::InstancesLeftOut, Place::Mesh(number));
        asset.report.add_many(kind, place, u64::from(num_left > 0), || {
            let (node, num) = (asset.node_name(node), grouped(transforms.len() as u64));
            let why = if skin.is_some() { "it is skinned" } else { "they have too many vertices" };
            format!(
                "{node}: {} of {num} instances of {name} aren't shown, because {why}",
                grouped(num_left as u64)
            )
        });
    }
    let GroupGeometry { vertices, indices, subsets, loose } = all;
    let names = [&stored.name, &stored_node.name].into_iter().flatten();
    Ok(Mesh {
        name: names.into_iter().next().cloned().unwrap_or_default(),
        indices: Indices::U32(indices),
        subsets,
        loose,
        morph_targets: morph::targets(vertices.shapes, asset, mesh, stored_node.weights.as_deref()),
        attached_to: skin.is_none().then(|| BoneId::from_index(node)),
        skin: match skin {
            Some(skin) => Skin::InverseBind(vertices.rows.into_skin(asset, skin, number)?),
            None => Skin::None,
        },
        vertices: VertexData::Streams(vertices.streams),
        is_hidden: asset.is_hidden(node),
        rounds_morphs: false,
        stored: Some(Box::new(stored_facts(
            asset,
            group,
            stored,
            stored_node,
            node,
            instances.and_then(|all| Some((all.len(), *all.first()?))),
        ))),
    })
}

/// Facts that some runtimes need.
fn stored_facts(
    asset: &Asset<'_>,
    group: &[DrawnPrimitive<'_>],
    mesh: &gltf_json::Mesh,
    stored_node: &gltf_json::Node,
    node: usize,
    instances: Option<(usize, Affine3A)>,
) -> StoredMesh {
    let overrides = stored_node.weights.is_some();
    let num_targets = |primitive: &Primitive| primitive.targets.as_ref().map_or(0, Vec::len);
    let nums_targets: BTreeSet<usize> = mesh.primitives.iter().map(num_targets).collect();
    let skin = stored_node.skin.and_then(|skin| asset.root.skins.get(skin.value()));
    let mut attributes = group.iter().map(|drawn| &drawn.attributes);
    StoredMesh {
        mesh: stored_node.mesh.map_or(0, |mesh| mesh.value()),
        skin: stored_node.skin.map(|skin| skin.value()),
        node: stored_node.skin.is_some().then(|| BoneId::from_index(node)),
        skeleton_root: skin.and_then(|skin| Some(BoneId::from_index(skin.skeleton?.value()))),
        has_inverse_binds: skin.is_some_and(|skin| skin.inverse_bind_matrices.is_some()),
        overridden_morph_weights: overrides.then(|| mesh.weights.clone().unwrap_or_default()),
        max_integer_weight: attributes.clone().find_map(|own| own.max_integer_weight(asset)),
        has_sparse_targets: attributes.clone().any(|own| own.has_sparse_targets(asset)),
        num_primitives: mesh.primitives.len(),
        has_different_targets: nums_targets.iter().filter(|num| **num > 0).count() > 1,
        has_partial_targets: nums_targets.len() > 1 && nums_targets.contains(&0),
        has_other_modes: mesh
            .primitives
            .iter()
            .any(|own| own.mode != Checked::Valid(Mode::Triangles)),
        num_color_sets: attributes.clone().map(Attributes::num_color_sets).max().unwrap_or(0),
        targets: attributes.clone().next().map_or_else(Vec::new, Attributes::stored_targets),
        has_joints: attributes.all(|own| own.layout().is_skinned),
        is_mixed: stored_node.mesh.is_some_and(|mesh| asset.is_mixed(mesh.value())),
        instances,
    }
}

/// Geometry of a group; vertices that primitives share are read once. With `is_mapped`, the byte map
/// gets the places of vertices and triangles, which must be those of the mesh.
fn geometry(
    asset: &mut Asset<'_>,
    group: &[DrawnPrimitive<'_>],
    is_skinned: bool,
    number: u32,
    name: &str,
    is_mapped: bool,
) -> Result<GroupGeometry, ReadError> {
    let GroupGeometry { mut vertices, mut indices, mut subsets, mut loose } =
        GroupGeometry::default();
    // First vertex and number of vertices.
    let mut known: HashMap<&Attributes, (usize, usize)> = HashMap::new();
    for drawn in group {
        asset.report.progress("reading meshes", 0.3)?;
        let (base, num) = match known.get(&drawn.attributes) {
            Some(&found) => found,
            None => {
                if is_mapped {
                    drawn.attributes.add_spans(asset, number, vertices.len());
                }
                let read = drawn.attributes.read(asset, is_skinned, number, name)?;
                let found = (vertices.len(), read.len());
                vertices.append(read, asset)?;
                known.insert(&drawn.attributes, found);
                found
            }
        };
        let material = drawn.primitive.material;
        let material = material.map(|material| MaterialId::from_index(material.value()));
        if let Some(kind) = loose::kind(drawn.mode) {
            if is_mapped {
                add_index_span(asset, drawn, number, 0);
            }
            let ends = loose_of(asset, drawn, base, num, number);
            let indices = ends.map_err(within(format!("{name}, indices")))?;
            loose.push(LooseGeometry { kind, indices, material });
            continue;
        }
        let first_index = indices.len();
        if is_mapped {
            add_index_span(asset, drawn, number, first_index);
        }
        let added = triangles_of(asset, drawn, base, num, &mut indices);
        added.map_err(within(format!("{name}, indices")))?;
        let range = (u32::try_from(first_index), u32::try_from(indices.len() - first_index));
        let (Ok(first_index), Ok(index_count)) = range else {
            let what = format!("{} indices in one mesh", indices.len());
            return Err(over_limit("indices", what));
        };
        subsets.push(Subset { first_index, index_count, material });
    }
    Ok(GroupGeometry { vertices, indices, subsets, loose })
}

/// Records where the indices of a primitive are stored; indices of strips differ from the mesh's.
fn add_index_span(asset: &mut Asset<'_>, drawn: &DrawnPrimitive<'_>, mesh: u32, first: usize) {
    let Some(accessor) = drawn.primitive.indices else { return };
    let usage = AccessorUse {
        element: match drawn.mode {
            Mode::Triangles => Element::Index { mesh },
            _ => Element::Attribute,
        },
        first,
        per_record: 1,
        name: "vertex",
        integers: Integers::AsStated,
    };
    asset.add_span(accessor.value(), usage);
}

/// The indices of a primitive, or those of all its vertices if it isn't indexed; its `num` vertices
/// start at `base`.
fn indices_of(
    asset: &mut Asset<'_>,
    drawn: &DrawnPrimitive<'_>,
    base: usize,
    num: usize,
) -> Result<Vec<u32>, ReadError> {
    let too_many = || over_limit("vertices", "more vertices than indices can name");
    let base = u32::try_from(base).map_err(|_| too_many())?;
    let end = u32::try_from(num).ok().and_then(|num| base.checked_add(num));
    let end = end.ok_or_else(too_many)?;
    // An index past this primitive's vertices must not refer to the next primitive's: keep it
    // invalid.
    let shifted = |index: u32| {
        let vertex = index.checked_add(base).filter(|&vertex| vertex < end);
        vertex.unwrap_or(u32::MAX)
    };
    Ok(match drawn.primitive.indices {
        Some(accessor) => {
            let stored = asset.integers::<1>(accessor.value())?;
            stored.into_flattened().into_iter().map(shifted).collect()
        }
        None => {
            asset.charge::<u32>(num, "indices")?;
            (base..end).collect()
        }
    })
}

fn loose_of(
    asset: &mut Asset<'_>,
    drawn: &DrawnPrimitive<'_>,
    base: usize,
    num: usize,
    mesh: u32,
) -> Result<Vec<u32>, ReadError> {
    let list = indices_of(asset, drawn, base, num)?;
    if drawn.mode == Mode::Lines && list.len() % 2 > 0 {
        let what = format!("a line list has an odd number of indices ({})", list.len());
        asset.report.add(FindingKind::LoneLineEnd, Place::Mesh(mesh), what);
    }
    asset.charge::<u32>(loose::num_indices(drawn.mode, list.len()), "indices")?;
    Ok(loose::list(drawn.mode, list))
}

/// Appends the triangles of a primitive to `out`.
fn triangles_of(
    asset: &mut Asset<'_>,
    drawn: &DrawnPrimitive<'_>,
    base: usize,
    num: usize,
    out: &mut Vec<u32>,
) -> Result<(), ReadError> {
    let list = indices_of(asset, drawn, base, num)?;
    let num_left = list.len() % 3;
    if drawn.mode == Mode::Triangles && num_left > 0 {
        let what = format!("a primitive has {} indices, which isn't a multiple of 3", list.len());
        asset.report.add(FindingKind::SubsetNotTriangles, Place::File, what);
    }
    let num_made = triangles::num_indices(drawn.mode, list.len());
    // Twice: a growing list may allocate up to that.
    asset.charge::<[u32; 2]>(num_made, "indices")?;
    if drawn.mode == Mode::Triangles && out.is_empty() {
        *out = list;
        out.truncate(num_made);
        return Ok(());
    }
    if out.is_empty() { out.try_reserve_exact(num_made) } else { out.try_reserve(num_made) }
        .map_err(|_| over_limit("indices", format!("{num_made} indices do not fit")))?;
    triangles::list(drawn.mode, list, out);
    Ok(())
}
