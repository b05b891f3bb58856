//! Vertices: matching and attributes.

use glam::{Affine2, Quat, Vec2, Vec3};

use super::fixtures::{SIDE, changed, compared, find, kinds, sheet, skin, streams};
use crate::compare::DifferenceKind as Kind;
use crate::compare::{ComparedPose, MatchMethod, heat};
use crate::model::{
    Axes, ClipId, DefaultPose, Handedness, IdVec, Indices, Influences, Mesh, MeshId, Model,
    Streams, UpAxis, VertexData,
};

#[test]
fn a_model_equals_itself() {
    let comparison = changed(|_| {});
    assert!(comparison.is_equal() && comparison.differences.is_empty());
    assert_eq!(comparison.matching.by, MatchMethod::Index);
    assert_eq!(comparison.max.position, Some(0.0));
    assert_eq!(comparison.max.skinned, Some(0.0));
    assert_eq!(comparison.max.key, Some(0.0));
    assert_eq!(comparison.max.weight, Some(0.0));
}

#[test]
fn empty_models_are_equal() {
    let comparison = compared(&Model::default(), &Model::default(), 0.0);
    assert!(comparison.differences.is_empty());
    assert_eq!(comparison.max.position, None);
    let comparison = compared(&sheet(), &Model::default(), 0.0);
    assert!(!comparison.is_equal());
    assert!(kinds(&comparison).contains(&Kind::VertexCount));
}

#[test]
fn a_moved_vertex_is_found_with_place_and_amount() {
    let comparison = changed(|b| streams(b).positions[8] += Vec3::Z * 0.25);
    let moved = find(&comparison, Kind::Positions);
    assert!((moved.amount.unwrap() - 0.25).abs() < 1e-6);
    assert_eq!(moved.count, 1);
    assert!(moved.what.starts_with("vertex 8 of mesh \"sheet\" of A, vertex 8"), "{}", moved.what);
    assert!((comparison.per_vertex_position[8] - 0.25).abs() < 1e-6);
    assert_eq!(comparison.per_vertex_position[9], 0.0);
    assert_eq!(kinds(&comparison), [Kind::Positions, Kind::Skinned]);
}

#[test]
fn tolerance_is_relative_to_the_model_size() {
    let mut b = sheet();
    streams(&mut b).positions[8] += Vec3::Z * 0.25;
    let extent = compared(&sheet(), &b, 0.0).extent;
    assert!(compared(&sheet(), &b, 0.26 / extent).is_equal());
    assert!(!compared(&sheet(), &b, 0.24 / extent).is_equal());
}

/// The sheet with its vertices in another order; triangles are renumbered.
fn shuffled() -> Model {
    let mut b = sheet();
    let num = SIDE * SIDE;
    // 5 and 36 are coprime, so each number occurs once.
    let old = |new: usize| new * 5 % num;
    let from = streams(&mut b).clone();
    *streams(&mut b) = Streams {
        positions: (0..num).map(|i| from.positions[old(i)]).collect(),
        normals: from.normals.clone(),
        uv_sets: vec![crate::model::UvSet {
            name: String::new(),
            coords: (0..num).map(|i| from.uv_sets[0].coords[old(i)]).collect(),
        }],
        ..Streams::default()
    };
    let influences = &mut skin(&mut b).influences;
    *influences = influences.of_vertices((0..num).map(old));
    let new_of = |number: u32| (0..num).find(|&new| old(new) == number as usize).unwrap();
    let indices = b.meshes[MeshId(0)].indices.iter().map(|i| u32::try_from(new_of(i)).unwrap());
    b.meshes[MeshId(0)].indices = Indices::U32(indices.collect());
    let moved = &mut b.meshes[MeshId(0)].morph_targets[0].shapes[0].vertices[0];
    moved.0 = u32::try_from(new_of(moved.0)).unwrap();
    b
}

