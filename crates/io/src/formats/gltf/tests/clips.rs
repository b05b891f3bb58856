//! Animations: interpolation, merging, weights, and channels that are left out.

use glam::{Quat, Vec3};
use rigscope_core::model::{BoneId, ClipId};
use serde_json::json;

use super::*;
use crate::OpenOptions;
use rigscope_core::pose::{PoseSpec, sample};
use rigscope_core::validate::validate;

/// Position of the knee.
fn knee(model: &Model, time_secs: f64) -> Vec3 {
    let spec = PoseSpec::linear(ClipId(0), time_secs);
    sample(model, &spec).model_from_bone[BoneId(2)].translation.into()
}

#[test]
fn a_clip_spans_its_first_to_last_key() {
    let model = skinned().read().unwrap();
    let clip = &model.clips[ClipId(0)];
    assert_eq!((&*clip.name, clip.start_secs, clip.duration_secs), ("lift", 1.0, 1.0));
    assert_eq!(tracks(clip)[0].bone, BoneId(2));
    assert_eq!(knee(&model, 1.25), Vec3::new(0.0, 0.5, 0.0));
    assert_eq!(knee(&model, 9.0), Vec3::new(0.0, 2.0, 0.0));
}

#[test]
fn step_and_cubic_interpolation_are_evaluated() {
    let mut file = skinned();
    file.json["animations"][0]["samplers"][0]["interpolation"] = json!("STEP");
    let model = file.read().unwrap();
    assert_eq!(knee(&model, 1.99), Vec3::ZERO);
    assert_eq!(knee(&model, 2.0), Vec3::Y * 2.0);

    // In-tangent, value, out-tangent of two keys a second apart.
    let mut values = [0.0f32; 18];
    (values[7], values[10], values[13]) = (4.0, -4.0, 2.0);
    let output = file.floats("VEC3", &values);
    let sampler = &mut file.json["animations"][0]["samplers"][0];
    sampler["interpolation"] = json!("CUBICSPLINE");
    sampler["output"] = json!(output);
    let model = file.read().unwrap();
    let track = tracks(&model.clips[ClipId(0)])[0].translation.as_ref().unwrap();
    assert_eq!((track.interpolation, track.values.len()), (Interpolation::Cubic, 6));
    assert_eq!(track.values[2], Vec3::Y * 4.0);
    // At the middle: (p0 + p1) / 2 + (m0 - m1) / 8.
    assert_eq!(knee(&model, 1.5), Vec3::new(0.0, 1.0 + (4.0 + 4.0) / 8.0, 0.0));
    let sampler = &mut file.json["animations"][0]["samplers"][0];
    sampler["interpolation"] = json!("WAVY");
    assert_eq!(file.reported().1, [FindingKind::ChannelLeftOut, FindingKind::ClipWithoutKeys]);
}

#[test]
fn channels_of_one_node_become_one_track_and_rotations_may_be_integers() {
    let mut file = skinned();
    let half = [0u8, 0, 0, 0, 0, 0, 0xff, 0x7f];
    let output = file.accessor("VEC4", I16, 2, &[half, half].concat());
    let animation = &mut file.json["animations"][0];
    let input = animation["samplers"][0]["input"].clone();
    let channels = animation["channels"].as_array_mut().unwrap();
    channels.push(json!({ "sampler": 1, "target": { "node": 2, "path": "rotation" } }));
    channels.push(json!({ "sampler": 0, "target": { "node": 2, "path": "scale" } }));
    let samplers = animation["samplers"].as_array_mut().unwrap();
    samplers.push(json!({ "input": input, "output": output }));
    let model = file.read().unwrap();
    let [track] = tracks(&model.clips[ClipId(0)]) else { panic!("tracks") };
    assert!(track.translation.is_some() && track.scale.is_some());
    assert_eq!(track.rotation.as_ref().unwrap().values, [Quat::IDENTITY; 2]);
}

