//! Each piece is found, described, and restored from the reference.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};

use super::*;
use crate::compare::drawing_difference;
use crate::diagnose::{Context, Diagnosis, diagnose};
use crate::model::testing::*;
use crate::model::{BoneId, Influences, LocalTransform, Skeleton};
use crate::reshape::plain;

/// A bent sheet on two bones, with all attributes, a morph target and a clip.
fn rig() -> Model {
    let at = |number: u8| Vec2::new(f32::from(number % 6), f32::from(number / 6));
    let points: Vec<Vec3> =
        (0..36).map(at).map(|at| Vec3::new(at.x, at.y, (at.x * 0.3).sin())).collect();
    let quad = |at: u32| [at, at + 1, at + 7, at, at + 7, at + 6];
    let corners: Vec<u32> = (0..30).filter(|at| at % 6 < 5).flat_map(quad).collect();
    let lists: Vec<_> =
        points.iter().map(|point| [(0, 1.0 - point.x / 5.0), (1, point.x / 5.0)]).collect();
    let turn = |angle: f32| Quat::from_rotation_z(angle);
    ModelBuilder::new()
        .chain(&["a", "b"])
        .mesh(points)
        .indices(corners)
        .normal(Vec3::Z)
        .tangent(Vec4::new(1.0, 0.0, 0.0, 1.0))
        .uvs((0..36).map(at).map(|at| at / 6.0).collect::<Vec<_>>())
        .colors(vec![Vec4::ONE; 36])
        .bound(lists)
        .morph("smile", &[(3, Vec3::Z), (9, Vec3::Y)])
        .clip("swing", 1.0)
        .rotation(1, linear([(0.0, turn(0.0)), (0.5, turn(0.4)), (1.0, turn(0.0))]))
        .checked()
}

fn first_mesh(model: &mut Model) -> &mut Mesh {
    &mut model.meshes[MeshId(0)]
}

/// The name of a piece, and a change of it.
type Change = (&'static str, fn(&mut Model));

const CHANGES: &[Change] = &[
    ("rest-pose", |model| {
        let mut bones = model.skeleton.bones().to_vec();
        let mut own = bones[1].rest_local.to_trs();
        own.translation.y += 0.5;
        bones[1].rest_local = LocalTransform::Trs(own);
        model.skeleton = Skeleton::new(bones, true).unwrap();
    }),
    ("inverse-binds", |model| {
        let skin = inverse_bind_mut(first_mesh(model));
        skin.bone_from_mesh[1] = Mat4::from_translation(Vec3::X) * skin.bone_from_mesh[1];
    }),
    ("keys", |model| {
        let crate::model::Motion::Tracks(tracks) =
            &mut model.clips.iter_mut().next().unwrap().motion
        else {
            panic!("the clip has tracks")
        };
        tracks[0].rotation.as_mut().unwrap().values[1] = Quat::from_rotation_z(-0.9);
    }),
    ("positions", |model| streams_mut(first_mesh(model)).positions[7].z += 2.0),
    ("normals", |model| streams_mut(first_mesh(model)).normals[7] = Vec3::X),
    ("tangents", |model| streams_mut(first_mesh(model)).tangents[7].w = -1.0),
    ("uvs", |model| streams_mut(first_mesh(model)).uv_sets[0].coords[7].x += 0.5),
    ("colors", |model| streams_mut(first_mesh(model)).colors[7] = Vec4::ZERO),
    ("weights", |model| {
        let skin = inverse_bind_mut(first_mesh(model));
        skin.influences.map_rows(|vertex, row| {
            if vertex == 7 {
                *row = vec![(1, 1.0)];
            }
        });
        assert!(matches!(skin.influences, Influences::Rows { .. }));
    }),
    ("triangles", |model| {
        let mut corners: Vec<u32> = first_mesh(model).indices.iter().collect();
        corners.swap(1, 2);
        first_mesh(model).indices = crate::model::Indices::U32(corners);
    }),
    ("morph-targets", |model| {
        first_mesh(model).morph_targets[0].shapes[0].position_offsets[0] = Vec3::X * 3.0;
    }),
];

fn diagnosis(model: &Model, reference: &Model) -> Diagnosis {
    let context = Context { reference: Some(reference), ..Context::default() };
    diagnose(model, context, &Report::new()).unwrap()
}

#[test]
fn every_piece_is_found_and_restored() {
    let names: Vec<&str> = PIECES.iter().map(|piece| piece.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let good = rig();
    for (piece, (name, change)) in PIECES.iter().zip(CHANGES) {
        let mut bad = good.clone();
        change(&mut bad);
        let diagnosis = diagnosis(&bad, &good);
        let mut model = diagnosis.model().clone();
        let differing = |model: &Model| -> Vec<&str> {
            PIECES.iter().filter(|own| diagnosis.differs(own, model)).map(|own| own.name).collect()
        };
        assert!(differing(&model).contains(name), "{name}: {:?}", differing(&model));
        diagnosis.take(piece, &mut model);
        assert!(!differing(&model).contains(name), "{name}");
        let left = drawing_difference(&plain(&good, None), &model);
        assert!(left.is_none(), "{name}: {left:?}");
    }
}

#[test]
fn what_no_cause_explains_is_listed_with_its_place() {
    let good = rig();
    let mut bad = good.clone();
    CHANGES.iter().find(|(name, _)| *name == "keys").unwrap().1(&mut bad);
    let diagnosis = diagnosis(&bad, &good);
    assert!(diagnosis.causes.is_empty());
    let found = diagnosis.unexplained(&Report::new()).unwrap().unwrap();
    assert!(found.text.contains("at 0.5 s of clip 0 \"swing\""), "{}", found.text);
    let [keys] = &found.pieces[..] else { panic!("{:?}", found.pieces) };
    assert!(keys.text().starts_with("keys: 1 bone differs, most 7"), "{}", keys.text());
    assert!(keys.text().contains(&good.skeleton.display_name(BoneId(1))));
}

#[test]
fn equal_models_have_no_unexplained_difference() {
    let good = rig();
    let diagnosis = diagnosis(&good, &good);
    assert!(diagnosis.unexplained(&Report::new()).unwrap().is_none());
    for piece in PIECES {
        assert!(!diagnosis.differs(piece, diagnosis.model()), "{}", piece.name);
    }
}
