//! Writes every sample as GLB: the observed losses are the predicted ones, the rest poses as
//! before, and the files follow the specification. The files stay in `tmp/glb` in the target
//! folder, where `make validate-glb` runs Khronos' validator on them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use glam::IVec3;

use rigscope_core::model::{Aabb, ClipId, MeshId, Model, PackedVertex, Report, VertexData};
use rigscope_core::pose::{PoseSpec, Sampling, posed_bounds, skin_model};
use rigscope_io::convert::{ConvertOptions, Converted, convert};
use rigscope_io::formats::loss_list::Loss;
use rigscope_io::formats::losses::Aspect;
use rigscope_io::formats::{OutputPlace, ReadOptions, Source, WriteOptions, by_id, open, write};
use serde_json::Value;

use crate::support::{off_at_keys, open_file, readable_samples, sample_files};

/// Maximum deviation of vertices at any key, relative to the size of its pose.
const POSED: f64 = 1e-5;
/// The same without clips.
const POSED_BETWEEN: f64 = 2e-4;

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("glb");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn aspects(losses: &[Loss]) -> Vec<Aspect> {
    losses.iter().map(|loss| loss.aspect).collect()
}

fn as_glb(model: &Model) -> Converted {
    let options = ConvertOptions {
        write: WriteOptions { stem: "x".into(), ..WriteOptions::default() },
        ..ConvertOptions::default()
    };
    let format = by_id("gltf").unwrap();
    convert(model, format, "glb", &options, &Report::new()).unwrap()
}

fn read(bytes: &[u8]) -> Model {
    let source = Source::new("x.glb", bytes.to_vec());
    let options = ReadOptions::default();
    open(&source, &options, &Report::new()).unwrap().model
}

