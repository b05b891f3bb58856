//! Merges equal vertices.

use std::collections::HashMap;

use crate::model::{
    Blending, Indices, Mesh, MeshId, MeshOrigins, Model, Motion, Origin, Origins, Skin, VertexAt,
    VertexData, VertexId,
};
use crate::reshape::float::forget_source;

/// Merges vertices that are equal to the last bit in every attribute, influence and morph target,
/// and returns the origins of vertices.
///
/// Only for float meshes with triangles: others, bone-local ones and those with vertex animation
/// remain unchanged.
#[must_use]
pub fn welded(model: &Model) -> (Model, Origins) {
    let mut out = model.clone();
    let mut origins = Origins::same(model);
    let is_cached = |mesh: usize| {
        model.clips.iter().any(|clip| match &clip.motion {
            Motion::VertexAnimation(cache) => cache.mesh == MeshId::from_index(mesh),
            _ => false,
        })
    };
    let mut is_changed = false;
    for (number, mesh) in out.meshes.iter_mut().enumerate() {
        if !is_cached(number) && !mesh.indices.is_empty() {
            let Some(new_of_old) = weld(mesh) else { continue };
            is_changed = true;
            let of = |(old, &new): (usize, &u32)| (new, Origin::Vertex(VertexAt::new(number, old)));
            let listed = new_of_old.iter().enumerate().map(of).collect();
            if let Some(slot) = origins.meshes.get_mut(number) {
                *slot = MeshOrigins::Listed(listed);
            }
        }
    }
    if is_changed {
        forget_source(&mut out);
    }
    (out, origins)
}

/// The new number of each vertex; `None` if there are no equal vertices.
fn weld(mesh: &mut Mesh) -> Option<Vec<u32>> {
    if matches!(mesh.skin, Skin::BoneLocal(_)) {
        return None;
    }
    let VertexData::Streams(streams) = &mesh.vertices else { return None };
    let num = streams.positions.len();
    let mut keys: Vec<Vec<u32>> = vec![Vec::new(); num];
    let mut put = |vertex: usize, floats: &[f32]| {
        if let Some(key) = keys.get_mut(vertex) {
            key.extend(floats.iter().map(|float| float.to_bits()));
        }
    };
    for vertex in 0..num {
        let positions = streams.positions.get(vertex);
        positions.iter().for_each(|p| put(vertex, &p.to_array()));
        let normals = streams.normals.get(vertex);
        normals.iter().for_each(|n| put(vertex, &n.to_array()));
        let tangents = streams.tangents.get(vertex);
        tangents.iter().for_each(|t| put(vertex, &t.to_array()));
        let colors = streams.colors.get(vertex);
        colors.iter().for_each(|c| put(vertex, &c.to_array()));
        for set in &streams.uv_sets {
            set.coords.get(vertex).iter().for_each(|uv| put(vertex, &uv.to_array()));
        }
    }
    for shape in mesh.morph_targets.iter().flat_map(|t| &t.shapes) {
        for (at, vertex) in shape.vertices.iter().enumerate() {
            let offsets = [shape.position_offsets.get(at), shape.normal_offsets.get(at)];
            for offset in offsets.into_iter().flatten() {
                put(vertex.index(), &offset.to_array());
            }
        }
        // A shape that moves a vertex must differ from one that doesn't.
        (0..num).for_each(|vertex| put(vertex, &[f32::INFINITY]));
    }
    if let Skin::InverseBind(skin) = &mesh.skin {
        for vertex in 0..num {
            put(vertex, &[skin.blending.dual_quaternion_share(vertex)]);
            for (slot, weight) in skin.influences.row(vertex) {
                put(vertex, &[f32::from_bits(slot), weight]);
            }
        }
    }
    let mut first_with: HashMap<&[u32], u32> = HashMap::with_capacity(num);
    let mut kept: Vec<usize> = Vec::new();
    let mut new_of_old: Vec<u32> = Vec::with_capacity(num);
    for (vertex, key) in keys.iter().enumerate() {
        let next = VertexId::from_index(kept.len()).0;
        let new = *first_with.entry(key).or_insert(next);
        if new == next {
            kept.push(vertex);
        }
        new_of_old.push(new);
    }
    if kept.len() == num {
        return None;
    }
    take(mesh, &kept, &new_of_old);
    Some(new_of_old)
}

