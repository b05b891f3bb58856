//! Property test of the check with models that contain every fault a reader may leave.

use crate::model::MeshId;
use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};

use super::{check, verify};
use crate::model::testing::*;

/// Pseudorandom numbers, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from((self.0 >> 20) % u64::from(limit.max(1))).unwrap()
    }

    fn one_in(&mut self, num: u32) -> bool {
        self.below(num) == 0
    }

    fn size(&mut self, limit: u32) -> usize {
        self.below(limit + 1) as usize
    }

    /// An index below `len`, occasionally out of range.
    fn index(&mut self, len: usize) -> u32 {
        match self.below(12) {
            0 => u32::try_from(len).unwrap(),
            1 => u32::MAX - self.below(3),
            _ => self.below(u32::try_from(len).unwrap()),
        }
    }

    fn float(&mut self) -> f32 {
        match self.below(16) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            3 => f32::MAX,
            _ => self.below(1000) as f32 / 100.0 - 5.0,
        }
    }

    fn list<T>(&mut self, num: usize, mut value: impl FnMut(&mut Self) -> T) -> Vec<T> {
        // Occasionally too long or too short.
        let num = match self.below(8) {
            0 => self.size(5),
            _ => num,
        };
        (0..num).map(|_| value(self)).collect()
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.float(), self.float(), self.float())
    }

    fn vec4(&mut self) -> Vec4 {
        self.vec3().extend(self.float())
    }

    fn quat(&mut self) -> Quat {
        Quat::from_vec4(self.vec4())
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| u8::try_from(self.below(256)).unwrap())
    }

    fn times(&mut self) -> Vec<f64> {
        let num = self.size(4);
        let mut times = self.list(num, |dice| f64::from(dice.float()));
        if !self.one_in(4) {
            times.sort_by(f64::total_cmp);
        }
        times
    }

    fn track<T>(&mut self, value: impl FnMut(&mut Self) -> T) -> Track<T> {
        let times_secs = self.times();
        let interpolation =
            if self.one_in(3) { Interpolation::Cubic } else { Interpolation::Linear };
        let num = times_secs.len() * if interpolation == Interpolation::Cubic { 3 } else { 1 };
        Track { values: self.list(num, value), times_secs, interpolation }
    }

    fn first(&mut self, num_rows: usize, num_entries: usize) -> Vec<u32> {
        let mut first = self.list(num_rows, |dice| dice.index(num_entries));
        if !self.one_in(4) {
            first.sort_unstable();
        }
        first.insert(0, u32::from(self.one_in(8)));
        first.push(u32::try_from(num_entries).unwrap());
        first
    }
}

fn vertices(dice: &mut Dice, num: usize) -> VertexData {
    if dice.one_in(3) {
        let vertices = (0..num).map(|_| PackedVertex {
            position: dice.vec3(),
            normal: dice.below(u32::MAX),
            tangent: dice.below(u32::MAX),
            uv: [0; 2],
            bones: dice.bytes(),
            weights: dice.bytes::<4>().map(|weight| weight * u8::from(weight > 99)),
        });
        let vertices: Vec<PackedVertex> = vertices.collect();
        return VertexData::Packed(PackedVertices::from_vertices(vertices));
    }
    let num_sets = dice.size(2);
    let positions = (0..num).map(|_| dice.vec3()).collect();
    VertexData::Streams(Streams {
        positions,
        normals: dice.list(num, Dice::vec3),
        tangents: dice.list(num, Dice::vec4),
        colors: dice.list(num, Dice::vec4),
        uv_sets: dice.list(num_sets, |dice| UvSet {
            name: String::new(),
            coords: dice.list(num, |dice| Vec2::new(dice.float(), dice.float())),
        }),
    })
}

fn skin(dice: &mut Dice, num_vertices: usize, num_bones: usize) -> Skin {
    let num = dice.size(9);
    match dice.below(3) {
        0 => Skin::None,
        1 => Skin::BoneLocal(BoneLocalSkin {
            first: dice.first(num_vertices.saturating_sub(1), num),
            influences: dice.list(num, |dice| BoneLocalInfluence {
                bone: BoneId(dice.index(num_bones)),
                weight: dice.float(),
                position: dice.vec3(),
                normal: dice.vec3(),
            }),
        }),
        _ => {
            let num_slots = dice.size(4);
            let influences = if dice.one_in(3) {
                Influences::InVertices
            } else {
                Influences::Rows {
                    first: dice.first(num_vertices.saturating_sub(1), num),
                    slots: dice.list(num, |dice| dice.index(num_slots)),
                    weights: dice.list(num, Dice::float),
                }
            };
            Skin::InverseBind(InverseBindSkin {
                unweighted_slots: Vec::new(),
                lists_unknown_slots: false,
                outside: Vec::new(),
                node_transform: crate::model::NodeTransform::Ignored,
                normals: crate::model::SkinNormals::Same,
                negative: None,
                bones: dice.list(num_slots, |dice| BoneId(dice.index(num_bones))),
                bone_from_mesh: dice.list(num_slots, |dice| {
                    Mat4::from_cols(dice.vec4(), dice.vec4(), dice.vec4(), dice.vec4())
                }),
                influences,
                in_first_set: Vec::new(),
                blending: if dice.one_in(3) {
                    Blending::Mixed(dice.list(num_vertices, Dice::float))
                } else {
                    Blending::Linear
                },
            })
        }
    }
}

