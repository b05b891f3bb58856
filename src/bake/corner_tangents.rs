//! Tangents of triangle corners by MikkTSpace, the convention that normal maps are baked with.
//!
//! For: everything here that makes tangents. Not for: what becomes of a vertex whose corners want
//! different ones; that is decided where vertices are made.
//!
//! MikkTSpace takes corners that are equal in position, normal and texture coordinate for one, and
//! a triangle's tangents hang only on triangles that are joined to it by such corners. What is
//! joined is an island; islands are worked out in parallel.
//!
//! Invariant: the outcome is the same with any number of threads. For this the crate's feature
//! `corrected-edge-sorting` is on: without it the edges of one corner among all that are given in a
//! call stay unsorted, and which corner that is hangs on what else is in the call.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

use super::islands::Islands;

/// Fewer triangles than this are not worth a thread.
const MIN_TRIANGLES: usize = 256;
/// MikkTSpace goes around a corner by recursion. Corners of more triangles than this are left to the
/// caller's thread, whose stack is the larger one.
const MAX_FAN: u32 = 2048;
/// With coordinates beyond this the middle of two is no number, and MikkTSpace takes no corners
/// near them for one: where that ends hangs on what else is in the call.
const MAX_COORDINATE: f32 = f32::MAX / 4.0;

/// What tangents hang on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TangentVertex {
    position: Vec3,
    normal: Vec3,
    /// MikkTSpace takes v up.
    uv_v_up: Vec2,
}

impl TangentVertex {
    /// `uv` has v down.
    pub(super) fn new(position: Vec3, normal: Vec3, uv: Vec2) -> Self {
        Self {
            position,
            normal,
            uv_v_up: Vec2::new(uv.x, 1.0 - uv.y),
        }
    }

    /// The same for vertices that are equal; zeros of both signs are.
    fn key(&self) -> [u32; 8] {
        let [x, y, z] = self.position.to_array();
        let [i, j, k] = self.normal.to_array();
        let [u, v] = self.uv_v_up.to_array();
        [x, y, z, i, j, k, u, v].map(|value| (value + 0.0).to_bits())
    }
}

/// The tangents of each triangle's corners, the sign of the bitangent in `w`; `None` at a triangle
/// without area that shares the corner with no other. Triangles must name `vertices`; one that does
/// not has none.
pub(super) fn corner_tangents(
    vertices: &[TangentVertex],
    triangles: &[[u32; 3]],
) -> Vec<[Option<Vec4>; 3]> {
    let num_batches = (triangles.len() / MIN_TRIANGLES).min(rayon::current_num_threads());
    in_batches(vertices, triangles, num_batches)
}

fn in_batches(
    vertices: &[TangentVertex],
    triangles: &[[u32; 3]],
    num_batches: usize,
) -> Vec<[Option<Vec4>; 3]> {
    let faces = batches(vertices, triangles, num_batches);
    let made = |faces| Batch::made(vertices, triangles, faces);
    let made: Vec<Batch> = match faces.len() {
        // On the caller's thread.
        0 | 1 => faces.into_iter().map(made).collect(),
        _ => faces.into_par_iter().map(made).collect(),
    };
    let mut tangents = vec![[None; 3]; triangles.len()];
    for batch in made {
        for (face, of_face) in batch.faces.into_iter().zip(batch.tangents) {
            if let Some(slot) = tangents.get_mut(face as usize) {
                *slot = of_face;
            }
        }
    }
    tangents
}

