//! Files made in code: golden values, each error, each oddity, damage.

use glam::{Quat, Vec2, Vec3, Vec4};

use super::ID;
use super::header::{HEADER_BYTES, MAGIC};
use crate::formats::{Companion, ReadError, ReadOptions, Source, candidates, open};
use crate::model::{
    BoneId, Detail, Element, MaterialId, Model, Motion, NoteKind, Report, Skin, VertexData, Winding,
};
use crate::pose::{Moment, PoseSpec, Sampling, skin_model};

/// Offsets of the header's fields.
mod at {
    pub(super) const VERSION: usize = 16;
    pub(super) const FILE_SIZE: usize = 20;
    pub(super) const TEXT: usize = 28;
    pub(super) const MESHES: usize = 36;
    pub(super) const NUM_ARRAYS: usize = 44;
    pub(super) const NUM_VERTICES: usize = 48;
    pub(super) const ARRAYS: usize = 52;
    pub(super) const TRIANGLES: usize = 56;
    pub(super) const JOINTS: usize = 68;
    pub(super) const POSES: usize = 76;
    pub(super) const ANIMS: usize = 84;
    pub(super) const NUM_FRAMES: usize = 92;
    pub(super) const NUM_CHANNELS: usize = 96;
    pub(super) const FRAMES: usize = 100;
    pub(super) const COMMENT: usize = 108;
    pub(super) const EXTENSIONS: usize = 116;
}

