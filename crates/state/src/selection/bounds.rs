//! The bounds of the selection, or of everything drawn, in the current pose.
//!
//! Invariant: only the necessary vertices are posed, and large numbers of them in a task.

use crate::{Action, AppState, Document, ModelKey, Request, Selection, TaskSlot};
use rigscope_core::camera::Camera;
use rigscope_core::model::{Aabb, BoneId, Mesh, MeshId, Model, PartId, Report, VertexId, as_u32};
use rigscope_core::pose::{Moment, Pose, PoseSpec, part_bounds, sample, skin_some_positions};

/// Computes the box to frame.
const FRAME_TASK: TaskSlot = TaskSlot("framing");
/// Largest number of vertices to pose without a task.
const MAX_VERTICES_AT_ONCE: usize = 32_768;

/// A box, or the work needed to compute it.
#[derive(Clone, Debug, PartialEq)]
enum Bounds {
    /// Display space.
    Known(Aabb),
    Posed(Box<PendingFrame>),
}

/// The parts to pose before the camera can frame them.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingFrame {
    of: ModelKey,
    spec: PoseSpec,
    /// As in [`part_bounds`].
    parts: Vec<(MeshId, PartId)>,
}

impl PendingFrame {
    /// Display space.
    fn bounds(&self) -> Aabb {
        part_bounds(self.of.model(), &self.spec, &self.parts)
    }
}

impl AppState {
    /// Frames everything drawn, in the current pose.
    pub(crate) fn frame_shown(&mut self) {
        let bounds = self.bounds_of_shown();
        self.request_frame(bounds);
    }

    /// Frames the selection in the current pose. A selection without a position leaves the camera
    /// unchanged.
    pub(crate) fn frame_selected(&mut self) {
        let bounds = self.bounds_of_selected();
        self.request_frame(bounds);
        if matches!(self.tab.selection, Selection::Vertex { .. } | Selection::Triangle { .. }) {
            self.tab.view.second.uncover_middle();
        }
    }

    fn request_frame(&mut self, bounds: Bounds) {
        self.tab.view.pending_frame = None;
        match bounds {
            Bounds::Posed(what) if what.of.model().num_vertices() > MAX_VERTICES_AT_ONCE => {
                self.tab.view.pending_frame = Some(what);
            }
            bounds => {
                let bounds = self.resolve_bounds(bounds);
                self.frame(bounds);
            }
        }
    }

    /// The box around everything drawn in the current pose, display space.
    pub(crate) fn shown_bounds(&self) -> Aabb {
        self.resolve_bounds(self.bounds_of_shown())
    }

    fn resolve_bounds(&self, bounds: Bounds) -> Aabb {
        let known = match bounds {
            Bounds::Known(bounds) => return bounds,
            Bounds::Posed(what) => what.bounds(),
        };
        let document = self.tab.document.as_ref().filter(|_| known.is_empty());
        document.map_or(known, |document| document.bounds)
    }

    /// Starts the task that computes the box to frame.
    pub(crate) fn follow_framing(&mut self) -> Vec<Request> {
        let Some(what) = self.tab.view.pending_frame.take() else { return Vec::new() };
        let camera = self.tab.view.camera;
        self.start_task(FRAME_TASK, move |_: &Report| {
            Ok(Action::Frame { bounds: what.bounds(), from: camera })
        })
    }

    /// Frames the box computed by a task, unless the camera has moved since.
    pub(crate) fn apply_frame(&mut self, bounds: Aabb, from: &Camera) {
        if self.tab.view.camera == *from {
            self.frame(bounds);
        }
    }