/// The triangles of each batch, ascending: whole islands, about as many triangles in each. One batch
/// where they cannot be told apart.
fn batches(
    vertices: &[TangentVertex],
    triangles: &[[u32; 3]],
    num_batches: usize,
) -> Vec<Vec<u32>> {
    let is_named = |triangle: &[u32; 3]| triangle.iter().all(|v| (*v as usize) < vertices.len());
    let named: Vec<(u32, [u32; 3])> = (0u32..)
        .zip(triangles.iter().copied())
        .filter(|(_, triangle)| is_named(triangle))
        .collect();
    let islands = match num_batches {
        0 | 1 => None,
        _ => islands(vertices, &named),
    };
    let Some(mut islands) = islands else {
        return vec![named.into_iter().map(|(face, _)| face).collect()];
    };
    let island_of_face: Vec<(u32, u32)> = named
        .into_iter()
        .map(|(face, [corner, ..])| (face, islands.first_of(corner)))
        .collect();
    let mut sizes = vec![0usize; vertices.len()];
    for &(_, island) in &island_of_face {
        if let Some(size) = sizes.get_mut(island as usize) {
            *size += 1;
        }
    }
    // Largest first, each to where there is least.
    let sizes = sizes.into_iter().enumerate();
    let mut largest_first: Vec<(usize, usize)> = sizes.filter(|(_, size)| *size > 0).collect();
    largest_first.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let mut loads = vec![0usize; num_batches];
    let mut batch_of_island = vec![0usize; vertices.len()];
    for (island, size) in largest_first {
        let least = loads.iter_mut().enumerate().min_by_key(|(_, load)| **load);
        if let (Some((batch, load)), Some(slot)) = (least, batch_of_island.get_mut(island)) {
            *load += size;
            *slot = batch;
        }
    }
    let mut batches: Vec<Vec<u32>> = loads.into_iter().map(Vec::with_capacity).collect();
    for (face, island) in island_of_face {
        let batch = batch_of_island.get(island as usize);
        if let Some(batch) = batch.and_then(|batch| batches.get_mut(*batch)) {
            batch.push(face);
        }
    }
    batches
}

/// The islands of vertices; `None` where MikkTSpace may not take equal corners for one, or must go
/// around a corner of too many triangles.
fn islands(vertices: &[TangentVertex], named: &[(u32, [u32; 3])]) -> Option<Islands> {
    let mut islands = Islands::new(vertices.len());
    let mut first_with: HashMap<[u32; 8], u32> = HashMap::with_capacity(vertices.len());
    let mut equal_to = Vec::with_capacity(vertices.len());
    for (number, vertex) in (0u32..).zip(vertices) {
        let coordinates = vertex.position.abs();
        if !coordinates.is_finite() || coordinates.max_element() > MAX_COORDINATE {
            return None;
        }
        let first = *first_with.entry(vertex.key()).or_insert(number);
        islands.join(first, number);
        equal_to.push(first);
    }
    let mut num_triangles = vec![0u32; vertices.len()];
    for (_, corners) in named {
        let [a, b, c] = *corners;
        islands.join(a, b);
        islands.join(a, c);
        for corner in corners {
            let first = equal_to.get(*corner as usize);
            let fan = first.and_then(|first| num_triangles.get_mut(*first as usize));
            if let Some(fan) = fan {
                *fan += 1;
            }
        }
    }
    let is_fit = num_triangles.iter().all(|num| *num <= MAX_FAN);
    is_fit.then_some(islands)
}

/// Triangles given in one call.
struct Batch {
    /// Their numbers among all.
    faces: Vec<u32>,
    corners: Vec<[TangentVertex; 3]>,
    tangents: Vec<[Option<Vec4>; 3]>,
}

impl Batch {
    fn made(vertices: &[TangentVertex], triangles: &[[u32; 3]], faces: Vec<u32>) -> Self {
        let vertex = |number: u32| {
            let known = vertices.get(number as usize).copied();
            known.unwrap_or_else(|| TangentVertex::new(Vec3::ZERO, Vec3::Y, Vec2::ZERO))
        };
        let corners = faces.iter().map(|&face| {
            let triangle = triangles.get(face as usize).copied();
            triangle.unwrap_or_default().map(vertex)
        });
        let mut batch = Self {
            corners: corners.collect(),
            tangents: vec![[None; 3]; faces.len()],
            faces,
        };
        // The crate's error has no values.
        let _ = bevy_mikktspace::generate_tangents(&mut batch);
        batch
    }

    fn corner(&self, face: usize, corner: usize) -> TangentVertex {
        let corners = self.corners.get(face);
        let known = corners.and_then(|corners| corners.get(corner)).copied();
        known.unwrap_or_else(|| TangentVertex::new(Vec3::ZERO, Vec3::Y, Vec2::ZERO))
    }
}

impl bevy_mikktspace::Geometry for Batch {
    fn num_faces(&self) -> usize {
        self.corners.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.corner(face, corner).position.to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.corner(face, corner).normal.to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        self.corner(face, corner).uv_v_up.to_array()
    }

