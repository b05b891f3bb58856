//! VRM 0: `humanoid.humanBones`, `blendShapeMaster.blendShapeGroups`, `secondaryAnimation`, and look-at in `firstPerson`.
//! Curves of look-at other than a straight line aren't read.
//!
//! Ambiguous: colliders are in Unity's left-handed axes, while the nodes are converted to glTF; three-vrm negates z.

use std::collections::BTreeSet;

use glam::Vec3;
use serde_json::Value;

use super::{MAX_ENTRIES, Scene, index, list, look_at_range, materials, number, text};
use rigscope_core::model::{
    Avatar, BoneId, Collider, ColliderShape, Expression, LookAt, Spring, SpringSegment,
};

/// Weights are percentages.
const FULL_WEIGHT: f32 = 100.0;
/// Bones without children end 7 cm farther along the direction in which they begin. The specification doesn't state it;
/// UniVRM and three-vrm do this.
const LEAF_LENGTH: f32 = 0.07;

pub(super) fn avatar(vrm: &Value, scene: &Scene<'_>) -> Avatar {
    let null = &Value::Null;
    let of = |name: &str| vrm.get(name).unwrap_or(null);
    let secondary = of("secondaryAnimation");
    let bones = list(of("humanoid"), "humanBones").iter();
    Avatar {
        humanoid: bones
            .filter_map(|bone| {
                Some((scene.bone(bone.get("node"))?, text(bone, "bone")?.to_owned()))
            })
            .collect(),
        expressions: (list(of("blendShapeMaster"), "blendShapeGroups").iter())
            .map(|group| expression(group, scene))
            .collect(),
        look_at: vrm.get("firstPerson").map(look_at),
        gaze: None,
        springs: springs(secondary, scene),
        colliders: list(secondary, "colliderGroups")
            .iter()
            .flat_map(|group| colliders(group, scene))
            .take(MAX_ENTRIES)
            .collect(),
    }
}

fn expression(group: &Value, scene: &Scene<'_>) -> Expression {
    let preset = text(group, "presetName").filter(|preset| *preset != "unknown");
    let name = text(group, "name").filter(|name| !name.is_empty()).or(preset);
    let values = list(group, "materialValues");
    let mut expression = Expression {
        name: name.unwrap_or_default().to_owned(),
        preset: preset.and_then(Expression::preset_of_vrm_0),
        is_binary: group.get("isBinary").and_then(Value::as_bool).unwrap_or_default(),
        num_material_changes: values.len(),
        colors: values.iter().filter_map(|value| materials::of_vrm_0(value, scene)).collect(),
        textures: values
            .iter()
            .filter_map(|value| materials::textures_of_vrm_0(value, scene))
            .collect(),
        ..Expression::default()
    };
    for bind in list(group, "binds") {
        let meshes = index(bind, "mesh").and_then(|mesh| scene.of_mesh.get(mesh));
        if let (Some(meshes), Some(target)) = (meshes, index(bind, "index")) {
            let weight = number(bind, "weight").unwrap_or_default() / FULL_WEIGHT;
            scene.add_weight(meshes, target, weight, &mut expression);
        }
    }
    expression
}

fn look_at(value: &Value) -> LookAt {
    let by_expressions = text(value, "lookAtTypeName") == Some("BlendShape");
    let usual = if by_expressions { 1.0 } else { 10.0 };
    let range = |name| look_at_range(value.get(name), ["xRange", "yRange"], usual);
    LookAt {
        by_expressions,
        inner: range("lookAtHorizontalInner"),
        outer: range("lookAtHorizontalOuter"),
        down: range("lookAtVerticalDown"),
        up: range("lookAtVerticalUp"),
    }
}

/// A group names the first bones of its springs; all bones below them swing too, each towards its first child.
fn springs(secondary: &Value, scene: &Scene<'_>) -> Vec<Spring> {
    let mut seen = BTreeSet::new();
    let spring = |group: &Value| {
        let radius = number(group, "hitRadius").unwrap_or_default();
        let mut open: Vec<BoneId> =
            list(group, "bones").iter().filter_map(|bone| scene.bone(Some(bone))).collect();
        let mut segments = Vec::new();
        while let Some(bone) = open.pop() {
            // Groups may overlap.
            if !seen.insert(bone) {
                continue;
            }
            let tail = scene.children(bone).next();
            let tail_offset = scene.translation(bone).normalize_or_zero() * LEAF_LENGTH;
            segments.push(SpringSegment { bone, tail, tail_offset, radius });
            open.extend(scene.children(bone));
        }
        Spring { name: text(group, "comment").unwrap_or_default().to_owned(), segments }
    };
    list(secondary, "boneGroups").iter().map(spring).collect()
}

fn colliders<'a>(group: &'a Value, scene: &Scene<'_>) -> impl Iterator<Item = Collider> + 'a {
    let bone = scene.bone(group.get("node"));
    list(group, "colliders").iter().filter_map(move |collider| {
        let offset = collider.get("offset").unwrap_or(&Value::Null);
        let [x, y, z] = ["x", "y", "z"].map(|axis| number(offset, axis).unwrap_or_default());
        Some(Collider {
            bone: bone?,
            center: Vec3::new(x, y, -z),
            shape: ColliderShape::Sphere { radius: number(collider, "radius").unwrap_or_default() },
        })
    })
}
