//! Motion analysis: bone curves, ghosts of neighbouring keys, loop seams, root motion, a second
//! clip, and morph target weights.
//!
//! Settings that change the pose itself (second clip, weights, removal of root motion) are in
//! [`Playback`](super::Playback); this module contains the additional displays.
//!
//! Invariant: a result is computed again only when its inputs have changed, and only while it is
//! shown.

mod curves;
mod ghosts;
mod overlay;
mod root;
mod sample_times;
mod stretch;

use std::sync::Arc;

pub use curves::{Channel, CurveSpace, CurveSubject, Curves, CurvesView, RotationAs};
pub use ghosts::Onion;
pub use overlay::{LAYER_MISFIT, MorphRow};
pub use root::RootPath;
pub(super) use sample_times::sample_times;

use super::{
    Action, AppState, DISPLAY_UNITS, Derived, DerivedIn, ModelKey, Painter, Painting, Pane,
    Request, TaskSlot,
};
use curves::CurveKey;
use rigscope_core::model::{BoneId, ClipId, Motion, Report};
use rigscope_core::pose::{BlendError, Fade, LayerMode, Sampling, Stretch, blend_error};
use rigscope_core::validate::{BoneSeam, loop_seam};
use rigscope_core::visual::VertexPaint;
use root::RootKey;

const CURVES: TaskSlot = TaskSlot("reading curves");
const SEAM: TaskSlot = TaskSlot("measuring the loop seam");
const ROOT: TaskSlot = TaskSlot("tracing the root motion");
const ERROR: TaskSlot = TaskSlot("measuring linear blending");

/// An action on motion analysis.
#[derive(Clone, Debug)]
pub enum AnimationAction {
    /// Sets the interpolation between keys.
    SetSampling(Sampling),
    SetCurveSpace(CurveSpace),
    /// Sets the representation of rotations.
    SetRotationAs(RotationAs),
    SetOnion(Onion),
    /// Blends a clip with the current one; `None` removes it.
    SetLayer(Option<ClipId>),
    /// 0 to 1.
    SetLayerWeight(f32),
    SetLayerMode(LayerMode),
    /// Scales the second clip to the length of the current one, or not.
    SetLayerInStep(bool),
    /// Fades the second clip in; `None` gives it the same weight at all times.
    SetLayerFade(Option<Fade>),
    /// Sets the time of the pose from which an additive clip is measured; `None` is its start.
    SetLayerReference(Option<f64>),
    /// Limits the second clip to a bone and those below it; `None` applies it to all.
    SetLayerMask(Option<BoneId>),
    /// Sets the weight of a morph target, counted over all meshes; `None` uses the weight of the
    /// clip.
    SetMorph {
        /// Index over all meshes.
        target: usize,
        weight: Option<f32>,
    },
    /// Uses the weights of the clip for all morph targets.
    ResetMorphs,
    /// Shows an expression of the avatar, by its number.
    ShowExpression(usize),
    /// The curves have been computed.
    Curves(Arc<Curves>),
    /// The loop seam has been measured.
    Seam(Arc<Vec<BoneSeam>>),
    /// The root motion has been computed.
    Root(Arc<RootPath>),
    /// The blend error has been computed.
    Error(Arc<BlendError>),
    /// The edge stretch has been computed.
    Stretch(Arc<Stretch>),
    /// Shows an edge of the list at the time at which it is longest.
    ShowStretchedEdge(usize),
}

/// A clip, as the input of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipKey {
    model: ModelKey,
    clip: ClipId,
}

/// The state of motion analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationView {
    /// Curves of the selected bone.
    pub curves: CurvesView,
    /// Ghosts at neighbouring keys.
    pub onion: Onion,
    /// Whether the first key is shown as a ghost, for comparison with the last one.
    pub shows_seam: bool,
    /// The gap of each bone between the last key and the first, widest first.
    pub seam: Derived<ClipKey, Vec<BoneSeam>>,
    /// Whether the root motion is shown.
    pub shows_root: bool,
    /// The root motion.
    pub root: Derived<RootKey, RootPath>,
    /// The error of linear blending in the current clip.
    pub error: Derived<ClipKey, BlendError>,
    /// The edge stretch over all clips.
    pub stretch: Derived<ModelKey, Stretch>,
}