#[test]
fn vertices_in_another_order_are_matched_by_position() {
    let comparison = compared(&sheet(), &shuffled(), 0.0);
    assert_eq!(comparison.matching.by, MatchMethod::Position);
    assert_eq!(comparison.matching.a_of_b[7], Some(35));
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
    let mut b = shuffled();
    streams(&mut b).positions[7].z += 0.02;
    let comparison = compared(&sheet(), &b, 0.0);
    let moved = find(&comparison, Kind::Positions);
    assert!(moved.what.starts_with("vertex 35 of mesh \"sheet\" of A, vertex 7"), "{}", moved.what);
}

#[test]
fn coincident_vertices_are_distinguished_by_uv_and_normal() {
    // Two copies of the sheet at one place, the second flipped; then with the copies swapped.
    let doubled = |is_swapped: bool| {
        let mut model = sheet();
        model.meshes[MeshId(0)].morph_targets.clear();
        let one = streams(&mut model).clone();
        let both = streams(&mut model);
        both.positions.extend(&one.positions);
        let (up, down) = (vec![Vec3::Z; 36], vec![Vec3::NEG_Z; 36]);
        both.normals = if is_swapped { [down, up].concat() } else { [up, down].concat() };
        both.uv_sets[0].coords.extend(&one.uv_sets[0].coords);
        let mesh = &mut model.meshes[MeshId(0)];
        let front: Vec<u32> = mesh.indices.iter().collect();
        let back = front.chunks(3).flat_map(|corners| [corners[0], corners[2], corners[1]]);
        let [first, second] = if is_swapped { [36, 0] } else { [0, 36] };
        let both =
            front.iter().map(|corner| corner + first).chain(back.map(|corner| corner + second));
        mesh.indices = Indices::U32(both.collect());
        let influences = &mut skin(&mut model).influences;
        *influences = influences.of_vertices((0..72).map(|vertex| vertex % 36));
        model
    };
    let options = crate::compare::DiffOptions {
        match_by: crate::compare::MatchBy::Position,
        ..Default::default()
    };
    let report = crate::model::Report::new();
    let comparison =
        crate::compare::compare(&doubled(false), &doubled(true), &options, &report).unwrap();
    assert_eq!(comparison.matching.a_of_b[0], Some(36));
    assert_eq!(comparison.matching.a_of_b[40], Some(4));
    assert_eq!(comparison.max.normal_deg, Some(0.0));
}

/// Two boxes that share a side, with hard edges. The second model has the vertices of each box in reverse order, and
/// positions rounded to `step`.
fn boxes(step: Option<f32>) -> Model {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (u, v) = (axes[(axis + 1) % 3], axes[(axis + 2) % 3] * sign);
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                positions.push(axes[axis] * sign * 0.5 + u * x + v * y);
                normals.push(axes[axis] * sign);
            }
        }
    }
    let mut indices: Vec<u32> =
        (0..6).flat_map(|face| [0, 1, 2, 0, 2, 3].map(|i| face * 4 + i)).collect();
    if let Some(step) = step {
        positions.reverse();
        normals.reverse();
        indices.iter_mut().for_each(|index| *index = 23 - *index);
        // Not the same error on both sides of the edges.
        for (number, position) in positions.iter_mut().enumerate() {
            *position += Vec3::splat(step * (number as f32 * 1.7).sin());
        }
    }
    let mesh = |name: &str, at: f32| Mesh {
        name: name.into(),
        vertices: VertexData::Streams(Streams {
            positions: positions.iter().map(|position| *position + Vec3::X * at).collect(),
            normals: normals.clone(),
            ..Streams::default()
        }),
        indices: Indices::U32(indices.clone()),
        ..Mesh::default()
    };
    Model { meshes: vec![mesh("body_14", 0.0), mesh("body_17", 1.0)].into(), ..Model::default() }
}