fn mesh(dice: &mut Dice, num_bones: usize, num_materials: usize) -> Mesh {
    let num = dice.size(6);
    let num_indices = dice.size(14);
    let indices = dice.list(num_indices, |dice| dice.index(num));
    let indices = if dice.one_in(3) {
        let bytes = indices.iter().flat_map(|index| {
            let narrow = u16::try_from(*index).unwrap_or(u16::MAX);
            narrow.to_le_bytes()
        });
        Indices::U16(ByteView::whole(bytes.collect()))
    } else {
        Indices::U32(indices)
    };
    let num_subsets = dice.size(3);
    let num_targets = dice.size(2);
    Mesh {
        vertices: vertices(dice, num),
        skin: skin(dice, num, num_bones),
        attached_to: dice.one_in(3).then(|| BoneId(dice.index(num_bones))),
        subsets: dice.list(num_subsets, |dice| Subset {
            first_index: dice.index(num_indices),
            index_count: dice.index(num_indices),
            material: dice.one_in(2).then(|| MaterialId(dice.index(num_materials))),
        }),
        morph_targets: dice.list(num_targets, |dice| MorphTarget {
            name: String::new(),
            default_weight: dice.float(),
            shapes: dice.list(2, |dice| {
                let num_moved = dice.size(3);
                MorphShape {
                    full_weight: dice.float(),
                    vertices: dice.list(num_moved, |dice| VertexId(dice.index(num))),
                    position_offsets: dice.list(num_moved, Dice::vec3),
                    normal_offsets: dice.list(num_moved, Dice::vec3),
                }
            }),
        }),
        indices,
        ..Mesh::default()
    }
}

fn motion(dice: &mut Dice, num_bones: usize, meshes: &[Mesh]) -> Motion {
    match dice.below(3) {
        0 => {
            let num_bones = if dice.one_in(4) { dice.size(4) } else { num_bones };
            let matrices: Vec<Affine3A> = (0..num_bones * dice.size(3))
                .map(|_| Affine3A { translation: dice.vec3().into(), ..Affine3A::IDENTITY })
                .collect();
            let keys = PackedKeys::from_matrices(u32::try_from(num_bones).unwrap(), &matrices);
            Motion::Sampled(SampledMotion {
                duration_ns: u64::from(dice.below(9)),
                interval_ns: u64::from(dice.below(3)),
                space: KeySpace::Skin,
                is_bind_pair: false,
                keys: keys.unwrap(),
            })
        }
        1 => Motion::Tracks(dice.list(2, |dice| BoneTrack {
            bone: BoneId(dice.index(num_bones)),
            translation: dice.one_in(2).then(|| dice.track(Dice::vec3)),
            rotation: dice.one_in(2).then(|| dice.track(Dice::quat)),
            scale: dice.one_in(2).then(|| dice.track(Dice::vec3)),
        })),
        _ => {
            let mesh = dice.index(meshes.len());
            let num_vertices = meshes.get(mesh as usize).map_or(0, Mesh::num_vertices);
            let times_secs = dice.times();
            let num = times_secs.len() * num_vertices;
            Motion::VertexAnimation(VertexAnimation {
                is_blended: false,
                mesh: MeshId(mesh),
                positions: Arc::new(dice.list(num, Dice::vec3)),
                times_secs,
            })
        }
    }
}

