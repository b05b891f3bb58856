//! Properties of random files: written models are read back unchanged, and random bytes never make
//! the reader panic.

use glam::{Affine3A, Mat4, Vec3};
use proptest::collection::vec;
use proptest::prelude::*;
use rigscope_core::model::MeshId;
use rigscope_core::model::*;
use rigscope_io::formats::{ReadOptions, Source, WriteOptions, bsm2::BSM2, open, write};

fn position() -> impl Strategy<Value = Vec3> {
    (-1e4f32..1e4, -1e4f32..1e4, -1e4f32..1e4).prop_map(Vec3::from)
}

prop_compose! {
    fn vertex(num_bones: u8)(
        position in position(),
        normal in any::<u32>(),
        tangent in any::<u32>(),
        uv in any::<[u16; 2]>(),
        bones in [0..num_bones, 0..num_bones, 0..num_bones, 0..num_bones],
        split in [0u8..=85, 0u8..=85, 0u8..=85],
    ) -> PackedVertex {
        let first = 255 - split.iter().sum::<u8>();
        PackedVertex { position, normal, tangent, uv, bones, weights: [first, split[0], split[1], split[2]] }
    }
}

fn matrix() -> impl Strategy<Value = Affine3A> {
    proptest::array::uniform12(-100f32..100.0).prop_map(|floats| Affine3A::from_cols_array(&floats))
}

/// A complete model as the reader would create it, with or without hierarchy.
fn model() -> impl Strategy<Value = Model> {
    (1u8..=12, any::<bool>(), 1usize..20, 0usize..3)
        .prop_flat_map(|(num_bones, hierarchy, num_vertices, num_clips)| {
            let keys = vec(matrix(), usize::from(num_bones) * 3);
            (
                vec(vertex(num_bones), num_vertices),
                vec(0..u16::try_from(num_vertices).unwrap(), 9),
                vec((".{0,12}", any::<u32>(), any::<u32>(), keys), num_clips),
                vec((".{0,8}", any::<u8>(), matrix()), usize::from(num_bones)),
                vec(".{0,12}", 1..4usize),
                Just(hierarchy),
            )
        })
        .prop_map(|(vertices, indices, clips, bones, materials, hierarchy)| {
            let num_bones = u32::try_from(bones.len()).unwrap();
            let space = if hierarchy { KeySpace::Local } else { KeySpace::Skin };
            // Each parent is an earlier bone, which rules out cycles.
            let parent =
                |at: usize, byte: u8| (at > 0).then(|| BoneId::from_index(usize::from(byte) % at));
            let skeleton = Skeleton::new(
                bones
                    .iter()
                    .enumerate()
                    .map(|(at, (name, byte, _))| Bone {
                        name: if hierarchy { name.clone() } else { String::new() },
                        parent: if hierarchy { parent(at, *byte) } else { None },
                        rest_local: LocalTransform::Trs(Trs::IDENTITY),
                        ..Bone::default()
                    })
                    .collect(),
                hierarchy,
            );
            let indices: Vec<u8> = indices.into_iter().flat_map(u16::to_le_bytes).collect();
            let subset = |first_index, index_count| Subset {
                first_index,
                index_count,
                material: Some(MaterialId(0)),
            };
            Model {
                meshes: vec![Mesh {
                    vertices: VertexData::Packed(PackedVertices::from_vertices(vertices)),
                    indices: Indices::U16(ByteView::whole(indices)),
                    subsets: vec![subset(0, 6), subset(3, 6)],
                    skin: Skin::InverseBind(InverseBindSkin {
                        bones: (0..num_bones).map(BoneId).collect(),
                        bone_from_mesh: if hierarchy {
                            bones.iter().map(|bone| Mat4::from(bone.2)).collect()
                        } else {
                            Vec::new()
                        },
                        influences: Influences::InVertices,
                        ..InverseBindSkin::default()
                    }),
                    ..Mesh::default()
                }]
                .into(),
                materials: materials
                    .into_iter()
                    .map(|name| Material { name, textures: Vec::new(), ..Material::default() })
                    .collect(),
                skeleton: skeleton.unwrap(),
                clips: clips
                    .into_iter()
                    .map(|(name, duration, interval, keys)| {
                        Clip::sampled(
                            name,
                            SampledMotion {
                                duration_ns: u64::from(duration) << 8,
                                interval_ns: u64::from(interval),
                                space,
                                is_bind_pair: false,
                                keys: PackedKeys::from_matrices(num_bones, &keys).unwrap(),
                            },
                        )
                    })
                    .collect(),
                default_pose: DefaultPose::FirstKey,
                ..Model::default()
            }
        })
}

fn written(model: &Model) -> Vec<u8> {
    let files = write(model, &BSM2, &WriteOptions::default(), &Report::new());
    files.unwrap().remove(0).bytes
}

fn read(bytes: Vec<u8>) -> Result<Model, rigscope_io::formats::ReadError> {
    let options = ReadOptions { format: Some("bsm2".into()), ..ReadOptions::default() };
    open(&Source::new("x.bsm2", bytes), &options, &Report::new()).map(|opened| opened.model)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn models_round_trip_and_are_rewritten_identically(model in model()) {
        let bytes = written(&model);
        let back = read(bytes.clone()).unwrap();
        prop_assert_eq!(&written(&back), &bytes);
        prop_assert_eq!(&back.clips, &model.clips);
        prop_assert_eq!(&back.materials, &model.materials);
        prop_assert_eq!(&back.meshes[MeshId(0)].subsets, &model.meshes[MeshId(0)].subsets);
        let parents = |m: &Model| m.skeleton.bones().iter().map(|b| (b.name.clone(), b.parent)).collect::<Vec<_>>();
        prop_assert_eq!(parents(&back), parents(&model));
        let vertices = |m: &Model| match &m.meshes[MeshId(0)].vertices {
            VertexData::Packed(packed) => packed.bytes().to_vec(),
            VertexData::Streams(_) => Vec::new(),
        };
        prop_assert_eq!(vertices(&back), vertices(&model));
    }

    #[test]
    fn random_bytes_never_panic(bytes in vec(any::<u8>(), 0..400)) {
        let _ = read(bytes);
    }

    #[test]
    fn small_counts_before_random_bytes_never_panic(
        counts in proptest::array::uniform6(0u32..5),
        body in vec(any::<u8>(), 0..600),
    ) {
        let mut bytes: Vec<u8> = counts.into_iter().flat_map(u32::to_le_bytes).collect();
        bytes.extend(body);
        let _ = read(bytes);
    }
}
