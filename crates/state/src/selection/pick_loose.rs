//! Picking lines and points on the CPU.

use glam::{Mat4, Vec2, Vec3};

use super::on_screen::{clip_from_file, on_screen};
use crate::AppState;
use rigscope_core::model::{LooseKind, MeshId, VertexId};
use rigscope_core::pose::skin_model;
use rigscope_core::visual::PickedPoint;

/// Largest distance from the middle of a line at which it is picked, in points. Keep in sync with
/// `shaders/lines.wgsl`.
const LINE_REACH_POINTS: f32 = 3.5;
/// Radius of a dot. Keep in sync with `shaders/points.wgsl`.
const DOT_RADIUS_POINTS: f32 = 2.2;

/// A line or point under the pointer.
pub(super) struct LooseHit {
    pub(crate) hit: PickedPoint,
    /// Distance from the camera, measured along the ray.
    pub(crate) distance: f32,
}

/// A mesh vertex with its position on the screen.
struct Corner {
    vertex: u32,
    position: Vec3,
    at_points: Vec2,
}

/// The nearest visible line or point.
pub(super) fn loose_at(state: &AppState, ndc: Vec2) -> Option<LooseHit> {
    let document = state.tab.document.as_ref()?;
    let model = &document.model;
    let overlays = &state.tab.view.overlays;
    let is_loose = |kind| model.num_loose(kind) > 0;
    let has_some = is_loose(LooseKind::Lines) || is_loose(LooseKind::Points);
    if !has_some || !(overlays.surface || overlays.wireframe) {
        return None;
    }
    let clip_from_file = clip_from_file(state)?;
    let file_from_display = model.axes.display_from_file().inverse();
    let ray = state.tab.view.camera.ray(ndc, state.aspect());
    let origin = file_from_display.transform_point3(ray.origin);
    let direction = file_from_display.transform_vector3(ray.direction);
    let points_from_ndc = state.view_size_points * 0.5;
    let pointer = ndc * points_from_ndc;
    let posed = skin_model(model, &state.tab.playback.pose_spec());
    let mut best: Option<LooseHit> = None;
    let mut first_row = 0;
    for (number, (mesh, posed)) in model.meshes.iter().zip(&posed).enumerate() {
        let corner = |vertex: u32| {
            let position = *posed.positions.get(vertex as usize)?;
            corner(&clip_from_file, points_from_ndc, vertex, position)
        };
        for (row, loose) in (first_row + mesh.subsets.len()..).zip(&mesh.loose) {
            if !state.tab.view.shows(row) {
                continue;
            }
            for corners in loose.indices.chunks(loose.kind.num_corners()) {
                let Some((vertex, place)) = met(corners, corner, pointer) else { continue };
                let distance = (place - origin).dot(direction) / direction.length_squared();
                if best.as_ref().is_none_or(|best| distance < best.distance) {
                    let hit = PickedPoint {
                        mesh: MeshId::from_index(number),
                        vertex: VertexId(vertex),
                        subset: Some(row),
                    };
                    best = Some(LooseHit { hit, distance });
                }
            }
        }
        first_row += mesh.num_parts();
    }
    best
}

fn corner(
    clip_from_file: &Mat4,
    points_from_ndc: Vec2,
    vertex: u32,
    position: Vec3,
) -> Option<Corner> {
    Some(Corner {
        vertex,
        position,
        at_points: on_screen(clip_from_file, position)? * points_from_ndc,
    })
}

/// The vertex of the point or line under the pointer, and the position of the hit in file space. A
/// line with an end behind the camera is never hit.
fn met(
    corners: &[u32],
    corner: impl Fn(u32) -> Option<Corner>,
    pointer: Vec2,
) -> Option<(u32, Vec3)> {
    match *corners {
        [point] => {
            let point = corner(point)?;
            let is_met = point.at_points.distance(pointer) <= DOT_RADIUS_POINTS;
            is_met.then_some((point.vertex, point.position))
        }
        [start, end] => {
            let (start, end) = (corner(start)?, corner(end)?);
            let along = end.at_points - start.at_points;
            let share = match along.length_squared() {
                0.0 => return None,
                squared => ((pointer - start.at_points).dot(along) / squared).clamp(0.0, 1.0),
            };
            let nearest = start.at_points + along * share;
            // Not beyond the ends, which are drawn square.
            let beside = (pointer - nearest).perp_dot(along.normalize()).abs();
            let is_met = pointer.distance(nearest) <= beside + 0.5 && beside <= LINE_REACH_POINTS;
            let vertex = if share > 0.5 { end.vertex } else { start.vertex };
            is_met.then_some((vertex, start.position.lerp(end.position, share)))
        }
        _ => None,
    }
}
