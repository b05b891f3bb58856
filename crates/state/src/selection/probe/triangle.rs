//! Details of a triangle.

use glam::{Vec2, Vec3};

use crate::{AppState, Selection};
use rigscope_core::model::{MeshId, VertexId};
use rigscope_core::pose::{sample, skin_vertex};

/// The orientation of a triangle relative to its vertex normals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FacesVertexNormals {
    /// All normals point to the front.
    Along,
    /// All normals point to the back, so the triangle is lit from the wrong side.
    Against,
    /// The normals point to both sides.
    Mixed,
    /// There are no normals, or the triangle is degenerate.
    Unknown,
}

/// Details of a triangle.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleProbe {
    pub mesh: MeshId,
    /// Index in the mesh.
    pub triangle: u32,
    pub corners: [VertexId; 3],
    /// Corner positions in the current pose, display space.
    pub posed: [Vec3; 3],
    /// Stored area, display units squared.
    pub area: f32,
    /// Area in the current pose.
    pub posed_area: f32,
    /// Front normal in the current pose; zero without area.
    pub posed_normal: Vec3,
    /// For the stored positions and normals.
    pub faces: FacesVertexNormals,
    /// Area in the first UV set, in tiles, if there are UVs.
    pub uv_area: Option<f32>,
    /// Whether the texture is mirrored; `None` without UVs or UV area.
    pub is_mirrored: Option<bool>,
}

impl AppState {
    /// Details of the selected triangle.
    pub fn triangle_probe(&self) -> Option<TriangleProbe> {
        let Selection::Triangle { mesh, triangle, .. } = self.tab.selection else { return None };
        let model = &self.tab.document.as_ref()?.model;
        let of_mesh = model.meshes.get(mesh)?;
        let first = triangle as usize * 3;
        let corner = |at: usize| of_mesh.indices.get(first + at);
        let corners = [corner(0)?, corner(1)?, corner(2)?];
        let [a, b, c] = corners.map(|corner| corner as usize);
        let display_from_file = model.axes.display_from_file();
        let pose = sample(model, &self.tab.playback.pose_spec());
        let pose = pose.of_mesh(mesh, of_mesh);
        let posed = |vertex| {
            let posed = skin_vertex(of_mesh, vertex, &pose)?;
            Some(display_from_file.transform_point3(posed))
        };
        let posed = [posed(a)?, posed(b)?, posed(c)?];
        let stored = |vertex| Some(display_from_file.transform_point3(of_mesh.position(vertex)?));
        let stored = [stored(a)?, stored(b)?, stored(c)?];
        let turns_round = model.axes.reverses_winding();
        let front = twice_area(stored, turns_round);
        let normals = [a, b, c].map(|vertex| {
            let normal = of_mesh.normal(vertex)?;
            Some(display_from_file.transform_vector3(normal))
        });
        let uvs = [a, b, c].map(|vertex| of_mesh.uv(vertex));
        let uv_area = match uvs {
            [Some(a), Some(b), Some(c)] => Some(signed_uv_area([a, b, c])),
            _ => None,
        };
        let posed_front = twice_area(posed, turns_round);
        Some(TriangleProbe {
            mesh,
            triangle,
            corners: corners.map(VertexId),
            posed,
            area: front.length() * 0.5,
            posed_area: posed_front.length() * 0.5,
            posed_normal: posed_front.normalize_or_zero(),
            faces: facing(front, normals),
            uv_area: uv_area.map(f32::abs),
            // Seen from the front, an unmirrored triangle has the same winding in UV space with V
            // down.
            is_mirrored: uv_area
                .filter(|area| *area != 0.0)
                .map(|area| (area > 0.0) != turns_round),
        })
    }
}

/// The front normal, with a length of twice the area.
fn twice_area([a, b, c]: [Vec3; 3], turns_round: bool) -> Vec3 {
    let normal = (b - a).cross(c - a);
    if turns_round { -normal } else { normal }
}

/// Positive if the corners are clockwise in UV space with V down.
fn signed_uv_area([a, b, c]: [Vec2; 3]) -> f32 {
    (b - a).perp_dot(c - a) * 0.5
}

fn facing(front: Vec3, normals: [Option<Vec3>; 3]) -> FacesVertexNormals {
    let known = normals.iter().flatten().map(|normal| normal.dot(front));
    let sides: Vec<f32> = known.filter(|side| *side != 0.0).collect();
    let num_along = sides.iter().filter(|side| **side > 0.0).count();
    match (num_along, sides.len()) {
        (_, 0) => FacesVertexNormals::Unknown,
        (0, _) => FacesVertexNormals::Against,
        (along, all) if along == all => FacesVertexNormals::Along,
        _ => FacesVertexNormals::Mixed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facing_compares_a_triangle_with_its_vertex_normals() {
        let up = Some(Vec3::Y);
        assert_eq!(facing(Vec3::Y, [up; 3]), FacesVertexNormals::Along);
        assert_eq!(facing(-Vec3::Y, [up; 3]), FacesVertexNormals::Against);
        let mixed = [up, up, Some(-Vec3::Y)];
        assert_eq!(facing(Vec3::Y, mixed), FacesVertexNormals::Mixed);
        assert_eq!(facing(Vec3::Y, [None; 3]), FacesVertexNormals::Unknown);
        assert_eq!(facing(Vec3::ZERO, [up; 3]), FacesVertexNormals::Unknown);
    }
}
