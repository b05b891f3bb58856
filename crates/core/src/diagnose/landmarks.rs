//! Body parts, identified by bone names: hips, head and feet.

use glam::Vec3;

use crate::model::{BoneId, BoneKind, Model};
use crate::pose::Pose;

const HIPS: &[&str] = &["hip", "pelvis"];
const HEAD: &[&str] = &["head"];
const FEET: &[&str] = &["foot", "feet", "ankle"];
const TOES: &[&str] = &["toe", "ball"];
/// Words in the names of controls and helpers, which aren't body parts.
const NOT_PARTS: &[&str] = &["ik", "pole", "target", "ctrl", "control", "helper", "headband"];

/// The bones of body parts.
#[derive(Debug, Default)]
pub(super) struct Landmarks {
    hips: Vec<BoneId>,
    head: Vec<BoneId>,
    feet: Vec<BoneId>,
    toes: Vec<BoneId>,
}

/// The direction and the height of a body in a pose.
pub(super) struct Body {
    /// From the feet to the hips.
    pub(super) up: Vec3,
    /// The distance from the feet to the head.
    pub(super) height: Option<f32>,
}

impl Landmarks {
    pub(super) fn of(model: &Model) -> Self {
        let mut found = Self::default();
        for (id, bone) in model.skeleton.bones().iter_enumerated() {
            if bone.kind != BoneKind::Bone {
                continue;
            }
            let name = bone.name.to_lowercase();
            let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphabetic()).collect();
            if words.iter().any(|word| NOT_PARTS.contains(word)) {
                continue;
            }
            let is = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
            let list = if is(TOES) {
                Some(&mut found.toes)
            } else if is(FEET) {
                Some(&mut found.feet)
            } else if is(HIPS) {
                Some(&mut found.hips)
            } else if is(HEAD) {
                Some(&mut found.head)
            } else {
                None
            };
            if let Some(list) = list {
                list.push(id);
            }
        }
        found
    }

    /// Whether hips and feet were found.
    pub(super) fn is_body(&self) -> bool {
        !self.hips.is_empty() && self.feet.len() + self.toes.len() >= 2
    }

    /// The body in a pose, in display space.
    pub(super) fn body(&self, model: &Model, pose: &Pose) -> Option<Body> {
        if !self.is_body() {
            return None;
        }
        let to_display = model.axes.display_from_file();
        let center = |bones: &[BoneId]| {
            let places = bones.iter().filter_map(|bone| pose.model_from_bone.get(*bone));
            let sum: Vec3 =
                places.map(|at| to_display.transform_point3(at.translation.into())).sum();
            (!bones.is_empty()).then(|| sum / bones.len() as f32)
        };
        let feet = center(&self.feet).or_else(|| center(&self.toes))?;
        let hips = center(self.hips.get(..1)?)?;
        let head = center(&self.head);
        Some(Body { up: hips - feet, height: head.map(|head| (head - feet).length()) })
    }
}
