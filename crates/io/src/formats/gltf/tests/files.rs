//! The container, buffers in separate places, versions and extensions.

use rigscope_core::model::numbers::grouped;
use rigscope_core::model::{BoneId, ImageId, MeshId};
use std::sync::Arc;

use base64::Engine as _;
use serde_json::json;

use super::*;
use crate::formats::{Confidence, Folder, ProbeInput, RelatedFile};

fn triangle() -> FileJson {
    let mut file = FileJson::new();
    let position = file.positions(3);
    file.with_mesh(json!([{ "attributes": { "POSITION": position } }]))
}

/// The file as text, with its buffer at `uri`.
fn text(file: &FileJson, uri: &str) -> Vec<u8> {
    let mut json = file.json.clone();
    json["buffers"] = json!([{ "byteLength": file.bin.len(), "uri": uri }]);
    serde_json::to_vec_pretty(&json).unwrap()
}

#[test]
fn only_the_requested_parts_of_a_file_on_disk_are_read() {
    let mut file = skinned();
    let texture = file.view(&[7; 100_000]);
    file.push("images", json!({ "bufferView": texture, "mimeType": "image/png" }));
    file.view(&[9; 1_000_000]);
    let bytes = file.glb();
    let (content, num_read) = on_disk(bytes.clone());
    let source = Source::new("a.glb", content);
    let model =
        crate::formats::open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    assert_eq!(*model.images[ImageId(0)].bytes, [7; 100_000]);
    let num_read = *num_read.lock().unwrap();
    assert!((100_000..110_000).contains(&num_read), "{num_read} of {}", bytes.len());
}

#[test]
fn buffers_may_be_data_uris_or_separate_files() {
    let file = triangle();
    let encoded = base64::engine::general_purpose::STANDARD.encode(&file.bin);
    for head in ["data:application/octet-stream;base64", "data:;base64"] {
        let mut bytes = b"\xef\xbb\xbf \n".to_vec();
        bytes.extend(text(&file, &format!("{head},{encoded}")));
        assert_eq!(read(&bytes, &Report::new()).unwrap().num_vertices(), 3);
    }
    let bytes = text(&file, "my%20mesh.bin");
    let beside = RelatedFile::new("My mesh.bin", file.bin.clone());
    let source = Source::new("a.gltf", bytes.clone()).with_related_files(vec![beside]);
    let model = (GLTF.reader.read)(&source, &ReadOptions::default(), &Report::new());
    assert_eq!(model.unwrap().num_vertices(), 3);
    assert!(source.is_used("My mesh.bin"));
    let report = Report::new();
    let error = read(&bytes, &report).unwrap_err();
    assert_eq!(
        error.to_string(),
        "buffer 0 is in \"my mesh.bin\", which was not found; add it as a related file (--with) (glTF buffers)"
    );
    assert_eq!(report.findings()[0].kind, FindingKind::MissingRelatedFile);
    let error = read(&text(&file, "data:;base64,!"), &report).unwrap_err();
    assert!(error.to_string().contains("isn't valid base64"), "{error}");
    let error = read(&text(&file, &format!("data:;base64,{}", &encoded[..8])), &report);
    assert!(error.unwrap_err().to_string().contains("has 6 of 36 bytes"));
}

#[test]
fn bytes_of_separate_and_decoded_buffers_are_known() {
    let file = triangle();
    let encoded = base64::engine::general_purpose::STANDARD.encode(&file.bin);
    let decoded = format!("data:;base64,{encoded}");
    for (uri, name) in [("mesh.bin", "mesh.bin"), (&*decoded, "buffer 0 (decoded)")] {
        let beside = RelatedFile::new("mesh.bin", file.bin.clone());
        let source = Source::new("a.gltf", text(&file, uri)).with_related_files(vec![beside]);
        let options = ReadOptions { related_bytes: true, ..ReadOptions::default() };
        let model = (GLTF.reader.read)(&source, &options, &Report::new()).unwrap();
        let [related] = &model.related_bytes[..] else { panic!("{:?}", model.related_bytes) };
        assert_eq!(related.name, name);
        let place = Place::Vertex { mesh: 0, vertex: 1 };
        let ranges = related.provenance.of_place(place);
        let [range] = &ranges[..] else { panic!("{ranges:?}") };
        // Those of a file are read again by its name.
        assert_eq!(related.bytes.is_some(), name != "mesh.bin");
        let bytes = &file.bin;
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
        let stored = &bytes[start..end];
        let position = model.meshes[MeshId(0)].position(1).unwrap();
        assert_eq!(stored, position.to_array().map(f32::to_le_bytes).concat());
        // They aren't bytes of the JSON.
        assert_eq!(model.provenance.of_place(place), []);
        // Only the window keeps decoded bytes.
        let model = (GLTF.reader.read)(&source, &ReadOptions::default(), &Report::new()).unwrap();
        assert!(model.related_bytes[0].bytes.is_none());
    }
}

