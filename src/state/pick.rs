//! What is under the pointer: bones by their distance on the screen, triangles by a ray.

use glam::{Mat4, Vec2, Vec3};

use super::{AppState, Selection};
use crate::model::{BoneId, MeshId};
use crate::pose::{nearest_triangle, skin_model};

/// A bone this near to the pointer is meant, in points.
pub const BONE_REACH_POINTS: f32 = 8.0;

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickAt {
    /// In the picture, -1..=1, y up.
    pub ndc: Vec2,
    /// Wanted is the vertex and not the subset.
    pub vertex: bool,
}

/// What `state` shows at `at`. Bones win where they are drawn, since they are thin.
#[must_use]
pub fn pick(state: &AppState, at: PickAt) -> Selection {
    if state.view.overlays.bones
        && let Some(bone) = bone_at(state, at.ndc)
    {
        return Selection::Bone(bone);
    }
    triangle_at(state, at).unwrap_or_default()
}

fn bone_at(state: &AppState, ndc: Vec2) -> Option<BoneId> {
    let document = state.document.as_ref()?;
    let view = &state.view;
    let clip_from_file = view.camera.clip_from_world(view.aspect(), &document.bounds)
        * Mat4::from(document.model.axes.display_from_file());
    let points_from_ndc = view.size_points * 0.5;
    let pointer = ndc * points_from_ndc;
    let mut best: Option<(f32, BoneId)> = None;
    for shape in state.bone_shapes() {
        let (Some(head), Some(tail)) = (
            on_screen(&clip_from_file, shape.head),
            on_screen(&clip_from_file, shape.tail),
        ) else {
            continue;
        };
        let distance = from_segment(pointer, head * points_from_ndc, tail * points_from_ndc);
        if distance <= BONE_REACH_POINTS && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, shape.bone));
        }
    }
    best.map(|(_, bone)| bone)
}

/// Where `point` is in the picture; none behind the camera.
fn on_screen(clip_from_file: &Mat4, point: Vec3) -> Option<Vec2> {
    let clip = *clip_from_file * point.extend(1.0);
    (clip.w > 0.0).then(|| Vec2::new(clip.x, clip.y) / clip.w)
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

fn triangle_at(state: &AppState, at: PickAt) -> Option<Selection> {
    let document = state.document.as_ref()?;
    if !state.view.overlays.surface && !state.view.overlays.wireframe && !state.view.overlays.points
    {
        return None;
    }
    let ray = state.view.camera.ray(at.ndc, state.view.aspect());
    // The ray goes to the vertices and not they to it: two transforms instead of thousands.
    let file_from_display = document.model.axes.display_from_file().inverse();
    let origin = file_from_display.transform_point3(ray.origin);
    let direction = file_from_display.transform_vector3(ray.direction);
    let posed = skin_model(&document.model, &state.playback.pose_spec());
    let mut first_row = 0;
    let mut best: Option<(f32, Selection)> = None;
    for (index, (mesh, posed)) in document.model.meshes.iter().zip(&posed).enumerate() {
        let shown = |id: crate::model::SubsetId| state.view.shows(first_row + id.index());
        if let Some(hit) = nearest_triangle(mesh, &posed.positions, origin, direction, shown)
            && best.is_none_or(|(least, _)| hit.distance < least)
        {
            let row = first_row + hit.subset.index();
            let selection = if at.vertex {
                Selection::Vertex {
                    mesh: MeshId::from_index(index),
                    vertex: hit.vertex,
                    subset: Some(row),
                }
            } else {
                Selection::Subset(row)
            };
            best = Some((hit.distance, selection));
        }
        first_row += mesh.subsets.len();
    }
    best.map(|(_, selection)| selection)
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
