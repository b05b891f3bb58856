//! Skins, the bones that they need, and the keys that animate them.

use glam::{Mat4, Quat};

use super::*;
use rigscope_core::model::{Blending, BoneId, InverseBindSkin, MeshId, Motion};
use rigscope_core::pose::{PoseSpec, skin_model};

/// A square on two bones, one above the other, with a corner without influences, a prop in the
/// hand, and a camera target. The upper bone rotates by 90° about Z in one second.
const SQUARE: &str = r#"; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}
GlobalSettings:  {
	Properties70:  {
		P: "UnitScaleFactor", "double", "Number", "",100
	}
}
Objects:  {
	Geometry: 1, "Geometry::", "Mesh" {
		Vertices: *12 { a: 0,0,0,1,0,0,1,1,0,0,1,0 }
		PolygonVertexIndex: *4 { a: 0,1,2,-4 }
	}
	Model: 2, "Model::body", "Mesh" { }
	Model: 10, "Model::hip", "LimbNode" { }
	Model: 11, "Model::hand", "LimbNode" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,1,0
		}
	}
	Model: 12, "Model::thing", "Null" { }
	Model: 13, "Model::target", "Null" { }
	NodeAttribute: 110, "NodeAttribute::", "LimbNode" {
		TypeFlags: "Skeleton"
	}
	NodeAttribute: 111, "NodeAttribute::", "LimbNode" {
		TypeFlags: "Skeleton"
	}
	Deformer: 20, "Deformer::", "Skin" {
		SkinningType: "Linear"
		Indexes: *4 { a: 0,1,2,3 }
		BlendWeights: *4 { a: 0,0.25,0.5,1 }
	}
	Deformer: 21, "SubDeformer::", "Cluster" {
		Indexes: *2 { a: 0,1 }
		Weights: *2 { a: 1,0.25 }
		Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
		TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
	}
	Deformer: 22, "SubDeformer::", "Cluster" {
		Indexes: *2 { a: 1,2 }
		Weights: *2 { a: 0.75,1 }
		Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1 }
		TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1 }
	}
	AnimationStack: 30, "AnimStack::turn", "" { }
	AnimationLayer: 31, "AnimLayer::base", "" { }
	AnimationCurveNode: 32, "AnimCurveNode::R", "" {
		Properties70:  {
			P: "d|Z", "Number", "", "A",0
		}
	}
	AnimationCurve: 33, "AnimCurve::", "" {
		KeyVer: 4008
		KeyTime: *3 { a: 0,23093079000,46186158000 }
		KeyValueFloat: *3 { a: 0,45,90 }
		KeyAttrFlags: *1 { a: 4 }
		KeyAttrDataFloat: *4 { a: 0,0,0,0 }
		KeyAttrRefCount: *1 { a: 3 }
	}
}
Connections:  {
	C: "OO",1,2
	C: "OO",2,0
	C: "OO",10,0
	C: "OO",11,10
	C: "OO",12,11
	C: "OO",13,0
	C: "OO",110,10
	C: "OO",111,11
	C: "OO",20,1
	C: "OO",21,20
	C: "OO",22,20
	C: "OO",10,21
	C: "OO",11,22
	C: "OO",31,30
	C: "OO",32,31
	C: "OP",32,11, "Lcl Rotation"
	C: "OP",33,32, "d|Z"
}
"#;

fn skin(model: &Model) -> &InverseBindSkin {
    inverse_bind(&model.meshes[MeshId(0)])
}

fn named(model: &Model, name: &str) -> BoneId {
    let at = model.skeleton.bones().iter().position(|bone| bone.name == name);
    BoneId::from_index(at.unwrap())
}

#[test]
fn clusters_become_slots_and_unweighted_vertices_follow_the_mesh_node() {
    let model = checked(SQUARE);
    let skin = skin(&model);
    let bones = ["hip", "hand", "body"].map(|name| named(&model, name));
    assert_eq!(skin.bones, bones);
    assert_eq!(skin.bone_from_mesh[1], Mat4::from_translation(Vec3::NEG_Y));
    let influences = [0, 1, 2, 3].map(|vertex| skin.influences.row(vertex).collect::<Vec<_>>());
    let known: [&[(u32, f32)]; 4] =
        [&[(0, 1.0)], &[(1, 0.75), (0, 0.25)], &[(1, 1.0)], &[(2, 1.0)]];
    assert_eq!(influences, known);
    assert_eq!(model.meshes[MeshId(0)].attached_to, None);
}

