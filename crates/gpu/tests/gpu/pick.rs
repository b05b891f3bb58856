//! Picking compared with the CPU reference.

use glam::{Mat4, Vec2, Vec3};
use rigscope_core::camera::{Camera, Preset, Projection};
use rigscope_core::model::MeshId;
use rigscope_core::model::*;
use rigscope_core::pose::{
    BoneShape, Moment, PoseSpec, Sampling, SkinnedMesh, nearest_triangle, skin_model,
};
use rigscope_core::visual::PickHit;
use rigscope_gpu::pick::{PickPoint, Picker};
use rigscope_gpu::{FrameInput, Layer, Renderer, Scene, Show, SubsetLook};

use super::images::front;
use super::models::{PLAIN, Random, Recipe, facing, still_life};
use super::support::{open_file, readable_samples_if_any};
use super::{gpu, uploaded};

const REACH_POINTS: f32 = 8.0;
const SIZE_POINTS: Vec2 = Vec2::new(160.0, 110.0);

/// An uploaded model to pick from.
struct Stage {
    renderer: Renderer,
    scene: Scene,
    picker: Picker,
}

impl Stage {
    fn new(model: &Model) -> Self {
        let (_, renderer, scene) = uploaded(model);
        Self { renderer, scene, picker: Picker::default() }
    }

    fn pick(
        &mut self,
        model: &Model,
        input: &FrameInput<'_>,
        size_px: [u32; 2],
        at_px: Vec2,
    ) -> PickHit {
        let gpu = gpu();
        let point = PickPoint { at_px, reach_points: REACH_POINTS };
        let (picker, scene) = (&mut self.picker, &mut self.scene);
        let pending = picker.request(gpu, &self.renderer, scene, input, size_px, point).unwrap();
        let hit = pollster::block_on(pending.result(model)).unwrap();
        assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
        hit
    }
}

fn ndc(at_px: Vec2, size: Vec2) -> Vec2 {
    Vec2::new(at_px.x / size.x * 2.0 - 1.0, 1.0 - at_px.y / size.y * 2.0)
}

/// Mesh, triangle and distance of the first hit of a ray through `at_px`.
fn reference(
    model: &Model,
    posed: &[SkinnedMesh],
    camera: &Camera,
    size: Vec2,
    at_px: Vec2,
) -> Option<(usize, u32, f32)> {
    let ray = camera.ray(ndc(at_px, size), size.x / size.y);
    let file_from_display = model.axes.display_from_file().inverse();
    let origin = file_from_display.transform_point3(ray.origin);
    let direction = file_from_display.transform_vector3(ray.direction);
    let meshes = model.meshes.iter().zip(posed).enumerate();
    let hits = meshes.filter_map(|(number, (mesh, posed))| {
        let hit = nearest_triangle(mesh, &posed.positions, origin, direction, |_| true)?;
        Some((number, hit.triangle, hit.distance))
    });
    hits.min_by(|a, b| a.2.total_cmp(&b.2))
}

/// Counts of the comparisons.
#[derive(Default, Debug)]
struct Tally {
    num_hits: usize,
    num_misses: usize,
    num_equal: usize,
    num_at_edges: usize,
}

/// Compares random pixels for one camera. A mismatch is only allowed at an edge, where the reference within
/// half a pixel gives the same result.
fn compare(
    stage: &mut Stage,
    model: &Model,
    input: &FrameInput<'_>,
    random: &mut Random,
    tally: &mut Tally,
) {
    let size = (SIZE_POINTS * input.pixels_per_point).round();
    let size_px = size.as_uvec2().to_array();
    let posed = skin_model(model, &input.pose);
    for number in 0..40 {
        let anywhere =
            Vec2::new(random.below(size_px[0]) as f32, random.below(size_px[1]) as f32) + 0.5;
        // Every other pixel is near a triangle, since most of the image is empty.
        let near = (number % 2 == 0).then(|| on_a_triangle(model, &posed, input, size, random));
        let at_px = near.flatten().unwrap_or(anywhere);
        let found = stage.pick(model, input, size_px, at_px).triangle;
        let found = found.map(|hit| (hit, (hit.mesh.index(), hit.triangle)));
        let expected = reference(model, &posed, &input.camera, size, at_px);
        match expected {
            Some(_) => tally.num_hits += 1,
            None => tally.num_misses += 1,
        }
        let same = |expected: Option<(usize, u32, f32)>| {
            expected.map(|(mesh, triangle, _)| (mesh, triangle)) == found.map(|(_, ids)| ids)
        };
        if same(expected) {
            tally.num_equal += 1;
        } else {
            let steps = [-0.5f32, -0.25, -0.02, 0.02, 0.25, 0.5];
            let around = steps.iter().flat_map(|&x| steps.map(|y| Vec2::new(x, y)));
            let mut around =
                around.map(|off| reference(model, &posed, &input.camera, size, at_px + off));
            let found_around = around.any(same);
            assert!(
                found_around
                    || is_tie(model, &posed, input, size, at_px, found.map(|f| f.1), expected),
                "{at_px} of {size}: the GPU found {found:?}, the CPU {expected:?}; {:?} {:?}",
                input.camera,
                input.pose
            );
            tally.num_at_edges += 1;
        }
        if let Some((hit, _)) = found {
            check_vertex(model, &posed, input, size, at_px, hit);
        }
    }
}

