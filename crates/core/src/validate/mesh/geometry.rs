//! One mesh, decoded once for all rules.
//!
//! Not for: rules themselves, or moving vertices.

use std::borrow::Cow;
use std::sync::OnceLock;

use glam::{DVec3, Vec2, Vec3, Vec4};

use crate::model::{Axes, Mesh, MeshId, Place, Skin, VertexData, Winding, as_u32};
use crate::pose::{Pose, mirrored_vertices, mirrors};

/// A triangle whose corners all exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    /// Index in the mesh's index list.
    pub(super) number: u32,
    /// The three vertices, in the order of the list.
    pub(super) corners: [u32; 3],
}

impl Triangle {
    /// Whether the list repeats a vertex, which `model::check` has reported.
    #[inline]
    pub(super) fn repeats_a_vertex(&self) -> bool {
        let [a, b, c] = self.corners;
        a == b || b == c || a == c
    }
}

/// Corners in ascending order, and whether sorting took an odd number of swaps.
#[inline]
pub(super) fn sorted([mut a, mut b, mut c]: [u32; 3]) -> ([u32; 3], bool) {
    let mut is_odd = false;
    let mut swap = |low: &mut u32, high: &mut u32| {
        if *low > *high {
            std::mem::swap(low, high);
            is_odd = !is_odd;
        }
    };
    swap(&mut a, &mut b);
    swap(&mut b, &mut c);
    swap(&mut a, &mut b);
    ([a, b, c], is_odd)
}

/// Attributes and triangles of one mesh; each attribute is empty or has one entry per vertex.
pub(in crate::validate) struct Geometry<'a> {
    pub(super) mesh: &'a Mesh,
    /// Index in [`crate::model::Model::meshes`].
    pub(super) number: u32,
    /// Mesh space.
    pub(super) positions: Cow<'a, [Vec3]>,
    /// As stored: may be zero or of any length.
    pub(super) normals: Cow<'a, [Vec3]>,
    unit_normals: OnceLock<Vec<Vec3>>,
    /// As stored, with the bitangent sign in w.
    pub(super) tangents: Cow<'a, [Vec4]>,
    /// First UV set, v down.
    pub(super) uvs: Cow<'a, [Vec2]>,
    /// All triangles that only use existing vertices.
    pub(super) triangles: Vec<Triangle>,
    /// +1 if `(b - a) x (c - a)` points outward, -1 if inward.
    facing: f64,
    /// By vertex, whether the skin mirrors it in the default pose; empty if it doesn't mirror any.
    is_mirrored: Vec<bool>,
}

impl<'a> Geometry<'a> {
    /// Decodes `mesh`.
    pub(super) fn of(mesh: &'a Mesh, number: usize, axes: &Axes) -> Self {
        let (positions, normals, tangents, uvs) = match &mesh.vertices {
            VertexData::Streams(streams) => {
                let uvs = streams.uv_sets.first().map_or(&[][..], |set| &set.coords);
                (
                    Cow::Borrowed(&streams.positions[..]),
                    Cow::Borrowed(&streams.normals[..]),
                    Cow::Borrowed(&streams.tangents[..]),
                    Cow::Borrowed(uvs),
                )
            }
            VertexData::Packed(packed) => (
                packed.iter().map(|vertex| vertex.position).collect(),
                packed.iter().map(|vertex| vertex.normal_decoded()).collect(),
                packed.iter().map(|vertex| vertex.tangent_decoded()).collect(),
                packed.iter().map(|vertex| vertex.uv_decoded()).collect(),
            ),
        };
        let num_vertices = positions.len();
        let exists = |corner: &u32| (*corner as usize) < num_vertices;
        let all = mesh.triangles(0..mesh.indices.len()).zip(0u32..);
        let triangles = all
            .filter(|(corners, _)| corners.iter().all(exists))
            .map(|(corners, number)| Triangle { number, corners })
            .collect();
        Self {
            mesh,
            number: as_u32(number),
            positions,
            normals,
            unit_normals: OnceLock::new(),
            tangents,
            uvs,
            triangles,
            facing: match axes.winding {
                Winding::CounterClockwise => 1.0,
                Winding::Clockwise => -1.0,
            },
            is_mirrored: Vec::new(),
        }
    }

    /// The same mesh as skinned in `pose`: a skin that mirrors flips triangles, and renderers draw them
    /// flipped. A mirroring node without a skin doesn't count, because renderers compensate for it.
    pub(super) fn posed(self, pose: &Pose) -> Self {
        let of_mesh = pose.of_mesh(MeshId(self.number), self.mesh);
        let is_skinned = matches!(self.mesh.skin, Skin::InverseBind(_));
        if is_skinned && of_mesh.palette.iter().any(mirrors) {
            Self { is_mirrored: mirrored_vertices(self.mesh, &of_mesh), ..self }
        } else {
            self
        }
    }

    /// Vertex `index` as the place of a finding.
    pub(super) fn vertex_place(&self, index: u32) -> Place {
        Place::Vertex { mesh: self.number, vertex: index }
    }

    /// Triangle `number` as the place of a finding.
    pub(super) fn triangle_place(&self, number: u32) -> Place {
        Place::Triangle { mesh: self.number, triangle: number }
    }

    /// The values of an attribute at the corners; `None` if the mesh lacks it.
    // Called several times per triangle, so it avoids `map`, which makes a call per corner.
    #[inline]
    pub(super) fn corners<T: Copy>(attribute: &[T], triangle: &Triangle) -> Option<[T; 3]> {
        let [a, b, c] = triangle.corners;
        let at = |corner: u32| attribute.get(corner as usize).copied();
        Some([at(a)?, at(b)?, at(c)?])
    }

    /// Corner positions in double precision, because squares of large coordinates overflow in single
    /// precision.
    #[inline]
    pub(super) fn corner_positions(&self, triangle: &Triangle) -> Option<[DVec3; 3]> {
        let [a, b, c] = Self::corners(&self.positions, triangle)?;
        Some([a.as_dvec3(), b.as_dvec3(), c.as_dvec3()])
    }

    /// The normals with unit length, or zero.
    pub(super) fn unit_normals(&self) -> &[Vec3] {
        let units = || self.normals.iter().map(|normal| normal.normalize_or_zero()).collect();
        self.unit_normals.get_or_init(units)
    }

    /// -1 for a triangle that the skin mirrors, judged by most of its corners; 1 for all others.
    pub(super) fn mirror_sign(&self, triangle: &Triangle) -> f32 {
        let is_mirrored = |corner: &&u32| self.is_mirrored.get(**corner as usize) == Some(&true);
        match triangle.corners.iter().filter(is_mirrored).count() {
            0 | 1 => 1.0,
            _ => -1.0,
        }
    }

    /// Outward normal of a face with these corners; its length is twice the area.
    #[inline]
    pub(super) fn face_normal(&self, [a, b, c]: [DVec3; 3]) -> DVec3 {
        (b - a).cross(c - a) * self.facing
    }

    /// Whether `(b - a) x (c - a)` points outward.
    pub(super) fn is_counter_clockwise(&self) -> bool {
        self.facing > 0.0
    }

    /// The vertices of all triangles, three per triangle. All of them exist, so they are safe for C++ code
    /// that doesn't check indices.
    pub(super) fn indices(&self) -> Vec<u32> {
        self.triangles.iter().flat_map(|t| t.corners).collect()
    }
}
