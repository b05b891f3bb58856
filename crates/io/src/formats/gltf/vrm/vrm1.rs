//! VRM 1: `humanoid.humanBones`, `expressions` and `lookAt` of `VRMC_vrm`, `springs` and `colliders` of
//! `VRMC_springBone`; and `VRMC_vrm_animation`, whose expressions and gaze are nodes.

use glam::Vec3;
use serde_json::{Map, Value};

use super::{MAX_ENTRIES, Scene, index, list, look_at_range, materials, number, text};
use rigscope_core::model::{
    Avatar, BoneId, Collider, ColliderShape, Expression, ExpressionOverride, LookAt, Spring,
    SpringSegment,
};

/// Colliders that springs stay inside, and planes.
const EXTENDED_COLLIDER: &str = "VRMC_springBone_extended_collider";
/// Lists of changes to materials in an expression.
const MATERIAL_BINDS: [&str; 2] = ["materialColorBinds", "textureTransformBinds"];

pub(super) fn avatar(vrm: &Value, springs: Option<&Value>, scene: &Scene<'_>) -> Avatar {
    let null = &Value::Null;
    let springs = springs.unwrap_or(null);
    let expressions = vrm.get("expressions").unwrap_or(null);
    let kinds = ["preset", "custom"].into_iter();
    Avatar {
        humanoid: humanoid(vrm, scene),
        expressions: kinds
            .flat_map(|kind| {
                entries(expressions, kind)
                    .map(move |(name, value)| (preset(kind, name), name, value))
            })
            .map(|(preset, name, value)| expression(preset, name, value, scene))
            .collect(),
        look_at: vrm.get("lookAt").map(look_at),
        gaze: None,
        springs: list(springs, "springs").iter().map(|value| spring(value, scene)).collect(),
        colliders: list(springs, "colliders")
            .iter()
            .filter_map(|value| collider(value, scene))
            .collect(),
    }
}

/// The bones of an animation, its expressions, which have no morph targets, and its gaze.
pub(super) fn animated(animation: &Value, scene: &Scene<'_>) -> Avatar {
    let expressions = animation.get("expressions").unwrap_or(&Value::Null);
    let of_kind = |kind: &'static str| {
        entries(expressions, kind).filter_map(move |(name, value)| {
            Some(Expression {
                name: name.clone(),
                preset: preset(kind, name),
                driver: Some(scene.bone(value.get("node"))?),
                ..Expression::default()
            })
        })
    };
    let look_at = animation.get("lookAt");
    Avatar {
        humanoid: humanoid(animation, scene),
        expressions: ["preset", "custom"].into_iter().flat_map(of_kind).collect(),
        gaze: look_at.and_then(|look_at| scene.bone(look_at.get("node"))),
        ..Avatar::default()
    }
}

/// The preset that a name in a list of expressions means.
fn preset(kind: &str, name: &str) -> Option<&'static str> {
    if kind == "preset" { Expression::preset_of_vrm_1(name) } else { None }
}

fn look_at(value: &Value) -> LookAt {
    let by_expressions = text(value, "type") == Some("expression");
    let usual = if by_expressions { 1.0 } else { 10.0 };
    let range = |name| look_at_range(value.get(name), ["inputMaxValue", "outputScale"], usual);
    LookAt {
        by_expressions,
        inner: range("rangeMapHorizontalInner"),
        outer: range("rangeMapHorizontalOuter"),
        down: range("rangeMapVerticalDown"),
        up: range("rangeMapVerticalUp"),
    }
}

fn humanoid(value: &Value, scene: &Scene<'_>) -> Vec<(BoneId, String)> {
    let bones = value.get("humanoid").unwrap_or(&Value::Null);
    entries(bones, "humanBones")
        .filter_map(|(name, bone)| Some((scene.bone(bone.get("node"))?, name.clone())))
        .collect()
}

