//! Hulls, occluder and bounds: what is shown of them, and whether stored bounds hold the model.
//!
//! Not for: notes about them (`validate`); drawing (`visual::Marks` says what).

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use crate::bake::{HullFaces, hull_faces};
use crate::model::{Aabb, Model, Occluder, subset_color};
use crate::pose::{Reach, reach};
use crate::state::{Action, AppState, Document, Effect, Selection, TaskSlot};
use crate::visual::{Face, Line, Marks};

/// Measuring the bounds over all clips.
pub const REACH_TASK: TaskSlot = TaskSlot("reach");

/// Segments of a circle.
const CIRCLE_SEGMENTS: usize = 72;
/// Crosses at points without a hull reach so far, as a part of the model's extent.
const CROSS_SHARE: f32 = 0.01;

/// Linear RGB of the occluder, of stored bounds and of true ones.
pub const OCCLUDER_COLOR: [f32; 3] = [0.10, 0.35, 0.75];
/// See [`OCCLUDER_COLOR`].
pub const STORED_COLOR: [f32; 3] = [0.95, 0.55, 0.05];
/// See [`OCCLUDER_COLOR`].
pub const TRUE_COLOR: [f32; 3] = [0.10, 0.75, 0.25];
/// What the depth buffer of an engine would hold, as a flat shape; opaque faces are not lit.
const SILHOUETTE: [f32; 4] = [0.004, 0.004, 0.006, 1.0];
/// The model around the silhouette.
const SILHOUETTE_GHOST: [f32; 4] = [0.30, 0.48, 0.80, 0.13];
const ACCENT: [f32; 3] = [1.0, 0.36, 0.04];

/// A part of what is stored for collision and culling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollisionPart {
    /// The convex hulls.
    Hulls,
    /// The occluder's faces and edges.
    Occluder,
    /// The occluder as a flat dark shape.
    Silhouette,
    /// The box and the sphere in the file.
    StoredBounds,
    /// The box and the sphere of all clips.
    TrueBounds,
}

/// What is shown of collision in one document's view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollisionView {
    /// Hulls are shown.
    pub hulls: bool,
    /// The occluder is shown.
    pub occluder: bool,
    /// The occluder is shown as a silhouette, and the model as a ghost around it.
    pub silhouette: bool,
    /// Stored bounds are shown.
    pub stored_bounds: bool,
    /// True bounds are shown, once they are measured.
    pub true_bounds: bool,
    /// Hulls that are not shown among those that are.
    pub hidden_hulls: BTreeSet<usize>,
    /// The bounds over all clips, once they are measured.
    pub reach: Option<Arc<Reach>>,
}

/// What changes [`CollisionView`].
#[derive(Clone, Debug)]
pub enum CollisionAction {
    /// Shows or hides a part.
    Show(CollisionPart, bool),
    /// Shows or hides one hull; showing it shows hulls.
    ShowHull(usize, bool),
    /// Measures the bounds over all clips.
    Measure,
    /// They are measured.
    Measured(Arc<Reach>),
}

/// Surfaces of what is stored as points or triangles, file space; made once at loading.
#[derive(Clone, Debug, Default)]
pub struct CollisionShapes {
    /// One a hull; none where its points have no volume.
    pub hulls: Vec<Option<HullFaces>>,
    /// Each edge of the occluder once.
    pub occluder_edges: Vec<[u32; 2]>,
}

impl CollisionShapes {
    /// Works out the shapes of `model`.
    pub fn of(model: &Model) -> Self {
        let hulls = model.hulls.iter().map(|hull| hull_faces(&hull.points));
        Self {
            hulls: hulls.collect(),
            occluder_edges: model.occluder.as_ref().map(edges).unwrap_or_default(),
        }
    }
}

fn edges(occluder: &Occluder) -> Vec<[u32; 2]> {
    let mut edges = BTreeSet::new();
    for &[a, b, c] in occluder.indices.as_chunks::<3>().0 {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            edges.insert([from.min(to), from.max(to)]);
        }
    }
    edges.into_iter().collect()
}

