//! The Bone pairs pane: which bones of added animations move which bones of the model.
//!
//! A change of a pair reloads the model with the stated pairs, which the reader prefers to its own. They can be saved in a
//! file next to the model, where the reader finds them.

use crate::{AppState, JobId, JobOwner, RelatedFileRow, Request, ToastLevel};
use rigscope_core::model::{BoneId, PairedBone, PairedBones, SpaceChange};
use rigscope_core::pose::{PoseSpec, sample};
use rigscope_core::rig::{BoneMap, BoneMapEntry};
use rigscope_core::visual::{Line, Marks, SOURCE_SKELETON, opaque};
use rigscope_io::formats::bone_map_text;

/// The state of the pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BonePairsView {
    /// The animation that is shown, by the name of its file; `None` for the first one.
    pub file: Option<String>,
    /// The chosen bone of the animation.
    pub chosen: Option<BoneId>,
    /// Whether the skeleton of the animation is drawn over the model, in the pose that the model's was made from.
    pub shows_source: bool,
    /// Pairs stated by the user that aren't saved.
    pub stated: BoneMap,
    saving: Option<JobId>,
}

/// An action on the pairs.
#[derive(Clone, Debug, PartialEq)]
pub enum BonePairsAction {
    /// Shows the animation in this file.
    ShowFile(String),
    /// Chooses a bone of the animation, and selects its counterpart.
    Choose(BoneId),
    /// Makes the chosen bone and this bone of the model a pair, or separates them if they are one.
    Pair(BoneId),
    /// Leaves the bone of the animation without a counterpart.
    Unpair(BoneId),
    /// Shows or hides the skeleton of the animation.
    ShowSource(bool),
    /// Discards the changes that aren't saved.
    Discard,
    /// Saves the pairs next to the model, or copies them if it isn't a file.
    Save,
    /// The pairs have been saved in the file with this name.
    Saved { id: JobId, result: Result<String, String> },
}

impl AppState {
    /// The added animations with bones.
    pub fn paired_files(&self) -> impl Iterator<Item = (&RelatedFileRow, &PairedBones)> {
        let rows = self.tab.document.iter().flat_map(|document| &document.around);
        rows.filter_map(|row| Some((row, &**row.file.bones.as_ref()?)))
    }

    /// The animation that the pane shows.
    pub fn paired_file(&self) -> Option<(&RelatedFileRow, &PairedBones)> {
        let wanted = self.tab.view.bone_pairs.file.as_deref();
        let is_wanted = |row: &RelatedFileRow| Some(&*row.file.file) == wanted;
        self.paired_files().find(|(row, _)| is_wanted(row)).or_else(|| self.paired_files().next())
    }

    fn paired_bone(&self, bone: BoneId) -> Option<&PairedBone> {
        self.paired_file()?.1.bones.get(bone.index())
    }

    pub(crate) fn apply_bone_pairs(&mut self, action: BonePairsAction) -> Vec<Request> {
        match action {
            BonePairsAction::ShowFile(name) => {
                self.tab.view.bone_pairs.file = Some(name);
                self.tab.view.bone_pairs.chosen = None;
            }
            BonePairsAction::Choose(bone) => {
                let to = self.paired_bone(bone).and_then(|own| own.to);
                self.tab.view.bone_pairs.chosen = Some(bone);
                if let Some(to) = to {
                    self.select(crate::Selection::Bone(to));
                }
            }
            BonePairsAction::Pair(to) => {
                let Some(chosen) = self.tab.view.bone_pairs.chosen else { return Vec::new() };
                let is_pair = self.paired_bone(chosen).is_some_and(|own| own.to == Some(to));
                return self.pair(chosen, (!is_pair).then_some(to));
            }
            BonePairsAction::Unpair(bone) => return self.pair(bone, None),
            BonePairsAction::ShowSource(is_shown) => {
                self.tab.view.bone_pairs.shows_source = is_shown
            }
            BonePairsAction::Discard => return self.state_bone_pairs(BoneMap::default()),
            BonePairsAction::Save => return self.save_bone_pairs(),
            BonePairsAction::Saved { id, result } => return self.bone_pairs_saved(id, result),
        }
        Vec::new()
    }

