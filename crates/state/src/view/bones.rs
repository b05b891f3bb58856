//! Bone display: visible bones and their size, and additional drawings such as axes, boxes, rest
//! and bind skeleton, and motion path.
//!
//! Invariant: data that depends only on the model and the selection is computed when they change,
//! not per frame.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::weights::ModelIdentity;
use crate::{
    Action, AppState, Derived, DerivedIn, Document, KeyTimes, ModelKey, Request, TaskSlot,
};
use rigscope_core::model::{BoneId, Cancelled, ClipId, IdVec, Model, Report, Skin};
use rigscope_core::pose::{
    BoneAnchors, BoneShape, Pose, PoseSpec, bone_frames, bone_shapes, sample,
};
use rigscope_core::visual::{
    BIND_SKELETON, BONE_BOX, Line, MOTION_PATH, Marks, REST_SKELETON, bone_colors, opaque,
};

/// Computes a motion path.
const SLOT: TaskSlot = TaskSlot("tracing the motion path");
/// Smallest and largest size of bones.
pub const BONE_SIZES: std::ops::RangeInclusive<f32> = 0.2..=5.0;
/// Factor per step.
const SIZE_STEP: f32 = 1.25;
/// Most axes to draw; more are unreadable.
const MAX_AXES: usize = 2000;
/// Samples per second of a motion path between keys.
const PATH_FPS: f64 = 30.0;
/// Most points of a motion path.
const MAX_PATH_POINTS: usize = 4000;
/// Most dots at keys; more would merge into a band.
const MAX_PATH_DOTS: usize = 500;
/// Size of a dot relative to the size of the model.
const DOT: f32 = 0.003;

/// An action on the bone display.
#[derive(Clone, Debug)]
pub enum BonesAction {
    /// Hides a bone and its descendants.
    Hide(BoneId),
    /// Shows only a bone and its descendants; `None` shows all bones.
    Isolate(Option<BoneId>),
    ShowAll,
    /// Sets the size of bones.
    SetSize(f32),
    /// A motion path has been computed.
    MotionPathReady(Arc<MotionPath>),
}

/// The motion path of a bone's head through a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionPath {
    /// Display space, in order of time.
    pub points: Vec<Vec3>,
    /// The positions at keys.
    pub dots: Vec<Vec3>,
}

/// The inputs of a motion path.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionPathKey {
    model: ModelKey,
    bone: BoneId,
    clip: Option<ClipId>,
}

/// Bone display settings for all documents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoneDrawing {
    /// Size factor; 1 is the default.
    pub size: f32,
}

impl Default for BoneDrawing {
    fn default() -> Self {
        Self { size: 1.0 }
    }
}

impl BoneDrawing {
    /// The size factor, clamped to [`BONE_SIZES`]; 1 if the file contains an invalid number.
    pub fn usable_size(&self) -> f32 {
        if self.size.is_finite() {
            self.size.clamp(*BONE_SIZES.start(), *BONE_SIZES.end())
        } else {
            1.0
        }
    }
}

/// The bone display of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BonesView {
    /// Bones hidden with their descendants.
    pub hidden: BTreeSet<BoneId>,
    /// The root of the only visible branch.
    pub isolated: Option<BoneId>,
    /// Per bone, whether it is drawn.
    pub shown: Arc<IdVec<BoneId, bool>>,
    /// Linear RGB per bone.
    pub colors: Arc<Vec<[f32; 3]>>,
    /// The motion path of the selected bone.
    pub motion_path: Derived<MotionPathKey, MotionPath>,
    /// Per bone, whether it has no children.
    leaves: Arc<IdVec<BoneId, bool>>,
    rest: Arc<Vec<BoneShape>>,
    bind: Arc<Vec<BoneShape>>,
    boxes: Option<Arc<IdVec<BoneId, Vec3>>>,
    made_for: ModelIdentity,
    colored_for: Option<[Option<BoneId>; 2]>,
}

impl BonesView {
    /// The default for `document`.
    fn of(document: &Document) -> Self {
        let model = &document.model;
        let children = model.skeleton.shown_children();
        let has_parents = model.skeleton.has_hierarchy();
        let shapes = |pose: Option<Pose>| {
            pose.map_or_else(Vec::new, |pose| bone_shapes(model, &pose, &document.anchors))
        };
        Self {
            shown: Arc::new(IdVec::filled(true, model.skeleton.bones())),
            leaves: Arc::new(children.iter().map(Vec::is_empty).collect()),
            rest: Arc::new(shapes(has_parents.then(|| rest_pose(model)))),
            bind: Arc::new(shapes(bind_pose(model).filter(|_| has_parents))),
            made_for: ModelIdentity::new(document),
            ..Self::default()
        }
    }

