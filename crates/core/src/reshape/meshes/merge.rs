//! Merges meshes.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::normals::with_normals_as_others;
use crate::model::{
    Blending, Bone, BoneId, Indices, Influences, InverseBindSkin, LooseGeometry, Mesh, MeshId,
    MeshOrigins, Model, MorphTarget, Motion, NodeTransform, Origin, Origins, Skeleton, Skin,
    SkinNormals, Streams, Subset, UvSet, VertexAt, VertexData, VertexId,
};
use crate::reshape::error::ReshapeError;
use crate::reshape::float::forget_source;
use crate::reshape::keys::check_num_cached;
use crate::reshape::mirrored_winding::skin_attached_meshes;

/// All meshes of a plain model merged into one, with the origins of vertices. Missing normals are generated
/// if any mesh has some, other missing attributes get neutral values, subsets stay separate, meshes on bones
/// get one influence, and unattached meshes get a new bone if others are skinned.
///
/// # Errors
/// If vertex animations, which then move the vertices of all meshes, would take too much memory.
pub fn merged(model: &Model) -> Result<(Model, Origins), ReshapeError> {
    if model.meshes.len() < 2 {
        return Ok((model.clone(), Origins::same(model)));
    }
    check_num_cached(model)?;
    check_num_merged(&model.meshes)?;
    let (mut out, _, with_normals) = with_normals_as_others(model);
    if !hang_on_one(&out.meshes) {
        (out, _) = skin_attached_meshes(&out);
    }
    let source = out.clone();
    let model = &source;
    forget_source(&mut out);
    let first_vertices = first_vertices(&model.meshes);
    let (skin, attached_to) = skin(&mut out);
    let mut mesh = Mesh {
        name: out.meshes.first().map(|m| m.name.clone()).unwrap_or_default(),
        vertices: VertexData::Streams(streams(&model.meshes)),
        skin,
        attached_to,
        ..Mesh::default()
    };
    let mut indices = Vec::new();
    for (source, &first_vertex) in model.meshes.iter().zip(&first_vertices) {
        let first_index = VertexId::from_index(indices.len()).0;
        indices.extend(source.indices.iter().map(|index| index + first_vertex));
        let moved =
            |subset: &Subset| Subset { first_index: subset.first_index + first_index, ..*subset };
        mesh.subsets.extend(source.subsets.iter().map(moved));
        let moved = |loose: &LooseGeometry| LooseGeometry {
            indices: loose.indices.iter().map(|i| i + first_vertex).collect(),
            ..loose.clone()
        };
        mesh.loose.extend(source.loose.iter().map(moved));
        mesh.morph_targets.extend(targets(source, first_vertex));
    }
    mesh.indices = Indices::U32(indices);
    retarget(&mut out, model, &first_vertices);
    let own = Origins { meshes: vec![joined_origins(&model.meshes)], ..Origins::same(model) };
    let num = [mesh.num_vertices()];
    let num_between: Vec<usize> = model.meshes.iter().map(Mesh::num_vertices).collect();
    out.meshes = vec![mesh].into();
    Ok((out, own.after(&num, &with_normals, &num_between)))
}

/// Vertices of all meshes, one mesh after another.
fn joined_origins(meshes: &[Mesh]) -> MeshOrigins {
    let all = meshes.iter().enumerate().flat_map(|(mesh, own)| {
        (0..own.num_vertices()).map(move |vertex| Origin::Vertex(VertexAt::new(mesh, vertex)))
    });
    MeshOrigins::Listed((0u32..).zip(all).collect())
}

/// Rejects meshes with too many vertices or indices for one mesh.
fn check_num_merged(meshes: &[Mesh]) -> Result<(), ReshapeError> {
    let num_vertices: usize = meshes.iter().map(Mesh::num_vertices).sum();
    let num_indices: usize = meshes.iter().map(|mesh| mesh.indices.len()).sum();
    for (what, count) in
        [("vertices of one mesh", num_vertices), ("indices of one mesh", num_indices)]
    {
        if u32::try_from(count).is_err() {
            return Err(ReshapeError::TooMany { what, count, limit: u32::MAX as usize });
        }
    }
    Ok(())
}

/// The number of each mesh's first vertex in the merged mesh.
fn first_vertices(meshes: &[Mesh]) -> Vec<u32> {
    let mut next = 0;
    let first = |mesh: &Mesh| {
        let first = next;
        next += mesh.num_vertices();
        VertexId::from_index(first).0
    };
    meshes.iter().map(first).collect()
}

