//! Picking: the item under the pointer, and the selection that a click makes of it.
//!
//! The application picks with an ID image on the GPU. [`pick`] is the reference, used without a
//! GPU: bones by their distance on the screen, triangles with a ray.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::on_screen::{clip_from_file, on_screen};
use super::pick_loose::loose_at;
use crate::{AppState, ModelKey, Request, Selection};
use rigscope_core::camera::nearest_on_screen;
use rigscope_core::model::{BoneId, MeshId, VertexId};
use rigscope_core::pose::{nearest_triangle, skin_model};
use rigscope_core::visual::{PickHit, PickedBone, PickedTriangle};

/// Largest distance from the pointer at which a bone is picked, in points.
pub const BONE_REACH_POINTS: f32 = 8.0;
/// Largest distance at which a bone counts as directly under the pointer: half the width of its
/// line.
const ON_BONE_POINTS: f32 = 0.75;
/// A point behind a triangle by less than this fraction of the distance counts as on its surface.
const ON_SURFACE: f32 = 1e-3;

/// The kind of item that a click selects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PickWhat {
    /// The bone, if one is drawn there, otherwise the subset.
    #[default]
    Subset,
    Triangle,
    /// The corner of the triangle nearest to the pointer on the screen.
    Vertex,
    /// The bone drawn there, or the one with the largest weight on the vertex.
    Bone,
}

/// The purpose of a pick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PickFor {
    /// A selection.
    #[default]
    Selecting,
    /// A tooltip.
    Hovering,
    /// A measured point.
    Measuring,
}

/// A pick request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PickAt {
    /// Position in the view, from -1 to 1, Y up.
    pub ndc: Vec2,
    /// The kind of item to select.
    pub what: PickWhat,
    /// The purpose.
    pub wanted_for: PickFor,
}

impl AppState {
    /// Requests a pick from the application.
    pub(crate) fn apply_pick(&mut self, at: PickAt) -> Vec<Request> {
        if self.tab.document.is_some() && self.add_pick(at) {
            vec![Request::Pick(at)]
        } else {
            Vec::new()
        }
    }

    /// Applies the result of a pick at `at` in `model`.
    pub(crate) fn apply_picked(&mut self, at: PickAt, model: &ModelKey, hit: &PickHit) {
        if !self.resolve_pick(at, model) {
            return;
        }
        match at.wanted_for {
            PickFor::Selecting => self.select(self.selection_at(at.ndc, hit, at.what)),
            PickFor::Hovering => self.hover_over(at.ndc, hit),
            PickFor::Measuring => self.measure_hit(hit, at.what),
        }
    }

    /// The selection of a click at `ndc` that hit `hit`.
    pub(super) fn selection_at(&self, ndc: Vec2, hit: &PickHit, what: PickWhat) -> Selection {
        let hull = self.hull_at(ndc, hit).filter(|_| what == PickWhat::Subset);
        // Bones take priority because they are thin.
        let hull = hull.filter(|_| hit.bone.is_none()).map(Selection::Hull);
        hull.unwrap_or_else(|| self.selection_of_hit(hit, what))
    }

    /// The selection of a click that hit `hit`. Bones take priority because they are thin; if a
    /// triangle or vertex is wanted, only when they are directly under the pointer.
    pub(crate) fn selection_of_hit(&self, hit: &PickHit, what: PickWhat) -> Selection {
        let is_meant = |bone: &PickedBone| match what {
            PickWhat::Subset | PickWhat::Bone => true,
            PickWhat::Triangle | PickWhat::Vertex => bone.distance_points <= ON_BONE_POINTS,
        };
        if let Some(bone) = hit.bone.filter(is_meant) {
            return Selection::Bone(bone.bone);
        }
        let vertex = match (hit.triangle, hit.point) {
            (Some(hit), _) => Some((hit.mesh, hit.vertex, Some(hit.subset))),
            (None, Some(hit)) => Some((hit.mesh, hit.vertex, hit.subset)),
            (None, None) => None,
        };
        let Some((mesh, vertex, subset)) = vertex else { return Selection::None };
        let vertex_picked = Selection::Vertex { mesh, vertex, subset };
        match (what, hit.triangle) {
            (PickWhat::Subset, _) if subset.is_some() => {
                subset.map_or(vertex_picked, Selection::Subset)
            }
            (PickWhat::Triangle, Some(hit)) => {
                Selection::Triangle { mesh, triangle: hit.triangle, subset }
            }
            (PickWhat::Bone, _) => {
                let bone = self.strongest_bone(mesh, vertex);
                bone.map_or(Selection::None, Selection::Bone)
            }
            _ => vertex_picked,
        }
    }

