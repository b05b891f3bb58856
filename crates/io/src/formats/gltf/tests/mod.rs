//! Tests with files built in code.

mod accessors;
mod clips;
mod damage;
mod draco;
mod files;
mod instances;
mod material_clips;
mod materials;
mod meshes;
mod nodes;
mod structure;
mod vrma;
mod write;

use serde_json::{Value, json};

use super::GLTF;
use crate::formats::content::tests::on_disk;
use crate::formats::{Content, ReadError, ReadOptions, Source};
use rigscope_testing::*;

pub(super) const I8: u32 = 5120;
pub(super) const U8: u32 = 5121;
pub(super) const I16: u32 = 5122;
pub(super) const U16: u32 = 5123;
pub(super) const U32: u32 = 5125;
pub(super) const F32: u32 = 5126;

/// A file under construction.
pub(super) struct FileJson {
    pub(super) json: Value,
    pub(super) bin: Vec<u8>,
}

impl FileJson {
    /// A file with only a version.
    pub(super) fn new() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bin: Vec::new() }
    }

    /// One node with one mesh of the given primitives.
    pub(super) fn with_mesh(mut self, primitives: Value) -> Self {
        self.json["nodes"] = json!([{ "mesh": 0 }]);
        self.json["meshes"] = json!([{ "primitives": primitives }]);
        self
    }

    /// Appends an object to a list of the root; returns its index.
    pub(super) fn push(&mut self, list: &str, object: Value) -> usize {
        if self.json.get(list).is_none() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(object);
        list.len() - 1
    }

    /// A buffer view of `bytes`.
    pub(super) fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
        let offset = self.bin.len();
        self.bin.extend(bytes);
        let view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() });
        self.push("bufferViews", view)
    }

    /// An accessor of `bytes` with a separate view.
    pub(super) fn accessor(
        &mut self,
        kind: &str,
        component: u32,
        count: u64,
        bytes: &[u8],
    ) -> usize {
        let view = self.view(bytes);
        let accessor = json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        });
        self.push("accessors", accessor)
    }

    /// An accessor of floats, with their bounds.
    pub(super) fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let num = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let accessor = self.accessor(kind, F32, (values.len() / num) as u64, &bytes);
        if values.len() >= num && values.iter().all(|value| value.is_finite()) {
            let of = |at: usize| values.iter().skip(at).step_by(num);
            let low: Vec<f32> =
                (0..num).map(|at| of(at).copied().reduce(f32::min).unwrap()).collect();
            let high: Vec<f32> =
                (0..num).map(|at| of(at).copied().reduce(f32::max).unwrap()).collect();
            let stored = &mut self.json["accessors"][accessor];
            (stored["min"], stored["max"]) = (json!(low), json!(high));
        }
        accessor
    }

    /// An accessor of 16-bit indices.
    pub(super) fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor("SCALAR", U16, values.len() as u64, &bytes)
    }

    /// Positions along x, one per vertex.
    pub(super) fn positions(&mut self, num: u16) -> usize {
        let values: Vec<f32> = (0..num).flat_map(|x| [f32::from(x), 0.0, 0.0]).collect();
        self.floats("VEC3", &values)
    }

    /// The file as a binary container.
    pub(super) fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if !self.bin.is_empty() && json.get("buffers").is_none() {
            json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        }
        container(&serde_json::to_vec(&json).unwrap(), &self.bin)
    }

    pub(super) fn read(&self) -> Result<Model, ReadError> {
        read(&self.glb(), &Report::new())
    }

    /// The model, and the kinds of its findings.
    pub(super) fn reported(&self) -> (Model, Vec<FindingKind>) {
        let report = Report::new();
        let model = read(&self.glb(), &report).unwrap();
        let kinds = report.findings().iter().map(|finding| finding.kind).collect();
        (model, kinds)
    }

    /// The text of the error.
    pub(super) fn error(&self) -> String {
        self.read().unwrap_err().to_string()
    }
}

pub(super) fn container(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, chunk, pad) in [(b"JSON", json, b' '), (b"BIN\0", bin, 0)] {
        if chunk.is_empty() && kind == b"BIN\0" {
            continue;
        }
        let padded = chunk.len().next_multiple_of(4);
        bytes.extend(u32::try_from(padded).unwrap().to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
        bytes.extend(vec![pad; padded - chunk.len()]);
    }
    let length = u32::try_from(bytes.len()).unwrap();
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Reads the model; reading it in ranges must give the same result.
pub(super) fn read(bytes: &[u8], report: &Report) -> Result<Model, ReadError> {
    let read = |content: Content, report: &Report| {
        (GLTF.reader.read)(&Source::new("a.glb", content), &ReadOptions::default(), report)
    };
    let said = |content: Content| {
        let report = Report::new();
        report.open_spans();
        let read = read(content, &report).map_err(|error| error.to_string());
        format!("{read:?} {:?} {:?}", report.findings(), report.take_provenance())
    };
    assert_eq!(said(on_disk(bytes.to_vec()).0), said(bytes.to_vec().into()));
    read(bytes.to_vec().into(), report)
}

/// Three vertices in a triangle on a skin of two joints, with a clip.
pub(super) fn skinned() -> FileJson {
    let mut file = FileJson::new();
    let position = file.positions(3);
    let index = file.indices(&[0, 1, 2]);
    let joints = file.accessor("VEC4", U8, 3, &[0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1]);
    let weights = [0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0];
    let weight = file.floats("VEC4", &weights);
    let times = file.floats("SCALAR", &[1.0, 2.0]);
    let moves = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let mut file = file.with_mesh(json!([{
        "indices": index,
        "attributes": { "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weight },
    }]));
    file.json["nodes"] = json!([
        { "mesh": 0, "skin": 0 },
        { "children": [2], "name": "hip" },
        { "name": "knee", "translation": [0, 1, 0] },
    ]);
    file.json["skins"] = json!([{ "joints": [1, 2] }]);
    file.json["animations"] = json!([{
        "name": "lift",
        "channels": [{ "sampler": 0, "target": { "node": 2, "path": "translation" } }],
        "samplers": [{ "input": times, "output": moves }],
    }]);
    file
}
