//! Root motion: the path of the root over the ground, and removing it.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::super::{AppState, DerivedIn, ModelKey, Request, ToastLevel};
use super::{Action, AnimationAction, ClipKey, ROOT};
use rigscope_core::model::{BoneId, Cancelled, ClipId, IdVec, Model, Report};
use rigscope_core::pose::{BoneAnchors, InPlace, PoseSpec, Sampling, sample};
use rigscope_core::visual::{Line, Marks};

/// Samples of the path.
const NUM_MOMENTS: usize = 240;
/// Samples used to find the bone that travels.
const NUM_TRIED: usize = 12;
/// A bone travels if it moves farther than this fraction of the model's size.
const TRAVELS: f32 = 0.02;
const ON_GROUND: [f32; 4] = [1.0, 0.62, 0.05, 1.0];
const IN_AIR: [f32; 4] = [1.0, 0.62, 0.05, 0.35];
const NOW: [f32; 4] = [1.0, 1.0, 1.0, 1.0];

/// The path of one bone over a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct RootPath {
    pub bone: BoneId,
    /// The point of the bone that is followed; see [`InPlace::point`].
    pub point: Vec3,
    /// Times and positions, display space.
    pub places: Vec<(f64, Vec3)>,
    /// Length of the path projected onto the ground, display units.
    pub length: f32,
    /// Distance on the ground from start to end, display units.
    pub distance: f32,
}

/// The inputs of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct RootKey {
    model: ModelKey,
    clip: ClipId,
    sampling: Sampling,
    /// The bone chosen by the user; `None` for the bone that travels.
    bone: Option<BoneId>,
}

impl RootKey {
    /// The inputs for the bone that travels in a clip.
    pub(super) fn of_clip(key: &ClipKey) -> Self {
        let ClipKey { model, clip } = key.clone();
        Self { model, clip, sampling: Sampling::default(), bone: None }
    }

    /// The root motion of a clip that ends at another place on the ground than it starts; `None` if
    /// it stays in place.
    pub(super) fn root_motion(&self, anchors: &BoneAnchors) -> Option<InPlace> {
        let model = &*self.model.0;
        let bone = self.travelling(anchors)?;
        let point = self.point_of(bone, anchors);
        let from = self.place(model, bone, point, self.time(0, 1))?;
        let to = self.place(model, bone, point, self.time(1, 1))?;
        let way = Vec3::new(to.x - from.x, 0.0, to.z - from.z).length();
        let scale = display_from_file(model).matrix3.x_axis.length();
        (way > TRAVELS * anchors.extent() * scale).then_some(InPlace { bone, point })
    }

    fn read(&self, anchors: &BoneAnchors, report: &Report) -> Result<Option<RootPath>, Cancelled> {
        let model = &*self.model.0;
        let Some(bone) = self.bone.or_else(|| self.travelling(anchors)) else { return Ok(None) };
        let point = self.point_of(bone, anchors);
        let mut places = Vec::with_capacity(NUM_MOMENTS + 1);
        for at in 0..=NUM_MOMENTS {
            if at % 16 == 0 {
                report.progress("tracing the root motion", at as f32 / NUM_MOMENTS as f32)?;
            }
            let time_secs = self.time(at, NUM_MOMENTS);
            if let Some(place) = self.place(model, bone, point, time_secs) {
                places.push((time_secs, place));
            }
        }
        let level = |place: Vec3| Vec3::new(place.x, 0.0, place.z);
        let steps = places.windows(2).map(|pair| match pair {
            [(_, from), (_, to)] => level(*from).distance(level(*to)),
            _ => 0.0,
        });
        let length = steps.sum();
        let distance = match (places.first(), places.last()) {
            (Some((_, from)), Some((_, to))) => level(*from).distance(level(*to)),
            _ => 0.0,
        };
        Ok(Some(RootPath { bone, point, places, length, distance }))
    }

    fn time(&self, at: usize, num: usize) -> f64 {
        let clip = self.model.0.clips.get(self.clip);
        clip.map_or(0.0, |clip| {
            clip.start_secs + clip.duration_secs.max(0.0) * at as f64 / num as f64
        })
    }

    fn pose(&self, time_secs: f64) -> rigscope_core::pose::Pose {
        let spec = PoseSpec { sampling: self.sampling, ..PoseSpec::at_secs(self.clip, time_secs) };
        sample(&self.model.0, &spec)
    }

    fn place(&self, model: &Model, bone: BoneId, point: Vec3, time_secs: f64) -> Option<Vec3> {
        let place = self.pose(time_secs).place_of(bone, point)?;
        Some(display_from_file(model).transform_point3(place))
    }

    /// The origin of the bone, or the centre of its vertices if matrices are baked.
    fn point_of(&self, bone: BoneId, anchors: &BoneAnchors) -> Vec3 {
        let is_finished = self.pose(self.time(0, 1)).model_from_mesh.is_some();
        if is_finished { anchors.center(bone).unwrap_or_default() } else { Vec3::ZERO }
    }

