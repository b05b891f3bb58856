//! Written VRM animations.

use glam::{Quat, Vec3};
use rigscope_core::model::{BoneId, ClipId};
use rigscope_core::pose::{PoseSpec, sample};
use serde_json::Value;

use super::read;
use crate::convert::{Check, ConvertOptions, convert};
use crate::formats::gltf::GLTF;
use crate::formats::losses::Aspect;
use rigscope_testing::*;

/// A human in a T-pose with a mesh, a tail and two clips.
fn human() -> Model {
    let mut bones = vec![
        ("Hips", None, Vec3::Y),
        ("Spine", Some(0), Vec3::Y * 0.2),
        ("Head", Some(1), Vec3::Y * 0.4),
        ("tail", Some(0), Vec3::NEG_Z * 0.2),
    ];
    for (side, names) in [
        (1.0, ["LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg", "LeftFoot"]),
        (-1.0, ["RightArm", "RightForeArm", "RightHand", "RightUpLeg", "RightLeg", "RightFoot"]),
    ] {
        let first = rigscope_core::model::as_u32(bones.len());
        for (at, name) in (0..3).zip(names) {
            let (parent, offset) = match at {
                0 => (1, Vec3::new(0.15 * side, 0.3, 0.0)),
                _ => (first + at - 1, Vec3::X * 0.3 * side),
            };
            bones.push((name, Some(parent), offset));
        }
        for (at, name) in (0..3).zip(&names[3..]) {
            let (parent, offset) = match at {
                0 => (0, Vec3::X * 0.1 * side),
                _ => (first + 2 + at, Vec3::NEG_Y * 0.45),
            };
            bones.push((name, Some(parent), offset));
        }
    }
    let turn = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(0.5))]);
    let walk = linear([(0.0, Vec3::Y), (1.0, Vec3::new(0.0, 1.1, 0.5))]);
    ModelBuilder::new()
        .bones(&bones)
        .triangle()
        .bound([[(3, 1.0)], [(5, 1.0)], [(2, 1.0)]])
        .clip("walk", 1.0)
        .rotation(4, turn.clone())
        .translation(0, walk)
        .clip("nod", 1.0)
        .rotation(2, turn)
        .checked()
}

fn options() -> ConvertOptions {
    let mut options = ConvertOptions { check: Check::Losses, ..ConvertOptions::default() };
    options.write.part = Some("vrma".to_owned());
    options.write.stem = "hero".to_owned();
    options
}

fn json(bytes: &[u8]) -> Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn each_clip_of_a_human_becomes_a_file_with_the_names_of_its_bones() {
    let model = human();
    let converted = convert(&model, &GLTF, "vrma", &options(), &Report::new()).unwrap();
    let names: Vec<_> = converted.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["hero.vrma", "hero.nod.vrma"]);
    for (at, (name, file)) in converted.files.iter().enumerate() {
        let json = json(&file.bytes);
        assert_eq!(json["extensionsUsed"][0], "VRMC_vrm_animation");
        let extension = &json["extensions"]["VRMC_vrm_animation"];
        assert_eq!(extension["specVersion"], "1.0");
        let human = extension["humanoid"]["humanBones"].as_object().unwrap();
        assert_eq!(human.len(), 15);
        assert_eq!(
            json["nodes"]
                [usize::try_from(human["leftUpperArm"]["node"].as_u64().unwrap()).unwrap()]["name"],
            "LeftArm"
        );
        assert!(
            json["nodes"].as_array().unwrap().iter().all(|node| node.get("rotation").is_none())
        );
        assert!(json.get("meshes").is_none());
        let paths = json["animations"][0]["channels"].as_array().unwrap();
        for channel in paths {
            let (node, path) = (&channel["target"]["node"], &channel["target"]["path"]);
            assert!(path == "rotation" || (path == "translation" && node == 0), "{channel}");
        }
        let back = read(&file.bytes, &Report::new()).unwrap();
        assert_eq!(back.avatar.as_ref().unwrap().humanoid.len(), 15, "{name}");
        let id = ClipId::from_index(at);
        for time in [0.0, 0.4, 1.0] {
            let source = sample(&model, &PoseSpec::linear(id, time)).model_from_bone;
            let made = sample(&back, &PoseSpec::linear(ClipId(0), time)).model_from_bone;
            for (bone, own) in back.skeleton.bones().iter_enumerated() {
                let of = model.skeleton.bones().iter().position(|b| b.name == own.name).unwrap();
                let wanted = source[BoneId::from_index(of)];
                assert!(made[bone].abs_diff_eq(wanted, 1e-5), "{name} {} {time}", own.name);
            }
        }
    }
    assert!(converted.unforeseen().is_empty(), "{:?}", converted.unforeseen());
    assert!(converted.predicted.iter().any(|loss| loss.aspect == Aspect::Vertices));
    assert!(!converted.predicted.iter().any(|loss| loss.aspect == Aspect::Clips));
    let sentences = converted.loss_sentences();
    assert_eq!(
        sentences,
        [
            "meshes and materials left out: only bones and clips are written",
            "left out are 1 bone that VRM doesn't name: tail"
        ]
    );
}

#[test]
fn other_skeletons_and_files_of_avatars_are_refused() {
    let error = |model: &Model, extension: &str, options: &ConvertOptions| {
        convert(model, &GLTF, extension, options, &Report::new()).unwrap_err().to_string()
    };
    let mut model = human();
    model.skeleton = Skeleton::new(
        model
            .skeleton
            .bones()
            .iter()
            .map(|bone| Bone { name: bone.name.replace("Head", "box"), ..bone.clone() })
            .collect(),
        true,
    )
    .unwrap();
    assert_eq!(
        error(&model, "vrma", &options()),
        "VRM animations store the bones of a human, and this skeleton has no head"
    );
    model.clips.as_mut_vec().clear();
    assert_eq!(
        error(&model, "vrma", &options()),
        "the model has no clips of bones to write as glTF"
    );
    assert_eq!(
        error(&human(), "vrm", &ConvertOptions::default()),
        ".vrm files are read-only; write .glb, without their additional data"
    );
}
