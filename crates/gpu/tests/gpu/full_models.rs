//! Models in full precision built in code: any influences, blendings, shapes and motions.

use glam::{Affine3A, EulerRot, Mat4, Quat, Vec2, Vec3};
use rigscope_core::model::ClipId;

use super::models::Random;
use rigscope_testing::*;

/// Properties of a random model in full precision.
#[derive(Clone, Debug)]
pub(crate) struct FullRecipe {
    pub(crate) seed: u64,
    pub(crate) num_vertices: usize,
    pub(crate) num_bones: u32,
    /// Vertices have between 0 and this many influences.
    pub(crate) most_influences: u32,
    pub(crate) blending: Blending,
    /// Bones neither mirror nor shear, as dual quaternions require.
    pub(crate) is_rigid: bool,
}

pub(crate) const FULL: FullRecipe = FullRecipe {
    seed: 1,
    num_vertices: 500,
    num_bones: 20,
    most_influences: 4,
    blending: Blending::Linear,
    is_rigid: false,
};

impl FullRecipe {
    /// One mesh on a skeleton that a clip of tracks moves.
    pub(crate) fn model(&self) -> Model {
        let random = &mut Random::new(self.seed);
        let skeleton = self.skeleton(random);
        let mesh = Mesh {
            vertices: VertexData::Streams(streams(random, self.num_vertices)),
            skin: self.skin(random),
            ..Mesh::default()
        };
        let mut builder = ModelBuilder::new().add_mesh(mesh).clip("tracks", 2.0);
        for bone in (0..self.num_bones).step_by(2) {
            builder = builder
                .translation(bone, track((0..3).map(|_| random.vec3()).collect()))
                .rotation(bone, track((0..3).map(|_| turn(random, 1.0)).collect()))
                .scale(bone, track((0..3).map(|_| self.scale(random)).collect()));
        }
        let mut model = builder.build();
        model.clips[ClipId(0)].start_secs = 0.5;
        checked(Model { skeleton, ..model })
    }

    fn scale(&self, random: &mut Random) -> Vec3 {
        if self.is_rigid { Vec3::ONE } else { Vec3::ONE + random.vec3() * 0.4 }
    }

    fn skeleton(&self, random: &mut Random) -> Skeleton {
        let bones = (0..self.num_bones).map(|bone| Bone {
            name: format!("bone {bone}"),
            parent: (bone % 5 != 0).then(|| BoneId(random.below(bone))),
            rest_local: LocalTransform::Trs(Trs {
                translation: random.vec3(),
                rotation: turn(random, 1.0),
                scale: Vec3::ONE,
            }),
            ..Bone::default()
        });
        Skeleton::new(bones.collect(), true).unwrap()
    }

    fn skin(&self, random: &mut Random) -> Skin {
        let lists: Vec<Vec<(u32, f32)>> = (0..self.num_vertices)
            .map(|_| {
                let num = random.below(self.most_influences + 1);
                // Weights neither sum to 1 nor are all above 0.
                let one = |random: &mut Random| {
                    let weight = (random.signed() + 0.8).max(0.0);
                    (random.below(self.num_bones), weight)
                };
                (0..num).map(|_| one(random)).collect()
            })
            .collect();
        // Slot numbers differ from bone numbers.
        let bones = (0..self.num_bones).rev().map(BoneId).collect();
        let inverse = |random: &mut Random| {
            Mat4::from_scale_rotation_translation(
                self.scale(random),
                turn(random, 1.0),
                random.vec3(),
            )
        };
        Skin::InverseBind(InverseBindSkin {
            bones,
            bone_from_mesh: (0..self.num_bones).map(|_| inverse(random)).collect(),
            influences: Influences::from_lists(&lists),
            blending: self.blending.clone(),
            ..InverseBindSkin::default()
        })
    }
}

/// The model after the checks that every reader runs.
pub(crate) fn checked(mut model: Model) -> Model {
    check::check(&mut model, &Report::new());
    model
}

fn turn(random: &mut Random, most_rad: f32) -> Quat {
    let angles = random.vec3() * most_rad;
    Quat::from_euler(EulerRot::XYZ, angles.x, angles.y, angles.z)
}

