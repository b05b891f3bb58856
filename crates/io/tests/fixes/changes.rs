//! Changes of the bytes and of the model of a file, by which breakages are made.

use rigscope_core::model::{
    BoneId, BoneTrack, ClipId, Element, Indices, Interpolation, MeshId, Model, Motion, Track,
};
use rigscope_testing::tracks_mut;
use serde_json::Value;

use crate::glb::{json as json_of, model_of, with_numbers};

pub(crate) fn map(bytes: &mut Vec<u8>, field: &str, change: impl Fn(&mut [f64], u64)) {
    *bytes = with_numbers(std::mem::take(bytes), field, change);
}

/// Changes record 7 of a field.
pub(crate) fn one(bytes: &mut Vec<u8>, field: &str, change: impl Fn(&mut [f64])) {
    map(bytes, field, |numbers, record| {
        if record == 7 {
            change(numbers);
        }
    });
}

/// Replaces the influences of vertex 7.
pub(crate) fn influences(bytes: &mut Vec<u8>, joints: [f64; 4], weights: [f64; 4]) {
    one(bytes, "JOINTS_0", |own| own.copy_from_slice(&joints));
    one(bytes, "WEIGHTS_0", |own| own.copy_from_slice(&weights));
}

/// The node of the first channel that animates rotations.
pub(crate) fn rotated_node(json: &Value) -> u64 {
    let channels = json["animations"][0]["channels"].as_array().unwrap();
    let rotation = channels.iter().find(|channel| channel["target"]["path"] == "rotation").unwrap();
    rotation["target"]["node"].as_u64().unwrap()
}

/// Changes the keys of the first rotation curve.
pub(crate) fn first_rotation(bytes: &mut [u8], change: impl Fn(&mut [f64], u64)) {
    let json = json_of(bytes);
    let node = rotated_node(&json);
    let model = model_of("glb", bytes);
    let bone = u32::try_from(node).unwrap();
    let span = model.provenance.spans.iter().find(|span| {
        span.element == (Element::BoneKey { clip: 0, bone }) && span.fields[0].name == "rotation"
    });
    let offset = span.unwrap().offset;
    let mut changed = bytes.to_vec();
    map(&mut changed, "rotation", change);
    let range = span.unwrap().range();
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
    assert_eq!(offset, range.start);
    bytes[start..end].copy_from_slice(&changed[start..end]);
}

pub(crate) fn nodes(json: &mut Value) -> &mut Vec<Value> {
    json["nodes"].as_array_mut().unwrap()
}

/// The node of the skinned mesh.
pub(crate) fn skinned(json: &mut Value) -> &mut Value {
    nodes(json).iter_mut().find(|node| node.get("skin").is_some()).unwrap()
}

pub(crate) fn position_accessor(json: &Value) -> usize {
    let index = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
    usize::try_from(index).unwrap()
}

/// Changes the rig before it is written.
pub(crate) fn rewrite(bytes: &mut Vec<u8>, extension: &str, change: impl Fn(&mut Model)) {
    let mut model = model_of(extension, bytes);
    change(&mut model);
    *bytes = crate::file_of(&model, extension);
}

/// Repeats, removes or reorders triangles.
pub(crate) fn indices(model: &mut Model, change: impl Fn(&mut Vec<u32>)) {
    let mesh = &mut model.meshes[MeshId(0)];
    let mut list: Vec<u32> = mesh.indices.iter().collect();
    change(&mut list);
    mesh.subsets.truncate(1);
    mesh.subsets[0].first_index = 0;
    mesh.subsets[0].index_count = u32::try_from(list.len()).unwrap();
    mesh.indices = Indices::U32(list);
}

pub(crate) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Sets the time of a key, given the times of the two keys after it.
pub(crate) fn set_time(bytes: &mut Vec<u8>, key: u64, time: impl Fn(f64, f64) -> f64) {
    let model = model_of("glb", bytes);
    let Motion::Tracks(tracks) = &model.clips[ClipId(0)].motion else { panic!("no tracks") };
    let times = tracks[0].times().next().unwrap();
    let at = usize::try_from(key).unwrap();
    let time = time(times[at + 1], times[at + 2]);
    map(bytes, "time", |numbers, record| {
        if record == key {
            numbers[0] = time;
        }
    });
}

/// Lets the rotation of a bone begin half-way, `turn` radians away from its rest pose.
pub(crate) fn begin_late(bytes: &mut Vec<u8>, turn: f32) {
    rewrite(bytes, "glb", |model| {
        let rest = model.skeleton.bones()[BoneId(5)].rest_local.to_trs().rotation;
        let clip = &mut model.clips[ClipId(0)];
        let (start, end) = (clip.start_secs, clip.start_secs + clip.duration_secs);
        let of_bone = |track: &&mut BoneTrack| track.bone == BoneId(5);
        let track = tracks_mut(clip).iter_mut().find(of_bone).unwrap();
        let turned = |angle: f32| rest * glam::Quat::from_rotation_z(angle);
        track.rotation = Some(Track {
            times_secs: vec![f64::midpoint(start, end), end],
            values: vec![turned(turn), turned(turn + 0.2)],
            interpolation: Interpolation::Linear,
        });
    });
}

/// Replaces the influences of a vertex.
pub(crate) fn set_row(model: &mut Model, vertex: usize, row: &[(u32, f32)]) {
    let skin = model.meshes[MeshId(0)].inverse_bind_mut().unwrap();
    skin.influences.map_rows(|at, own| {
        if at == vertex {
            *own = row.to_vec();
        }
    });
}

/// Swaps two corners of some triangles.
pub(crate) fn swap_corners(bytes: &mut Vec<u8>, is_chosen: impl Fn(u64) -> bool) {
    let model = model_of("glb", bytes);
    let list: Vec<u32> = model.meshes[MeshId(0)].indices.iter().collect();
    map(bytes, "vertex", |index, record| {
        if is_chosen(record / 3) {
            let other = match record % 3 {
                1 => record + 1,
                2 => record - 1,
                _ => record,
            };
            index[0] = f64::from(list[usize::try_from(other).unwrap()]);
        }
    });
}
