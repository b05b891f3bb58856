//! Generates missing normals of float meshes.

use glam::Vec3;

use crate::model::{
    Indices, Mesh, MeshId, MeshOrigins, Model, MorphShape, Motion, Origins, Skin, VertexData,
    VertexId, Winding,
};
use crate::reshape::float::{floats, forget_source};
use crate::reshape::gather::gather_skin;
use crate::reshape::normals::{CREASE_RAD, add_normals};

/// The model with normals for each triangle mesh without any, smooth where faces meet at less than 60
/// degrees, otherwise split. Also returns the number of meshes that got normals, and the origins of vertices.
///
/// Bone-local meshes and those with vertex animation remain unchanged.
#[must_use]
pub fn with_normals(model: &Model) -> (Model, usize, Origins) {
    let lacking: Vec<usize> =
        (0..model.meshes.len()).filter(|&number| can_have_made(model, number)).collect();
    if lacking.is_empty() {
        return (model.clone(), 0, Origins::same(model));
    }
    let mut origins = Origins::same(model);
    let mut out = floats(model);
    forget_source(&mut out);
    let is_clockwise = model.axes.winding == Winding::Clockwise;
    for &number in &lacking {
        if let Some(mesh) = out.meshes.get_mut(MeshId::from_index(number)) {
            let sources = make(mesh, is_clockwise);
            if let Some(slot) = origins.meshes.get_mut(number).filter(|_| !sources.is_empty()) {
                *slot = MeshOrigins::Of(MeshId::from_index(number), sources);
            }
        }
    }
    (out, lacking.len(), origins)
}

/// Like [`with_normals`] if any mesh has normals. Otherwise all normals can be omitted, and nothing changes.
#[must_use]
pub fn with_normals_as_others(model: &Model) -> (Model, usize, Origins) {
    let is_without = |mesh: &Mesh| mesh.num_vertices() == 0 || lacks_normals(mesh);
    if model.meshes.iter().all(is_without) {
        (model.clone(), 0, Origins::same(model))
    } else {
        with_normals(model)
    }
}

/// Whether a mesh has vertices but no usable normal.
fn lacks_normals(mesh: &Mesh) -> bool {
    let num = mesh.num_vertices();
    let mut normals = (0..num).map(|vertex| mesh.normal(vertex).unwrap_or_default());
    num > 0 && normals.all(|normal| normal == Vec3::ZERO)
}

/// Whether normals are missing and can be generated.
fn can_have_made(model: &Model, number: usize) -> bool {
    let mesh = &model.meshes[MeshId::from_index(number)];
    let mut clips = model.clips.iter();
    let is_cached = clips.any(|clip| match &clip.motion {
        Motion::VertexAnimation(cache) => cache.mesh == MeshId::from_index(number),
        _ => false,
    });
    let is_bone_local = matches!(mesh.skin, Skin::BoneLocal(_));
    !is_cached && !is_bone_local && !mesh.indices.is_empty() && lacks_normals(mesh)
}

/// Returns the source of each vertex; `None` if no vertex was added.
fn make(mesh: &mut Mesh, is_clockwise: bool) -> Vec<u32> {
    let num = mesh.num_vertices();
    let VertexData::Streams(streams) = &mut mesh.vertices else { return Vec::new() };
    let mut indices: Vec<u32> = mesh.indices.iter().collect();
    // Generating normals assumes that front faces are counter-clockwise.
    let turn_round = |indices: &mut [u32]| {
        for triangle in indices.as_chunks_mut::<3>().0.iter_mut() {
            triangle.swap(1, 2);
        }
    };
    if is_clockwise {
        turn_round(&mut indices);
    }
    let sources = add_normals(streams, &mut indices, CREASE_RAD);
    if is_clockwise {
        turn_round(&mut indices);
    }
    mesh.indices = Indices::U32(indices);
    if sources.len() == num {
        return Vec::new();
    }
    mesh.skin = gather_skin(&mesh.skin, &sources);
    let added = sources.get(num..).unwrap_or_default();
    let shapes = mesh.morph_targets.iter_mut();
    for shape in shapes.flat_map(|target| &mut target.shapes) {
        follow(shape, num, added);
    }
    sources
}

