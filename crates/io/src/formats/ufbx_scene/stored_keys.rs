//! Key times of curves, for runtimes that rebuild the curves from their keys.

use std::collections::BTreeMap;

use ufbx::{AnimCurve, AnimProp, AnimStack, BlendShape, ElementType, Interpolation, Node, Scene};

use super::context::Context;
use super::morphs::AnimatedChannel;
use super::skeleton::NodeBones;
use crate::formats::ReadError;
use rigscope_core::model::{ClipId, FbxClip, FbxKeys, FbxNode, FbxWeight, MeshId, StoredFbx};

/// Properties that move the origin of a node's rotation and scale.
const PIVOTS: &[&str] = &["RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot"];

/// Facts about a file, without clips.
pub(super) fn facts(scene: &Scene) -> StoredFbx {
    let helps = |node: &Node| node.is_scale_helper || node.inherit_scale_node.is_some();
    StoredFbx {
        version: scene.metadata.version,
        is_text: scene.metadata.ascii,
        has_other_inheritance: scene.nodes.into_iter().any(helps),
        has_weighted_shapes: scene.blend_shapes.into_iter().any(is_weighted),
        clips: Vec::new(),
    }
}

fn is_weighted(shape: &BlendShape) -> bool {
    let weights = shape.offset_weights.iter();
    weights.zip(&shape.position_offsets).any(|(weight, offset)| {
        *weight != 1.0 && (offset.x != 0.0 || offset.y != 0.0 || offset.z != 0.0)
    })
}

/// The keys of a stack.
///
/// # Errors
/// If they exceed the budget.
pub(super) fn keys(
    scene: &Scene,
    clip: ClipId,
    stack: &AnimStack,
    bones: &NodeBones,
    channels: &[AnimatedChannel],
    context: &mut Context<'_>,
) -> Result<FbxClip, ReadError> {
    let mut nodes: BTreeMap<u32, FbxNode> = BTreeMap::new();
    let mut weights = Vec::new();
    let props = stack.layers.into_iter().flat_map(|layer| layer.anim_props.iter());
    for prop in props {
        let element = prop.element.typed_id;
        let own = keys_of(prop);
        context.take::<f64>(own.times_secs.len(), "keys")?;
        if prop.element.type_ == ElementType::BlendChannel && &*prop.prop_name == "DeformPercent" {
            for place in channels.iter().filter(|place| place.channel == element as usize) {
                let (mesh, target) = (MeshId::from_index(place.mesh), place.target);
                weights.push(FbxWeight { mesh, target, keys: own.clone() });
            }
        }
        if prop.element.type_ != ElementType::Node {
            continue;
        }
        let Some(node) = scene.nodes.get(element as usize) else { continue };
        let Some(bone) = bones.of(node) else { continue };
        let entry = nodes.entry(element).or_insert_with(|| FbxNode {
            bone,
            is_joint: node.bone.is_some(),
            has_pivot: has_pivot(node),
            translation: FbxKeys::default(),
            rotation: FbxKeys::default(),
            scale: FbxKeys::default(),
        });
        match &*prop.prop_name {
            "Lcl Translation" => entry.translation = own,
            "Lcl Rotation" => entry.rotation = own,
            "Lcl Scaling" => entry.scale = own,
            _ => {}
        }
    }
    let nodes: Vec<FbxNode> = nodes.into_values().collect();
    context.take::<FbxNode>(nodes.len(), "keys")?;
    Ok(FbxClip { clip, has_layers: stack.layers.count > 1, nodes, weights })
}

fn has_pivot(node: &Node) -> bool {
    let props = node.element.props.props.iter();
    props.filter(|prop| PIVOTS.contains(&&*prop.name)).any(|prop| {
        let value = prop.value_vec4;
        value.x != 0.0 || value.y != 0.0 || value.z != 0.0
    })
}

fn keys_of(prop: &AnimProp) -> FbxKeys {
    let curves = || prop.anim_value.curves.iter().flatten();
    let mut times_secs: Vec<f64> =
        curves().flat_map(|curve| curve.keyframes.iter().map(|key| key.time)).collect();
    times_secs.retain(|time| time.is_finite());
    times_secs.sort_by(f64::total_cmp);
    times_secs.dedup();
    let has_all = |curve: &AnimCurve| {
        let own = curve.keyframes.iter().map(|key| key.time);
        !is_moving(curve) || own.eq(times_secs.iter().copied())
    };
    let is_linear = |curve: &AnimCurve| {
        let mut own = curve.keyframes.iter();
        !is_moving(curve) || own.all(|key| key.interpolation == Interpolation::Linear)
    };
    FbxKeys {
        is_moving: curves().any(|curve| is_moving(curve)),
        is_even: curves().all(|curve| has_all(curve)),
        is_linear: curves().all(|curve| is_linear(curve)),
        largest_step: curves().map(|curve| largest_step(curve)).fold(0.0, f64::max),
        times_secs,
    }
}

fn largest_step(curve: &AnimCurve) -> f64 {
    let values = || curve.keyframes.iter().map(|key| key.value);
    let steps = values().zip(values().skip(1)).map(|(from, to)| (to - from).abs());
    steps.fold(0.0, f64::max)
}

/// Whether the keys have different values.
fn is_moving(curve: &AnimCurve) -> bool {
    let mut values = curve.keyframes.iter().map(|key| key.value);
    let first = values.next();
    values.any(|value| Some(value) != first)
}