    /// Whether `bone` is drawn.
    pub fn shows(&self, bone: BoneId) -> bool {
        self.shown.get(bone).copied().unwrap_or(true)
    }

    /// Whether any bones are hidden.
    pub fn hides_some(&self) -> bool {
        self.isolated.is_some() || !self.hidden.is_empty()
    }

    /// Whether the model has a rest skeleton.
    pub fn has_rest(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Whether the model has a bind skeleton.
    pub fn has_bind(&self) -> bool {
        !self.bind.is_empty()
    }
}

impl AppState {
    pub(crate) fn apply_bones(&mut self, action: BonesAction) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let skeleton = &document.model.skeleton;
        let exists = |bone: &BoneId| skeleton.bones().contains_id(*bone);
        let bones = &mut self.tab.view.bones;
        match action {
            BonesAction::Hide(bone) => {
                if exists(&bone) {
                    bones.hidden.insert(bone);
                }
            }
            BonesAction::Isolate(bone) => bones.isolated = bone.filter(exists),
            BonesAction::ShowAll => {
                bones.hidden.clear();
                bones.isolated = None;
            }
            BonesAction::SetSize(size) => {
                if size.is_finite() {
                    self.settings.bones.size = size;
                    self.settings.bones.size = self.settings.bones.usable_size();
                }
                return vec![Request::SaveSettings];
            }
            BonesAction::MotionPathReady(path) => bones.motion_path.set(path),
        }
        let mut shown = IdVec::filled(bones.isolated.is_none(), skeleton.bones());
        for &bone in skeleton.parents_first() {
            let inherited = skeleton.bones()[bone].parent.map_or(shown[bone], |above| shown[above]);
            shown[bone] =
                (inherited || bones.isolated == Some(bone)) && !bones.hidden.contains(&bone);
        }
        bones.shown = Arc::new(shown);
        Vec::new()
    }

    /// Changes the size of bones by one step.
    pub(crate) fn scale_bones(&mut self, is_larger: bool) -> Vec<Request> {
        let factor = if is_larger { SIZE_STEP } else { 1.0 / SIZE_STEP };
        self.tab.view.overlays.bones = true;
        let size = self.settings.bones.usable_size() * factor;
        self.apply_bones(BonesAction::SetSize(size))
    }

    /// Hides the selected bone and its descendants.
    pub(crate) fn hide_branch(&mut self) {
        if let Some(bone) = self.tab.selection.bone() {
            let _ = self.apply_bones(BonesAction::Hide(bone));
        }
    }

    /// Shows only the selected bone and its descendants, or all bones if they are isolated already.
    pub(crate) fn isolate_branch(&mut self) {
        let bone = self.tab.selection.bone();
        let bone = bone.filter(|_| self.tab.view.bones.isolated != bone);
        let _ = self.apply_bones(BonesAction::Isolate(bone));
    }

    /// Whether the file has boxes that represent bones.
    pub fn has_bone_boxes(&self) -> bool {
        let document = self.tab.document.as_ref();
        document.is_some_and(|document| {
            let mut bones = document.model.skeleton.bones().iter();
            bones.any(|bone| bone.box_size.is_some())
        })
    }

    /// The visible ones of `shapes`, with leaves scaled by the size factor.
    pub(crate) fn drawn_shapes(&self, mut shapes: Vec<BoneShape>) -> Vec<BoneShape> {
        let (bones, size) = (&self.tab.view.bones, self.settings.bones.usable_size());
        shapes.retain(|shape| bones.shows(shape.bone));
        for shape in &mut shapes {
            if bones.leaves.get(shape.bone) == Some(&true) {
                shape.tail = shape.head + (shape.tail - shape.head) * size;
            }
        }
        shapes
    }