#[test]
fn vertices_of_touching_meshes_and_hard_edges_are_not_confused() {
    let exact = boxes(None);
    for step in [0.0, 1e-4] {
        let comparison = compared(&exact, &boxes(Some(step)), 0.0);
        let max = comparison.max;
        assert!(max.position.unwrap() < 4e-4, "{step}: {max:?}");
        assert_eq!(max.normal_deg, Some(0.0), "{step}: {:?}", comparison.differences);
        let expected: Vec<_> =
            (0..48u32).map(|vertex| Some(vertex / 24 * 24 + 23 - vertex % 24)).collect();
        assert_eq!(comparison.matching.a_of_b, expected, "{step}");
        // Without a common name, the vertices decide which meshes correspond.
        let mut renamed = boxes(Some(step));
        renamed.meshes[MeshId(0)].name = "torso".into();
        assert_eq!(compared(&exact, &renamed, 0.0).max.normal_deg, Some(0.0));
    }
    // Normals that really differ are still reported: the faces correspond.
    let mut turned = boxes(Some(1e-4));
    for normal in &mut streams(&mut turned).normals {
        *normal = -*normal;
    }
    assert_eq!(compared(&exact, &turned, 0.0).max.normal_deg, Some(180.0));
}

#[test]
fn axes_and_unit_make_no_difference() {
    // The same sheet in centimetres, Z up, left-handed.
    let axes = Axes {
        up: UpAxis::Z,
        handedness: Handedness::Left,
        unit_meters: Some(0.01),
        ..Axes::default()
    };
    let file_from_display = axes.display_from_file().inverse();
    let a = Model {
        axes: Axes { unit_meters: Some(1.0), ..Axes::default() },
        clips: IdVec::new(),
        ..sheet()
    };
    let mut b = Model { axes, ..a.clone() };
    let mesh = &mut b.meshes[MeshId(0)];
    mesh.skin = crate::model::Skin::None;
    mesh.morph_targets.clear();
    let corners: Vec<_> = mesh.triangles(0..150).flat_map(|[x, y, z]| [x, z, y]).collect();
    mesh.indices = Indices::U32(corners);
    let mut a = a;
    a.meshes[MeshId(0)].skin = crate::model::Skin::None;
    a.meshes[MeshId(0)].morph_targets.clear();
    for model in [&mut a, &mut b] {
        model.skeleton = Default::default();
        model.hulls.clear();
    }
    for position in &mut streams(&mut b).positions {
        *position = file_from_display.transform_point3(*position);
    }
    for normal in &mut streams(&mut b).normals {
        *normal = file_from_display.transform_vector3(*normal) / 100.0;
    }
    let comparison = compared(&a, &b, 1e-5);
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
    // Without a unit, the numbers are 100 times as large, which is reported and then compensated.
    b.axes.unit_meters = None;
    a.axes.unit_meters = Some(0.01);
    for position in &mut streams(&mut a).positions {
        *position *= 100.0;
    }
    let comparison = compared(&a, &b, 1e-5);
    let beyond: Vec<_> = comparison.differences.iter().filter(|d| d.exceeds).collect();
    assert_eq!(beyond.len(), 1, "{beyond:#?}");
    assert!(beyond[0].what.starts_with("B doesn't state a unit"), "{}", beyond[0].what);
}

#[test]
fn different_scale_is_reported() {
    let comparison = changed(|b| {
        b.meshes[MeshId(0)].skin = crate::model::Skin::None;
        streams(b).positions.iter_mut().for_each(|p| *p *= 3.0);
    });
    assert_eq!(find(&comparison, Kind::Scale).amount.unwrap().round(), 3.0);
    assert_eq!(comparison.matching.by, MatchMethod::Index, "the triangles are the same");
}

#[test]
fn rotated_normals_are_measured_in_degrees() {
    let comparison = changed(|b| {
        streams(b).normals[4] = Quat::from_rotation_x(0.5) * Vec3::Z;
    });
    let amount = find(&comparison, Kind::Normals).amount.unwrap();
    assert!((amount - 0.5f64.to_degrees()).abs() < 1e-3, "{amount}");
    assert_eq!(kinds(&comparison), [Kind::Normals]);
    let comparison = changed(|b| streams(b).normals.clear());
    assert_eq!(find(&comparison, Kind::Attributes).what, "normals only in A");
    assert_eq!(comparison.max.normal_deg, None);
}

