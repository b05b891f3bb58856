//! Known facts about the glTF samples, and the errors of damaged ones.

use glam::{Mat4, Quat, Vec3};
use rigscope_core::model::{ClipId, ImageId, MaterialId, MeshId};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, sample, skin_model};
use rigscope_io::formats::{ReadError, ReadOptions, Source, open};

use crate::support::{sample_files, samples};
use rigscope_testing::*;

/// A model, and the kinds and counts of its findings.
fn read(name: &str) -> (Model, Vec<(FindingKind, u64)>) {
    let bytes = std::fs::read(samples().join("gltf").join(name)).unwrap();
    let report = Report::new();
    let source = Source::new(name, bytes);
    let opened = open(&source, &ReadOptions::default(), &report).unwrap();
    assert_eq!(opened.format.info.id, "gltf");
    let findings = report.findings().iter().map(|n| (n.kind, n.count)).collect();
    (opened.model, findings)
}

fn at(clip: Option<u32>, time_secs: f64) -> PoseSpec {
    PoseSpec {
        clip: clip.map(ClipId),
        moment: match clip {
            Some(_) => Moment::TimeSecs(time_secs),
            None => Moment::Default,
        },
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    }
}

fn clips(model: &Model) -> Vec<(&str, u64, u64)> {
    let millis = |secs: f64| format!("{:.0}", secs * 1000.0).parse().unwrap();
    let clips = model.clips.iter();
    clips.map(|c| (&*c.name, millis(c.start_secs), millis(c.duration_secs))).collect()
}