/// Adds the vertices from `first` on to the shape, with the offsets of their sources.
fn follow(shape: &mut MorphShape, first: usize, added: &[u32]) {
    let place_of: std::collections::HashMap<u32, usize> =
        (shape.vertices.iter()).enumerate().map(|(place, vertex)| (vertex.0, place)).collect();
    for (number, source) in added.iter().enumerate() {
        let Some(&place) = place_of.get(source) else { continue };
        shape.vertices.push(VertexId::from_index(first + number));
        for offsets in [&mut shape.position_offsets, &mut shape.normal_offsets] {
            offsets.extend(offsets.get(place).copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;
    use crate::reshape::fixture::bent_strip;
    use crate::reshape::in_axes;

    fn without_normals() -> Model {
        let mut model = bent_strip();
        streams_mut(&mut model.meshes[MeshId(0)]).normals.clear();
        model
    }

    #[test]
    fn generated_normals_follow_the_winding_in_any_axes() {
        let wanted = streams(&bent_strip().meshes[MeshId(0)]).normals[0];
        for winding in [Winding::CounterClockwise, Winding::Clockwise] {
            let axes = Axes { winding, ..bent_strip().axes };
            let source = in_axes(&without_normals(), &axes);
            let (made, num, _) = with_normals(&source);
            assert_eq!(num, 1);
            let back = in_axes(&made, &Axes::default());
            let normal = streams(&back.meshes[MeshId(0)]).normals[0];
            let shown = in_axes(&bent_strip(), &Axes::default());
            assert!(
                normal.distance(streams(&shown.meshes[MeshId(0)]).normals[0]) < 1e-6,
                "{wanted}"
            );
        }
        assert_eq!(with_normals(&bent_strip()).1, 0);
    }

    #[test]
    fn split_vertices_keep_their_influences_and_morphs() {
        let mut source = without_normals();
        let mesh = &mut source.meshes[MeshId(0)];
        // A second triangle folds back sharply along the edge from 1 to 2.
        let streams = streams_mut(mesh);
        streams.positions.push(glam::Vec3::new(2.8, 0.0, 3.0));
        streams.tangents.clear();
        streams.uv_sets.clear();
        mesh.indices = Indices::U32(vec![0, 1, 2, 2, 1, 3]);
        mesh.subsets[0].index_count = 6;
        let lists: [&[(u32, f32)]; 4] =
            [&[(0, 1.0)], &[(1, 1.0)], &[(0, 0.2), (1, 0.8)], &[(0, 1.0)]];
        inverse_bind_mut(mesh).influences = Influences::from_lists(lists);
        mesh.morph_targets = vec![morph("a", &[(2, Vec3::Y)])];
        let (made, _, origins) = with_normals(&source);
        let mesh = &made.meshes[MeshId(0)];
        assert_eq!(mesh.num_vertices(), 6);
        let sources = vec![0, 1, 2, 3, 2, 1];
        assert_eq!(origins.meshes, [MeshOrigins::Of(MeshId(0), sources)]);
        let corners: Vec<u32> = mesh.indices.iter().collect();
        assert_eq!(corners[..3], [0, 1, 2]);
        let copy_of_2 = corners[3] as usize;
        assert!(copy_of_2 >= 4);
        let mut seen = Vec::new();
        mesh.for_each_influence(copy_of_2, |bone, weight| seen.push((bone.0, weight)));
        assert_eq!(seen, [(0, 0.2), (1, 0.8)]);
        let shape = &mesh.morph_targets[0].shapes[0];
        assert_eq!(shape.vertices, [VertexId(2), VertexId(corners[3])]);
        assert_eq!(shape.position_offsets, [Vec3::Y, Vec3::Y]);
    }
}
