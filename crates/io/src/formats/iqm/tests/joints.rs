//! Writing: which bones become joints, and in which order.

use glam::{Mat4, Vec3};
use rigscope_core::model::MeshId;

use super::read;
use crate::formats::iqm::IQM;
use crate::formats::{WriteError, WriteOptions, write};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_testing::*;

/// A triangle whose corners are bound to the last three of `num` bones; each bone's rest position
/// is its number, and `parent` returns its parent.
fn model(num: u32, parent: impl Fn(u32) -> Option<u32>) -> Model {
    let mut builder = ModelBuilder::new();
    for number in 0..num {
        let parent = parent(number);
        let at = Vec3::X * (number - parent.unwrap_or(0)) as f32;
        builder = builder.bones(&[(&format!("b{number}"), parent, at)]);
    }
    let bind = |bone: u32| (bone, Mat4::from_translation(Vec3::NEG_X * bone as f32));
    let binds: Vec<_> = (num - 3..num).map(bind).collect();
    let lists = [0, 1, 2].map(|slot| [(slot, 1.0)]);
    builder.triangle().normal(Vec3::Z).skin(skin(&binds, lists)).build()
}

#[test]
fn weighted_bones_come_first_among_many() {
    let before = model(300, |number| (number == 299).then_some(250));
    let files = write(&before, &IQM, &WriteOptions::default(), &Report::new()).unwrap();
    let (after, _) = read(files[0].bytes.clone()).unwrap();
    let first: Vec<&str> = after.skeleton.bones().iter().take(5).map(|bone| &*bone.name).collect();
    assert_eq!(first, ["b250", "b297", "b298", "b299", "b0"]);
    assert_eq!(after.skeleton.len(), 300);
    let places = |model: &Model| -> Vec<Vec3> {
        let shown = model.axes.display_from_file();
        let skinned = skin_model(model, &PoseSpec::default()).remove(0).positions;
        skinned.into_iter().map(|place| shown.transform_point3(place)).collect()
    };
    assert_eq!(places(&after), places(&before));
}

#[test]
fn more_bones_than_vertices_can_address_are_an_error() {
    let chain = model(300, |number| number.checked_sub(1));
    let error = write(&chain, &IQM, &WriteOptions::default(), &Report::new()).unwrap_err();
    assert!(matches!(error, WriteError::TooMany { count: 300, limit: 256, .. }), "{error}");
    assert!(
        error.to_string().contains("bones that move vertices or are parents of such bones"),
        "{error}"
    );
}

#[test]
fn a_sheared_bind_transform_is_reported() {
    let mut sheared = model(3, |_| None);
    // Without a clip, vertices would be bound in the rest pose.
    sheared.clips = vec![Clip { duration_secs: 1.0, ..Clip::default() }].into();
    let skin = sheared.meshes[MeshId(0)].inverse_bind_mut().unwrap();
    skin.bone_from_mesh[1].y_axis.x = 0.5;
    let report = Report::new();
    write(&sheared, &IQM, &WriteOptions::default(), &report).unwrap();
    let findings = report.findings();
    let finding = findings.iter().find(|finding| finding.kind == FindingKind::ShearedBind).unwrap();
    assert_eq!(
        (&*finding.message, finding.count),
        ("the bind transform of bone \"b1\" has shear", 1)
    );
}
