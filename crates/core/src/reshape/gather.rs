//! Selects and reorders vertices, optionally with repetitions, along with their skin and morphs.

use glam::Vec3;

use crate::model::{
    Blending, BoneLocalSkin, InverseBindSkin, Mesh, MorphShape, MorphTarget, PackedVertices, Skin,
    Streams, UvSet, VertexData, VertexId,
};

/// The vertices of `streams` with the numbers `sources`; zeros for numbers past the end.
#[must_use]
pub fn gather(streams: &Streams, sources: &[u32]) -> Streams {
    Streams {
        positions: gather_list(&streams.positions, sources),
        normals: gather_list(&streams.normals, sources),
        tangents: gather_list(&streams.tangents, sources),
        colors: gather_list(&streams.colors, sources),
        uv_sets: streams
            .uv_sets
            .iter()
            .map(|set| UvSet { name: set.name.clone(), coords: gather_list(&set.coords, sources) })
            .collect(),
    }
}

/// The vertices of `mesh` with the distinct numbers `sources`, with skin and morphs, without triangles, lines
/// or points.
#[must_use]
pub fn gather_mesh(mesh: &Mesh, sources: &[u32]) -> Mesh {
    let mut places: Vec<(u32, u32)> = sources.iter().copied().zip(0..).collect();
    places.sort_unstable();
    let target = |target: &MorphTarget| MorphTarget {
        name: target.name.clone(),
        default_weight: target.default_weight,
        shapes: target.shapes.iter().map(|shape| gather_shape(shape, &places)).collect(),
    };
    Mesh {
        name: mesh.name.clone(),
        vertices: match &mesh.vertices {
            VertexData::Streams(streams) => VertexData::Streams(gather(streams, sources)),
            VertexData::Packed(packed) => {
                let records = sources.iter().filter_map(|&source| packed.get(source as usize));
                VertexData::Packed(PackedVertices::from_vertices(records))
            }
        },
        skin: gather_skin(&mesh.skin, sources),
        attached_to: mesh.attached_to,
        morph_targets: mesh.morph_targets.iter().map(target).collect(),
        ..Mesh::default()
    }
}

/// The skin of the vertices `sources`.
#[must_use]
pub(super) fn gather_skin(skin: &Skin, sources: &[u32]) -> Skin {
    match skin {
        Skin::None => Skin::None,
        Skin::InverseBind(skin) => Skin::InverseBind(InverseBindSkin {
            unweighted_slots: Vec::new(),
            lists_unknown_slots: skin.lists_unknown_slots,
            outside: Vec::new(),
            node_transform: skin.node_transform,
            normals: skin.normals,
            negative: None,
            bones: skin.bones.clone(),
            bone_from_mesh: skin.bone_from_mesh.clone(),
            influences: skin.influences.of_vertices(sources.iter().map(|&source| source as usize)),
            in_first_set: gather_list(&skin.in_first_set, sources),
            blending: match &skin.blending {
                Blending::Mixed(shares) => Blending::Mixed(gather_list(shares, sources)),
                other => other.clone(),
            },
        }),
        Skin::BoneLocal(skin) => {
            let mut out = BoneLocalSkin { first: vec![0], influences: Vec::new() };
            for &source in sources {
                skin.for_each(source as usize, |influence| out.influences.push(*influence));
                out.first.push(VertexId::from_index(out.influences.len()).0);
            }
            Skin::BoneLocal(out)
        }
    }
}

/// The part of `shape` that affects vertices with `places` (pairs of source and place, sorted by source).
fn gather_shape(shape: &MorphShape, places: &[(u32, u32)]) -> MorphShape {
    let place = |(at, vertex): (usize, &VertexId)| {
        let found = places.binary_search_by_key(&vertex.0, |(source, _)| *source).ok()?;
        Some((places[found].1, at))
    };
    let mut moved: Vec<_> = shape.vertices.iter().enumerate().filter_map(place).collect();
    moved.sort_unstable();
    let offsets =
        |list: &[Vec3]| moved.iter().filter_map(|(_, at)| list.get(*at).copied()).collect();
    MorphShape {
        full_weight: shape.full_weight,
        vertices: moved.iter().map(|(place, _)| VertexId(*place)).collect(),
        position_offsets: offsets(&shape.position_offsets),
        normal_offsets: offsets(&shape.normal_offsets),
    }
}

fn gather_list<T: Copy + Default>(list: &[T], sources: &[u32]) -> Vec<T> {
    if list.is_empty() {
        return Vec::new();
    }
    let value = |&source: &u32| list.get(source as usize).copied().unwrap_or_default();
    sources.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;

    #[test]
    fn gathering_remaps_influences_blending_and_morph_targets() {
        let places = [0.0, 1.0, 2.0, 3.0].map(|x| Vec3::X * x);
        let lists: [&[(u32, f32)]; 4] = [&[(0, 1.0)], &[(0, 0.5), (1, 0.5)], &[], &[(1, 1.0)]];
        let binds = [(0, glam::Mat4::IDENTITY), (1, glam::Mat4::IDENTITY)];
        let mut mesh = ModelBuilder::new()
            .mesh(places)
            .skin(skin(&binds, lists))
            .morph("m", &[(0, Vec3::X), (1, Vec3::Y), (3, Vec3::Z)])
            .into_mesh();
        inverse_bind_mut(&mut mesh).blending = Blending::Mixed(vec![0.0, 0.1, 0.2, 0.3]);
        let found = gather_mesh(&mesh, &[3, 1, 2]);
        assert_eq!(streams(&found).positions, [places[3], places[1], places[2]]);
        let own = inverse_bind(&found);
        assert_eq!(own.blending, Blending::Mixed(vec![0.3, 0.1, 0.2]));
        let of = |vertex| own.influences.row(vertex).collect::<Vec<_>>();
        assert_eq!([of(0), of(1), of(2)], [lists[3], lists[1], lists[2]].map(<[_]>::to_vec));
        let shape = &found.morph_targets[0].shapes[0];
        assert_eq!(shape.vertices, [VertexId(0), VertexId(1)]);
        assert_eq!(shape.position_offsets, [Vec3::Z, Vec3::Y]);
    }
}