impl AppState {
    pub(super) fn apply_animation(&mut self, action: AnimationAction) -> Vec<Request> {
        match action {
            AnimationAction::SetSampling(sampling) => return self.set_sampling(sampling),
            AnimationAction::SetCurveSpace(space) => self.tab.view.animation.curves.space = space,
            AnimationAction::SetRotationAs(rotation_as) => {
                self.tab.view.animation.curves.rotation_as = rotation_as
            }
            AnimationAction::SetOnion(onion) => self.tab.view.animation.onion = onion.limited(),
            AnimationAction::SetLayer(clip) => self.set_layer(clip),
            AnimationAction::SetLayerWeight(weight) => {
                if let Some(layer) = &mut self.tab.playback.layer
                    && weight.is_finite()
                {
                    layer.weight = weight.clamp(0.0, 1.0);
                }
            }
            AnimationAction::SetLayerMode(mode) => {
                if let Some(layer) = &mut self.tab.playback.layer {
                    layer.mode = mode;
                }
            }
            AnimationAction::SetLayerInStep(is_in_step) => {
                if let Some(layer) = &mut self.tab.playback.layer {
                    layer.is_in_step = is_in_step;
                }
            }
            AnimationAction::SetLayerFade(fade) => self.set_layer_fade(fade),
            AnimationAction::SetLayerReference(time_secs) => {
                if let Some(layer) = &mut self.tab.playback.layer {
                    layer.reference_secs = time_secs.filter(|time_secs| time_secs.is_finite());
                }
            }
            AnimationAction::SetLayerMask(mask) => self.set_layer_mask(mask),
            AnimationAction::SetMorph { target, weight } => self.set_morph(target, weight),
            AnimationAction::ResetMorphs => self.tab.playback.morphs = Default::default(),
            AnimationAction::ShowExpression(number) => self.show_expression(number),
            AnimationAction::Curves(curves) => self.tab.view.animation.curves.shown.set(curves),
            AnimationAction::Seam(seam) => self.tab.view.animation.seam.set(seam),
            AnimationAction::Root(root) => self.root_found(root),
            AnimationAction::Stretch(stretch) => self.stretch_measured(stretch),
            AnimationAction::ShowStretchedEdge(number) => self.show_stretched_edge(number),
            AnimationAction::Error(error) => {
                self.tab.view.animation.error.set(error);
                self.paint_error();
            }
        }
        Vec::new()
    }

    /// Shows the loop seam: the end of the clip, with its first key as a ghost.
    pub(super) fn toggle_seam(&mut self) {
        let view = &mut self.tab.view.animation;
        view.shows_seam ^= true;
        if view.shows_seam {
            self.seek(self.clip_range().end_secs);
            self.bring_to_front(Pane::Animation);
        }
    }

    pub(super) fn toggle_onion(&mut self) {
        let onion = &mut self.tab.view.animation.onion;
        onion.is_on ^= true;
        // The default pose has no time to compare with.
        if onion.is_on && !self.tab.playback.shows_time() {
            self.seek(self.tab.playback.time_secs);
        }
    }

    /// Updates all results of motion analysis.
    pub(super) fn follow_animation(&mut self) -> Vec<Request> {
        self.follow_layer();
        let mut requests = self.follow_curves();
        requests.extend(self.follow_seam());
        requests.extend(self.follow_root());
        requests.extend(self.follow_error());
        requests.extend(self.follow_stretch());
        requests
    }

    fn clip_key(&self) -> Option<ClipKey> {
        Some(ClipKey {
            model: self.model_key()?,
            clip: self.tab.playback.clip.filter(|_| self.clip().is_some())?,
        })
    }

    fn follow_curves(&mut self) -> Vec<Request> {
        let place: DerivedIn<_, _> = |view| &mut view.animation.curves.shown;
        self.derive(CURVES, place, self.wanted_curves(), true, |_, key| {
            move |report: &Report| {
                let curves = Arc::new(key.read(report)?);
                Ok(Action::Animation(AnimationAction::Curves(curves)))
            }
        })
    }