    /// The bone with the largest weight on a vertex.
    fn strongest_bone(&self, mesh: MeshId, vertex: VertexId) -> Option<BoneId> {
        let mesh = self.tab.document.as_ref()?.model.meshes.get(mesh)?;
        mesh.heaviest_bone(vertex.index())
    }
}

/// The item at `at`, picked on the CPU.
#[must_use]
pub fn pick(state: &AppState, at: PickAt) -> PickHit {
    let triangle = triangle_at(state, at.ndc);
    let loose = loose_at(state, at.ndc);
    // The nearer one wins; loose geometry on a surface is drawn over it.
    let is_before = match (&triangle, &loose) {
        (Some((distance, _)), Some(loose)) => loose.distance <= distance * (1.0 + ON_SURFACE),
        (None, Some(_)) => true,
        (_, None) => false,
    };
    PickHit {
        triangle: triangle.filter(|_| !is_before).map(|(_, hit)| hit),
        point: loose.filter(|_| is_before).map(|loose| loose.hit),
        bone: if state.tab.view.overlays.bones { bone_at(state, at.ndc) } else { None },
    }
}

fn bone_at(state: &AppState, ndc: Vec2) -> Option<PickedBone> {
    let clip_from_file = clip_from_file(state)?;
    let points_from_ndc = state.view_size_points * 0.5;
    let pointer = ndc * points_from_ndc;
    let mut best: Option<PickedBone> = None;
    for shape in state.bone_shapes() {
        let (Some(head), Some(tail)) =
            (on_screen(&clip_from_file, shape.head), on_screen(&clip_from_file, shape.tail))
        else {
            continue;
        };
        let distance = from_segment(pointer, head * points_from_ndc, tail * points_from_ndc);
        let is_nearer = best.is_none_or(|best| distance < best.distance_points);
        if distance <= BONE_REACH_POINTS && is_nearer {
            best = Some(PickedBone { bone: shape.bone, distance_points: distance });
        }
    }
    best
}

fn from_segment(point: Vec2, start: Vec2, end: Vec2) -> f32 {
    let along = end - start;
    let length_squared = along.length_squared();
    let share = if length_squared > 0.0 {
        ((point - start).dot(along) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    point.distance(start + along * share)
}

/// The triangle under the pointer, with its distance along the ray.
fn triangle_at(state: &AppState, ndc: Vec2) -> Option<(f32, PickedTriangle)> {
    let document = state.tab.document.as_ref()?;
    if !state.tab.view.overlays.surface
        && !state.tab.view.overlays.wireframe
        && !state.tab.view.overlays.points
    {
        return None;
    }
    let ray = state.tab.view.camera.ray(ndc, state.aspect());
    // The ray is transformed to file space, which is cheaper than transforming all vertices.
    let file_from_display = document.model.axes.display_from_file().inverse();
    let origin = file_from_display.transform_point3(ray.origin);
    let direction = file_from_display.transform_vector3(ray.direction);
    let posed = skin_model(&document.model, &state.tab.playback.pose_spec());
    let clip_from_file = clip_from_file(state)?;
    let mut first_row = 0;
    let mut best: Option<(f32, PickedTriangle)> = None;
    for (index, (mesh, posed)) in document.model.meshes.iter().zip(&posed).enumerate() {
        let shown = |id: rigscope_core::model::PartId| state.tab.view.shows(first_row + id.index());
        if let Some(hit) = nearest_triangle(mesh, &posed.positions, origin, direction, shown)
            && best.is_none_or(|(least, _)| hit.distance < least)
        {
            let first = hit.triangle as usize * 3;
            let corners = [0, 1, 2].map(|at| mesh.indices.get(first + at));
            let corners: Vec<u32> = corners.into_iter().flatten().collect();
            let places = corners.iter().map(|&corner| {
                let position = posed.positions.get(corner as usize);
                position.copied().unwrap_or_default()
            });
            let places: Vec<Vec3> = places.collect();
            let size = state.view_size_points;
            let nearest = nearest_on_screen(&clip_from_file, size, ndc, &places);
            let nearest = nearest.and_then(|at| corners.get(at)).copied();
            let picked = PickedTriangle {
                mesh: MeshId::from_index(index),
                triangle: hit.triangle,
                subset: first_row + hit.subset.index(),
                vertex: nearest.map_or(hit.vertex, VertexId),
            };
            best = Some((hit.distance, picked));
        }
        first_row += mesh.num_parts();
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_from_a_segment_counts_its_ends() {
        let (start, end) = (Vec2::ZERO, Vec2::new(10.0, 0.0));
        assert_eq!(from_segment(Vec2::new(5.0, 3.0), start, end), 3.0);
        assert_eq!(from_segment(Vec2::new(13.0, 4.0), start, end), 5.0);
        assert_eq!(from_segment(Vec2::new(3.0, 4.0), start, start), 5.0);
    }
}