fn morphing() -> FileJson {
    let mut file = FileJson::new();
    let position = file.positions(3);
    let times = file.floats("SCALAR", &[0.5, 1.0]);
    let weights = file.floats("SCALAR", &[0.0, 1.0, 0.5, 0.25]);
    let mut file = file.with_mesh(json!([{
        "attributes": { "POSITION": position },
        "targets": [{ "POSITION": position }, { "POSITION": position }],
    }]));
    file.json["nodes"] = json!([{}, { "mesh": 0 }]);
    file.json["animations"] = json!([{
        "channels": [{ "sampler": 0, "target": { "node": 1, "path": "weights" } }],
        "samplers": [{ "input": times, "output": weights }],
    }]);
    file
}

#[test]
fn morph_weights_become_one_track_per_target() {
    let model = morphing().read().unwrap();
    let clip = &model.clips[ClipId(0)];
    let of = |at: usize| (clip.morph_tracks[at].mesh, &clip.morph_tracks[at].weights.values[..]);
    assert_eq!(of(0), (MeshId(0), &[0.0, 0.5][..]));
    assert_eq!(of(1), (MeshId(0), &[1.0, 0.25][..]));
    assert_eq!((clip.start_secs, clip.duration_secs), (0.5, 0.5));
}

#[test]
fn weights_without_targets_are_left_out() {
    let mut file = morphing();
    file.json["animations"][0]["channels"][0]["target"]["node"] = json!(0);
    assert_eq!(file.reported().1, [FindingKind::ChannelLeftOut, FindingKind::ClipWithoutKeys]);
    let mut file = morphing();
    let three = file.floats("SCALAR", &[0.0, 1.0, 0.5]);
    file.json["animations"][0]["samplers"][0]["output"] = json!(three);
    assert_eq!(file.reported().1, [FindingKind::ChannelLeftOut, FindingKind::ClipWithoutKeys]);
}

#[test]
fn weights_of_missing_targets_are_ignored() {
    let mut file = morphing();
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{}]);
    let (model, findings) = file.reported();
    let [track] = &model.clips[ClipId(0)].morph_tracks[..] else { panic!("tracks") };
    assert_eq!((track.target, &track.weights.values[..]), (0, &[0.0, 0.5][..]));
    assert_eq!(findings, [FindingKind::MorphWeightCount]);
}

#[test]
fn primitives_with_different_numbers_of_targets_all_play() {
    let mut file = morphing();
    let mut second = file.json["meshes"][0]["primitives"][0].clone();
    second["targets"].as_array_mut().unwrap().truncate(1);
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    let (model, findings) = file.reported();
    let tracks = model.clips[ClipId(0)].morph_tracks.iter();
    let tracks: Vec<_> = tracks.map(|t| (t.mesh.0, t.target, t.weights.values.clone())).collect();
    let (first, second) = (vec![0.0, 0.5], vec![1.0, 0.25]);
    assert_eq!(tracks, [(0, 0, first.clone()), (0, 1, second), (1, 0, first)]);
    assert_eq!(findings, [FindingKind::MorphTargetCounts]);
}

#[test]
fn malformed_channels_are_reported_and_left_out() {
    let left_out = |change: &dyn Fn(&mut FileJson)| {
        let mut file = skinned();
        change(&mut file);
        let (model, findings) = file.reported();
        assert_eq!(findings, [FindingKind::ChannelLeftOut, FindingKind::ClipWithoutKeys]);
        let is_empty = |track: &BoneTrack| track.times().next().is_none();
        assert!(tracks(&model.clips[ClipId(0)]).iter().all(is_empty));
    };
    left_out(&|file| {
        let input = file.floats("SCALAR", &[0.0, f32::NAN]);
        file.json["animations"][0]["samplers"][0]["input"] = json!(input);
    });
    left_out(&|file| {
        let input = file.floats("SCALAR", &[0.0, 1.0, 2.0]);
        file.json["animations"][0]["samplers"][0]["input"] = json!(input);
    });
    for key in ["input", "output"] {
        left_out(&|file| file.json["animations"][0]["samplers"][0][key] = json!(u32::MAX));
    }
    left_out(&|file| file.json["animations"][0]["channels"][0]["sampler"] = json!(u32::MAX));
    left_out(&|file| file.json["animations"][0]["channels"][0]["target"]["node"] = json!(3));
    left_out(&|file| file.json["animations"][0]["channels"][0]["target"]["path"] = json!("hue"));
}

