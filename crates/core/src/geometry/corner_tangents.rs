//! Tangents of triangle corners by MikkTSpace, the convention for baking normal maps.
//!
//! For: everything here that generates tangents. Not for: handling a vertex whose corners have different
//! tangents; the code that creates vertices decides that.
//!
//! Uses meshoptimizer in its mode with MikkTSpace weights, which is several times as fast as Mikkelsen's
//! code. Its angles are approximate, so tangents differ by some hundredths of a degree from those of that
//! code; stored tangents have steps of a tenth of a degree. All three corners of a triangle have the same
//! bitangent sign.

use glam::{Vec2, Vec3, Vec4};
use meshopt::TangentOptions;

use crate::geometry::position_key;

/// The time per vertex is quadratic in the number of adjacent triangles. Larger fans are processed in runs of
/// this size, independently of each other.
const MAX_FAN: usize = 512;

/// The inputs for tangents. All three lists have the same length and only finite values.
#[derive(Default)]
pub(crate) struct TangentVertices {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    /// MikkTSpace expects v up.
    uvs_v_up: Vec<[f32; 2]>,
}

impl FromIterator<(Vec3, Vec3, Vec2)> for TangentVertices {
    /// From positions, unit normals and texture coordinates with v down. Non-finite values become 0: the
    /// algorithm looks for equal corners, and NaN isn't equal to itself.
    fn from_iter<I: IntoIterator<Item = (Vec3, Vec3, Vec2)>>(vertices: I) -> Self {
        let finite3 = |v: Vec3| Vec3::select(v.is_finite_mask(), v, Vec3::ZERO).to_array();
        let finite2 = |v: Vec2| Vec2::select(v.is_finite_mask(), v, Vec2::ZERO).to_array();
        let vertices = vertices.into_iter();
        let mut all = Self::default();
        all.positions.reserve(vertices.size_hint().0);
        all.normals.reserve(vertices.size_hint().0);
        all.uvs_v_up.reserve(vertices.size_hint().0);
        for (position, normal, uv) in vertices {
            all.positions.push(finite3(position));
            all.normals.push(finite3(normal));
            all.uvs_v_up.push(finite2(Vec2::new(uv.x, 1.0 - uv.y)));
        }
        all
    }
}

impl TangentVertices {
    /// One vertex per corner of these triangles, whose indices must be valid.
    fn corners(&self, triangles: &[[u32; 3]]) -> Self {
        let numbers = triangles.as_flattened();
        Self {
            positions: picked(&self.positions, numbers),
            normals: picked(&self.normals, numbers),
            uvs_v_up: picked(&self.uvs_v_up, numbers),
        }
    }

    /// Whether no more than [`MAX_FAN`] corners are equal.
    ///
    /// Equal corners have the same position, and a position has one bucket, possibly shared with others.
    fn has_small_fans(&self, triangles: &[[u32; 3]]) -> bool {
        let num_drawers = self.positions.len().next_power_of_two();
        let mut num_corners = vec![0usize; num_drawers];
        let drawers: Vec<usize> =
            (self.positions.iter()).map(|position| drawer(*position, num_drawers)).collect();
        triangles.as_flattened().iter().all(|corner| {
            let drawer = drawers.get(*corner as usize).copied();
            let num = drawer.and_then(|drawer| num_corners.get_mut(drawer));
            num.is_none_or(|num| {
                *num += 1;
                *num <= MAX_FAN
            })
        })
    }

    /// Tangents of the corners of triangles with valid indices; with `None`, every vertex is a corner.
    fn tangents(&self, triangles: Option<&[[u32; 3]]>) -> Vec<[f32; 4]> {
        // The C++ code doesn't check indices. `corner_tangents` passes triangles of existing vertices;
        // without indices each vertex is a corner, and `corners` makes three per triangle. `from_iter`
        // guarantees that the three lists have the same length and finite values.
        meshopt::generate_tangents(
            triangles.map(<[[u32; 3]]>::as_flattened),
            &self.positions,
            &self.normals,
            &self.uvs_v_up,
            TangentOptions::Compatible | TangentOptions::ZeroFallback,
        )
    }
}

fn picked<T: Copy + Default>(list: &[T], numbers: &[u32]) -> Vec<T> {
    let value = |number: &u32| list.get(*number as usize).copied().unwrap_or_default();
    numbers.iter().map(value).collect()
}

