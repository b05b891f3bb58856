//! Skinned vertices are the same on the GPU and the CPU.

use glam::{Affine3A, Vec3};
use rigscope_core::model::{ClipId, MeshId};
use rigscope_core::pose::{Moment, Normals, PoseSpec, Sampling, SkinnedMesh, skin_model};
use rigscope_gpu::{Renderer, Scene, readback};

use super::models::{PLAIN, Random, Recipe};
use super::rounding::position_tolerances;
use super::{gpu, uploaded};
use rigscope_testing::*;

/// Largest length of the difference of two unit vectors.
const DIRECTION: f32 = 2e-3;

/// Compares all vertices in the pose `spec`.
pub(crate) fn compare(
    model: &Model,
    scene: &mut Scene,
    renderer: &Renderer,
    spec: &PoseSpec,
    what: &str,
) {
    let found = readback::skinned(gpu(), renderer, scene, spec).unwrap();
    compare_with_cpu(model, &found, spec, what);
}

/// Compares vertices skinned on the GPU with the CPU reference.
pub(crate) fn compare_with_cpu(model: &Model, found: &[SkinnedMesh], spec: &PoseSpec, what: &str) {
    let wanted = skin_model(model, spec);
    assert_eq!(found.len(), wanted.len());
    let tolerances = position_tolerances(model, spec);
    for ((found, wanted), tolerance) in found.iter().zip(&wanted).zip(tolerances) {
        compare_mesh(found, wanted, tolerance, what);
    }
}

fn compare_mesh(found: &SkinnedMesh, wanted: &SkinnedMesh, tolerance: f32, what: &str) {
    assert_eq!(found.positions.len(), wanted.positions.len(), "{what}");
    for (vertex, (f, w)) in found.positions.iter().zip(&wanted.positions).enumerate() {
        let deviation = f.distance(*w);
        assert!(
            deviation <= tolerance,
            "{what}: vertex {vertex} is at {f}, not {w}: {deviation} of {tolerance}"
        );
    }
    let mut far = 0;
    let directions = found.normals.iter().zip(&wanted.normals);
    for (f, w) in directions {
        assert!(f.is_finite(), "{what}");
        assert_eq!(*f == Vec3::ZERO, *w == Vec3::ZERO, "{what}: {f} {w}");
        far += usize::from(f.distance(*w) > DIRECTION);
    }
    for (f, w) in found.tangents.iter().zip(&wanted.tangents) {
        assert!(f.is_finite(), "{what}");
        assert_eq!(f.w, w.w, "{what}: the bitangent sign is preserved");
        far += usize::from(f.truncate().distance(w.truncate()) > DIRECTION);
    }
    // Directions from nearly cancelling matrices are dominated by rounding.
    assert!(
        far * 1000 <= found.normals.len(),
        "{what}: {far} of {} directions differ",
        found.normals.len()
    );
}