/// Linear keys at 0.5, 1.5 and 2.5 s.
pub(crate) fn track<T>(values: Vec<T>) -> Track<T> {
    linear((0u8..).map(|key| 0.5 + f64::from(key)).zip(values))
}

/// All attributes; some directions are zero.
pub(crate) fn streams(random: &mut Random, num: usize) -> Streams {
    let direction = |random: &mut Random| match random.below(10) {
        0 => Vec3::ZERO,
        _ => random.vec3(),
    };
    Streams {
        positions: (0..num).map(|_| random.vec3() * 10.0).collect(),
        normals: (0..num).map(|_| direction(random)).collect(),
        tangents: (0..num).map(|_| direction(random).extend(-1.0)).collect(),
        uv_sets: vec![uv_set(
            (0..num).map(|_| Vec2::new(random.signed(), random.signed() * 3.0)).collect::<Vec<_>>(),
        )],
        ..Streams::default()
    }
}

/// A bone-local skin with 0 to 3 copies per vertex.
pub(crate) fn random_copies(random: &mut Random, num_vertices: usize, num_bones: u32) -> Skin {
    let mut skin = BoneLocalSkin { first: vec![0], influences: Vec::new() };
    for _ in 0..num_vertices {
        for _ in 0..random.below(4) {
            skin.influences.push(BoneLocalInfluence {
                bone: BoneId(random.below(num_bones)),
                weight: random.signed().abs() * 2.0,
                position: random.vec3() * 5.0,
                normal: random.vec3(),
            });
        }
        skin.first.push(u32::try_from(skin.influences.len()).unwrap());
    }
    Skin::BoneLocal(skin)
}

/// A shape that moves every `step`th vertex.
pub(crate) fn shape(random: &mut Random, full_weight: f32, num: usize, step: usize) -> MorphShape {
    let vertices: Vec<VertexId> =
        (0..num).step_by(step).map(|v| VertexId(u32::try_from(v).unwrap())).collect();
    MorphShape {
        full_weight,
        position_offsets: vertices.iter().map(|_| random.vec3()).collect(),
        normal_offsets: match step % 2 {
            1 => vertices.iter().map(|_| random.vec3()).collect(),
            _ => Vec::new(),
        },
        vertices,
    }
}

/// A target with an in-between and a negative shape, and a plain one.
pub(crate) fn targets(random: &mut Random, num_vertices: usize) -> Vec<MorphTarget> {
    let full = [-1.0, 0.5, 1.0];
    let shapes = full.map(|full_weight| shape(random, full_weight, num_vertices, 3));
    vec![
        MorphTarget { name: "smile".into(), default_weight: 0.75, shapes: shapes.into() },
        MorphTarget {
            name: "blink".into(),
            default_weight: 0.0,
            shapes: vec![shape(random, 1.0, num_vertices, 2)],
        },
    ]
}

/// A clip that only moves the weights of `mesh`.
pub(crate) fn morph_clip(mesh: u32) -> Clip {
    let track = |target, values| MorphTrack { mesh: MeshId(mesh), target, weights: track(values) };
    Clip {
        name: "faces".into(),
        start_secs: 0.5,
        duration_secs: 2.0,
        morph_tracks: vec![track(0, vec![-1.5, 0.25, 1.75]), track(1, vec![0.0, 1.0, 0.0])],
        ..Clip::default()
    }
}

/// A clip with a vertex animation of `mesh`.
pub(crate) fn cache_clip(random: &mut Random, mesh: u32, num_vertices: usize) -> Clip {
    Clip {
        name: "cache".into(),
        duration_secs: 1.0,
        motion: Motion::VertexAnimation(VertexAnimation {
            is_blended: false,
            mesh: MeshId(mesh),
            times_secs: vec![0.0, 0.25, 1.0],
            positions: std::sync::Arc::new((0..num_vertices * 3).map(|_| random.vec3()).collect()),
        }),
        ..Clip::default()
    }
}

/// Random local keys for all bones of `skeleton`.
pub(crate) fn sampled_clip(random: &mut Random, num_bones: u32, space: KeySpace) -> Clip {
    let keys: Vec<Affine3A> = (0..num_bones * 4).map(|_| random.affine(1.0)).collect();
    sampled("sampled", space, 100_000_000, num_bones, &keys)
}
