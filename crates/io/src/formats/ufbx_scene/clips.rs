//! Animation stacks as clips, evaluated by the library at any time.
//!
//! The library handles layers, pre-rotations, pivots, Euler orders and helper scales: nothing is
//! baked. Constraints and inverse kinematics aren't solved.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use glam::Affine3A;
use ufbx::{AnimStack, Element, ElementType, Node, PropFlags, Scene, SceneRoot};

use super::context::Context;
use super::key_order::KeyOrder;
use super::math;
use super::morphs::{self, AnimatedChannel};
use super::skeleton::NodeBones;
use super::stored_keys;
use crate::formats::ReadError;
use rigscope_core::model::{BoneId, Clip, ClipId, Curves, FbxClip, IdVec, LiveCurves, Motion};

/// More distinct key times than this aren't useful.
const MAX_KEY_TIMES: usize = 1 << 16;
/// Plausible frame rates: FBX's own modes range from 23.976 to 1000.
const FRAMES: RangeInclusive<f64> = 1.0..=1000.0;
/// Keys up to this far outside a stack still belong to it, in seconds.
const TIME_TOLERANCE_SECS: f64 = 1e-6;

/// One clip per stack, in file order, and their keys; `sources` is the index of the scene's mesh for each mesh of
/// the model.
///
/// # Errors
/// If there are too many, or when cancelled.
pub(super) fn clips(
    scene: &Arc<SceneRoot>,
    bones: &NodeBones,
    sources: &[usize],
    context: &mut Context<'_>,
) -> Result<(Vec<Clip>, Vec<FbxClip>), ReadError> {
    let (mut clips, mut stored) = (Vec::new(), Vec::new());
    for (number, stack) in scene.anim_stacks.iter().enumerate() {
        context.report.progress("reading clips", 0.6)?;
        let (start, end) = range(stack);
        let curves = SceneCurves {
            scene: Arc::clone(scene),
            stack: number,
            range: (start, end),
            frames_per_sec: frames_per_sec(scene),
            moved: moved(scene, stack, bones),
            channels: animated_channels(scene, stack, sources),
            key_times_secs: OnceLock::new(),
        };
        context.take::<(usize, BoneId)>(curves.moved.len(), "clips")?;
        context.take::<AnimatedChannel>(curves.channels.len(), "clips")?;
        let (moved, channels) = (&curves.moved, &curves.channels);
        let id = ClipId::from_index(number);
        stored.push(stored_keys::keys(scene, id, stack, bones, channels, context)?);
        let order = KeyOrder { clip: number, stack, start_secs: start, moved, channels };
        let unsorted_curves = order.check(context.report);
        clips.push(Clip {
            name: stack.element.name.to_string(),
            start_secs: start,
            duration_secs: end - start,
            motion: Motion::Curves(LiveCurves(Arc::new(curves))),
            unsorted_curves,
            ..Clip::default()
        });
    }
    Ok((clips, stored))
}

/// The frame rate in the scene's settings, if the file states it: otherwise the library assumes 24.
pub(super) fn frames_per_sec(scene: &Scene) -> Option<f64> {
    let settings = &scene.settings;
    let is_stated = |name| settings.props.find_prop(name).is_some();
    let rate = settings.frames_per_second;
    (is_stated("TimeMode") && FRAMES.contains(&rate)).then_some(rate)
}

/// Start and end of a stack; those of its keys if it states none.
fn range(stack: &AnimStack) -> (f64, f64) {
    let (begin, end) = (stack.time_begin, stack.time_end);
    if begin.is_finite() && end.is_finite() && end > begin {
        return (begin, end);
    }
    let mut keys = None;
    for_each_curve(stack, |curve| {
        let times = || curve.keyframes.iter().map(|key| key.time);
        for time in times().filter(|time| time.is_finite()) {
            let (first, last) = keys.unwrap_or((time, time));
            keys = Some((time.min(first), time.max(last)));
        }
    });
    let stated = if begin.is_finite() { begin } else { 0.0 };
    keys.unwrap_or((stated, stated))
}

fn for_each_curve(stack: &AnimStack, mut visit: impl FnMut(&ufbx::AnimCurve)) {
    for layer in &stack.layers {
        for value in &layer.anim_values {
            value.curves.iter().flatten().for_each(|curve| visit(curve));
        }
    }
}

/// Elements of one type that a stack animates, by index in the scene's list.
fn animated(stack: &AnimStack, kind: ElementType) -> BTreeSet<u32> {
    let props = stack.layers.into_iter().flat_map(|layer| layer.anim_props.iter());
    let own = props.filter(|prop| prop.element.type_ == kind);
    own.map(|prop| prop.element.typed_id).collect()
}

/// Whether a property of `element` is connected to another element, which may be animated.
///
/// Files of version 7100 and older store the weight of a blend shape in the mesh and connect the
/// channel's weight to it. The other end may be animated in turn; the library evaluates that.
fn is_connected(element: &Element) -> bool {
    let mut props = element.props.props.iter();
    props.any(|prop| prop.flags.has_any(PropFlags::CONNECTED))
}

