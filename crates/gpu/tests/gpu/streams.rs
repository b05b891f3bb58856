//! Skinned vertices in full precision are the same on the GPU and the CPU.

use rigscope_core::model::{ClipId, MeshId};
use std::sync::Arc;

use glam::{Affine3A, Vec3};
use rigscope_core::pose::{PoseSpec, Sampling};
use rigscope_gpu::Scene;

use super::full_models::*;
use super::models::{PLAIN, Random, Recipe};
use super::skinning::compare;
use super::uploaded;
use rigscope_testing::*;

const ALL_SAMPLINGS: [Sampling; 4] =
    [Sampling::Runtime, Sampling::Step, Sampling::Linear, Sampling::Decomposed];

/// Compares all clips at several moments, and the pose outside of clips. Returns the scene.
fn compare_model(model: &Model, what: &str) -> Scene {
    let (gpu, renderer, mut scene) = uploaded(model);
    compare(model, &mut scene, &renderer, &PoseSpec::default(), what);
    for clip in 0..model.clips.len() {
        for time_secs in [-1.0, 0.1, 0.5, 0.9, 1.7, 2.4, 9.0] {
            for sampling in ALL_SAMPLINGS {
                let spec =
                    PoseSpec { sampling, ..PoseSpec::at_secs(ClipId::from_index(clip), time_secs) };
                compare(model, &mut scene, &renderer, &spec, &format!("{what} {spec:?}"));
            }
        }
    }
    compare(model, &mut scene, &renderer, &PoseSpec::default(), what);
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
    scene
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn any_number_of_influences_matches_the_cpu() {
    for (seed, most_influences) in [(1, 0), (2, 1), (3, 4), (4, 12)] {
        let recipe = FullRecipe { seed, most_influences, ..FULL };
        compare_model(&recipe.model(), &format!("{recipe:?}"));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn hundreds_of_bones_have_separate_slots() {
    for num_bones in [1, 257, 300, 1000] {
        let recipe = FullRecipe { seed: 11, num_bones, ..FULL };
        compare_model(&recipe.model(), &format!("{recipe:?}"));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn dual_quaternion_blending_matches_the_cpu() {
    let mut random = Random::new(21);
    let shares = (0..500).map(|_| random.signed().max(0.0)).collect();
    for (seed, blending) in [
        (21, Blending::DualQuaternion),
        (22, Blending::Mixed(shares)),
        // Fewer shares than vertices: the remaining ones are linear.
        (23, Blending::Mixed(vec![1.0; 100])),
    ] {
        for is_rigid in [true, false] {
            let recipe = FullRecipe { seed, blending: blending.clone(), is_rigid, ..FULL };
            compare_model(&recipe.model(), &format!("{seed} {is_rigid}"));
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bone_local_copies_match_the_cpu() {
    let random = &mut Random::new(31);
    let mut model = FULL.model();
    model.meshes[MeshId(0)].skin = random_copies(random, FULL.num_vertices, FULL.num_bones);
    // Shapes are offsets of positions that such a mesh doesn't use.
    model.meshes[MeshId(0)].morph_targets = targets(random, FULL.num_vertices);
    for space in [KeySpace::Local, KeySpace::Skin] {
        let clip = sampled_clip(random, FULL.num_bones, space);
        model.clips.push(clip);
    }
    compare_model(&checked(model), "bone local");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn rigid_meshes_follow_their_bone_or_do_not_move() {
    let mut model = FULL.model();
    model.meshes[MeshId(0)].skin = Skin::None;
    let still = model.meshes[MeshId(0)].clone();
    model.meshes[MeshId(0)].attached_to = Some(BoneId(3));
    model.meshes.push(still);
    compare_model(&checked(model), "rigid");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn morph_targets_are_applied_before_bones() {
    let random = &mut Random::new(41);
    let mut model = FULL.model();
    model.meshes[MeshId(0)].morph_targets = targets(random, FULL.num_vertices);
    model.clips.push(morph_clip(0));
    let mut sampled = sampled_clip(random, FULL.num_bones, KeySpace::Local);
    model.clips.push(sampled.clone());
    sampled.morph_tracks = morph_clip(0).morph_tracks;
    model.clips.push(sampled);
    compare_model(&checked(model), "morphs");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn packed_vertices_support_morph_targets() {
    let recipe = Recipe {
        seed: 51,
        num_vertices: 300,
        num_bones: 20,
        num_keys: 5,
        has_hierarchy: true,
        has_hidden_bones: true,
        ..PLAIN
    };
    let mut model = recipe.model();
    let random = &mut Random::new(51);
    model.meshes[MeshId(0)].morph_targets = targets(random, 300);
    model.clips.push(morph_clip(0));
    compare_model(&checked(model), "packed with shapes");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn vertex_animations_are_passed_through_without_normals() {
    let random = &mut Random::new(61);
    let mut model = FULL.model();
    let packed = Recipe {
        seed: 62,
        num_vertices: 70,
        num_bones: FULL.num_bones,
        num_keys: 1,
        has_hierarchy: true,
        ..PLAIN
    };
    model.meshes.extend(packed.model().meshes);
    model.clips.push(cache_clip(random, 0, FULL.num_vertices));
    model.clips.push(cache_clip(random, 1, 70));
    compare_model(&checked(model), "vertex cache");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn sampled_keys_move_full_meshes_without_the_cpu() {
    let random = &mut Random::new(71);
    for space in [KeySpace::Local, KeySpace::Skin] {
        let mut model = FULL.model();
        model.clips = vec![sampled_clip(random, FULL.num_bones, space)].into();
        let scene = compare_model(&checked(model), "sampled");
        assert_eq!(scene.num_uploaded_clips(), 1, "keys stay on the GPU");
    }
}

/// Rotates all bones and increases all morph weights over time.
#[derive(Debug)]
struct Wheel;

#[expect(clippy::cast_possible_truncation, reason = "an angle needs no 53 bits")]
impl Curves for Wheel {
    fn frames_per_sec(&self) -> Option<f64> {
        Some(24.0)
    }

    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        for bone in parent_from_bone {
            *bone *= Affine3A::from_rotation_z(time_secs as f32);
        }
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        for weight in weights.iter_mut().flatten() {
            *weight = time_secs as f32 * 0.4;
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn matrix_tracks_match_the_cpu() {
    let mut model = FULL.model();
    let matrices = |clip: &mut Clip| {
        let tracks = tracks_mut(clip);
        for track in tracks {
            if let Some(rotations) = &mut track.rotation {
                rotations.interpolation = Interpolation::Matrix;
            }
        }
    };
    matrices(&mut model.clips[ClipId(0)]);
    compare_model(&checked(model), "matrices");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn live_curves_provide_bones_and_weights() {
    let random = &mut Random::new(81);
    let mut model = FULL.model();
    model.meshes[MeshId(0)].morph_targets = targets(random, FULL.num_vertices);
    model.clips[ClipId(0)].motion = Motion::Curves(LiveCurves(Arc::new(Wheel)));
    compare_model(&checked(model), "live curves");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn meshes_of_all_kinds_work_in_one_model() {
    let random = &mut Random::new(91);
    let mut model = FULL.model();
    let num = FULL.num_vertices;
    let packed = Recipe {
        seed: 92,
        num_vertices: 333,
        num_bones: FULL.num_bones,
        num_keys: 1,
        has_hierarchy: true,
        ..PLAIN
    };
    let stiff = FullRecipe { seed: 93, blending: Blending::DualQuaternion, ..FULL };
    model.meshes.push(Mesh::default());
    model.meshes.extend(packed.model().meshes);
    model.meshes.extend(stiff.model().meshes);
    let copied = Mesh {
        skin: random_copies(random, num, FULL.num_bones),
        ..model.meshes[MeshId(0)].clone()
    };
    let shaped = Mesh { morph_targets: targets(random, num), ..model.meshes[MeshId(0)].clone() };
    let hanging = Mesh { skin: Skin::None, attached_to: Some(BoneId(7)), ..shaped.clone() };
    model.meshes.extend([copied, shaped, hanging]);
    model.clips.push(morph_clip(5));
    model.clips.push(morph_clip(6));
    model.clips.push(cache_clip(random, 4, num));
    model.clips.push(sampled_clip(random, FULL.num_bones, KeySpace::Local));
    compare_model(&checked(model), "all kinds");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn hidden_bones_give_zero_normals_and_never_nan() {
    let mut random = Random::new(101);
    for blending in [Blending::Linear, Blending::DualQuaternion] {
        let recipe = FullRecipe { seed: 101, most_influences: 1, blending, ..FULL };
        let mut model = recipe.model();
        let mut clip = sampled_clip(&mut random, recipe.num_bones, KeySpace::Local);
        let Motion::Sampled(motion) = &mut clip.motion else { panic!("the clip is sampled") };
        let hidden = vec![Affine3A::from_scale(Vec3::ZERO); recipe.num_bones as usize * 2];
        motion.keys = PackedKeys::from_matrices(recipe.num_bones, &hidden).unwrap();
        model.clips = vec![clip].into();
        compare_model(&checked(model), "hidden");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn empty_models_are_uploaded_and_posed() {
    compare_model(&Model::default(), "nothing");
    let mut empty = FULL.model();
    empty.meshes = vec![Mesh::default(), Mesh::default()].into();
    compare_model(&checked(empty), "meshes without vertices");
    let mut bones = FULL.model();
    bones.meshes.as_mut_vec().clear();
    compare_model(&checked(bones), "bones alone");
    let mut boneless = FULL.model();
    boneless.skeleton = Skeleton::default();
    boneless.clips.as_mut_vec().clear();
    compare_model(&checked(boneless), "a skin without bones");
}
