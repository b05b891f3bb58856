//! The result of each fix on a model that needs it. Each is applied twice: the second time must change nothing.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::fixes_of;
use crate::model::testing::*;
use crate::model::{ClipId, Interpolation, MeshId, Model, Track};

/// The model after the fixes of a finding.
fn fixed(mut model: Model, code: &str) -> Model {
    assert!(fixes_of(code).next().is_some(), "no fix of {code}");
    let apply = |model: &mut Model| fixes_of(code).for_each(|fix| fix.apply(model));
    apply(&mut model);
    let mut again = model.clone();
    apply(&mut again);
    assert_eq!(format!("{again:?}"), format!("{model:?}"), "{code} changes its own result");
    model
}

/// A triangle on two bones with these influences.
fn weighted(lists: [&[(u32, f32)]; 3]) -> Model {
    ModelBuilder::new().chain(&["a", "b"]).triangle().bound(lists).build()
}

fn weights(model: &Model, vertex: usize) -> Vec<(u32, f32)> {
    inverse_bind(&model.meshes[MeshId(0)]).influences.row(vertex).collect()
}

#[test]
fn weights_are_normalized_and_merged() {
    let model = weighted([&[(0, 0.25), (1, 0.25)], &[(0, 1.0)], &[(1, 0.5), (1, 0.5)]]);
    let normalized = fixed(model.clone(), "weights-not-normalized");
    assert_eq!(weights(&normalized, 0), [(0, 0.5), (1, 0.5)]);
    assert_eq!(weights(&normalized, 1), [(0, 1.0)]);
    let merged = fixed(model, "joint-repeated-in-vertex");
    assert_eq!(weights(&merged, 2), [(1, 1.0)]);
    let tiny = weighted([&[(0, 0.999), (1, 0.001)], &[(1, 0.001)], ONE]);
    let tiny = fixed(tiny, "tiny-weight");
    assert_eq!(weights(&tiny, 0), [(0, 1.0)]);
    assert_eq!(weights(&tiny, 1), [(1, 0.001)], "the only influence remains");
}

#[test]
fn the_heaviest_influence_moves_into_the_first_set() {
    let row: &[(u32, f32)] = &[(0, 0.1), (0, 0.1), (0, 0.1), (0, 0.1), (1, 0.6)];
    let sorted = fixed(weighted([row, ONE, ONE]), "heaviest-influence-dropped");
    assert_eq!(weights(&sorted, 0)[0], (1, 0.6));
    assert_eq!(weights(&sorted, 0).len(), 5);
}

#[test]
fn normals_are_normalized_and_computed() {
    let model = ModelBuilder::new().triangle().normals([Vec3::Z * 3.0, Vec3::ZERO, Vec3::Z]);
    let normalized = fixed(model.clone().build(), "non-unit-normal");
    assert_eq!(streams(&normalized.meshes[MeshId(0)]).normals, [Vec3::Z, Vec3::ZERO, Vec3::Z]);
    let filled = fixed(model.build(), "zero-normal");
    assert_eq!(streams(&filled.meshes[MeshId(0)]).normals, [Vec3::Z * 3.0, Vec3::Z, Vec3::Z]);
}

#[test]
fn tangents_are_computed_straightened_and_signed() {
    let uvs = [Vec2::ZERO, Vec2::X, Vec2::Y];
    let sheet = || ModelBuilder::new().triangle().normal(Vec3::Z).uvs(uvs);
    let tangents = |model: &Model| streams(&model.meshes[MeshId(0)]).tangents.clone();
    let missing = sheet().tangent(Vec4::new(0.0, 0.0, 0.0, 1.0)).build();
    for tangent in tangents(&fixed(missing, "zero-tangent")) {
        assert!(tangent.truncate().abs_diff_eq(Vec3::X, 1e-6), "{tangent}");
    }
    let skewed = sheet().tangent((Vec3::X + Vec3::Z).normalize_or_zero().extend(1.0)).build();
    for tangent in tangents(&fixed(skewed, "skewed-tangent")) {
        assert!(tangent.abs_diff_eq(Vec3::X.extend(1.0), 1e-6), "{tangent}");
    }
    let signs = sheet().tangent(Vec4::new(1.0, 0.0, 0.0, -0.7)).build();
    assert_eq!(tangents(&fixed(signs, "tangent-sign"))[0].w, -1.0);
}