fn streams(meshes: &[Mesh]) -> Streams {
    let all: Vec<&Streams> = (meshes.iter())
        .filter_map(|mesh| match &mesh.vertices {
            VertexData::Streams(streams) => Some(streams),
            VertexData::Packed(_) => None,
        })
        .collect();
    let mut out = Streams {
        positions: joined(&all, |s| Some(&s.positions), Vec3::ZERO),
        normals: joined(&all, |s| Some(&s.normals), Vec3::ZERO),
        tangents: joined(&all, |s| Some(&s.tangents), Vec4::W),
        colors: joined(&all, |s| Some(&s.colors), Vec4::ONE),
        uv_sets: Vec::new(),
    };
    let num_sets = all.iter().map(|s| s.uv_sets.len()).max().unwrap_or(0);
    for set in 0..num_sets {
        let coords = |s: &'_ Streams| s.uv_sets.get(set).map(|set| set.coords.clone());
        let mut all_coords = Vec::new();
        for streams in &all {
            let num = streams.positions.len();
            all_coords.extend(coords(streams).unwrap_or_else(|| vec![Vec2::ZERO; num]));
        }
        let names = all.iter().filter_map(|s| s.uv_sets.get(set));
        out.uv_sets.push(UvSet {
            name: names.map(|set| set.name.clone()).next().unwrap_or_default(),
            coords: all_coords,
        });
    }
    out
}

/// One attribute of all meshes; empty if no mesh has it.
fn joined<T: Copy>(
    all: &[&Streams],
    get: impl Fn(&Streams) -> Option<&Vec<T>>,
    missing: T,
) -> Vec<T> {
    let has = |streams: &Streams| get(streams).is_some_and(|list| !list.is_empty());
    if !all.iter().any(|streams| has(streams)) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for streams in all {
        match get(streams) {
            Some(list) if !list.is_empty() => out.extend_from_slice(list),
            _ => out.resize(out.len() + streams.positions.len(), missing),
        }
    }
    out
}

/// Whether the merged mesh needs no skin, because one node or none moves all meshes.
fn hang_on_one(meshes: &[Mesh]) -> bool {
    let first = meshes.first().and_then(|mesh| mesh.attached_to);
    let mut meshes = meshes.iter();
    meshes.all(|mesh| matches!(mesh.skin, Skin::None) && mesh.attached_to == first)
}

/// The skin of the merged mesh. Adds bones for unattached meshes to `model`.
fn skin(model: &mut Model) -> (Skin, Option<BoneId>) {
    if hang_on_one(&model.meshes) {
        let first = model.meshes.first().and_then(|mesh| mesh.attached_to);
        return (Skin::None, first);
    }
    let mut slots: Vec<(BoneId, Mat4)> = Vec::new();
    let mut known: HashMap<(BoneId, [u32; 16]), u32> = HashMap::new();
    let mut slot_of = |bone: BoneId, bind: Mat4| {
        let bits = bind.to_cols_array().map(f32::to_bits);
        *known.entry((bone, bits)).or_insert_with(|| {
            slots.push((bone, bind));
            VertexId::from_index(slots.len() - 1).0
        })
    };
    let mut bones = model.skeleton.bones().to_vec();
    let mut lists: Vec<Vec<(u32, f32)>> = Vec::new();
    let mut shares: Vec<f32> = Vec::new();
    for mesh in &model.meshes {
        let num = mesh.num_vertices();
        match &mesh.skin {
            Skin::InverseBind(skin) => {
                let new_slots: Vec<u32> = (skin.bones.iter().enumerate())
                    .map(|(slot, &bone)| {
                        let bind = skin.bone_from_mesh.get(slot).copied();
                        slot_of(bone, bind.unwrap_or(Mat4::IDENTITY))
                    })
                    .collect();
                for vertex in 0..num {
                    let renumbered =
                        |(slot, weight): (u32, f32)| Some((*new_slots.get(slot as usize)?, weight));
                    lists.push(skin.influences.row(vertex).filter_map(renumbered).collect());
                    shares.push(skin.blending.dual_quaternion_share(vertex));
                }
            }
            // Plain models have no bone-local skins.
            Skin::None | Skin::BoneLocal(_) => {
                // Meshes on a bone already have a skin here.
                bones.push(Bone { name: mesh.name.clone(), ..Bone::default() });
                let bone = BoneId::from_index(bones.len() - 1);
                let slot = slot_of(bone, Mat4::IDENTITY);
                lists.resize(lists.len() + num, vec![(slot, 1.0)]);
                shares.resize(shares.len() + num, 0.0);
            }
        }
    }
    // New bones are roots of a valid skeleton.
    model.skeleton = Skeleton::new(bones, true).unwrap_or_default();
    let blending = if shares.iter().any(|share| *share != 0.0) {
        Blending::Mixed(shares)
    } else {
        Blending::Linear
    };
    let skin = InverseBindSkin {
        unweighted_slots: Vec::new(),
        lists_unknown_slots: false,
        outside: Vec::new(),
        node_transform: NodeTransform::Ignored,
        normals: SkinNormals::Same,
        negative: None,
        bones: slots.iter().map(|(bone, _)| *bone).collect(),
        bone_from_mesh: slots.iter().map(|(_, bind)| *bind).collect(),
        influences: Influences::from_lists(lists),
        in_first_set: Vec::new(),
        blending,
    };
    (Skin::InverseBind(skin), None)
}