/// The pixel of the centre of a random triangle, if it is in the image.
fn on_a_triangle(
    model: &Model,
    posed: &[SkinnedMesh],
    input: &FrameInput<'_>,
    size: Vec2,
    random: &mut Random,
) -> Option<Vec2> {
    let number = random.below(u32::try_from(model.meshes.len()).unwrap()) as usize;
    let mesh = &model.meshes[MeshId::from_index(number)];
    let num = u32::try_from(mesh.num_triangles()).unwrap();
    let first = random.below(num.max(1)) as usize * 3;
    let corners = mesh.triangles(first..first + 3).next()?;
    let sum: Vec3 = corners.iter().map(|&corner| posed[number].positions[corner as usize]).sum();
    let clip = input.camera.clip_from_world(size.x / size.y, &input.bounds)
        * Mat4::from(model.axes.display_from_file());
    let clip = clip * (sum / 3.0).extend(1.0);
    let ndc = Vec2::new(clip.x, -clip.y) / clip.w;
    let at_px = ((ndc + 1.0) * 0.5 * size).floor() + 0.5;
    let is_inside = clip.w > 0.0 && at_px.min_element() > 0.0 && at_px.cmplt(size).all();
    is_inside.then_some(at_px)
}

/// Whether the found and the expected triangle are at the same depth, as duplicates are.
fn is_tie(
    model: &Model,
    posed: &[SkinnedMesh],
    input: &FrameInput<'_>,
    size: Vec2,
    at_px: Vec2,
    found: Option<(usize, u32)>,
    expected: Option<(usize, u32, f32)>,
) -> bool {
    let (Some((mesh, triangle)), Some((_, _, distance))) = (found, expected) else { return false };
    let only = Mesh {
        indices: Indices::U32(
            (0..3)
                .filter_map(|at| {
                    model.meshes[MeshId::from_index(mesh)].indices.get(triangle as usize * 3 + at)
                })
                .collect(),
        ),
        subsets: vec![Subset { first_index: 0, index_count: 3, material: None }],
        ..model.meshes[MeshId::from_index(mesh)].clone()
    };
    let alone = Model { meshes: vec![only].into(), axes: model.axes, ..Model::default() };
    let hit = reference(&alone, &posed[mesh..=mesh], &input.camera, size, at_px);
    hit.is_some_and(|(_, _, own)| (own - distance).abs() <= 1e-4 * distance.abs())
}

/// The vertex must be a corner of the triangle, and the nearest one on the screen up to rounding.
fn check_vertex(
    model: &Model,
    posed: &[SkinnedMesh],
    input: &FrameInput<'_>,
    size: Vec2,
    at_px: Vec2,
    hit: rigscope_core::visual::PickedTriangle,
) {
    let clip = input.camera.clip_from_world(size.x / size.y, &input.bounds)
        * Mat4::from(model.axes.display_from_file());
    let at = ndc(at_px, size);
    let distance_px = |vertex: u32| {
        let position = posed[hit.mesh.index()].positions[vertex as usize];
        let clip = clip * position.extend(1.0);
        if clip.w > 0.0 {
            ((Vec2::new(clip.x, clip.y) / clip.w - at) * size * 0.5).length()
        } else {
            f32::INFINITY
        }
    };
    let indices = &model.meshes[hit.mesh].indices;
    let corners = [0, 1, 2].map(|at| indices.get(hit.triangle as usize * 3 + at).unwrap());
    assert!(corners.contains(&hit.vertex.0));
    let own = distance_px(hit.vertex.0);
    let least = corners.map(distance_px).into_iter().fold(f32::INFINITY, f32::min);
    assert!(own <= least * 1.001 + 0.05, "{own} px, and {least} px is there");
}