impl Document {
    /// Whether the file has hulls, an occluder or bounds.
    pub fn has_collision(&self) -> bool {
        let model = &self.model;
        !model.hulls.is_empty() || model.occluder.is_some() || model.stored_bounds.is_some()
    }
}

impl CollisionView {
    /// Whether a part is shown.
    pub fn shows(&self, part: CollisionPart) -> bool {
        match part {
            CollisionPart::Hulls => self.hulls,
            CollisionPart::Occluder => self.occluder,
            CollisionPart::Silhouette => self.silhouette,
            CollisionPart::StoredBounds => self.stored_bounds,
            CollisionPart::TrueBounds => self.true_bounds,
        }
    }

    /// Whether hull `number` is shown.
    pub fn shows_hull(&self, number: usize) -> bool {
        self.hulls && !self.hidden_hulls.contains(&number)
    }

    /// Forgets what was about one document.
    pub(in crate::state) fn forget(&mut self) {
        self.hidden_hulls.clear();
        self.reach = None;
        // Measured again when it is asked for, and not by itself after every reload.
        self.true_bounds = false;
    }
}

impl AppState {
    pub(in crate::state) fn apply_collision(&mut self, action: CollisionAction) -> Vec<Effect> {
        match action {
            CollisionAction::Show(part, is_shown) => {
                let view = &mut self.tab.view.collision;
                match part {
                    CollisionPart::Hulls => view.hulls = is_shown,
                    CollisionPart::Occluder => view.occluder = is_shown,
                    CollisionPart::Silhouette => view.silhouette = is_shown,
                    CollisionPart::StoredBounds => view.stored_bounds = is_shown,
                    CollisionPart::TrueBounds => {
                        view.true_bounds = is_shown;
                        if is_shown && view.reach.is_none() {
                            return self.measure_reach();
                        }
                    }
                }
            }
            CollisionAction::ShowHull(number, is_shown) => {
                let view = &mut self.tab.view.collision;
                if is_shown && !view.hulls {
                    // This one is meant and not all the others.
                    view.hulls = true;
                    let all = self.tab.document.as_ref().map_or(0, |d| d.model.hulls.len());
                    view.hidden_hulls = (0..all).collect();
                }
                match is_shown {
                    true => view.hidden_hulls.remove(&number),
                    false => view.hidden_hulls.insert(number),
                };
            }
            CollisionAction::Measure => return self.measure_reach(),
            CollisionAction::Measured(reach) => self.tab.view.collision.reach = Some(reach),
        }
        Vec::new()
    }

    /// Turns a part on or off, as its command does.
    pub(in crate::state) fn toggle_collision(&mut self, part: CollisionPart) -> Vec<Effect> {
        let is_shown = self.tab.view.collision.shows(part);
        if part == CollisionPart::Hulls && !is_shown {
            self.tab.view.collision.hidden_hulls.clear();
        }
        self.apply_collision(CollisionAction::Show(part, !is_shown))
    }

    fn measure_reach(&mut self) -> Vec<Effect> {
        let Some(document) = &self.tab.document else {
            return Vec::new();
        };
        let model = Arc::clone(&document.model);
        self.start_task(REACH_TASK, "measuring bounds", move |report| {
            let reach = Arc::new(reach(&model, report)?);
            Ok(Action::Collision(CollisionAction::Measured(reach)))
        })
    }

    /// Whether the silhouette of an occluder takes the place of the model's surface.
    pub fn shows_silhouette(&self) -> bool {
        let document = self.tab.document.as_ref();
        let has_occluder = document.is_some_and(|document| document.model.occluder.is_some());
        self.tab.view.collision.silhouette && has_occluder
    }

    /// The ghost around the silhouette.
    pub(in crate::state) fn silhouette_ghost(&self) -> Option<[f32; 4]> {
        self.shows_silhouette().then_some(SILHOUETTE_GHOST)
    }

