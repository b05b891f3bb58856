//! Reports curves whose keys aren't stored in the order of their times, or share a time.
//!
//! The library searches such curves as if they were sorted. Its scene can't be changed, so they are played as they are.

use ufbx::{AnimProp, AnimStack, ElementType};

use super::morphs::AnimatedChannel;
use rigscope_core::model::check::{report_equal_times, report_unsorted_times};
use rigscope_core::model::{
    AnimatedProperty, BoneId, CurveAt, MeshId, Place, Report, as_u32, numbered,
};

/// The axes of a property, in the order of its curves.
const AXES: [&str; 3] = ["X", "Y", "Z"];

/// A stack and its targets in the model.
pub(super) struct KeyOrder<'a> {
    /// The number of its clip.
    pub(super) clip: usize,
    pub(super) stack: &'a AnimStack,
    pub(super) start_secs: f64,
    /// Node and bone.
    pub(super) moved: &'a [(usize, BoneId)],
    pub(super) channels: &'a [AnimatedChannel],
}

impl KeyOrder<'_> {
    /// Reports the curves of the stack, and returns those that aren't sorted.
    pub(super) fn check(&self, report: &Report) -> Vec<CurveAt> {
        let mut unsorted = Vec::new();
        let props = self.stack.layers.into_iter().flat_map(|layer| layer.anim_props.iter());
        for prop in props {
            let target = self.target(prop);
            let bone = target.and_then(|target| target.bone);
            let place = |time_secs: f64| {
                Place::moment(as_u32(self.clip), time_secs - self.start_secs, bone)
            };
            for (axis, curve) in AXES.into_iter().zip(&prop.anim_value.curves) {
                let Some(curve) = curve else { continue };
                let keys = curve.keyframes.iter();
                let times: Vec<f64> = keys.map(|key| key.time).collect();
                let subject = || {
                    let clip = numbered("clip", self.clip, &self.stack.element.name);
                    let (property, of) = (&*prop.prop_name, &*prop.element.name);
                    format!("{clip}, {property} {axis} of {of:?}")
                };
                if times.is_sorted() {
                    report_equal_times(&times, report, place, subject);
                } else {
                    let consequence = ", so it may be skipped or jump";
                    report_unsorted_times(&times, report, place, subject, consequence);
                    unsorted.extend(target);
                }
            }
        }
        unsorted
    }

    /// The curve of the model that a property belongs to; `None` for cameras, lights and the like.
    fn target(&self, prop: &AnimProp) -> Option<CurveAt> {
        let element = prop.element.typed_id as usize;
        if prop.element.type_ == ElementType::BlendChannel {
            let channel = self.channels.iter().find(|own| own.channel == element)?;
            let morph = Some((MeshId::from_index(channel.mesh), channel.target));
            return Some(CurveAt { bone: None, morph, property: AnimatedProperty::Weight });
        }
        let is_node = prop.element.type_ == ElementType::Node;
        let (_, bone) = self.moved.iter().find(|(node, _)| is_node && *node == element)?;
        let property = match &*prop.prop_name {
            "Lcl Translation" => AnimatedProperty::Translation,
            "Lcl Rotation" => AnimatedProperty::Rotation,
            "Lcl Scaling" => AnimatedProperty::Scale,
            _ => return None,
        };
        Some(CurveAt { bone: Some(*bone), morph: None, property })
    }
}
