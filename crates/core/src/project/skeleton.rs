//! A skeleton that all models share.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::report_all;
use crate::model::{Bone, BoneId, FindingKind, Model, Place, Report, Skeleton, numbers};

/// The skeleton of a reference file.
#[derive(Clone, Debug)]
pub struct SkeletonRule {
    /// The reference.
    pub model: Arc<Model>,
    /// The largest distance of a bone from its place in the reference, in units of the reference skeleton's size.
    pub tolerance: f64,
}

impl SkeletonRule {
    /// Compares names, parents and the rest pose. A model may have further bones.
    pub(super) fn check(&self, model: &Model, report: &Report) {
        if model.skeleton.is_empty() {
            return;
        }
        let (wanted, own) = (&self.model.skeleton, &model.skeleton);
        let by_name: HashMap<&str, BoneId> = (own.bones().iter_enumerated())
            .filter(|(_, bone)| !bone.name.is_empty())
            .map(|(id, bone)| (&*bone.name, id))
            .collect();
        let counterpart = |bone: &Bone| by_name.get(&*bone.name).copied();
        let named = || wanted.bones().iter_enumerated().filter(|(_, bone)| !bone.name.is_empty());

        let mut found = Vec::new();
        let mut missing = named().filter(|(_, bone)| counterpart(bone).is_none());
        if let Some((_, first)) = missing.next() {
            let num = 1 + missing.count() as u64;
            let text = format!("bone {:?} of the reference is missing", first.name);
            found.push((Place::File, text, num));
        }
        let parent = |skeleton: &Skeleton, bone: &Bone| {
            let parent = bone.parent.map(|parent| skeleton.bones()[parent].name.clone());
            parent.unwrap_or_default()
        };
        let mut reparented = named().filter_map(|(_, bone)| {
            let id = counterpart(bone)?;
            let (before, after) = (parent(wanted, bone), parent(own, &own.bones()[id]));
            (before != after).then(|| (id, bone.name.clone(), before, after))
        });
        if let Some((id, name, before, after)) = reparented.next() {
            let num = 1 + reparented.count() as u64;
            let parent = |name: &str| match name {
                "" => "no parent".to_owned(),
                name => format!("the parent {name:?}"),
            };
            let text =
                format!("bone {name:?} has {} instead of {}", parent(&after), parent(&before));
            found.push((Place::Bone(id.0), text, num));
        }
        found.extend(self.check_rest(model, &by_name));
        report_all(FindingKind::SkeletonMismatch, found, report);
    }

    fn check_rest(
        &self,
        model: &Model,
        by_name: &HashMap<&str, BoneId>,
    ) -> Option<(Place, String, u64)> {
        let (wanted, own) = (heads(&self.model), heads(model));
        let bounds = crate::model::Aabb::from_points(wanted.iter().copied());
        let size = f64::from(bounds.extent()).max(f64::MIN_POSITIVE);
        let mut worst: Option<(BoneId, String, f64)> = None;
        let mut num = 0;
        for (id, bone) in self.model.skeleton.bones().iter_enumerated() {
            let Some(&counterpart) = by_name.get(&*bone.name) else { continue };
            let (a, b) = (wanted.get(id.index()), own.get(counterpart.index()));
            let (Some(a), Some(b)) = (a, b) else { continue };
            let distance = f64::from(a.distance(*b)) / size;
            if distance > self.tolerance {
                num += 1;
                if worst.as_ref().is_none_or(|(_, _, most)| distance > *most) {
                    worst = Some((counterpart, bone.name.clone(), distance));
                }
            }
        }
        let (id, name, distance) = worst?;
        let (distance, most) = (numbers::percent(distance), numbers::percent(self.tolerance));
        let text = format!(
            "bone {name:?} is {distance} of the skeleton's size from its place in the reference at rest; {most} is allowed"
        );
        Some((Place::Bone(id.0), text, num))
    }
}

/// Heads of all bones at rest, display space.
fn heads(model: &Model) -> Vec<Vec3> {
    let skeleton = &model.skeleton;
    let mut model_from_bone = vec![Affine3A::IDENTITY; skeleton.len()];
    for &bone in skeleton.parents_first() {
        let parent = skeleton.bones()[bone].parent;
        let model_from_parent =
            parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent.index()]);
        model_from_bone[bone.index()] = model_from_parent * skeleton.rest_locals()[bone];
    }
    let display_from_file = model.axes.display_from_file();
    let heads = model_from_bone.iter();
    heads.map(|bone| (display_from_file * *bone).translation.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::ModelBuilder;

    fn check(bones: &[(&str, Option<u32>, Vec3)]) -> Vec<String> {
        let reference =
            [("hips", None, Vec3::Y), ("arm", Some(0), Vec3::X), ("hand", Some(1), Vec3::X)];
        let reference = ModelBuilder::new().bones(&reference).build();
        let rule = SkeletonRule { model: Arc::new(reference), tolerance: 0.01 };
        let report = Report::new();
        rule.check(&ModelBuilder::new().bones(bones).build(), &report);
        report.findings().into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn names_parents_and_places_are_compared() {
        let [hips, arm, hand] =
            [("hips", None, Vec3::Y), ("arm", Some(0), Vec3::X), ("hand", Some(1), Vec3::X)];
        assert!(check(&[hips, arm, hand, ("socket", Some(2), Vec3::Z)]).is_empty());
        assert!(check(&[]).is_empty(), "no skeleton");
        assert_eq!(check(&[hips, arm]), ["bone \"hand\" of the reference is missing"]);
        let other = check(&[hips, arm, ("hand", Some(0), Vec3::X * 2.0)]);
        assert_eq!(other, ["bone \"hand\" has the parent \"hips\" instead of the parent \"arm\""]);
        let moved = check(&[hips, arm, ("hand", Some(1), Vec3::X * 1.1)]);
        assert!(moved[0].starts_with("bone \"hand\" is 5 % of the skeleton's size"), "{moved:?}");
        assert_eq!(moved.len(), 1);
    }
}