    /// Updates colours, boxes and motion path to the selection.
    pub(crate) fn follow_bones(&mut self) -> Vec<Request> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        let bones = &mut self.tab.view.bones;
        if !bones.made_for.is(&document.model) {
            let fresh = BonesView::of(document);
            let old = std::mem::replace(bones, fresh);
            if old.made_for.is_reload_of(document) {
                bones.hidden = old.hidden;
                bones.isolated = old.isolated;
                bones.shown = old.shown;
            }
        }
        let (selected, locked) = (self.tab.selection.bone(), self.tab.view.weights.locked);
        if bones.colored_for != Some([selected, locked]) {
            bones.colored_for = Some([selected, locked]);
            let skeleton = &document.model.skeleton;
            let colors = bone_colors(skeleton, &document.used_bones, selected, locked);
            bones.colors = Arc::new(colors);
        }
        if self.tab.view.overlays.bone_boxes && bones.boxes.is_none() {
            let all = document.model.skeleton.bones().iter();
            let sizes: Option<IdVec<_, _>> = all.map(|bone| bone.box_size).collect();
            bones.boxes = Some(Arc::new(sizes.unwrap_or_default()));
        }
        let wanted = selected.filter(|_| self.tab.view.overlays.motion_path);
        let key = wanted.map(|bone| MotionPathKey {
            model: ModelKey(Arc::clone(&document.model)),
            bone,
            clip: self.tab.playback.clip,
        });
        let place: DerivedIn<_, _> = |view| &mut view.bones.motion_path;
        self.derive(SLOT, place, key, true, |state, key| {
            let (anchors, times) = (state.bone_anchors(), state.key_times().cloned());
            move |report: &Report| {
                let path = motion_path_of(&key, &anchors, times.as_ref(), report)?;
                Ok(Action::Bones(BonesAction::MotionPathReady(Arc::new(path))))
            }
        })
    }

    /// A copy of the document's bone anchors, for a task.
    pub(crate) fn bone_anchors(&self) -> BoneAnchors {
        let document = self.tab.document.as_ref();
        document.map_or_else(BoneAnchors::default, |document| document.anchors.clone())
    }

    /// The frames of bones whose axes or boxes are drawn, file space.
    pub(crate) fn drawn_frames(&self) -> Vec<(BoneId, Affine3A)> {
        let overlays = &self.tab.view.overlays;
        let document = self.tab.document.as_ref();
        let document = document.filter(|_| overlays.bone_axes || overlays.bone_boxes);
        let Some(document) = document else { return Vec::new() };
        let pose = sample(&document.model, &self.tab.playback.pose_spec());
        let shapes = bone_shapes(&document.model, &pose, &document.anchors);
        let mut frames = bone_frames(&document.model, &pose, &self.drawn_shapes(shapes));
        frames.truncate(MAX_AXES);
        frames
    }

    /// Adds skeletons, boxes and motion path to `marks`. Boxes are placed by `frames`.
    pub(crate) fn add_bone_marks(&self, frames: &[(BoneId, Affine3A)], marks: &mut Marks) {
        let Some(document) = &self.tab.document else { return };
        let (bones, overlays) = (&self.tab.view.bones, &self.tab.view.overlays);
        let extent = document.bounds.extent();
        let display_from_file = document.model.axes.display_from_file();
        let mut outline = |shapes: &[BoneShape], color: [f32; 3]| {
            for shape in shapes.iter().filter(|shape| bones.shows(shape.bone)) {
                marks.lines_on_top.push(Line {
                    from: display_from_file.transform_point3(shape.head),
                    to: display_from_file.transform_point3(shape.tail),
                    color: opaque(color),
                    width_points: 2.0,
                });
            }
        };
        if overlays.rest_bones {
            outline(&bones.rest, REST_SKELETON);
        }
        if overlays.bind_bones {
            outline(&bones.bind, BIND_SKELETON);
        }
        self.add_source_skeleton(marks);
        for (bone, frame) in frames.iter().filter(|_| overlays.bone_boxes) {
            let size = bones.boxes.as_ref().and_then(|all| all.get(*bone));
            if let Some(&size) = size {
                marks.add_bone_box(&(display_from_file * *frame), size, opaque(BONE_BOX));
            }
        }
        if let Some(path) = bones.motion_path.get() {
            for ends in path.points.windows(2) {
                if let &[from, to] = ends {
                    marks.lines_on_top.push(Line {
                        from,
                        to,
                        color: opaque(MOTION_PATH),
                        width_points: 1.5,
                    });
                }
            }
            for &dot in &path.dots {
                marks.add_cross(dot, DOT * extent, opaque(MOTION_PATH), 3.0);
            }
        }
    }
}