    /// Draws the skeleton from which the current clip was made, in the same moment and in the size of the model.
    pub(crate) fn add_source_skeleton(&self, marks: &mut Marks) {
        let Some(document) = &self.tab.document else { return };
        let spec = self.tab.playback.pose_spec();
        let Some(clip) = spec.clip.filter(|_| self.tab.view.bone_pairs.shows_source) else {
            return;
        };
        let sources = self.paired_files().map(|(_, paired)| &paired.source);
        let found = sources.filter_map(|source| Some((source, source.of(clip)?))).next();
        let Some((source, clip)) = found else { return };
        let animation = &*source.animation;
        let pose = sample(
            animation,
            &PoseSpec {
                clip: Some(clip),
                moment: spec.moment,
                sampling: spec.sampling,
                ..PoseSpec::default()
            },
        );
        let change = SpaceChange::between(&animation.axes, &document.model.axes);
        let display_from_file = document.model.axes.display_from_file();
        let place = |bone: BoneId| {
            let place = pose.model_from_bone.get(bone)?.translation;
            Some(
                display_from_file
                    .transform_point3(change.point(place.into()) * source.length_ratio),
            )
        };
        for (bone, own) in animation.skeleton.bones().iter_enumerated() {
            let parent =
                own.parent.filter(|parent| !animation.skeleton.bones()[*parent].is_helper());
            if let (false, Some(from), Some(to)) =
                (own.is_helper(), parent.and_then(place), place(bone))
            {
                let color = opaque(SOURCE_SKELETON);
                marks.lines_on_top.push(Line { from, to, color, width_points: 2.0 });
            }
        }
    }

    fn pair(&mut self, from: BoneId, to: Option<BoneId>) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let bones = document.model.skeleton.bones();
        let to = to.and_then(|to| bones.get(to)).map(|bone| bone.name.clone());
        let Some(from) = self.paired_bone(from).map(|bone| bone.name.clone()) else {
            return Vec::new();
        };
        let mut map = self.tab.view.bone_pairs.stated.clone();
        map.entries.retain(|own| own.from != from && (own.to.is_none() || own.to != to));
        map.entries.push(BoneMapEntry { from, to });
        self.state_bone_pairs(map)
    }

    /// Replaces the pairs stated by the user, and reloads the model if they differ.
    pub(crate) fn state_bone_pairs(&mut self, map: BoneMap) -> Vec<Request> {
        if self.tab.view.bone_pairs.stated == map {
            return Vec::new();
        }
        self.tab.view.bone_pairs.stated = map;
        let request = self.reload_request();
        request.map_or_else(Vec::new, |request| self.start_job(request))
    }

    fn save_bone_pairs(&mut self) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let map = self.tab.view.bone_pairs.stated.clone();
        let Some(model) = document.origin.path().map(ToOwned::to_owned) else {
            return vec![Request::CopyText(bone_map_text(&map))];
        };
        let id = self.new_job(JobOwner::BoneMap);
        self.tab.view.bone_pairs.saving = Some(id);
        vec![Request::SaveBoneMap { id, model, map }]
    }

    fn bone_pairs_saved(&mut self, id: JobId, result: Result<String, String>) -> Vec<Request> {
        // Otherwise another model is shown now.
        let is_own = self.tab.view.bone_pairs.saving.take_if(|saving| *saving == id).is_some();
        match result {
            Ok(name) => {
                let text = format!(
                    "saved {name}, which is used whenever the model is opened with an animation"
                );
                self.toasts.push(ToastLevel::Info, text);
                if is_own { self.state_bone_pairs(BoneMap::default()) } else { Vec::new() }
            }
            Err(message) => {
                self.toasts.push(ToastLevel::Error, message);
                Vec::new()
            }
        }
    }
}
