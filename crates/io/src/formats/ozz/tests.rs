//! Generated archives: old versions, untrusted counts, numbers that aren't finite.

use crate::formats::source::tests::InMemory;
use crate::formats::{ReadError, ReadOptions, Source, open};
use rigscope_core::model::{ClipId, MeshId};
use rigscope_testing::*;

/// An archive under construction.
struct Writer(Vec<u8>);

impl From<Writer> for Vec<u8> {
    fn from(writer: Writer) -> Self {
        writer.0
    }
}

impl Writer {
    fn new() -> Self {
        Self(vec![1])
    }

    fn object(mut self, tag: &str, version: u32) -> Self {
        self.0.extend(tag.as_bytes());
        self.0.push(0);
        self.u32s([version])
    }

    fn u32s<const N: usize>(mut self, values: [u32; N]) -> Self {
        self.0.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        self
    }

    fn u16s<const N: usize>(mut self, values: [u16; N]) -> Self {
        self.0.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        self
    }

    fn f32s<const N: usize>(mut self, values: [f32; N]) -> Self {
        self.0.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// A skeleton with a chain of joints, each 1 above the previous one.
    fn skeleton(self, names: &[&str]) -> Self {
        let text: String = names.iter().map(|name| format!("{name}\0")).collect();
        let num = u32::try_from(names.len()).unwrap();
        let num_characters = u32::try_from(text.len()).unwrap();
        let mut writer =
            self.object("ozz-skeleton", 2).u32s([num, num_characters]).bytes(text.as_bytes());
        for joint in 0..num {
            writer = writer.u16s([u16::try_from(joint).unwrap().wrapping_sub(1)]);
        }
        for _ in 0..num.div_ceil(4) {
            let [zero, one] = [[0.0; 4], [1.0; 4]];
            for row in [zero, one, zero, zero, zero, zero, one, one, one, one] {
                writer = writer.f32s(row);
            }
        }
        writer
    }

    /// An animation of one joint that moves from 1 to 2 along x, with separate times per key.
    fn old_animation(self, version: u32, end: f32) -> Self {
        const ONE: u16 = 0x3c00;
        const TWO: u16 = 0x4000;
        const ZERO: u16 = 0;
        let mut writer =
            self.object("ozz-animation", version).f32s([2.0]).u32s([1, 3, 5, 4, 4]).bytes(b"old");
        for (time, track, x) in [(0.0, 0, ONE), (0.0, 1, ZERO), (0.0, 2, ZERO), (0.0, 3, ZERO)] {
            writer = writer.f32s([time]).u16s([track, x, ZERO, ZERO]);
        }
        writer = writer.f32s([end]).u16s([0, TWO, ZERO, ZERO]);
        for track in 0..4 {
            writer = writer.f32s([0.0]).u16s([track]).bytes(&[3, 0]).u16s([0; 3]);
        }
        for track in 0..4 {
            writer = writer.f32s([0.0]).u16s([track, ONE, ONE, ONE]);
        }
        writer
    }

    /// A mesh of one triangle on joint `joint` of [`Self::skeleton`], with two influences per vertex.
    fn mesh(self, joint: u16, weights: [f32; 3]) -> Self {
        let mut writer = self
            .object("ozz-sample-Mesh", 1)
            .u32s([1, 1, 9])
            .f32s([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
            .u32s([0, 0, 0, 0, 6])
            .u16s([0, 1, 0, 1, 0, 1])
            .u32s([3])
            .f32s(weights)
            .u32s([3])
            .u16s([0, 1, 2])
            .u32s([2])
            .u16s([0, joint])
            .u32s([2]);
        for joint in [0, joint] {
            let down = glam::Vec3::NEG_Y * f32::from(joint);
            writer = writer.f32s(glam::Mat4::from_translation(down).to_cols_array());
        }
        writer
    }
}

#[test]
fn colours_are_srgb_and_parts_without_colours_are_white() {
    let part = |writer: Writer, colors: &[u8]| {
        let writer = writer.u32s([9]).f32s([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let num_bytes = u32::try_from(colors.len()).unwrap();
        writer.u32s([0, 0, 0, num_bytes]).bytes(colors).u32s([0, 0])
    };
    let writer = Writer::new().object("ozz-sample-Mesh", 1).u32s([2, 1]);
    let colors = [255, 128, 0, 64, 51, 51, 51, 255, 0, 0, 0, 255];
    let writer = part(part(writer, &colors), &[]).u32s([3]).u16s([3, 4, 5]);
    let bytes = writer.u32s([0, 0]).0;
    let source = Source::new("a.ozz", bytes);
    let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    let mesh = &model.meshes[MeshId(0)];
    assert_eq!(mesh.color(0), Some(rigscope_core::model::color_from_srgb8([255, 128, 0, 64])));
    assert_eq!(mesh.color(1), Some(rigscope_core::model::color_from_srgb8([51, 51, 51, 255])));
    assert_eq!(mesh.color(4), Some(glam::Vec4::ONE), "of a part without colours");
}

fn read(source: &Source) -> Result<(Model, Vec<Finding>), ReadError> {
    let report = Report::new();
    let opened = open(source, &ReadOptions::default(), &report)?;
    Ok((opened.model, report.findings()))
}

fn alone(writer: Writer) -> Result<(Model, Vec<Finding>), ReadError> {
    read(&Source::new("x.ozz", writer.0))
}

fn has(findings: &[Finding], kind: FindingKind) -> bool {
    findings.iter().any(|finding| finding.kind == kind)
}

#[test]
fn old_key_times_are_in_seconds_or_ratios_depending_on_the_version() {
    for (version, end) in [(4, 2.0), (5, 1.0), (6, 1.0)] {
        let (model, findings) = alone(Writer::new().old_animation(version, end)).unwrap();
        let tracks = tracks(&model.clips[ClipId(0)]);
        assert_eq!(tracks.len(), 1, "tracks that fill a block aren't joints");
        let translation = tracks[0].translation.as_ref().unwrap();
        assert_eq!(translation.times_secs, [0.0, 2.0], "version {version}");
        assert_eq!(translation.values[1].x, 2.0);
        let rotation = tracks[0].rotation.as_ref().unwrap();
        assert_eq!(rotation.interpolation, Interpolation::Nlerp);
        assert_eq!(rotation.values, [glam::Quat::IDENTITY]);
        assert_eq!(model.clips[ClipId(0)].name, "old");
        assert!(has(&findings, FindingKind::MissingSkeleton));
    }
}

/// Two joints as authored: the first has two keys of translation and one of rotation.
fn raw_animation(version: u32, key_version: u32) -> Writer {
    let writer = Writer::new().object("ozz-raw_animation", version).f32s([1.5]).u32s([2, 1]);
    let writer = writer.u32s([2, key_version]);
    let writer = writer.f32s([0.0, 0.0, 0.0, 0.0, 1.5, 1.0, 2.0, 3.0]);
    let writer = writer.u32s([1, key_version]).f32s([0.5, 0.0, 1.0, 0.0, 0.0]).u32s([0]);
    writer.u32s([0, 0, 0]).u32s([4]).bytes(b"wave")
}

#[test]
fn raw_animations_preserve_authored_keys() {
    let (model, findings) = alone(raw_animation(3, 1)).unwrap();
    let clip = &model.clips[ClipId(0)];
    assert_eq!((&*clip.name, clip.duration_secs), ("wave", 1.5));
    let tracks = tracks(clip);
    let translation = tracks[0].translation.as_ref().unwrap();
    assert_eq!(translation.times_secs, [0.0, 1.5]);
    assert_eq!(translation.values[1], glam::Vec3::new(1.0, 2.0, 3.0));
    let rotation = tracks[0].rotation.as_ref().unwrap();
    assert_eq!((&*rotation.times_secs, rotation.values[0].y), (&[0.5][..], 1.0));
    assert_eq!(tracks[0].scale.as_ref().unwrap().values, [glam::Vec3::ONE]);
    assert_eq!(model.skeleton.len(), 2);
    assert!(has(&findings, FindingKind::MissingSkeleton));
    for (writer, known) in [
        (raw_animation(2, 1), "raw animation version 2, only 3 is read"),
        (raw_animation(3, 2), "raw keys are of version 2, only 1 is read"),
    ] {
        let message = alone(writer).map(drop).unwrap_err().to_string();
        assert!(message.contains(known), "{message}");
    }
    let whole = raw_animation(3, 1).0;
    for len in 0..whole.len() {
        assert!(alone(Writer(whole[..len].to_vec())).is_err(), "cut to {len}");
    }
    let bytes = [&whole[..], b"more"].concat();
    let (model, _) = alone(Writer(bytes)).unwrap();
    assert!(model.clips.len() == 1, "what follows is passed over");
}

#[test]
fn raw_animations_and_user_tracks_in_the_folder_are_not_added() {
    let track = || {
        let writer = Writer::new().object("ozz-float_track", 1).u32s([1, 0]);
        writer.f32s([0.0, 1.0]).bytes(&[0])
    };
    let files = vec![
        ("s.ozz", Writer::new().skeleton(&["root", "tip"])),
        ("raw.ozz", raw_animation(3, 1)),
        ("curve.ozz", track()),
    ];
    let source = Source::new("mesh.ozz", Writer::new().mesh(1, [0.5; 3]).0)
        .with_folders(vec![InMemory::of(files)]);
    let report = Report::new();
    let model = open(&source, &ReadOptions::default(), &report).unwrap().model;
    assert!(model.clips.is_empty());
    let related_files = report.related_files();
    for (file, why) in [("raw.ozz", "raw"), ("curve.ozz", "curves that move no joint")] {
        let one = related_files.iter().find(|one| one.file == file).unwrap();
        assert_eq!((one.is_used, &*one.why), (false, why), "{file}");
    }
}

#[test]
fn animations_with_a_different_joint_order_use_no_skeleton() {
    let folder = || InMemory::of(vec![("s.ozz", Writer::new().skeleton(&["root"]))]);
    for (version, is_named) in [(5, false), (6, true)] {
        let bytes = Writer::new().old_animation(version, 1.0).0;
        let source = Source::new("a.ozz", bytes).with_folders(vec![folder()]);
        let (model, _) = read(&source).unwrap();
        assert_eq!(model.skeleton.bones()[BoneId(0)].name == "root", is_named);
        assert_eq!(source.used().contains(&"s.ozz".to_owned()), is_named);
    }
}

#[test]
fn one_file_may_contain_mesh_skeleton_and_animation() {
    let writer = Writer::new().skeleton(&["root"]).mesh(0, [0.25; 3]).old_animation(6, 1.0);
    let (model, findings) = alone(writer).unwrap();
    assert_eq!((model.meshes.len(), model.clips.len()), (1, 1));
    assert_eq!(model.skeleton.bones()[BoneId(0)].name, "root");
    assert!(!has(&findings, FindingKind::AddedClips));
}

#[test]
fn the_last_weight_is_the_remainder_and_never_negative() {
    let (model, findings) = alone(Writer::new().mesh(1, [0.25, 1.000_001, f32::NAN])).unwrap();
    let skin = inverse_bind(&model.meshes[MeshId(0)]);
    let weights: Vec<_> = (0..3).flat_map(|vertex| skin.influences.row(vertex)).collect();
    assert_eq!(weights, [(0, 0.25), (1, 0.75), (0, 1.000_001), (1, 0.0), (0, 0.0), (1, 0.0)]);
    assert!(has(&findings, FindingKind::NotFinite));
    assert_eq!(model.skeleton.len(), 2, "as many as the mesh names");
}

#[test]
fn a_skeleton_must_have_every_joint_of_the_mesh() {
    let files = vec![
        ("mesh_few.ozz", Writer::new().skeleton(&["a"])),
        ("other.ozz", Writer::new().skeleton(&["a", "b", "c"])),
    ];
    let source = Source::new("mesh.ozz", Writer::new().mesh(1, [0.5; 3]).0)
        .with_folders(vec![InMemory::of(files)]);
    let (model, _) = read(&source).unwrap();
    assert_eq!(model.skeleton.len(), 3);
    assert_eq!(source.used(), ["other.ozz"]);
}

#[test]
fn the_skeleton_with_a_matching_name_is_selected() {
    let files = vec![
        ("a.ozz", Writer::new().skeleton(&["wrong", "b"])),
        ("hero_skeleton.ozz", Writer::new().skeleton(&["right", "b"])),
        ("z.ozz", Writer::new().skeleton(&["wrong", "b"])),
    ];
    let source = Source::new("hero_mesh.ozz", Writer::new().mesh(1, [0.5; 3]).0)
        .with_folders(vec![InMemory::of(files)]);
    let (model, _) = read(&source).unwrap();
    assert_eq!(model.skeleton.bones()[BoneId(0)].name, "right");
}

#[test]
fn counts_larger_than_the_file_are_refused() {
    let huge = u32::MAX;
    let files = [
        Writer::new().object("ozz-skeleton", 2).u32s([0x7fff_ffff, 4]),
        Writer::new().object("ozz-skeleton", 2).u32s([huge, huge]),
        Writer::new().object("ozz-skeleton", 2).u32s([2, huge]),
        Writer::new()
            .object("ozz-animation", 7)
            .u32s([0, 1, 0, huge, huge, huge, huge, 0, 0, 0, 0, 0, 0]),
        Writer::new()
            .object("ozz-animation", 7)
            .u32s([0, huge, huge, huge, huge, huge, huge, 0, 0, 0, 0, 0, 0]),
        Writer::new()
            .object("ozz-animation", 7)
            .u32s([0, 1, 0, 0, 1, 1, 1, huge, huge, 0, 0, 0, 0]),
        Writer::new().object("ozz-animation", 6).u32s([
            0,
            1,
            0,
            0x7fff_ffff,
            0x7fff_ffff,
            0x7fff_ffff,
        ]),
        Writer::new().object("ozz-raw_animation", 3).u32s([0, huge, 1]),
        Writer::new().object("ozz-raw_animation", 3).u32s([0, 1, 1, huge, 1]),
        Writer::new().object("ozz-sample-Mesh", 1).u32s([huge, 1]),
        Writer::new().object("ozz-sample-Mesh", 1).u32s([1, 1, huge]),
        Writer::new().object("ozz-sample-Mesh", 1).u32s([0, huge]),
        Writer::new().object("ozz-sample-Mesh", 1).u32s([0, 0, huge]),
        Writer::new().object("ozz-sample-Mesh", 1).u32s([0, 0, 0, huge]),
    ];
    for (number, writer) in files.into_iter().enumerate() {
        let bytes = writer.bytes(&[0; 40]).0;
        let source = Source::new("x.ozz", bytes);
        assert!(read(&source).is_err(), "file {number}");
    }
}

#[test]
fn unsupported_versions_are_named_in_the_error() {
    for (tag, version) in [
        ("ozz-skeleton", 3),
        ("ozz-animation", 3),
        ("ozz-animation", 8),
        ("ozz-raw_animation", 2),
        ("ozz-sample-Mesh", 2),
        ("ozz-raw_skeleton", 2),
        ("ozz-float_track", 2),
        ("ozz-quat_track", 0),
    ] {
        let error = alone(Writer::new().object(tag, version)).unwrap_err();
        assert!(matches!(error, ReadError::Unsupported(_)));
        assert!(error.to_string().contains(&format!("version {version}")), "{error}");
    }
    let error = alone(Writer::new().object("ozz-camera", 1)).unwrap_err();
    assert!(error.to_string().contains("\"ozz-camera\""), "{error}");
}

#[test]
fn user_tracks_are_read_with_their_step_keys() {
    let writer = Writer::new()
        .object("ozz-float2_track", 1)
        .u32s([3, 4])
        .f32s([0.0, 0.5, 1.0])
        .f32s([1.0, 10.0, 2.0, 20.0, f32::NAN, 30.0])
        .bytes(&[0b010])
        .bytes(b"open")
        .object("ozz-quat_track", 1)
        .u32s([1, 0])
        .f32s([0.25, 0.0, 1.0, 0.0, 0.0])
        .bytes(&[0]);
    let (model, findings) = alone(writer).unwrap();
    let [open, turn] = &model.value_tracks[..] else { panic!("two curves") };
    assert_eq!((open.name.as_str(), open.kind), ("open", ValueKind::Numbers(2)));
    assert_eq!(open.holds, [false, true, false]);
    assert_eq!(open.values, [1.0, 10.0, 2.0, 20.0, 0.0, 30.0]);
    assert_eq!(turn.sample(0.9), Some([0.0, 1.0, 0.0, 0.0]));
    assert!(has(&findings, FindingKind::NotFinite));
    for broken in [
        Writer::new().object("ozz-float_track", 1).u32s([u32::MAX, 0]),
        Writer::new().object("ozz-float_track", 1).u32s([1, u32::MAX]).f32s([0.0, 0.0]).bytes(&[0]),
        Writer::new()
            .object("ozz-float_track", 1)
            .u32s([2, 0])
            .f32s([1.0, 0.0, 0.0, 0.0])
            .bytes(&[0]),
    ] {
        assert!(alone(broken).is_err());
    }
}

impl Writer {
    /// A joint of a raw skeleton, moved up by `height`, before its children.
    fn raw_joint(self, name: &str, height: f32, num_children: u32) -> Self {
        let writer = self
            .u32s([u32::try_from(name.len()).unwrap()])
            .bytes(name.as_bytes())
            .f32s([0.0, height, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
            .u32s([num_children]);
        match num_children {
            0 => writer,
            _ => writer.u32s([1]),
        }
    }
}

#[test]
fn raw_skeletons_are_numbered_depth_first() {
    let writer = Writer::new()
        .object("ozz-raw_skeleton", 1)
        .u32s([1, 1])
        .raw_joint("hips", 1.0, 2)
        .raw_joint("spine", 0.5, 1)
        .raw_joint("head", 0.25, 0)
        .raw_joint("leg", -0.5, 0);
    let (model, _) = alone(writer).unwrap();
    let bones = model.skeleton.bones();
    let all: Vec<_> = bones
        .iter()
        .map(|bone| (bone.name.as_str(), bone.parent.map(|parent| parent.index())))
        .collect();
    let wanted = [("hips", None), ("spine", Some(0)), ("head", Some(1)), ("leg", Some(0))];
    assert_eq!(all, wanted);
    assert_eq!(bones[BoneId(3)].rest_local.to_trs().translation.y, -0.5);
    let mut deep = Writer::new().object("ozz-raw_skeleton", 1).u32s([1, 1]);
    for _ in 0..100_000 {
        deep = deep.raw_joint("", 0.0, 1);
    }
    assert!(alone(deep).is_err(), "as deep as it likes");
    let huge = Writer::new().object("ozz-raw_skeleton", 1).u32s([u32::MAX, 1]);
    assert!(alone(huge).is_err());
}

#[test]
fn missing_parents_and_cycles_are_errors() {
    let sound = Writer::new().skeleton(&["a", "b"]).0;
    // After the order, tag, version, counts and names: two parents.
    let parents = 1 + 13 + 4 + 8 + 4;
    for (first, second) in [(1i16, 0i16), (-1, 2), (-2, 0), (0, 0)] {
        let mut bytes = sound.clone();
        bytes[parents..parents + 2].copy_from_slice(&first.to_le_bytes());
        bytes[parents + 2..parents + 4].copy_from_slice(&second.to_le_bytes());
        assert!(read(&Source::new("x.ozz", bytes)).is_err(), "{first} {second}");
    }
    assert!(read(&Source::new("x.ozz", sound)).is_ok());
}
