//! Files built in code, for tests of values and of faults.

use glam::Vec3;
use rigscope_core::model::MeshId;

use super::ID;
use super::header::{IqmHeader, MAGIC};
use crate::formats::record::Record;
use crate::formats::{ReadError, ReadOptions, RelatedFile, Source, candidates, open};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_testing::*;

mod faults;
mod joints;
mod values;
mod written;

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

/// A file under construction; tables are appended.
struct Builder {
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// (type, format, components, bytes)
    arrays: Vec<(u32, u32, u32, Vec<u8>)>,
}

impl Builder {
    fn new() -> Self {
        let mut bytes = vec![0; IqmHeader::BYTES];
        bytes[..16].copy_from_slice(MAGIC);
        put(&mut bytes, at::VERSION, 2);
        Self { bytes, text: vec![0], arrays: Vec::new() }
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
/// Two units up the parent's z axis.
const RAISED: [f32; 10] = [0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];

/// Positions of four vertices.
const DIGITS: [u8; 12] = [0, 0, 0, 0, 0, 2, 1, 0, 2, 1, 0, 3];

fn positions() -> Vec<u8> {
    f32s(&DIGITS.map(f32::from))
}

/// Two poses and two anims of three frames and one. The second pose stores x, z and its rotation.
fn animate(file: &mut Builder) {
    let mut scales = [0.0; 10];
    (scales[0], scales[2]) = (0.5, 0.001);
    scales[3..7].fill(1.0 / 65535.0);
    let mut offsets = RAISED;
    offsets[3..7].fill(0.0);
    let poses = [pose(-1, 0, STILL, [9.0; 10]), pose(0, 0b111_1101, offsets, scales)];
    file.table(at::POSES, 2, &poses.concat());
    let walk = file.name("walk");
    let idle = file.name("idle");
    let fps = 10.0f32.to_bits();
    file.table(at::ANIMS, 2, &u32s(&[walk, 0, 3, fps, 1, idle, 3, 1, fps, 0]));
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

/// Two meshes of three vertices, two joints, two anims; all in the recommended formats.
fn builder() -> Builder {
    let mut file = Builder::new();
    file.meshes(&[("body", "cloth", 0, 1), ("hat", "felt.png", 1, 1)]);
    put(&mut file.bytes, at::NUM_VERTICES, 4);
    file.table(at::TRIANGLES, 2, &u32s(&[0, 1, 2, 2, 1, 3]));
    let joints = [file.joint("root", -1, STILL), file.joint("tip", 0, RAISED)];
    file.table(at::JOINTS, 2, &joints.concat());
    animate(&mut file);
    file.arrays = vec![
        (0, 7, 3, positions()),
        (1, 7, 2, f32s(&[0.0, 0.0, 0.5, 0.25, 1.0, 1.0, 2.0, -1.0])),
        (2, 7, 3, f32s(&[0.0, -1.0, 0.0].repeat(4))),
        (3, 7, 4, f32s(&[1.0, 0.0, 0.0, -1.0].repeat(4))),
        (4, 1, 4, [[0, 0, 0, 0], [0, 1, 9, 9], [1, 0, 0, 0], [1, 0, 0, 0]].concat()),
        (5, 1, 4, [[255, 0, 0, 0], [51, 204, 0, 0], [255, 0, 0, 0], [0, 0, 0, 0]].concat()),
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

/// [`built`] with another vertex array in place of number `at`.
fn with_array(at: usize, array: (u32, u32, u32, Vec<u8>)) -> Vec<u8> {
    let mut file = builder();
    file.arrays[at] = array;
    file.finish()
}

fn read_source(source: &Source) -> Result<(Model, Report), ReadError> {
    let report = Report::new();
    let options = ReadOptions { format: Some(ID.into()), ..ReadOptions::default() };
    let opened = open(source, &options, &report)?;
    Ok((opened.model, report))
}

fn read(bytes: Vec<u8>) -> Result<(Model, Report), ReadError> {
    read_source(&Source::new("x.iqm", bytes))
}

fn error(bytes: Vec<u8>) -> String {
    read(bytes).err().unwrap().to_string()
}

fn count(report: &Report, kind: FindingKind) -> u64 {
    let findings = report.findings();
    findings.iter().find(|n| n.kind == kind).map_or(0, |n| n.count)
}

fn streams(model: &Model) -> &rigscope_core::model::Streams {
    rigscope_testing::streams(&model.meshes[MeshId(0)])
}

fn influences(model: &Model, vertex: usize) -> Vec<(u32, f32)> {
    let mut list = Vec::new();
    model.meshes[MeshId(0)].for_each_influence(vertex, |bone, weight| list.push((bone.0, weight)));
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
    let spec = PoseSpec::linear(model.find_clip(clip), time_secs);
    skin_model(model, &spec).remove(0).positions
}