fn put(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

fn stored(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap()
}

/// A file being made: tables are put behind one another.
struct Builder {
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// (type, format, components, bytes)
    arrays: Vec<(u32, u32, u32, Vec<u8>)>,
}

impl Builder {
    fn new() -> Self {
        let mut bytes = vec![0; HEADER_BYTES];
        bytes[..16].copy_from_slice(MAGIC);
        put(&mut bytes, at::VERSION, 2);
        Self {
            bytes,
            text: vec![0],
            arrays: Vec::new(),
        }
    }

    fn name(&mut self, name: &str) -> u32 {
        let offset = number(self.text.len());
        self.text.extend_from_slice(name.as_bytes());
        self.text.push(0);
        offset
    }

    fn append(&mut self, bytes: &[u8]) -> u32 {
        let offset = number(self.bytes.len());
        self.bytes.extend_from_slice(bytes);
        offset
    }

    fn table(&mut self, at: usize, num: usize, bytes: &[u8]) {
        let offset = self.append(bytes);
        put(&mut self.bytes, at, number(num));
        put(&mut self.bytes, at + 4, offset);
    }

    fn meshes(&mut self, meshes: &[(&str, &str, u32, u32)]) {
        let mut words = Vec::new();
        for &(name, material, first, num) in meshes {
            words.extend([self.name(name), self.name(material), 0, 0, first, num]);
        }
        self.table(at::MESHES, meshes.len(), &u32s(&words));
    }

    fn joint(&mut self, name: &str, parent: i32, channels: [f32; 10]) -> Vec<u8> {
        let mut record = u32s(&[self.name(name)]);
        record.extend(parent.to_le_bytes());
        record.extend(f32s(&channels));
        record
    }

    fn finish(mut self) -> Vec<u8> {
        let mut words = Vec::new();
        for (kind, format, size, bytes) in std::mem::take(&mut self.arrays) {
            words.extend([kind, 0, format, size, self.append(&bytes)]);
        }
        let offset = self.append(&u32s(&words));
        put(&mut self.bytes, at::NUM_ARRAYS, number(words.len() / 5));
        put(&mut self.bytes, at::ARRAYS, offset);
        let text = std::mem::take(&mut self.text);
        self.table(at::TEXT, text.len(), &text);
        let len = number(self.bytes.len());
        put(&mut self.bytes, at::FILE_SIZE, len);
        self.bytes
    }
}

fn f32s(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

fn u32s(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn u16s(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn pose(parent: i32, mask: u32, offsets: [f32; 10], scales: [f32; 10]) -> Vec<u8> {
    let mut record = parent.to_le_bytes().to_vec();
    record.extend(mask.to_le_bytes());
    record.extend(f32s(&offsets));
    record.extend(f32s(&scales));
    record
}

const STILL: [f32; 10] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
/// Two up the parent's z axis.
const RAISED: [f32; 10] = [0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];

/// Positions of four vertices.
#[rustfmt::skip]
const POSITIONS: [f32; 12] = [
    0.0, 0.0, 0.0,  0.0, 0.0, 2.0,  1.0, 0.0, 2.0,  1.0, 0.0, 3.0,
];

/// Two poses and two anims of three and one frames. The second pose holds x, z and its rotation.
fn animate(file: &mut Builder) {
    let mut scales = [0.0; 10];
    (scales[0], scales[2]) = (0.5, 0.001);
    scales[3..7].fill(1.0 / 65535.0);
    let mut offsets = RAISED;
    offsets[3..7].fill(0.0);
    let poses = [
        pose(-1, 0, STILL, [9.0; 10]),
        pose(0, 0b111_1101, offsets, scales),
    ];
    file.table(at::POSES, 2, &poses.concat());
    let walk = file.name("walk");
    let idle = file.name("idle");
    let fps = 10.0f32.to_bits();
    file.table(
        at::ANIMS,
        2,
        &u32s(&[walk, 0, 3, fps, 1, idle, 3, 1, fps, 0]),
    );
    let w = u16::MAX;
    #[rustfmt::skip]
    let frames = u16s(&[
        0, 0,     0, 0, 0, w,
        2, 0,     0, 0, w, w,
        4, 1000,  0, 0, w, 0,
        6, 0,     0, 0, 0, 9,
    ]);
    file.table(at::NUM_CHANNELS, 6, &frames);
    put(&mut file.bytes, at::NUM_FRAMES, 4);
}

/// Two meshes of three, two joints, two anims; all recommended formats.
fn builder() -> Builder {
    let mut file = Builder::new();
    file.meshes(&[("body", "cloth", 0, 1), ("hat", "felt.png", 1, 1)]);
    put(&mut file.bytes, at::NUM_VERTICES, 4);
    file.table(at::TRIANGLES, 2, &u32s(&[0, 1, 2, 2, 1, 3]));
    let joints = [file.joint("root", -1, STILL), file.joint("tip", 0, RAISED)];
    file.table(at::JOINTS, 2, &joints.concat());
    animate(&mut file);
    file.arrays = vec![
        (0, 7, 3, f32s(&POSITIONS)),
        (1, 7, 2, f32s(&[0.0, 0.0, 0.5, 0.25, 1.0, 1.0, 2.0, -1.0])),
        (2, 7, 3, f32s(&[0.0, -1.0, 0.0].repeat(4))),
        (3, 7, 4, f32s(&[1.0, 0.0, 0.0, -1.0].repeat(4))),
        (
            4,
            1,
            4,
            [[0, 0, 0, 0], [0, 1, 9, 9], [1, 0, 0, 0], [1, 0, 0, 0]].concat(),
        ),
        (
            5,
            1,
            4,
            [
                [255, 0, 0, 0],
                [51, 204, 0, 0],
                [255, 0, 0, 0],
                [0, 0, 0, 0],
            ]
            .concat(),
        ),
        (6, 1, 4, [255, 51, 0, 255].repeat(4)),
    ];
    file
}

fn built() -> Vec<u8> {
    builder().finish()
}

/// [`built`] with one word of the file changed.
fn changed(at: usize, value: u32) -> Vec<u8> {
    let mut bytes = built();
    put(&mut bytes, at, value);
    bytes
}

/// [`built`] with one word of a table changed.
fn changed_in(table: usize, at: usize, value: u32) -> Vec<u8> {
    changed(stored(&built(), table + 4) + at, value)
}

/// [`built`] with another vertex array in the place of number `at`.
fn with_array(at: usize, array: (u32, u32, u32, Vec<u8>)) -> Vec<u8> {
    let mut file = builder();
    file.arrays[at] = array;
    file.finish()
}

fn read_source(source: &Source) -> Result<(Model, Report), ReadError> {
    let report = Report::new();
    let options = ReadOptions {
        format: Some(ID.into()),
        ..ReadOptions::default()
    };
    let opened = open(source, &options, &report)?;
    Ok((opened.model, report))
}

fn read(bytes: Vec<u8>) -> Result<(Model, Report), ReadError> {
    read_source(&Source::new("x.iqm", bytes))
}

fn error(bytes: Vec<u8>) -> String {
    read(bytes).err().unwrap().to_string()
}

fn count(report: &Report, kind: NoteKind) -> u64 {
    let notes = report.notes();
    notes.iter().find(|n| n.kind == kind).map_or(0, |n| n.count)
}

fn streams(model: &Model) -> &crate::model::Streams {
    match &model.meshes[0].vertices {
        VertexData::Streams(streams) => streams,
        VertexData::Packed(_) => panic!("streams"),
    }
}

fn influences(model: &Model, vertex: usize) -> Vec<(u32, f32)> {
    let mut list = Vec::new();
    model.meshes[0].for_each_influence(vertex, |bone, weight| list.push((bone.0, weight)));
    list
}

fn detail(model: &Model, what: &str) -> Option<String> {
    let found = model.details.iter().find(|(name, _)| *name == what)?;
    match &found.1 {
        Detail::Text(text) => Some(text.clone()),
        other => Some(format!("{other:?}")),
    }
}

fn posed(model: &Model, clip: &str, time_secs: f64) -> Vec<Vec3> {
    let spec = PoseSpec {
        clip: model.find_clip(clip),
        moment: Moment::TimeSecs(time_secs),
        sampling: Sampling::Linear,
    };
    skin_model(model, &spec).remove(0).positions
}

#[test]
fn a_built_file_has_the_values_that_were_put_in() {
    let (model, report) = read(built()).unwrap();
    let streams = streams(&model);
    assert_eq!(streams.positions[3], Vec3::new(1.0, 0.0, 3.0));
    assert_eq!(streams.uv_sets[0].coords[1], Vec2::new(0.5, 0.25));
    assert_eq!(streams.normals[0], Vec3::NEG_Y);
    assert_eq!(streams.tangents[0], Vec4::new(1.0, 0.0, 0.0, -1.0));
    assert_eq!(streams.colors[0], Vec4::new(1.0, 0.2, 0.0, 1.0));
    let mesh = &model.meshes[0];
    assert_eq!(mesh.indices.iter().collect::<Vec<_>>(), [0, 1, 2, 2, 1, 3]);
    assert_eq!(mesh.subsets[1].first_index, 3);
    assert_eq!(mesh.subsets[1].material, Some(MaterialId(1)));
    assert_eq!(model.materials[0].name, "cloth");
    assert!(model.materials[0].textures.is_empty());
    assert_eq!(model.materials[1].textures[0].path, "felt.png");
    assert_eq!(detail(&model, "meshes").unwrap(), "body, hat");
    assert_eq!(detail(&model, "looping clips").unwrap(), "walk");
    assert_eq!(model.axes.winding, Winding::Clockwise);
    assert_eq!(influences(&model, 1), [(0, 0.2), (1, 0.8)]);
    assert_eq!(
        influences(&model, 3),
        [(1, 1.0)],
        "the first bone moves it alone"
    );
    assert_eq!(count(&report, NoteKind::VertexWithoutWeights), 1);
    let bones = model.skeleton.bones();
    assert_eq!(
        (bones[1].name.as_str(), bones[1].parent),
        ("tip", Some(BoneId(0)))
    );
    let Skin::InverseBind(skin) = &mesh.skin else {
        panic!("a skin");
    };
    let inverse = skin.bone_from_mesh[1].transform_point3(Vec3::Z * 2.0);
    assert_eq!(inverse, Vec3::ZERO);
    assert_eq!(count(&report, NoteKind::PosesMismatch), 0);
    assert_eq!(count(&report, NoteKind::NotFinite), 0);
}

#[test]
fn frames_are_offsets_plus_scaled_numbers_of_the_channels_in_the_mask() {
    let (model, _) = read(built()).unwrap();
    let [walk, idle] = model.clips.as_slice() else {
        panic!("two clips");
    };
    assert_eq!((walk.name.as_str(), walk.start_secs), ("walk", 0.0));
    assert!((walk.duration_secs - 0.2).abs() < 1e-9);
    assert_eq!(walk.uniform_keys().unwrap().0, 3);
    let Motion::Tracks(tracks) = &walk.motion else {
        panic!("tracks");
    };
    let still = &tracks[0];
    assert_eq!(still.translation.as_ref().unwrap().values, [Vec3::ZERO]);
    let moved = tracks[1].translation.as_ref().unwrap();
    assert_eq!(moved.times_secs, [0.0, 0.1, 0.2]);
    assert_eq!(
        moved.values,
        [
            Vec3::new(0.0, 0.0, 2.0),
            Vec3::new(1.0, 0.0, 2.0),
            Vec3::new(2.0, 0.0, 3.0)
        ]
    );
    let turned = &tracks[1].rotation.as_ref().unwrap().values;
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    assert!(turned[1].abs_diff_eq(quarter, 1e-6));
    assert_eq!(tracks[1].scale.as_ref().unwrap().values, [Vec3::ONE]);
    assert_eq!(idle.duration_secs, 0.0);
    let Motion::Tracks(tracks) = &idle.motion else {
        panic!("tracks");
    };
    assert_eq!(tracks[1].translation.as_ref().unwrap().values[0].x, 3.0);
}

#[test]
fn vertices_follow_the_frames() {
    let (model, _) = read(built()).unwrap();
    let rest = skin_model(&model, &PoseSpec::default()).remove(0).positions;
    assert_eq!(
        rest[2],
        Vec3::new(1.0, 0.0, 2.0),
        "the rest pose moves nothing"
    );
    // At 0.1 s the tip is 1 along x and turned a quarter about z.
    let quarter = posed(&model, "walk", 0.1)[2];
    assert!(
        quarter.abs_diff_eq(Vec3::new(1.0, 1.0, 2.0), 1e-5),
        "{quarter}"
    );
    let half = posed(&model, "walk", 0.2)[2];
    assert!(half.abs_diff_eq(Vec3::new(1.0, 0.0, 3.0), 1e-5), "{half}");
}

#[test]
fn poses_alone_make_bones_without_names_that_move_another_file() {
    let mut file = Builder::new();
    animate(&mut file);
    let animation = file.finish();
    let (model, _) = read(animation.clone()).unwrap();
    assert!(model.meshes.is_empty());
    let bones = model.skeleton.bones();
    assert_eq!((bones.len(), bones[1].parent), (2, Some(BoneId(0))));
    assert_eq!(bones[1].rest_local.to_trs().translation, Vec3::Z * 2.0);

    let (whole, _) = read(built()).unwrap();
    let mut still = built();
    put(&mut still, at::ANIMS, 0);
    let source = Source::new("x.iqm", still).with_companions(vec![Companion {
        name: "moves.iqm".into(),
        bytes: animation.into(),
    }]);
    let (model, report) = read_source(&source).unwrap();
    assert_eq!(count(&report, NoteKind::AddedClips), 2);
    assert_eq!(posed(&model, "walk", 0.13), posed(&whole, "walk", 0.13));
}

#[test]
fn every_number_format_is_read() {
    let scaled = |unit: f64| POSITIONS.map(|p| f64::from(p) * unit);
    let halves = POSITIONS.map(|p| match p as u8 {
        0 => 0u16,
        1 => 0x3c00,
        2 => 0x4000,
        _ => 0x4200,
    });
    let arrays = [
        (0, POSITIONS.map(|p| p as u8).to_vec()),
        (1, POSITIONS.map(|p| p as u8).to_vec()),
        (2, u16s(&POSITIONS.map(|p| p as u16))),
        (3, u16s(&POSITIONS.map(|p| p as u16))),
        (4, u32s(&POSITIONS.map(|p| p as u32))),
        (5, u32s(&POSITIONS.map(|p| p as u32))),
        (6, u16s(&halves)),
        (7, f32s(&POSITIONS)),
        (
            8,
            scaled(1.0).iter().flat_map(|f| f.to_le_bytes()).collect(),
        ),
    ];
    for (format, bytes) in arrays {
        let (model, _) = read(with_array(0, (0, format, 3, bytes))).unwrap();
        assert_eq!(
            streams(&model).positions[3],
            Vec3::new(1.0, 0.0, 3.0),
            "{format}"
        );
    }
    let normals = [0u8, 0x81, 0].repeat(4);
    let (model, _) = read(with_array(2, (2, 0, 3, normals))).unwrap();
    assert_eq!(streams(&model).normals[0], Vec3::NEG_Y);
    let indexes = u32s(&[0, 1, 1, 1]);
    let (model, _) = read(with_array(4, (4, 5, 1, indexes))).unwrap();
    assert_eq!(influences(&model, 0), [(0, 1.0)]);
    let weights = f32s(&[1.0, 0.0, 0.5, 0.5, 1.0, 0.0, 1.0, 0.0]);
    let (model, _) = read(with_array(5, (5, 7, 2, weights))).unwrap();
    assert_eq!(influences(&model, 1), [(0, 0.5), (1, 0.5)]);
    let colors = u16s(&[65535, 0, 13107].repeat(4));
    let (model, _) = read(with_array(6, (6, 3, 3, colors))).unwrap();
    assert_eq!(streams(&model).colors[0], Vec4::new(1.0, 0.0, 0.2, 1.0));
}

#[test]
fn custom_arrays_comment_and_extensions_are_listed_and_kept() {
    let mut file = builder();
    let kind = 0x10 + file.name("wind");
    file.arrays.push((kind, 1, 2, vec![7; 8]));
    file.table(at::COMMENT, 6, b"hello\0");
    let data = file.append(b"data");
    let names = [file.name("EXT_A"), file.name("EXT_B")];
    let second = file.append(&u32s(&[names[1], 0, 0, 0]));
    let first = file.append(&u32s(&[names[0], 4, data, second]));
    put(&mut file.bytes, at::EXTENSIONS, 2);
    put(&mut file.bytes, at::EXTENSIONS + 4, first);
    let mut bytes = file.finish();
    bytes.extend_from_slice(b"end");
    let (model, report) = read(bytes).unwrap();
    assert_eq!(detail(&model, "custom vertex arrays").unwrap(), "wind");
    assert_eq!(detail(&model, "comment").unwrap(), "hello");
    assert_eq!(detail(&model, "extensions").unwrap(), "EXT_A, EXT_B");
    let kept = |what| model.preserved(ID, what).map(|bytes| bytes.to_vec());
    assert_eq!(kept("custom vertex array").unwrap(), [7; 8]);
    assert_eq!(kept("extension").unwrap(), b"data");
    assert_eq!(kept("trailing").unwrap(), b"end");
    assert_eq!(count(&report, NoteKind::TrailingBytes), 1);
}

#[test]
fn a_list_of_extensions_that_returns_to_itself_ends() {
    let mut file = builder();
    let name = file.name("EXT_A");
    let own = number(file.bytes.len());
    file.append(&u32s(&[name, 0, 0, own]));
    put(&mut file.bytes, at::EXTENSIONS, u32::MAX);
    put(&mut file.bytes, at::EXTENSIONS + 4, own);
    let (model, report) = read(file.finish()).unwrap();
    assert_eq!(detail(&model, "extensions").unwrap(), "EXT_A");
    assert_eq!(count(&report, NoteKind::Dropped), 1);
}

#[test]
fn spans_lead_from_an_offset_to_its_record() {
    let bytes = built();
    let (model, _) = read(bytes.clone()).unwrap();
    let spans = &model.provenance;
    let joints = stored(&bytes, at::JOINTS + 4) as u64;
    assert_eq!(spans.at(joints + 50).unwrap().element, Element::BoneParent);
    let anims = stored(&bytes, at::ANIMS + 4) as u64;
    let anim = spans.at(anims + 20).unwrap();
    assert_eq!(anim.element, Element::ClipHeader { clip: 1 });
    let positions = stored(&bytes, stored(&bytes, at::ARRAYS) + 16) as u64;
    let span = spans.at(positions + 12).unwrap();
    assert_eq!(
        (span.element, span.stride),
        (Element::Vertex { mesh: 0 }, 12)
    );
}

#[test]
fn magic_version_and_file_size_are_checked() {
    let claimed = candidates(&Source::new("x.unknown", built()));
    assert_eq!(claimed.first().unwrap().format.info().id, ID);
    assert!(error(changed(0, 0)).starts_with("iqm: the file does not begin with INTERQUAKEMODEL"));
    assert_eq!(
        error(changed(at::VERSION, 1)),
        "iqm: version 1 is not 2 at offset 0x10 (version)"
    );
    let len = number(built().len());
    for size in [0, 123, len + 1, u32::MAX] {
        assert!(error(changed(at::FILE_SIZE, size)).contains("does not fit"));
    }
}

#[test]
fn tables_past_the_end_or_in_the_header_are_refused() {
    let tables = [
        at::TEXT,
        at::MESHES,
        at::TRIANGLES,
        at::JOINTS,
        at::POSES,
        at::ANIMS,
    ];
    for table in tables {
        assert!(read(changed(table, u32::MAX)).is_err(), "{table}");
        assert!(read(changed(table + 4, u32::MAX)).is_err(), "{table}");
        assert!(error(changed(table + 4, 16)).contains("lies in the header"));
    }
    for at in [at::NUM_ARRAYS, at::NUM_VERTICES, at::NUM_FRAMES, at::FRAMES] {
        assert!(read(changed(at, u32::MAX)).is_err(), "{at}");
    }
    for table in [at::COMMENT, at::EXTENSIONS] {
        let mut bytes = changed(table, 9);
        put(&mut bytes, table + 4, u32::MAX);
        assert!(read(bytes).is_err(), "{table}");
    }
}

#[test]
fn what_frames_and_vertex_arrays_say_must_fit() {
    assert!(error(changed(at::NUM_CHANNELS, 5)).contains("name 6 channels and a frame has 5"));
    assert_eq!(
        read(changed_in(at::ANIMS, 28, 2))
            .err()
            .unwrap()
            .to_string(),
        format!(
            "iqm: anim 1 has 2 frames from 3 on, of 4 at offset {:#x} (anim frames)",
            stored(&built(), at::ANIMS + 4)
        )
    );
    assert!(read(changed_in(at::ANIMS, 4, u32::MAX)).is_err());
    assert!(error(with_array(0, (0, 9, 3, f32s(&POSITIONS)))).contains("has format 9"));
    assert!(error(with_array(0, (0, 7, 2, f32s(&POSITIONS)))).contains("has 2 components of 3"));
    let no_positions = with_array(0, (8, 7, 3, f32s(&POSITIONS)));
    assert!(error(no_positions).contains("4 vertices have no positions"));
    assert!(error(with_array(6, (0x10 + 9999, 1, 4, vec![0; 16]))).contains("past the text"));
    assert!(error(changed_in(at::JOINTS, 0, 9999)).contains("joint name at 9999 is past"));
}

#[test]
fn odd_parents_are_noted_and_cycles_refused() {
    let (model, report) = read(changed_in(at::JOINTS, 48 + 4, 9)).unwrap();
    assert_eq!(model.skeleton.bones()[1].parent, None);
    assert_eq!(count(&report, NoteKind::ParentOutOfRange), 1);
    assert_eq!(
        count(&report, NoteKind::PosesMismatch),
        1,
        "the pose has another"
    );
    assert!(error(changed_in(at::JOINTS, 4, 1)).contains("is its own ancestor"));
}

#[test]
fn poses_and_joints_of_other_numbers_are_noted() {
    let (model, report) = read(changed(at::JOINTS, 1)).unwrap();
    assert_eq!(count(&report, NoteKind::PosesMismatch), 1);
    assert_eq!(model.clips.len(), 2);
    let Motion::Tracks(tracks) = &model.clips[0].motion else {
        panic!("tracks");
    };
    assert_eq!(tracks.len(), 1);
}

#[test]
fn a_frame_rate_that_is_none_is_noted_and_30_or_what_was_asked_for() {
    for fps in [0.0, f32::NAN, -24.0, f32::INFINITY, 1e-40] {
        let (model, report) = read(changed_in(at::ANIMS, 12, fps.to_bits())).unwrap();
        assert_eq!(count(&report, NoteKind::UnusableFrameRate), 1, "{fps}");
        assert!((model.clips[0].duration_secs - 2.0 / 30.0).abs() < 1e-9);
    }
    let source = Source::new("x.iqm", changed_in(at::ANIMS, 12, 0));
    let options = ReadOptions {
        fps: Some(4.0),
        ..ReadOptions::default()
    };
    let opened = open(&source, &options, &Report::new()).unwrap();
    assert_eq!(opened.model.clips[0].duration_secs, 0.5);
}

#[test]
fn joints_that_cannot_be_inverted_are_noted() {
    let (model, report) = read(changed_in(at::JOINTS, 8 + 28, 0)).unwrap();
    assert!(count(&report, NoteKind::ZeroScaleBone) > 0);
    let nan = f32::NAN.to_bits();
    let (broken, report) = read(changed_in(at::JOINTS, 8, nan)).unwrap();
    assert_eq!(count(&report, NoteKind::NotFinite), 1);
    for model in [model, broken] {
        let all = skin_model(&model, &PoseSpec::default()).remove(0).positions;
        assert!(all.iter().all(|p| p.is_finite()));
    }
}

#[test]
fn mesh_ranges_outside_are_noted_and_left_out() {
    for (first, num) in [(2, 1), (u32::MAX, u32::MAX), (0, 3)] {
        let mut bytes = changed_in(at::MESHES, 16, first);
        let mesh = stored(&bytes, at::MESHES + 4);
        put(&mut bytes, mesh + 20, num);
        let (model, report) = read(bytes).unwrap();
        assert_eq!(count(&report, NoteKind::SubsetOutOfRange), 1);
        assert_eq!(model.meshes[0].subsets.len(), 1);
    }
}

#[test]
fn influences_of_bones_that_do_not_exist_are_left_out() {
    let bad = with_array(4, (4, 0, 1, vec![0xff, 0, 1, 2]));
    let (_, report) = read(bad).unwrap();
    assert_eq!(count(&report, NoteKind::BoneOutOfRange), 2);
}

#[test]
fn many_clips_of_the_same_frames_or_of_one_long_name_are_refused() {
    let mut file = Builder::new();
    let poses = vec![pose(-1, 1, STILL, [1.0; 10]); 1000];
    file.table(at::POSES, 1000, &poses.concat());
    let anim = u32s(&[0, 0, 100, 1.0f32.to_bits(), 0]);
    file.table(at::ANIMS, 2000, &anim.repeat(2000));
    file.table(at::NUM_CHANNELS, 1000, &vec![0; 200_000]);
    put(&mut file.bytes, at::NUM_FRAMES, 100);
    assert!(matches!(read(file.finish()), Err(ReadError::Limit(_))));

    let mut file = Builder::new();
    let long = file.name(&"x".repeat(100_000));
    let anim = u32s(&[long, 0, 0, 0, 0]);
    file.table(at::ANIMS, 2000, &anim.repeat(2000));
    assert!(matches!(read(file.finish()), Err(ReadError::Limit(_))));
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let bytes = built();
    for len in 0..bytes.len() {
        assert!(read(bytes[..len].to_vec()).is_err(), "{len}");
        // A file that is honest about its length is one, or is not, but never a panic.
        let mut honest = bytes[..len].to_vec();
        if len >= HEADER_BYTES {
            put(&mut honest, at::FILE_SIZE, number(len));
        }
        let _ = read(honest);
    }
}

#[test]
fn changed_bytes_never_panic() {
    let bytes = built();
    let mut state = 11u64;
    // Knuth's MMIX constants.
    let mut random = |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % limit
    };
    let mut num_read = 0;
    for _ in 0..5000 {
        let mut copy = bytes.clone();
        for _ in 0..=random(4) {
            let reach = [HEADER_BYTES, copy.len()][random(2)];
            let at = random(reach);
            copy[at] = [0, 0xff, copy[at] ^ 0x80, copy[at].wrapping_add(1)][random(4)];
        }
        if let Ok((model, _)) = read(copy) {
            num_read += 1;
            let spec = PoseSpec {
                clip: model.find_clip("0"),
                moment: Moment::TimeSecs(0.05),
                sampling: Sampling::Linear,
            };
            let _ = skin_model(&model, &spec);
        }
    }
    assert!(num_read > 100, "{num_read} were read");
}
