//! Behaviour of the CPU reference that isn't covered by known answers of formats.

use crate::model::ClipId;
use glam::{Affine3A, Quat, Vec3, Vec4};

use super::*;
use crate::model::testing::*;

fn triangle(skin: Skin) -> Mesh {
    let triangle = ModelBuilder::new().triangle().normal(Vec3::new(0.6, 0.8, 0.0));
    triangle.tangent(Vec4::new(1.0, 0.0, 0.0, -1.0)).skin(skin).into_mesh()
}

#[test]
fn normals_use_the_inverse_transpose_under_nonuniform_scale() {
    let mesh = triangle(slots(1, [ONE; 3]));
    let skinned =
        skin_mesh(&mesh, &moved_by(&[Affine3A::from_scale(Vec3::new(2.0, 1.0, 1.0))], &[]));
    let expected = Vec3::new(0.3, 0.8, 0.0).normalize_or_zero();
    assert!(skinned.normals[0].distance(expected) < 1e-6);
    let mirrored =
        skin_mesh(&mesh, &moved_by(&[Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0))], &[]));
    assert!(mirrored.normals[0].distance(Vec3::new(-0.6, 0.8, 0.0)) < 1e-6);
}

#[test]
fn a_hidden_bone_gives_zero_normals_and_no_nan() {
    let mesh = triangle(slots(1, [ONE; 3]));
    let skinned = skin_mesh(&mesh, &moved_by(&[Affine3A::from_scale(Vec3::ZERO)], &[]));
    assert_eq!(skinned.normals, [Vec3::ZERO; 3]);
    assert!(skinned.tangents.iter().all(|t| t.is_finite()));
}

#[test]
fn any_number_of_influences_is_summed_and_normalised() {
    let moves: Vec<_> = (0..9).map(|i| Affine3A::from_translation(Vec3::X * i as f32)).collect();
    let list: Vec<_> = (0..9).map(|slot| (slot, 0.5)).collect();
    let mesh = triangle(slots(9, [&list[..], &[], &[(3, 2.0)]]));
    let skinned = skin_mesh(&mesh, &moved_by(&moves, &[]));
    assert!(skinned.positions[0].distance(Vec3::X * 4.0) < 1e-5);
    assert_eq!(skinned.positions[1], Vec3::X, "a vertex without influence stays");
    assert_eq!(skinned.positions[2], Vec3::Y + Vec3::X * 3.0);
}

#[test]
fn bone_local_influences_keep_their_own_positions() {
    let mesh = triangle(bone_local(
        Vec3::Y,
        &[&[(0, 0.25, Vec3::X), (1, 0.75, Vec3::NEG_X)], &[(1, 1.0, Vec3::Z)], &[]],
    ));
    let palette = [Affine3A::IDENTITY, Affine3A::from_translation(Vec3::Y * 4.0)];
    let skinned = skin_mesh(&mesh, &moved_by(&palette, &[]));
    assert_eq!(skinned.positions[0], Vec3::new(-0.5, 3.0, 0.0));
    assert_eq!(skinned.positions[1], Vec3::new(0.0, 4.0, 1.0));
}

fn moved_by(palette: &[Affine3A], morph_weights: &[f32]) -> MeshPose {
    MeshPose {
        palette: palette.to_vec(),
        morph_weights: morph_weights.to_vec(),
        ..MeshPose::default()
    }
}

#[test]
fn morph_targets_move_vertices_before_bones_do() {
    let mut mesh = triangle(slots(1, [ONE; 3]));
    mesh.morph_targets.push(morph("up", &[(1, Vec3::Z)]));
    let rotation = Affine3A::from_quat(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2));
    let skinned = skin_mesh(&mesh, &moved_by(&[rotation], &[0.5]));
    assert!(skinned.positions[1].distance(Vec3::new(0.5, 0.0, -1.0)) < 1e-6);
}

fn moved_model(interpolation: Interpolation, values: Vec<Vec3>) -> Model {
    let track = Track { times_secs: vec![1.0, 3.0], values, interpolation };
    ModelBuilder::new()
        .chain(&["root"])
        .triangle()
        .attached_to(0)
        .clip("move", 2.0)
        .translation(0, track)
        .with(|model| model.clips[ClipId(0)].start_secs = 1.0)
        .build()
}

fn root_x(model: &Model, time_secs: f64) -> f32 {
    let spec = PoseSpec::at_secs(ClipId(0), time_secs);
    sample(model, &spec).model_from_bone[BoneId(0)].translation.x
}

#[test]
fn step_linear_and_cubic_tracks_interpolate_and_clamp_outside() {
    let ends = vec![Vec3::ZERO, Vec3::X * 8.0];
    let step = moved_model(Interpolation::Step, ends.clone());
    assert_eq!((root_x(&step, 2.9), root_x(&step, 3.0)), (0.0, 8.0));
    let linear = moved_model(Interpolation::Linear, ends);
    assert_eq!(
        (root_x(&linear, 2.0), root_x(&linear, -5.0), root_x(&linear, 99.0)),
        (4.0, 0.0, 8.0)
    );
    let flat = Vec3::ZERO;
    let cubic =
        moved_model(Interpolation::Cubic, vec![flat, flat, flat, flat, Vec3::X * 8.0, flat]);
    assert_eq!(root_x(&cubic, 1.5), 8.0 * (3.0 * 0.0625 - 2.0 * 0.015_625));
    let steep = moved_model(Interpolation::Cubic, vec![flat, flat, Vec3::X, flat, flat, flat]);
    assert_eq!(root_x(&steep, 2.0), 0.25, "tangents are per second");
}