    /// The inputs of the curves, while the pane is open.
    fn wanted_curves(&self) -> Option<CurveKey> {
        if !self.settings.panes.shows(Pane::Curves) {
            return None;
        }
        let ClipKey { model, clip } = self.clip_key()?;
        Some(CurveKey {
            model,
            clip,
            subject: self.curve_subject()?,
            sampling: self.tab.playback.sampling,
            space: self.tab.view.animation.curves.space,
        })
    }

    /// The subject of the curves: the bone of the selection, or the morph targets if no bone is selected or the
    /// clip moves none.
    pub fn curve_subject(&self) -> Option<CurveSubject> {
        let clip = self.clip()?;
        let moves_bones = match &clip.motion {
            Motion::Tracks(tracks) => !tracks.is_empty(),
            _ => true,
        };
        let has_morphs = !clip.morph_tracks.is_empty();
        let bone = self.subject_bone().filter(|_| moves_bones || !has_morphs);
        bone.map(CurveSubject::Bone).or_else(|| has_morphs.then_some(CurveSubject::Morphs))
    }

    fn follow_seam(&mut self) -> Vec<Request> {
        let key = self.clip_key().filter(|_| self.tab.view.animation.shows_seam);
        let place: DerivedIn<_, _> = |view| &mut view.animation.seam;
        self.derive(SEAM, place, key, true, |state, key| {
            let anchors = state.bone_anchors();
            move |_: &Report| {
                let in_place = RootKey::of_clip(&key).root_motion(&anchors);
                let seam = Arc::new(loop_seam(&key.model.0, key.clip, in_place));
                Ok(Action::Animation(AnimationAction::Seam(seam)))
            }
        })
    }

    /// The blend error is computed on request; its colours are removed when the clip changes.
    fn follow_error(&mut self) -> Vec<Request> {
        let key = self.clip_key();
        if self.tab.view.animation.error.key() != key.as_ref() {
            self.unpaint(Painter::BlendError);
        }
        let place: DerivedIn<_, _> = |view| &mut view.animation.error;
        self.derive(ERROR, place, key, false, |_, key| {
            move |report: &Report| {
                let error = Arc::new(blend_error(&key.model.0, key.clip, report)?);
                Ok(Action::Animation(AnimationAction::Error(error)))
            }
        })
    }

    /// Computes and shows the error of linear blending, or hides it.
    pub(super) fn measure_error(&mut self) {
        if self.painting_of(Painter::BlendError).is_some() {
            self.unpaint(Painter::BlendError);
        } else if self.clip().is_some() {
            self.bring_to_front(Pane::Animation);
            self.tab.view.animation.error.want();
            self.paint_error();
        }
    }

    /// Whether the blend error is being computed.
    pub fn is_measuring_blend_error(&self) -> bool {
        self.is_running(ERROR)
    }

    /// Whether the blend error is shown on the model.
    pub fn shows_blend_error(&self) -> bool {
        self.painting_of(Painter::BlendError).is_some()
    }

    /// Display units per file unit. Display units are metres if the file states its unit.
    pub fn display_scale(&self) -> f32 {
        let document = self.tab.document.as_ref();
        document.map_or(1.0, |document| document.model.axes.display_units_per_file_unit())
    }

    /// Whether display units are metres.
    pub fn is_in_meters(&self) -> bool {
        let document = self.tab.document.as_ref();
        document.is_some_and(|document| document.model.axes.unit_meters.is_some())
    }

    /// Shows the blend error, if it has been computed.
    fn paint_error(&mut self) {
        let Some(error) = self.tab.view.animation.error.get().cloned() else { return };
        if let Some(worst) = error.worst {
            let factor = self.display_scale();
            let values = error.distances.iter().map(|d| d * factor).collect();
            self.paint(Painting {
                painter: Painter::BlendError,
                pane: Some(Pane::Animation),
                title: "Deviation of linear blending".into(),
                paint: VertexPaint::Heat {
                    values: Arc::new(values),
                    low: 0.0,
                    high: worst.distance * factor,
                },
                unit: DISPLAY_UNITS,
                rows: Vec::new(),
            });
        }
    }
}

#[cfg(test)]
mod tests;