/// A file of arbitrary size that consists of zeros, except `inner` at `first`; only ranges of it
/// can be read.
struct Huge {
    paths: Vec<String>,
    first: u64,
    inner: Vec<u8>,
}

const HUGE_BYTES: u64 = 5 << 30;

impl Folder for Huge {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Err(std::io::Error::other("the file is larger than the limit of 4294967296 bytes"))
    }

    fn read_range(
        &self,
        path: &str,
        range: std::ops::Range<u64>,
    ) -> std::io::Result<(Vec<u8>, u64)> {
        if range.end - range.start > 1 << 20 {
            return self.read(path).map(|all| (all, HUGE_BYTES));
        }
        let byte = |at: u64| {
            let inside = at.checked_sub(self.first).and_then(|at| usize::try_from(at).ok());
            inside.and_then(|at| self.inner.get(at)).copied().unwrap_or(0)
        };
        Ok((range.map(byte).collect(), HUGE_BYTES))
    }
}

#[test]
fn only_the_used_ranges_of_a_huge_file_are_read() {
    let file = triangle();
    let first = 4u64 << 30;
    let opened = |offset: u64, byte_length: u64| {
        let mut json = file.json.clone();
        json["buffers"] = json!([
            { "byteLength": byte_length, "uri": "huge.bin" },
            { "byteLength": 7, "uri": "./huge.bin" },
        ]);
        for view in json["bufferViews"].as_array_mut().unwrap() {
            view["byteOffset"] = json!(view["byteOffset"].as_u64().unwrap_or(0) + offset);
        }
        let folder: Arc<dyn Folder> =
            Arc::new(Huge { paths: vec!["huge.bin".to_owned()], first, inner: file.bin.clone() });
        let bytes = serde_json::to_vec(&json).unwrap();
        let source = Source::new("a.gltf", bytes).with_folders(vec![folder]);
        (GLTF.reader.read)(&source, &ReadOptions::default(), &Report::new())
    };
    let model = opened(first, HUGE_BYTES).unwrap();
    // Offsets are those of the file, not of the part that was read.
    let ranges = model.related_bytes[0].provenance.of_place(Place::Vertex { mesh: 0, vertex: 1 });
    assert_eq!(ranges, vec![first + 12..first + 24]);
    let bare = read(&text(&file, "data:;base64,"), &Report::new());
    assert!(bare.is_err(), "the positions are not in the text");
    let whole = read(&file.glb(), &Report::new()).unwrap();
    for vertex in 0..3 {
        assert_eq!(
            model.meshes[MeshId(0)].position(vertex),
            whole.meshes[MeshId(0)].position(vertex)
        );
    }
    let error = opened(first, HUGE_BYTES + 1).unwrap_err().to_string();
    assert!(error.contains("has 5368709120 of 5368709121 bytes"), "{error}");
    let error = opened(first, first + 8).unwrap_err().to_string();
    assert!(error.contains("exceed the 4294967304 bytes of buffer 0"), "{error}");
}

#[test]
fn a_buffer_that_is_too_large_is_not_reported_as_missing() {
    let file = triangle();
    let mut json = file.json.clone();
    json["buffers"] = json!([{ "byteLength": HUGE_BYTES, "uri": "huge.bin" }]);
    json["bufferViews"][0]["byteLength"] = json!(HUGE_BYTES);
    let folder: Arc<dyn Folder> =
        Arc::new(Huge { paths: vec!["huge.bin".to_owned()], first: 0, inner: Vec::new() });
    let bytes = serde_json::to_vec(&json).unwrap();
    let source = Source::new("a.gltf", bytes).with_folders(vec![folder]);
    let error = (GLTF.reader.read)(&source, &ReadOptions::default(), &Report::new());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("can't be read: the file is larger than"), "{error}");
}