    /// Adds what is shown of hulls, occluder and bounds.
    pub(in crate::state) fn add_collision_marks(&self, marks: &mut Marks) {
        let Some(document) = &self.tab.document else {
            return;
        };
        let view = &self.tab.view.collision;
        let display_from_file = document.model.axes.display_from_file();
        for number in 0..document.model.hulls.len() {
            let is_selected = self.tab.selection == Selection::Hull(number);
            if view.shows_hull(number) || is_selected {
                add_hull(marks, document, number, is_selected, &display_from_file);
            }
        }
        if let Some(occluder) = &document.model.occluder {
            let points: Vec<_> = (view.occluder || view.silhouette)
                .then(|| occluder.positions.iter())
                .into_iter()
                .flatten()
                .map(|&p| display_from_file.transform_point3(p))
                .collect();
            if view.silhouette {
                let triangles = occluder.indices.as_chunks::<3>().0;
                add_faces(marks, &points, triangles, SILHOUETTE);
            }
            if view.occluder {
                if !view.silhouette {
                    let triangles = occluder.indices.as_chunks::<3>().0;
                    add_faces(marks, &points, triangles, with_alpha(OCCLUDER_COLOR, 0.35));
                }
                let edges = &document.collision.occluder_edges;
                add_edges(marks, &points, edges, with_alpha(OCCLUDER_COLOR, 0.95), 1.2);
            }
        }
        if let Some(stored) = document.model.stored_bounds.filter(|_| view.stored_bounds) {
            let color = with_alpha(STORED_COLOR, 0.9);
            marks.add_box(&stored.aabb.transformed(&display_from_file), color, 1.5);
            let sphere = (stored.sphere_center, stored.sphere_radius);
            add_sphere(marks, sphere, &display_from_file, color);
        }
        if let Some(reach) = view.reach.as_ref().filter(|_| view.true_bounds) {
            let color = with_alpha(TRUE_COLOR, 0.9);
            marks.add_box(&reach.bounds.transformed(&display_from_file), color, 1.5);
            let sphere = (reach.sphere_center, reach.sphere_radius);
            add_sphere(marks, sphere, &display_from_file, color);
        }
    }
}

fn with_alpha([r, g, b]: [f32; 3], alpha: f32) -> [f32; 4] {
    [r, g, b, alpha]
}

fn add_hull(
    marks: &mut Marks,
    document: &Document,
    number: usize,
    is_selected: bool,
    display_from_file: &Affine3A,
) {
    let (color, alpha, width) = match is_selected {
        true => (ACCENT, 0.40, 2.4),
        false => (subset_color(number), 0.22, 1.4),
    };
    let shown = |points: &[Vec3]| -> Vec<Vec3> {
        let points = points.iter();
        points.map(|&p| display_from_file.transform_point3(p)).collect()
    };
    if let Some(Some(faces)) = document.collision.hulls.get(number) {
        let points = shown(&faces.points);
        add_faces(marks, &points, &faces.triangles, with_alpha(color, alpha));
        add_edges(marks, &points, &faces.edges, with_alpha(color, 0.95), width);
        return;
    }
    // Nothing to fill: only where its points are.
    let reach = CROSS_SHARE * document.bounds.extent();
    let hull = document.model.hulls.get(number);
    for point in shown(hull.map_or(&[], |hull| &hull.points)) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            marks.lines_on_top.push(Line {
                from: point - axis * reach,
                to: point + axis * reach,
                color: with_alpha(color, 1.0),
                width_points: width,
            });
        }
    }
}

fn add_faces(marks: &mut Marks, points: &[Vec3], triangles: &[[u32; 3]], color: [f32; 4]) {
    let at = |number: u32| points.get(number as usize).copied();
    marks.faces.extend(triangles.iter().filter_map(|&[a, b, c]| {
        let corners = [at(a)?, at(b)?, at(c)?];
        Some(Face { corners, color })
    }));
}

fn add_edges(
    marks: &mut Marks,
    points: &[Vec3],
    edges: &[[u32; 2]],
    color: [f32; 4],
    width_points: f32,
) {
    let at = |number: u32| points.get(number as usize).copied();
    marks.lines.extend(edges.iter().filter_map(|&[from, to]| {
        Some(Line { from: at(from)?, to: at(to)?, color, width_points })
    }));
}