    /// The first travelling bone, from the root, that has at least half as many descendants as the
    /// root. Otherwise the root.
    fn travelling(&self, anchors: &BoneAnchors) -> Option<BoneId> {
        let model = &*self.model.0;
        let poses: Vec<_> = (0..=NUM_TRIED).map(|at| self.pose(self.time(at, NUM_TRIED))).collect();
        let display_from_file = display_from_file(model);
        let is_finished = poses.first()?.model_from_mesh.is_some();
        let way = |bone: BoneId| -> Option<f32> {
            let point = if is_finished { anchors.center(bone)? } else { Vec3::ZERO };
            let places: Vec<Vec3> = poses
                .iter()
                .filter_map(|pose| pose.place_of(bone, point))
                .map(|place| display_from_file.transform_point3(place))
                .collect();
            let first = *places.first()?;
            let ways = places.iter().map(|place| {
                let way = *place - first;
                Vec3::new(way.x, 0.0, way.z).length()
            });
            Some(ways.fold(0.0, f32::max))
        };
        let num_below = num_below(model);
        let most = num_below.iter().copied().max().unwrap_or(0);
        // Without this condition, a waving hand or the tip of an antenna would count as travel.
        let is_most = |bone: BoneId| 2 * num_below[bone] >= most;
        let bones = model.skeleton.parents_first();
        let all: Vec<(BoneId, f32)> = bones
            .iter()
            .filter(|bone| is_most(**bone))
            .filter_map(|&bone| Some((bone, way(bone)?)))
            .collect();
        let scale = display_from_file.matrix3.x_axis.length();
        let least = TRAVELS * anchors.extent() * scale;
        let first = all.iter().find(|(_, way)| *way > least.max(f32::MIN_POSITIVE));
        first.or(all.first()).map(|(bone, _)| *bone)
    }
}

/// How many descendants each bone has, including itself.
fn num_below(model: &Model) -> IdVec<BoneId, usize> {
    let bones = model.skeleton.bones();
    let mut nums = IdVec::filled(1usize, bones);
    for &bone in model.skeleton.parents_first().iter().rev() {
        if let Some(parent) = bones[bone].parent {
            nums[parent] += nums[bone];
        }
    }
    nums
}

fn display_from_file(model: &Model) -> Affine3A {
    model.axes.display_from_file()
}

impl AppState {
    fn wanted_root(&self) -> Option<RootKey> {
        let view = &self.tab.view.animation;
        if !view.shows_root && self.tab.playback.in_place.is_none() {
            return None;
        }
        let ClipKey { model, clip } = self.clip_key()?;
        // Selecting another bone later doesn't change the bone to follow.
        let known = view.root.key().filter(|key| key.model == model);
        Some(RootKey {
            bone: match known {
                Some(key) => key.bone,
                None => self.tab.selection.bone(),
            },
            model,
            clip,
            sampling: self.tab.playback.sampling,
        })
    }

    pub(super) fn follow_root(&mut self) -> Vec<Request> {
        let place: DerivedIn<_, _> = |view| &mut view.animation.root;
        self.derive(ROOT, place, self.wanted_root(), true, |state, key| {
            let anchors = state.bone_anchors();
            move |report: &Report| {
                Ok(match key.read(&anchors, report)? {
                    Some(path) => Action::Animation(AnimationAction::Root(Arc::new(path))),
                    None => Action::ShowMessage(
                        ToastLevel::Warning,
                        "the file has no bone with root motion".into(),
                    ),
                })
            }
        })
    }

    pub(super) fn root_found(&mut self, root: Arc<RootPath>) {
        // In-place playback may have been turned on before the bone was known.
        if let Some(in_place) = &mut self.tab.playback.in_place {
            *in_place = InPlace { bone: root.bone, point: root.point };
        }
        self.tab.view.animation.root.set(root);
    }

    pub(crate) fn toggle_in_place(&mut self) {
        self.tab.playback.in_place = match self.tab.playback.in_place {
            Some(_) => None,
            None => {
                let known = self.tab.view.animation.root.get();
                // Use the root until the travelling bone is known.
                let (bone, point) = known.map_or((BoneId(0), Vec3::ZERO), |r| (r.bone, r.point));
                Some(InPlace { bone, point })
            }
        };
    }

    /// Draws the root motion: on the ground, faintly at its real height, and at the current time.
    pub(crate) fn add_root_marks(&self, marks: &mut Marks) {
        let view = &self.tab.view.animation;
        let (Some(root), Some(document), true) =
            (view.root.get(), &self.tab.document, view.shows_root)
        else {
            return;
        };
        let ground = |place: Vec3| Vec3::new(place.x, 0.0, place.z);
        for pair in root.places.windows(2) {
            let [(_, from), (_, to)] = pair else { continue };
            let line = |from, to, color, width_points| Line { from, to, color, width_points };
            marks.lines.push(line(ground(*from), ground(*to), ON_GROUND, 3.0));
            marks.lines.push(line(*from, *to, IN_AIR, 1.5));
        }
        let Some(now) = self.root_now(root) else { return };
        let arm = 0.015 * document.bounds.extent();
        let at = ground(now);
        for (from, to) in [
            (at - Vec3::X * arm, at + Vec3::X * arm),
            (at - Vec3::Z * arm, at + Vec3::Z * arm),
            (at, now),
        ] {
            marks.lines_on_top.push(Line { from, to, color: NOW, width_points: 1.5 });
        }
    }

    /// The interpolated position on the path at the current time.
    fn root_now(&self, root: &RootPath) -> Option<Vec3> {
        let time = self.tab.playback.time_secs;
        let next = root.places.partition_point(|(at, _)| *at <= time);
        let at = next.checked_sub(1)?;
        let &(begin, from) = root.places.get(at)?;
        let Some(&(end, to)) = root.places.get(next) else { return Some(from) };
        #[expect(clippy::cast_possible_truncation, reason = "a share needs no 53 bits")]
        let share = ((time - begin) / (end - begin)) as f32;
        Some(from.lerp(to, share))
    }
}