#[test]
fn container_lengths_are_checked() {
    let bytes = triangle().glb();
    let with = |at: usize, value: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        read(&bytes, &Report::new()).unwrap_err().to_string()
    };
    let num = u32::try_from(bytes.len()).unwrap();
    assert!(with(4, 1).contains("glTF 1.0 files can't be read, only 2.0"));
    assert!(with(4, 3).contains("container version 3 is not supported, only 2"));
    for length in [0, 11] {
        assert!(with(8, length).contains(&format!("the stated length is {length}")));
    }
    for length in [num + 1, u32::MAX] {
        let message = format!("{} of {} bytes", grouped(num.into()), grouped(length.into()));
        assert!(with(8, length).contains(&message));
    }
    for length in [num, u32::MAX] {
        assert!(with(12, length).contains(&format!("chunk length {length} exceeds")));
    }
    assert!(with(16, 0x004e_4942).contains("chunk 0 is not json"));
    assert!(with(8, 16).contains("there is no json chunk"));
}

#[test]
fn unknown_chunks_are_skipped_and_trailing_bytes_reported() {
    let mut bytes = triangle().glb();
    bytes.extend(4u32.to_le_bytes());
    bytes.extend(b"MINEabcd");
    let length = u32::try_from(bytes.len()).unwrap();
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    let report = Report::new();
    assert!(read(&bytes, &report).is_ok() && report.findings().is_empty());
    bytes.extend([0; 5]);
    assert!(read(&bytes, &report).is_ok());
    assert_eq!(report.findings()[0].kind, FindingKind::TrailingBytes);
}

#[test]
fn other_versions_are_unsupported() {
    for (version, min_version) in [("1.0", None), ("3.0", None), ("2.0", Some("2.1"))] {
        let mut file = triangle();
        file.json["asset"] = json!({ "version": version, "minVersion": min_version });
        assert!(matches!(file.read(), Err(ReadError::Unsupported(_))));
    }
    let mut file = triangle();
    file.json["asset"] = json!({ "version": "2.1", "minVersion": "2.0", "generator": "me" });
    file.json["extensionsUsed"] = json!(["A_b", "C_d"]);
    let text = |text: &str| Detail::Text(text.to_owned());
    let expected =
        [("version", text("2.1")), ("generator", text("me")), ("extensions", text("A_b, C_d"))];
    assert_eq!(file.read().unwrap().details, expected);
}

#[test]
fn a_gltf_1_file_is_rejected_by_version() {
    let old = json!({
        "asset": { "version": "1.0" },
        "nodes": { "root": { "meshes": ["box"] } },
        "meshes": { "box": { "primitives": [] } },
        "accessors": {}, "scenes": { "all": { "nodes": ["root"] } }, "scene": "all",
    });
    let mut nameless = old.clone();
    nameless["asset"] = json!({ "generator": "COLLADA2GLTF" });
    let mut number = old.clone();
    number["asset"]["version"] = json!(1.0);
    for json in [old, nameless, number] {
        let source = Source::new("old.gltf", json.to_string().into_bytes());
        let error = crate::formats::open(&source, &ReadOptions::default(), &Report::new());
        let error = error.err().unwrap();
        assert!(matches!(error, ReadError::Unsupported(_)), "{error}");
        let wanted = "glTF 1.0 files can't be read, only 2.0; convert them: npx gltf-pipeline -i";
        assert!(error.to_string().starts_with(wanted), "{error}");
    }
    let binary = [b"glTF".as_slice(), &[1, 0, 0, 0], &[20, 0, 0, 0], &[0; 8]].concat();
    let error =
        (GLTF.reader.read)(&Source::new("a.glb", binary), &ReadOptions::default(), &Report::new());
    let error = error.err().unwrap().to_string();
    assert!(error.starts_with("glTF 1.0 files can't be read"), "{error}");
}

#[test]
fn a_scene_without_nodes_opens() {
    for scene in [json!({ "name": "empty" }), json!({ "nodes": null }), json!({ "nodes": [] })] {
        let mut file = triangle();
        file.json["scenes"] = json!([scene]);
        file.json["scene"] = json!(0);
        assert_eq!(file.read().unwrap().meshes.len(), 1);
    }
}