    fn bounds_of_shown(&self) -> Bounds {
        let Some(document) = &self.tab.document else { return Bounds::Known(Aabb::EMPTY) };
        // A model without vertices is framed in its current pose, even if its clips move it far
        // away.
        if document.model.num_vertices() == 0 {
            let mut bounds = Aabb::EMPTY;
            for shape in self.bone_shapes() {
                bounds.add(shape.head);
                bounds.add(shape.tail);
            }
            let bounds = bounds.transformed(&document.model.axes.display_from_file());
            return Bounds::Known(if bounds.is_empty() { document.bounds } else { bounds });
        }
        let shows_all = (0..document.subsets.len()).all(|number| self.tab.view.shows(number));
        let is_as_read = document.bind_pair_choices.is_empty();
        if shows_all && is_as_read && is_default_pose(&self.tab.playback.pose_spec()) {
            return Bounds::Known(if document.default_pose_bounds.is_empty() {
                document.bounds
            } else {
                document.default_pose_bounds
            });
        }
        let rows = document.subsets.iter().enumerate();
        let shown = rows.filter(|(number, _)| self.tab.view.shows(*number));
        self.posed(document, shown.map(|(_, row)| (row.mesh, row.part)).collect())
    }

    fn posed(&self, document: &Document, parts: Vec<(MeshId, PartId)>) -> Bounds {
        let of = ModelKey::of(&document.model);
        let spec = self.tab.playback.pose_spec();
        Bounds::Posed(Box::new(PendingFrame { of, spec, parts }))
    }

    fn bounds_of_selected(&self) -> Bounds {
        let Some(document) = &self.tab.document else { return Bounds::Known(Aabb::EMPTY) };
        let posed = || Posed::of(&document.model, &self.tab.playback.pose_spec());
        let mut bounds = Aabb::EMPTY;
        match self.tab.selection {
            Selection::None | Selection::Clip(_) => return self.bounds_of_shown(),
            Selection::Subset(number) => {
                let row = document.subsets.get(number);
                return row.map_or(Bounds::Known(Aabb::EMPTY), |row| {
                    self.posed(document, vec![(row.mesh, row.part)])
                });
            }
            Selection::Bone(bone) => {
                for shape in self.bone_shapes().iter().filter(|s| s.bone == bone) {
                    bounds.add(shape.head);
                    bounds.add(shape.tail);
                }
                let posed = posed();
                for (number, mesh) in document.model.meshes.iter().enumerate() {
                    let moved = moved_by(mesh, bone);
                    posed.add(&mut bounds, MeshId::from_index(number), &moved);
                }
            }
            Selection::Vertex { mesh, vertex, .. } => {
                posed().add(&mut bounds, mesh, &with_neighbours(document, mesh, vertex));
                bounds = with_surroundings(bounds);
            }
            Selection::Triangle { mesh, triangle, .. } => {
                let first = triangle as usize * 3;
                let of_mesh = document.model.meshes.get(mesh);
                let corners = of_mesh.and_then(|of| of.triangles(first..first + 3).next());
                posed().add(&mut bounds, mesh, corners.as_ref().map_or(&[], |corners| corners));
                bounds = with_surroundings(bounds);
            }
            Selection::Hull(hull) => {
                let hull = document.model.hulls.get(hull);
                for &point in hull.map_or(&[][..], |hull| &hull.points) {
                    bounds.add(point);
                }
            }
        }
        Bounds::Known(bounds.transformed(&document.model.axes.display_from_file()))
    }
}

/// Whether it is the pose in which a file is opened. Interpolation between keys doesn't affect it.
fn is_default_pose(spec: &PoseSpec) -> bool {
    let is_first = spec.clip.is_none_or(|clip| clip.index() == 0);
    is_first && spec.moment == Moment::Default && spec.is_plain()
}

/// The vertices of a model in one pose, file space.
struct Posed<'a> {
    model: &'a Model,
    pose: Pose,
}

impl<'a> Posed<'a> {
    fn of(model: &'a Model, spec: &PoseSpec) -> Self {
        Self { model, pose: sample(model, spec) }
    }

    /// Adds some vertices of a mesh.
    fn add(&self, bounds: &mut Aabb, id: MeshId, vertices: &[u32]) {
        let mesh = self.model.meshes.get(id).filter(|_| !vertices.is_empty());
        let Some(mesh) = mesh else { return };
        for position in skin_some_positions(mesh, &self.pose.of_mesh(id, mesh), vertices) {
            bounds.add(position);
        }
    }
}

