//! Pose overrides give the same vertices on the GPU and the CPU, and each ghost of a scene has its own
//! pose.

use glam::{Affine3A, Vec3};
use rigscope_core::model::MeshId;
use rigscope_core::pose::{
    ClipLayer, InPlace, LayerMode, Moment, MorphOverrides, PoseSpec, Sampling,
};
use rigscope_gpu::{FrameInput, Layer, Msaa, Renderer, Scene, Target, headless};

use super::full_models::*;
use super::images::{SIDE, front};
use super::models::{PLAIN, Random, Recipe, facing, still_life};
use super::skinning::compare;
use super::{gpu, support::fixtures, uploaded};
use rigscope_testing::*;

/// Compares every kind of pose override, one after another on one scene.
fn compare_all(model: &Model, what: &str) {
    let (gpu, renderer, mut scene) = uploaded(model);
    let plain = PoseSpec::linear(ClipId(0), 0.137);
    let last = ClipId::from_index(model.clips.len() - 1);
    let layer = |mode| {
        Some(ClipLayer {
            clip: last,
            time_secs: 0.08,
            weight: 0.35,
            mode,
            reference_secs: None,
            mask: None,
        })
    };
    let mut morphs = MorphOverrides::default();
    assert!(morphs.set(1, Some(0.6)));
    let specs = [
        plain,
        PoseSpec { sampling: Sampling::Decomposed, ..plain },
        PoseSpec { layer: layer(LayerMode::Crossfade), ..plain },
        PoseSpec { layer: layer(LayerMode::AddToStart), ..plain },
        PoseSpec { layer: layer(LayerMode::AddToRest), ..plain },
        PoseSpec { in_place: Some(InPlace { bone: BoneId(0), point: Vec3::ONE }), ..plain },
        PoseSpec { morphs, ..plain },
        PoseSpec { morphs, ..PoseSpec::default() },
        PoseSpec { moment: Moment::Rest, ..plain },
        PoseSpec { moment: Moment::Bind, ..plain },
        // Nothing of the previous override remains.
        plain,
        PoseSpec::default(),
    ];
    for spec in specs {
        compare(model, &mut scene, &renderer, &spec, &format!("{what} {spec:?}"));
    }
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn pose_overrides_of_packed_vertices_match_the_cpu() {
    for (name, model) in
        [("finished", fixtures::two_triangles()), ("local", fixtures::with_hierarchy())]
    {
        let mut model = model;
        model.clips.reverse();
        compare_all(&model, name);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn pose_overrides_of_float_vertices_and_morphs_match_the_cpu() {
    let recipe = FullRecipe { seed: 5, ..FULL };
    let mut model = recipe.model();
    let mut random = Random::new(77);
    let num = model.meshes[MeshId(0)].num_vertices();
    model.meshes[MeshId(0)].morph_targets = targets(&mut random, num);
    let bones = recipe.num_bones;
    model.clips = vec![
        sampled_clip(&mut random, bones, KeySpace::Local),
        morph_clip(0),
        sampled_clip(&mut random, bones, KeySpace::Local),
    ]
    .into();
    compare_all(&checked(model), "morphs");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn decomposed_keys_of_random_bones_match_the_cpu() {
    let gpu = gpu();
    let renderer = Renderer::new(gpu);
    for has_hierarchy in [false, true] {
        let model = Recipe {
            seed: 21,
            num_vertices: 500,
            num_bones: 12,
            num_keys: 5,
            has_hierarchy,
            has_hidden_bones: true,
            ..PLAIN
        }
        .model();
        let mut scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
        for time_secs in [0.0, 0.01, 0.05, 0.09, 9.0] {
            let spec = PoseSpec {
                moment: Moment::TimeSecs(time_secs),
                sampling: Sampling::Decomposed,
                ..PoseSpec::default()
            };
            compare(&model, &mut scene, &renderer, &spec, &format!("{spec:?}"));
        }
    }
}

/// The mean columns of the redder and of the bluer pixels.
fn columns(image: &headless::Image) -> [Option<f32>; 2] {
    let mut sums = [(0.0f32, 0.0f32); 2];
    for (at, pixel) in image.rgba8.chunks_exact(4).enumerate() {
        let x = (at % SIDE as usize) as f32;
        let (red, blue) = (i32::from(pixel[0]), i32::from(pixel[2]));
        for (sum, is_it) in sums.iter_mut().zip([red > blue + 40, blue > red + 40]) {
            if is_it && pixel[3] > 0 {
                *sum = (sum.0 + x, sum.1 + 1.0);
            }
        }
    }
    sums.map(|(sum, num)| (num > 0.0).then(|| sum / num))
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn ghosts_of_one_scene_have_separate_poses() {
    let mut model = still_life(&[facing(0.0, 0.25)]);
    let bone = Bone { name: "root".into(), ..Bone::default() };
    model.skeleton = Skeleton::new(vec![bone], true).unwrap();
    model.meshes[MeshId(0)].attached_to = Some(BoneId(0));
    let keys: Vec<Affine3A> =
        [-0.6f32, 0.0, 0.6].map(|x| Affine3A::from_translation(Vec3::X * x)).to_vec();
    model.clips = vec![sampled("slide", KeySpace::Local, 100_000_000, 1, &keys)].into();
    let (gpu, renderer, mut scene) = uploaded(&model);
    let target = Target::new(gpu, [SIDE; 2], Msaa::Off);
    // Twice, since the second image starts with the ghost's vertices.
    for _ in 0..2 {
        let colors = [None, Some([1.0, 0.0, 0.0, 0.9]), Some([0.0, 0.0, 1.0, 0.9])];
        for (number, (ghost, key)) in colors.into_iter().zip([1, 0, 2]).enumerate() {
            let input = FrameInput {
                pose: PoseSpec::at_key(ClipId(0), key),
                layer: Layer {
                    keeps: number > 0,
                    is_followed: number < 2,
                    has_background: number == 0,
                    ghost,
                    ..Layer::default()
                },
                ..front()
            };
            assert!(renderer.render(gpu, &mut scene, &target, &input).skinned);
        }
        let image = headless::read_target(gpu, &target, front().background).unwrap();
        let [red, blue] = columns(&image);
        let middle = SIDE as f32 * 0.5;
        assert!(red.unwrap() < middle - 10.0, "{red:?}");
        assert!(blue.unwrap() > middle + 10.0, "{blue:?}");
    }
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
}