/// Three circles about the axes.
fn add_sphere(
    marks: &mut Marks,
    (center, radius): (Vec3, f32),
    display_from_file: &Affine3A,
    color: [f32; 4],
) {
    if !(radius > 0.0 && radius.is_finite() && center.is_finite()) {
        return;
    }
    for (right, up) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
        let at = |step: usize| {
            let turn = step as f32 / CIRCLE_SEGMENTS as f32 * std::f32::consts::TAU;
            let (sin, cos) = turn.sin_cos();
            display_from_file.transform_point3(center + (right * cos + up * sin) * radius)
        };
        marks.lines.extend((0..CIRCLE_SEGMENTS).map(|step| Line {
            from: at(step),
            to: at(step + 1),
            color,
            width_points: 1.2,
        }));
    }
}

/// What was found about stored bounds, as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The stored bounds hold all vertices.
    pub holds: bool,
    /// A sentence.
    pub text: String,
}

impl AppState {
    /// What measuring found about the stored box and sphere; none before it, or where the file has
    /// no bounds.
    pub fn bounds_verdicts(&self) -> Option<[Verdict; 2]> {
        let document = self.tab.document.as_ref()?;
        document.model.stored_bounds?;
        let reach = self.tab.view.collision.reach.as_ref()?;
        let verdict = |what: &str, outside: Option<crate::pose::Outside>| match outside {
            None => Verdict {
                holds: true,
                text: format!("The stored {what} holds all vertices over all clips."),
            },
            Some(outside) => {
                let moment = match outside.clip {
                    Some(clip) => format!(
                        "at {:.3} s of {}",
                        outside.time_secs,
                        document.clip_name(clip.index())
                    ),
                    None => "in the default pose".to_owned(),
                };
                let share = 100.0 * outside.by / reach.bounds.extent().max(f32::MIN_POSITIVE);
                Verdict {
                    holds: false,
                    text: format!(
                        "A vertex is {:.4} ({share:.2} % of the extent) out of the stored {what} \
                         {moment}.",
                        outside.by
                    ),
                }
            }
        };
        Some([verdict("box", reach.out_of_box), verdict("sphere", reach.out_of_sphere)])
    }

    /// By how much the stored box is larger than the true one, as a factor of its diagonal.
    pub fn stored_box_excess(&self) -> Option<f32> {
        let stored = self.tab.document.as_ref()?.model.stored_bounds?;
        let reach = self.tab.view.collision.reach.as_ref()?;
        let extent = |bounds: &Aabb| bounds.extent();
        (extent(&reach.bounds) > 0.0).then(|| extent(&stored.aabb) / extent(&reach.bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edge_of_an_occluder_is_drawn_once() {
        let occluder = Occluder { positions: vec![Vec3::ZERO; 4], indices: vec![0, 1, 2, 2, 1, 3] };
        assert_eq!(edges(&occluder), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn one_hull_is_shown_alone_and_hidden_again() {
        let mut state = AppState::default();
        state.tab.view.collision.hidden_hulls = [0, 1].into();
        state.apply_collision(CollisionAction::ShowHull(1, true));
        assert!(state.tab.view.collision.shows_hull(1));
        state.apply_collision(CollisionAction::ShowHull(1, false));
        assert!(!state.tab.view.collision.shows_hull(1));
        state.apply_collision(CollisionAction::Show(CollisionPart::Hulls, false));
        assert!(!state.tab.view.collision.shows_hull(0));
    }

    #[test]
    fn a_sphere_is_three_closed_circles_of_its_radius() {
        let mut marks = Marks::default();
        let shift = Affine3A::from_translation(Vec3::X);
        add_sphere(&mut marks, (Vec3::ZERO, 2.0), &shift, [1.0; 4]);
        assert_eq!(marks.lines.len(), 3 * CIRCLE_SEGMENTS);
        for line in &marks.lines {
            assert!((line.from.distance(Vec3::X) - 2.0).abs() < 1e-5);
        }
        add_sphere(&mut marks, (Vec3::ZERO, f32::NAN), &shift, [1.0; 4]);
        assert_eq!(marks.lines.len(), 3 * CIRCLE_SEGMENTS);
    }
}