/// The vertices that `bone` influences substantially.
fn moved_by(mesh: &Mesh, bone: BoneId) -> Vec<u32> {
    /// With less weight, a vertex doesn't count as part of the bone.
    const MIN_WEIGHT: f32 = 0.25;
    let num = as_u32(mesh.num_vertices());
    let is_moved = |vertex: &u32| {
        let mut is_moved = false;
        mesh.for_each_influence(*vertex as usize, |by, weight| {
            is_moved |= by == bone && weight >= MIN_WEIGHT;
        });
        is_moved
    };
    (0..num).filter(is_moved).collect()
}

/// Adds a margin, because a few triangles on their own don't show where on the model they are.
fn with_surroundings(bounds: Aabb) -> Aabb {
    /// On each side, relative to the size of the box.
    const MARGIN: f32 = 1.5;
    let margin = bounds.size() * MARGIN;
    Aabb { min: bounds.min - margin, max: bounds.max + margin }
}

/// A vertex and all vertices that share a triangle with it.
fn with_neighbours(document: &Document, mesh: MeshId, vertex: VertexId) -> Vec<u32> {
    let mut found = vec![vertex.0];
    let mesh = document.model.meshes.get(mesh);
    for corners in mesh.into_iter().flat_map(|mesh| mesh.triangles(0..mesh.indices.len())) {
        if corners.contains(&vertex.0) {
            found.extend(corners);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{apply, load, opened};
    use crate::{Command, TabAction};
    use rigscope_testing::ModelBuilder;

    /// A strip of `num` triangles along X without shared vertices.
    fn strip(num: u16) -> Model {
        let corners = (0..num).flat_map(|at| {
            let x = f32::from(at);
            [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]].map(glam::Vec3::from)
        });
        let indices: Vec<_> = (0..u32::from(num) * 3).collect();
        let corners: Vec<_> = corners.collect();
        let model = ModelBuilder::new().mesh(corners).indices(indices);
        let first = 3000;
        model.subsets(&[(first, None), (u32::from(num) * 3 - first, None)]).build()
    }

    fn far_off() -> Action {
        Action::Zoom { factor: 40.0, at_ndc: glam::Vec2::ZERO }
    }

    #[test]
    fn many_vertices_are_framed_in_a_task_and_few_immediately() {
        for (num, num_tasks) in [(10_000, 0), (11_000, 1)] {
            let mut state = opened();
            load(&mut state, Action::Open("dir/strip.bsm2".into()), strip(num));
            let framed = state.tab.view.camera;
            apply(&mut state, far_off());
            assert_ne!(state.tab.view.camera, framed);
            // Computed when it was loaded.
            assert_eq!(apply(&mut state, Action::Run(Command::FrameAll)), 0);
            assert_eq!(state.tab.view.camera, framed, "{num}");
            apply(&mut state, far_off());
            apply(&mut state, Action::Select(Selection::Subset(0)));
            assert_eq!(apply(&mut state, Action::Run(Command::FrameSelection)), num_tasks);
            assert_eq!(state.tab.view.framed.unwrap().max.x, 1000.0);
        }
    }

    #[test]
    fn late_framing_does_not_affect_a_moved_camera_or_another_tab() {
        let mut state = opened();
        load(&mut state, Action::Open("dir/strip.bsm2".into()), strip(11_000));
        state.apply(Action::Select(Selection::Subset(0)));
        state.apply(far_off());
        let answer = |state: &mut AppState| {
            let requests = state.apply(Action::Run(Command::FrameSelection));
            let task = requests.into_iter().find_map(|request| match request {
                Request::Run(task) => Some(task),
                _ => None,
            });
            let task = task.unwrap();
            (task.id, task.run(&Report::new()).ok().map(Box::new))
        };
        let (id, late) = answer(&mut state);
        state.apply(Action::Orbit { yaw_rad: 0.1, pitch_rad: 0.0 });
        let rotated = state.tab.view.camera;
        state.apply(Action::TaskDone { id, answer: late });
        assert_eq!(state.tab.view.camera, rotated);
        let (id, late) = answer(&mut state);
        state.apply(Action::Tab(TabAction::Show(0)));
        let other = state.tab.view.camera;
        state.apply(Action::TaskDone { id, answer: late });
        assert_eq!(state.tab.view.camera, other);
    }
}