fn three_keys() -> SampledMotion {
    let keys: Vec<_> = (0..3).map(|k| Affine3A::from_translation(Vec3::X * k as f32)).collect();
    sampled("", KeySpace::Skin, 33_333_333, 1, &keys).as_sampled().unwrap().clone()
}

#[test]
fn every_key_time_of_a_long_clip_gives_its_exact_key() {
    let mut motion = three_keys();
    motion.keys = PackedKeys::from_matrices(1, &vec![Affine3A::IDENTITY; 20_000]).unwrap();
    for key in 0..20_000u32 {
        let moment = Moment::TimeSecs(motion.key_secs(key as usize));
        let blend = blend_keys(&motion, moment, Sampling::Linear).unwrap();
        assert_eq!((blend.key0, blend.fraction), (key, 0.0));
    }
}

#[test]
fn times_are_clamped_and_nan_gives_the_first_key() {
    let motion = three_keys();
    let at = |moment, sampling| blend_keys(&motion, moment, sampling).unwrap();
    assert_eq!(at(Moment::TimeSecs(9.0), Sampling::Linear).key0, 2);
    assert_eq!(at(Moment::TimeSecs(f64::NAN), Sampling::Linear).key0, 0);
    assert_eq!(at(Moment::TimeSecs(-1.0), Sampling::Step).key0, 0);
    assert_eq!(at(Moment::Key(99), Sampling::Step).key0, 2);
    let half = at(Moment::TimeSecs(0.05), Sampling::Linear);
    assert_eq!((half.key0, half.key1), (1, 2));
    assert!((half.fraction - 0.5).abs() < 1e-6);
    assert_eq!(at(Moment::TimeSecs(0.05), Sampling::Step).fraction, 0.0);
}

#[test]
fn ray_hits_the_nearer_triangle_and_skips_hidden_subsets() {
    let mut mesh = triangle(Skin::None);
    mesh.indices = Indices::U32(vec![0, 1, 2, 3, 4, 5]);
    mesh.subsets.push(Subset { first_index: 3, index_count: 3, material: None });
    let near = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let positions: Vec<_> = near.into_iter().chain(near.map(|p| p - Vec3::Z)).collect();
    let cast = |visible: fn(PartId) -> bool| {
        nearest_triangle(&mesh, &positions, Vec3::new(0.1, 0.7, 5.0), Vec3::NEG_Z, visible)
    };
    let hit = cast(|_| true).unwrap();
    assert_eq!((hit.subset, hit.triangle, hit.vertex), (PartId(0), 0, VertexId(2)));
    assert_eq!(cast(|s| s.0 == 1).unwrap().vertex, VertexId(5));
    assert!(cast(|_| false).is_none());
}

#[test]
fn skinning_one_vertex_matches_skinning_the_whole_mesh() {
    let two: &[(u32, f32)] = &[(0, 0.3), (1, 0.9)];
    let mut morphed = triangle(slots(2, [two, &[], ONE]));
    morphed.morph_targets.push(morph("apart", &[(0, Vec3::Z), (2, Vec3::X)]));
    let [a, b] = [0, 1].map(|bone| (bone, 0.5, Vec3::ONE));
    let bone_local = triangle(bone_local(Vec3::Y, &[&[a, b], &[b], &[]]));
    let palette =
        [Affine3A::from_rotation_x(0.7), Affine3A::from_translation(Vec3::new(3.0, -2.0, 1.0))];
    for mesh in [morphed, bone_local, triangle(Skin::None)] {
        let weights = vec![0.25; mesh.morph_targets.len()];
        let pose = moved_by(&palette, &weights);
        let all = skin_mesh(&mesh, &pose);
        for (index, position) in all.positions.iter().enumerate() {
            let alone = skin_vertex(&mesh, index, &pose).unwrap();
            assert!(alone.distance(*position) < 1e-6, "{alone} {position}");
        }
        assert_eq!(skin_vertex(&mesh, 3, &pose), None);
    }
}

#[test]
fn canonical_time_gives_the_same_pose() {
    let positions: Vec<Vec3> = (0..9u8).map(|at| Vec3::splat(f32::from(at))).collect();
    let cache = VertexAnimation {
        is_blended: false,
        mesh: MeshId(0),
        times_secs: vec![1.25, 1.5, 2.0],
        positions: std::sync::Arc::new(positions),
    };
    let clip = Clip { start_secs: 1.0, motion: Motion::VertexAnimation(cache), ..Clip::default() };
    let clip = Clip { duration_secs: 1.0, ..clip };
    let model = ModelBuilder::new().triangle().add_clip(clip).build();
    for sampling in [Sampling::Runtime, Sampling::Step, Sampling::Linear] {
        for time_secs in [f64::NAN, -5.0, 1.0, 1.2, 1.25, 1.4, 1.5, 1.9, 2.0, 9.0] {
            let spec = PoseSpec { sampling, ..PoseSpec::at_secs(None, time_secs) };
            let canonical_spec = canonical_spec(&model, &spec);
            assert_eq!(sample(&model, &canonical_spec), sample(&model, &spec), "{time_secs}");
            assert_eq!(super::canonical_spec(&model, &canonical_spec), canonical_spec);
        }
    }
}