/// Views `model` from random directions and distances, in both projections and at several pixel densities.
fn look_around(model: &Model, poses: &[PoseSpec], seed: u64, tally: &mut Tally) {
    let mut stage = Stage::new(model);
    let random = &mut Random::new(seed);
    for (number, &pose) in (0u64..).zip(poses) {
        let posed = skin_model(model, &pose);
        let positions = posed.iter().flat_map(|mesh| mesh.positions.iter().copied());
        let bounds = Aabb::from_points(positions).transformed(&model.axes.display_from_file());
        for (projection, pixels_per_point) in [
            (Projection::Perspective, 1.0),
            (Projection::Orthographic, 1.5),
            (Projection::Perspective, 2.0),
        ] {
            let mut camera = Camera {
                yaw_rad: random.signed() * 3.0,
                pitch_rad: random.signed() * 1.3,
                projection,
                ..Camera::default()
            };
            camera.frame(&bounds, SIZE_POINTS.x / SIZE_POINTS.y);
            camera.distance *= 0.85 + 0.25 * random.signed();
            let input = FrameInput {
                camera,
                bounds,
                pose,
                show: Show::parse("surface").unwrap(),
                pixels_per_point,
                ..FrameInput::default()
            };
            compare(&mut stage, model, &input, random, tally);
            assert!(stage.picker.num_drawn() <= number * 3 + 3);
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_nearest_skinned_triangle_is_picked_from_every_side() {
    let mut tally = Tally::default();
    for seed in 0..4 {
        let recipe = Recipe {
            seed,
            num_vertices: 90,
            num_bones: 5,
            num_keys: 3,
            has_hierarchy: seed % 2 == 1,
            ..PLAIN
        };
        let mut model = recipe.model();
        let random = &mut Random::new(seed + 100);
        let mesh = &mut model.meshes[MeshId(0)];
        let indices: Vec<u32> = (0..150).map(|_| random.below(90)).collect();
        let narrow = indices.iter().flat_map(|&i| u16::try_from(i).unwrap().to_le_bytes());
        mesh.indices = match seed % 2 {
            0 => Indices::U16(ByteView::whole(narrow.collect())),
            _ => Indices::U32(indices.clone()),
        };
        // Some begin in the middle of a word of two indices.
        mesh.subsets = [(0, 45), (45, 30), (75, 75)]
            .map(|(first_index, index_count)| Subset { first_index, index_count, material: None })
            .to_vec();
        let pose = |moment| PoseSpec {
            clip: Some(ClipId(0)),
            moment,
            sampling: Sampling::Linear,
            ..PoseSpec::default()
        };
        let poses = [pose(Moment::Key(1)), pose(Moment::TimeSecs(0.05))];
        look_around(&model, &poses, seed + 7, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.num_hits > 300, "{tally:?}");
    assert!(tally.num_equal * 100 > (tally.num_hits + tally.num_misses) * 97, "{tally:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_nearest_triangle_of_real_files_is_picked() {
    /// One sample for each kind of skin and unit.
    const NAMES: [&str; 9] = [
        "spider_animation.bsm2",
        "octopus.bsm2",
        "Fox.glb",
        "cesium_man.gltf",
        "suzanne.bsm",
        "maya_dual_quaternion_7500_ascii.fbx",
        "maya_blend_shape_cube_7700_binary.fbx",
        "max7_skin_5000_binary.fbx",
        "sample.bsm2",
    ];
    let mut files = readable_samples_if_any();
    files.push(crate::support::sample_file());
    files.retain(|path| NAMES.iter().any(|name| path.ends_with(name)));
    let mut tally = Tally::default();
    for path in &files {
        let Ok(model) = open_file(path, &[], &Report::new()) else { continue };
        let moment = model.clips.first().map(|clip| PoseSpec {
            sampling: Sampling::Step,
            ..PoseSpec::at_secs(ClipId(0), clip.start_secs + clip.duration_secs * 0.4)
        });
        let poses: Vec<_> = [Some(PoseSpec::default()), moment].into_iter().flatten().collect();
        look_around(&model, &poses, 3, &mut tally);
    }
    println!("{} files, {tally:?}", files.len());
    assert!(tally.num_hits >= 20 * files.len() && !files.is_empty(), "{tally:?}");
}

/// The middle of a [`front`] image of 96 pixels.
const MIDDLE: Vec2 = Vec2::new(48.5, 48.5);

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn hidden_parts_are_not_picked_and_the_image_is_only_redrawn_after_changes() {
    let model = still_life(&[facing(0.0, 0.7), facing(-0.5, 0.7)]);
    let mut stage = Stage::new(&model);
    let hit = stage.pick(&model, &front(), [96; 2], MIDDLE).triangle.unwrap();
    assert_eq!((hit.subset, hit.triangle), (0, 0));
    let away = stage.pick(&model, &front(), [96; 2], Vec2::new(2.0, 2.0));
    assert_eq!(away, PickHit::default());
    assert_eq!(stage.picker.num_drawn(), 1);
    let looks = [false, true].map(|visible| SubsetLook { visible, color: None });
    let input = FrameInput { subsets: &looks, ..front() };
    let hit = stage.pick(&model, &input, [96; 2], MIDDLE).triangle.unwrap();
    assert_eq!((hit.subset, hit.triangle), (1, 1));
    assert_eq!(stage.picker.num_drawn(), 2);
    let nothing = FrameInput { show: Show::NOTHING, ..front() };
    let none = stage.pick(&model, &nothing, [96; 2], MIDDLE);
    assert_eq!(none, PickHit::default());
    let outside = stage.pick(&model, &front(), [96; 2], Vec2::new(500.0, -3.0));
    assert_eq!(outside, PickHit::default());
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn picking_works_in_half_of_an_image() {
    let model = still_life(&[facing(0.0, 0.7)]);
    let mut stage = Stage::new(&model);
    let half = FrameInput {
        layer: Layer { view: [0.5, 1.0], window: [0.5, 1.0], ..Layer::default() },
        ..front()
    };
    let size = [192, 96];
    let left = stage.pick(&model, &half, size, MIDDLE);
    assert_eq!(left.triangle, None);
    // The lower right corner of the triangle.
    let at = Vec2::new(96.0 + 75.0, 75.0);
    let hit = stage.pick(&model, &half, size, at).triangle.unwrap();
    assert_eq!(hit.vertex, VertexId(1));
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bones_are_picked_within_reach_and_hide_behind_the_surface_unless_on_top() {
    let bones = [BoneShape {
        bone: BoneId(4),
        head: Vec3::new(0.0, -0.6, -0.5),
        tail: Vec3::new(0.0, 0.6, -0.5),
    }];
    let model = still_life(&[facing(0.0, 0.7)]);
    let mut stage = Stage::new(&model);
    let mut picked = |show: &str, at_px: Vec2, pixels_per_point: f32| {
        let input = FrameInput {
            show: Show::parse(show).unwrap(),
            bones: &bones,
            pixels_per_point,
            ..front()
        };
        let size_px = (Vec2::splat(96.0) * pixels_per_point).as_uvec2();
        let at_px = at_px * pixels_per_point;
        stage.pick(&model, &input, size_px.to_array(), at_px)
    };
    for pixels_per_point in [1.0, 2.0] {
        let hidden = picked("surface,bones", MIDDLE, pixels_per_point);
        assert_eq!(hidden.bone, None, "behind the triangle");
        assert!(hidden.triangle.is_some());
        let on_top = picked("surface,bones-on-top", MIDDLE, pixels_per_point);
        let bone = on_top.bone.unwrap();
        assert_eq!((bone.bone, bone.distance_points), (BoneId(4), 0.0));
        assert_eq!(on_top.triangle, None);
        // Halfway up, the octahedron is 2 points wide.
        let aside = MIDDLE + Vec2::new(7.0, 0.0);
        let near = picked("surface,bones-on-top", aside, pixels_per_point);
        let bone = near.bone.unwrap();
        assert!((2.0..8.0).contains(&bone.distance_points), "{bone:?}");
        assert!(near.triangle.is_some());
        let far = MIDDLE + Vec2::new(14.0, 0.0);
        assert_eq!(picked("surface,bones-on-top", far, pixels_per_point).bone, None);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn dots_of_a_mesh_without_triangles_are_picked() {
    let mut model = still_life(&[facing(0.0, 0.5)]);
    model.meshes[MeshId(0)].indices = Indices::default();
    model.meshes[MeshId(0)].subsets.clear();
    let mut stage = Stage::new(&model);
    let mut camera = front().camera;
    camera.look_from(Preset::Front);
    let input = FrameInput { camera, ..front() };
    // The vertex at 0.5, -0.5.
    let hit = stage.pick(&model, &input, [96; 2], Vec2::new(72.0, 72.0));
    let point = hit.point.unwrap();
    assert_eq!((point.mesh, point.vertex), (MeshId(0), VertexId(1)));
    assert_eq!(point.subset, None);
    assert_eq!(stage.pick(&model, &input, [96; 2], MIDDLE).point, None);
}