/// A mesh's morph targets, on the merged vertices.
fn targets(mesh: &Mesh, first_vertex: u32) -> impl Iterator<Item = MorphTarget> + '_ {
    mesh.morph_targets.iter().map(move |target| {
        let mut target = target.clone();
        for vertex in target.shapes.iter_mut().flat_map(|shape| &mut shape.vertices) {
            vertex.0 += first_vertex;
        }
        target
    })
}

/// Redirects morph tracks and vertex animations of `out` to the merged mesh.
fn retarget(out: &mut Model, source: &Model, first_vertices: &[u32]) {
    let mut first_targets = Vec::new();
    let mut next = 0;
    for mesh in &source.meshes {
        first_targets.push(next);
        next += mesh.morph_targets.len();
    }
    let rest: Vec<Vec3> = (source.meshes.iter())
        .flat_map(|mesh| (0..mesh.num_vertices()).map(|v| mesh.position(v).unwrap_or_default()))
        .collect();
    for clip in &mut out.clips {
        for track in &mut clip.morph_tracks {
            let first = first_targets.get(track.mesh.index());
            track.target += first.copied().unwrap_or_default();
            track.mesh = MeshId(0);
        }
        if let Motion::VertexAnimation(cache) = &mut clip.motion {
            let first = first_vertices.get(cache.mesh.index()).copied().unwrap_or_default();
            let num_moved = cache.positions.len() / cache.times_secs.len().max(1);
            let mut positions = Vec::with_capacity(rest.len() * cache.times_secs.len());
            for moved in cache.positions.chunks(num_moved.max(1)) {
                let start = positions.len() + first as usize;
                positions.extend_from_slice(&rest);
                for (slot, &position) in positions.iter_mut().skip(start).zip(moved) {
                    *slot = position;
                }
            }
            cache.positions = Arc::new(positions);
            cache.mesh = MeshId(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;
    use crate::pose::{PoseSpec, skin_model};
    use crate::reshape::fixture::bent_strip;

    #[test]
    fn skinned_attached_and_free_meshes_pose_the_same_when_merged() {
        let mut source = bent_strip();
        let mut hanging = source.meshes[MeshId(0)].clone();
        hanging.skin = Skin::None;
        hanging.attached_to = Some(BoneId(1));
        let mut free = hanging.clone();
        free.attached_to = None;
        streams_mut(&mut free).normals.clear();
        streams_mut(&mut free).uv_sets.clear();
        source.meshes.extend([hanging, free]);
        let (one, _) = merged(&source).unwrap();
        assert_eq!((one.meshes.len(), one.skeleton.len()), (1, 3));
        assert_eq!(one.meshes[MeshId(0)].subsets.len(), 3);
        for time_secs in [0.0, 0.5, 1.0] {
            let spec = PoseSpec::linear(ClipId(0), time_secs);
            let apart: Vec<Vec3> =
                skin_model(&source, &spec).into_iter().flat_map(|m| m.positions).collect();
            let together = &skin_model(&one, &spec)[0].positions;
            for (a, b) in apart.iter().zip(together) {
                assert!(a.distance(*b) < 1e-6);
            }
        }
    }

    #[test]
    fn meshes_attached_to_one_bone_are_merged_without_a_skin() {
        let mut source = bent_strip();
        source.meshes[MeshId(0)].skin = Skin::None;
        source.meshes[MeshId(0)].attached_to = Some(BoneId(1));
        source.meshes.push(source.meshes[MeshId(0)].clone());
        let (one, _) = merged(&source).unwrap();
        assert!(matches!(one.meshes[MeshId(0)].skin, Skin::None));
        assert_eq!(one.meshes[MeshId(0)].attached_to, Some(BoneId(1)));
        assert_eq!(one.skeleton.len(), 2);
    }

    #[test]
    fn oversized_vertex_animations_are_refused_before_allocation() {
        let mut source = bent_strip();
        source.meshes.push(source.meshes[MeshId(0)].clone());
        // The animated mesh is small, but is merged with a mesh with very many vertices.
        let bare = Streams { positions: vec![Vec3::ZERO; 1 << 17], ..Streams::default() };
        *streams_mut(&mut source.meshes[MeshId(0)]) = bare;
        let times_secs: Vec<f64> = (0..1100u32).map(f64::from).collect();
        source.clips[ClipId(0)].motion = Motion::VertexAnimation(crate::model::VertexAnimation {
            is_blended: false,
            mesh: MeshId(1),
            positions: Arc::new(vec![Vec3::X; 3 * times_secs.len()]),
            times_secs,
        });
        let error = merged(&source).unwrap_err();
        assert!(matches!(error, ReshapeError::TooMany { .. }), "{error}");
        source.meshes.as_mut_vec().swap_remove(0);
        assert!(merged(&source).is_ok(), "one mesh stays as it is");
    }
}