#[test]
fn triangles_and_vertices_are_removed_with_what_they_use() {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X * 2.0];
    let of = |indices: &[u32]| ModelBuilder::new().mesh(positions).indices(indices).build();
    let indices = |model: &Model| model.meshes[MeshId(0)].indices.iter().collect::<Vec<_>>();
    let repeated = fixed(of(&[0, 1, 2, 1, 2, 0, 2, 1, 0]), "duplicate-triangle");
    assert_eq!(indices(&repeated), [0, 1, 2, 2, 1, 0], "the other side is another triangle");
    assert_eq!(repeated.meshes[MeshId(0)].subsets[0].index_count, 6);
    let flat = fixed(of(&[0, 1, 2, 0, 1, 3]), "zero-area-triangle");
    assert_eq!((indices(&flat).len(), flat.num_vertices()), (3, 3), "vertex 3 goes with it");
    let unused = fixed(of(&[0, 1, 3]), "unused-vertex");
    assert_eq!((indices(&unused), unused.num_vertices()), (vec![0, 1, 2], 3));
}

#[test]
fn equal_vertices_are_merged() {
    let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::Y, Vec3::ONE];
    let model = ModelBuilder::new().mesh(positions).indices([0, 1, 2, 4, 3, 5]).build();
    let merged = fixed(model, "duplicate-vertex");
    assert_eq!(merged.num_vertices(), 4);
}

#[test]
fn vertices_are_sorted_by_use() {
    let positions = [Vec3::ONE, Vec3::Y, Vec3::X, Vec3::ZERO, Vec3::Z];
    let model = ModelBuilder::new().mesh(positions).indices([3, 2, 1, 2, 4, 1]).build();
    let corners = |model: &Model| -> Vec<Vec3> {
        let mesh = &model.meshes[MeshId(0)];
        let own = (0..2).map(|at| mesh.triangles(0..6).nth(at).unwrap());
        own.flat_map(|corners| corners.map(|v| mesh.position(v as usize).unwrap())).collect()
    };
    let sorted = fixed(model.clone(), "vertex-fetch-order");
    assert_eq!(sorted.meshes[MeshId(0)].indices.get(0), Some(0));
    assert_eq!(sorted.num_vertices(), 5, "the unused one remains");
    let set = |list: Vec<Vec3>| -> std::collections::HashSet<_> {
        list.into_iter().map(crate::geometry::position_key).collect()
    };
    assert_eq!(set(corners(&sorted)), set(corners(&model)));
}

#[test]
fn points_inside_a_hull_are_removed() {
    let side = |at: u32, bit: u32| if (at >> bit) & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |at| Vec3::new(side(at, 0), side(at, 1), side(at, 2));
    let corners: Vec<Vec3> = (0..8).map(corner).collect();
    let points = [&corners[..4], &[Vec3::splat(0.2)], &corners[4..]].concat();
    let model = Model { hulls: vec![crate::model::Hull { points }], ..Model::default() };
    assert_eq!(fixed(model, "point-inside-hull").hulls[0].points, corners);
}