/// Whether a reported loss changes how vertices move.
fn moves(loss: &Loss) -> bool {
    matches!(
        loss.aspect,
        Aspect::Shears
            | Aspect::BoneLocal
            | Aspect::DualQuaternions
            | Aspect::Curves
            | Aspect::VertexAnimations
    )
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_convert_to_glb_with_predicted_losses_and_the_same_poses() {
    let mut wrong = Vec::new();
    let mut num_written = 0;
    for path in readable_samples() {
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let made = as_glb(&model);
        let bytes = &made.files[0].1.bytes;
        num_written += 1;
        std::fs::write(folder().join(format!("{name}.glb")), bytes).unwrap();
        let (predicted, observed) = (aspects(&made.predicted), aspects(&made.observed));
        if predicted != observed {
            wrong.push(format!("{name}: predicted {predicted:?}, observed {observed:?}"));
        }
        let errors = made.errors.unwrap();
        // Between keys, one runtime holds the last key and the other interpolates, so compare at
        // keys.
        let (off, limit) = match off_at_keys(&model, &errors) {
            Some(off) => (off, POSED),
            None => (errors.of_extent().unwrap_or_default(), POSED_BETWEEN),
        };
        println!(
            "{name}: {off:.2e} of the extent, normals {:?}, uv {:?}, weights {:?}, {} unmatched, lost {observed:?}; notes {:?}",
            errors.normal_deg,
            errors.uv,
            errors.weight,
            errors.num_unmatched,
            made.findings
                .iter()
                .map(|n| (n.kind.code(), n.count, n.message.as_str()))
                .collect::<Vec<_>>(),
        );
        if off > limit && !made.predicted.iter().any(moves) {
            wrong.push(format!("{name}: {off} of the extent off at {:?}", errors.worst));
        }
        for problem in problems(bytes) {
            wrong.push(format!("{name}: {problem}"));
        }
        // Once meshes are in node order, writing the file again doesn't change it.
        let second = as_glb(&read(bytes)).files.remove(0).1.bytes;
        let third = as_glb(&read(&second)).files.remove(0).1.bytes;
        if second != third {
            wrong.push(format!("{name}: written again, the file differs"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(num_written > 40);
}

#[test]
fn gltf_with_a_bin_file_reads_like_the_glb() {
    let model = read(rigscope_assets::SAMPLE);
    let format = by_id("gltf").unwrap();
    let options = WriteOptions {
        stem: "my model".into(),
        part: Some("gltf".into()),
        ..WriteOptions::default()
    };
    let files = write(&model, format, &options, &Report::new()).unwrap();
    assert_eq!(files.len(), 2);
    assert!(files[0].bytes.starts_with(b"{") && files[1].is_related_file);
    let OutputPlace::Named(name) = files[1].place.clone() else { panic!("{:?}", files[1].place) };
    assert!(name.starts_with("my model.") && name.ends_with(".bin"));
    let beside = rigscope_io::formats::RelatedFile::new(name, files[1].bytes.clone());
    let source =
        Source::new("my model.gltf", files[0].bytes.clone()).with_related_files(vec![beside]);
    let text = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
    let binary = read(&as_glb(&model).files[0].1.bytes);
    assert_eq!(text.model.num_vertices(), model.num_vertices());
    assert_eq!(text.model.clips, binary.clips);
    assert_eq!(text.model.skeleton, binary.skeleton);
}

/// JSON and buffer of a GLB file. Also checks its header and chunks.
fn parts(bytes: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
    let json_end = 20 + word(12);
    assert_eq!((&bytes[16..20], json_end % 4), (&b"JSON"[..], 0));
    let json = serde_json::from_slice(&bytes[20..json_end]).unwrap();
    if json_end == bytes.len() {
        return (json, &[]);
    }
    let bin = &bytes[json_end + 8..];
    assert_eq!(&bytes[json_end + 4..json_end + 8], b"BIN\0");
    assert_eq!((word(json_end), bin.len() % 4), (bin.len(), 0));
    (json, bin)
}

fn number(value: &Value, key: &str) -> usize {
    value[key].as_u64().map_or(0, |number| usize::try_from(number).unwrap())
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// The rows of an accessor that has a buffer view and isn't sparse.
fn rows(json: &Value, bin: &[u8], accessor: usize) -> Vec<Vec<f64>> {
    let accessor = &json["accessors"][accessor];
    let view = &json["bufferViews"][number(accessor, "bufferView")];
    let start = number(view, "byteOffset") + number(accessor, "byteOffset");
    let width = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        _ => 16,
    };
    let size = match number(accessor, "componentType") {
        5121 => 1,
        5123 => 2,
        _ => 4,
    };
    let component = |at: usize| {
        let bytes = &bin[start + at * size..][..size];
        match (number(accessor, "componentType"), bytes) {
            (5126, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (_, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
            (_, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
            (_, bytes) => f64::from(bytes[0]),
        }
    };
    let row = |at: usize| (0..width).map(|c| component(at * width + c)).collect();
    (0..number(accessor, "count")).map(row).collect()
}

fn length(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Up to eight violations of the specification.
fn problems(bytes: &[u8]) -> Vec<String> {
    let (json, bin) = parts(bytes);
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, what: String| {
        if !is_right && wrong.len() < 8 {
            wrong.push(what);
        }
    };
    for (at, view) in list(&json, "bufferViews").iter().enumerate() {
        let (offset, length) = (number(view, "byteOffset"), number(view, "byteLength"));
        let fits = length > 0 && offset + length <= number(&json["buffers"][0], "byteLength");
        check(fits && offset.is_multiple_of(4), format!("view {at}"));
    }
    for (at, accessor) in list(&json, "accessors").iter().enumerate() {
        let offset = number(accessor, "byteOffset");
        check(number(accessor, "count") > 0 && offset.is_multiple_of(4), format!("accessor {at}"));
        let (Some(min), Some(max)) = (accessor["min"].as_array(), accessor["max"].as_array())
        else {
            continue;
        };
        if accessor.get("sparse").is_some() || accessor.get("bufferView").is_none() {
            continue;
        }
        let all = rows(&json, bin, at);
        for (c, (min, max)) in min.iter().zip(max).enumerate() {
            let of = || all.iter().map(|row| row[c]);
            let found =
                (of().fold(f64::INFINITY, f64::min), of().fold(f64::NEG_INFINITY, f64::max));
            #[expect(clippy::cast_possible_truncation, reason = "the numbers were single")]
            let single = |bound: &Value| bound.as_f64().map(|bound| f64::from(bound as f32));
            check(
                (single(min), single(max)) == (Some(found.0), Some(found.1)),
                format!("bounds of accessor {at}: {min} {max} for {found:?}"),
            );
        }
    }
    for primitive in list(&json, "meshes").iter().flat_map(|mesh| list(mesh, "primitives")) {
        let attributes = primitive["attributes"].as_object().unwrap();
        let of = |name: &str| {
            let accessor = attributes.get(name)?.as_u64()?;
            Some(rows(&json, bin, usize::try_from(accessor).unwrap()))
        };
        let positions =
            number(&json["accessors"][number(&primitive["attributes"], "POSITION")], "count");
        for normal in of("NORMAL").unwrap_or_default() {
            check((length(&normal) - 1.0).abs() < 1e-5, format!("normal {normal:?}"));
        }
        for tangent in of("TANGENT").unwrap_or_default() {
            let is_right = (length(&tangent[..3]) - 1.0).abs() < 1e-5 && tangent[3].abs() == 1.0;
            check(is_right, format!("tangent {tangent:?}"));
        }
        let mut sums = vec![0.0; positions];
        let mut set = 0;
        while let (Some(joints), Some(weights)) =
            (of(&format!("JOINTS_{set}")), of(&format!("WEIGHTS_{set}")))
        {
            for ((sum, joints), weights) in sums.iter_mut().zip(&joints).zip(&weights) {
                *sum += weights.iter().sum::<f64>();
                let is_right = joints.iter().zip(weights).all(|(j, w)| *w > 0.0 || *j == 0.0);
                check(is_right, format!("unused joints {joints:?} {weights:?}"));
            }
            set += 1;
        }
        for sum in sums.into_iter().filter(|_| set > 0) {
            check((sum - 1.0).abs() < 1e-6, format!("weights sum to {sum}"));
        }
        if let Some(indices) = primitive.get("indices").and_then(Value::as_u64) {
            let indices = usize::try_from(indices).unwrap();
            let largest = match number(&json["accessors"][indices], "componentType") {
                5123 => 65_535.0,
                _ => f64::from(u32::MAX),
            };
            for row in rows(&json, bin, indices) {
                let is_right = row[0] < largest && row[0] < positions as f64;
                check(is_right, format!("index {}", row[0]));
            }
        }
    }
    for animation in list(&json, "animations") {
        for channel in list(animation, "channels") {
            let sampler = &animation["samplers"][number(channel, "sampler")];
            let times = rows(&json, bin, number(sampler, "input")).concat();
            let is_right = times[0] >= 0.0 && times.is_sorted_by(|a, b| a < b);
            check(is_right, format!("times {times:?}"));
            let values = rows(&json, bin, number(sampler, "output"));
            let is_cubic = sampler["interpolation"] == "CUBICSPLINE";
            if channel["target"]["path"] == "rotation" {
                for (at, value) in
                    values.iter().enumerate().filter(|(at, _)| !is_cubic || at % 3 == 1)
                {
                    check((length(value) - 1.0).abs() < 1e-3, format!("rotation {at} {value:?}"));
                }
            }
            let node = &json["nodes"][number(&channel["target"], "node")];
            check(node.get("matrix").is_none(), "a moved node has a matrix".to_owned());
        }
    }
    wrong
}

/// Quantisation steps of a packed normal's component, a texture coordinate and a weight.
const STEPS: [f32; 3] = [1.0 / 511.0, 1.0 / 65_535.0, 1.0 / 255.0];

fn packed(model: &Model) -> Vec<PackedVertex> {
    match &model.meshes[MeshId(0)].vertices {
        VertexData::Packed(packed) => packed.iter().collect(),
        VertexData::Streams(_) => panic!("not packed"),
    }
}

fn raw_extent(vertices: &[PackedVertex]) -> f32 {
    Aabb::from_points(vertices.iter().map(|v| v.position)).extent()
}

/// Whether two vertices are equal within one quantisation step of each attribute.
fn is_same(a: &PackedVertex, b: &PackedVertex, extent: f32) -> bool {
    let (normal, other) = (a.normal_decoded(), b.normal_decoded());
    let is_rotated = (normal.normalize_or_zero() - other).abs().max_element() > STEPS[0];
    let sorted = |v: &PackedVertex| {
        let mut weights: Vec<f32> = v.influences().map(|(_, weight)| weight).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        weights.resize(4, 0.0);
        weights
    };
    let mut weights = sorted(a).into_iter().zip(sorted(b));
    a.position.distance(b.position) <= 1e-6 * extent
        && (normal.length() <= 0.9 || !is_rotated)
        && (a.uv_decoded() - b.uv_decoded()).abs().max_element() <= STEPS[1] * 1.01
        && weights.all(|(a, b)| (a - b).abs() <= STEPS[2] * 1.01)
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn bsm2_round_trips_through_glb_within_one_quantization_step() {
    for path in sample_files("bsm2", "bsm2") {
        let source = open_file(&path, &[], &Report::new()).unwrap();
        let made = as_glb(&source);
        let model = read(&made.files[0].1.bytes);
        let options = WriteOptions::default();
        let format = by_id("bsm2").unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let files = match write(&model, format, &options, &Report::new()) {
            Ok(files) => files,
            Err(error) => panic!("{name}: {error}"),
        };
        let file = Source::new("x.bsm2", files[0].bytes.clone());
        let back = open(&file, &ReadOptions::default(), &Report::new()).unwrap().model;
        let (before, after) = (packed(&source), packed(&back));
        // Packing welds vertices and sorts triangles by material, so any vertex within a quantum
        // matches.
        let extent = raw_extent(&before);
        let cell = |v: &PackedVertex| (v.position / (1e-4 * extent)).round().as_ivec3();
        let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
        for (number, vertex) in after.iter().enumerate() {
            cells.entry(cell(vertex)).or_default().push(number);
        }
        let same_as = |vertex: &PackedVertex| -> Vec<usize> {
            let near = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
            let near = near.flat_map(|(x, y)| (-1..=1).map(move |z| IVec3::new(x, y, z)));
            let here = cell(vertex);
            let near = near.filter_map(|offset| cells.get(&(here + offset))).flatten();
            near.copied().filter(|&other| is_same(vertex, &after[other], extent)).collect()
        };
        let mut candidates: Vec<Vec<usize>> = before.iter().map(same_as).collect();
        assert!(candidates.iter().all(|list| !list.is_empty()), "{name}");
        let is_pair = source.clips.iter().any(|c| c.as_sampled().is_some_and(|m| m.is_bind_pair));
        if is_pair || made.predicted.iter().any(|loss| loss.aspect == Aspect::Shears) {
            continue;
        }
        let extent = posed_bounds(&source, &PoseSpec::default()).extent();
        for (clip, motion) in source.clips.iter().enumerate() {
            let num_keys = motion.as_sampled().unwrap().keys.num_keys();
            for key in (0..num_keys).step_by(num_keys.div_ceil(6)) {
                let spec = PoseSpec {
                    sampling: Sampling::Step,
                    ..PoseSpec::at_key(ClipId::from_index(clip), u32::try_from(key).unwrap())
                };
                let (a, b) = (skin_model(&source, &spec), skin_model(&back, &spec));
                for (at, list) in a[0].positions.iter().zip(&mut candidates) {
                    // Of several vertices at one position, keep those with the same motion.
                    list.retain(|&other| at.distance(b[0].positions[other]) <= 1e-5 * extent);
                }
            }
        }
        let num_lost = candidates.iter().filter(|list| list.is_empty()).count();
        assert_eq!(num_lost, 0, "{name}: vertices that move otherwise");
    }
}