#[test]
fn required_extensions_are_read_ignored_or_rejected_by_name() {
    let with = |name: &str| {
        let mut file = triangle();
        file.json["extensionsRequired"] = json!([name]);
        file
    };
    for name in ["KHR_mesh_quantization", "KHR_meshopt_compression", "KHR_texture_transform"] {
        assert_eq!(with(name).reported().1, []);
    }
    for name in ["KHR_materials_clearcoat", "KHR_texture_basisu"] {
        assert_eq!(with(name).reported().1, [], "parts that can't be shown have separate findings");
    }
    for name in ["KHR_materials_iridescence", "KHR_lights_punctual"] {
        assert_eq!(with(name).reported().1, [FindingKind::ExtensionIgnored]);
    }
    for name in ["VRMC_node_constraint", "MY_own"] {
        let error = with(name).read().unwrap_err();
        assert!(matches!(error, ReadError::Unsupported(_)));
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn probe_distinguishes_gltf_from_other_json() {
    let probe = |text: &str| (GLTF.probe)(&ProbeInput::of(text.as_bytes()));
    let claimed = r#"{ "asset" : { "generator": "x", "version" : "2.0" } }"#;
    assert_eq!(probe(claimed), Confidence::Strong);
    assert_eq!(probe("glTF"), Confidence::Strong);
    // Includes old versions, so that they are rejected by version rather than as unknown.
    assert_eq!(probe(r#"{"asset":{"version":"1.0"}}"#), Confidence::Strong);
    assert_eq!(probe(r#"{"asset":{"version":"9"}}"#), Confidence::No);
    assert_eq!(probe(r#"{"version":"2.0"}"#), Confidence::No);
    assert_eq!(probe(r#"["asset","version":"2.0"]"#), Confidence::No);
    assert_eq!(probe(r#"{"nodes":[],"meshes":[],"accessors":[]"#), Confidence::Weak(80));
    assert_eq!(probe(""), Confidence::No);
}

#[test]
fn text_that_is_not_utf_8_or_ends_in_zeros_is_read() {
    let mut file = triangle();
    file.json["nodes"][0]["name"] = json!("caf?");
    let mut json = file.json.clone();
    json["buffers"] = json!([{ "byteLength": file.bin.len() }]);
    let mut text = serde_json::to_vec(&json).unwrap();
    let at = text.iter().position(|&b| b == b'?').unwrap();
    text[at] = 0xe9;
    text.extend([0; 9]);
    let report = Report::new();
    let model = read(&container(&text, &file.bin), &report).unwrap();
    assert_eq!(model.skeleton.bones()[BoneId(0)].name, "caf\u{fffd}");
    assert_eq!(report.findings()[0].kind, FindingKind::NameNotUtf8);
    assert!(read(&container(b"", b""), &Report::new()).is_err());
    assert!(read(b"{", &Report::new()).is_err());
    let deep = "[".repeat(100_000);
    let error = read(format!("{{\"extras\":{deep}").as_bytes(), &Report::new()).unwrap_err();
    assert!(error.to_string().contains("recursion limit"), "{error}");
}

#[test]
fn json_in_utf_16_is_recognized_and_read_with_the_same_errors() {
    let text = "{\r\"asset\": {\"version\": \"2.0\"},\r\"scenes\": [{\"nodes\": []}]\r}";
    let wide = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    let bytes = wide(text);
    assert_eq!((GLTF.probe)(&ProbeInput::of(&bytes)), Confidence::Strong);
    assert!(read(&bytes, &Report::new()).is_ok());
    let broken = text.replace("\"scenes\"", "scenes");
    for bytes in [broken.clone().into_bytes(), wide(&broken)] {
        let error = read(&bytes, &Report::new()).unwrap_err().to_string();
        assert!(error.contains("(glTF json at line 3, column 1)"), "{error}");
    }
}

#[test]
fn reading_can_be_cancelled() {
    let cancel = rigscope_core::model::CancelToken::default();
    let report = Report::with_progress(|_| {}, cancel.clone());
    cancel.cancel();
    assert!(matches!(read(&triangle().glb(), &report), Err(ReadError::Cancelled)));
}