/// The rest pose, without any clip.
fn rest_pose(model: &Model) -> Pose {
    composed(model, |bone, above| above * rest_local(model, bone))
}

/// The bind pose, from inverted inverse bind matrices. Bones without one use their rest transform
/// relative to their parents. `None` if the file has no such matrices.
fn bind_pose(model: &Model) -> Option<Pose> {
    let mut binds = IdVec::filled(None, model.skeleton.bones());
    for mesh in &model.meshes {
        let Skin::InverseBind(skin) = &mesh.skin else { continue };
        for (&bone, &inverse) in skin.bones.iter().zip(&skin.bone_from_mesh) {
            let bind = Affine3A::from_mat4(inverse).inverse();
            if bind.is_finite() {
                binds[bone].get_or_insert(bind);
            }
        }
    }
    binds.iter().any(Option::is_some).then(|| {
        composed(model, |bone, above| {
            binds[bone].unwrap_or_else(|| above * rest_local(model, bone))
        })
    })
}

fn rest_local(model: &Model, bone: BoneId) -> Affine3A {
    model.skeleton.bones()[bone].rest_local.to_affine()
}

/// Computes all bone matrices, parents first; `matrix_of` receives the matrix of the parent.
fn composed(model: &Model, matrix_of: impl Fn(BoneId, Affine3A) -> Affine3A) -> Pose {
    let bones = model.skeleton.bones();
    let mut model_from_bone = IdVec::filled(Affine3A::IDENTITY, bones);
    for &bone in model.skeleton.parents_first() {
        let above = bones[bone].parent.map_or(Affine3A::IDENTITY, |above| model_from_bone[above]);
        model_from_bone[bone] = matrix_of(bone, above);
    }
    Pose {
        parent_from_bone: IdVec::new(),
        model_from_bone,
        model_from_mesh: None,
        model_from_bound_mesh: None,
        morph_weights: Vec::new(),
        cached: None,
        normal_matrix: model.normal_matrix,
    }
}

/// The head of a bone at all keys of a clip, or at regular times if its keys aren't sampled.
fn motion_path_of(
    key: &MotionPathKey,
    anchors: &BoneAnchors,
    keys: Option<&KeyTimes>,
    report: &Report,
) -> Result<MotionPath, Cancelled> {
    let (model, bone, clip) = (&*key.model.0, key.bone, key.clip);
    let mut path = MotionPath { points: Vec::new(), dots: Vec::new() };
    let spec = |time_secs: f64| PoseSpec::linear(clip, time_secs);
    let Some(shown) = spec(0.0).clip_of(model) else { return Ok(path) };
    // A bind pair isn't an animation.
    if shown.as_sampled().is_some_and(|motion| motion.is_bind_pair) {
        return Ok(path);
    }
    let display_from_file = model.axes.display_from_file();
    let head = |time_secs: f64| {
        let pose = sample(model, &spec(time_secs));
        let shapes = bone_shapes(model, &pose, anchors);
        let own = shapes.iter().find(|shape| shape.bone == bone)?;
        Some(display_from_file.transform_point3(own.head))
    };
    let at_keys = |most: usize| -> Vec<f64> {
        let num = keys.map_or(0, KeyTimes::len);
        let step = num.div_ceil(most.max(1)).max(1);
        let numbers = (0..num).step_by(step);
        numbers.filter_map(|key| keys?.secs(key)).collect()
    };
    let times = if shown.as_sampled().is_some() {
        at_keys(MAX_PATH_POINTS)
    } else {
        #[expect(clippy::cast_possible_truncation, reason = "limited next")]
        #[expect(clippy::cast_sign_loss, reason = "a length")]
        let steps = (shown.duration_secs.max(0.0) * PATH_FPS).ceil() as usize;
        let steps = steps.clamp(1, MAX_PATH_POINTS);
        let time =
            |step: usize| shown.start_secs + shown.duration_secs * step as f64 / steps as f64;
        (0..=steps).map(time).collect()
    };
    for (number, &time) in times.iter().enumerate() {
        report.progress("tracing the motion path", number as f32 / times.len() as f32)?;
        path.points.extend(head(time));
    }
    for time in at_keys(MAX_PATH_DOTS) {
        report.progress("tracing the motion path", 1.0)?;
        path.dots.extend(head(time));
    }
    Ok(path)
}
