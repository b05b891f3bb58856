//! Conventions of names, each with each.

use glam::Vec3;

use super::*;
use crate::model::testing::ModelBuilder;
use crate::model::{BoneId, Model};

/// The bones of a body in a convention, in the order of [`BODY`]: trunk, left arm, left leg, left fingers. `{L}` and
/// `{l}` are replaced by the side.
struct Convention {
    name: &'static str,
    /// Hips, spines, neck, head.
    trunk: &'static [&'static str],
    /// Shoulder, upper arm, lower arm, hand.
    arm: [&'static str; 4],
    /// Upper leg, lower leg, foot, toes.
    leg: [&'static str; 4],
    /// The three bones of thumb, index finger and little finger.
    fingers: [[&'static str; 3]; 3],
    sides: [&'static str; 2],
}

const CONVENTIONS: &[Convention] = &[
    Convention {
        name: "Mixamo",
        trunk: &[
            "mixamorig:Hips",
            "mixamorig:Spine",
            "mixamorig:Spine1",
            "mixamorig:Spine2",
            "mixamorig:Neck",
            "mixamorig:Head",
        ],
        arm: ["mixamorig:{}Shoulder", "mixamorig:{}Arm", "mixamorig:{}ForeArm", "mixamorig:{}Hand"],
        leg: ["mixamorig:{}UpLeg", "mixamorig:{}Leg", "mixamorig:{}Foot", "mixamorig:{}ToeBase"],
        fingers: [
            ["mixamorig:{}HandThumb1", "mixamorig:{}HandThumb2", "mixamorig:{}HandThumb3"],
            ["mixamorig:{}HandIndex1", "mixamorig:{}HandIndex2", "mixamorig:{}HandIndex3"],
            ["mixamorig:{}HandPinky1", "mixamorig:{}HandPinky2", "mixamorig:{}HandPinky3"],
        ],
        sides: ["Left", "Right"],
    },
    Convention {
        name: "Mixamo without colons, in lower case",
        trunk: &[
            "mixamorighips",
            "mixamorigspine",
            "mixamorigspine1",
            "mixamorigspine2",
            "mixamorigneck",
            "mixamorighead",
        ],
        arm: ["mixamorig{}shoulder", "mixamorig{}arm", "mixamorig{}forearm", "mixamorig{}hand"],
        leg: ["mixamorig{}upleg", "mixamorig{}leg", "mixamorig{}foot", "mixamorig{}toebase"],
        fingers: [
            ["mixamorig{}handthumb1", "mixamorig{}handthumb2", "mixamorig{}handthumb3"],
            ["mixamorig{}handindex1", "mixamorig{}handindex2", "mixamorig{}handindex3"],
            ["mixamorig{}handpinky1", "mixamorig{}handpinky2", "mixamorig{}handpinky3"],
        ],
        sides: ["left", "right"],
    },
    Convention {
        name: "Unreal Engine",
        trunk: &["pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head"],
        arm: ["clavicle_{}", "upperarm_{}", "lowerarm_{}", "hand_{}"],
        leg: ["thigh_{}", "calf_{}", "foot_{}", "ball_{}"],
        fingers: [
            ["thumb_01_{}", "thumb_02_{}", "thumb_03_{}"],
            ["index_01_{}", "index_02_{}", "index_03_{}"],
            ["pinky_01_{}", "pinky_02_{}", "pinky_03_{}"],
        ],
        sides: ["l", "r"],
    },
    Convention {
        name: "Unity and Godot",
        trunk: &["Hips", "Spine", "Chest", "UpperChest", "Neck", "Head"],
        arm: ["{}Shoulder", "{}UpperArm", "{}LowerArm", "{}Hand"],
        leg: ["{}UpperLeg", "{}LowerLeg", "{}Foot", "{}Toes"],
        fingers: [
            ["{}ThumbMetacarpal", "{}ThumbProximal", "{}ThumbDistal"],
            ["{}IndexProximal", "{}IndexIntermediate", "{}IndexDistal"],
            ["{}LittleProximal", "{}LittleIntermediate", "{}LittleDistal"],
        ],
        sides: ["Left", "Right"],
    },
    Convention {
        name: "VRoid",
        trunk: &[
            "J_Bip_C_Hips",
            "J_Bip_C_Spine",
            "J_Bip_C_Chest",
            "J_Bip_C_UpperChest",
            "J_Bip_C_Neck",
            "J_Bip_C_Head",
        ],
        arm: ["J_Bip_{}_Shoulder", "J_Bip_{}_UpperArm", "J_Bip_{}_LowerArm", "J_Bip_{}_Hand"],
        leg: ["J_Bip_{}_UpperLeg", "J_Bip_{}_LowerLeg", "J_Bip_{}_Foot", "J_Bip_{}_ToeBase"],
        fingers: [
            ["J_Bip_{}_Thumb1", "J_Bip_{}_Thumb2", "J_Bip_{}_Thumb3"],
            ["J_Bip_{}_Index1", "J_Bip_{}_Index2", "J_Bip_{}_Index3"],
            ["J_Bip_{}_Little1", "J_Bip_{}_Little2", "J_Bip_{}_Little3"],
        ],
        sides: ["L", "R"],
    },
    Convention {
        name: "Biped",
        trunk: &[
            "Bip01 Pelvis",
            "Bip01 Spine",
            "Bip01 Spine1",
            "Bip01 Spine2",
            "Bip01 Neck",
            "Bip01 Head",
        ],
        arm: ["Bip01 {} Clavicle", "Bip01 {} UpperArm", "Bip01 {} Forearm", "Bip01 {} Hand"],
        leg: ["Bip01 {} Thigh", "Bip01 {} Calf", "Bip01 {} Foot", "Bip01 {} Toe0"],
        fingers: [
            ["Bip01 {} Finger0", "Bip01 {} Finger01", "Bip01 {} Finger02"],
            ["Bip01 {} Finger1", "Bip01 {} Finger11", "Bip01 {} Finger12"],
            ["Bip01 {} Finger4", "Bip01 {} Finger41", "Bip01 {} Finger42"],
        ],
        sides: ["L", "R"],
    },
    Convention {
        name: "Rigify",
        trunk: &[
            "DEF-spine",
            "DEF-spine.001",
            "DEF-spine.002",
            "DEF-spine.003",
            "DEF-spine.004",
            "DEF-spine.006",
        ],
        arm: ["DEF-shoulder.{}", "DEF-upper_arm.{}", "DEF-forearm.{}", "DEF-hand.{}"],
        leg: ["DEF-thigh.{}", "DEF-shin.{}", "DEF-foot.{}", "DEF-toe.{}"],
        fingers: [
            ["DEF-thumb.01.{}", "DEF-thumb.02.{}", "DEF-thumb.03.{}"],
            ["DEF-f_index.01.{}", "DEF-f_index.02.{}", "DEF-f_index.03.{}"],
            ["DEF-f_pinky.01.{}", "DEF-f_pinky.02.{}", "DEF-f_pinky.03.{}"],
        ],
        sides: ["L", "R"],
    },
    Convention {
        name: "CMU",
        trunk: &["Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head"],
        arm: ["{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand"],
        leg: ["{}UpLeg", "{}Leg", "{}Foot", "{}ToeBase"],
        fingers: [
            ["{}HandThumb1", "{}HandThumb2", "{}HandThumb3"],
            ["{}HandIndex1", "{}HandIndex2", "{}HandIndex3"],
            ["{}HandPinky1", "{}HandPinky2", "{}HandPinky3"],
        ],
        sides: ["Left", "Right"],
    },
    Convention {
        name: "Poser",
        trunk: &["hip", "abdomen", "waist", "chest", "neck", "head"],
        arm: ["{}Collar", "{}Shldr", "{}ForeArm", "{}Hand"],
        leg: ["{}Thigh", "{}Shin", "{}Foot", "{}Toe"],
        fingers: [
            ["{}Thumb1", "{}Thumb2", "{}Thumb3"],
            ["{}Index1", "{}Index2", "{}Index3"],
            ["{}Pinky1", "{}Pinky2", "{}Pinky3"],
        ],
        sides: ["l", "r"],
    },
    Convention {
        name: "SMPL-X",
        trunk: &["pelvis", "spine1", "spine2", "spine3", "neck", "head"],
        arm: ["{}_collar", "{}_shoulder", "{}_elbow", "{}_wrist"],
        leg: ["{}_hip", "{}_knee", "{}_ankle", "{}_foot"],
        fingers: [
            ["{}_thumb1", "{}_thumb2", "{}_thumb3"],
            ["{}_index1", "{}_index2", "{}_index3"],
            ["{}_pinky1", "{}_pinky2", "{}_pinky3"],
        ],
        sides: ["left", "right"],
    },
    Convention {
        name: "Source",
        trunk: &["bip_pelvis", "bip_spine_0", "bip_spine_1", "bip_spine_2", "bip_neck", "bip_head"],
        arm: ["bip_collar_{}", "bip_upperArm_{}", "bip_lowerArm_{}", "bip_hand_{}"],
        leg: ["bip_hip_{}", "bip_knee_{}", "bip_foot_{}", "bip_toe_{}"],
        fingers: [
            ["bip_thumb_0_{}", "bip_thumb_1_{}", "bip_thumb_2_{}"],
            ["bip_index_0_{}", "bip_index_1_{}", "bip_index_2_{}"],
            ["bip_pinky_0_{}", "bip_pinky_1_{}", "bip_pinky_2_{}"],
        ],
        sides: ["L", "R"],
    },
    Convention {
        name: "Character Creator",
        trunk: &[
            "CC_Base_Hip",
            "CC_Base_Waist",
            "CC_Base_Spine01",
            "CC_Base_Spine02",
            "CC_Base_NeckTwist01",
            "CC_Base_Head",
        ],
        arm: [
            "CC_Base_{}_Clavicle",
            "CC_Base_{}_Upperarm",
            "CC_Base_{}_Forearm",
            "CC_Base_{}_Hand",
        ],
        leg: ["CC_Base_{}_Thigh", "CC_Base_{}_Calf", "CC_Base_{}_Foot", "CC_Base_{}_ToeBase"],
        fingers: [
            ["CC_Base_{}_Thumb1", "CC_Base_{}_Thumb2", "CC_Base_{}_Thumb3"],
            ["CC_Base_{}_Index1", "CC_Base_{}_Index2", "CC_Base_{}_Index3"],
            ["CC_Base_{}_Pinky1", "CC_Base_{}_Pinky2", "CC_Base_{}_Pinky3"],
        ],
        sides: ["L", "R"],
    },
    Convention {
        name: "MakeHuman",
        trunk: &["root", "spine05", "spine04", "spine03", "neck01", "head"],
        arm: ["clavicle.{}", "upperarm01.{}", "lowerarm01.{}", "wrist.{}"],
        leg: ["upperleg01.{}", "lowerleg01.{}", "foot.{}", "toe1-1.{}"],
        fingers: [
            ["finger1-1.{}", "finger1-2.{}", "finger1-3.{}"],
            ["finger2-1.{}", "finger2-2.{}", "finger2-3.{}"],
            ["finger5-1.{}", "finger5-2.{}", "finger5-3.{}"],
        ],
        sides: ["L", "R"],
    },
];

impl Convention {
    /// All bones: name, parent, and place.
    fn model(&self) -> Model {
        let mut bones: Vec<(String, Option<u32>, Vec3)> = Vec::new();
        let mut add = |name: &str, parent: Option<u32>, at: Vec3| -> u32 {
            bones.push((name.to_owned(), parent, at));
            u32::try_from(bones.len() - 1).unwrap()
        };
        let mut parent = None;
        let mut trunk = Vec::new();
        for name in self.trunk {
            let own = add(name, parent, Vec3::Y * 0.2);
            trunk.push(own);
            parent = Some(own);
        }
        for (side, x) in self.sides.iter().zip([1.0, -1.0]) {
            let mut chain = |names: &[&str], parent: u32, step: Vec3| -> u32 {
                let mut at = parent;
                for name in names {
                    at = add(&name.replace("{}", side), Some(at), step);
                }
                at
            };
            let hand = chain(&self.arm, trunk[3], Vec3::X * x * 0.2);
            chain(&self.leg, trunk[0], Vec3::new(x * 0.1, -0.4, 0.0));
            for finger in &self.fingers {
                chain(finger, hand, Vec3::X * x * 0.03);
            }
        }
        let list: Vec<(&str, Option<u32>, Vec3)> =
            bones.iter().map(|(name, parent, at)| (&**name, *parent, *at)).collect();
        ModelBuilder::new().bones(&list).build()
    }
}

#[test]
fn names_in_other_languages_are_known() {
    let names = ["bassin", "torse", "tête", "cuisse gauche", "jambe gauche", "pied gauche"];
    let other = ["cadera", "columna", "cabeza", "muslo.izq", "pierna.izq", "pie.izq"];
    let right = |names: &[&str]| -> Model {
        let side = |name: &str| name.replace("gauche", "droite").replace("izq", "der");
        let mut bones: Vec<(String, Option<u32>, Vec3)> = Vec::new();
        for (at, parent) in
            [None, Some(0), Some(1), Some(0), Some(3), Some(4)].into_iter().enumerate()
        {
            bones.push((names[at].to_owned(), parent, Vec3::Y));
        }
        for (at, parent) in [(3, 0), (4, 6), (5, 7)] {
            bones.push((side(names[at]), Some(parent), Vec3::Y));
        }
        let list: Vec<(&str, Option<u32>, Vec3)> =
            bones.iter().map(|(name, parent, at)| (&**name, *parent, *at)).collect();
        ModelBuilder::new().bones(&list).build()
    };
    let (from, to) = (right(&names), right(&other));
    let pairs = pair_bones(&from, &to, &[]).pairs;
    assert_eq!(pairs.len(), 9, "{pairs:?}");
    assert!(pairs.iter().all(|pair| pair.from == pair.to && pair.reason == PairReason::Body));
}

#[test]
fn a_second_head_is_named() {
    let bones = [
        ("Hips", None),
        ("Spine", Some(0)),
        ("Head", Some(1)),
        ("Head2", Some(2)),
        ("Head.001", Some(1)),
        ("LeftUpLeg", Some(0)),
        ("RightUpLeg", Some(0)),
    ];
    let list = bones.map(|(name, parent)| (name, parent, Vec3::Y));
    let model = ModelBuilder::new().bones(&list).build();
    let body = BodyBones::of(&model.skeleton, None);
    assert_eq!(body.part(BodyPart::Head, None), Some(BoneId(2)));
    assert_eq!(body.further_heads, [BoneId(4)]);
}

/// A body with the names of a convention.
pub(super) fn body_named(convention: &str) -> Model {
    CONVENTIONS.iter().find(|own| own.name == convention).unwrap().model()
}

#[test]
fn bones_of_all_conventions_are_paired_with_each_other() {
    let models: Vec<Model> = CONVENTIONS.iter().map(Convention::model).collect();
    let mut wrong = Vec::new();
    for (from, a) in CONVENTIONS.iter().zip(&models) {
        for (to, b) in CONVENTIONS.iter().zip(&models) {
            let found = pair_bones(a, b, &[]);
            for bone in a.skeleton.bones().ids() {
                let other = found.pairs.iter().find(|pair| pair.from == bone).map(|pair| pair.to);
                if other != Some(bone) {
                    let name = |model: &Model, bone: BoneId| model.skeleton.display_name(bone);
                    wrong.push(format!(
                        "{} to {}: {} is paired with {:?}",
                        from.name,
                        to.name,
                        name(a, bone),
                        other.map(|other| name(b, other))
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}

#[test]
fn chains_of_different_lengths_are_paired_from_both_ends() {
    let short = ["pelvis", "spine_01", "spine_02", "neck_01", "head"];
    let long = ["Hips", "Spine", "Spine1", "Spine2", "Spine3", "Spine4", "Neck", "Neck1", "Head"];
    let body = |trunk: &[&str], side: [&str; 2]| {
        let mut builder = ModelBuilder::new().chain(trunk);
        for side in side {
            builder = builder.bones(&[(&format!("{side}thigh"), Some(0), Vec3::ZERO)]);
        }
        builder.build()
    };
    let (a, b) = (body(&short, ["l_", "r_"]), body(&long, ["Left", "Right"]));
    let found = pair_bones(&a, &b, &[]);
    let pairs: Vec<(u32, u32)> = found.pairs.iter().map(|pair| (pair.from.0, pair.to.0)).collect();
    assert_eq!(pairs, [(0, 0), (1, 1), (2, 5), (3, 6), (4, 8), (5, 9), (6, 10)]);
    assert_eq!(found.unpaired(&a.skeleton, &b.skeleton)[1].len(), 4);
}

#[test]
fn bones_of_other_sides_are_never_paired() {
    let a = ModelBuilder::new().chain(&["root", "arm.L"]).build();
    let b = ModelBuilder::new().chain(&["root", "arm.R"]).build();
    let found = pair_bones(&a, &b, &[]);
    assert_eq!(found.pairs.len(), 1, "{found:?}");
}

#[test]
fn a_map_overrides_names() {
    let a = ModelBuilder::new().chain(&["root", "tail", "tip"]).build();
    let given = [(BoneId(1), Some(BoneId(2))), (BoneId(2), None)];
    let found = pair_bones(&a, &a, &given);
    let pairs: Vec<(u32, u32)> = found.pairs.iter().map(|pair| (pair.from.0, pair.to.0)).collect();
    assert_eq!(pairs, [(0, 0), (1, 2)]);
    assert_eq!(found.pairs[1].reason, PairReason::Given);
}

#[test]
fn tails_are_paired_by_their_place() {
    let a = ModelBuilder::new().chain(&["root", "tail_a", "tail_b"]).build();
    let b = ModelBuilder::new().chain(&["root", "Schwanz", "Schwanzspitze"]).build();
    let reasons: Vec<PairReason> =
        pair_bones(&a, &b, &[]).pairs.iter().map(|pair| pair.reason).collect();
    assert_eq!(reasons, [PairReason::Name, PairReason::Place, PairReason::Place]);
}

#[test]
fn the_spines_of_avatars_are_paired_by_their_names() {
    let avatar = |names: &[&str]| {
        let mut model = ModelBuilder::new();
        for (at, name) in (0u32..).zip(names) {
            // The names of the nodes say nothing.
            let parent = if name.contains("Leg") { Some(0) } else { at.checked_sub(1) };
            model = model.bones(&[(&format!("node {at}{}", names.len()), parent, Vec3::ZERO)]);
        }
        let humanoid =
            (0u32..).zip(names).map(|(at, name)| (BoneId(at), (*name).to_owned())).collect();
        let avatar = crate::model::Avatar { humanoid, ..Default::default() };
        model.with(|model| model.avatar = Some(Box::new(avatar))).build()
    };
    let legs = ["leftUpperLeg", "rightUpperLeg"];
    let a = avatar(&[&["hips", "spine", "chest", "head"][..], &legs].concat());
    let b = avatar(&[&["hips", "spine", "chest", "upperChest", "head"][..], &legs].concat());
    let found = pair_bones(&a, &b, &[]);
    let pairs: Vec<(u32, u32)> = found.pairs.iter().map(|pair| (pair.from.0, pair.to.0)).collect();
    assert_eq!(pairs, [(0, 0), (1, 1), (2, 2), (3, 4), (4, 5), (5, 6)]);
}

#[test]
fn many_bones_of_one_name_and_endless_words_take_no_time() {
    let long = "left".repeat(200_000);
    let mut names: Vec<&str> = vec!["spine"; 20_000];
    names.extend(["hip"; 20_000]);
    names.extend(["left_thigh"; 10_000]);
    names.extend(["right_thigh"; 10_000]);
    names.push(&long);
    let a = ModelBuilder::new().chain(&names).build();
    let found = pair_bones(&a, &a, &[]);
    assert_eq!(found.pairs.len(), names.len());
}