#[test]
fn duplicate_channels_are_left_out() {
    let mut file = skinned();
    let animation = &mut file.json["animations"][0];
    let channel = animation["channels"][0].clone();
    animation["channels"].as_array_mut().unwrap().push(channel);
    let (model, findings) = file.reported();
    assert_eq!(tracks(&model.clips[ClipId(0)]).len(), 1);
    assert_eq!(findings, [FindingKind::ChannelLeftOut]);
}

/// The codes of everything that is reported about a file, and its model.
fn validated(file: &FileJson) -> (Model, Vec<&'static str>) {
    let document = OpenOptions::default().open_bytes("a.glb", file.glb()).unwrap();
    let report = Report::new();
    validate(&document.model, &report).unwrap();
    let findings = [document.findings, report.findings()].concat();
    (document.model, findings.iter().map(|finding| finding.kind.code()).collect())
}

/// A file whose second joint rises in six keys at these times.
fn rising(times: &[f32; 6]) -> FileJson {
    let mut file = skinned();
    let input = file.floats("SCALAR", times);
    let values: Vec<f32> = (0u8..6).flat_map(|key| [0.0, f32::from(key), 0.0]).collect();
    let output = file.floats("VEC3", &values);
    let sampler = &mut file.json["animations"][0]["samplers"][0];
    (sampler["input"], sampler["output"]) = (json!(input), json!(output));
    file
}