#[test]
fn keys_with_equal_times_are_separated_without_a_change_of_the_motion() {
    let keys = [(0.0, 1.0), (0.0, 2.0), (1.0, 3.0), (1.0, 9.0), (1.0, 4.0), (2.0, 5.0)];
    let keys = keys.map(|(time, x)| (time, Vec3::X * x));
    let clip = ModelBuilder::new().chain(&["a"]).triangle().bound([ONE; 3]).clip("jump", 2.0);
    let separated = fixed(clip.translation(0, linear(keys)).build(), "equal-key-times");
    let track = tracks(&separated.clips[ClipId(0)])[0].translation.clone().unwrap();
    let before = f64::from(0.9999f32);
    assert_eq!(track.times_secs, [0.0, before, 1.0, 2.0], "no time is negative");
    assert_eq!(track.values.iter().map(|v| v.x).collect::<Vec<_>>(), [2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn tracks_are_extended_to_the_ends_of_their_clip() {
    let clip = |track| {
        let clip = ModelBuilder::new().chain(&["a"]).triangle().bound([ONE; 3]).clip("late", 4.0);
        let spanned = fixed(clip.translation(0, track).build(), "partial-track-jumps");
        tracks(&spanned.clips[ClipId(0)])[0].translation.clone().unwrap()
    };
    let [a, b, v] = [Vec3::X, Vec3::Y, Vec3::Z];
    let spanned = clip(linear([(1.0, a), (2.0, b)]));
    assert_eq!(spanned.times_secs, [0.0, 1.0, 2.0, 4.0]);
    assert_eq!(spanned.values, [a, a, b, b]);
    let cubic = clip(Track {
        times_secs: vec![1.0, 2.0],
        values: vec![v, a, v, v, b, v],
        interpolation: Interpolation::Cubic,
    });
    let zero = Vec3::ZERO;
    assert_eq!(cubic.values, [zero, a, zero, zero, a, v, v, b, zero, zero, b, zero]);
}

#[test]
fn triangles_that_face_away_from_their_normals_are_reversed() {
    let turned = ModelBuilder::new().quad(Vec3::ZERO).normal(Vec3::NEG_Z).build();
    let corner = |model: &Model| model.meshes[MeshId(0)].triangles(0..3).next().unwrap();
    let before = corner(&turned);
    let [a, b, c] = corner(&fixed(turned, "reversed-winding"));
    assert_ne!([a, b, c], before);
    assert_eq!(crate::geometry::from_lowest([a, c, b]), crate::geometry::from_lowest(before));
}

#[test]
fn rotation_keys_are_replaced_normalized_and_aligned() {
    let rotation = Quat::from_rotation_z(0.5);
    let clip = |values: [Quat; 3]| {
        let keys = [0.0, 0.5, 1.0].into_iter().zip(values);
        let builder = ModelBuilder::new().chain(&["a"]).triangle().bound([ONE; 3]);
        builder.clip("turn", 1.0).rotation(0, linear(keys)).build()
    };
    let values =
        |model: &Model| tracks(&model.clips[ClipId(0)])[0].rotation.clone().unwrap().values;
    let none = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let replaced = fixed(clip([rotation, none, Quat::IDENTITY]), "rotation-key-zero");
    assert_eq!(values(&replaced), [rotation, rotation, Quat::IDENTITY]);
    let normalized = fixed(clip([rotation * 2.0, rotation, rotation]), "rotation-key-not-unit");
    assert!(values(&normalized)[0].abs_diff_eq(rotation, 1e-6));
    let aligned = fixed(clip([rotation, -rotation, rotation]), "quaternion-flip");
    assert_eq!(values(&aligned), [rotation; 3]);
}

#[test]
fn constant_tracks_are_reduced_and_those_of_the_rest_pose_removed() {
    let moving = linear([(0.0, Vec3::ZERO), (1.0, Vec3::X)]);
    let rest = linear([(0.0, Quat::IDENTITY), (1.0, Quat::IDENTITY)]);
    let constant = linear([(0.0, Vec3::splat(2.0)), (1.0, Vec3::splat(2.0))]);
    let model = ModelBuilder::new().chain(&["a"]).clip("walk", 1.0);
    let model = model.translation(0, moving).rotation(0, rest).scale(0, constant).build();
    let reduced = fixed(model, "constant-bone");
    let track = &tracks(&reduced.clips[ClipId(0)])[0];
    assert!(track.rotation.is_none());
    let scale = track.scale.as_ref().unwrap();
    assert_eq!((scale.times_secs.len(), scale.interpolation), (1, Interpolation::Linear));
    assert_eq!(track.translation.as_ref().unwrap().times_secs.len(), 2);
}

#[test]
fn the_last_row_of_inverse_binds_is_restored_unless_it_may_be_a_translation() {
    let with_row = |row: Vec4| {
        let mut matrix = Mat4::IDENTITY;
        for (column, value) in row.to_array().into_iter().enumerate() {
            matrix.col_mut(column).w = value;
        }
        matrix
    };
    let model = |matrix: Mat4| {
        let mut model = weighted([ONE; 3]);
        inverse_bind_mut(&mut model.meshes[MeshId(0)]).bone_from_mesh[0] = matrix;
        fixed(model, "inverse-bind-not-affine")
    };
    let first = |model: &Model| inverse_bind(&model.meshes[MeshId(0)]).bone_from_mesh[0];
    assert_eq!(first(&model(with_row(Vec4::new(0.0, 0.0, 0.0, 0.9)))), Mat4::IDENTITY);
    let transposed = with_row(Vec4::new(1.0, 2.0, 3.0, 1.0));
    assert_eq!(first(&model(transposed)), transposed, "it is a translation");
}

#[test]
fn equal_names_are_numbered() {
    let model =
        ModelBuilder::new().chain(&["arm", "arm_2", "arm", ""]).clip("a", 1.0).clip("a", 1.0);
    let named = fixed(model.build(), "duplicate-name");
    let bones: Vec<_> = named.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(bones, ["arm", "arm_2", "arm_3", ""]);
    assert_eq!(named.clips[ClipId(1)].name, "a_2");
}