/// Keeps the vertices `kept`, in ascending order; `new_of_old` maps old numbers to new ones.
fn take(mesh: &mut Mesh, kept: &[usize], new_of_old: &[u32]) {
    fn pick<T: Copy>(list: &mut Vec<T>, kept: &[usize]) {
        *list = kept.iter().filter_map(|&at| list.get(at).copied()).collect();
    }
    if let VertexData::Streams(streams) = &mut mesh.vertices {
        pick(&mut streams.positions, kept);
        pick(&mut streams.normals, kept);
        pick(&mut streams.tangents, kept);
        pick(&mut streams.colors, kept);
        for set in &mut streams.uv_sets {
            pick(&mut set.coords, kept);
        }
    }
    let renumbered = |index| new_of_old.get(index as usize).copied().unwrap_or_default();
    mesh.indices = Indices::U32(mesh.indices.iter().map(renumbered).collect());
    for index in mesh.loose.iter_mut().flat_map(|loose| &mut loose.indices) {
        *index = renumbered(*index);
    }
    if let Skin::InverseBind(skin) = &mut mesh.skin {
        skin.influences = skin.influences.of_vertices(kept.iter().copied());
        if let Blending::Mixed(shares) = &mut skin.blending {
            pick(shares, kept);
        }
    }
    for shape in mesh.morph_targets.iter_mut().flat_map(|t| &mut t.shapes) {
        let old = std::mem::take(&mut shape.vertices);
        let is_first: Vec<bool> = (old.iter())
            .map(|v| {
                let new = new_of_old.get(v.index()).copied().unwrap_or_default();
                kept.get(new as usize) == Some(&v.index())
            })
            .collect();
        let firsts: Vec<usize> =
            (0..old.len()).filter(|&at| is_first.get(at).copied().unwrap_or(false)).collect();
        shape.vertices = (firsts.iter())
            .filter_map(|&at| old.get(at))
            .map(|v| VertexId(renumbered(v.0)))
            .collect();
        pick(&mut shape.position_offsets, &firsts);
        if !shape.normal_offsets.is_empty() {
            pick(&mut shape.normal_offsets, &firsts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;
    use crate::reshape::fixture::bent_strip;
    use crate::reshape::merged;

    #[test]
    fn only_vertices_with_equal_attributes_are_welded() {
        let mut source = bent_strip();
        source.meshes.push(source.meshes[MeshId(0)].clone());
        let (one, merged_from) = merged(&source).unwrap();
        assert_eq!(one.num_vertices(), 6);
        let (welded, welded_from) = welded(&one);
        assert_eq!(welded.num_vertices(), 3);
        let origins = welded_from.after(&[3], &merged_from, &[6]);
        let at = |made, mesh, vertex| (made, Origin::Vertex(VertexAt::new(mesh, vertex)));
        let all = [at(0, 0, 0), at(1, 0, 1), at(2, 0, 2), at(0, 1, 0), at(1, 1, 1), at(2, 1, 2)];
        assert_eq!(origins.meshes, [MeshOrigins::Listed(all.to_vec())]);
        let corners: Vec<u32> = welded.meshes[MeshId(0)].indices.iter().collect();
        assert_eq!(corners, [0, 1, 2, 0, 1, 2]);

        let mut other = source.clone();
        streams_mut(&mut other.meshes[MeshId(1)]).uv_sets[0].coords[1].x += 0.5;
        assert_eq!(super::welded(&merged(&other).unwrap().0).0.num_vertices(), 4);
    }

    #[test]
    fn vertices_with_different_morph_offsets_are_not_welded() {
        let mut source = bent_strip();
        source.meshes[MeshId(0)].morph_targets = vec![morph("a", &[(1, glam::Vec3::X)])];
        source.meshes.push(source.meshes[MeshId(0)].clone());
        let (mut one, _) = merged(&source).unwrap();
        // The second mesh's target only moves its own copy, so that copy isn't merged.
        assert_eq!(welded(&one).0.num_vertices(), 4);
        one.meshes[MeshId(0)].morph_targets.truncate(1);
        assert_eq!(welded(&one).0.num_vertices(), 4);
        one.meshes[MeshId(0)].morph_targets.clear();
        assert_eq!(welded(&one).0.num_vertices(), 3);
    }
}