fn model(seed: u64) -> Model {
    let dice = &mut Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (num_bones, num_materials) = (dice.size(3), dice.size(2));
    let (num_meshes, num_clips) = (dice.size(3), dice.size(2));
    let bones = (0..num_bones).map(|_| Bone {
        rest_local: LocalTransform::Matrix(Affine3A::from_translation(dice.vec3())),
        ..Bone::default()
    });
    let skeleton = Skeleton::new(bones.collect(), true).unwrap();
    let meshes: Vec<Mesh> = (0..num_meshes).map(|_| mesh(dice, num_bones, num_materials)).collect();
    let clip = |_| Clip {
        start_secs: f64::from(dice.float()),
        duration_secs: f64::from(dice.float()),
        motion: motion(dice, num_bones, &meshes),
        morph_tracks: dice.list(1, |dice| {
            let mesh = dice.index(meshes.len());
            MorphTrack {
                mesh: MeshId(mesh),
                target: dice.index(2) as usize,
                weights: dice.track(Dice::float),
            }
        }),
        material_tracks: dice.list(1, |dice| MaterialTrack {
            material: MaterialId(dice.index(num_materials)),
            property: MaterialProperty::BaseColor,
            values: dice.track(Dice::vec4),
        }),
        events: dice.list(1, |dice| Event {
            time_secs: f64::from(dice.float()),
            name: String::new(),
            value: String::new(),
            bone: Some(BoneId(dice.index(num_bones))),
        }),
        ..Clip::default()
    };
    let clips = (0..num_clips).map(clip).collect();
    let materials = (0..num_materials).map(|_| Material {
        textures: vec![TextureRef {
            texture_from_uv: Some(Box::new(glam::Affine2::from_translation(Vec2::new(
                dice.float(),
                0.0,
            )))),
            ..TextureRef::embedded(TextureRole::BaseColor, ImageId(dice.index(1)))
        }],
        look: Some(Box::new(MaterialLook {
            base_color: dice.vec4(),
            alpha: AlphaMode::Mask(dice.float()),
            roughness: dice.float(),
            emissive: dice.vec3(),
            ..MaterialLook::default()
        })),
        ..Material::default()
    });
    let materials = materials.collect();
    let num_points = dice.size(4);
    let mut model = Model {
        skeleton,
        meshes: meshes.into(),
        clips,
        materials,
        hulls: vec![Hull { points: dice.list(3, Dice::vec3) }],
        occluder: Some(OcclusionMesh {
            positions: (0..num_points).map(|_| dice.vec3()).collect(),
            indices: dice.list(7, |dice| dice.index(num_points)),
        }),
        stored_bounds: dice.one_in(2).then(|| StoredBounds {
            aabb: Aabb { min: dice.vec3(), max: dice.vec3() },
            sphere_center: dice.vec3(),
            sphere_radius: dice.float(),
        }),
        ..Model::default()
    };
    model.axes.unit_meters = dice.one_in(2).then(|| f64::from(dice.float()));
    model
}

#[test]
fn check_establishes_its_invariants_for_any_model() {
    let mut num_broken = 0;
    for seed in 0..3000 {
        let mut model = model(seed);
        num_broken += u32::from(verify(&model).is_err());
        // The assertion in `check` is disabled in optimized test builds.
        check(&mut model, &Report::new());
        assert_eq!(verify(&model), Ok(()), "seed {seed}");
        // A valid model stays valid.
        check(&mut model, &Report::new());
        assert_eq!(verify(&model), Ok(()), "seed {seed}, the second time");
    }
    assert!(num_broken > 2000, "{num_broken}");
}

#[test]
fn every_index_refers_to_a_vertex_even_outside_subsets() {
    let points = || ModelBuilder::new().mesh([Vec3::ZERO; 3]);
    let subset = |first_index| Subset { first_index, index_count: 3, material: None };
    let bytes: Vec<u8> = [0u16, 1, 2, 2, 1, 9].into_iter().flat_map(u16::to_le_bytes).collect();
    for (indices, subsets, num_kept) in [
        (Indices::U32(vec![0, 1, 2, 2, 1, u32::MAX]), vec![subset(0), subset(3)], 1),
        (Indices::U32(vec![0, 1, 2, 2, 1, 3]), Vec::new(), 0),
        (Indices::U32(vec![0, 1, 2, 2, 1, 3]), vec![subset(0)], 1),
        (Indices::U32(vec![0, 1, 2, 7]), vec![subset(0)], 1),
        (Indices::U16(ByteView::whole(bytes)), vec![subset(0)], 1),
    ] {
        let points = points().edit(|mesh| (mesh.indices, mesh.subsets) = (indices, subsets));
        let mut model = points.build();
        check(&mut model, &Report::new());
        assert_eq!(verify(&model), Ok(()));
        let mesh = &model.meshes[MeshId(0)];
        assert_eq!(mesh.subsets.len(), num_kept);
        let first: Vec<u32> = mesh.indices.iter().take(3).collect();
        assert_eq!(first.len(), 3, "triangles keep their numbers");
    }
}
