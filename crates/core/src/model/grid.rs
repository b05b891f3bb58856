//! A test model of any size, for measurements.

use crate::model::as_u32;
use glam::{Affine3A, Vec3};

use super::{
    Bone, BoneId, Clip, DefaultPose, Indices, Influences, InverseBindSkin, KeySpace,
    LocalTransform, Mesh, Model, PackedKeys, PackedVertex, PackedVertices, Report, SampledMotion,
    Skeleton, Skin, Streams, Subset, Trs, VertexData, check, pack_snorm1010102,
};

/// Weights of every vertex: four influences are the most that a packed one holds.
const WEIGHTS: [u8; 4] = [100, 80, 50, 25];
const NUM_KEYS: u32 = 31;
const INTERVAL_NS: u64 = 33_333_333;

/// A waving sheet with the largest square number of vertices up to `num_vertices`, at least 4,
/// skinned to 1 to 256 bones by four influences each, with a clip of sampled keys. Vertices are
/// packed.
#[must_use]
pub fn grid(num_vertices: usize, num_bones: u16) -> Model {
    let side = num_vertices.isqrt().max(2);
    let num_bones = num_bones.clamp(1, 256);
    let place = |at: usize| [at % side, at / side].map(|step| step as f32 / (side - 1) as f32);
    let vertices = (0..side * side).map(|at| {
        let [x, z] = place(at);
        let bone = |step: usize| {
            u8::try_from((at * 7 + step * 13) % usize::from(num_bones)).unwrap_or(u8::MAX)
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "of 0..=1")]
        let unorm = |share: f32| (share * 65535.0).round() as u16;
        PackedVertex {
            position: Vec3::new(x - 0.5, 0.0, z - 0.5),
            normal: pack_snorm1010102(Vec3::Y, 0),
            tangent: pack_snorm1010102(Vec3::X, 1),
            uv: [unorm(x), unorm(z)],
            bones: [bone(0), bone(1), bone(2), bone(3)],
            weights: WEIGHTS,
        }
    });
    let quads = (0..side - 1).flat_map(|z| (0..side - 1).map(move |x| z * side + x));
    let indices: Vec<u32> = quads
        .flat_map(|a| {
            let [b, c, d] = [a + 1, a + side, a + side + 1];
            [a, c, b, b, c, d].map(as_u32)
        })
        .collect();
    let bone =
        Bone { rest_local: LocalTransform::Trs(Trs::IDENTITY), parent: None, ..Bone::default() };
    let mut model = Model {
        meshes: vec![Mesh {
            vertices: VertexData::Packed(PackedVertices::from_vertices(vertices)),
            subsets: vec![Subset {
                first_index: 0,
                index_count: as_u32(indices.len()),
                material: None,
            }],
            indices: Indices::U32(indices),
            skin: Skin::InverseBind(InverseBindSkin {
                bones: (0..u32::from(num_bones)).map(BoneId).collect(),
                influences: Influences::InVertices,
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        }]
        .into(),
        skeleton: Skeleton::new(vec![bone; usize::from(num_bones)], false).unwrap_or_default(),
        clips: wave(u32::from(num_bones)).into_iter().collect(),
        default_pose: DefaultPose::FirstKey,
        ..Model::default()
    };
    check::check(&mut model, &Report::new());
    model
}

fn wave(num_bones: u32) -> Option<Clip> {
    let lift = |at: u32| Affine3A::from_translation(Vec3::Y * (at as f32 * 0.1).sin() * 0.1);
    let matrices: Vec<Affine3A> = (0..NUM_KEYS * num_bones).map(lift).collect();
    let motion = SampledMotion {
        duration_ns: INTERVAL_NS * u64::from(NUM_KEYS - 1),
        interval_ns: INTERVAL_NS,
        space: KeySpace::Skin,
        is_bind_pair: false,
        keys: PackedKeys::from_matrices(num_bones, &matrices)?,
    };
    Some(Clip::sampled("wave".into(), motion))
}

/// `model` with float vertices, and the same influences as rows.
#[must_use]
pub fn in_full_precision(mut model: Model) -> Model {
    for mesh in &mut model.meshes {
        let all = 0..mesh.num_vertices();
        let streams = Streams {
            positions: all.clone().filter_map(|v| mesh.position(v)).collect(),
            normals: all.clone().filter_map(|v| mesh.normal(v)).collect(),
            tangents: all.clone().filter_map(|v| mesh.tangent(v)).collect(),
            ..Streams::default()
        };
        let (mut first, mut slots, mut weights) = (vec![0], Vec::new(), Vec::new());
        for vertex in all {
            mesh.for_each_influence(vertex, |bone, weight| {
                slots.push(bone.0);
                weights.push(weight);
            });
            first.push(as_u32(slots.len()));
        }
        mesh.vertices = VertexData::Streams(streams);
        if let Skin::InverseBind(skin) = &mut mesh.skin {
            skin.influences = Influences::Rows { first, slots, weights };
        }
    }
    check::check(&mut model, &Report::new());
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_has_the_requested_vertices_and_bones_and_no_findings() {
        for (num, bones) in [(0, 0), (1024, 1), (70_000, 256)] {
            let model = grid(num, bones);
            let side = num.isqrt().max(2);
            assert_eq!(model.num_vertices(), side * side);
            assert_eq!(model.skeleton.len(), usize::from(bones.max(1)));
            assert_eq!(model.clips.len(), 1);
            let full = in_full_precision(model.clone());
            for mut model in [model, full] {
                let report = Report::new();
                check::check(&mut model, &report);
                assert!(report.findings().is_empty(), "{:?}", report.findings());
            }
        }
    }
}