/// A number below `num_drawers`, a power of two; equal for zeros of both signs.
fn drawer(position: [f32; 3], num_drawers: usize) -> usize {
    let mixed = position_key(position.into()).into_iter().fold(0u64, |mixed, bits| {
        // Odd, and about 2^64 divided by the golden ratio.
        (mixed.rotate_left(21) ^ u64::from(bits)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    usize::try_from(mixed >> 32).unwrap_or(0) & (num_drawers - 1)
}

/// The tangents of each triangle's corners, with the sign of the bitangent in `w`. `None` if no triangle
/// around the corner has an area both in space and in the texture, or if the triangle has invalid indices.
pub(crate) fn corner_tangents(
    vertices: &TangentVertices,
    triangles: &[[u32; 3]],
) -> Vec<[Option<Vec4>; 3]> {
    let num = vertices.positions.len();
    let is_named = |triangle: &[u32; 3]| triangle.iter().all(|corner| (*corner as usize) < num);
    let named: Vec<[u32; 3]> = triangles.iter().copied().filter(is_named).collect();
    let tangents = if vertices.has_small_fans(&named) {
        vertices.tangents(Some(&named))
    } else {
        named.chunks(MAX_FAN).flat_map(|run| vertices.corners(run).tangents(None)).collect()
    };
    let (made, _) = tangents.as_chunks::<3>();
    let mut made = made.iter();
    let of_triangle = |triangle: &[u32; 3]| {
        if is_named(triangle) {
            made.next().map_or([None; 3], |own| own.map(given))
        } else {
            [None; 3]
        }
    };
    triangles.iter().map(of_triangle).collect()
}

/// A tangent with a direction.
fn given(tangent: [f32; 4]) -> Option<Vec4> {
    let tangent = Vec4::from_array(tangent);
    let is_given = tangent.is_finite() && tangent.truncate() != Vec3::ZERO;
    is_given.then_some(tangent)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: u32 = 9;

    type Vertex = (Vec3, Vec3, Vec2);

    /// Square sheets of wavy ground in a row, with separate vertices for each square, so that corners are
    /// only joined by their values. Every other sheet has a mirrored texture; all sheets of a row share an
    /// edge in space, and each has a degenerate triangle.
    fn sheets(num: u32) -> (Vec<Vertex>, Vec<[u32; 3]>) {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for row in 0..SIDE {
            for column in 0..SIDE * num {
                let is_mirrored = column / SIDE % 2 == 1;
                let at = |x: u32, z: u32| {
                    let (x, z) = ((column + x) as f32, (row + z) as f32);
                    let height = (x * 1.7 + z * 0.9).sin();
                    let u = if is_mirrored { 2.0 * SIDE as f32 - x } else { x };
                    (
                        Vec3::new(x, height, z),
                        Vec3::new(0.1 * height, 1.0, 0.0).normalize_or_zero(),
                        Vec2::new(u + 0.1 * height, z) * 0.1,
                    )
                };
                let first = u32::try_from(vertices.len()).unwrap();
                vertices.extend([at(0, 0), at(0, 1), at(1, 0), at(1, 1)]);
                triangles.push([first, first + 1, first + 2]);
                triangles.push([first + 2, first + 1, first + 3]);
                if row == 0 && column % SIDE == 0 {
                    triangles.push([first + 1, first, first]);
                }
            }
        }
        (vertices, triangles)
    }

    fn tangents(vertices: &[Vertex], triangles: &[[u32; 3]]) -> Vec<[Option<Vec4>; 3]> {
        corner_tangents(&vertices.iter().copied().collect(), triangles)
    }

    /// Mikkelsen's code, ported to Rust.
    struct Reference<'a> {
        vertices: &'a [Vertex],
        triangles: &'a [[u32; 3]],
        tangents: Vec<[Option<Vec4>; 3]>,
    }

    impl Reference<'_> {
        fn vertex(&self, face: usize, corner: usize) -> Vertex {
            self.vertices[self.triangles[face][corner] as usize]
        }
    }

    impl bevy_mikktspace::Geometry for Reference<'_> {
        fn num_faces(&self) -> usize {
            self.triangles.len()
        }

        fn num_vertices_of_face(&self, _face: usize) -> usize {
            3
        }

        fn position(&self, face: usize, corner: usize) -> [f32; 3] {
            self.vertex(face, corner).0.to_array()
        }

        fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
            self.vertex(face, corner).1.to_array()
        }

        fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
            let uv = self.vertex(face, corner).2;
            [uv.x, 1.0 - uv.y]
        }

        fn set_tangent(
            &mut self,
            tangent: Option<bevy_mikktspace::TangentSpace>,
            face: usize,
            corner: usize,
        ) {
            let encoded = tangent.map(|tangent| Vec4::from_array(tangent.tangent_encoded()));
            self.tangents[face][corner] = encoded;
        }
    }

    fn reference(vertices: &[Vertex], triangles: &[[u32; 3]]) -> Vec<[Option<Vec4>; 3]> {
        let mut reference =
            Reference { vertices, triangles, tangents: vec![[None; 3]; triangles.len()] };
        bevy_mikktspace::generate_tangents(&mut reference).unwrap();
        reference.tangents
    }

    #[test]
    fn tangents_match_the_mikktspace_reference_implementation() {
        let (vertices, triangles) = sheets(4);
        let own = tangents(&vertices, &triangles);
        let wanted = reference(&vertices, &triangles);
        for (face, (own, wanted)) in own.iter().zip(&wanted).enumerate() {
            for (own, wanted) in own.iter().zip(wanted) {
                let (own, wanted) = (own.unwrap(), wanted.unwrap());
                let angle = own.truncate().angle_between(wanted.truncate()).to_degrees();
                assert!(angle < 0.05, "triangle {face}: {angle} degrees");
                assert_eq!(own.w, wanted.w, "triangle {face}");
            }
        }
        let is_mirrored = |sign: f32| own.iter().flatten().any(|t| t.unwrap().w == sign);
        assert!(is_mirrored(1.0) && is_mirrored(-1.0));
    }

    #[test]
    fn shared_and_duplicated_vertices_give_the_same_tangents() {
        let (vertices, triangles) = sheets(2);
        let mut shared: Vec<Vertex> = Vec::new();
        let numbers: Vec<u32> = (vertices.iter())
            .map(|vertex| {
                let known = shared.iter().position(|known| known == vertex);
                let number = known.unwrap_or_else(|| {
                    shared.push(*vertex);
                    shared.len() - 1
                });
                u32::try_from(number).unwrap()
            })
            .collect();
        assert!(shared.len() < vertices.len() / 3);
        let renamed: Vec<[u32; 3]> = (triangles.iter())
            .map(|corners| corners.map(|corner| numbers[corner as usize]))
            .collect();
        assert_eq!(tangents(&vertices, &triangles), tangents(&shared, &renamed));
    }

    #[test]
    fn large_fans_are_detected_and_have_correct_tangents() {
        let num = 100_000u32;
        let rim = (0..num).map(|at| {
            // Winding stairs: a narrow angle has no weight.
            let (y, x) = (at as f32 * 6e-3).sin_cos();
            (Vec3::new(x, at as f32 * 1e-6, y), Vec3::Y, Vec2::new(x, y))
        });
        let mut vertices = vec![(Vec3::ZERO, Vec3::Y, Vec2::ZERO)];
        vertices.extend(rim);
        let triangles: Vec<[u32; 3]> = (1..num).map(|at| [0, at + 1, at]).collect();
        let fan: TangentVertices = vertices.iter().copied().collect();
        assert!(!fan.has_small_fans(&triangles));
        for tangent in tangents(&vertices, &triangles).as_flattened() {
            let tangent = tangent.unwrap();
            assert!(tangent.truncate().distance(Vec3::X) < 1e-2, "{tangent}");
        }
        let (vertices, triangles) = sheets(7);
        let sheets: TangentVertices = vertices.iter().copied().collect();
        assert!(sheets.has_small_fans(&triangles));
    }

    #[test]
    fn non_finite_and_overflowing_input_gives_finite_or_missing_tangents() {
        let (mut vertices, triangles) = sheets(2);
        let wanted = tangents(&vertices, &triangles);
        for value in [f32::NAN, f32::INFINITY, f32::MAX] {
            vertices[0].0.x = value;
            vertices[5].1.y = value;
            vertices[10].2.x = value;
            let made = tangents(&vertices, &triangles);
            let mut given = made.as_flattened().iter().flatten();
            assert!(given.all(|tangent| tangent.is_finite()));
            assert_eq!(made.last(), wanted.last(), "far away nothing changes");
        }
    }

    #[test]
    fn extreme_scales_give_finite_or_missing_tangents() {
        let (vertices, triangles) = sheets(2);
        for scale in [1e-45, 1e19, 1e36, f32::MAX, -f32::MAX] {
            let scaled: Vec<Vertex> = (vertices.iter())
                .map(|&(position, normal, uv)| (position * scale, normal, uv * scale))
                .collect();
            let made = tangents(&scaled, &triangles);
            assert_eq!(made.len(), triangles.len());
            let mut given = made.as_flattened().iter().flatten();
            assert!(given.all(|tangent| tangent.is_finite()), "{scale}");
        }
    }

    #[test]
    fn degenerate_uvs_and_out_of_range_indices_give_no_tangents() {
        let (mut vertices, mut triangles) = sheets(1);
        let wanted = tangents(&vertices, &triangles);
        let first = u32::try_from(vertices.len()).unwrap();
        vertices.extend([Vec3::X, Vec3::Y, Vec3::Z].map(|at| (at, Vec3::ONE, Vec2::ONE)));
        triangles.insert(1, [0, 1, u32::MAX]);
        triangles.push([first, first + 1, first + 2]);
        let made = tangents(&vertices, &triangles);
        assert_eq!(made.len(), triangles.len());
        assert_eq!((made[1], made[triangles.len() - 1]), ([None; 3], [None; 3]));
        assert_eq!((made[0], &made[2..triangles.len() - 1]), (wanted[0], &wanted[1..]));
        assert!(tangents(&[], &triangles).as_flattened().iter().all(Option::is_none));
    }
}