#[test]
fn skinning_methods_are_read() {
    let shares = vec![0.0, 0.25, 0.5, 1.0];
    for (word, blending) in [
        ("Linear", Blending::Linear),
        ("Rigid", Blending::Linear),
        ("DualQuaternion", Blending::DualQuaternion),
        ("Blend", Blending::Mixed(shares)),
    ] {
        let text = SQUARE.replace("\"Linear\"", &format!("{word:?}"));
        assert_eq!(skin(&checked(&text)).blending, blending, "{word}");
    }
}

#[test]
fn influences_are_charged_to_the_budget() {
    let scene = || {
        let options = ReadOptions::default();
        load("fbx", SQUARE.as_bytes(), &options, &Report::new()).unwrap()
    };
    let error = |max_alloc_bytes| {
        let limits = Limits { max_alloc_bytes, ..Limits::default() };
        let options = ReadOptions { limits, ..ReadOptions::default() };
        let error = convert("fbx", scene(), &options, &Report::new()).err()?;
        assert!(matches!(error, ReadError::Limit(_)), "{error}");
        Some(error.to_string())
    };
    let refused: Vec<String> = (64..2048).step_by(8).filter_map(error).collect();
    assert!(refused.iter().any(|message| message.contains("(FBX influences)")), "{refused:?}");
}

#[test]
fn limb_nodes_are_bones_and_nodes_without_a_part_in_the_model_are_helpers() {
    let model = checked(SQUARE);
    let kind = |name| model.skeleton.bones()[named(&model, name)].kind;
    for (name, expected) in [
        ("body", BoneKind::Node),
        ("hip", BoneKind::Bone),
        ("hand", BoneKind::Bone),
        ("thing", BoneKind::Node),
        ("target", BoneKind::Helper),
    ] {
        assert_eq!(kind(name), expected, "{name}");
    }
}

#[test]
fn a_clip_without_a_range_spans_its_keys_and_lists_their_times() {
    let model = checked(SQUARE);
    let clip = &model.clips[ClipId(0)];
    assert_eq!((&*clip.name, clip.start_secs, clip.duration_secs), ("turn", 0.0, 1.0));
    let Motion::Curves(curves) = &clip.motion else { panic!("no curves") };
    assert_eq!((curves.0.num_keys(), curves.0.key_times_secs()), (3, vec![0.0, 0.5, 1.0]));
    // The upper right corner follows the hand at (0, 1, 0), which rotates to the left.
    let spec = PoseSpec::linear(model.find_clip("turn"), 1.0);
    let places = skin_model(&model, &spec).remove(0).positions;
    let half = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let blended = Vec3::X * 0.25 + (Vec3::Y + half * (Vec3::X - Vec3::Y)) * 0.75;
    for (place, known) in places.into_iter().zip([Vec3::ZERO, blended, Vec3::Y * 2.0, Vec3::Y]) {
        assert!(place.abs_diff_eq(known, 1e-5), "{place} {known}");
    }
    // Keys outside the range of the stack don't belong to it.
    let range = "AnimStack::turn\", \"\" {\n Properties70: {\n \
                 P: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n \
                 P: \"LocalStop\", \"KTime\", \"Time\", \"\",30000000000\n }\n";
    let model = checked(&SQUARE.replace("AnimStack::turn\", \"\" {", range));
    let clip = &model.clips[ClipId(0)];
    let Motion::Curves(curves) = &clip.motion else { panic!("no curves") };
    assert_eq!(curves.0.key_times_secs(), [0.0, 0.5], "{clip:?}");
}

#[test]
fn curves_with_unsorted_and_equal_times_are_reported_by_property_and_axis() {
    let times = "a: 0,23093079000,46186158000";
    let reported = |other: &str| {
        assert!(SQUARE.contains(times));
        let (model, report) = read(&SQUARE.replace(times, other));
        let findings = report.findings();
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        (model, finding.clone())
    };
    let (model, finding) = reported("a: 0,46186158000,23093079000");
    assert_eq!(finding.kind, FindingKind::KeysNotAscending);
    let subject = "clip 0 \"turn\", Lcl Rotation Z of \"hand\": ";
    let words = "key 2 is earlier than key 1, so it may be skipped or jump";
    assert_eq!(finding.message, format!("{subject}{words}"));
    let hand = Some(named(&model, "hand"));
    let unsorted = &model.clips[ClipId(0)].unsorted_curves;
    assert_eq!(unsorted.iter().map(|curve| curve.bone).collect::<Vec<_>>(), [hand]);
    let (model, finding) = reported("a: 0,23093079000,23093079000");
    assert_eq!(finding.kind, FindingKind::EqualKeyTimes);
    assert_eq!(finding.message, format!("{subject}keys 1 and 2 are both at 0.5 s"));
    assert!(model.clips[ClipId(0)].unsorted_curves.is_empty());
}