#[test]
fn uvs_moved_by_whole_tiles_are_a_separate_difference() {
    let comparison = changed(|b| streams(b).uv_sets[0].coords[4] += Vec2::new(0.0, 0.125));
    assert_eq!(find(&comparison, Kind::Uvs).amount, Some(0.125));
    let comparison = changed(|b| {
        streams(b).uv_sets[0].coords.iter_mut().for_each(|uv| *uv += Vec2::new(2.0, -1.0));
    });
    assert_eq!(find(&comparison, Kind::UvTiles).count, 36);
    assert_eq!(kinds(&comparison), [Kind::UvTiles]);
}

#[test]
fn uvs_compensated_by_texture_transforms_are_equal() {
    let comparison = changed(|b| {
        streams(b).uv_sets[0].coords.iter_mut().for_each(|uv| *uv *= 0.5);
        for material in &mut b.materials {
            material.textures[0].texture_from_uv =
                Some(Box::new(Affine2::from_scale(Vec2::splat(2.0))));
        }
    });
    assert!(comparison.is_equal(), "{:#?}", comparison.differences);
}

#[test]
fn a_shifted_weight_is_found() {
    let comparison = changed(|b| {
        let Influences::Rows { weights, .. } = &mut skin(b).influences else { panic!("no rows") };
        // The first vertex with two influences: 0.25 and 0.75.
        weights[2] = 0.5;
        weights[3] = 0.5;
    });
    let weights = find(&comparison, Kind::Weights);
    assert_eq!((weights.amount, weights.count), (Some(0.25), 1));
    assert!(weights.what.starts_with("vertex 2 of"), "{}", weights.what);
}

#[test]
fn vertex_moved_too_far_is_unmatched() {
    let comparison = compared(
        &sheet(),
        &{
            let mut b = shuffled();
            streams(&mut b).positions[7].z += 2.0;
            b
        },
        0.0,
    );
    let alone = find(&comparison, Kind::Unmatched);
    assert_eq!(alone.count, 2);
    assert!(comparison.per_vertex_position[7].is_infinite());
    // It moved by more than any matched vertex, to a place from which the nearest vertex is nearer.
    let moved = comparison.max_distance().unwrap();
    assert!(moved > 1.0 && moved <= 2.0, "{moved}");
    // A vertex that only one side has didn't move.
    let added = compared(
        &sheet(),
        &{
            let mut b = sheet();
            streams(&mut b).positions.push(Vec3::Z * 9.0);
            streams(&mut b).normals.push(Vec3::Z);
            streams(&mut b).uv_sets[0].coords.push(Vec2::ZERO);
            let lists: Vec<_> = (0..37).map(|_| [(0, 1.0)]).collect();
            skin(&mut b).influences = Influences::from_lists(&lists);
            b.clips.as_mut_vec().clear();
            b
        },
        0.0,
    );
    assert_eq!((added.unmatched_distance(), added.max_distance()), (None, Some(0.0)));
    assert!(heat(&comparison)[7].is_infinite());
}

#[test]
fn common_poses_are_compared_if_default_poses_differ() {
    // B opens in its first key, in which the arm is rotated; stored vertices are the same.
    let mut b = sheet();
    b.clips[ClipId(0)] = super::fixtures::wave("wave", 1.0);
    b.clips[ClipId(0)].start_secs = 1.0;
    b.clips[ClipId(0)].duration_secs = 1.0;
    b.default_pose = DefaultPose::FirstKey;
    let mut a = sheet();
    a.clips = b.clips.clone();
    let comparison = compared(&a, &b, 0.0);
    assert_eq!(comparison.matching.pose_a, ComparedPose::Default);
    assert_eq!(comparison.matching.pose_b, ComparedPose::Stored);
    assert_eq!(comparison.max.position, Some(0.0));
    assert_eq!(kinds(&comparison), [Kind::DefaultPose]);
    assert_eq!(comparison.in_clips.unwrap().total.worst, None);
}