fn compare_recipe(recipe: Recipe) {
    let model = recipe.model();
    let (gpu, renderer, mut scene) = uploaded(&model);
    let mut random = Random::new(recipe.seed + 1);
    let times = (0..4).map(|_| {
        let end = model.clips[ClipId(0)].duration_secs;
        Moment::TimeSecs(end * f64::from(random.signed().abs()) * 1.1)
    });
    let moments = [Moment::Default, Moment::Key(0), Moment::Key(1), Moment::Key(9999)];
    for moment in moments.into_iter().chain(times) {
        for sampling in [Sampling::Step, Sampling::Linear] {
            let spec = PoseSpec { clip: Some(ClipId(0)), moment, sampling, ..PoseSpec::default() };
            let what = format!("{recipe:?} {spec:?}");
            compare(&model, &mut scene, &renderer, &spec, &what);
        }
    }
    assert_eq!(scene.num_uploaded_clips(), 1, "keys stay on the GPU");
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn baked_skinning_matrices_match_the_cpu() {
    for (seed, num_bones) in [(1, 1), (2, 2), (3, 40), (4, 65), (5, 255), (6, 256)] {
        compare_recipe(Recipe { seed, num_bones, ..PLAIN });
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn hierarchy_composition_matches_the_cpu() {
    for (seed, num_bones) in [(11, 1), (12, 3), (13, 40), (14, 256)] {
        compare_recipe(Recipe { seed, num_bones, has_hierarchy: true, ..PLAIN });
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn zero_scale_bones_hide_vertices_without_nan() {
    for has_hierarchy in [false, true] {
        compare_recipe(Recipe { seed: 21, has_hierarchy, has_hidden_bones: true, ..PLAIN });
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bind_pair_matches_the_cpu() {
    compare_recipe(Recipe { seed: 31, num_keys: 2, is_bind_pair: true, ..PLAIN });
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn one_vertex_and_many_vertices_are_all_moved() {
    for num_vertices in [1, 63, 64, 65, 65_536] {
        compare_recipe(Recipe { seed: 41, num_vertices, num_keys: 2, ..PLAIN });
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_long_chain_of_bones_is_walked_to_its_root() {
    let mut model = Recipe { seed: 51, num_bones: 256, has_hierarchy: true, ..PLAIN }.model();
    let bones = (0..256u32).map(|bone| Bone {
        // Reverse order: the last bone is the root.
        parent: (bone < 255).then_some(BoneId(bone + 1)),
        ..Bone::default()
    });
    model.skeleton = Skeleton::new(bones.collect(), true).unwrap();
    let step = Affine3A::from_rotation_y(0.05) * Affine3A::from_translation(Vec3::X * 0.3);
    let Motion::Sampled(motion) = &mut model.clips[ClipId(0)].motion else {
        panic!("the clip is sampled")
    };
    motion.keys = PackedKeys::from_matrices(256, &[step; 256]).unwrap();
    let (_, renderer, mut scene) = uploaded(&model);
    compare(&model, &mut scene, &renderer, &PoseSpec::default(), "chain");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_model_without_clips_is_shown_as_stored() {
    let mut model = PLAIN.model();
    model.clips.as_mut_vec().clear();
    let (gpu, renderer, mut scene) = uploaded(&model);
    let spec = PoseSpec::default();
    compare(&model, &mut scene, &renderer, &spec, "no clips");
    let found = readback::skinned(gpu, &renderer, &mut scene, &spec).unwrap();
    let stored = model.meshes[MeshId(0)].position(7).unwrap();
    let tolerance = position_tolerances(&model, &spec)[0];
    assert!(found[0].positions[7].distance(stored) <= tolerance);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn rest_pose_with_inverse_binds_matches_the_cpu() {
    let mut model = Recipe { seed: 61, has_hierarchy: true, ..PLAIN }.model();
    model.default_pose = DefaultPose::Rest;
    let (_, renderer, mut scene) = uploaded(&model);
    compare(&model, &mut scene, &renderer, &PoseSpec::default(), "rest");
    let playing = PoseSpec { clip: Some(ClipId(0)), ..PoseSpec::default() };
    compare(&model, &mut scene, &renderer, &playing, "then a clip");
    compare(&model, &mut scene, &renderer, &PoseSpec::default(), "rest again");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn meshes_that_have_not_moved_are_not_skinned_again() {
    let model = ModelBuilder::new()
        .bones(&[("moving", None, Vec3::ZERO), ("still", None, Vec3::X)])
        .triangle()
        .attached_to(0)
        .triangle()
        .attached_to(1)
        .triangle()
        .morph("late", &[(1, Vec3::Z)])
        .clip("up", 1.0)
        .translation(0, linear([(0.0, Vec3::ZERO), (1.0, Vec3::Y)]))
        .with(|model| model.normal_matrix = NormalMatrix::Same)
        .checked();
    let (_, renderer, mut scene) = uploaded(&model);
    let mut is_moved = |spec: &PoseSpec, num: usize, what: &str| {
        compare(&model, &mut scene, &renderer, spec, what);
        assert_eq!(scene.num_skinned_chunks(), num, "{what}");
    };
    let at = |secs| PoseSpec::at_secs(ClipId(0), secs);
    is_moved(&at(0.0), 3, "first");
    is_moved(&at(0.3), 1, "one bone moves");
    is_moved(&PoseSpec { normals: Normals::Exact, ..at(0.3) }, 3, "other normals");
    is_moved(&PoseSpec { normals: Normals::Exact, ..at(0.8) }, 1, "one bone again");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn meshes_follow_their_bones_or_do_not_move() {
    let mut model = PLAIN.model();
    let rigid =
        Mesh { skin: Skin::None, attached_to: Some(BoneId(5)), ..model.meshes[MeshId(0)].clone() };
    let still = Mesh { attached_to: None, ..rigid.clone() };
    model.meshes.extend([rigid, still]);
    let (_, renderer, mut scene) = uploaded(&model);
    compare(&model, &mut scene, &renderer, &PoseSpec::default(), "meshes");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn keys_too_large_for_the_device_are_uploaded_two_at_a_time() {
    let gpu = gpu();
    let model =
        Recipe { seed: 71, num_vertices: 100, num_bones: 256, num_keys: 9, ..PLAIN }.model();
    let small = gpu.clone().with_max_buffer(100_000);
    let renderer = Renderer::new(&small);
    let report = Report::new();
    let mut scene = Scene::upload(&small, &renderer, &model, &report).unwrap();
    let findings = report.findings();
    assert_eq!((findings.len(), findings[0].kind), (1, FindingKind::ClipBeyondGpu));
    let large = gpu.clone().with_max_buffer(1 << 20);
    let mut whole = Scene::upload(&large, &renderer, &model, &Report::new()).unwrap();
    // Forward, backward, paused, between two and past the end.
    for secs in [0.05, 0.11, 0.26, 0.12, 0.1, 0.0, 0.3, 9.0] {
        let spec = PoseSpec::linear(None, secs);
        let found = readback::skinned(&small, &renderer, &mut scene, &spec).unwrap();
        assert_eq!((scene.num_uploaded_clips(), scene.num_skinned_chunks()), (0, 1));
        compare_with_cpu(&model, &found, &spec, "large keys");
        let of_whole = readback::skinned(&large, &renderer, &mut whole, &spec).unwrap();
        assert_eq!(found, of_whole, "the same keys, the same shader");
    }
    assert_eq!(whole.num_uploaded_clips(), 1);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn clips_that_do_not_fit_together_in_memory_replace_each_other() {
    let gpu = gpu();
    let mut model =
        Recipe { seed: 81, num_vertices: 100, num_bones: 256, num_keys: 4, ..PLAIN }.model();
    let mut second = model.clips[ClipId(0)].clone();
    second.name = "second".into();
    model.clips.push(second);
    let small = gpu.clone().with_max_buffer(60_000);
    let renderer = Renderer::new(&small);
    let mut scene = Scene::upload(&small, &renderer, &model, &Report::new()).unwrap();
    for clip in [0, 1, 0] {
        let spec = PoseSpec::at_key(ClipId(clip), clip + 1);
        let found = readback::skinned(&small, &renderer, &mut scene, &spec).unwrap();
        compare_with_cpu(&model, &found, &spec, "turns");
        assert_eq!(scene.num_uploaded_clips(), 1);
    }
}