/// Nodes whose local transform a stack may change, with their bones.
fn moved(scene: &Scene, stack: &AnimStack, bones: &NodeBones) -> Vec<(usize, BoneId)> {
    let animated = animated(stack, ElementType::Node);
    // A helper's scale affects its siblings: `ufbx_evaluate_transform` reads it for them.
    let depends = |node: &Node| {
        let parent = node.parent.as_ref();
        node.is_scale_helper
            || parent.is_some_and(|p| p.scale_helper.is_some() || p.inherit_scale_node.is_some())
    };
    let nodes = scene.nodes.into_iter().enumerate();
    let nodes = nodes.filter(|(_, node)| {
        let element = &node.element;
        animated.contains(&element.typed_id) || is_connected(element) || depends(node)
    });
    nodes.filter_map(|(at, node)| Some((at, bones.of(node)?))).collect()
}

fn animated_channels(scene: &Scene, stack: &AnimStack, sources: &[usize]) -> Vec<AnimatedChannel> {
    let animated = animated(stack, ElementType::BlendChannel);
    let mut channels = Vec::new();
    for (mesh, &source) in sources.iter().enumerate() {
        let Some(source) = scene.meshes.get(source) else { continue };
        for (target, channel) in morphs::channels(source).enumerate() {
            let element = &channel.element;
            if animated.contains(&element.typed_id) || is_connected(element) {
                channels.push(AnimatedChannel { mesh, target, channel: element.typed_id as usize });
            }
        }
    }
    channels
}

/// The curves of one stack; keeps the scene alive.
struct SceneCurves {
    scene: Arc<SceneRoot>,
    stack: usize,
    range: (f64, f64),
    frames_per_sec: Option<f64>,
    /// Node and bone.
    moved: Vec<(usize, BoneId)>,
    channels: Vec<AnimatedChannel>,
    /// Computed on first use: rules and panes read them repeatedly.
    key_times_secs: OnceLock<Vec<f64>>,
}

impl SceneCurves {
    /// Times of all keys, ascending.
    fn all_key_times(&self) -> Vec<f64> {
        let Some(stack) = self.scene.anim_stacks.get(self.stack) else { return Vec::new() };
        let inside = self.range.0 - TIME_TOLERANCE_SECS..=self.range.1 + TIME_TOLERANCE_SECS;
        let mut times = Vec::new();
        for_each_curve(stack, |curve| {
            let own = curve.keyframes.iter().map(|key| key.time);
            times.extend(own.filter(|time| inside.contains(time)));
        });
        times.sort_by(f64::total_cmp);
        times.dedup();
        if times.len() <= MAX_KEY_TIMES { times } else { Vec::new() }
    }
}

impl fmt::Debug for SceneCurves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (num_bones, num_channels) = (self.moved.len(), self.channels.len());
        write!(f, "stack {} of {num_bones} bones, {num_channels} channels", self.stack)
    }
}

impl Curves for SceneCurves {
    fn sample(&self, time_secs: f64, parent_from_bone: &mut IdVec<BoneId, Affine3A>) {
        let Some(stack) = self.scene.anim_stacks.get(self.stack) else { return };
        for &(node, bone) in &self.moved {
            let (Some(node), Some(out)) =
                (self.scene.nodes.get(node), parent_from_bone.get_mut(bone))
            else {
                continue;
            };
            // The C code only follows pointers that it has set itself: nodes and curves of one
            // scene, in lists of known length.
            let local = ufbx::evaluate_transform(&stack.anim, node, time_secs);
            let local = math::affine(&ufbx::transform_to_matrix(&local));
            // Curves of damaged files may lead to infinity; the rest transform is a better result.
            if local.is_finite() {
                *out = local;
            }
        }
    }

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        let Some(stack) = self.scene.anim_stacks.get(self.stack) else { return };
        for place in &self.channels {
            let own = weights.get_mut(place.mesh);
            let (Some(out), Some(channel)) = (
                own.and_then(|weights| weights.get_mut(place.target)),
                self.scene.blend_channels.get(place.channel),
            ) else {
                continue;
            };
            let weight = ufbx::evaluate_blend_weight(&stack.anim, channel, time_secs);
            let weight = math::real(weight);
            if weight.is_finite() {
                *out = weight;
            }
        }
    }

    fn frames_per_sec(&self) -> Option<f64> {
        self.frames_per_sec
    }

    fn num_keys(&self) -> u64 {
        let mut num_keys = 0;
        if let Some(stack) = self.scene.anim_stacks.get(self.stack) {
            for_each_curve(stack, |curve| num_keys += curve.keyframes.len() as u64);
        }
        num_keys
    }

    fn key_times_secs(&self) -> Vec<f64> {
        self.key_times_secs.get_or_init(|| self.all_key_times()).clone()
    }
}
