//! Overlays on the current pose: a second clip and morph target weights.

use std::sync::Arc;

use super::super::{AppState, ToastLevel};
use rigscope_core::model::{BoneId, ClipId, MorphTarget};
use rigscope_core::pose::{ClipLayer, Fade, SecondClip, clip_span_secs};

/// The reason why two clips can't be blended.
pub const LAYER_MISFIT: &str = "both clips need bone-local keys, or both baked skinning matrices";

/// A morph target in the list over all meshes.
#[derive(Clone, Copy, Debug)]
pub struct MorphRow<'a> {
    /// Index over all meshes.
    pub target: usize,
    pub info: &'a MorphTarget,
}

impl AppState {
    /// The morph targets of all meshes.
    pub fn morph_rows(&self) -> Vec<MorphRow<'_>> {
        let meshes = self.tab.document.iter().flat_map(|document| &document.model.meshes);
        let targets = meshes.flat_map(|mesh| &mesh.morph_targets);
        let row = |(target, info)| MorphRow { target, info };
        targets.enumerate().map(row).collect()
    }

    /// Their weights in the current pose.
    pub fn morph_weights(&self) -> Vec<f32> {
        self.pose().map_or_else(Vec::new, |pose| pose.morph_weights.concat())
    }

    /// The time range of `clip`.
    fn span_of(&self, clip: ClipId) -> Option<[f64; 2]> {
        self.tab.document.as_ref()?.model.clips.get(clip).map(clip_span_secs)
    }

    /// Whether the second clip can be limited to some bones.
    pub fn layer_can_be_masked(&self) -> bool {
        let document = self.tab.document.as_ref();
        let clip = document.zip(self.tab.playback.layer);
        let clip = clip.and_then(|(document, layer)| document.model.clips.get(layer.clip));
        clip.is_some_and(ClipLayer::can_be_masked)
    }

    pub(super) fn set_layer_fade(&mut self, fade: Option<Fade>) {
        let is_finite = |fade: &Fade| fade.start_secs.is_finite() && fade.duration_secs.is_finite();
        let fade = fade.filter(is_finite);
        let fade = fade.map(|fade| Fade { duration_secs: fade.duration_secs.max(0.0), ..fade });
        if let Some(layer) = &mut self.tab.playback.layer {
            // A game fades to the whole of the next clip.
            if layer.fade.is_none() && fade.is_some() {
                layer.weight = 1.0;
            }
            layer.fade = fade;
        }
    }

    pub(super) fn set_layer_mask(&mut self, mask: Option<BoneId>) {
        let num_bones = self.tab.document.as_ref().map_or(0, |own| own.model.skeleton.len());
        let can_mask = self.layer_can_be_masked();
        if let Some(layer) = &mut self.tab.playback.layer {
            layer.mask = mask.filter(|bone| can_mask && bone.index() < num_bones);
        }
    }

    /// Whether `over` can be blended with the current clip.
    pub fn layer_fits(&self, over: ClipId) -> bool {
        let Some(document) = &self.tab.document else { return false };
        let clip = |id: ClipId| document.model.clips.get(id);
        let base = self.tab.playback.clip.and_then(clip);
        let both = base.zip(clip(over));
        both.is_some_and(|(base, over)| ClipLayer::fits(base, over))
    }

    pub(super) fn set_layer(&mut self, clip: Option<ClipId>) {
        let Some((clip, span)) = clip.and_then(|clip| Some((clip, self.span_of(clip)?))) else {
            self.tab.playback.layer = None;
            return;
        };
        if !self.layer_fits(clip) {
            let name = |clip: ClipId| Some(self.tab.document.as_ref()?.clip_name(clip.index()));
            let base = self.tab.playback.clip.and_then(name).unwrap_or_default();
            let over = name(clip).unwrap_or_default();
            let text = format!("{over} can't be blended with {base}: {LAYER_MISFIT}");
            self.toasts.push(ToastLevel::Warning, text);
            return;
        }
        let base = self.clip_range();
        let old = self.tab.playback.layer;
        let base = [base.start_secs, base.end_secs];
        self.tab.playback.layer = Some(match old {
            // The reference is a time of the old clip.
            Some(old) => {
                SecondClip { clip, span_secs: span, base_secs: base, reference_secs: None, ..old }
            }
            None => SecondClip { weight: 0.5, ..SecondClip::new(clip, span, base) },
        });
        // The default pose isn't blended, so switch to the current time.
        if !self.tab.playback.shows_time() {
            self.seek(self.tab.playback.time_secs);
        }
    }

    /// Updates the time ranges of the layer, and removes it if its clip no longer exists.
    pub(super) fn follow_layer(&mut self) {
        let Some(layer) = self.tab.playback.layer else { return };
        let (span, base) = (self.span_of(layer.clip), self.clip_range());
        let base_secs = [base.start_secs, base.end_secs];
        let num_bones = self.tab.document.as_ref().map_or(0, |own| own.model.skeleton.len());
        let mask = layer.mask.filter(|bone| bone.index() < num_bones);
        self.tab.playback.layer =
            span.map(|span_secs| SecondClip { span_secs, base_secs, mask, ..layer });
    }

    /// Replaces all set weights by those of an expression; of the others, the weight is 0.
    pub(super) fn show_expression(&mut self, number: usize) {
        let document = self.tab.document.as_ref();
        let model = document.map(|document| Arc::clone(&document.model));
        let Some(avatar) = model.as_ref().and_then(|model| model.avatar.as_ref()) else { return };
        let Some(expression) = avatar.expressions.get(number) else { return };
        self.tab.playback.morphs = Default::default();
        for weight in &expression.weights {
            let before = model.iter().flat_map(|model| &model.meshes).take(weight.mesh.index());
            let first: usize = before.map(|mesh| mesh.morph_targets.len()).sum();
            self.set_morph(first + weight.target, Some(weight.weight));
        }
    }

    pub(super) fn set_morph(&mut self, target: usize, weight: Option<f32>) {
        let exists = self.morph_rows().len() > target;
        if exists && !self.tab.playback.morphs.set(target, weight) {
            let text = "too many morph target weights are set; reset some first";
            self.toasts.push(ToastLevel::Warning, text);
        }
    }
}
