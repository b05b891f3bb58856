//! The document's pose in terms of the second model: its clips, bones and morph targets.

use crate::{AppState, SecondModel};
use rigscope_core::compare::{ComparedPose, Comparison};
use rigscope_core::model::{
    BoneId, ClipId, DefaultPose, Model, MorphTarget, match_bones, match_clips,
};
use rigscope_core::pose::{
    ClipLayer, InPlace, Moment, MorphOverrides, PoseSpec, has_bind_pose, has_rest_pose,
};

/// The pose of the second model.
pub(crate) struct LinkedPose {
    pub(crate) spec: PoseSpec,
    /// Why this isn't the pose of the document, as a part of a sentence.
    pub(crate) gap: Option<String>,
    /// The name of the clip of the second model, if it corresponds to a clip with another name.
    pub(crate) other_clip: Option<String>,
}

impl AppState {
    /// The current pose for `other`, whose clips correspond as in a comparison.
    pub(crate) fn linked_pose(&self, other: &Model) -> LinkedPose {
        let own = self.tab.playback.pose_spec();
        let document = match (&self.tab.document, self.tab.view.second.shown) {
            (Some(document), Some(SecondModel::Compared)) => &document.model,
            // Other second models are copies of the document.
            _ => return LinkedPose { spec: own, gap: None, other_clip: None },
        };
        linked(document, other, own)
    }

    /// What the name of the compared model leaves out: that it isn't in the document's pose, or in which clip.
    pub(super) fn remark_on_compared_pose(&self, other: &Model) -> String {
        match self.linked_pose(other) {
            LinkedPose { gap: Some(gap), .. } => format!(" ({gap})"),
            LinkedPose { other_clip: Some(clip), .. } => format!(" (clip “{clip}”)"),
            _ => String::new(),
        }
    }

    /// Why the model that the document is compared with isn't in the document's pose, as a part of a sentence.
    pub fn pose_gap(&self) -> Option<String> {
        let other = self.tab.view.compare.other.as_ref()?;
        let is_shown = self.tab.view.second.shown == Some(SecondModel::Compared);
        is_shown.then(|| self.linked_pose(&other.model).gap)?
    }

    /// Why the numbers and colours of the comparison aren't about the pose in the view, as a sentence.
    pub fn uncompared_pose(&self) -> Option<String> {
        if let Some(gap) = self.pose_gap() {
            return Some(format!("{gap}, so the pose in the view isn't compared."));
        }
        let comparison = &self.tab.view.compare.compared()?.comparison;
        let document = &self.tab.document.as_ref()?.model;
        let spec = self.tab.playback.pose_spec();
        (!is_compared(document, comparison, &spec)).then(|| {
            let changes = match spec.moment {
                Moment::Rest => "the rest pose",
                Moment::Bind => "the bind pose",
                _ => "a second clip, removed root motion or weights set by hand",
            };
            format!("The pose in the view isn't compared: it is {changes}.")
        })
    }
}

/// Whether a comparison includes a pose of the document.
fn is_compared(document: &Model, comparison: &Comparison, spec: &PoseSpec) -> bool {
    let in_a = comparison.matching.pose_a;
    match spec.moment {
        Moment::Rest => {
            in_a == ComparedPose::Default
                && (document.default_pose == DefaultPose::Rest)
                && spec.morphs.is_empty()
        }
        Moment::Bind => in_a == ComparedPose::Stored && spec.morphs.is_empty(),
        _ => spec.is_plain(),
    }
}

fn linked(document: &Model, other: &Model, own: PoseSpec) -> LinkedPose {
    let mut gap = None;
    let pairs = match_clips(&document.clips, &other.clips);
    let mut clip_of = |clip: ClipId| -> Option<(ClipId, f64)> {
        let pair = pairs.iter().find(|(of_document, _)| *of_document == clip);
        let name = document.clips.get(clip).map_or("", |clip| &clip.name);
        match pair {
            Some(&(_, found)) => {
                let start = |model: &Model, clip: ClipId| model.clip(clip).start_secs;
                Some((found, start(other, found) - start(document, clip)))
            }
            None => {
                gap.get_or_insert_with(|| format!("B has no clip “{name}”"));
                None
            }
        }
    };
    let mut spec = PoseSpec {
        morphs: morphs(document, other, own.morphs),
        in_place: own.in_place.and_then(|in_place| {
            let bone = linked_bone(document, other, in_place.bone)?;
            Some(InPlace { bone, ..in_place })
        }),
        layer: own.layer.and_then(|layer| {
            let (clip, delay_secs) = clip_of(layer.clip)?;
            let mask = match layer.mask {
                Some(bone) => Some(linked_bone(document, other, bone)?),
                None => None,
            };
            let reference_secs = layer.reference_secs.map(|secs| secs + delay_secs);
            let time_secs = layer.time_secs + delay_secs;
            Some(ClipLayer { clip, time_secs, reference_secs, mask, ..layer })
        }),
        ..own
    };
    if own.moment.is_still() {
        let (is_missing, pose) = match own.moment {
            Moment::Rest => (!has_rest_pose(other), "rest"),
            _ => (!has_bind_pose(other), "bind"),
        };
        if is_missing {
            spec = PoseSpec { clip: None, moment: Moment::Default, layer: None, ..spec };
            gap = Some(format!("B has no {pose} pose"));
        }
    } else if let Some(clip) = own.clip.or((!document.clips.is_empty()).then_some(ClipId(0))) {
        match clip_of(clip) {
            Some((found, delay_secs)) => {
                spec.clip = Some(found);
                if let Moment::TimeSecs(secs) = own.moment {
                    spec.moment = Moment::TimeSecs(secs + delay_secs);
                }
            }
            None => spec = PoseSpec { clip: None, moment: Moment::Default, layer: None, ..spec },
        }
    }
    let names = (own.clip_of(document), spec.clip_of(other));
    let other_clip = match names {
        (Some(own), Some(found)) if gap.is_none() => {
            (own.name != found.name).then(|| found.name.clone())
        }
        _ => None,
    };
    LinkedPose { spec, gap, other_clip }
}

/// The names of all morph targets, in the order in which overrides count them.
fn target_names(model: &Model) -> Vec<&str> {
    let targets = model.meshes.iter().flat_map(|mesh| &mesh.morph_targets);
    targets.map(|target: &MorphTarget| target.name.as_str()).collect()
}

/// Weights set by hand, for the targets of `other` with the same names.
fn morphs(document: &Model, other: &Model, own: MorphOverrides) -> MorphOverrides {
    let (names, others) = (target_names(document), target_names(other));
    if own.is_empty() || names == others {
        return own;
    }
    let mut linked = MorphOverrides::default();
    for (target, weight) in own.iter() {
        let name = names.get(target).copied().unwrap_or_default();
        let found = others.iter().enumerate().filter(|(_, other)| **other == name);
        for (found, _) in found {
            linked.set(found, Some(weight));
        }
    }
    linked
}

fn linked_bone(document: &Model, other: &Model, bone: BoneId) -> Option<BoneId> {
    match_bones(&document.skeleton, &other.skeleton).get(bone).copied().flatten()
}