/// The entries of an object; none if there is no such object.
fn entries<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let map = value.get(name).and_then(Value::as_object);
    map.into_iter().flat_map(Map::iter).take(MAX_ENTRIES)
}

fn expression(
    preset: Option<&'static str>,
    name: &str,
    value: &Value,
    scene: &Scene<'_>,
) -> Expression {
    let colors = list(value, "materialColorBinds").iter();
    let textures = list(value, "textureTransformBinds").iter();
    let kind = |name| match text(value, name) {
        Some("block") => ExpressionOverride::Block,
        Some("blend") => ExpressionOverride::Blend,
        _ => ExpressionOverride::None,
    };
    let mut expression = Expression {
        name: name.to_owned(),
        preset,
        is_binary: value.get("isBinary").and_then(Value::as_bool).unwrap_or_default(),
        overrides: ["overrideBlink", "overrideLookAt", "overrideMouth"].map(kind),
        colors: colors.filter_map(|bind| materials::of_vrm_1(bind, scene)).collect(),
        textures: textures.filter_map(|bind| materials::textures_of_vrm_1(bind, scene)).collect(),
        num_material_changes: MATERIAL_BINDS.map(|binds| list(value, binds).len()).iter().sum(),
        ..Expression::default()
    };
    for bind in list(value, "morphTargetBinds") {
        let node = scene.bone(bind.get("node"));
        let meshes = node.and_then(|node| scene.meshes.of_node.get(&node.index()));
        if let (Some(meshes), Some(target)) = (meshes, index(bind, "index")) {
            let weight = number(bind, "weight").unwrap_or_default();
            scene.add_weight(meshes, target, weight, &mut expression);
        }
    }
    expression
}

/// Each joint swings towards the next one; the last only marks the end.
fn spring(value: &Value, scene: &Scene<'_>) -> Spring {
    let joints: Vec<_> = (list(value, "joints").iter())
        .filter_map(|joint| {
            Some((scene.bone(joint.get("node"))?, number(joint, "hitRadius").unwrap_or_default()))
        })
        .collect();
    let pairs = joints.iter().zip(joints.iter().skip(1));
    let segments = pairs.map(|(&(bone, radius), &(tail, _))| SpringSegment {
        bone,
        tail: Some(tail),
        tail_offset: Vec3::ZERO,
        radius,
    });
    Spring {
        name: text(value, "name").unwrap_or_default().to_owned(),
        segments: segments.collect(),
    }
}

fn collider(value: &Value, scene: &Scene<'_>) -> Option<Collider> {
    let bone = scene.bone(value.get("node"))?;
    // The plain shape is only a replacement for programs that don't know the extension.
    let extended = value.get("extensions").and_then(|all| all.get(EXTENDED_COLLIDER));
    let shape = extended.and_then(|extended| extended.get("shape")).or(value.get("shape"))?;
    let radius = |shape| number(shape, "radius").unwrap_or_default();
    let (center, shape) = if let Some(sphere) = shape.get("sphere") {
        (vector(sphere, "offset"), ColliderShape::Sphere { radius: radius(sphere) })
    } else if let Some(capsule) = shape.get("capsule") {
        let tail = vector(capsule, "tail");
        (vector(capsule, "offset"), ColliderShape::Capsule { radius: radius(capsule), tail })
    } else {
        let plane = shape.get("plane")?;
        let normal = vector(plane, "normal").normalize_or(Vec3::Z);
        (vector(plane, "offset"), ColliderShape::Plane { normal })
    };
    Some(Collider { bone, center, shape })
}

fn vector(value: &Value, name: &str) -> Vec3 {
    #[expect(clippy::cast_possible_truncation, reason = "the model stores single precision")]
    let numbers = list(value, name).iter().map(|number| number.as_f64().unwrap_or_default() as f32);
    let mut numbers = numbers.chain(std::iter::repeat(0.0));
    let mut next = || numbers.next().unwrap_or_default();
    Vec3::new(next(), next(), next())
}