fn num_slots(mesh: &Mesh) -> usize {
    match &mesh.skin {
        Skin::InverseBind(skin) => skin.bones.len(),
        _ => 0,
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_fox_has_24_joints_three_clips_and_1728_vertices() {
    let (fox, findings) = read("Fox.glb");
    assert_eq!(clips(&fox), [("Survey", 0, 3417), ("Walk", 0, 708), ("Run", 0, 1158)]);
    let [mesh] = &*fox.meshes else { panic!("{} meshes", fox.meshes.len()) };
    assert_eq!((mesh.num_vertices(), mesh.num_triangles()), (1728, 576));
    assert_eq!((num_slots(mesh), fox.skeleton.len()), (24, 26));
    assert_eq!(fox.skeleton.bones()[BoneId(8)].name, "b_Head_05");
    assert_eq!(fox.skeleton.bones()[BoneId(8)].parent, Some(BoneId(7)));
    let streams = streams(mesh);
    assert!(streams.normals.is_empty(), "the file has no normals");
    assert_eq!(streams.uv_sets.len(), 1);
    let material = &fox.materials[MaterialId(0)];
    assert_eq!(material.name, "fox_material");
    let texture = material.image_of(TextureRole::BaseColor).unwrap();
    assert_eq!(texture.image, Some(ImageId(0)));
    assert!(fox.images[ImageId(0)].bytes.starts_with(b"\x89PNG"));
    assert_eq!(material.look.as_ref().unwrap().alpha, AlphaMode::Opaque);
    let copyright = fox.details.iter().find(|(name, _)| *name == "copyright");
    assert!(matches!(&copyright.unwrap().1, Detail::Text(text) if text.starts_with("CC-BY 4.0")));
    assert_eq!(findings, [], "every joint leads to one that moves something");
    let kinds = fox.skeleton.bones().iter().map(|bone| bone.kind);
    assert_eq!(kinds.filter(|kind| *kind == BoneKind::Node).count(), 1, "the mesh's own node");
    // The bind pose is the rest pose, so skinned vertices are at their stored positions.
    let rest = skin_model(&fox, &at(None, 0.0));
    let moved = rest[0].positions.iter().zip(&streams.positions);
    let error = moved.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(error < 1e-3, "{error}");
}

/// Largest distance from a vertex of either list to the nearest vertex of the other.
fn gap(a: &[Vec3], b: &[Vec3]) -> f32 {
    let one_way = |from: &[Vec3], to: &[Vec3]| {
        let nearest = |p: &Vec3| to.iter().map(|q| p.distance_squared(*q)).fold(f32::MAX, f32::min);
        from.iter().map(nearest).fold(0.0, f32::max).sqrt()
    };
    one_way(a, b).max(one_way(b, a))
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn quantised_and_compressed_foxes_match_the_original() {
    let (fox, _) = read("Fox.glb");
    let (quant, _) = read("derived_Fox.quant.glb");
    let (packed, _) = read("derived_Fox.meshopt.glb");
    for model in [&quant, &packed] {
        assert_eq!((model.num_vertices(), model.num_triangles()), (434, 576));
        assert_eq!((num_slots(&model.meshes[MeshId(0)]), model.skeleton.len()), (24, 27));
        let texture = &model.materials[MaterialId(0)].textures[0];
        assert!(texture.texture_from_uv.is_some(), "UVs are dequantised by a transform");
    }
    // The fox is 155 units long. The rest pose differs only by quantisation (14 bits over 155 are
    // 0.01); the clips were also resampled at 30 Hz.
    let moments = [
        (None, 0.0, 0.02),
        (Some(0), 0.0, 0.1),
        (Some(0), 1.1, 0.1),
        (Some(1), 0.4, 0.1),
        (Some(2), 0.6, 0.1),
    ];
    for (clip, time, allowed) in moments {
        let posed = |model| skin_model(model, &at(clip, time)).remove(0).positions;
        let (original, quant, packed) = (posed(&fox), posed(&quant), posed(&packed));
        let (first, second) = (gap(&original, &quant), gap(&original, &packed));
        println!("clip {clip:?} at {time}: quantised {first}, compressed {second}");
        assert!(first < allowed, "clip {clip:?} at {time}: quantised {first}");
        assert!(second < allowed, "clip {clip:?} at {time}: compressed {second}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_210_bad_weight_sums_of_cesium_man_are_reported_and_normalized() {
    let (man, findings) = read("cesium_man.gltf");
    assert_eq!((man.num_vertices(), man.num_triangles()), (3273, 4672));
    assert_eq!((num_slots(&man.meshes[MeshId(0)]), man.skeleton.len()), (19, 22));
    assert_eq!(clips(&man), [("", 0, 2000)]);
    assert!(findings.contains(&(FindingKind::WeightsNotNormalized, 210)));
    let mut least = f32::MAX;
    for vertex in 0..man.num_vertices() {
        let mut sum = 0.0;
        man.meshes[MeshId(0)].for_each_influence(vertex, |_, weight| sum += weight);
        least = least.min(sum);
    }
    assert!((least - 0.185).abs() < 1e-3, "{least}");
    assert!(man.images[ImageId(0)].is_embedded, "a data URI");
    // Vertices with small weight sums would be pulled towards the origin at his feet.
    let posed = skin_model(&man, &at(Some(0), 1.0)).remove(0).positions;
    let highest = posed.iter().map(|p| p.y).fold(f32::MIN, f32::max);
    assert!((1.4..1.6).contains(&highest), "{highest}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_simple_skin_bends_as_in_its_tutorial() {
    let (skin, _) = read("SimpleSkin.gltf");
    assert_eq!((skin.num_vertices(), skin.num_triangles()), (10, 8));
    assert_eq!(clips(&skin), [("", 0, 5500)]);
    let tracks = tracks(&skin.clips[ClipId(0)]);
    assert_eq!((tracks.len(), tracks[0].bone), (1, BoneId(2)));
    // Both joints are at (0, 1, 0); both inverse binds translate by (-1/2, -1, 0).
    let place = Mat4::from_translation(Vec3::Y);
    let back = Mat4::from_translation(Vec3::new(-0.5, -1.0, 0.0));
    let angle = |time: f64| match time {
        0.0 => 0.0,
        // The key at 1.0 s stores z 0.707, w 0.707: a quarter turn.
        1.0 => std::f32::consts::FRAC_PI_2,
        _ => unreachable!(),
    };
    for time in [0.0, 1.0] {
        let posed = skin_model(&skin, &at(Some(0), time)).remove(0).positions;
        let rotation = Mat4::from_quat(Quat::from_rotation_z(angle(time)));
        for (vertex, posed) in posed.iter().enumerate() {
            let row = u16::try_from(vertex / 2).unwrap();
            let x = if vertex % 2 == 0 { 0.0 } else { 1.0 };
            let stored = Vec3::new(x, 0.5 * f32::from(row), 0.0);
            // Weights of joint 1, from the lowest row up: 0, 1/4, 1/2, 3/4, 1.
            let weight = 0.25 * f32::from(row);
            let still = (place * back).transform_point3(stored);
            let rotated = (place * rotation * back).transform_point3(stored);
            let expected = still * (1.0 - weight) + rotated * weight;
            assert!(posed.distance(expected) < 1e-5, "{time} {vertex}: {posed} {expected}");
        }
    }
    // Computed by hand: relative to joint 1, the upper right corner (1, 2, 0) is at (1/2, 1, 0); it
    // rotates to the left.
    let posed = skin_model(&skin, &at(Some(0), 1.0)).remove(0).positions;
    assert!(posed[9].distance(Vec3::new(-1.0, 1.5, 0.0)) < 1e-5);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn the_robot_has_fourteen_clips_and_rigid_parts() {
    let (robot, _) = read("raylib_robot.glb");
    assert_eq!(robot.meshes.len(), 14);
    assert_eq!((robot.num_vertices(), robot.num_triangles()), (7218, 3238));
    assert_eq!((robot.num_subsets(), robot.skeleton.len()), (19, 58));
    let names: Vec<_> = robot.clips.iter().map(|clip| &*clip.name).collect();
    assert_eq!(names.len(), 14);
    assert_eq!((names[0], names[13]), ("Robot_Dance", "Robot_Yes"));
    for mesh in &robot.meshes {
        let is_skinned = matches!(mesh.skin, Skin::InverseBind(_));
        assert_ne!(is_skinned, mesh.attached_to.is_some(), "{}", mesh.name);
    }
    for clip in 0..14 {
        let pose = sample(&robot, &at(Some(clip), 0.3));
        assert!(pose.model_from_bone.iter().all(|bone| bone.is_finite()));
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn malformed_samples_are_errors_and_the_cycle_is_named() {
    let mut num_errors = 0;
    for extension in ["gltf", "glb"] {
        for path in sample_files("gltf/malformed", extension) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let source = Source::new(name.as_str(), std::fs::read(&path).unwrap());
            let read = open(&source, &ReadOptions::default(), &Report::new());
            let error = read.err().unwrap_or_else(|| panic!("{name} was read"));
            assert!(matches!(error, ReadError::Malformed(_)), "{name}: {error}");
            if name == "assimp_RecursiveNodes.gltf" {
                assert!(error.to_string().contains("node 0 is its own ancestor"));
            }
            num_errors += 1;
        }
    }
    assert!(num_errors == 7, "{num_errors}");
}

/// Reads, checks and poses; fails only on a panic. Returns whether the file could be read.
fn survive(bytes: Vec<u8>) -> bool {
    let options = ReadOptions { format: Some("gltf".into()), ..ReadOptions::default() };
    let Ok(opened) = open(&Source::new("a.glb", bytes), &options, &Report::new()) else {
        return false;
    };
    for spec in [at(None, 0.0), at(Some(0), 0.3)] {
        for (mesh, posed) in opened.model.meshes.iter().zip(skin_model(&opened.model, &spec)) {
            assert_eq!(posed.positions.len(), mesh.num_vertices());
        }
    }
    true
}

/// Offset of the end of a file's JSON.
fn json_end(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"glTF") {
        20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize
    } else {
        bytes.len()
    }
}

/// Replaces one run of digits in a file's JSON. In a container, the new run has the same length, so
/// that the stored lengths stay correct.
fn with_other_number(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let end = json_end(bytes);
    let mut at = random.below(end);
    while at < end && !bytes[at].is_ascii_digit() {
        at += 1;
    }
    let from = bytes[..at].iter().rposition(|b| !b.is_ascii_digit()).map_or(0, |p| p + 1);
    let num = bytes[from..end].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut changed = bytes.to_vec();
    if bytes.starts_with(b"glTF") {
        for digit in &mut changed[from..from + num] {
            *digit = [b'0', b'9', b'1', b'7'][random.below(4)];
        }
    } else {
        let others = ["0", "1", "4294967295", "4294967296", "18446744073709551615", "-1", "65536"];
        let other = others[random.below(others.len())].bytes();
        changed.splice(from..from + num, other);
    }
    changed
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn truncated_samples_are_errors() {
    let folder = samples();
    let bytes = std::fs::read(folder.join("gltf/SimpleSkin.gltf")).unwrap();
    let text = bytes.trim_ascii_end();
    for len in 0..text.len() {
        assert!(!survive(text[..len].to_vec()), "cut to {len}");
    }
    let fox = std::fs::read(folder.join("gltf/derived_Fox.meshopt.glb")).unwrap();
    for len in (0..fox.len()).step_by(97).chain(0..64) {
        assert!(!survive(fox[..len].to_vec()), "cut to {len}");
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn changed_samples_never_panic() {
    let mut random = Random(20_261_120);
    for extension in ["glb", "gltf"] {
        for path in sample_files("gltf", extension) {
            let bytes = std::fs::read(&path).unwrap();
            let copies = 60_000_000 / bytes.len().clamp(200_000, 2_000_000);
            for copy in 0..copies {
                let mut changed = match copy % 3 {
                    0 => bytes.clone(),
                    _ => with_other_number(&bytes, &mut random),
                };
                if copy % 3 == 0 || copy % 7 == 0 {
                    for _ in 0..=random.below(8) {
                        // Half of the changes hit the JSON.
                        let reach = match random.below(2) {
                            0 => changed.len(),
                            _ => json_end(&bytes).min(changed.len()),
                        };
                        let at = random.below(reach);
                        changed[at] = [0, 0xff, changed[at] ^ 0x80, b'9'][random.below(4)];
                    }
                }
                survive(changed);
            }
        }
    }
}