#[test]
fn unsorted_times_are_one_finding_whatever_follows_from_them() {
    const CODE: &str = "keys-not-ascending";
    let (_, sound) = validated(&rising(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
    for (what, times) in [
        ("two swapped times, a spike", [0.0, 1.0, 3.0, 2.0, 4.0, 5.0]),
        ("an equal time as well", [0.0, 1.0, 4.0, 3.0, 4.0, 5.0]),
        ("other bounds", [0.0, 1.0, 9.0, 3.0, 4.0, 5.0]),
        ("the end comes first", [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]),
    ] {
        let (model, codes) = validated(&rising(&times));
        let new: Vec<_> = codes.into_iter().filter(|code| !sound.contains(code)).collect();
        assert_eq!(new, [CODE], "{what}");
        let mut sorted = times;
        sorted.sort_by(f32::total_cmp);
        let track = tracks(&model.clips[ClipId(0)])[0].translation.as_ref().unwrap();
        assert_eq!(track.times_secs, sorted.map(f64::from), "{what}");
        let end = f64::from(sorted[5]);
        assert_eq!(model.clips[ClipId(0)].duration_secs, end, "{what}");
    }
    let (_, codes) = validated(&rising(&[0.0, 1.0, 2.0, 2.0, 4.0, 5.0]));
    assert!(codes.contains(&"equal-key-times") && !codes.contains(&CODE), "{codes:?}");
}

#[test]
fn channels_without_node_and_extras_of_any_type_are_tolerated() {
    let mut file = skinned();
    let channels = file.json["animations"][0]["channels"].as_array_mut().unwrap();
    channels.insert(0, json!({ "sampler": 0, "target": { "path": "pointer" } }));
    file.json["extras"] = json!("text");
    file.json["nodes"][1]["extras"] = json!([1, { "extras": 2 }]);
    file.json["meshes"][0]["extras"] = json!({ "targetNames": 5 });
    let (model, findings) = file.reported();
    assert_eq!(tracks(&model.clips[ClipId(0)]).len(), 1);
    assert_eq!(findings, [FindingKind::ChannelWithoutTarget]);
    let report = Report::new();
    read(&file.glb(), &report).unwrap();
    let message =
        "1 channel has no target node; the first is channel 0 of clip 0 with the path \"pointer\"";
    assert_eq!(report.findings()[0].message, message);
}

#[test]
fn channels_that_are_not_played_are_named() {
    let mut file = skinned();
    let channels = file.json["animations"][0]["channels"].as_array().unwrap().clone();
    let mut unknown = channels[0].clone();
    unknown["target"] = json!({ "node": 2, "path": "visibility" });
    let pointer = |pointer: &str| {
        let extension = json!({ "KHR_animation_pointer": { "pointer": pointer } });
        json!({ "sampler": 0, "target": { "path": "pointer", "extensions": extension } })
    };
    let light = "/extensions/KHR_lights_punctual/lights/0/intensity";
    let camera = "/cameras/0/perspective/yfov";
    // The first list doesn't make the reader parse the JSON as a tree by itself. In the second, channels before the
    // unknown one are removed.
    for list in [vec![unknown.clone()], vec![pointer(light), pointer(camera), unknown]] {
        file.json["animations"][0]["channels"] = json!(list);
        let report = Report::new();
        let model = read(&file.glb(), &report).unwrap();
        assert!(tracks(&model.clips[ClipId(0)]).is_empty());
        let findings = report.findings();
        let message = |kind| {
            let finding = findings.iter().find(|finding| finding.kind == kind);
            finding.map(|finding| finding.message.clone()).unwrap_or_default()
        };
        let left_out = message(FindingKind::ChannelLeftOut);
        let words = format!("channel {} (\"visibility\" of node 2", list.len() - 1);
        assert!(left_out.contains(&words), "{left_out}");
        let moves = message(FindingKind::ClipWithoutKeys);
        assert!(moves.contains("none of its channels can be played"), "{moves}");
        let pointers = message(FindingKind::PropertyAnimation);
        let has = |path: &str, channel| {
            pointers.contains(&format!("{path} (channel {channel} of clip 0)"))
        };
        let is_complete = has(light, 0) && has(camera, 1);
        assert!(list.len() == 1 || is_complete, "{pointers}");
    }
}

#[test]
fn pointers_to_nodes_are_read_like_plain_channels() {
    let mut file = skinned();
    let plain = file.read().unwrap();
    let target = &mut file.json["animations"][0]["channels"][0]["target"];
    let pointer = json!({ "KHR_animation_pointer": { "pointer": "/nodes/2/translation" } });
    *target = json!({ "path": "pointer", "extensions": pointer });
    let (model, findings) = file.reported();
    assert_eq!(model.clips, plain.clips);
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn a_channel_of_a_missing_node_is_named_by_its_number() {
    let mut file = skinned();
    let channels = file.json["animations"][0]["channels"].as_array_mut().unwrap();
    let pointer = json!({ "KHR_animation_pointer": { "pointer": "/nodes/77/rotation" } });
    channels.push(json!({ "sampler": 0, "target": { "path": "pointer", "extensions": pointer } }));
    // A pointer beside a node isn't allowed, and not played.
    let pointer = json!({ "KHR_animation_pointer": { "pointer": "/nodes/2/matrix" } });
    let target = json!({ "node": 2, "path": "pointer", "extensions": pointer });
    channels.push(json!({ "sampler": 0, "target": target }));
    let messages = |file: &FileJson| {
        let report = Report::new();
        read(&file.glb(), &report).unwrap();
        report.findings().iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let missing = &messages(&file)[0];
    assert!(missing.contains("channel 1 (rotation of node 77): there is no node 77"), "{missing}");
    file.json["animations"][0]["channels"].as_array_mut().unwrap().remove(1);
    let unknown = &messages(&file)[0];
    assert!(unknown.contains("channel 1 (\"/nodes/2/matrix\" of node 2"), "{unknown}");
}
