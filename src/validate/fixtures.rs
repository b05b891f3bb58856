//! Models made in code that every rule finds well made, for tests that break them.

use glam::{Affine3A, Mat4, Quat, Vec3};

use crate::model::{
    Bone, BoneId, BoneTrack, Clip, Influences, Interpolation, InverseBindSkin, KeySpace,
    LocalTransform, Mesh, Model, Motion, Note, NoteKind, PackedKeys, Report, SampledMotion,
    Severity, Skeleton, Skin, Streams, Track, VertexData,
};

/// Time between the keys of all clips made here.
pub(super) const INTERVAL_NS: u64 = 100_000_000;

/// A bar 2 long on two bones, the second a child of the first at its middle, without clips.
pub(super) fn bar() -> Model {
    let bone = |parent: Option<u32>, at: Vec3| Bone {
        name: parent.map_or("lower", |_| "upper").to_owned(),
        parent: parent.map(BoneId),
        rest_local: LocalTransform::Matrix(Affine3A::from_translation(at)),
        ..Bone::default()
    };
    let bones = vec![bone(None, Vec3::ZERO), bone(Some(0), Vec3::Y)];
    let corner = |at: u32| {
        let side = |bit: u32| if at & bit == 0 { -0.2 } else { 0.2 };
        Vec3::new(side(1), (at / 4) as f32 * 0.5, side(2))
    };
    let positions: Vec<_> = (0..20).map(corner).collect();
    let influences: Vec<[(u32, f32); 1]> = positions
        .iter()
        .map(|p| [(u32::from(p.y > 1.0), 1.0)])
        .collect();
    let mesh = Mesh {
        vertices: VertexData::Streams(Streams {
            positions,
            ..Streams::default()
        }),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: vec![BoneId(0), BoneId(1)],
            bone_from_mesh: vec![Mat4::IDENTITY, Mat4::from_translation(-Vec3::Y)],
            influences: Influences::from_lists(influences.iter().map(|list| &list[..])),
            ..InverseBindSkin::default()
        }),
        ..Mesh::default()
    };
    Model {
        meshes: vec![mesh],
        skeleton: Skeleton::new(bones, true).unwrap(),
        ..Model::default()
    }
}

/// A clip of both bones of the bar from matrices against their parents.
pub(super) fn clip(keys: &[[Affine3A; 2]]) -> Clip {
    let num_intervals = u64::try_from(keys.len()).unwrap().saturating_sub(1);
    let motion = SampledMotion {
        duration_ns: INTERVAL_NS * num_intervals,
        interval_ns: INTERVAL_NS,
        space: KeySpace::Local,
        is_bind_pair: false,
        keys: PackedKeys::from_matrices(2, keys.as_flattened()).unwrap(),
    };
    Clip::sampled("bend".to_owned(), motion)
}

/// Both bones of the bar, turned about Z.
pub(super) fn bent(lower_rad: f32, upper_rad: f32) -> [Affine3A; 2] {
    let upper = Affine3A::from_translation(Vec3::Y) * Affine3A::from_rotation_z(upper_rad);
    [Affine3A::from_rotation_z(lower_rad), upper]
}

/// [`bar`], bending there and back in steps so small that no rule minds.
pub(super) fn bending() -> Model {
    let angle = |key: u8| 0.05 * (f32::from(key) / 16.0 * std::f32::consts::TAU).sin();
    let keys: Vec<_> = (0..=16).map(|key| bent(angle(key), angle(key))).collect();
    with_keys(&keys)
}

/// [`bar`] with one clip of these keys.
pub(super) fn with_keys(keys: &[[Affine3A; 2]]) -> Model {
    Model {
        clips: vec![clip(keys)],
        ..bar()
    }
}

/// [`bar`] with a clip that turns its upper bone by curves.
pub(super) fn with_rotations(rotations: Vec<Quat>) -> Model {
    let times_secs: Vec<f64> = (0..rotations.len()).map(|key| key as f64 * 0.1).collect();
    let track = Track {
        values: rotations,
        interpolation: Interpolation::Linear,
        times_secs: times_secs.clone(),
    };
    let clip = Clip {
        name: "turn".to_owned(),
        start_secs: 0.0,
        duration_secs: times_secs.last().copied().unwrap_or_default(),
        motion: Motion::Tracks(vec![BoneTrack {
            bone: BoneId(1),
            translation: None,
            rotation: Some(track),
            scale: None,
        }]),
        morph_tracks: Vec::new(),
        events: Vec::new(),
    };
    Model {
        clips: vec![clip],
        ..bar()
    }
}

/// What all rules say about a model.
pub(super) fn found(model: &Model) -> Vec<Note> {
    let report = Report::new();
    super::validate(model, &report).unwrap();
    report.notes()
}

/// The note of one kind about a model, which must be there.
pub(super) fn the(model: &Model, kind: NoteKind) -> Note {
    let notes = found(model);
    let note = notes.iter().find(|note| note.kind == kind);
    note.unwrap_or_else(|| panic!("no {}: {notes:#?}", kind.code()))
        .clone()
}

/// Whether no rule of a model notes `kind`.
pub(super) fn is_silent(model: &Model, kind: NoteKind) -> bool {
    found(model).iter().all(|note| note.kind != kind)
}

#[test]
fn no_rule_of_clips_warns_of_the_clean_model() {
    for model in [bar(), bending(), with_rotations(vec![Quat::IDENTITY])] {
        let bad = found(&model).into_iter().find(|note| {
            let is_clips = note.kind.info().group == crate::model::NoteGroup::Animation;
            is_clips && note.severity() > Severity::Info
        });
        assert_eq!(bad, None);
    }
}
