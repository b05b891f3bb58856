//! What benchmarks share: a model of a known size.
#![allow(dead_code, reason = "each benchmark uses its own part")]
#![allow(unreachable_pub, reason = "a benchmark has no outside")]

use glam::{Affine3A, Vec3};
use rigscope::model::{
    Bone, BoneId, ByteView, Clip, DefaultPose, Indices, Influences, InverseBindSkin, KeySpace,
    LocalTransform, Mesh, Model, PackedKeys, PackedVertex, PackedVertices, Report, SampledMotion,
    Skeleton, Skin, Streams, Subset, Trs, VertexData, check, pack_snorm1010102,
};

/// Vertices of [`grid`]: as many as a 16-bit index can name, and a square.
pub const NUM_VERTICES: usize = 256 * 256;
/// Bones of [`grid`].
pub const NUM_BONES: u8 = 64;
const SIDE: usize = 256;
const NUM_KEYS: u32 = 31;

/// A waving sheet: every vertex has four influences, which is the most that a packed one holds.
pub fn grid() -> Model {
    let vertices = (0..NUM_VERTICES).map(|at| {
        let (x, z) = ((at % SIDE) as f32 / SIDE as f32, (at / SIDE) as f32 / SIDE as f32);
        let bone =
            |step: usize| u8::try_from((at * 7 + step * 13) % usize::from(NUM_BONES)).unwrap_or(0);
        PackedVertex {
            position: Vec3::new(x - 0.5, 0.0, z - 0.5),
            normal: pack_snorm1010102(Vec3::Y, 0),
            tangent: pack_snorm1010102(Vec3::X, 1),
            uv: [at % SIDE, at / SIDE].map(|place| u16::try_from(place * 257).unwrap_or(0)),
            bones: [bone(0), bone(1), bone(2), bone(3)],
            weights: [100, 80, 50, 25],
        }
    });
    let corner = |x: usize, z: usize| u16::try_from(z * SIDE + x).unwrap_or(0);
    let quads = (0..SIDE - 1).flat_map(|z| (0..SIDE - 1).map(move |x| (x, z)));
    let indices: Vec<u8> = quads
        .flat_map(|(x, z)| {
            let [a, b, c, d] =
                [corner(x, z), corner(x + 1, z), corner(x, z + 1), corner(x + 1, z + 1)];
            [a, c, b, b, c, d]
        })
        .flat_map(u16::to_le_bytes)
        .collect();
    let matrices: Vec<Affine3A> = (0..NUM_KEYS * u32::from(NUM_BONES))
        .map(|at| Affine3A::from_translation(Vec3::Y * (at as f32 * 0.1).sin() * 0.1))
        .collect();
    let bone = Bone {
        name: String::new(),
        parent: None,
        rest_local: LocalTransform::Trs(Trs::IDENTITY),
        ..Bone::default()
    };
    let keys = PackedKeys::from_matrices(u32::from(NUM_BONES), &matrices);
    let interval_ns = 33_333_333;
    let mut model = Model {
        meshes: vec![Mesh {
            vertices: VertexData::Packed(PackedVertices::from_vertices(vertices)),
            subsets: vec![Subset {
                first_index: 0,
                index_count: u32::try_from(indices.len() / 2).unwrap_or(0),
                material: None,
            }],
            indices: Indices::U16(ByteView::whole(indices)),
            skin: Skin::InverseBind(InverseBindSkin {
                bones: (0..u32::from(NUM_BONES)).map(BoneId).collect(),
                bone_from_mesh: Vec::new(),
                influences: Influences::InVertices,
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        }],
        skeleton: Skeleton::new(vec![bone; usize::from(NUM_BONES)], false).unwrap_or_default(),
        clips: keys
            .map(|keys| {
                Clip::sampled(
                    "wave".into(),
                    SampledMotion {
                        duration_ns: interval_ns * u64::from(NUM_KEYS - 1),
                        interval_ns,
                        space: KeySpace::Skin,
                        is_bind_pair: false,
                        keys,
                    },
                )
            })
            .into_iter()
            .collect(),
        default_pose: DefaultPose::FirstKey,
        ..Model::default()
    };
    check::check(&mut model, &Report::new());
    model
}

/// [`grid`] in full precision: float vertices, and the same influences as rows.
pub fn full_grid() -> Model {
    let mut model = grid();
    for mesh in &mut model.meshes {
        let all = 0..mesh.num_vertices();
        let streams = Streams {
            positions: all.clone().filter_map(|v| mesh.position(v)).collect(),
            normals: all.clone().filter_map(|v| mesh.normal(v)).collect(),
            tangents: all.clone().filter_map(|v| mesh.tangent(v)).collect(),
            ..Streams::default()
        };
        let lists: Vec<Vec<(u32, f32)>> = all
            .map(|vertex| {
                let mut list = Vec::new();
                mesh.for_each_influence(vertex, |bone, weight| list.push((bone.0, weight)));
                list
            })
            .collect();
        mesh.vertices = VertexData::Streams(streams);
        if let Skin::InverseBind(skin) = &mut mesh.skin {
            skin.influences = Influences::from_lists(lists.iter().map(Vec::as_slice));
        }
    }
    check::check(&mut model, &Report::new());
    model
}