    fn set_tangent(
        &mut self,
        tangent: Option<bevy_mikktspace::TangentSpace>,
        face: usize,
        corner: usize,
    ) {
        let of_face = self.tangents.get_mut(face);
        if let (Some(tangent), Some(slot)) = (tangent, of_face.and_then(|t| t.get_mut(corner))) {
            *slot = Some(Vec4::from_array(tangent.tangent_encoded()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: u32 = 9;

    /// Square sheets of wavy ground in a row; every other one is mirrored in its texture, and a
    /// triangle without area hangs on each. Vertices are not shared, so that corners are joined by
    /// their values alone.
    fn sheets(num: u32) -> (Vec<TangentVertex>, Vec<[u32; 3]>) {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for row in 0..SIDE {
            for sheet in 0..num {
                for column in 0..SIDE {
                    let at = |x: u32, z: u32| {
                        let (x, z) = ((column + x) as f32, (row + z) as f32);
                        let height = (x * 1.7 + z * 0.9 + sheet as f32).sin();
                        let u = if sheet % 2 == 0 { x } else { -x };
                        TangentVertex::new(
                            Vec3::new(x + 20.0 * sheet as f32, height, z),
                            Vec3::new(0.1 * height, 1.0, 0.0).normalize_or_zero(),
                            Vec2::new(u + 0.1 * height, z) * 0.1,
                        )
                    };
                    let first = u32::try_from(vertices.len()).unwrap();
                    vertices.extend([at(0, 0), at(0, 1), at(1, 0), at(1, 1)]);
                    triangles.push([first, first + 1, first + 2]);
                    triangles.push([first + 2, first + 1, first + 3]);
                    if row == 0 && column == 0 {
                        triangles.push([first, first, first + 3]);
                    }
                }
            }
        }
        (vertices, triangles)
    }

    fn bits(tangents: &[[Option<Vec4>; 3]]) -> Vec<Option<[u32; 4]>> {
        let all = tangents.iter().flatten();
        let bits = all.map(|t| t.map(|t| t.to_array().map(f32::to_bits)));
        bits.collect()
    }

    #[test]
    fn tangents_are_the_same_bits_in_any_number_of_batches() {
        let (vertices, triangles) = sheets(7);
        let whole = in_batches(&vertices, &triangles, 1);
        assert!(whole.iter().flatten().all(Option::is_some));
        for num in [2, 3, 7, 12] {
            let batches = batches(&vertices, &triangles, num);
            let sizes: Vec<usize> = batches.iter().map(Vec::len).collect();
            assert_eq!(sizes.iter().sum::<usize>(), triangles.len());
            assert_eq!(sizes.iter().filter(|size| **size > 0).count(), num.min(7));
            let one = triangles.len() / 7;
            assert!(sizes.iter().all(|size| size % one == 0), "{sizes:?}");
            let apart = in_batches(&vertices, &triangles, num);
            assert_eq!(bits(&apart), bits(&whole), "{num} batches");
        }
    }

    #[test]
    fn zeros_of_both_signs_join_and_other_normals_do_not() {
        let mut vertices: Vec<_> = [Vec3::ZERO, Vec3::X, Vec3::Z, -Vec3::ZERO, Vec3::NEG_X]
            .map(|position| TangentVertex::new(position, Vec3::Y, Vec2::ZERO))
            .into();
        vertices.push(TangentVertex::new(Vec3::NEG_Z, Vec3::Y, Vec2::ZERO));
        let triangles = [[0, 1, 2], [3, 4, 5]];
        let num_used = |vertices: &[TangentVertex]| {
            let batches = batches(vertices, &triangles, 2);
            batches.iter().filter(|batch| !batch.is_empty()).count()
        };
        assert_eq!(num_used(&vertices), 1);
        vertices[3].normal = Vec3::Z;
        assert_eq!(num_used(&vertices), 2);
    }

    #[test]
    fn large_fans_and_coordinates_without_a_middle_stay_in_one_batch() {
        let (mut vertices, mut triangles) = sheets(2);
        assert_eq!(batches(&vertices, &triangles, 2).len(), 2);
        vertices[0].position.x = f32::MAX;
        assert_eq!(batches(&vertices, &triangles, 2).len(), 1);
        vertices[0].position.x = f32::NAN;
        assert_eq!(batches(&vertices, &triangles, 2).len(), 1);
        vertices[0].position.x = 0.0;
        assert_eq!(batches(&vertices, &triangles, 2).len(), 2);
        triangles.extend(vec![[0, 1, 2]; MAX_FAN as usize]);
        assert_eq!(batches(&vertices, &triangles, 2).len(), 1);
    }

    #[test]
    fn triangles_past_the_vertices_have_no_tangents() {
        let (vertices, mut triangles) = sheets(1);
        triangles.push([0, 1, u32::MAX]);
        let tangents = corner_tangents(&vertices, &triangles);
        assert_eq!(tangents.len(), triangles.len());
        assert_eq!(tangents.last(), Some(&[None; 3]));
    }
}
